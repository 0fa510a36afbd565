"""The tools beyond the first six: each against a closed form, and each refusal."""

import json
import math
import re
from typing import Any

import pytest

from tercet import CallContext, ToolErrorResponse, ToolRegistry, ToolSuccessResponse
from tercet.testing import contract_suite
from tpsa_core.tools import TAYLOR_TOOLS, taylor_registry

pytestmark = pytest.mark.anyio

TAKING_OBJECTS = [
    tool for tool in TAYLOR_TOOLS if any("ref" in name for name in tool.input_schema["properties"])
]


@pytest.fixture
def taylor() -> ToolRegistry:
    return taylor_registry()


async def do(registry: ToolRegistry, tool_name: str, /, **arguments: Any) -> Any:
    answer = await registry.call_tool(tool_name, arguments)
    assert isinstance(answer, ToolSuccessResponse), answer.message
    return answer.data.result


async def no(registry: ToolRegistry, tool_name: str, /, **arguments: Any) -> ToolErrorResponse:
    answer = await registry.call_tool(tool_name, arguments)
    assert isinstance(answer, ToolErrorResponse)
    return answer


async def parse(
    registry: ToolRegistry, expression: str, *, dimension: int = 2, order: int = 6, **more: Any
) -> str:
    made = await do(
        registry,
        "parse_expression_to_mtf",
        expression=expression,
        dimension=dimension,
        max_order=order,
        **more,
    )
    return made["ref"]


async def make_map(registry: ToolRegistry, *expressions: str, order: int = 6, **more: Any) -> str:
    made = await do(
        registry,
        "create_taylor_map",
        expressions=list(expressions),
        dimension=len(expressions),
        max_order=order,
        **more,
    )
    return made["ref"]


async def terms(registry: ToolRegistry, ref: str) -> dict[tuple[int, ...], Any]:
    page = await do(registry, "mtf_info", mtf_ref=ref, limit=200)
    return {tuple(t["exponents"]): t["coefficient"] for t in page["terms"]}


async def test_a_session_may_choose_its_algebra_and_choose_again(taylor: ToolRegistry) -> None:
    nothing = await no(taylor, "parse_expression_to_mtf", expression="x1")
    assert [d.pointer for d in nothing.details] == ["/dimension", "/max_order"]
    assert "initialize_algebra" in str(nothing.hint)
    await do(taylor, "initialize_sandalwood", max_order=3, max_dimension=2, implementation="cosy")
    first = await do(taylor, "parse_expression_to_mtf", expression="x1*x2")
    assert (first["summary"]["dimension"], first["summary"]["order"]) == (2, 3)
    await do(taylor, "initialize_algebra", max_order=5, max_dimension=1)
    second = await do(taylor, "create_taylor_map", expressions=["x1"], max_order=4)
    assert (second["summary"]["dimension"], second["summary"]["order"]) == (1, 4)
    other = await no(taylor, "parse_expression_to_mtf", expression="x1", session_id="other")
    assert other.error_code == "INVALID_INPUT"
    large = await no(taylor, "initialize_algebra", max_order=100, max_dimension=50)
    assert large.error_code == "LIMIT_EXCEEDED"
    # What exists stays as it is.
    assert await terms(taylor, first["ref"]) == {(1, 1): 1}


async def test_arithmetic_of_two_functions_and_of_numbers_on_either_side(
    taylor: ToolRegistry,
) -> None:
    x, y = await parse(taylor, "x1"), await parse(taylor, "1 + x2")

    async def computed(left: Any, op: str, right: Any) -> dict[tuple[int, ...], Any]:
        made = await do(taylor, "perform_mtf_arithmetic", op=op, mtf_ref_1=left, mtf_ref_2=right)
        return await terms(taylor, made["ref"])

    assert await computed(x, "+", y) == {(0, 0): 1, (1, 0): 1, (0, 1): 1}
    assert await computed(x, "*", y) == {(1, 0): 1, (1, 1): 1}
    assert await computed(3, "-", x) == {(0, 0): 3, (1, 0): -1}
    assert await computed("2.5", "*", x) == {(1, 0): 2.5}
    assert await computed(x, "*", "1 + 2i") == {(1, 0): [1, 2]}
    # An exact product, although the constant part is zero.
    assert await computed(x, "**", 3) == {(3, 0): 1}
    assert (await computed(1, "/", y))[0, 3] == -1
    assert (await computed(2, "**", x))[2, 0] == pytest.approx(math.log(2) ** 2 / 2, rel=1e-15)
    assert (await computed(y, "**", 0.5))[0, 2] == pytest.approx(-1 / 8, rel=1e-15)


