import copy
import gc
import pickle  # noqa: TID251 -- that values survive it is what is tested
import threading
import weakref
from math import comb

import numpy as np
import pytest

from tpsa_core import (
    Algebra,
    AlgebraError,
    ExponentsError,
    LimitError,
    OrderError,
    ShapeError,
    VariableError,
)


def test_a_number_of_variables_names_them_by_position() -> None:
    assert Algebra(3, order=2).names == ("x1", "x2", "x3")


def test_algebras_are_equal_and_hash_alike_by_names_and_order() -> None:
    assert Algebra("x1", "x2", order=3) == Algebra(2, order=3)
    assert hash(Algebra("x1", "x2", order=3)) == hash(Algebra(2, order=3))
    assert Algebra(2, order=3) != Algebra(2, order=4)
    assert Algebra("x", order=3) != Algebra("y", order=3)
    assert Algebra(1, order=1) != "Algebra(1, order=1)"


@pytest.mark.parametrize(("dimension", "order"), [(1, 0), (1, 7), (2, 5), (4, 4), (7, 2)])
def test_the_number_of_monomials_is_a_binomial_coefficient(dimension: int, order: int) -> None:
    algebra = Algebra(dimension, order=order)
    assert algebra.size == len(algebra.exponents) == comb(dimension + order, order)


def test_monomials_stand_degree_by_degree_with_the_earlier_variable_first() -> None:
    assert Algebra(2, order=3).exponents.tolist() == [
        [0, 0], [1, 0], [0, 1], [2, 0], [1, 1], [0, 2], [3, 0], [2, 1], [1, 2], [0, 3],
    ]  # fmt: skip


@pytest.mark.parametrize(("dimension", "order"), [(1, 9), (2, 6), (3, 5), (5, 4)])
def test_each_monomial_is_found_where_it_stands(dimension: int, order: int) -> None:
    algebra = Algebra(dimension, order=order)
    places = [algebra.index(powers) for powers in algebra.exponents.tolist()]
    assert places == list(range(algebra.size))
    assert len({tuple(powers) for powers in algebra.exponents.tolist()}) == algebra.size


def test_the_exponent_table_cannot_be_written_to() -> None:
    with pytest.raises(ValueError, match="read-only"):
        Algebra(2, order=2).exponents[0, 0] = 5


@pytest.mark.parametrize("exponents", [(1,), (1, 1, 1), ()])
def test_a_wrong_number_of_exponents_is_refused(exponents: tuple[int, ...]) -> None:
    with pytest.raises(ExponentsError, match="exponents for 2 variables"):
        Algebra(2, order=3).index(exponents)


@pytest.mark.parametrize("exponents", [(-1, 0), (0, -2), (1.0, 0), (True, 0)])
def test_exponents_that_are_no_natural_numbers_are_refused(exponents: tuple[int, ...]) -> None:
    with pytest.raises(ExponentsError, match="not all integers from 0"):
        Algebra(2, order=3).index(exponents)


def test_exponents_past_the_order_are_refused_with_the_degree() -> None:
    with pytest.raises(ExponentsError, match="degree 4, past order 3"):
        Algebra(2, order=3).index((2, 2))


@pytest.mark.parametrize(
    "names",
    [
        (),
        ("1x",),
        ("x", "x"),
        ("",),
        ("lambda",),
        ("é",),
        ("x y",),
        (0,),
        (-1,),
        (2, 3),
        (True,),
        ("a" * 101,),
        ("x", 1),
    ],
)
def test_unusable_names_are_refused(names: tuple[str, ...]) -> None:
    with pytest.raises(AlgebraError) as caught:
        Algebra(*names, order=1)
    assert caught.value.hint


@pytest.mark.parametrize("order", [-1, 1.5, "2", True, None])
def test_an_order_that_is_no_natural_number_is_refused(order: int) -> None:
    with pytest.raises(AlgebraError, match="no integer from 0"):
        Algebra(2, order=order)


def test_numpy_integers_serve_as_dimension_and_order() -> None:
    assert Algebra(int(np.int64(2)), order=int(np.int32(3))) == Algebra(2, order=3)


def test_an_algebra_past_the_limit_names_the_highest_order_that_fits() -> None:
    with pytest.raises(LimitError, match="10 variables at order 15 have 3268760 mono") as caught:
        Algebra(10, order=15)
    assert caught.value.hint == "the highest order that fits 10 variables is 14"


