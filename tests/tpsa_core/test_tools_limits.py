"""What a call may take: estimated before it is computed, set by who runs the tools."""

import itertools
import time
from typing import Any

import pytest
from taylor_calls import do, make_map, no, parse

from tercet import ObjectRegistry, ToolRegistry
from tpsa_core.tools import TAYLOR_CODECS, TaylorLimits, taylor_registry
from tpsa_core.tools._cost import composition, evaluation, expansion, inversion, products

pytestmark = pytest.mark.anyio

GRID = {"lower": [0] * 2, "upper": [1] * 2, "counts": [20, 20]}


@pytest.fixture
def objects() -> ObjectRegistry:
    return ObjectRegistry(codecs=TAYLOR_CODECS)


async def filled(objects: ObjectRegistry) -> ToolRegistry:
    """A registry with a function and a map of order 8, made without narrow limits."""
    free = taylor_registry(objects)
    await parse(free, "exp(x1 + x2)", order=8, name="f")
    await make_map(free, "x1 + sin(x2)", "x2 + x1^3", order=8, name="m")
    return free


def limits(**given: int) -> TaylorLimits:
    return TaylorLimits(**given)


CALLS: list[tuple[str, dict[str, Any], TaylorLimits]] = [
    (
        "perform_mtf_arithmetic",
        {"op": "*", "mtf_ref_1": "f", "mtf_ref_2": "f"},
        limits(product=300),
    ),
    (
        "perform_mtf_arithmetic",
        {"op": "**", "mtf_ref_1": "f", "mtf_ref_2": 3},
        limits(multiplications=5_000),
    ),
    ("apply_function", {"function": "exp", "mtf_ref": "f"}, limits(multiplications=5_000)),
    (
        "compute_poisson_bracket",
        {"mtf_ref_1": "f", "mtf_ref_2": "f"},
        limits(multiplications=900),
    ),
    (
        "compose_mtfs",
        {"mtf_ref": "f", "inner_mtf_refs": {"1": "f"}},
        limits(multiplications=500),
    ),
    (
        "compose_taylor_maps",
        {"map_ref_1": "m", "map_ref_2": "m"},
        limits(multiplications=1_000),
    ),
    ("invert_taylor_map", {"map_ref": "m"}, limits(multiplications=5_000)),
    ("analyze_taylor_map", {"map_ref": "m"}, limits(multiplications=2_000)),
    ("evaluate_mtf_batch", {"mtf_ref": "f", "grid": GRID}, limits(multiplications=10_000)),
    ("evaluate_taylor_map_batch", {"map_ref": "m", "grid": GRID}, limits(multiplications=20_000)),
    (
        "plot_mtf",
        {"mtf_ref": "f", "x": {"variable": 1, "lower": 0, "upper": 1}},
        limits(multiplications=9_000),
    ),
    (
        "plot_phase_space",
        {"map_ref": "m", "points": [[0, 0]], "turns": 100},
        limits(multiplications=50_000),
    ),
]


@pytest.mark.parametrize(("tool_name", "arguments", "narrow"), CALLS, ids=str)
async def test_past_a_limit_nothing_is_done_and_the_order_that_fits_really_fits(
    objects: ObjectRegistry, tool_name: str, arguments: dict[str, Any], narrow: TaylorLimits
) -> None:
    free = await filled(objects)
    tight = taylor_registry(objects, limits=narrow)
    before = (await do(free, "list_objects"))["total"]
    answer = await no(tight, tool_name, **arguments)
    assert answer.error_code == "LIMIT_EXCEEDED"
    assert "would take about" in answer.message
    fitting = answer.details[0].nearest
    assert 0 < fitting < 8
    assert str(answer.hint).startswith(f"truncate_object to order {fitting} first, or ")
    assert (await do(free, "list_objects"))["total"] == before
    # As the hint says: cut to that order the call goes through, cut to one more it does not.
    for order in (fitting, fitting + 1):
        names: dict[str, str] = {}
        for ref in ("f", "m"):
            cut = await do(free, "truncate_object", ref=ref, order=order)
            names[ref] = cut["ref"]
        call = {
            key: names.get(value, value) if isinstance(value, str) else value
            for key, value in arguments.items()
        }
        if tool_name == "compose_mtfs":
            call["inner_mtf_refs"] = {"1": names["f"]}
        if order == fitting:
            await do(tight, tool_name, **call)
        else:
            assert (await no(tight, tool_name, **call)).error_code == "LIMIT_EXCEEDED"
    assert (await do(free, tool_name, **arguments)) is not None


