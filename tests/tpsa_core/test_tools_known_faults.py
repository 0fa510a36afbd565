"""What tools of this field are known to get wrong or to refuse, asked of these tools.

Each right value is a closed form, worked out by hand and written here with whole numbers and the
standard library alone.
"""

import json
from fractions import Fraction
from math import acosh, asinh, cos, e, erfc, factorial, log, pi, sin, sqrt
from typing import Any

import pytest
from taylor_calls import do, make_map, no, parse, terms

from tercet import ToolRegistry

pytestmark = pytest.mark.anyio

EULER, APERY = 0.5772156649015329, 1.2020569031595942

# Of each expression, the coefficients of x1 to the powers from 0.
REFUSED_ELSEWHERE: list[tuple[str, list[float]]] = [
    ("pi*x1", [0, pi, 0, 0]),
    ("e*x1", [0, e, 0, 0]),
    ("exp(1)*x1", [0, e, 0, 0]),
    ("sqrt(2)*x1", [0, sqrt(2), 0, 0]),
    ("sin(1)*x1", [0, sin(1), 0, 0]),
    ("x1^2", [0, 0, 1, 0]),
    ("2**x1", [1, log(2), log(2) ** 2 / 2, log(2) ** 3 / 6]),
    # exp(x log(1 + x)) = 1 + x² - x³/2 + …
    ("(1 + x1)**x1", [1, 0, 1, -1 / 2]),
    ("asinh(1 + x1)", [asinh(1), 1 / sqrt(2), -1 / (4 * sqrt(2)), 1 / (24 * sqrt(2))]),
    ("acosh(2 + x1)", [acosh(2), 1 / sqrt(3), -1 / (3 * sqrt(3)), 1 / (6 * sqrt(3))]),
    ("atanh(x1)", [0, 1, 0, 1 / 3]),
    ("atan2(1, 1 + x1)", [pi / 4, -1 / 2, 1 / 4, -1 / 12]),
    ("log10(1 + x1)", [0, 1 / log(10), -1 / (2 * log(10)), 1 / (3 * log(10))]),
    ("erfc(x1)", [1, -2 / sqrt(pi), 0, 2 / (3 * sqrt(pi))]),
    # erf away from zero: the derivative is 2/sqrt(pi) exp(-x²).
    (
        "1 - erf(1 + x1)",
        [erfc(1), -2 / sqrt(pi) / e, 2 / sqrt(pi) / e, -2 / (3 * sqrt(pi)) / e],
    ),
    # The logarithm of the factorial: (1 - EULER) x + (zeta(2) - 1) x²/2 - …
    ("loggamma(2 + x1)", [0, 1 - EULER, (pi**2 / 6 - 1) / 2, -(APERY - 1) / 3]),
    ("gamma(2 + x1)/exp(loggamma(2 + x1))", [1, 0, 0, 0]),
    ("j0(2*x1)", [1, 0, -1, 0]),
    ("(1 + x1)**-1.5", [1, -1.5, 1.875, -2.1875]),
    ("1/(1 + x1)**(3/2)", [1, -1.5, 1.875, -2.1875]),
    ("(x1 - 2)**2.0", [4, -4, 1, 0]),
    ("arctan(1 + x1) - atan(1)", [0, 1 / 2, -1 / 4, 1 / 12]),
]


@pytest.mark.parametrize(("expression", "expected"), REFUSED_ELSEWHERE)
async def test_an_expression_that_is_refused_elsewhere_has_its_series(
    taylor: ToolRegistry, expression: str, expected: list[float]
) -> None:
    ref = await parse(taylor, expression, dimension=1, order=3)
    found = await terms(taylor, ref)
    assert [found.get((power,), 0) for power in range(4)] == pytest.approx(
        expected, rel=1e-14, abs=1e-15
    )


@pytest.mark.parametrize(
    "expression",
    [
        "x1 and x2",
        "oo*x1",
        "diff(x1, x1)",
        "integrate(x1, x1)",
        "[x1, x2]",
        "True",
        "Abs(x1)",
        "Max(x1, 1)",
        "floor(x1)",
        "besselj(0, x1)",
        "2x1",
        "sinc(x1)",
        "log(1 + x1, 10)",
    ],
)
async def test_what_is_no_series_is_refused_with_the_column_and_never_computed(
    taylor: ToolRegistry, expression: str
) -> None:
    answer = await no(
        taylor, "parse_expression_to_mtf", expression=expression, dimension=2, max_order=3
    )
    assert answer.error_code == "INVALID_INPUT"
    assert "(column " in answer.message
    assert answer.hint


