"""What is asked of every Taylor tool: one row each, and the session in which it is asked."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tercet import CallContext, ObjectRegistry, Provenance
from tpsa_core import Algebra, TaylorMap
from tpsa_core.tools import TaylorLimits

LIMITS = TaylorLimits(coefficients=80, product=400, multiplications=10_000)
"""What the objects of order 3 keep to, and those of order 8 do not."""

TWINS = {"f": "large_f", "g": "large_f", "m": "large_m", "n": "large_m"}
"""The objects of order 3, and what stands for each at order 8."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """The calls of one tool.

    Attributes:
        works: Arguments that work; objects are named by `TWINS`.
        limited: With objects of order 8, and with `over`, the call takes too much.
        over: Other arguments of a call that takes too much.
        plain: The function takes the arguments of a call as they are, without models of pydantic.
    """

    works: Mapping[str, Any] = field(default_factory=dict[str, Any])
    limited: bool = False
    over: Mapping[str, Any] = field(default_factory=dict[str, Any])
    plain: bool = True


def _objects() -> dict[str, Any]:
    made: dict[str, Any] = {
        "session_algebra": {"max_order": 3, "max_dimension": 2, "names": ["x", "px"]}
    }
    for order, (f, g, m, n) in ((3, ("f", "g", "m", "n")), (8, ("large_f", "", "large_m", ""))):
        x, px = Algebra("x", "px", order=order).variables()
        made[f] = 1 + x * px + 0.5 * x**order
        made[m] = TaylorMap([x + px, px - (x + px) ** 2])
        if order == 3:
            made[g] = 2 + px**2 - 1j * x
            made[n] = TaylorMap([px, -x + px**3])
    return made


OBJECTS: Mapping[str, Any] = _objects()

POINT = [0.1, -0.2]
MANY = [POINT] * 1_001
TOO_HIGH = {"max_order": 8}
AXIS = {"variable": "x", "lower": -1, "upper": 1}

ROWS: Mapping[str, Row] = {
    "initialize_algebra": Row(
        works={"max_order": 2, "max_dimension": 2}, limited=True, over=TOO_HIGH
    ),
    "initialize_sandalwood": Row(
        works={"max_order": 2, "max_dimension": 2}, limited=True, over=TOO_HIGH
    ),
    "parse_expression_to_mtf": Row(
        works={"expression": "sqrt(2)*x + sin(px)"}, limited=True, over=TOO_HIGH
    ),
    "create_taylor_map": Row(
        works={"expressions": ["x + px", "1/(1 - px)"]}, limited=True, over=TOO_HIGH
    ),
    "identity_map": Row(limited=True, over=TOO_HIGH),
    "map_from_components": Row(works={"mtf_refs": ["f", "g"]}, limited=True),
    "extract_map_component": Row(works={"map_ref": "m", "index": 1}),
    "truncate_object": Row(works={"ref": "m", "order": 1}),
    "evaluate_mtf": Row(works={"mtf_ref": "f", "point": POINT}),
    "evaluate_taylor_map": Row(works={"map_ref": "m", "point": POINT}),
    "evaluate_mtf_batch": Row(
        works={"mtf_ref": "g", "points": [POINT, [0, 0]]}, limited=True, over={"points": MANY}
    ),
    "evaluate_taylor_map_batch": Row(
        works={"map_ref": "m", "points": [POINT, [0, 0]]}, limited=True, over={"points": MANY}
    ),
    "perform_mtf_arithmetic": Row(
        works={"op": "/", "mtf_ref_1": "1+2j", "mtf_ref_2": "f"}, limited=True
    ),
    "apply_function": Row(works={"function": "log", "mtf_ref": "f"}, limited=True),
    "perform_complex_operation": Row(works={"op": "imag_part", "mtf_ref": "g"}),
    "compute_partial_derivative": Row(works={"mtf_ref": "f", "var_index": 1}),
    "compute_gradient": Row(works={"mtf_ref": "f"}, limited=True),
    "compute_poisson_bracket": Row(works={"mtf_ref_1": "f", "mtf_ref_2": "g"}, limited=True),
    "integrate_mtf": Row(
        works={"mtf_ref": "f", "var_index": 2, "lower_limit": 0, "upper_limit": 2}
    ),
    "compose_mtfs": Row(works={"mtf_ref": "f", "inner_mtf_refs": {"2": "g"}}, limited=True),
    "compose_taylor_maps": Row(works={"map_ref_1": "m", "map_ref_2": "n"}, limited=True),
    "invert_taylor_map": Row(works={"map_ref": "m"}, limited=True),
    "substitute_variable_in_mtf": Row(works={"mtf_ref": "f", "var_index": 1, "value": 0.5}),
    "substitute_in_taylor_map": Row(works={"map_ref": "m", "variable_map": {"1": 0.5}}),
    "get_mtf_coefficient": Row(works={"mtf_ref": "f", "exponents": [1, 1]}),
    "get_top_terms": Row(works={"mtf_ref": "g", "limit": 2}),
    "mtf_info": Row(works={"mtf_ref": "f"}),
    "taylor_map_info": Row(works={"map_ref": "m", "component": 1}),
    "analyze_taylor_map": Row(works={"map_ref": "m"}, limited=True),
    "analyze_mtf_diagnostics": Row(works={"mtf_ref": "f", "weight": [0.5, 2]}),
    "compare_objects": Row(works={"ref_1": "f", "ref_2": "g"}),
    "compute_map_sensitivity": Row(works={"map_ref": "m", "scaling_factors": [0.5, 2]}),
    "plot_mtf": Row(works={"mtf_ref": "f", "x": AXIS}, limited=True, plain=False),
    "plot_phase_space": Row(
        works={"map_ref": "m", "points": [POINT], "turns": 20}, limited=True, over={"turns": 1_000}
    ),
    "export_object": Row(works={"ref": "f", "format": "dace"}),
    "import_object": Row(
        works={"text": OBJECTS["f"].to_json()},
        limited=True,
        over={"text": OBJECTS["large_f"].to_json()},
    ),
    "list_objects": Row(works={"limit": 3}),
    "describe_object": Row(works={"ref": "f"}),
    "explain_object": Row(works={"ref": "f"}),
    "read_object": Row(works={"ref": "f", "pointer": "/terms"}),
    "rename_object": Row(works={"ref": "f", "name": "made"}),
    "delete_object": Row(works={"ref": "f"}),
    "clear_session": Row(),
    "run_program": Row(
        works={
            "steps": [
                {
                    "tool": "apply_function",
                    "arguments": {"function": "sin", "mtf_ref": "f", "name": "made_first"},
                },
                {"tool": "compute_gradient", "arguments": {"mtf_ref": "f", "name": "made"}},
            ],
            "atomic": True,
        },
        limited=True,
        plain=False,
    ),
}
"""One row for each tool of a Taylor registry."""


async def lay_out(objects: ObjectRegistry, owner: CallContext) -> None:
    """Make the session what it is at the beginning of every call."""
    await objects.clear(owner)
    for name, value in OBJECTS.items():
        await objects.put(owner, value, name=name, provenance=Provenance(operation="test"))


def renamed(value: Any, names: Mapping[str, str]) -> Any:
    """Arguments with other objects in place of those of `TWINS`."""
    if isinstance(value, dict):
        return {key: renamed(item, names) for key, item in value.items()}
    if isinstance(value, list):
        return [renamed(item, names) for item in value]
    return names.get(value, value) if isinstance(value, str) else value


def settled(value: Any) -> Any:
    """An answer without the times in it."""
    if isinstance(value, dict):
        times = {"created_at", "expires_at"}
        return {key: settled(item) for key, item in value.items() if key not in times}
    return [settled(item) for item in value] if isinstance(value, list) else value
