"""How far values of restricted algebras are known, and that they say so."""

import pickle  # noqa: TID251 -- our own bytes

import numpy as np
import pytest

from tpsa_core import MTF, Algebra, OrderError, TaylorMap, TaylorVector, exp, sin

KNOBS = Algebra("x", "px", order=5, parameters=("k1", "k2"), parameter_order=2)
CHROMATIC = Algebra("x", "px", "delta", order=5, orders={"delta": 2})
X, PX, DELTA = CHROMATIC.variables()
F = exp(X + PX * DELTA) + DELTA**2


def test_a_function_is_known_up_to_the_orders_of_its_algebra() -> None:
    assert (F.valid_order, F.limits) == (5, None)
    assert F.valid_orders == {"x": 5, "px": 5, "delta": 2}
    assert F.truncate(1).valid_orders == {"x": 1, "px": 1, "delta": 1}
    assert (F.valid_parameter_order, exp(KNOBS.variable("k1")).valid_parameter_order) == (0, 2)


def test_a_derivative_knows_one_power_less_of_a_variable_with_a_lower_order() -> None:
    slope = F.derivative("delta")
    assert (slope.valid_order, slope.valid_orders["delta"]) == (4, 1)
    assert slope[0, 0, 1] == 2.0
    message = r"the coefficient of \(0, 0, 2\) is unknown: valid to order 1 in 'delta'"
    with pytest.raises(OrderError, match=message):
        slope[0, 0, 2]
    with pytest.raises(OrderError, match="unknown: valid to order 4"):
        slope[5, 0, 0]
    assert "(valid to 4, and to 1 in 'delta') in x, px, delta" in slope.table()
    # The derivative with respect to another variable knows all powers of this one.
    assert F.derivative("x").valid_orders == {"x": 4, "px": 4, "delta": 2}
    assert F.derivative("x").limits is None


def test_a_derivative_by_a_parameter_knows_one_joint_degree_less() -> None:
    x, _, k1, k2 = KNOBS.variables()
    f = sin(x + k1) * exp(k2)
    slope = f.derivative("k1")
    assert (slope.valid_order, slope.valid_parameter_order) == (4, 1)
    assert "(valid to 4, and to 1 in 'k1', 'k2' together)" in slope.table()
    with pytest.raises(OrderError, match="valid to order 1 in 'k1', 'k2' together"):
        slope[0, 0, 1, 1]
    mixed = f.derivative((0, 0, 1, 1))
    assert (mixed.valid_order, mixed.valid_parameter_order) == (3, 0)
    assert mixed.constant == 1.0
    with pytest.raises(OrderError, match="valid to order 0 in 'k2' has no known derivative"):
        mixed.derivative("k2")
    with pytest.raises(OrderError, match="valid to order 0 in 'k1' has no known derivative"):
        f.derivative((0, 0, 3, 0))


def test_what_is_computed_from_a_derivative_knows_as_much() -> None:
    slope = F.derivative("delta")
    results = [slope + F, F - slope, slope * F, slope / F, 2 * slope, slope + 1, -slope, slope / 3]
    results += [exp(slope), slope**2, (1 + slope**2) ** 0.5, 1 / (1 + slope**2), slope.conjugate()]
    results += [slope.real, slope.apply([1.0, 2.0, 3.0, 0.0, 0.0, 0.0]), abs(slope + 9)]
    for result in results:
        assert result.known == slope.known
        assert not result.coefficients[~slope.known.contain(CHROMATIC.exponents)].any()
    assert slope.truncate(3).known == slope.known.lowered(3)
    assert slope.truncate(1).limits is None
    both = slope * F.derivative("x")
    assert both.known == slope.known
    assert (both.derivative("delta").valid_orders["delta"], both.valid_order) == (0, 4)


def test_an_antiderivative_knows_what_a_derivative_has_lost() -> None:
    for variable in CHROMATIC.names:
        back = F.derivative(variable).antiderivative(variable)
        assert back.limits is None
        assert back.valid_order == 5
    for variable in KNOBS.names:
        f = MTF(KNOBS, np.arange(1.0, KNOBS.size + 1))
        assert f.derivative(variable).antiderivative(variable).limits is None
    # What the other variable has lost stays lost.
    other = F.derivative("delta").antiderivative("x")
    assert other.valid_orders == {"x": 5, "px": 5, "delta": 1}


def test_functions_are_compared_where_both_are_known() -> None:
    slope = F.derivative("delta")
    exact = (exp(X + PX * DELTA) * PX + 2 * DELTA).truncate(4)
    assert slope.is_close(exact, rtol=1e-12)
    assert exact.is_close(slope, rtol=1e-12)
    assert not slope.is_close(exact + DELTA)
    # Of the square of δ the derivative says nothing.
    assert slope != exact + DELTA**2
    assert slope.is_close(exact + DELTA**2, rtol=1e-12)


def test_second_derivatives_need_the_second_powers() -> None:
    assert (X**2 + 3 * X * DELTA + DELTA**2).hessian().tolist() == [
        [2.0, 0.0, 3.0],
        [0.0, 0.0, 0.0],
        [3.0, 0.0, 2.0],
    ]
    assert F.laplacian().valid_orders == {"x": 3, "px": 3, "delta": 0}
    linear = Algebra("x", "d", order=3, orders={"d": 1})
    with pytest.raises(OrderError, match="not all second derivatives with respect to d are known"):
        linear.variable("x").hessian()
    knobs = Algebra("x", order=3, parameters=("k1", "k2"), parameter_order=1)
    with pytest.raises(OrderError, match="with respect to k1, k2 are known"):
        knobs.variable("x").hessian()
    assert knobs.variable("x").gradient().tolist() == [1.0, 0.0, 0.0]


def test_maps_and_vectors_know_what_all_of_their_parts_do() -> None:
    slope = F.derivative("delta")
    vector = TaylorVector.of([slope, F])
    assert (vector.valid_order, vector.known) == (4, slope.known)
    for made in (vector + vector, vector * F, 2 * vector, -vector, vector + 1.0, vector / 2):
        assert made.known == slope.known
        assert made[0].known == slope.known
    assert vector[:1].known == vector.concatenate(TaylorVector.of([F])).known == slope.known
    assert vector.derivative("delta").known.caps[2] == 0
    assert vector.derivative("delta").antiderivative("delta").known == slope.known
    assert vector.truncate(1).limits is None
    assert TaylorVector.of([F]).derivative("x").limits is None
    assert pickle.loads(pickle.dumps(vector)).known == vector.known  # noqa: S301 -- our own bytes
    with pytest.raises(OrderError, match="order 0 in 'delta' has no known derivative"):
        vector.derivative("delta").derivative("delta")
    composed = TaylorMap([slope, PX, DELTA]) @ TaylorMap([X, PX, DELTA])
    assert composed[0].known == slope.known
    assert composed[1].limits is None


def test_what_an_inner_function_does_not_know_a_composition_does_not_know() -> None:
    slope = (X * DELTA + DELTA**2 / 2).derivative("delta")
    composed = (X**2 + PX).compose([slope, PX, DELTA])
    assert composed.valid_orders["delta"] == 1
    assert composed[1, 0, 1] == 2.0


def test_substitution_and_translation_take_the_function_as_a_polynomial() -> None:
    slope = F.derivative("delta")
    for result in (
        slope.substitute({"x": 0.5}),
        slope.translate([0.1, 0.0, 0.0]),
        slope.integral("x", 0, 1),
    ):
        assert result.known == slope.known
