"""What an agent is made of, and what it refuses to be made of."""

import subprocess
import sys
from typing import Any

import pytest
from langchain_core.language_models import FakeListChatModel
from langchain_core.runnables import RunnableLambda
from langchain_core.tools import BaseTool, StructuredTool, tool

import agent_runtime
from agent_runtime import Agent, AgentDefinitionError, AgentRuntimeError, extract
from agent_runtime.testing import ScriptedModel, call

pytestmark = pytest.mark.anyio


@tool
def search(query: str) -> str:
    """Search the documents."""
    return query


def submit_result(title: str, year: int = 2000) -> str:
    """Submit the result.

    Args:
        title: The title of the document.
        year: The year it appeared in.
    """
    return f"saved {title} of {year}"


class Submits:
    """Middleware that owns the submit tool and part of the prompt."""

    tools = (submit_result,)
    system_prompt = "  Submit once.  "


def test_a_typed_function_becomes_a_tool_with_described_arguments() -> None:
    made = Agent(model=ScriptedModel([]), tools=[submit_result]).toolbox["submit_result"].tool
    schema = made.args
    assert made.description == "Submit the result."
    assert schema["title"]["description"] == "The title of the document."
    assert schema["year"]["default"] == 2000


def test_two_tools_of_one_name_are_refused_at_construction() -> None:
    other = StructuredTool.from_function(submit_result, name="search")
    with pytest.raises(AgentDefinitionError, match="two tools are named 'search'") as caught:
        Agent(model=ScriptedModel([]), tools=[search, other])
    assert caught.value.type == "invalid_agent"
    assert "rename" in caught.value.hint


def test_a_middleware_tool_cannot_shadow_a_tool_of_the_agent() -> None:
    with pytest.raises(AgentDefinitionError, match="submit_result"):
        Agent(model=ScriptedModel([]), tools=[submit_result], middleware=[Submits()])


async def test_a_middleware_may_own_the_submit_tool_and_add_to_the_prompt() -> None:
    model = ScriptedModel([call("submit_result", {"title": "a"})])
    agent = Agent(model=model, tools=[search], system_prompt="Read.", middleware=[Submits()])
    result = await extract(agent, "go", until_tool_success="submit_result")
    assert result.value == {"title": "a", "year": 2000}
    assert model.requests[0].tool_names == ("search", "submit_result")
    assert model.requests[0].messages[0].content == "Read.\n\nSubmit once."


def undocumented(x: int) -> int:
    return x


def unresolved(x: int) -> int:
    """Take something."""
    return x


unresolved.__annotations__["x"] = "Missing"


@pytest.mark.parametrize("thing", [3, "search", dict, undocumented, unresolved])
def test_what_is_no_described_function_is_refused(thing: Any) -> None:
    with pytest.raises(AgentDefinitionError):
        Agent(model=ScriptedModel([]), tools=[thing])


def test_a_tool_with_a_broken_json_schema_is_refused_by_name() -> None:
    broken = StructuredTool(
        name="broken",
        description="x",
        args_schema={"type": "object", "properties": {"a": {"type": "text"}}},
        func=str,
    )
    with pytest.raises(AgentDefinitionError, match=r"'broken'.*/properties/a/type"):
        Agent(model=ScriptedModel([]), tools=[broken])


@pytest.mark.parametrize("reference", ["http://127.0.0.1:9/schema", "#/$defs/Missing"])
def test_a_schema_that_refers_outside_of_itself_is_refused_and_nothing_is_fetched(
    reference: str,
) -> None:
    outside = StructuredTool(
        name="outside",
        description="x",
        args_schema={"type": "object", "properties": {"a": {"items": [{"$ref": reference}]}}},
        func=str,
    )
    with pytest.raises(AgentDefinitionError, match=r"not part of it|not valid"):
        Agent(model=ScriptedModel([]), tools=[outside])


def test_a_model_that_cannot_take_tools_is_refused() -> None:
    with pytest.raises(AgentDefinitionError, match="bind_tools"):
        Agent(model=RunnableLambda(lambda _: None))  # pyright: ignore[reportArgumentType] -- that is the point


async def test_a_model_that_refuses_to_bind_is_an_invalid_option() -> None:
    agent = Agent(model=FakeListChatModel(responses=["x"]), tools=[submit_result])
    with pytest.raises(ValueError, match="cannot be given the tools"):
        await extract(agent, "go", until_tool_success="submit_result")


def test_middleware_without_any_known_member_is_refused() -> None:
    class Typo:
        async def befor_model(self, state: object) -> None: ...

    with pytest.raises(AgentDefinitionError, match="no middleware"):
        Agent(model=ScriptedModel([]), middleware=[Typo()])  # pyright: ignore[reportArgumentType] -- that is the point


@pytest.mark.parametrize("timeout_s", [0, -1.0, float("nan"), float("inf"), True, 10**400, "1"])
def test_a_tool_timeout_must_be_positive(timeout_s: Any) -> None:
    with pytest.raises(AgentDefinitionError, match="tool_timeout_s"):
        Agent(model=ScriptedModel([]), tool_timeout_s=timeout_s)


async def test_an_agent_serves_many_runs() -> None:
    model = ScriptedModel([call("submit_result", {"title": title}) for title in "abc"])
    agent = Agent(model=model, tools=[submit_result])
    results = [await extract(agent, "go", until_tool_success="submit_result") for _ in "abc"]
    assert [result.value["title"] for result in results] == ["a", "b", "c"]
    assert [result.model_calls for result in results] == [1, 1, 1]


async def test_a_tool_without_any_schema_gets_what_was_sent() -> None:
    class Bare(BaseTool):
        name: str = "bare"
        description: str = "Takes anything."

        def _run(self, text: str) -> str:
            return text.upper()

    model = ScriptedModel([call("bare", {"text": "hi"})])
    result = await extract(Agent(model=model, tools=[Bare()]), "go", until_tool_success="bare")
    assert result.tool_message.content == "HI"
    assert result.value == {"text": "hi"}


def test_the_core_is_imported_without_mcp_langgraph_and_the_contract() -> None:
    program = (
        "import sys\n"
        "sys.modules['mcp'] = sys.modules['tercet'] = sys.modules['langgraph'] = None\n"
        "import agent_runtime, agent_runtime.testing\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_every_error_has_one_root_and_a_type_of_its_own_for_programs() -> None:
    exported = [getattr(agent_runtime, name) for name in agent_runtime.__all__]
    errors = [
        each for each in exported if isinstance(each, type) and issubclass(each, BaseException)
    ]
    typed = [each for each in errors if issubclass(each, AgentRuntimeError)]
    assert len(errors) > 20
    assert typed == errors
    assert all(each.type and " " not in each.type for each in typed)


@pytest.mark.parametrize(
    ("error", "name"),
    [
        (agent_runtime.InvalidOptionsError, "extract_invalid_opts"),
        (agent_runtime.TargetNotFoundError, "extract_tool_not_found"),
        (agent_runtime.TargetNotCalledError, "until_tool_not_called"),
        (agent_runtime.RunInterruptedError, "interrupted"),
        (agent_runtime.RunPausedError, "paused"),
        (agent_runtime.TruncatedError, "truncated"),
        (agent_runtime.RefusedError, "refused"),
        (agent_runtime.DeadlineExceededError, "timeout"),
    ],
)
def test_an_error_keeps_the_name_by_which_programs_know_it(
    error: type[agent_runtime.ExtractError], name: str
) -> None:
    assert error.type == name