async def test_an_object_that_looks_like_a_number_is_the_object(taylor: ToolRegistry) -> None:
    await parse(taylor, "x1", name="nan")
    x = await parse(taylor, "x1")
    made = await do(taylor, "perform_mtf_arithmetic", op="+", mtf_ref_1=x, mtf_ref_2="nan")
    assert await terms(taylor, made["ref"]) == {(1, 0): 2}


@pytest.mark.parametrize(
    ("op", "left", "right", "code", "pointer"),
    [
        ("+", 1, 2, "INVALID_INPUT", "/mtf_ref_1"),
        ("**", "x", 1001, "INVALID_INPUT", "/mtf_ref_2"),
        ("/", 1, "x", "COMPUTATION_ERROR", None),
        ("**", "x", 0.5, "COMPUTATION_ERROR", None),
        ("+", "x", "other", "INVALID_INPUT", None),
        ("+", "x", "nothing", "NOT_FOUND", None),
        ("+", "x", "inf", "NOT_FOUND", None),
        ("^", "x", "x", "INVALID_INPUT", "/op"),
    ],
)
async def test_arithmetic_that_has_no_answer_is_refused(
    taylor: ToolRegistry, *, op: str, left: Any, right: Any, code: str, pointer: str | None
) -> None:
    await parse(taylor, "x1", name="x")
    await parse(taylor, "x1", name="other", order=5)
    answer = await no(taylor, "perform_mtf_arithmetic", op=op, mtf_ref_1=left, mtf_ref_2=right)
    assert answer.error_code == code
    assert answer.hint
    if pointer:
        assert answer.details[0].pointer == pointer


async def test_a_function_is_applied_inside_its_domain_only(taylor: ToolRegistry) -> None:
    x = await parse(taylor, "x1", dimension=1)
    sine = await do(taylor, "apply_function", function="sin", mtf_ref=x)
    assert await terms(taylor, sine["ref"]) == {
        (1,): 1,
        (3,): pytest.approx(-1 / 6, rel=1e-15),
        (5,): pytest.approx(1 / 120, rel=1e-15),
    }
    refusal = await no(taylor, "apply_function", function="log", mtf_ref=x)
    assert refusal.error_code == "COMPUTATION_ERROR"
    unknown = await no(taylor, "apply_function", function="sine", mtf_ref=x)
    assert unknown.details[0].nearest in ("sin", "sinh")


async def test_complex_parts(taylor: ToolRegistry) -> None:
    z = await parse(taylor, "(1 + 3j)*x1", dimension=1)
    wanted = {"conjugate": [1, -3], "real_part": 1, "imag_part": 3}
    for op, coefficient in wanted.items():
        made = await do(taylor, "perform_complex_operation", op=op, mtf_ref=z)
        assert await terms(taylor, made["ref"]) == {(1,): coefficient}


async def test_the_gradient_is_a_map_of_derivatives(taylor: ToolRegistry) -> None:
    f = await parse(taylor, "x1^2*x2 + x2", order=4)
    made = await do(taylor, "compute_gradient", mtf_ref=f)
    values = await do(taylor, "evaluate_taylor_map", map_ref=made["ref"], point=[2, 3])
    assert values == [12, 5]
    assert made["summary"]["valid_order"] == 3


async def test_integrals_with_and_without_limits(taylor: ToolRegistry) -> None:
    square = await parse(taylor, "x1^2", dimension=1, order=4)
    primitive = await do(taylor, "integrate_mtf", mtf_ref=square, var_index=1)
    assert await terms(taylor, primitive["ref"]) == {(3,): pytest.approx(1 / 3, rel=1e-15)}
    definite = await do(
        taylor, "integrate_mtf", mtf_ref=square, var_index=1, lower_limit=1, upper_limit=3
    )
    # 26/3, the demonstration of the field's existing tools.
    assert await terms(taylor, definite["ref"]) == {(0,): pytest.approx(26 / 3, rel=1e-15)}
    top = await parse(taylor, "x1^4*1", dimension=2, order=4)
    whole = await do(
        taylor, "integrate_mtf", mtf_ref=top, var_index=1, lower_limit=0, upper_limit=1
    )
    # The term of order 5 in between is not lost, although the order is 4.
    assert await terms(taylor, whole["ref"]) == {(0, 0): pytest.approx(1 / 5, rel=1e-15)}
    half = await no(taylor, "integrate_mtf", mtf_ref=square, var_index=1, lower_limit=0)
    assert "both limits" in str(half.hint)
    beyond = await no(taylor, "integrate_mtf", mtf_ref=square, var_index=2)
    assert beyond.details[0].nearest == 1