@pytest.mark.parametrize(
    ("tool_name", "arguments"),
    [
        ("parse_expression_to_mtf", {"expression": "x1", "dimension": 6, "max_order": 9}),
        ("create_taylor_map", {"expressions": ["x1"], "dimension": 6, "max_order": 9}),
        ("identity_map", {"dimension": 6, "max_order": 9}),
        ("initialize_algebra", {"max_dimension": 6, "max_order": 9}),
    ],
)
async def test_what_is_made_new_obeys_the_limits_too(
    tool_name: str, arguments: dict[str, Any]
) -> None:
    tight = taylor_registry(limits=limits(product=30_000, memory_bytes=10_000_000))
    answer = await no(tight, tool_name, **arguments)
    assert answer.error_code == "LIMIT_EXCEEDED"
    # binomial(6 + 12, 6) = 18,564 multiplications at order 6, 50,388 at order 7.
    assert answer.details[0].nearest == 6
    assert answer.hint == "use an order up to 6, or use fewer variables"
    assert (await do(tight, "list_objects"))["total"] == 0
    await do(tight, tool_name, **{**arguments, "max_order": 6})


async def test_long_expressions_are_estimated_before_they_are_computed(
    taylor: ToolRegistry,
) -> None:
    text = "*".join(["(1 + x1)"] * 900)
    began = time.perf_counter()
    answer = await no(
        taylor,
        "create_taylor_map",
        expressions=[text] * 6,
        dimension=6,
        max_order=12,
    )
    assert time.perf_counter() - began < 1
    assert answer.error_code == "LIMIT_EXCEEDED"
    assert answer.details[0].pointer == "/expressions"
    assert 0 < answer.details[0].nearest < 12
    assert "products" in answer.message


async def test_components_and_gradients_that_are_too_large_together_are_refused(
    objects: ObjectRegistry,
) -> None:
    free = await filled(objects)
    tight = taylor_registry(objects, limits=limits(coefficients=60))
    for tool_name, arguments in (
        ("map_from_components", {"mtf_refs": ["f", "f"]}),
        ("compute_gradient", {"mtf_ref": "f"}),
    ):
        answer = await no(tight, tool_name, **arguments)
        # Two components of order 6 have 56 coefficients.
        assert answer.details[0].nearest == 6
        await do(free, tool_name, **arguments)


async def test_where_no_order_fits_the_answer_says_so() -> None:
    tight = taylor_registry(limits=limits(coefficients=3))
    answer = await no(tight, "identity_map", dimension=4, max_order=2)
    assert answer.hint == "no order would fit, so use fewer variables"
    assert answer.details[0].nearest is None


async def test_without_settings_the_defaults_hold(objects: ObjectRegistry) -> None:
    plain = ToolRegistry(list(taylor_registry()), objects=objects)
    answer = await no(plain, "identity_map", dimension=6, max_order=13)
    assert answer.details[0].nearest == 12


async def test_values_of_what_is_cut_off_are_those_of_what_is_left(taylor: ToolRegistry) -> None:
    ref = await make_map(taylor, "7 + x1 + x1^2", "x2 + x1^3", order=4)
    for order, expected in ((0, [7, 0]), (1, [9, 1]), (2, [13, 1]), (3, [13, 9])):
        cut = await do(taylor, "truncate_object", ref=ref, order=order)
        batch = await do(taylor, "evaluate_taylor_map_batch", map_ref=cut["ref"], points=[[2, 1]])
        assert batch["values"] == [expected]


def test_estimates_grow_with_the_order_and_name_what_they_count() -> None:
    for estimate in (
        products(4, 2, 3),
        composition(4, 3, 2),
        inversion(4),
        evaluation(4, 2, 100, 600),
        expansion(4, ["x1*x2", "sin(x1)^2/x2"]),
    ):
        costs = [estimate(order) for order in range(8)]
        assert all(
            low.multiplications < high.multiplications for low, high in itertools.pairwise(costs)
        )
    six = products(4, 2, 3)(6)
    assert (six.coefficients, six.product, six.multiplications) == (420, 3003, 9009)
    assert six.products == 3
    assert evaluation(4, 2, 100, 600)(6).multiplications == 2 * 210 * 100
    # One product, one division, one power, one function.
    assert expansion(4, ["x1*x2", "sin(x1)^2/x2"])(6).products == 1 + 1 + 20 + 5
    # What is computed by Horner's scheme takes a product for each order beside.
    assert expansion(4, ["gamma (1 + x1) + jn(2, x2)"])(6).products == 2 * (5 + 6)
    assert expansion(4, ["cos(x1)"])(6).products == 5
