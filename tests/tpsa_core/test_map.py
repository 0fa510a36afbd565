import copy
import pickle  # noqa: TID251 -- that values survive it is what is tested

import numpy as np
import pytest

from tpsa_core import (
    Algebra,
    AlgebraMismatchError,
    DomainError,
    LimitError,
    OrderError,
    ShapeError,
    SingularMapError,
    TaylorMap,
    VariableError,
)

ALGEBRA = Algebra("x", "px", order=4)
X, PX = ALGEBRA.variables()
HENON = TaylorMap([X + PX, PX - (X + PX) ** 2])


def test_a_map_is_a_sequence_of_functions() -> None:
    assert len(HENON) == 2
    assert list(HENON) == [HENON[0], HENON[1]] == list(HENON.components)
    assert HENON.algebra == ALGEBRA
    assert HENON[-1] == PX - (X + PX) ** 2
    with pytest.raises(IndexError):
        _ = HENON[2]


def test_slices_and_concatenation_are_maps() -> None:
    first, second = HENON[:1], HENON[1:]
    assert isinstance(first, TaylorMap)
    assert first.concatenate(second) == HENON == HENON.concatenate()
    assert len(HENON.concatenate(HENON, first)) == 5
    assert HENON[::-1] == TaylorMap([HENON[1], HENON[0]])
    with pytest.raises(ShapeError, match="at least one component"):
        _ = HENON[2:]
    with pytest.raises(AlgebraMismatchError):
        HENON.concatenate(TaylorMap.identity(Algebra(2, order=4)))


def test_norms_are_the_largest_of_the_components() -> None:
    taylor_map = TaylorMap([3 * X - 4 * PX, 5 * X**2])
    assert taylor_map.norm() == 5.0
    assert taylor_map.norm(1) == 7.0
    assert taylor_map.order_norms().tolist() == [0.0, 4.0, 5.0, 0.0, 0.0]
    assert taylor_map.order_norms(2).tolist() == [0.0, 5.0, 5.0, 0.0, 0.0]


def test_a_map_needs_functions_of_one_algebra() -> None:
    with pytest.raises(ShapeError, match="at least one component"):
        TaylorMap([])
    with pytest.raises(ShapeError, match="is no function"):
        TaylorMap([X, 1.0])  # pyright: ignore[reportArgumentType] -- it is what is refused
    with pytest.raises(AlgebraMismatchError):
        TaylorMap([X, Algebra(2, order=4).variable(0)])


def test_calling_a_map_gives_values_in_the_shape_of_the_points() -> None:
    assert HENON(0.5, 0.25).tolist() == [0.75, -0.3125]
    assert HENON([0.5, 0.25]).tolist() == [0.75, -0.3125]
    assert HENON(np.zeros((5, 3, 2))).shape == (5, 3, 2)
    tracked = HENON(np.array([[0.5, 0.25], [1, 0]]))
    assert tracked.tolist() == [[0.75, -0.3125], [1.0, -1.0]]
    assert TaylorMap([Algebra(1, order=2).variable(0) ** 2])(3.0).tolist() == [9.0]
    with pytest.raises(ShapeError, match="for 2 variables"):
        HENON(1.0)
    with pytest.raises(ShapeError, match="for 2 variables"):
        HENON()


def test_calling_a_map_with_a_map_composes_them() -> None:
    assert HENON(HENON) == HENON @ HENON == HENON.compose(HENON)
    point = (0.25, -0.125)
    # The map is of degree two, the composition of degree four: nothing is cut off.
    assert (HENON @ HENON)(*point) == pytest.approx(HENON(HENON(*point)), abs=1e-16)


def test_the_identity_changes_nothing() -> None:
    identity = TaylorMap.identity(ALGEBRA)
    assert identity @ HENON == HENON @ identity == HENON
    assert identity(3.0, 4.0).tolist() == [3.0, 4.0]


def test_maps_of_other_sizes_compose_when_they_fit() -> None:
    energy = TaylorMap([(X**2 + PX**2) / 2])
    assert len(energy @ HENON) == 1
    with pytest.raises(ShapeError, match="1 functions for 2 variables"):
        _ = HENON @ energy
    with pytest.raises(TypeError):
        _ = HENON @ 2  # pyright: ignore[reportOperatorIssue] -- it is what is refused