async def test_poisson_brackets_pair_positions_with_momenta(taylor: ToolRegistry) -> None:
    x, energy = await parse(taylor, "x1"), await parse(taylor, "x2^2/2 + x1^4")
    velocity = await do(taylor, "compute_poisson_bracket", mtf_ref_1=x, mtf_ref_2=energy)
    assert await terms(taylor, velocity["ref"]) == {(0, 1): 1}
    momentum = await parse(taylor, "x2")
    force = await do(taylor, "compute_poisson_bracket", mtf_ref_1=momentum, mtf_ref_2=energy)
    assert await terms(taylor, force["ref"]) == {(3, 0): -4}


async def test_an_object_goes_out_and_comes_back_to_the_last_bit(taylor: ToolRegistry) -> None:
    f = await parse(taylor, "sin(0.1 + x1)/3 + (1e-300 + 2j)*x2")
    pair = await make_map(taylor, "exp(x1) - 1", "x2/7")
    for ref, kind in ((f, "mtf"), (pair, "taylor_map")):
        gone = await do(taylor, "export_object", ref=ref)
        assert gone["kind"] == kind
        back = await do(taylor, "import_object", text=gone["text"])
        same = await do(taylor, "compare_objects", ref_1=ref, ref_2=back["ref"])
        assert same["equal"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("{}", "INVALID_INPUT"),
        ("not JSON", "INVALID_INPUT"),
        ("[" * 100_000, "INVALID_INPUT"),
        ('{"format":"tpsa-series","variables":[],"order":"x","components":[]}', "INVALID_INPUT"),
        ('{"format":"other","variables":["x1"],"order":1,"components":[]}', "INVALID_INPUT"),
        (
            json.dumps(
                {
                    "format": "tpsa-series",
                    "version": 1,
                    "variables": [f"x{i}" for i in range(40)],
                    "order": 40,
                    "components": [],
                }
            ),
            "LIMIT_EXCEEDED",
        ),
    ],
)
async def test_a_text_that_is_no_object_is_refused(
    taylor: ToolRegistry, text: str, code: str
) -> None:
    assert (await no(taylor, "import_object", text=text)).error_code == code


async def test_maps_are_composed_in_the_stated_order(taylor: ToolRegistry) -> None:
    double = await make_map(taylor, "2*x1", order=3)
    square = await make_map(taylor, "x1 + x1^2", order=3)
    made = await do(taylor, "compose_taylor_maps", map_ref_1=square, map_ref_2=double)
    (value,) = await do(taylor, "evaluate_taylor_map", map_ref=made["ref"], point=[1])
    assert value == 6
    wide = await make_map(taylor, "x1", "x2")
    mismatch = await no(taylor, "compose_taylor_maps", map_ref_1=wide, map_ref_2=double)
    assert mismatch.error_code == "INVALID_INPUT"


async def test_a_map_after_its_inverse_is_the_identity(taylor: ToolRegistry) -> None:
    henon = await make_map(taylor, "x1 + x2", "x2 - (x1 + x2)^2")
    inverse = (await do(taylor, "invert_taylor_map", map_ref=henon))["ref"]
    both = await do(taylor, "compose_taylor_maps", map_ref_1=henon, map_ref_2=inverse)
    unit = await do(taylor, "identity_map", dimension=2, max_order=6)
    difference = await do(taylor, "compare_objects", ref_1=both["ref"], ref_2=unit["ref"])
    assert difference["largest_difference"] < 1e-13
    same = await do(taylor, "compare_objects", ref_1=henon, ref_2=henon)
    assert same == {
        "equal": True,
        "largest_difference": 0.0,
        "relative_difference": 0.0,
        "compared_to_order": 6,
    }


