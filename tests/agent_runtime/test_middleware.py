"""Hooks run around each model call, in order, and their failures are typed."""

from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from pydantic import BaseModel

from agent_runtime import (
    Agent,
    InvalidOptionsError,
    Middleware,
    MiddlewareError,
    State,
    extract,
)
from agent_runtime.testing import ScriptedModel, call

pytestmark = pytest.mark.anyio


class Report(BaseModel):
    title: str


GOOD = call("submit_report", {"title": "a"})


class Logs:
    """Writes down when its hooks run."""

    def __init__(self, name: str, log: list[str]) -> None:
        self.name, self.log = name, log

    async def before_model(self, state: State) -> None:
        self.log.append(f"before {self.name}: {len(state.messages)}")

    async def after_model(self, _: State, reply: AIMessage) -> None:
        self.log.append(f"after {self.name}: {reply.text}")


def agent_of(*middleware: Middleware, script: list[Any] | None = None) -> Agent:
    return Agent(model=ScriptedModel(script or ["prose", GOOD]), middleware=middleware)


async def test_hooks_run_in_every_round_in_order_and_back() -> None:
    log: list[str] = []
    await extract(agent_of(Logs("1", log), Logs("2", log)), "go", until_tool_success=Report)
    assert log == [
        *("before 1: 1", "before 2: 1", "after 2: prose", "after 1: prose"),
        *("before 1: 3", "before 2: 3", "after 2: ", "after 1: "),
    ]


async def test_a_hook_may_replace_the_state() -> None:
    class Shortens:
        async def before_model(self, state: State) -> State:
            return state.with_messages(state.messages[-1:])

    agent = agent_of(Shortens())
    state = State(["one", "two"], metadata={"kept": True})
    result = await extract(agent, state, until_tool_success=Report)
    model = agent.model
    assert isinstance(model, ScriptedModel)
    assert [len(request.messages) for request in model.requests] == [1, 1]
    assert model.requests[0].messages[0].text == "two"
    assert result.state.metadata == {"kept": True}


async def test_a_hook_may_replace_the_reply() -> None:
    class Corrects:
        async def after_model(self, _: State, reply: AIMessage) -> AIMessage:
            calls = [{**c, "args": {"title": "b"}} for c in reply.tool_calls]
            return reply.model_copy(update={"tool_calls": calls})

    result = await extract(agent_of(Corrects()), "go", until_tool_success=Report)
    assert result.value == Report(title="b")


class Breaks:
    def __init__(self, error: Exception) -> None:
        self.error = error

    async def before_model(self, _: State) -> State:
        raise self.error


class BreaksAfter:
    async def after_model(self, _: State, __: AIMessage) -> AIMessage:
        raise LookupError("no such tenant")


async def test_a_hook_that_raises_ends_the_run_by_its_name() -> None:
    cause = LookupError("no such tenant")
    for middleware, hook in ((Breaks(cause), "before_model"), (BreaksAfter(), "after_model")):
        with pytest.raises(MiddlewareError, match=f"{hook} of Breaks") as caught:
            await extract(agent_of(middleware), "go", until_tool_success=Report)
        assert caught.value.type == "middleware_error"
        assert isinstance(caught.value.__cause__, LookupError)
        assert caught.value.messages == (HumanMessage("go"),)


async def test_a_typed_error_of_a_hook_passes_as_it_is() -> None:
    error = InvalidOptionsError("not today")
    with pytest.raises(InvalidOptionsError) as caught:
        await extract(agent_of(Breaks(error)), "go", until_tool_success=Report)
    assert caught.value is error


async def test_a_hook_that_returns_something_else_is_told_apart() -> None:
    class Wrong:
        async def before_model(self, _: State) -> Any:
            return "state"

    class Sync:
        def after_model(self, _: State, __: AIMessage) -> None:
            return None

    for middleware, words in ((Wrong(), "a str, not a State"), (Sync(), "await")):
        with pytest.raises(MiddlewareError, match=words):
            await extract(agent_of(middleware), "go", until_tool_success=Report)  # pyright: ignore[reportArgumentType] -- that is the point