def test_arithmetic_goes_by_components() -> None:
    assert (HENON + HENON)[1] == 2 * HENON[1]
    assert (HENON - HENON)[0] == ALGEBRA.zero()
    assert (HENON * HENON)[0] == (X + PX) ** 2
    assert 2 * HENON / 2 == HENON
    assert -HENON + HENON == 0 * HENON
    assert (HENON + 1)[1] == HENON[1] + 1 == (1 + HENON)[1]
    assert (1 - HENON)[0] == 1 - X - PX
    assert (1 / (HENON + 1))[0] == 1 / (1 + X + PX)
    assert (HENON / (HENON + 2))[0] == HENON[0] / (HENON[0] + 2)


def test_a_function_meets_every_component() -> None:
    assert (X * HENON)[1] == X * HENON[1] == (HENON * X)[1]
    assert (HENON - PX)[0] == X
    assert (1 + X - HENON)[0] == 1 - PX
    assert (HENON / (1 + X))[0] == (X + PX) / (1 + X)
    assert (X / (1 + HENON))[0] == X / (1 + X + PX)
    with pytest.raises(AlgebraMismatchError):
        _ = HENON * Algebra(2, order=4).variable(0)


def test_arithmetic_refuses_what_does_not_fit() -> None:
    with pytest.raises(ShapeError, match="maps of 2 and 1 components"):
        _ = HENON + TaylorMap([X])
    with pytest.raises(TypeError):
        _ = HENON + "x"  # pyright: ignore[reportOperatorIssue] -- it is what is refused
    with pytest.raises(TypeError):
        _ = np.ones(2) * HENON  # pyright: ignore[reportOperatorIssue] -- it is what is refused
    with pytest.raises(DomainError):
        _ = 1 / HENON


def test_the_jacobian_has_a_row_for_each_component() -> None:
    assert HENON.jacobian().tolist() == [[1.0, 1.0], [0.0, 1.0]]
    assert HENON.jacobian([1.0, 0.5]).tolist() == [[1.0, 1.0], [-3.0, -2.0]]
    with pytest.raises(ShapeError, match="no single point"):
        HENON.jacobian([[1.0, 0.5]])
    for point in (None, [0.0, 0.0]):
        with pytest.raises(OrderError):
            TaylorMap([X.truncate(0)]).jacobian(point)


def test_truncation_and_valid_order_cover_all_components() -> None:
    assert HENON.truncate(1)[1] == PX
    assert HENON.truncate(1).valid_order == 1
    assert TaylorMap([X, X.derivative("x")]).valid_order == 3


def test_constants_and_coefficients_are_arrays() -> None:
    shifted = HENON + 1
    assert shifted.constant.tolist() == [1.0, 1.0]
    assert shifted.coefficients.shape == (2, ALGEBRA.size)


def test_closeness_and_equality() -> None:
    assert HENON.is_close(HENON + 1e-12, atol=1e-11)
    assert not HENON.is_close(HENON + 1e-12)
    assert hash(HENON) == hash(TaylorMap(list(HENON)))
    assert TaylorMap([X, PX]) != HENON
    assert HENON != [X, PX]
    with pytest.raises(ShapeError):
        HENON.is_close(TaylorMap([X]))


def test_maps_survive_copying_and_pickling() -> None:
    assert copy.deepcopy(HENON) == HENON
    assert pickle.loads(pickle.dumps(HENON)) == HENON  # noqa: S301 -- our own bytes


def test_the_repr_shows_a_table_for_each_of_the_first_components() -> None:
    text = repr(HENON)
    assert text.startswith("Taylor map of 2 components\n[0] Taylor function of order 4 in x, px")
    assert "[1] Taylor function" in text
    assert "… and 4 more components" in repr(TaylorMap([X] * 10))


def test_powers_of_a_map_are_repeated_compositions() -> None:
    assert HENON.power(1) == HENON
    assert HENON.power(3) == HENON @ HENON @ HENON
    assert HENON.power(0) == TaylorMap.identity(ALGEBRA)
    assert (HENON.power(-2) @ HENON.power(2)).is_close(TaylorMap.identity(ALGEBRA), atol=1e-13)
    assert HENON.truncate(2).power(0).valid_order == 2


