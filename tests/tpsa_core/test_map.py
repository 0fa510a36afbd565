import copy
import pickle  # noqa: TID251 -- that values survive it is what is tested

import numpy as np
import pytest

from tpsa_core import Algebra, AlgebraMismatchError, DomainError, OrderError, ShapeError, TaylorMap

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
    with pytest.raises(OrderError):
        TaylorMap([X.truncate(0)]).jacobian([0.0, 0.0])


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