async def test_functions_are_composed_and_left_out_variables_stay(taylor: ToolRegistry) -> None:
    f = await parse(taylor, "x1*x2")
    g = await parse(taylor, "x1 + x2")
    made = await do(taylor, "compose_mtfs", mtf_ref=f, inner_mtf_refs={"1": g})
    assert await terms(taylor, made["ref"]) == {(1, 1): 1, (0, 2): 1}
    line = await parse(taylor, "x1", dimension=1)
    both = await do(taylor, "compose_mtfs", mtf_ref=f, inner_mtf_refs={"1": line, "2": line})
    assert await terms(taylor, both["ref"]) == {(2,): 1}
    short = await no(taylor, "compose_mtfs", mtf_ref=f, inner_mtf_refs={"1": line})
    assert "every variable" in str(short.hint)
    for key in ("0", "x1", "-1", "3"):
        refusal = await no(taylor, "compose_mtfs", mtf_ref=f, inner_mtf_refs={key: g})
        assert refusal.error_code == "INVALID_INPUT"


async def test_numbers_are_put_for_variables(taylor: ToolRegistry) -> None:
    f = await parse(taylor, "x1^2 + x1*x2")
    made = await do(taylor, "substitute_variable_in_mtf", mtf_ref=f, var_index=1, value=3)
    assert await terms(taylor, made["ref"]) == {(0, 0): 9, (0, 1): 3}
    line = await parse(taylor, "x1^2", dimension=1)
    number = await do(taylor, "substitute_variable_in_mtf", mtf_ref=line, var_index=1, value=3)
    assert await terms(taylor, number["ref"]) == {(0,): 9}
    pair = await make_map(taylor, "x1*x2", "x2")
    part = await do(taylor, "substitute_in_taylor_map", map_ref=pair, variable_map={"2": 5})
    assert part["values"] is None
    assert await do(taylor, "evaluate_taylor_map", map_ref=part["ref"], point=[2, 7]) == [10, 5]
    full = await do(taylor, "substitute_in_taylor_map", map_ref=pair, variable_map={"2": 5, "1": 2})
    assert (full["ref"], full["values"]) == (None, [10, 5])
    # The right number of indices, but not the right ones, must not evaluate.
    for wrong in ({"0": 1, "1": 2}, {"1": 1, "3": 2}):
        refusal = await no(taylor, "substitute_in_taylor_map", map_ref=pair, variable_map=wrong)
        assert refusal.error_code == "INVALID_INPUT"


async def test_maps_are_put_together_and_taken_apart(taylor: ToolRegistry) -> None:
    refs = [await parse(taylor, "x1 + x2"), await parse(taylor, "x2^2")]
    made = await do(taylor, "map_from_components", mtf_refs=refs)
    second = await do(taylor, "extract_map_component", map_ref=made["ref"], index=1)
    assert await terms(taylor, second["ref"]) == {(0, 2): 1}
    beyond = await no(taylor, "extract_map_component", map_ref=made["ref"], index=2)
    assert beyond.details[0].expected == "an index from 0 to 1"
    other = await parse(taylor, "x1", order=3)
    mixed = await no(taylor, "map_from_components", mtf_refs=[refs[0], other])
    assert mixed.error_code == "INVALID_INPUT"


async def test_an_object_is_cut_off_and_stays_as_it_was(taylor: ToolRegistry) -> None:
    f = await parse(taylor, "exp(x1)", dimension=1, order=5)
    cut = await do(taylor, "truncate_object", ref=f, order=1)
    assert await terms(taylor, cut["ref"]) == {(0,): 1, (1,): 1}
    assert len(await terms(taylor, f)) == 6
    pair = await make_map(taylor, "x1 + x1^2", order=3)
    cut_map = await do(taylor, "truncate_object", ref=pair, order=1)
    assert cut_map["summary"]["terms"] == 1
    above = await no(taylor, "truncate_object", ref=f, order=9)
    assert "from 0 to 5" in str(above.hint)
    numbers = await do(taylor, "evaluate_mtf_batch", mtf_ref=f, points=[[0.0]] * 100)
    refusal = await no(taylor, "truncate_object", ref=numbers["ref"], order=1)
    assert refusal.error_code == "TYPE_MISMATCH"