async def test_terms_past_the_order_do_not_come_back_as_others(taylor: ToolRegistry) -> None:
    cube = await parse(taylor, "x1^3", order=3)
    one = await parse(taylor, "1", order=3)
    integral = await do(taylor, "integrate_mtf", mtf_ref=cube, var_index=1, name="integral")
    assert integral["summary"]["terms"] == 0
    product = await do(
        taylor, "perform_mtf_arithmetic", op="*", mtf_ref_1="integral", mtf_ref_2=one
    )
    assert await terms(taylor, product["ref"]) == {}


async def test_an_iteration_of_integrals_and_products_gives_the_exponential_function(
    taylor: ToolRegistry,
) -> None:
    # u' = 2 x u has the solution exp(x²).
    await parse(taylor, "1", dimension=1, order=8, name="u0")
    await parse(taylor, "2*x1", dimension=1, order=8, name="slope")
    for step in range(1, 7):
        await do(
            taylor,
            "perform_mtf_arithmetic",
            op="*",
            mtf_ref_1="slope",
            mtf_ref_2=f"u{step - 1}",
            name=f"du{step}",
        )
        await do(taylor, "integrate_mtf", mtf_ref=f"du{step}", var_index=1, name=f"s{step}")
        await do(
            taylor,
            "perform_mtf_arithmetic",
            op="+",
            mtf_ref_1=1,
            mtf_ref_2=f"s{step}",
            name=f"u{step}",
        )
    expected = {(2 * k,): float(Fraction(1, factorial(k))) for k in range(5)}
    assert await terms(taylor, "u6") == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize(
    ("term", "message"),
    [
        ([[50], 1.0], "degree 50"),
        ([[-1], 1.0], "not all integers"),
        ([[1], float("nan")], "not finite"),
        ([[1], float("inf")], "not finite"),
    ],
)
async def test_a_text_with_impossible_terms_is_refused(
    taylor: ToolRegistry, term: Any, message: str
) -> None:
    f = await parse(taylor, "1 + x1", dimension=1, order=3)
    fields = json.loads((await do(taylor, "export_object", ref=f))["text"])
    fields["components"][0]["terms"] = [term]
    answer = await no(taylor, "import_object", text=json.dumps(fields))
    assert answer.error_code == "INVALID_INPUT"
    assert message in answer.message
    assert (await do(taylor, "list_objects"))["total"] == 1


async def test_two_terms_with_the_same_exponents_do_not_become_one(taylor: ToolRegistry) -> None:
    f = await parse(taylor, "1 + x1", dimension=1, order=3)
    text = (await do(taylor, "export_object", ref=f))["text"]
    fields = json.loads(text)
    fields["components"][0]["terms"] = [[[1], 1.0], [[1], 2.0]]
    answer = await no(taylor, "import_object", text=json.dumps(fields))
    assert "is there twice" in answer.message


async def test_an_operation_leaves_its_operands_and_earlier_results_as_they_were(
    taylor: ToolRegistry,
) -> None:
    dense = {(0, 0): 1, (1, 0): 1, (0, 1): 1, (1, 1): 1}
    await parse(taylor, "x1 + 1", order=3, name="a")
    await parse(taylor, "x2 + 1", order=3, name="b")
    for op, left, right, name in (
        ("*", "a", "b", "p"),
        ("*", "p", 10, "ten"),
        ("*", "ten", 1, "same"),
        ("*", "p", 1, "old"),
    ):
        await do(
            taylor, "perform_mtf_arithmetic", op=op, mtf_ref_1=left, mtf_ref_2=right, name=name
        )
    assert await terms(taylor, "p") == await terms(taylor, "old") == dense
    assert await terms(taylor, "same") == dict.fromkeys(dense, 10)
    await do(taylor, "map_from_components", mtf_refs=["a", "b"], name="m")
    await do(taylor, "extract_map_component", map_ref="m", index=0, name="first")
    await do(taylor, "truncate_object", ref="first", order=0, name="cut")
    assert await terms(taylor, "a") == await terms(taylor, "first") == {(0, 0): 1, (1, 0): 1}


async def test_a_composition_keeps_imaginary_parts_of_either_side(taylor: ToolRegistry) -> None:
    turned = await make_map(taylor, "1j*x1", "x2")
    plain = await make_map(taylor, "x1", "x2")
    for outer, inner in ((turned, plain), (plain, turned)):
        made = await do(taylor, "compose_taylor_maps", map_ref_1=outer, map_ref_2=inner)
        value = await do(taylor, "evaluate_taylor_map", map_ref=made["ref"], point=[3, 5])
        # A complex component gives both parts of its values.
        assert value in ([[0, 3], 5], [[0, 3], [5, 0]])


