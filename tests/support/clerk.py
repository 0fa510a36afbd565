"""A model that files visits, one for each conversation, and remembers whom it was asked about."""

from collections.abc import Sequence
from datetime import date
from typing import Any

from langchain_core.messages import BaseMessage
from pydantic import BaseModel

from agent_runtime import (
    Agent,
    ItemOutcome,
    extract_many,
)
from agent_runtime.testing import Reply, ScriptedModel, call


class Visit(BaseModel):
    name: str
    day: date


def visit(name: str) -> Visit:
    return Visit(name=name, day=date(2026, 11, 30))


class Clerk:
    """Answers each conversation by its text, and writes down whom it was asked about."""

    def __init__(self, *, tools: Sequence[Any] = ()) -> None:
        self.asked: list[str] = []
        self.broken = {"broken"}
        model = ScriptedModel([self.answer] * 1_000)
        self.agent = Agent(model=model, tools=tools)

    def answer(self, messages: Sequence[BaseMessage]) -> Reply:
        name = messages[0].text
        self.asked.append(name)
        if name in self.broken:
            return ConnectionError("the line is down")
        tool = next(iter(self.agent.toolbox), "submit_visit")
        args = {"name": name, "day": "soon" if name == "vague" else "2026-11-30"}
        return call(tool, args)

    async def visits(self, names: Sequence[Any], **options: Any) -> list[ItemOutcome[Visit]]:
        return await extract_many(
            self.agent, names, until_tool_success=Visit, max_runs=2, **options
        )


def values(outcomes: Sequence[ItemOutcome[Any]]) -> list[Any]:
    return [outcome.value for outcome in outcomes]