async def test_single_coefficients_and_the_largest_are_read(taylor: ToolRegistry) -> None:
    f = await parse(taylor, "5*x1 + 7*x1*x2 + (1+2j)*x2")
    one = await do(taylor, "get_mtf_coefficient", mtf_ref=f, exponents=[1, 1])
    assert one == {"exponents": [1, 1], "coefficient": [7, 0]}
    top = await do(taylor, "get_top_terms", mtf_ref=f, limit=2)
    assert [t["exponents"] for t in top["terms"]] == [[1, 1], [1, 0]]
    assert top["total"] == 3
    for exponents in ([1], [1, 1, 1], [7, 0]):
        refusal = await no(taylor, "get_mtf_coefficient", mtf_ref=f, exponents=exponents)
        assert refusal.error_code == "INVALID_INPUT"


async def test_a_derivatives_unknown_top_order_is_refused(taylor: ToolRegistry) -> None:
    f = await parse(taylor, "exp(x1)", dimension=1, order=3)
    slope = await do(taylor, "compute_partial_derivative", mtf_ref=f, var_index=1)
    refusal = await no(taylor, "get_mtf_coefficient", mtf_ref=slope["ref"], exponents=[3])
    assert "valid to order 2" in refusal.message


async def test_tables_are_paged(taylor: ToolRegistry) -> None:
    f = await parse(taylor, "exp(x1 + x2)", order=6)
    seen: list[Any] = []
    offset: int | None = 0
    while offset is not None:
        page = await do(taylor, "mtf_info", mtf_ref=f, offset=offset, limit=10)
        seen += [tuple(t["exponents"]) for t in page["terms"]]
        offset = page["next_offset"]
    assert len(seen) == len(set(seen)) == 28
    assert [sum(powers) for powers in seen] == sorted(sum(powers) for powers in seen)
    pair = await make_map(taylor, "x1 + x2", "x2^2", order=2)
    shown = await do(taylor, "taylor_map_info", map_ref=pair, component=1)
    assert shown["page"]["terms"] == [{"coefficient": 1.0, "exponents": [0, 2]}]
    beyond = await no(taylor, "taylor_map_info", map_ref=pair, component=2)
    assert beyond.error_code == "INVALID_INPUT"


async def test_few_values_are_given_and_many_are_stored(taylor: ToolRegistry) -> None:
    f = await parse(taylor, "x1*x2")
    few = await do(taylor, "evaluate_mtf_batch", mtf_ref=f, points=[[1, 2], [3, 4]])
    assert few["values"] == [2, 12]
    assert few["statistics"] == [
        {"lowest": 2, "highest": 12, "mean": 7, "rms": pytest.approx(math.sqrt(74))}
    ]
    grid = {"lower": [0, 0], "upper": [1, 2], "counts": [11, 21]}
    many = await do(taylor, "evaluate_mtf_batch", mtf_ref=f, grid=grid)
    assert (many["count"], many["values"]) == (231, None)
    assert many["statistics"][0]["highest"] == 2
    part = await do(taylor, "read_object", ref=many["ref"], pointer="/values", offset=230)
    assert part["value"] == [2]


async def test_a_distribution_is_the_same_for_the_same_seed(taylor: ToolRegistry) -> None:
    pair = await make_map(taylor, "x1 + x2", "x2")
    spec = {"kind": "gaussian", "widths": [1.0, 1.0], "count": 20_000, "seed": 3}
    first = await do(taylor, "evaluate_taylor_map_batch", map_ref=pair, distribution=spec)
    again = await do(taylor, "evaluate_taylor_map_batch", map_ref=pair, distribution=spec)
    assert first["statistics"] == again["statistics"]
    # The sum of two normal variables has the variance 2; 20,000 draws know it to 1 %.
    assert first["statistics"][0]["rms"] == pytest.approx(math.sqrt(2), rel=0.03)
    flat = {"kind": "uniform", "widths": [2.0, 1.0], "count": 1000}
    uniform = await do(taylor, "evaluate_taylor_map_batch", map_ref=pair, distribution=flat)
    assert -1 <= uniform["statistics"][1]["lowest"] < uniform["statistics"][1]["highest"] <= 1


