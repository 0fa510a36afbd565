"""Study a storage ring as an agent does: with LangChain tools, refs in place of tables, few calls.

The ring is one turn of the Hénon map, a rotation after the kick of a thin sextupole. The calls are
those that a language model makes by `llm.bind_tools(all_tools())`; here they are written down, so
the example runs offline.
Run with `uv run python examples/taylor_study.py`.
"""

import base64
import json
import math
import tempfile
from pathlib import Path
from typing import Any

from langchain_core.messages import ToolCall, ToolMessage

from tpsa_core.tools import taylor_registry
from tpsa_core.tools.langchain_tools import all_tools

TUNE = 0.205
COS, SIN = f"cos(2*pi*{TUNE})", f"sin(2*pi*{TUNE})"

STUDY: list[dict[str, Any]] = [
    {
        "tool": "create_taylor_map",
        "arguments": {
            "expressions": [f"{COS}*x + {SIN}*(px + x^2)", f"{COS}*(px + x^2) - {SIN}*x"],
        },
        "as": "turn",
    },
    {"tool": "analyze_taylor_map", "arguments": {"map_ref": {"$ref": "turn"}}, "as": "optics"},
    # Is it right? The map after its inverse changes nothing.
    {"tool": "invert_taylor_map", "arguments": {"map_ref": {"$ref": "turn"}}, "as": "back"},
    {
        "tool": "compose_taylor_maps",
        "arguments": {"map_ref_1": {"$ref": "back"}, "map_ref_2": {"$ref": "turn"}},
        "as": "both",
    },
    {"tool": "identity_map", "as": "one"},
    {
        "tool": "compare_objects",
        "arguments": {"ref_1": {"$ref": "both"}, "ref_2": {"$ref": "one"}},
        "as": "error",
    },
    {
        "tool": "evaluate_taylor_map_batch",
        "arguments": {
            "map_ref": {"$ref": "turn"},
            "distribution": {"kind": "gaussian", "widths": [0.01, 0.01], "count": 1000},
        },
        "as": "beam",
    },
    {
        "tool": "plot_phase_space",
        "arguments": {
            "map_ref": {"$ref": "turn"},
            "grid": {"lower": [0.05, 0], "upper": [0.9, 0], "counts": [18, 1]},
            "turns": 400,
            "aperture": 10,
        },
        "as": "portrait",
    },
]


def main() -> None:
    """Make the study, check what it found, and keep its picture."""
    tools = {tool.name: tool for tool in all_tools(taylor_registry())}

    def ask(name: str, arguments: dict[str, Any]) -> tuple[dict[str, Any], ToolMessage]:
        call = ToolCall(name=name, args=arguments, id=name, type="tool_call")
        message: ToolMessage = tools[name].invoke(call)
        content: Any = message.content
        text = content if isinstance(content, str) else content[0]["text"]
        print(f"{name}: {len(text)} characters")
        return json.loads(text), message

    ask("initialize_algebra", {"max_order": 7, "max_dimension": 2, "names": ["x", "px"]})

    # An error says what to do: log has no series at zero, and the hint names a point where it has.
    refused, _ = ask("parse_expression_to_mtf", {"expression": "log(x)"})
    print(refused["message"], "--", refused["hint"])
    made, _ = ask("parse_expression_to_mtf", {"expression": "log(x)", "at": {"x": 1}})
    assert made["status"] == "success"

    answer, message = ask("run_program", {"steps": STUDY, "atomic": True})
    found = {step["label"]: step["result"] for step in answer["data"]["result"]["steps"]}

    # The eigenvalues of a turn are exp(±2 pi i Q), and the kick leaves areas as they are.
    real, imaginary = found["optics"]["eigenvalues"][0]
    tune = abs(math.atan2(imaginary, real)) / (2 * math.pi)
    print(f"tune {tune:.6f}, determinant {found['optics']['determinant']:.12f}")
    assert abs(tune - TUNE) < 1e-12
    assert max(found["optics"]["symplectic_errors"]) < 1e-12
    print(f"the inverse is right to {found['error']['largest_difference']:.1e}")
    assert found["error"]["largest_difference"] < 1e-12
    # A rotation keeps the size of a small round beam.
    assert abs(found["beam"]["statistics"][0]["rms"] - 0.01) < 1e-3

    portrait = found["portrait"]
    print(portrait["description"])
    assert 0 < portrait["lost"] < portrait["particles"]
    blocks: Any = message.content
    (image,) = [block for block in blocks if block["type"] == "image"]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "portrait.png")
        file.write_bytes(base64.b64decode(image["base64"]))
        print(f"{file.name}: {file.stat().st_size} bytes")
        assert file.read_bytes().startswith(b"\x89PNG")


if __name__ == "__main__":
    main()