def test_limits_are_checked_before_anything_is_allocated() -> None:
    with pytest.raises(LimitError, match="1000000 variables"):
        Algebra(1_000_000, order=2)
    with pytest.raises(LimitError, match="1001 variables"):
        Algebra(*(f"v{position}" for position in range(1_001)), order=1)
    with pytest.raises(LimitError, match="order 10001"):
        Algebra(1, order=10_001)
    with pytest.raises(LimitError, match="monomials"):
        Algebra(1_000, order=1_000)


def test_variables_are_addressed_by_name_and_by_position() -> None:
    algebra = Algebra("x", "px", order=2)
    x, px = algebra.variables()
    assert algebra.variable("px") == algebra.variable(1) == px
    assert x.to_dict() == {(1, 0): 1.0}
    assert px(3.0, 5.0) == 5.0


@pytest.mark.parametrize("variable", ["y", 2, -1, "x1"])
def test_an_unknown_variable_is_refused_with_the_known_ones(variable: str | int) -> None:
    with pytest.raises(VariableError, match="there is no variable") as caught:
        Algebra("x", "px", order=2).variable(variable)
    assert "'x', 'px'" in str(caught.value.hint)


def test_an_algebra_of_order_zero_has_constants_and_no_variables() -> None:
    algebra = Algebra(2, order=0)
    assert algebra.constant(3) * algebra.constant(2) == algebra.constant(6)
    with pytest.raises(OrderError, match="constants only"):
        algebra.variables()


def test_constants_take_numbers_of_any_type_and_nothing_else() -> None:
    algebra = Algebra(2, order=1)
    assert algebra.constant(np.float32(0.5)).constant == 0.5
    assert algebra.constant(1 + 2j).constant == 1 + 2j
    assert algebra.zero().to_dict() == {}
    with pytest.raises(ShapeError, match="no number"):
        algebra.constant("1")  # pyright: ignore[reportArgumentType] -- it is what is refused


def test_algebras_survive_copying_and_pickling() -> None:
    algebra = Algebra("x", "px", order=4)
    assert copy.deepcopy(algebra) == copy.copy(algebra) == algebra
    assert pickle.loads(pickle.dumps(algebra)) == algebra  # noqa: S301 -- our own bytes


def test_equal_algebras_are_one_while_they_are_in_use() -> None:
    algebra = Algebra("of", "no", "other", "test", order=4)
    assert Algebra("of", "no", "other", "test", order=4) is algebra
    assert algebra.variable("no").algebra is algebra
    assert Algebra("of", "no", "other", "test", order=5) != algebra
    ghost = weakref.ref(algebra)
    del algebra
    gc.collect()
    assert ghost() is None


def test_the_repr_of_an_algebra_can_be_typed() -> None:
    assert repr(Algebra(2, order=3)) == "Algebra(2, order=3)"
    assert repr(Algebra("x", "px", order=3)) == "Algebra('x', 'px', order=3)"
    assert "… (12 in all)" in repr(Algebra(*(f"v{position}" for position in range(12)), order=1))


def test_functions_are_converted_by_the_names_of_their_variables() -> None:
    small, large = Algebra("x", "y", order=3), Algebra("y", "z", "x", order=5)
    x, y = small.variables()
    converted = large.convert(2 * x**2 * y + y)
    assert converted.to_dict() == {(1, 0, 0): 1.0, (1, 0, 2): 2.0}
    assert converted.valid_order == 3
    back = small.convert(large.variable("x") ** 2 + large.variable("x") ** 4)
    assert back.to_dict() == {(2, 0): 1.0}
    assert back.valid_order == 3


def test_a_function_of_a_missing_variable_is_not_converted() -> None:
    with pytest.raises(VariableError, match="depends on 'z'"):
        Algebra("x", order=3).convert(Algebra("x", "z", order=3).variable("z"))


def test_one_algebra_serves_many_threads_that_build_its_tables_at_once() -> None:
    # A shape that no other test uses, so that the tables are built here.
    barrier = threading.Barrier(32)
    results: list[float] = []

    def work() -> None:
        barrier.wait()
        x, y, z = Algebra("x", "y", "z", order=13).variables()
        function = np.exp(x + y * z)
        results.append((function * function - np.exp(2 * x + 2 * y * z)).norm())

    threads = [threading.Thread(target=work) for _ in range(32)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    # The largest coefficient is e**2-like, 2**k/k! below 2: a few roundings of one unit each.
    assert len(results) == 32
    assert max(results) < 1e-14
