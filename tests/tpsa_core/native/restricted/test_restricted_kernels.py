"""The kernels of restricted plans: products of small integers are exact, and must be equal."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

Array = npt.NDArray[Any]
pytestmark = pytest.mark.usefixtures("level")


@pytest.mark.parametrize("kinds", [(False, False), (True, False), (False, True), (True, True)])
def test_products_equal_the_naive_ones(
    series: Any, rng: np.random.Generator, kinds: tuple[bool, bool]
) -> None:
    left, right = (series.integers(rng, is_complex=kind) for kind in kinds)
    assert np.array_equal(series.call("multiply", left, right), series.product(left, right))
    assert np.array_equal(series.call("square", left), series.product(left, left))


def test_degrees_that_are_empty_may_be_left_out(series: Any, rng: np.random.Generator) -> None:
    order = series.case.order
    for is_complex in (False, True) * 4:
        bounds: list[int] = []
        factors: list[Array] = []
        for _ in range(2):
            low, high = sorted(rng.integers(0, order + 1, 2).tolist())
            values = series.integers(rng, is_complex=is_complex)
            values[(series.degrees < low) | (series.degrees > high)] = 0
            bounds += [low, high]
            factors.append(values)
        cut = int(rng.integers(0, order + 1))
        result = np.full(series.size, np.nan, dtype=factors[0].dtype)
        left, right = (series.block(values) for values in factors)
        series.native.multiply(series.plan, left, right, result, *bounds, cut)
        want = series.product(*factors)
        want[series.degrees > cut] = 0
        assert np.array_equal(series.graded(result), want)


def test_rows_are_multiplied_in_lanes(series: Any, rng: np.random.Generator) -> None:
    for rows in (1, 3, 5, 8):
        left = np.array([series.integers(rng) for _ in range(rows)])
        right = np.array([series.integers(rng) for _ in range(rows)])
        result = np.full_like(left, np.nan)
        series.native.multiply_rows(series.plan, series.block(left), series.block(right), result)
        for row, product in enumerate(series.graded(result)):
            assert np.array_equal(product, series.product(left[row], right[row]))


@pytest.mark.parametrize("is_complex", [False, True])
def test_functions_obey_their_laws(
    series: Any, rng: np.random.Generator, *, is_complex: bool
) -> None:
    f = series.integers(rng, is_complex=is_complex) / 16
    f[0] = 1.25
    one = np.eye(series.size)[0]

    def near(got: Array, want: Array, *factors: Array) -> bool:
        scale = max(1.0, *(np.abs(factor).max() for factor in factors)) ** 2
        return bool(np.abs(got - want).max() <= 1e-11 * scale)

    inverse = series.call("divide", one.astype(f.dtype), f)
    assert near(series.product(f, inverse), one, inverse)
    exponential, opposite = series.call("exp", f), series.call("exp", -f)
    assert near(series.product(exponential, opposite), one, exponential, opposite)
    root = series.call("sqrt", f)
    assert near(series.product(root, root), f, root)
    third = series.call("power", f, 1 / 3)
    assert near(series.product(third, series.product(third, third)), f, third)
    for name, sign in (("sine_cosine", 1), ("hyperbolic", -1)):
        odd, even = np.full_like(f, np.nan), np.full_like(f, np.nan)
        getattr(series.native, name)(series.plan, series.block(f), odd, even)
        odd, even = series.graded(odd), series.graded(even)
        circle = series.product(even, even) + sign * series.product(odd, odd)
        assert near(circle, one, odd, even)


@pytest.mark.parametrize("point_kind", [False, True])
def test_values_are_sums_of_powers(
    series: Any, rng: np.random.Generator, *, point_kind: bool
) -> None:
    for is_complex in (False, True):
        rows = np.array([series.integers(rng, is_complex=is_complex) for _ in range(7)])
        points = rng.integers(-2, 3, (29, len(series.case.caps))).astype(float)
        points = points + 1j if point_kind else points
        result = np.empty((7, 29), dtype=np.result_type(rows, points))
        series.native.evaluate(series.plan, series.block(rows), points, result)
        powers = np.array(series.exponents)
        monomials = (points[:, np.newaxis, :] ** powers).prod(axis=2)
        assert np.allclose(result, rows @ monomials.T, rtol=1e-13)


@pytest.mark.parametrize("kinds", [(False, False), (True, False), (False, True)])
@pytest.mark.parametrize("constant", [0, 2])
def test_compositions_equal_the_naive_ones(
    series: Any, rng: np.random.Generator, kinds: tuple[bool, bool], constant: int
) -> None:
    dimension = len(series.case.caps)
    outer = np.array([series.integers(rng, is_complex=kinds[0]) for _ in range(3)])
    outer[:, rng.uniform(size=series.size) < 0.5] = 0
    inner = np.array([series.integers(rng, is_complex=kinds[1]) for _ in range(dimension)])
    inner[:, rng.uniform(size=series.size) < 0.6] = 0
    # The last variable is a multiple of itself, as parameters are.
    inner[-1] = 0
    inner[:, 0] = constant
    inner[-1, series.index[(*[0] * (dimension - 1), 1)]] = 3
    powers = {(0,) * dimension: np.eye(series.size)[0]}
    for monomial in series.exponents[1:]:
        variable = next(place for place, power in enumerate(monomial) if power)
        parent = tuple(power - (place == variable) for place, power in enumerate(monomial))
        powers[monomial] = series.product(powers[parent], inner[variable])
    want = outer @ np.array([powers[monomial] for monomial in series.exponents])
    result = np.full((3, series.size), np.nan, dtype=np.result_type(outer, inner))
    plan = series.plan
    series.native.compose(plan, series.block(outer), plan, series.block(inner), result)
    assert np.array_equal(series.graded(result), want)


@pytest.mark.parametrize("is_complex", [False, True])
def test_an_inverse_leads_back(series: Any, rng: np.random.Generator, *, is_complex: bool) -> None:
    dimension = len(series.case.caps)
    rows = np.array([series.integers(rng, is_complex=is_complex) for _ in range(dimension)]) / 64
    rows[:, 0] = 0
    identity = np.zeros_like(rows)
    for variable in range(dimension):
        powers = tuple(int(place == variable) for place in range(dimension))
        identity[variable, series.index[powers]] = 1
    rows[-1] = 0
    rows += identity
    linear = np.linalg.inv(rows[:, 1 : 1 + dimension])
    # The linear terms follow the constant one, in the order of the variables.
    assert np.array_equal(identity[:, 1 : 1 + dimension], np.eye(dimension))
    plan, block = series.plan, series.block(rows)
    inverse, back = np.full_like(rows, np.nan), np.full_like(rows, np.nan)
    series.native.inverse(plan, block, linear, inverse)
    series.native.compose(plan, block, plan, inverse, back)
    assert np.abs(series.graded(back) - identity).max() < 1e-12
