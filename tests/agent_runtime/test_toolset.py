"""The tools of a registry, in this process, for an agent."""

from typing import Annotated

import pytest
from pydantic import Field

from agent_runtime import Agent, AgentDefinitionError, extract
from agent_runtime.testing import ScriptedModel, call
from agent_runtime.tools import toolset
from tercet import CallContext, InvalidInputError, ToolRegistry, tool

pytestmark = pytest.mark.anyio


@tool(app="desk", kind="measurement", effect="read", scopes=("desk",))
async def read_gain(node: Annotated[str, Field(description="The node's name.")]) -> float:
    """Read the gain of one node, in dB."""
    if node != "n1":
        raise InvalidInputError(f"no node {node!r}", hint="there is n1")
    return 12.5


@tool(app="desk", kind="measurement", effect="read", scopes=("desk",))
async def read_power(node: Annotated[str, Field(description="The node's name.")]) -> float:
    """Read the power of one node, in dBm."""
    return float(len(node))


@pytest.fixture
def registry() -> ToolRegistry:
    registry = ToolRegistry()
    registry.register_tools([read_gain, read_power])
    return registry


async def test_an_agent_uses_the_tools_of_a_registry(registry: ToolRegistry) -> None:
    model = ScriptedModel([call("read_gain", {"node": "n2"}), call("read_gain", {"node": "n1"})])
    agent = Agent(model=model, tools=toolset(registry))
    result = await extract(agent, "How is n1?", until_tool_success="read_gain")
    assert result.value == 12.5
    assert [a.outcome for a in result.attempts] == ["rejected", "accepted"]
    assert "there is n1" in result.attempts[0].answer
    assert model.requests[0].tool_names == ("read_gain", "read_power")


def test_only_the_tools_asked_for_are_taken(registry: ToolRegistry) -> None:
    assert [made.name for made in toolset(registry, only=["read_power"])] == ["read_power"]
    for wanted, hint in (("read_gian", '"read_gain"'), ("zzz", "list the registry")):
        with pytest.raises(AgentDefinitionError, match=wanted) as caught:
            toolset(registry, only=[wanted])
        assert hint in caught.value.hint


def test_tools_that_a_caller_may_not_see_are_not_offered(registry: ToolRegistry) -> None:
    stranger = CallContext(subject="stranger", scopes=frozenset())
    assert toolset(registry, stranger) == []
