import json

import pytest
from langchain_core.messages import ToolMessage

from tpsa_core.tools import TAYLOR_PROMPTS, TAYLOR_TOOLS, langchain_tools, taylor_registry
from tpsa_core.tools.langchain_tools import (
    create_taylor_map,
    evaluate_taylor_map,
    invert_taylor_map,
)


def call(name: str, **arguments: object) -> dict[str, object]:
    return {"type": "tool_call", "id": "call_1", "name": name, "args": arguments}


def test_tools_imported_by_name_find_what_the_others_stored() -> None:
    made = create_taylor_map.invoke(
        call("create_taylor_map", expressions=["x1 + x1^2"], dimension=1, max_order=5)
    )
    assert isinstance(made, ToolMessage)
    inverse = invert_taylor_map.invoke(call("invert_taylor_map", map_ref=made.artifact["ref"]))
    value = evaluate_taylor_map.invoke(
        call("evaluate_taylor_map", map_ref=inverse.artifact["ref"], point=[0.0])
    )
    assert value.artifact == [0.0]
    assert json.loads(str(value.content))["status"] == "success"


def test_every_tool_is_there_by_its_name() -> None:
    names = {tool.name for tool in langchain_tools.all_tools()}
    assert {tool.name for tool in TAYLOR_TOOLS} <= names
    own = langchain_tools.all_tools(taylor_registry())
    assert {tool.name for tool in own} == names
    with pytest.raises(AttributeError, match="has no tool 'invert_map'"):
        _ = langchain_tools.invert_map


def test_the_expert_prompt_names_only_tools_that_exist() -> None:
    text = TAYLOR_PROMPTS[0].render({"dimension": "4"})
    assert "Work in 4 variables." in text
    known = {tool.name for tool in taylor_registry()}
    mentioned = {
        word.strip(".,:;()")
        for word in text.replace("(", " ").split()
        if "_" in word and not word.startswith(("mtf_", "map_", "session_"))
    }
    codes = {"COMPUTATION_ERROR", "LIMIT_EXCEEDED", "NOT_FOUND", "error_code"}
    assert mentioned - codes <= known
