"""What is asked of every Taylor tool, and of several together."""

import json
import re
from typing import Any

import pytest
from taylor_calls import make_map, parse

from tercet import CallContext, ToolErrorResponse, ToolRegistry, ToolSuccessResponse
from tercet.testing import contract_suite
from tpsa_core.tools import TAYLOR_TOOLS

pytestmark = pytest.mark.anyio

TAKING_OBJECTS = [
    tool for tool in TAYLOR_TOOLS if any("ref" in name for name in tool.input_schema["properties"])
]


def example_of(description: str) -> dict[str, Any] | None:
    found = re.search(r"Example: (\{.*\})\.", description, re.DOTALL)
    return json.loads(" ".join(found[1].split())) if found else None


async def test_the_registry_keeps_the_contract(taylor: ToolRegistry) -> None:
    await contract_suite(taylor)


@pytest.mark.parametrize("tool", TAYLOR_TOOLS, ids=lambda tool: tool.name)
async def test_the_example_in_each_description_works(taylor: ToolRegistry, tool: Any) -> None:
    for index in range(2):
        await parse(taylor, "1 + x1 + 2*x2", name=f"mtf_{index}")
        await make_map(taylor, "x1 + x2", "x2 - (x1 + x2)^2", name=f"map_{index}")
    example = example_of(tool.description)
    assert example is not None
    answer = await taylor.call_tool(tool.name, example)
    assert isinstance(answer, ToolSuccessResponse), answer.message


@pytest.mark.parametrize("tool", TAKING_OBJECTS, ids=lambda tool: tool.name)
async def test_no_tool_reaches_another_tenants_objects(taylor: ToolRegistry, tool: Any) -> None:
    example = example_of(tool.description)
    assert example is not None
    for index in range(2):
        await parse(taylor, "1 + x1 + 2*x2", name=f"mtf_{index}")
        await make_map(taylor, "x1", "x2", name=f"map_{index}")
    answer = await taylor.call_tool(tool.name, example, CallContext(tenant="stranger"))
    assert isinstance(answer, ToolErrorResponse)
    assert answer.error_code == "NOT_FOUND"
