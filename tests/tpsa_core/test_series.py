import copy
import pickle  # noqa: TID251 -- that values survive it is what is tested

import numpy as np
import pytest

from tpsa_core import MTF, Algebra, AlgebraMismatchError, ExponentsError, OrderError, ShapeError

ALGEBRA = Algebra("x", "px", order=3)
X, PX = ALGEBRA.variables()


def test_a_function_is_made_from_its_coefficients_and_copies_them() -> None:
    coefficients = np.arange(10)
    function = MTF(ALGEBRA, coefficients)
    coefficients[:] = 0
    assert function.coefficients.tolist() == list(range(10))
    assert function.coefficients.dtype == np.float64
    assert function[2, 0] == 3.0


def test_coefficients_cannot_be_written_to() -> None:
    with pytest.raises(ValueError, match="read-only"):
        (X + PX).coefficients[0] = 1.0
    with pytest.raises(ValueError, match="read-only"):
        MTF(ALGEBRA, np.zeros(10)).coefficients[0] = 1.0


def test_complex_coefficients_stay_complex_and_real_ones_real() -> None:
    assert not MTF(ALGEBRA, np.ones(10, dtype=np.float32)).is_complex
    assert MTF(ALGEBRA, np.ones(10, dtype=np.complex64)).coefficients.dtype == np.complex128


@pytest.mark.parametrize(
    ("coefficients", "message"),
    [
        (np.zeros(9), r"shape \(9,\) for 10 monomials"),
        (np.zeros((2, 5)), r"shape \(2, 5\)"),
        (["a"] * 10, "no numbers"),
        ([[1.0], [1.0, 2.0]], "do not form an array"),
    ],
)
def test_coefficients_of_a_wrong_shape_or_type_are_refused(
    coefficients: list[float], message: str
) -> None:
    with pytest.raises(ShapeError, match=message):
        MTF(ALGEBRA, coefficients)


def test_a_function_goes_to_a_dict_and_back() -> None:
    function = 2 * X**2 * PX - 1.5 + PX
    terms = function.to_dict()
    assert terms == {(0, 0): -1.5, (0, 1): 1.0, (2, 1): 2.0}
    assert MTF.from_dict(ALGEBRA, terms) == function
    assert MTF.from_dict(ALGEBRA, {}) == ALGEBRA.zero()
    assert MTF.from_dict(ALGEBRA, {(0, 0): 1j}).is_complex


def test_a_dict_with_foreign_exponents_is_refused() -> None:
    with pytest.raises(ExponentsError, match="past order 3"):
        MTF.from_dict(ALGEBRA, {(4, 0): 1.0})
    with pytest.raises(ExponentsError, match="integers from 0"):
        MTF.from_dict(ALGEBRA, {(-1, 0): 1.0})


def test_coefficients_are_read_by_exponents() -> None:
    function = (1 + X) ** 3 * PX / 1
    assert function[1, 1] == 3.0
    assert function[0, 0] == 0.0
    assert isinstance(function[1, 1], float)
    assert Algebra(1, order=4).variable(0)[1] == 1.0


def test_a_coefficient_past_the_valid_order_is_unknown_and_not_zero() -> None:
    with pytest.raises(OrderError, match="valid to order 2") as caught:
        (X**3).derivative("x")[3, 0]
    assert caught.value.hint


def test_a_function_is_not_iterable() -> None:
    with pytest.raises(TypeError, match="not iterable"):
        iter(X)


def test_the_terms_come_largest_first_and_are_limited() -> None:
    function = X - 5 * PX**2 + 0.25
    assert [term.coefficient for term in function.terms()] == [-5.0, 1.0, 0.25]
    (largest,) = function.terms(1)
    assert largest == (-5.0, 2, (0, 2))
    assert function.terms(-1) == ALGEBRA.zero().terms() == []


def test_the_norm_is_the_largest_absolute_coefficient() -> None:
    assert (X - 5 * PX).norm() == 5.0
    assert (3 + 4j + 0 * X).norm() == 5.0
    assert ALGEBRA.zero().norm() == 0.0


