"""Laws of restricted algebras: every operation is that of the full algebra, less what is not kept.

The monomials that are not kept form an ideal, so that leaving them out commutes with the operations
of the ring exactly: coefficients are small integers here, and must agree to the last bit.
"""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tpsa_core
from tpsa_core import MTF, Algebra, TaylorVector

ALGEBRAS = [
    Algebra("x", "px", order=5, parameters=("k1", "k2"), parameter_order=2),
    Algebra("x", "px", "delta", order=5, orders={"delta": 2}),
    Algebra("x", order=6, parameters=("k1", "k2", "k3"), parameter_order=1),
    Algebra("x", "y", order=4, orders={"x": 2, "y": 3}),
    Algebra("a", "b", "c", order=3, orders={"a": 1, "b": 1, "c": 1}),
    Algebra(4, order=4, orders={"x1": 1, "x3": 2}, parameters=("k",), parameter_order=3),
    Algebra("x", order=5, parameters=("k1", "k2"), parameter_order=3, orders={"k1": 1}),
]
NAMES = ["exp", "log", "sqrt", "sin", "cos", "tan", "sinh", "cosh", "tanh", "atan", "asinh"]
FUNCTIONS: dict[str, Callable[[MTF], MTF]] = {
    **{name: getattr(tpsa_core, name) for name in [*NAMES, "erf", "gamma", "j0"]},
    "reciprocal": lambda f: 1 / f,
    "power": lambda f: f**0.3,
    "negative power": lambda f: f**-2,
    "power of a number": lambda f: 2.0**f,
    "power of a function": lambda f: f**f,
}


def full_algebra(algebra: Algebra) -> Algebra:
    return Algebra(*algebra.names, order=algebra.order)


def lifted(function: MTF) -> MTF:
    """The function with the same coefficients in the full algebra."""
    full = full_algebra(function.algebra)
    return MTF.from_dict(full, function.to_dict()) if function.to_dict() else full.zero()


def projected(algebra: Algebra, function: MTF) -> MTF:
    """What a restricted algebra keeps of a function."""
    places = [function.algebra.index(powers) for powers in algebra.exponents.tolist()]
    return MTF(algebra, function.coefficients[places])


@st.composite
def functions(draw: st.DrawFn, count: int) -> list[MTF]:
    """So many functions of one algebra, with integer coefficients, some of them sparse."""
    algebra = draw(st.sampled_from(ALGEBRAS))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    result: list[MTF] = []
    for _ in range(count):
        values = rng.integers(-5, 6, algebra.size).astype(float)
        values[rng.uniform(size=algebra.size) < draw(st.sampled_from([0.0, 0.5, 0.95]))] = 0
        if draw(st.booleans()):
            values = values + 1j * rng.integers(-5, 6, algebra.size)
        result.append(MTF(algebra, values))
    return result


@given(functions(3))
def test_functions_form_a_commutative_ring(operands: list[MTF]) -> None:
    f, g, h = operands
    assert f * g == g * f
    assert (f * g) * h == f * (g * h)
    assert f * (g + h) == f * g + f * h
    assert f * 1 == f
    assert f - f == f.algebra.zero()


@given(functions(2), st.integers(0, 6))
def test_ring_operations_are_those_of_the_full_algebra(operands: list[MTF], order: int) -> None:
    f, g = operands
    algebra = f.algebra
    assert f + g == projected(algebra, lifted(f) + lifted(g))
    assert f - 3 * g == projected(algebra, lifted(f) - 3 * lifted(g))
    assert f * g == projected(algebra, lifted(f) * lifted(g))
    assert f * f == projected(algebra, lifted(f) * lifted(f))
    assert f**3 == projected(algebra, lifted(f) ** 3)
    cut = f.truncate(order) * g
    assert cut == projected(algebra, lifted(f).truncate(order) * lifted(g))
    assert cut.valid_order == min(order, algebra.order)


@given(functions(2))
def test_whole_vectors_are_multiplied_as_their_elements_are(operands: list[MTF]) -> None:
    f, g = operands
    left, right = TaylorVector.of([f, g, f + g, f - g, f]), TaylorVector.of([g, g, f, f, f])
    for product, first, second in zip(left * right, left, right, strict=True):
        assert product == first * second
    assert (left + right)[2] == left[2] + right[2]
    assert (left * f)[1] == g * f
    assert left.sum() == f + g + (f + g) + (f - g) + f


