import json
from typing import Annotated

import pytest
from langchain_core.messages import ToolMessage
from langchain_core.tools import StructuredTool
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import Field

from tercet import CallContext, ToolRegistry, tool
from tercet.langchain import to_langchain


@pytest.fixture
def tools(registry: ToolRegistry) -> dict[str, StructuredTool]:
    return {made.name: made for made in to_langchain(registry)}


def call(name: str, /, **arguments: object) -> dict[str, object]:
    return {"type": "tool_call", "id": "call_1", "name": name, "args": arguments}


def test_names_descriptions_and_schemas_are_those_of_the_registry(
    tools: dict[str, StructuredTool], registry: ToolRegistry
) -> None:
    assert list(tools) == [declared.name for declared in registry]
    for declared in registry:
        given = convert_to_openai_tool(tools[declared.name])["function"]
        assert given["description"] == declared.description
        assert given["parameters"]["properties"] == declared.input_schema["properties"]


@pytest.mark.anyio
async def test_the_content_is_the_envelope_and_the_artifact_the_result(
    tools: dict[str, StructuredTool],
) -> None:
    message = await tools["square_root"].ainvoke(call("square_root", x=4))
    assert isinstance(message, ToolMessage)
    assert json.loads(str(message.content))["data"]["result"] == 2.0
    assert message.artifact == 2.0
    assert message.status == "success"


@pytest.mark.anyio
async def test_an_error_envelope_is_a_message_with_status_error(
    tools: dict[str, StructuredTool],
) -> None:
    message = await tools["set_gain"].ainvoke(call("set_gain", node="a", gain_db=99))
    assert isinstance(message, ToolMessage)
    assert message.status == "error"
    assert json.loads(str(message.content))["error_code"] == "INVALID_INPUT"


def test_a_tool_can_be_called_without_a_loop(tools: dict[str, StructuredTool]) -> None:
    assert tools["square_root"].invoke(call("square_root", x=9)).artifact == 3.0
    assert tools["square_root"].invoke(call("square_root", x=-9)).status == "error"


@pytest.mark.anyio
async def test_a_caller_gets_the_tools_and_the_objects_that_are_its_own(
    registry: ToolRegistry,
) -> None:
    viewer = CallContext(scopes=frozenset(), tenant="viewer")
    tools = {made.name: made for made in to_langchain(registry, viewer)}
    assert "set_gain" not in tools
    await tools["keep"].ainvoke(call("keep", values=[1], name="mine"))
    others = {made.name: made for made in to_langchain(registry)}
    assert (await others["total"].ainvoke(call("total", ref="mine"))).status == "error"
    assert (await tools["total"].ainvoke(call("total", ref="mine"))).artifact == 1.0


@pytest.mark.anyio
async def test_an_argument_may_have_a_name_that_langchain_uses_itself() -> None:
    @tool(app="a", kind="b", effect="read")
    def echo(
        config: Annotated[str, Field(description="A word.")],
        run_manager: Annotated[int, Field(description="A number.")],
    ) -> str:
        """Give both back."""
        return f"{config} {run_manager}"

    (made,) = to_langchain(ToolRegistry([echo]))
    message = await made.ainvoke(call("echo", config="x", run_manager=7))
    assert message.artifact == "x 7"
    assert made.invoke(call("echo", config="y", run_manager=8)).artifact == "y 8"
    assert "not an object" in await made.ainvoke("x")