def test_equality_is_exact_and_hashes_agree() -> None:
    one = ALGEBRA.constant(1.0)
    assert one != one + 1e-9
    assert one == ALGEBRA.constant(1 + 0j)
    assert hash(one) == hash(ALGEBRA.constant(1 + 0j))
    assert hash(0.0 * X) == hash(-0.0 * X)
    assert {X + PX, PX + X} == {X + PX}
    assert X != "x"
    assert Algebra("x", "p", order=3).variable(0) != X


def test_closeness_has_tolerances_and_looks_at_what_both_know() -> None:
    assert X.is_close(X + 1e-12, atol=1e-11)
    assert not X.is_close(X + 1e-12)
    assert (X * (1 + 1e-12)).is_close(X)
    assert (X + PX**3).is_close((X + PX**2).truncate(1))
    with pytest.raises(AlgebraMismatchError):
        X.is_close(Algebra(2, order=3).variable(0))


def test_real_and_imaginary_part_and_conjugate() -> None:
    function = (1 + 2j) * X + 3
    assert function.real == X + 3
    assert function.imag == 2 * X
    assert function.conjugate() == (1 - 2j) * X + 3
    assert not function.real.is_complex
    assert X.imag == ALGEBRA.zero()


def test_functions_survive_copying_and_pickling_and_stay_read_only() -> None:
    function = ((1 + 2j) * X**2 + 0.1 * PX).truncate(2)
    assert copy.copy(function) is copy.deepcopy(function) is function
    restored = pickle.loads(pickle.dumps(function))  # noqa: S301 -- our own bytes
    assert restored == function
    assert restored.valid_order == 2
    assert not restored.coefficients.flags.writeable


def test_the_repr_is_a_table_of_coefficient_order_and_exponents() -> None:
    text = repr(0.5 * X**2 * PX - 2)
    assert text.splitlines() == [
        "Taylor function of order 3 in x, px: 2 of 10 terms",
        "             coefficient  order  exponents",
        "                    -2.0      0  0 0",
        "                     0.5      3  2 1",
    ]
    assert "(valid to 1)" in repr(X.truncate(1))
    assert repr(ALGEBRA.zero()) == "Taylor function of order 3 in x, px: 0 of 10 terms"


def test_the_repr_is_bounded_in_rows_and_in_columns() -> None:
    x = Algebra(1, order=40).variable(0)
    assert "and 21 more terms" in repr(1 / (1 - x))
    wide = repr(Algebra(30, order=1).variable(0))
    assert "… (30 in all)" in wide
    assert max(len(line) for line in wide.splitlines()) < 120


def test_the_lowest_and_highest_degrees_and_the_variables_in_use_are_known() -> None:
    algebra = Algebra("x", "y", "z", order=5)
    x, _, z = algebra.variables()
    function = x**2 - z**4
    assert (function.low_order, function.high_order) == (2, 4)
    assert function.active_variables == ("x", "z")
    assert (algebra.zero().low_order, algebra.zero().high_order) == (None, None)
    assert algebra.constant(1.0).active_variables == ()


def test_norms_are_those_of_the_vector_of_coefficients() -> None:
    x, y = Algebra(2, order=3).variables()
    function = 3 * x - 4 * y + 12 * x * y
    assert (function.norm(), function.norm(1), function.norm(2)) == (12.0, 19.0, 13.0)
    assert function.order_norms(2).tolist() == [0.0, 5.0, 12.0, 0.0]
    assert (1j * function).order_norms().tolist() == [0.0, 4.0, 12.0, 0.0]


def test_the_table_shows_as_many_terms_as_asked_for() -> None:
    x = Algebra("x", order=30).variable("x")
    function = 1 / (1 - x)
    assert len(function.table().splitlines()) == 2 + 31
    assert function.table(2).splitlines()[-1].endswith("and 29 more terms")
    assert function.table(20) == repr(function)
    assert len(function.table(0).splitlines()) == 3
