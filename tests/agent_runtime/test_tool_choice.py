"""The submit tool is forced only where that helps, and never where it breaks."""

from typing import Any

import pytest
from langchain_core.language_models import LanguageModelInput
from langchain_core.messages import AIMessage
from langchain_core.runnables import Runnable
from pydantic import BaseModel, Field
from typing_extensions import override

from agent_runtime import Agent, ProviderError, extract
from agent_runtime.testing import ScriptedModel, call

pytestmark = pytest.mark.anyio


class Report(BaseModel):
    title: str


class Other(BaseModel):
    title: str


GOOD = call("submit_report", {"title": "a"})


def choices(model: ScriptedModel) -> list[str | None]:
    return [request.tool_choice for request in model.requests]


async def test_the_model_is_free_until_it_had_to_be_nudged_and_free_again_after() -> None:
    model = ScriptedModel([call("nothing"), "prose", call("nothing"), GOOD])
    await extract(Agent(model=model), "go", until_tool_success=Report)
    assert choices(model) == [None, None, "submit_report", None]


async def test_of_several_targets_any_tool_is_forced() -> None:
    model = ScriptedModel(["prose", GOOD])
    await extract(Agent(model=model), "go", until_tool_success=[Report, Other])
    assert choices(model) == [None, "any"]


async def test_a_provider_that_refuses_the_choice_is_asked_again_without_and_remembered() -> None:
    refusal = ValueError("400: tool_choice is not supported with thinking")
    model = ScriptedModel(["prose", refusal, "prose", GOOD])
    result = await extract(Agent(model=model), "go", until_tool_success=Report)
    assert choices(model) == [None, "submit_report", None, None]
    assert [w.kind for w in result.warnings] == ["tool_choice_unsupported"]
    # The refused request was no reply of the model.
    assert result.model_calls == 3


async def test_another_error_of_a_forced_call_is_not_taken_for_that() -> None:
    model = ScriptedModel(["prose", ValueError("400: context too long"), GOOD])
    with pytest.raises(ProviderError, match="context too long"):
        await extract(Agent(model=model), "go", until_tool_success=Report)


async def test_an_error_of_a_free_call_is_an_error_also_if_it_names_the_choice() -> None:
    model = ScriptedModel([ValueError("tool_choice: bad value on the model itself")])
    with pytest.raises(ProviderError, match="bad value"):
        await extract(Agent(model=model), "go", until_tool_success=Report)


class Stubborn(ScriptedModel):
    """Refuses to bind a choice."""

    binds: list[str | None] = Field(default_factory=list[str | None])

    @override
    def bind_tools(
        self, tools: Any, *, tool_choice: str | None = None, **kwargs: Any
    ) -> Runnable[LanguageModelInput, AIMessage]:
        self.binds.append(tool_choice)
        if tool_choice is not None:
            raise ValueError("no tool_choice here")
        return super().bind_tools(tools, **kwargs)


async def test_a_model_that_refuses_to_bind_the_choice_is_left_free() -> None:
    model = Stubborn(script=["prose", "prose", GOOD])
    result = await extract(Agent(model=model), "go", until_tool_success=Report)
    assert choices(model) == [None, None, None]
    assert model.binds == [None, "submit_report"]
    assert result.value == Report(title="a")


class Thinking(ScriptedModel):
    thinking: dict[str, Any] | None = None


@pytest.mark.parametrize(
    ("thinking", "forced"),
    [(None, "submit_report"), ({"type": "disabled"}, "submit_report"), ({"type": "enabled"}, None)],
)
async def test_a_model_that_thinks_aloud_is_never_forced(
    thinking: dict[str, Any] | None, forced: str | None
) -> None:
    model = Thinking(script=["prose", GOOD], thinking=thinking)
    await extract(Agent(model=model), "go", until_tool_success=Report)
    assert choices(model) == [None, forced]


async def test_the_tools_are_bound_once_for_each_form() -> None:
    model = Stubborn(script=["prose", call("nothing"), GOOD])
    await extract(Agent(model=model), "go", until_tool_success=Report)
    assert model.binds == [None, "submit_report"]
