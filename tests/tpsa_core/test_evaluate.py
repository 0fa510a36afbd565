import numpy as np
import pytest

from tpsa_core import MTF, Algebra, ShapeError, TaylorMap

ALGEBRA = Algebra("x", "y", order=3)
X, Y = ALGEBRA.variables()


def _polynomial(points: np.ndarray) -> np.ndarray:
    x, y = points[..., 0], points[..., 1]
    return 0.25 + 0.5 * x - x * y**2


FUNCTION = 0.25 + 0.5 * X - X * Y**2


def test_a_call_with_numbers_gives_a_python_number() -> None:
    assert FUNCTION(2.0, 3.0) == -16.75
    assert type(FUNCTION(2, np.float32(3))) is float
    assert FUNCTION(1j, 0.0) == 0.25 + 0.5j


@pytest.mark.parametrize("shape", [(2,), (1, 2), (7, 2), (30_000, 2), (3, 4, 2), (0, 2)])
def test_points_of_any_number_give_values_of_that_shape(shape: tuple[int, ...]) -> None:
    points = np.random.default_rng(0).normal(size=shape)
    values = FUNCTION.evaluate(points)
    assert values.shape == shape[:-1]
    assert values.dtype == np.float64
    # Three terms of a few units; the points reach 4, so products reach 64.
    assert np.allclose(values, _polynomial(points), rtol=1e-13, atol=1e-13)


def test_integer_points_are_evaluated_as_real_numbers() -> None:
    points = np.ones((20_001, 2), dtype=np.int64)
    assert np.all(FUNCTION.evaluate(points) == -0.25)
    assert FUNCTION.evaluate(np.array([[2**31, 1]]))[0] == 0.25 - 0.5 * 2**31


@pytest.mark.parametrize("count", [3, 20_001])
def test_complex_coefficients_and_complex_points_give_complex_values(count: int) -> None:
    ones = np.ones((count, 2))
    assert np.all((1j * X + 1).evaluate(ones) == 1 + 1j)
    assert np.all((X + 1).evaluate(1j * ones) == 1 + 1j)
    assert np.all((1j * X).evaluate(1j * ones) == -1)


@pytest.mark.parametrize(("dimension", "order"), [(1, 12), (2, 9), (3, 6), (6, 4)])
@pytest.mark.parametrize("components", [1, 5])
def test_many_points_agree_with_one_at_a_time(dimension: int, order: int, components: int) -> None:
    algebra = Algebra(dimension, order=order)
    random = np.random.default_rng(dimension)
    functions = [MTF(algebra, random.normal(size=algebra.size)) for _ in range(components)]
    points = random.uniform(-1, 1, (5_000, dimension))
    values = TaylorMap(functions)(points)
    for index in range(0, 5_000, 611):
        single = [function(*points[index]) for function in functions]
        # Up to 210 terms of normal size are added up, in another order.
        assert values[index] == pytest.approx(single, abs=1e-12)


def test_a_constant_and_an_order_of_zero_evaluate_everywhere() -> None:
    algebra = Algebra(3, order=0)
    assert np.all(algebra.constant(2.5).evaluate(np.zeros((5_000, 3))) == 2.5)
    assert ALGEBRA.zero().evaluate([[1.0, 2.0]]) == [0.0]


@pytest.mark.parametrize(
    ("points", "message"),
    [
        ([[1.0, 2.0, 3.0]], r"shape \(1, 3\) for 2 variables"),
        (5.0, r"shape \(\) for 2 variables"),
        ([["a", "b"]], "no numbers"),
        ([[1.0, 2.0], [1.0]], "do not form an array"),
        ([[None, None]], "no numbers"),
    ],
)
def test_points_of_a_wrong_shape_or_type_are_refused(points: list[float], message: str) -> None:
    with pytest.raises(ShapeError, match=message):
        FUNCTION.evaluate(points)


@pytest.mark.parametrize("arguments", [(), (1.0,), (1.0, 2.0, 3.0), ("1", 2.0), ([1.0, 2.0],)])
def test_a_call_without_one_number_for_each_variable_is_refused(
    arguments: tuple[float, ...],
) -> None:
    with pytest.raises(ShapeError, match="2 numbers"):
        FUNCTION(*arguments)


@pytest.mark.parametrize("count", [3, 20_000])
def test_values_go_into_an_array_of_the_caller(count: int) -> None:
    points = np.random.default_rng(1).normal(size=(count, 2))
    out = np.empty(count)
    assert FUNCTION.evaluate(points, out=out) is out
    assert out.tolist() == FUNCTION.evaluate(points).tolist()
    taylor_map = TaylorMap([FUNCTION, X])
    both = np.empty((count, 2))
    assert taylor_map.evaluate(points, out=both) is both
    assert both[:, 0] == pytest.approx(out, rel=1e-13)
    # The points may be overwritten: a turn of tracking in place.
    taylor_map.evaluate(points, out=points)
    assert points.tolist() == both.tolist()


@pytest.mark.parametrize("count", [3, 20_000])
def test_single_precision_comes_on_request_only(count: int) -> None:
    points = np.random.default_rng(2).normal(size=(count, 2)).astype(np.float32)
    exact = FUNCTION.evaluate(points)
    assert exact.dtype == np.float64
    single = FUNCTION.evaluate(points, dtype=np.float32)
    assert single.dtype == np.float32
    # Rounded a few times in terms that reach a hundred.
    assert single == pytest.approx(exact, abs=1e-4)
    assert np.abs(single - exact).max() > 0
    out = np.empty(count, dtype=np.float32)
    assert FUNCTION.evaluate(points, out=out).tolist() == single.tolist()
    rounded = FUNCTION.evaluate(points, dtype="float64", out=out)
    assert rounded.tolist() == exact.astype(np.float32).tolist()
    assert (1j * FUNCTION).evaluate(points, dtype="complex64").dtype == np.complex64


def test_types_and_arrays_that_do_not_fit_the_values_are_refused() -> None:
    points = np.zeros((5, 2))
    with pytest.raises(ShapeError, match=r"shape \(4, 1\) for values of shape \(5, 1\)"):
        FUNCTION.evaluate(points, out=np.empty(4))
    with pytest.raises(ShapeError, match="complex values do not fit the type float64"):
        FUNCTION.evaluate(1j * points, out=np.empty(5))
    with pytest.raises(ShapeError, match="values of type int64 are not computed"):
        FUNCTION.evaluate(points, dtype=np.int64)
    with pytest.raises(ShapeError, match="complex values do not fit the type float32"):
        (1j * FUNCTION).evaluate(points, dtype=np.float32)
    assert FUNCTION.evaluate(points, out=np.empty(5, dtype=complex)).dtype == np.complex128
