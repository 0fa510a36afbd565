"""The value is what the submit tool produced, faithfully; else the validated arguments."""

from dataclasses import dataclass
from typing import Annotated, Any

import pytest
from langchain_core.messages import ToolMessage
from langchain_core.tools import BaseTool, InjectedToolCallId, ToolException, tool
from pydantic import BaseModel, Field

from agent_runtime import (
    Agent,
    Extract,
    ExtractError,
    Submitted,
    TargetRejectedError,
    extract,
    extract_sync,
)
from agent_runtime.testing import Entry, ScriptedModel, call

pytestmark = pytest.mark.anyio


@dataclass(frozen=True)
class Person:
    name: str


def agent_of(submit: Any, *script: Entry) -> Agent:
    return Agent(model=ScriptedModel(script or [call("submit", {"name": "Ada"})]), tools=[submit])


async def value_of(submit: Any) -> Any:
    return (await extract(agent_of(submit), "go", until_tool_success="submit")).value


@pytest.mark.parametrize("value", [0, 0.0, False, "", [], {}, None, Person("Ada")], ids=repr)
async def test_any_value_comes_back_as_it_is(value: Any) -> None:
    @tool(response_format="content_and_artifact")
    def submit(name: str) -> tuple[str, Any]:
        """Submit."""
        return f"saved {name}", Submitted(value) if value is None else value

    def plain(name: str) -> Submitted:
        """Submit."""
        return Submitted(value, f"saved {name}")

    @tool("submit")
    def content_only(name: str) -> Any:
        """Submit."""
        return Submitted(value, f"saved {name}")

    plain.__name__ = "submit"
    for body in (submit, plain, content_only):
        result = await extract(agent_of(body), "go", until_tool_success="submit")
        assert result.value == value
        assert type(result.value) is type(value)
        assert result.tool_message.content == "saved Ada"


async def test_a_tool_that_sets_no_value_gives_the_validated_arguments() -> None:
    @tool
    def submit(name: str, age: int = 3) -> str:
        """Submit."""
        return f"saved {name}, {age}"

    agent = agent_of(submit, call("submit", {"name": "Ada", "age": "36"}))
    result = await extract(agent, "go", until_tool_success="submit")
    # Coerced, not as sent; what was sent is there too.
    assert result.value == result.args == {"name": "Ada", "age": 36}
    assert result.raw_args == {"name": "Ada", "age": "36"}
    assert await value_of(submit) == {"name": "Ada", "age": 3}


async def test_a_bare_none_artifact_means_that_no_value_was_set() -> None:
    @tool(response_format="content_and_artifact")
    def submit(name: str) -> tuple[str, None]:
        """Submit."""
        return name, None

    assert await value_of(submit) == {"name": "Ada"}


async def test_a_plain_function_shares_its_return_between_model_and_program() -> None:
    def text(name: str) -> str:
        """Submit."""
        return f"saved {name}"

    def nothing(name: str) -> None:
        """Submit."""

    def pair(name: str) -> tuple[str, Person]:
        """Submit."""
        return f"saved {name}", Person(name)

    async def value(name: str) -> Person:
        """Submit."""
        return Person(name)

    expected = [
        (text, "saved Ada", {"name": "Ada"}),
        (nothing, "done", {"name": "Ada"}),
        (pair, "saved Ada", Person("Ada")),
        (value, '{"name":"Ada"}', Person("Ada")),
    ]
    for body, said, produced in expected:
        body.__name__ = "submit"
        result = await extract(agent_of(body), "go", until_tool_success="submit")
        assert (result.tool_message.content, result.value) == (said, produced)


async def test_a_function_annotated_as_a_pair_that_returns_none_is_an_error_for_the_model() -> None:
    def submit(name: str) -> tuple[str, Person]:
        """Submit."""
        return f"saved {name}"  # pyright: ignore[reportReturnType] -- the fault under test

    with pytest.raises(ExtractError, match="ValueError"):
        await extract(agent_of(submit), "go", until_tool_success="submit", max_runs=1)


async def test_a_tool_may_build_its_own_message() -> None:
    @tool
    def submit(name: str) -> ToolMessage:
        """Submit."""
        return ToolMessage("own words", tool_call_id="elsewhere", artifact=Person(name))

    result = await extract(agent_of(submit), "go", until_tool_success="submit")
    assert result.value == Person("Ada")
    assert result.tool_message.tool_call_id == result.attempts[0].call_id


