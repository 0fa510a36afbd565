"""A study as an agent makes it: few calls, little text, a picture at the end."""

import json
from typing import Any

import pytest
from mcp import Client
from mcp.types import ImageContent, TextContent

from tercet import ToolRegistry
from tercet.mcp import serve

pytestmark = pytest.mark.anyio

LARGEST_TEXT = 6 * 1024
# Four variables at order six: two planes, turned and kicked, coupled by the kicks.
RING = [
    "cos(1.3)*x1 + sin(1.3)*(x2 - x1^2 + x3^2)",
    "-sin(1.3)*x1 + cos(1.3)*(x2 - x1^2 + x3^2)",
    "cos(1.8)*x3 + sin(1.8)*(x4 + 2*x1*x3)",
    "-sin(1.8)*x3 + cos(1.8)*(x4 + 2*x1*x3)",
]
STEPS: list[dict[str, Any]] = [
    {
        "tool": "create_taylor_map",
        "arguments": {"expressions": RING, "dimension": 4, "max_order": 6},
        "as": "turn",
    },
    {"tool": "invert_taylor_map", "arguments": {"map_ref": {"$ref": "turn"}}, "as": "back"},
    {
        "tool": "compose_taylor_maps",
        "arguments": {"map_ref_1": {"$ref": "turn"}, "map_ref_2": {"$ref": "turn"}},
        "as": "two_turns",
    },
    {
        "tool": "compose_taylor_maps",
        "arguments": {"map_ref_1": {"$ref": "back"}, "map_ref_2": {"$ref": "turn"}},
        "as": "nothing",
    },
    {"tool": "identity_map", "arguments": {"dimension": 4, "max_order": 6}, "as": "one"},
    {
        "tool": "compare_objects",
        "arguments": {"ref_1": {"$ref": "nothing"}, "ref_2": {"$ref": "one"}},
        "as": "error",
    },
    {
        "tool": "evaluate_taylor_map_batch",
        "arguments": {
            "map_ref": {"$ref": "two_turns"},
            "distribution": {"kind": "gaussian", "widths": [0.01] * 4, "count": 1000},
        },
        "as": "beam",
    },
    {
        "tool": "plot_phase_space",
        "arguments": {
            "map_ref": {"$ref": "turn"},
            "grid": {"lower": [0.02, 0, 0, 0], "upper": [0.3, 0, 0, 0], "counts": [15, 1, 1, 1]},
        },
    },
]


def text_of(content: list[Any]) -> str:
    return "".join(block.text for block in content if isinstance(block, TextContent))


async def test_a_whole_study_is_one_program_with_little_text_and_a_portrait(
    taylor: ToolRegistry,
) -> None:
    async with Client(serve(taylor), raise_exceptions=True) as client:
        answer = await client.call_tool("run_program", {"steps": STEPS, "atomic": True})
    assert not answer.is_error, text_of(answer.content)
    text = text_of(answer.content)
    assert len(text.encode()) < LARGEST_TEXT
    results = {
        step["label"] or step["tool"]: step["result"]
        for step in json.loads(text)["data"]["result"]["steps"]
    }
    assert results["error"]["largest_difference"] < 1e-12
    assert results["beam"]["count"] == 1000
    assert results["plot_phase_space"]["lost"] == 0
    (picture,) = [block for block in answer.content if isinstance(block, ImageContent)]
    assert picture.mime_type == "image/png"
