"""The tools that compute with functions: each against a closed form, and each refusal."""

import math
from typing import Any

import pytest
from taylor_calls import do, make_map, no, parse, terms

from tercet import ToolRegistry

pytestmark = pytest.mark.anyio


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
        ("+", "x", "1e999", "NOT_FOUND", None),
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


async def test_a_result_that_overflows_is_not_kept(taylor: ToolRegistry) -> None:
    big = await parse(taylor, "1e200*x1", dimension=1)
    refusal = await no(taylor, "perform_mtf_arithmetic", op="*", mtf_ref_1=big, mtf_ref_2=big)
    assert refusal.error_code == "COMPUTATION_ERROR"
    assert (await do(taylor, "list_objects"))["total"] == 1