@pytest.mark.parametrize("name", FUNCTIONS)
@given(data=st.data())
def test_functions_are_those_of_the_full_algebra(data: st.DataObject, name: str) -> None:
    function = FUNCTIONS[name]
    (f,) = data.draw(functions(1))
    f = f.real / 16
    f = f - f.constant + 1.25
    got, want = function(f), projected(f.algebra, function(lifted(f)))
    # Different sums of the same terms: rounding in proportion to the largest of them.
    assert got.is_close(want, rtol=1e-9, atol=1e-12 * max(1.0, want.norm()))
    assert got.valid_order == f.algebra.order


@given(functions(2))
def test_quotients_undo_products(operands: list[MTF]) -> None:
    f, g = operands
    g = g / 8 - g.constant / 8 + 2
    scale = max(1.0, (1 / g).norm()) * max(1.0, (f * g).norm())
    assert ((f * g) / g).is_close(f, atol=1e-12 * scale)
    slope = g.real / g.real.norm()
    angle = tpsa_core.atan2(slope, 1 + 0 * slope)
    assert angle.is_close(tpsa_core.atan(slope), rtol=1e-9, atol=1e-9)


@given(functions(2), st.integers(0, 4))
def test_derivatives_obey_the_product_rule_where_they_are_known(
    operands: list[MTF], position: int
) -> None:
    f, g = operands
    variable = position % f.algebra.dimension
    product, slope = (f * g).derivative(variable), f.derivative(variable)
    rule = slope * g + f * g.derivative(variable)
    assert product == rule
    assert product.known == rule.known == slope.known
    want = projected(f.algebra, lifted(f).derivative(variable))
    known = slope.known.contain(f.algebra.exponents)
    assert np.array_equal(slope.coefficients[known], want.coefficients[known])
    assert not slope.coefficients[~known].any()


@given(functions(1), st.integers(0, 4))
def test_antiderivatives_are_those_of_the_full_algebra(operands: list[MTF], position: int) -> None:
    (f,) = operands
    variable = position % f.algebra.dimension
    integral = f.antiderivative(variable)
    assert integral == projected(f.algebra, lifted(f).antiderivative(variable))
    back = integral.derivative(variable)
    known = back.known.contain(f.algebra.exponents)
    assert np.allclose(back.coefficients[known], f.coefficients[known], rtol=1e-15, atol=0)


@given(functions(1), st.integers(0, 4), st.integers(-3, 3))
def test_polynomials_keep_their_values(operands: list[MTF], position: int, step: int) -> None:
    (f,) = operands
    algebra, variable = f.algebra, position % f.algebra.dimension
    point = np.arange(1.0, algebra.dimension + 1)
    # Integers throughout: exact.
    assert f(*point) == lifted(f)(*point)
    assert np.array_equal(f.evaluate([point] * 40), [f(*point)] * 40)
    assert f.substitute({variable: step}) == projected(
        algebra, lifted(f).substitute({variable: step})
    )
    offset = step * np.eye(algebra.dimension)[variable]
    assert f.translate(offset) == projected(algebra, lifted(f).translate(offset))
    definite = f.integral(variable, 0, 2 * step)
    want = projected(algebra, lifted(f).integral(variable, 0, 2 * step))
    assert definite.is_close(want, rtol=1e-14, atol=1e-12)


@pytest.mark.parametrize("algebra", ALGEBRAS)
def test_values_at_many_points_are_those_of_the_full_algebra(algebra: Algebra) -> None:
    rng = np.random.default_rng(7)
    points = rng.uniform(-1, 1, (3_000, algebra.dimension))
    for values in (rng.normal(size=algebra.size), 1j * rng.normal(size=algebra.size)):
        f = MTF(algebra, values)
        for at in (points, points + 0.25j):
            assert np.allclose(f.evaluate(at), lifted(f).evaluate(at), rtol=1e-12, atol=1e-12)
    single = MTF(algebra, rng.normal(size=algebra.size)).evaluate(points, dtype=np.float32)
    assert single.dtype == np.float32
