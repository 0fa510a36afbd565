import numpy as np
import pytest

from tpsa_core import MTF, Algebra, ShapeError, SingularMapError, TaylorMap

ALGEBRA = Algebra("x", "px", order=6)
X, PX = ALGEBRA.variables()


def test_the_inverse_of_the_henon_map_is_the_known_polynomial_map() -> None:
    henon = TaylorMap([X + PX, PX - (X + PX) ** 2])
    assert henon.inverse().is_close(TaylorMap([X - PX - X**2, PX + X**2]), atol=1e-15)


def test_the_inverse_of_x_plus_x_squared_has_the_catalan_numbers() -> None:
    (x,) = Algebra(1, order=9).variables()
    inverse = TaylorMap([x + x**2]).inverse()[0]
    catalan = [1, 1, 2, 5, 14, 42, 132, 429, 1430]
    expected = [number * (-1) ** power for power, number in enumerate(catalan)]
    # Each is a sum of a few products; relative to the largest.
    assert [inverse[power] for power in range(1, 10)] == pytest.approx(expected, rel=1e-14)


def test_the_inverse_of_a_linear_map_is_the_inverse_matrix() -> None:
    matrix = np.array([[2.0, 1.0], [1.0, 1.0]])
    linear = TaylorMap([2 * X + PX, X + PX])
    assert linear.inverse().jacobian() == pytest.approx(np.linalg.inv(matrix), abs=1e-15)


@pytest.mark.parametrize(
    ("dimension", "order"), [(1, 1), (1, 2), (2, 1), (2, 7), (4, 6), (6, 4), (3, 10)]
)
@pytest.mark.parametrize("is_complex", [False, True])
def test_a_map_after_its_inverse_is_the_identity_to_rounding(
    dimension: int, order: int, *, is_complex: bool
) -> None:
    algebra = Algebra(dimension, order=order)
    random = np.random.default_rng(order)
    components = []
    for variable in algebra.variables():
        noise = random.uniform(-0.3, 0.3, algebra.size)
        if is_complex:
            noise = noise + 1j * random.uniform(-0.3, 0.3, algebra.size)
        noise[0] = 0
        components.append(variable + MTF(algebra, noise))
    taylor_map = TaylorMap(components)
    inverse = taylor_map.inverse()
    identity = TaylorMap.identity(algebra)
    # Rounding of the sums, in proportion to the largest coefficient of the inverse.
    tolerance = 1e-14 * max(1.0, *(function.norm() for function in inverse))
    assert (taylor_map @ inverse).is_close(identity, atol=tolerance)
    assert (inverse @ taylor_map).is_close(identity, atol=tolerance)
    assert inverse[0].is_complex == is_complex


@pytest.mark.parametrize("scale", [1e-8, 1e-150, 1e12])
def test_singularity_is_judged_by_condition_and_not_by_scale(scale: float) -> None:
    algebra = Algebra(2, order=2)
    x, y = algebra.variables()
    inverse = TaylorMap([scale * x, scale * y]).inverse()
    assert inverse.is_close(TaylorMap([x / scale, y / scale]), rtol=1e-15)
    different_units = TaylorMap([scale * x + y, scale * x - y]).inverse()
    assert different_units[0][1, 0] == pytest.approx(0.5 / scale, rel=1e-15)


@pytest.mark.parametrize(
    "components",
    [
        [X, X],
        [X**2, PX],
        [X + PX, X * (1 + 2**-52) + PX],
        [ALGEBRA.zero(), PX],
        [X, MTF.from_dict(ALGEBRA, {(0, 1): float("nan")})],
        [X, MTF.from_dict(ALGEBRA, {(0, 1): float("inf")})],
    ],
    ids=["equal", "square", "nearly equal", "zero", "nan", "inf"],
)
def test_a_singular_linear_part_is_refused_with_what_to_look_for(components: list[MTF]) -> None:
    with pytest.raises(SingularMapError) as caught:
        TaylorMap(components).inverse()
    assert caught.value.hint


def test_the_message_gives_the_condition_number() -> None:
    with pytest.raises(SingularMapError, match=r"condition number is \d\.\de\+1\d"):
        TaylorMap([X + PX, X * (1 + 2**-51) + PX]).inverse()


def test_a_constant_part_is_refused_with_the_way_around_it() -> None:
    shifted = TaylorMap([X + 1, PX])
    with pytest.raises(SingularMapError, match=r"constant part \[1.0, 0.0\]") as caught:
        shifted.inverse()
    assert "constant" in str(caught.value.hint)


def test_a_map_that_is_not_square_is_refused() -> None:
    with pytest.raises(ShapeError, match="3 components in 2 variables"):
        TaylorMap([X, PX, X]).inverse()


def test_a_map_without_a_known_linear_part_is_refused() -> None:
    with pytest.raises(SingularMapError, match="valid to order 0"):
        TaylorMap([X.truncate(0), PX.truncate(0)]).inverse()


def test_the_inverse_is_valid_to_the_order_of_the_map() -> None:
    inverse = TaylorMap([X + X**3, PX.truncate(3)]).inverse()
    assert inverse.valid_order == 3
    assert inverse[0].to_dict() == {(1, 0): 1.0, (3, 0): -1.0}
