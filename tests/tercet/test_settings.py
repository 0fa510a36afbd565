"""What an operator sets for the tools of a domain, from the registry to the tool."""

from dataclasses import dataclass

import pytest

from tercet import CallContext, ObjectRegistry, ToolRegistry, ToolSuccessResponse, tool

pytestmark = pytest.mark.anyio


@dataclass(frozen=True, slots=True)
class Patience:
    tries: int = 3


@tool(app="a", kind="b", effect="read")
async def count_tries(context: CallContext) -> int:
    """Say how often a thing is tried."""
    return context.setting(Patience).tries


async def tries(registry: ToolRegistry) -> int:
    answer = await registry.call_tool("count_tries", {})
    assert isinstance(answer, ToolSuccessResponse)
    return answer.data.result


async def test_a_tool_sees_what_the_registry_sets_and_else_the_defaults() -> None:
    assert await tries(ToolRegistry([count_tries])) == 3
    assert await tries(ToolRegistry([count_tries], settings=[Patience(5)])) == 5


async def test_settings_stay_when_registries_are_added_or_keep_objects_elsewhere() -> None:
    left = ToolRegistry([count_tries], settings=[Patience(5)])
    right = ToolRegistry(settings=[Patience(7), "another type"])
    assert await tries(left | right) == 5
    assert await tries(right | ToolRegistry([count_tries])) == 7
    assert await tries(left.with_objects(ObjectRegistry())) == 5