def test_only_integer_powers_of_square_maps_exist() -> None:
    for exponent in (0.5, "2", True):
        with pytest.raises(ShapeError, match="is no integer"):
            HENON.power(exponent)  # pyright: ignore[reportArgumentType] -- it is what is refused
    with pytest.raises(ShapeError, match="a map of 1 components in 2 variables"):
        HENON[:1].power(2)
    with pytest.raises(LimitError, match="an integer power beyond"):
        HENON.power(2**60)
    with pytest.raises(SingularMapError):
        (0 * HENON).power(-1)


def test_a_partial_inverse_exchanges_variables_for_components() -> None:
    algebra = Algebra("x", "px", "y", order=4)
    x, px, y = algebra.variables()
    taylor_map = TaylorMap([x + px * y + x**2, 2 * px - x**2, y + x * px])
    partial = taylor_map.partial_inverse(["x"])
    # The result says x and the other components in terms of the first component, px and y.
    solved = TaylorMap([partial[0], px, y])
    assert (taylor_map @ solved)[0].is_close(x, atol=1e-14)
    assert (taylor_map[1:] @ solved).is_close(partial[1:], atol=1e-14)
    # Doing it twice leads back.
    assert partial.partial_inverse([0]).is_close(taylor_map, atol=1e-13)
    assert taylor_map.partial_inverse([]) == taylor_map
    assert taylor_map.partial_inverse(algebra.names) == taylor_map.inverse()


def test_a_partial_inverse_keeps_parameters() -> None:
    algebra = Algebra("x", "k", order=3)
    x, k = algebra.variables()
    partial = TaylorMap([x * (1 + k), k]).partial_inverse(["x"])
    assert partial.is_close(TaylorMap([x / (1 + k), k]), atol=1e-15)
    with pytest.raises(SingularMapError):
        TaylorMap([x * k, k]).partial_inverse(["x"])
    with pytest.raises(VariableError):
        TaylorMap([x, k]).partial_inverse(["y"])
    with pytest.raises(ShapeError):
        TaylorMap([x]).partial_inverse(["x"])


def test_substitution_and_translation_go_by_components() -> None:
    assert HENON.substitute({"x": 0.5}) == TaylorMap([f.substitute({"x": 0.5}) for f in HENON])
    assert HENON.substitute({"px": X})[0] == 2 * X
    assert HENON.translate([1.0, 2.0])(0.25, 0.5) == pytest.approx(HENON(1.25, 2.5))
    assert HENON.derivative("x") == TaylorMap([f.derivative("x") for f in HENON])


def test_a_kick_is_symplectic_and_a_damping_is_not() -> None:
    assert HENON.is_symplectic()
    assert HENON.symplectic_errors().tolist() == [0.0, 0.0, 0.0, 0.0]
    damped = TaylorMap([X, 0.75 * PX + X**2 * PX])
    # The bracket of the components is the determinant 0.75 + x².
    assert damped.symplectic_errors().tolist() == [0.25, 0.0, 1.0, 0.0]
    assert damped.symplectic_error() == 1.0
    assert not damped.is_symplectic()
    assert damped.is_symplectic(atol=1.0)


def test_symplecticity_holds_for_the_named_pairs_of_variables() -> None:
    algebra = Algebra("x", "y", "px", "py", "delta", order=3)
    x, y, px, py, delta = algebra.variables()
    kick = TaylorMap([x, y, px + (1 + delta) * (x**2 - y**2), py - 2 * (1 + delta) * x * y, delta])
    pairs = [("x", "px"), ("y", "py")]
    assert kick.is_symplectic(pairs=pairs)
    assert kick[:4].is_symplectic(pairs=pairs)
    assert not (2 * kick).is_symplectic(pairs=pairs)
    with pytest.raises(ShapeError, match="5 variables do not form pairs"):
        kick.is_symplectic()
    with pytest.raises(ShapeError, match="a map of 2 components lacks some of the pairs"):
        kick[:2].symplectic_errors(pairs=pairs)


def test_the_brackets_of_a_map_form_an_antisymmetric_matrix() -> None:
    brackets = HENON.poisson_brackets()
    assert brackets[0, 1] == -brackets[1, 0]
    assert brackets[0, 1].constant == 1.0
    assert brackets[0, 0].to_dict() == {}
    with pytest.raises(OrderError):
        HENON.truncate(0).symplectic_errors()