async def test_complex_values_are_pairs_and_their_sizes_are_counted(taylor: ToolRegistry) -> None:
    z = await parse(taylor, "3*x1 + 4j*x1", dimension=1)
    batch = await do(taylor, "evaluate_mtf_batch", mtf_ref=z, points=[[1]])
    assert batch["values"] == [[3, 4]]
    assert batch["statistics"][0]["rms"] == 5
    none = await do(taylor, "evaluate_mtf_batch", mtf_ref=z, points=[])
    assert none["count"] == 0


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({}, "INVALID_INPUT"),
        (
            {"points": [[1, 2]], "grid": {"lower": [0], "upper": [1], "counts": [2]}},
            "INVALID_INPUT",
        ),
        ({"points": [[1, 2], [3]]}, "INVALID_INPUT"),
        ({"grid": {"lower": [0], "upper": [1, 1], "counts": [2, 2]}}, "INVALID_INPUT"),
        (
            {"grid": {"lower": [0, 0], "upper": [1, 1], "counts": [2_000, 2_000]}},
            "LIMIT_EXCEEDED",
        ),
        ({"distribution": {"kind": "gaussian", "widths": [1], "count": 5}}, "INVALID_INPUT"),
        ({"distribution": {"kind": "cauchy", "widths": [1, 1], "count": 5}}, "INVALID_INPUT"),
        ({"points": [[1e200, 1e200]]}, "COMPUTATION_ERROR"),
    ],
)
async def test_points_that_cannot_be_used_are_refused(
    taylor: ToolRegistry, arguments: dict[str, Any], code: str
) -> None:
    f = await parse(taylor, "x1*x2")
    assert (await no(taylor, "evaluate_mtf_batch", mtf_ref=f, **arguments)).error_code == code


async def test_a_rotation_is_analyzed(taylor: ToolRegistry) -> None:
    tune = 0.205
    phase = f"2*pi*{tune}"
    ring = await make_map(
        taylor,
        f"cos({phase})*x1 + sin({phase})*(x2 + x1^2)",
        f"cos({phase})*(x2 + x1^2) - sin({phase})*x1",
    )
    found = await do(taylor, "analyze_taylor_map", map_ref=ring)
    assert found["determinant"] == pytest.approx(1, abs=1e-15)
    assert found["trace"] == pytest.approx(2 * math.cos(2 * math.pi * tune), abs=1e-15)
    for real, imaginary in found["eigenvalues"]:
        found_tune = abs(math.atan2(imaginary, real)) / (2 * math.pi)
        assert found_tune == pytest.approx(tune, abs=1e-15)
    assert max(found["symplectic_errors"]) < 1e-14
    assert found["invertible"]
    assert found["condition"] == pytest.approx(1, abs=1e-14)


async def test_a_map_that_has_no_inverse_is_said_to_have_none(taylor: ToolRegistry) -> None:
    flat = await make_map(taylor, "x1 + x2", "2*x1 + 2*x2")
    found = await do(taylor, "analyze_taylor_map", map_ref=flat)
    assert not found["invertible"]
    assert found["condition"] is None or found["condition"] > 1e15
    shifted = await make_map(taylor, "1 + x1", "x2")
    assert "constant part" in (await do(taylor, "analyze_taylor_map", map_ref=shifted))["reason"]
    tall = await do(
        taylor,
        "create_taylor_map",
        expressions=["x1", "x2", "x1*x2"],
        dimension=2,
        max_order=2,
    )
    found = await do(taylor, "analyze_taylor_map", map_ref=tall["ref"])
    assert found["eigenvalues"] is found["determinant"] is None
    assert found["symplectic_errors"] is None
    # Units play no part: a map in small numbers inverts as well.
    small = await make_map(taylor, "1e-8*x1", "1e-8*x2")
    assert (await do(taylor, "analyze_taylor_map", map_ref=small))["invertible"]