async def test_a_tool_that_answers_by_an_error_message_has_not_accepted() -> None:
    @tool
    def submit(name: str) -> ToolMessage:
        """Submit."""
        status = "error" if name == "Ada" else "success"
        return ToolMessage(f"{name}?", tool_call_id="x", artifact=name, status=status)

    agent = agent_of(submit, call("submit", {"name": "Ada"}), call("submit", {"name": "Bob"}))
    result = await extract(agent, "go", until_tool_success="submit")
    assert (result.value, [a.outcome for a in result.attempts]) == ("Bob", ["rejected", "accepted"])


async def test_what_is_no_answer_is_an_error_for_the_model() -> None:
    @tool
    def submit(name: str) -> list[ToolMessage]:
        """Submit."""
        return [ToolMessage(name, tool_call_id="x")]

    with pytest.raises(ExtractError, match="no answer"):
        await extract(agent_of(submit), "go", until_tool_success="submit", max_runs=1)


async def test_a_body_that_changes_its_arguments_does_not_change_the_record() -> None:
    schema = {"type": "object", "properties": {"names": {"type": "array"}}}

    class Submit(BaseTool):
        name: str = "submit"
        description: str = "Submit."
        args_schema: Any = schema

        def _run(self, names: list[str]) -> str:
            names.clear()
            return "cleared"

    agent = agent_of(Submit(), call("submit", {"names": ["Ada"]}))
    result = await extract(agent, "go", until_tool_success="submit")
    assert result.value == result.raw_args == {"names": ["Ada"]}


async def test_injected_arguments_are_hidden_from_the_model_and_from_the_value() -> None:
    @tool
    def submit(name: str, call_id: Annotated[str, InjectedToolCallId]) -> str:
        """Submit."""
        return f"{name} by {call_id}"

    model = ScriptedModel([call("submit", {"name": "Ada"}, call_id="c1")])
    result = await extract(Agent(model=model, tools=[submit]), "go", until_tool="submit")
    assert result.tool_message.content == "Ada by c1"
    assert result.value == {"name": "Ada"}
    assert list(model.requests[0].tools[0]["function"]["parameters"]["properties"]) == ["name"]


async def test_nested_models_in_the_arguments_become_plain_data_under_the_names_sent() -> None:
    class Address(BaseModel):
        zip_code: str = Field(alias="zip")

    @tool
    def submit(address: Address) -> str:
        """Submit."""
        return address.zip_code

    agent = agent_of(submit, call("submit", {"address": {"zip": "123"}}))
    result = await extract(agent, "go", until_tool_success="submit")
    assert result.value == {"address": {"zip": "123"}}


async def test_a_rejected_call_is_never_a_success_of_until_tool() -> None:
    def submit(name: str) -> str:
        """Submit."""
        raise ToolException(f"{name} is taken")

    model = ScriptedModel([call("submit", {"name": "Ada"})])
    with pytest.raises(TargetRejectedError, match="Ada is taken") as caught:
        await extract(Agent(model=model, tools=[submit]), "go", until_tool="submit")
    error = caught.value
    assert error.type == "until_tool_rejected"
    assert [(a.outcome, a.args) for a in error.attempts] == [("rejected", {"name": "Ada"})]
    assert "until_tool_success" in error.hint


async def test_until_tool_ends_with_the_call_and_not_before() -> None:
    def submit(name: str) -> tuple[str, Person]:
        """Submit."""
        return "ok", Person(name)

    agent = agent_of(submit, "let me see", call("other"), call("submit", {"name": "Ada"}))
    result = await extract(agent, "go", until_tool="submit")
    assert (result.value, result.model_calls) == (Person("Ada"), 3)
    with pytest.raises(TargetRejectedError, match="/name"):
        await extract(agent_of(submit, call("submit")), "go", until_tool="submit")


async def test_extract_run_gives_the_value_alone_or_raises() -> None:
    def submit(name: str) -> tuple[str, Person]:
        """Submit."""
        return "ok", Person(name)

    assert await Extract.run(agent_of(submit), "go", until_tool_success="submit") == Person("Ada")
    with pytest.raises(ExtractError):
        await Extract.run(agent_of(submit), "go", until_tool_success="nowhere")


async def test_the_sync_twin_works_also_where_a_loop_is_running() -> None:
    def submit(name: str) -> tuple[str, Person]:
        """Submit."""
        return "ok", Person(name)

    result = extract_sync(agent_of(submit), "go", until_tool_success="submit")
    assert (result.value, result.model_calls) == (Person("Ada"), 1)


def test_the_sync_twin_raises_the_same_errors() -> None:
    with pytest.raises(ExtractError) as caught:
        extract_sync(Agent(model=ScriptedModel([])), "go")
    assert caught.value.type == "extract_invalid_opts"