async def test_integers_as_points_give_no_integers_and_lose_no_imaginary_part(
    taylor: ToolRegistry,
) -> None:
    grid = {"lower": [1, 1], "upper": [1, 1], "counts": [20_001, 1]}
    for expression, expected in (("0.5*x1 + 0.25", 0.75), ("1j*x1 + 1", [1, 1])):
        f = await parse(taylor, expression)
        batch = await do(taylor, "evaluate_mtf_batch", mtf_ref=f, grid=grid)
        last = await do(taylor, "read_object", ref=batch["ref"], pointer="/values/20000")
        assert last["value"] == expected
    # 3 to the power of 41 needs more than 64 bits.
    power = await parse(taylor, "x1^41", dimension=1, order=41)
    values = await do(taylor, "evaluate_mtf_batch", mtf_ref=power, points=[[3], [-3]])
    assert values["values"] == pytest.approx([3.0**41, -(3.0**41)], rel=1e-15)


async def test_small_coefficients_are_kept_in_whatever_units(taylor: ToolRegistry) -> None:
    series: dict[str, list[Fraction]] = {
        "1/(x1 + 1000)": [Fraction((-1) ** k, 1000 ** (k + 1)) for k in range(13)],
        "log(1 + x1/1000)": [
            Fraction(0),
            *(Fraction((-1) ** (k + 1), k * 1000**k) for k in range(1, 13)),
        ],
        "exp(x1/1000)": [Fraction(1, 1000**k * factorial(k)) for k in range(13)],
    }
    for expression, coefficients in series.items():
        found = await terms(taylor, await parse(taylor, expression, dimension=1, order=12))
        for power, expected in enumerate(coefficients):
            assert found.get((power,), 0) == pytest.approx(float(expected), rel=1e-13, abs=0)


async def test_a_map_in_small_units_is_inverted(taylor: ToolRegistry) -> None:
    small = await make_map(taylor, "1e-8*x1", "1e-8*x2 + 1e-8*x1^2")
    back = await do(taylor, "invert_taylor_map", map_ref=small)
    value = await do(taylor, "evaluate_taylor_map", map_ref=back["ref"], point=[2e-8, 5e-8])
    # x1 = 2, x2 = 5 - 2².
    assert value == pytest.approx([2, 1], rel=1e-13)


@pytest.mark.parametrize("index", [0, -1, 3])
async def test_an_index_of_no_variable_is_refused_wherever_there_is_one(
    taylor: ToolRegistry, index: int
) -> None:
    f, m = await parse(taylor, "x1*x2"), await make_map(taylor, "x1*x2", "x2")
    for name, arguments in (
        ("compute_partial_derivative", {"mtf_ref": f, "var_index": index}),
        ("integrate_mtf", {"mtf_ref": f, "var_index": index}),
        ("substitute_variable_in_mtf", {"mtf_ref": f, "var_index": index, "value": 1}),
        ("substitute_in_taylor_map", {"map_ref": m, "variable_map": {str(index): 1}}),
        ("compose_mtfs", {"mtf_ref": f, "inner_mtf_refs": {str(index): f}}),
        ("extract_map_component", {"map_ref": m, "index": index or 2}),
    ):
        assert (await no(taylor, name, **arguments)).error_code == "INVALID_INPUT"


async def test_the_order_of_a_session_may_rise_and_a_call_may_ask_for_less(
    taylor: ToolRegistry,
) -> None:
    await do(taylor, "initialize_algebra", max_order=3, max_dimension=1)
    low = await do(taylor, "parse_expression_to_mtf", expression="x1^2 * x1^2")
    await do(taylor, "initialize_algebra", max_order=5, max_dimension=1)
    high = await do(taylor, "parse_expression_to_mtf", expression="x1^2 * x1^2")
    less = await do(taylor, "parse_expression_to_mtf", expression="exp(x1)", max_order=2)
    assert await terms(taylor, low["ref"]) == {}
    assert await terms(taylor, high["ref"]) == {(4,): 1}
    assert await terms(taylor, less["ref"]) == {(0,): 1, (1,): 1, (2,): 0.5}


