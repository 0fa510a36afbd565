"""Observers see what happens, and cannot disturb it."""

from typing import Any

import pytest
from langchain_core.callbacks import AsyncCallbackHandler, BaseCallbackHandler
from langchain_core.runnables import RunnableConfig, RunnableLambda
from pydantic import BaseModel
from typing_extensions import override

from agent_runtime import (
    Agent,
    Event,
    ModelCalled,
    ModelStarted,
    Nudged,
    Retried,
    ToolFinished,
    ToolStarted,
    extract,
)
from agent_runtime.testing import ScriptedModel, call

pytestmark = pytest.mark.anyio


class Report(BaseModel):
    title: str


GOOD = call("submit_report", {"title": "a"})
BAD = call("submit_report", {})


class Watches:
    def __init__(self, log: list[str]) -> None:
        self.log = log

    def on_event(self, event: Event) -> None:
        self.log.append(f"middleware {event.kind}")


async def test_observers_are_told_of_every_event_in_order() -> None:
    events: list[Event] = []
    log: list[str] = []

    async def later(event: Event) -> None:
        log.append(f"async {event.kind}")

    model = ScriptedModel(["prose", BAD, GOOD])
    agent = Agent(model=model, middleware=[Watches(log)])
    await extract(agent, "go", until_tool_success=Report, callbacks=[events.append, later])
    assert [event.kind for event in events] == [
        *("model_started", "model_called", "nudged"),
        *("model_started", "model_called", "tool_finished", "retried"),
        *("model_started", "model_called", "tool_started", "tool_finished"),
    ]
    # The caller's observers come before those of the middleware, and neither replaces the other.
    assert log[:2] == ["async model_started", "middleware model_started"]
    assert len(log) == 2 * len(events)
    match [event for event in events if not isinstance(event, ModelStarted | Retried)]:
        case [ModelCalled(run=1), Nudged(run=1, text=text), _, refused, _, started, finished]:
            assert "submit_report" in text
            assert isinstance(refused, ToolFinished)
            assert refused.message.status == "error"
            assert isinstance(started, ToolStarted)
            assert started.args == {"title": "a"}
            assert isinstance(finished, ToolFinished)
            assert (finished.run, finished.tool_name) == (3, "submit_report")
        case _:
            pytest.fail(str(events))


class Raises(BaseCallbackHandler):
    raise_error = True

    @override
    def on_chat_model_start(self, serialized: Any, messages: Any, **kwargs: Any) -> None:
        raise RuntimeError("observer down")

    @override
    def on_llm_end(self, response: Any, **kwargs: Any) -> None:
        raise RuntimeError("observer down")

    @override
    def on_tool_end(self, output: Any, **kwargs: Any) -> None:
        raise RuntimeError("observer down")


class RaisesAsync(AsyncCallbackHandler):
    raise_error = True

    @override
    async def on_llm_end(self, response: Any, **kwargs: Any) -> None:
        raise RuntimeError("observer down")


async def test_an_observer_that_raises_is_a_warning_and_nothing_else() -> None:
    def sync(event: Event) -> None:
        raise LookupError(event.kind)

    async def later(event: Event) -> None:
        raise LookupError(event.kind)

    seen: list[Event] = []
    callbacks = [sync, later, Raises(), RaisesAsync(), seen.append]
    agent = Agent(model=ScriptedModel([GOOD]))
    result = await extract(agent, "go", until_tool_success=Report, callbacks=callbacks)
    assert result.value == Report(title="a")
    assert {w.kind for w in result.warnings} == {"observer_failed"}
    texts = sorted(str(w) for w in result.warnings)
    for part in (
        "Raises failed on on_chat_model_start: RuntimeError: observer down",
        "Raises failed on on_llm_end",
        "Raises failed on on_tool_end",
        "RaisesAsync failed on on_llm_end",
        "sync failed on model_called: LookupError: model_called",
        "later failed on tool_finished",
    ):
        assert any(part in text for text in texts), part
    assert len(seen) == 4


class Counts(BaseCallbackHandler):
    def __init__(self) -> None:
        self.seen: list[str] = []

    @override
    def on_llm_start(self, serialized: Any, prompts: list[str], **kwargs: Any) -> None:
        # Has no on_chat_model_start: langchain-core falls back to this one.
        self.seen.append("llm_start")

    @override
    def on_tool_start(self, serialized: dict[str, Any], input_str: str, **kwargs: Any) -> None:
        self.seen.append(f"tool_start {serialized['name']}")


class CountsAsync(AsyncCallbackHandler):
    def __init__(self) -> None:
        self.seen: list[str] = []

    @override
    async def on_llm_start(self, serialized: Any, prompts: list[str], **kwargs: Any) -> None:
        self.seen.append("llm_start")


async def test_handlers_of_langchain_core_see_models_and_tools() -> None:
    handler, later = Counts(), CountsAsync()
    agent = Agent(model=ScriptedModel([GOOD]))
    await extract(agent, "go", until_tool_success=Report, callbacks=[handler, later])
    assert handler.seen == ["llm_start", "tool_start submit_report"]
    assert later.seen == ["llm_start"]


async def test_the_surrounding_configuration_reaches_models_and_tools() -> None:
    outer, inner = Counts(), Counts()
    agent = Agent(model=ScriptedModel([GOOD]))

    async def step(_: object) -> Any:
        result = await extract(agent, "go", until_tool_success=Report, callbacks=[inner])
        return result.value

    config = RunnableConfig(callbacks=[outer])
    assert await RunnableLambda(step).ainvoke("x", config) == Report(title="a")
    assert outer.seen == inner.seen == ["llm_start", "tool_start submit_report"]