async def test_the_radius_of_a_geometric_series_is_found(taylor: ToolRegistry) -> None:
    f = await parse(taylor, "1/(1 - 4*x1)", dimension=1, order=12)
    found = await do(taylor, "analyze_mtf_diagnostics", mtf_ref=f, weight=[0.5])
    assert found["convergence_radius"] == pytest.approx(0.25, rel=1e-12)
    assert found["order_norms"][:3] == [1, 4, 16]
    assert found["norm"] == 4.0**12
    assert found["sum_of_coefficients"] == sum(4.0**k for k in range(13))
    assert found["weighted_norm"] == sum(2.0**k for k in range(13))
    line = await parse(taylor, "x1", dimension=1)
    assert (await do(taylor, "analyze_mtf_diagnostics", mtf_ref=line))["convergence_radius"] is None
    wrong = await no(taylor, "analyze_mtf_diagnostics", mtf_ref=f, weight=[1, 1])
    assert wrong.error_code == "INVALID_INPUT"


async def test_objects_of_different_shape_are_not_compared(taylor: ToolRegistry) -> None:
    f, g = await parse(taylor, "x1"), await parse(taylor, "x1", order=3)
    pair = await make_map(taylor, "x1", "x2")
    zero = await parse(taylor, "0*x1")
    assert (await no(taylor, "compare_objects", ref_1=f, ref_2=g)).error_code == "INVALID_INPUT"
    assert (await no(taylor, "compare_objects", ref_1=f, ref_2=pair)).error_code == (
        "INVALID_INPUT"
    )
    nothing = await do(taylor, "compare_objects", ref_1=zero, ref_2=zero)
    assert nothing["relative_difference"] == 0.0


async def test_scaled_variables_scale_each_coefficient(taylor: ToolRegistry) -> None:
    pair = await make_map(taylor, "x1 + x1^2*x2", "x2")
    made = await do(taylor, "compute_map_sensitivity", map_ref=pair, scaling_factors=[0.1, 2])
    first = await do(taylor, "taylor_map_info", map_ref=made["ref"])
    assert {tuple(t["exponents"]): t["coefficient"] for t in first["page"]["terms"]} == {
        (1, 0): 0.1,
        (2, 1): pytest.approx(0.02, rel=1e-15),
    }
    wrong = await no(taylor, "compute_map_sensitivity", map_ref=pair, scaling_factors=[1])
    assert wrong.error_code == "INVALID_INPUT"


async def test_a_result_that_overflows_is_not_kept(taylor: ToolRegistry) -> None:
    big = await parse(taylor, "1e200*x1", dimension=1)
    refusal = await no(taylor, "perform_mtf_arithmetic", op="*", mtf_ref_1=big, mtf_ref_2=big)
    assert refusal.error_code == "COMPUTATION_ERROR"
    assert (await do(taylor, "list_objects"))["total"] == 1


async def test_the_registry_keeps_the_contract(taylor: ToolRegistry) -> None:
    await contract_suite(taylor)


def example_of(description: str) -> dict[str, Any] | None:
    found = re.search(r"Example: (\{.*\})\.", description, re.DOTALL)
    return json.loads(" ".join(found[1].split())) if found else None


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


async def test_a_whole_study_is_one_small_program(taylor: ToolRegistry) -> None:
    steps = [
        {
            "tool": "create_taylor_map",
            "arguments": {
                "expressions": ["x1 + x2", "x2 - (x1 + x2)^2", "x3 + x4", "x4 - (x3 + x4)^2"],
                "dimension": 4,
                "max_order": 6,
            },
            "as": "m",
        },
        {"tool": "invert_taylor_map", "arguments": {"map_ref": {"$ref": "m"}}, "as": "i"},
        {
            "tool": "compose_taylor_maps",
            "arguments": {"map_ref_1": {"$ref": "m"}, "map_ref_2": {"$ref": "i"}},
            "as": "both",
        },
        {"tool": "identity_map", "arguments": {"dimension": 4, "max_order": 6}, "as": "one"},
        {
            "tool": "compare_objects",
            "arguments": {"ref_1": {"$ref": "both"}, "ref_2": {"$ref": "one"}},
            "as": "error",
        },
        {
            "tool": "evaluate_taylor_map_batch",
            "arguments": {
                "map_ref": {"$ref": "m"},
                "distribution": {"kind": "gaussian", "widths": [0.01] * 4, "count": 1000},
            },
        },
    ]
    answer = await taylor.call_tool("run_program", {"steps": steps, "atomic": True})
    assert isinstance(answer, ToolSuccessResponse), answer.message
    assert answer.data.result["steps"][4]["result"]["largest_difference"] < 1e-12
    assert answer.data.result["result"]["count"] == 1000
    assert len(answer.to_json()) < 6 * 1024
