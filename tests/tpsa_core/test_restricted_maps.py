"""Maps over algebras with parameters and lower orders: composition, inversion and brackets."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tpsa_core import (
    MTF,
    Algebra,
    ShapeError,
    SingularMapError,
    TaylorMap,
    VariableError,
    cos,
    sqrt,
)

KNOBS = Algebra("x", "px", order=5, parameters=("k1", "k2"), parameter_order=2)
CHROMATIC = Algebra("x", "px", "delta", order=5, orders={"delta": 2})
ALGEBRAS = [
    KNOBS,
    CHROMATIC,
    Algebra("x", "y", order=4, orders={"x": 2, "y": 3}),
    Algebra("x", "px", order=4, orders={"px": 2}, parameters=("k",), parameter_order=1),
]


def cell(algebra: Algebra) -> TaylorMap:
    """A lens of strength 1 + k1, a drift of length 1 + k2 and a kick, in two variables."""
    x, px, k1, k2 = algebra.variables()
    px = px - (1 + k1) * x + x**2 / 2
    return TaylorMap([x + (1 + k2) * px, px])


def unkept(algebra: Algebra, full: Algebra, rng: np.random.Generator) -> MTF:
    """A function of the full algebra whose only terms are those that the other does not keep."""
    values = rng.uniform(-1, 1, full.size)
    values[algebra.bounds.contain(full.exponents)] = 0
    return MTF(full, values)


@st.composite
def deviations(draw: st.DrawFn) -> tuple[Algebra, list[MTF], np.random.Generator]:
    """Small functions without constant parts, one for each variable, some terms missing."""
    algebra = draw(st.sampled_from(ALGEBRAS))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    result: list[MTF] = []
    for variable in algebra.variables():
        values = rng.uniform(-1, 1, algebra.size) / 8
        values[rng.uniform(size=algebra.size) < draw(st.sampled_from([0.0, 0.9]))] = 0
        values[0] = 0
        # Keep to the variable itself, or not.
        if draw(st.booleans()):
            values[algebra.exponents[:, algebra.position(variable.active_variables[0])] == 0] = 0
        result.append(MTF(algebra, values))
    return algebra, result, rng


def lifted(function: MTF) -> MTF:
    full = Algebra(*function.algebra.names, order=function.algebra.order)
    return MTF.from_dict(full, function.to_dict()) if function.to_dict() else full.zero()


def known_parts_agree(ours: MTF, full: MTF) -> bool:
    algebra = ours.algebra
    places = np.array([full.algebra.index(powers) for powers in algebra.exponents.tolist()])
    known = ours.known.contain(algebra.exponents)
    want = full.coefficients[places][known]
    assert not ours.coefficients[~known].any()
    return np.allclose(ours.coefficients[known], want, rtol=1e-9, atol=1e-11)


@given(deviations())
def test_what_a_composition_knows_does_not_depend_on_terms_that_are_not_kept(
    case: tuple[Algebra, list[MTF], np.random.Generator],
) -> None:
    algebra, inner, rng = case
    outer = MTF(algebra, rng.uniform(-1, 1, algebra.size))
    result = outer.compose(inner)
    full = Algebra(*algebra.names, order=algebra.order)
    for _ in range(2):
        whole = lifted(outer) + unkept(algebra, full, rng)
        whole_inner = [lifted(function) + unkept(algebra, full, rng) for function in inner]
        assert known_parts_agree(result, whole.compose(whole_inner))


@given(deviations())
def test_what_an_inverse_knows_does_not_depend_on_terms_that_are_not_kept(
    case: tuple[Algebra, list[MTF], np.random.Generator],
) -> None:
    algebra, small, rng = case
    taylor_map = TaylorMap([x + f for x, f in zip(algebra.variables(), small, strict=True)])
    inverse = taylor_map.inverse()
    full = Algebra(*algebra.names, order=algebra.order)
    whole = [lifted(function) + unkept(algebra, full, rng) / 8 for function in taylor_map]
    for ours, theirs in zip(inverse, TaylorMap(whole).inverse(), strict=True):
        assert known_parts_agree(ours, theirs)
    back = inverse @ taylor_map
    assert back.is_close(TaylorMap(algebra.variables()), atol=1e-11)


def test_a_variable_that_is_left_to_itself_costs_no_order() -> None:
    x, px, delta = CHROMATIC.variables()
    bend = TaylorMap([x * cos(delta) + px + delta**2, px - x**3, delta])
    twice = bend @ bend
    assert twice.valid_order == 5
    assert all(function.limits is None for function in twice)
    assert all(function.limits is None for function in bend.inverse())
    assert (delta + px).compose([px, x, 3 * delta]).limits is None


def test_a_variable_that_takes_in_others_costs_the_orders_that_are_then_unknown() -> None:
    x, px, delta = CHROMATIC.variables()
    # An unknown term δ³ of the outer function would give x³: degree 2 is the highest known one.
    mixed = (x**2 + delta**2).compose([x, px, delta + x])
    assert (mixed.valid_order, mixed[2, 0, 0]) == (2, 2.0)
    # With x² in its place it would give x⁶, past the order.
    assert (x**2 + delta**2).compose([x, px, x**2]).valid_order == 5
    # With δ·x nothing is lost, because δ³ is not kept.
    assert (x**2 + delta).compose([x, px, delta + delta * x]).valid_order == 5
    # Two parameters may change places.
    a, _, k1, k2 = KNOBS.variables()
    swapped = (a * k1).compose([a, a, k2, k1])
    assert (swapped.limits, swapped.to_dict()) == (None, {(1, 0, 0, 1): 1.0})
    assert (a * k1).compose([a, a, k2 * k2, a]).valid_order == 2


def test_parameters_are_carried_along_by_name() -> None:
    taylor_map = cell(KNOBS)
    assert len(taylor_map) == 2
    whole = TaylorMap([*taylor_map, *KNOBS.variables()[2:]])
    assert taylor_map @ taylor_map == TaylorMap([*(whole @ whole)][:2])
    assert taylor_map(taylor_map) == taylor_map @ taylor_map
    assert taylor_map.inverse() == TaylorMap([*whole.inverse()][:2])
    assert taylor_map.power(3) == taylor_map @ taylor_map @ taylor_map
    assert taylor_map.power(0) == TaylorMap.identity(KNOBS)
    assert taylor_map.power(-1) == taylor_map.inverse()
    assert len(TaylorMap.identity(KNOBS)) == 2
    identity = taylor_map.inverse() @ taylor_map
    assert identity.is_close(TaylorMap.identity(KNOBS), atol=1e-12)
    # At chosen strengths it is the map of the lens and the drift with these strengths.
    point, strengths = [0.01, -0.02], [0.1, -0.2]
    x = 0.01 + 0.8 * (-0.02 - 1.1 * 0.01 + 0.01**2 / 2)
    assert taylor_map([*point, *strengths])[0] == pytest.approx(x)
    assert taylor_map.jacobian().shape == (2, 4)


def test_a_map_in_another_algebra_needs_the_same_parameters() -> None:
    optics = Algebra("a", "b", order=3, parameters=("k2", "k1"), parameter_order=1)
    a, b, *_ = optics.variables()
    composed = cell(KNOBS) @ TaylorMap([a, b])
    assert composed.algebra is optics
    assert composed[0][1, 0, 0, 1] == -1.0
    with pytest.raises(VariableError, match="no variable 'k1'"):
        cell(KNOBS).compose(TaylorMap([*Algebra("a", "b", order=3).variables()]))
    with pytest.raises(ShapeError, match="3 functions for 4 variables"):
        cell(KNOBS)[0].compose([a, b, a])


def test_maps_with_parameters_are_symplectic_or_not() -> None:
    taylor_map = cell(KNOBS)
    assert taylor_map.is_symplectic()
    assert taylor_map.symplectic_errors().shape == (5,)
    x, px, k1, _ = KNOBS.variables()
    assert not TaylorMap([x * (1 + k1), px]).is_symplectic()
    assert x.poisson_bracket(px) == KNOBS.constant(1.0).truncate(4)
    odd = Algebra("x", order=3, parameters=("k",), parameter_order=1)
    with pytest.raises(ShapeError, match="1 variables do not form pairs"):
        odd.variable("x").poisson_bracket(odd.variable("x"))


def test_a_partial_inverse_keeps_parameters() -> None:
    taylor_map = cell(KNOBS)
    partial = taylor_map.partial_inverse(["px"])
    assert len(partial) == 2
    solved = TaylorMap([KNOBS.variable("x"), partial[1]])
    assert (taylor_map @ solved)[1].is_close(KNOBS.variable("px"), atol=1e-12)
    assert taylor_map.partial_inverse(["x", "px"]) == taylor_map.inverse()
    with pytest.raises(ShapeError, match=r"no component in the place of the parameters \['k1'\]"):
        taylor_map.partial_inverse(["x", "k1"])


def test_the_tune_depends_on_parameters_as_the_exact_one_does() -> None:
    x, px, k1, k2 = KNOBS.variables()
    lens = TaylorMap([x, px - (0.3 + k1) * x])
    drift = TaylorMap([x + (1 + k2) * px, px])
    turn = drift @ lens
    half_trace = (turn[0].derivative("x") + turn[1].derivative("px")) / 2
    for strength, length in ((0.0, 0.0), (0.01, 0.02), (-0.02, 0.01)):
        exact = 1 - (0.3 + strength) * (1 + length) / 2
        assert half_trace(0.0, 0.0, strength, length) == pytest.approx(exact, abs=1e-15)
    # The sine of the phase advance, to second order in the parameters.
    sine = sqrt(1 - half_trace**2)
    exact = np.sin(np.arccos(1 - 0.301 * 1.002 / 2))
    assert sine(0.0, 0.0, 0.001, 0.002) == pytest.approx(exact, abs=1e-7)


def test_a_map_whose_linear_part_is_not_known_has_no_inverse() -> None:
    x, px, k1, _ = Algebra(
        "x", "px", order=3, parameters=("k1", "k2"), parameter_order=1
    ).variables()
    slopes = TaylorMap([(k1 * x).derivative("k1"), px])
    assert slopes[0].valid_orders["k1"] == 0
    with pytest.raises(SingularMapError, match="not known"):
        slopes.inverse()
    with pytest.raises(SingularMapError, match="constant part"):
        TaylorMap([x + 1, px]).inverse()
    with pytest.raises(ShapeError, match="a map of 1 components in 4 variables has no inverse"):
        TaylorMap([x]).inverse()
