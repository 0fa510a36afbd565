"""A shop whose orders are reviewed."""

from typing import Any

import pytest
from langchain_core.tools import ToolException
from pydantic import BaseModel, Field

from agent_runtime import (
    Agent,
    Checkpoint,
    HumanReview,
    Middleware,
    RunInterruptedError,
    extract,
)
from agent_runtime.testing import Entry, ScriptedModel, call


class Order(BaseModel):
    item: str
    quantity: int = Field(gt=0)


class Shop:
    """Tools with side effects, and how often each ran."""

    def __init__(self) -> None:
        self.ran: list[str] = []

    def submit_order(self, item: str, quantity: int) -> tuple[str, str]:
        """Submit an order."""
        self.ran.append(f"order {quantity} {item}")
        if quantity > 100:
            raise ToolException("too many")
        return "taken", f"{quantity} {item}"

    def look_up(self, item: str) -> str:
        """Look up an item."""
        self.ran.append(f"look up {item}")
        return f"{item} is in stock"


ORDER = call("submit_order", {"item": "tea", "quantity": 3}, call_id="a")
LOOK = call("look_up", {"item": "tea"}, call_id="b")


def agent_of(
    shop: Shop, *script: Entry, review: Middleware | None = None
) -> tuple[Agent, ScriptedModel]:
    model = ScriptedModel(script)
    middleware = [review or HumanReview(["submit_order"])]
    return Agent(model=model, tools=[shop.submit_order, shop.look_up], middleware=middleware), model


async def interrupted(agent: Agent, **options: Any) -> Checkpoint:
    with pytest.raises(RunInterruptedError) as caught:
        await extract(agent, "go", until_tool_success="submit_order", **options)
    return caught.value.checkpoint