@pytest.mark.parametrize(
    "expression",
    ["sin(x1)", "cos(x1)", "exp(x1)", "sqrt(1 + x1)", "atan(x1)", "atanh(x1)", "1/cbrt(1 + x1)"],
)
async def test_a_real_expression_gives_real_numbers(taylor: ToolRegistry, expression: str) -> None:
    ref = await parse(taylor, expression, dimension=1)
    exported = json.loads((await do(taylor, "export_object", ref=ref))["text"])
    assert exported["components"][0]["type"] == "real"
    value = await do(taylor, "evaluate_mtf", mtf_ref=ref, point=[0.1])
    assert isinstance(value, float)


async def test_a_small_difference_is_a_difference(taylor: ToolRegistry) -> None:
    one, other = await parse(taylor, "1"), await parse(taylor, "1 + 1e-9")
    found = await do(taylor, "compare_objects", ref_1=one, ref_2=other)
    assert not found["equal"]
    assert found["largest_difference"] == pytest.approx(1e-9, rel=1e-6)


@pytest.mark.parametrize("two", [2, 2.0, "2", "2.0"], ids=repr)
async def test_a_square_of_what_is_zero_at_the_point_is_exact(
    taylor: ToolRegistry, two: Any
) -> None:
    f = await parse(taylor, "x1 + 3*x1^2", dimension=1, order=4)
    made = await do(taylor, "perform_mtf_arithmetic", op="**", mtf_ref_1=f, mtf_ref_2=two)
    assert await terms(taylor, made["ref"]) == {(2,): 1, (3,): 6, (4,): 9}


async def test_a_number_may_stand_on_the_left(taylor: ToolRegistry) -> None:
    f = await parse(taylor, "2 + x1", dimension=1, order=2)
    wanted = {"-": {(0,): 1, (1,): -1}, "/": {(0,): 1.5, (1,): -0.75, (2,): 0.375}}
    for op, expected in wanted.items():
        made = await do(taylor, "perform_mtf_arithmetic", op=op, mtf_ref_1=3, mtf_ref_2=f)
        assert await terms(taylor, made["ref"]) == expected


async def test_components_of_different_algebras_make_no_map(taylor: ToolRegistry) -> None:
    one, two = await parse(taylor, "x1", dimension=1), await parse(taylor, "x1", dimension=2)
    answer = await no(taylor, "map_from_components", mtf_refs=[one, two])
    assert answer.error_code == "INVALID_INPUT"


@pytest.mark.parametrize("name", ["", " ", "a b", "{}", '{"a": 1}', "1e3", "-f", "x" * 65])
async def test_a_name_by_which_nothing_could_be_found_is_refused(
    taylor: ToolRegistry, name: str
) -> None:
    answer = await no(
        taylor, "parse_expression_to_mtf", expression="x1", dimension=1, max_order=1, name=name
    )
    assert answer.error_code == "INVALID_INPUT"
    assert (await do(taylor, "list_objects"))["total"] == 0


async def test_the_analysis_gives_the_eigenvalues_and_the_determinant(
    taylor: ToolRegistry,
) -> None:
    m = await make_map(taylor, "2*x1 + x2", "x1 + 2*x2 + x1^2")
    found = await do(taylor, "analyze_taylor_map", map_ref=m)
    assert sorted(found["eigenvalues"]) == [pytest.approx([1, 0]), pytest.approx([3, 0])]
    assert found["determinant"] == pytest.approx(3, rel=1e-15)
    assert found["jacobian"] == [[2, 1], [1, 2]]


async def test_the_sensitivity_is_what_each_term_contributes(taylor: ToolRegistry) -> None:
    m = await make_map(taylor, "x1 + 3*x1^2*x2", "x2", order=3)
    made = await do(taylor, "compute_map_sensitivity", map_ref=m, scaling_factors=[0.5, 4])
    page = await do(taylor, "taylor_map_info", map_ref=made["ref"])
    found = {tuple(t["exponents"]): t["coefficient"] for t in page["page"]["terms"]}
    assert found == {(1, 0): 0.5, (2, 1): 3 * 0.25 * 4}


async def test_the_functions_of_a_sum_are_those_of_angles_added(taylor: ToolRegistry) -> None:
    # sin(1 + x) = sin 1 cos x + cos 1 sin x.
    found = await terms(taylor, await parse(taylor, "sin(1 + x1)", dimension=1, order=3))
    expected = [sin(1), cos(1), -sin(1) / 2, -cos(1) / 6]
    assert [found[power,] for power in range(4)] == pytest.approx(expected, rel=1e-15)
    found = await terms(taylor, await parse(taylor, "exp(-x1^2/2)", dimension=1, order=4))
    assert found == {(0,): 1, (2,): -0.5, (4,): 0.125}
