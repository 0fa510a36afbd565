"""Functions and maps as JSON texts: exact, versioned, and read with suspicion."""

import json
import sys
from collections.abc import Sequence
from math import prod
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tpsa_core import MTF, Algebra, FormatError, MissingPackageError, ShapeError, TaylorMap

ALGEBRA = Algebra("x", "px", order=2)
X, PX = ALGEBRA.variables()

_ANY = st.floats(allow_nan=True, allow_infinity=True, width=64)
_COMPLEX = st.builds(complex, _ANY, _ANY)


@given(
    st.one_of(st.lists(_ANY, min_size=6, max_size=6), st.lists(_COMPLEX, min_size=6, max_size=6)),
    st.integers(0, 2),
)
def test_every_number_comes_back(values: list[complex], valid_order: int) -> None:
    function = MTF(ALGEBRA, values, valid_order=valid_order)
    restored = MTF.from_json(function.to_json())
    assert restored.algebra == ALGEBRA
    assert restored.valid_order == valid_order
    assert restored.is_complex == function.is_complex
    # The sign of a zero counts, and any nan is as good as another.
    assert [repr(value) for value in restored.coefficients.tolist()] == [
        repr(value) for value in function.coefficients.tolist()
    ]


def test_the_text_is_strict_json_of_the_documented_form() -> None:
    text = MTF.from_dict(ALGEBRA, {(2, 0): 1j, (0, 1): -np.inf}).to_json()
    fields = json.loads(text, parse_constant=pytest.fail)
    assert fields == {
        "format": "tpsa-series",
        "version": 1,
        "variables": ["x", "px"],
        "order": 2,
        "components": [
            {
                "valid_order": 2,
                "type": "complex",
                "terms": [[[0, 1], ["-inf", 0.0]], [[2, 0], [0.0, 1.0]]],
            }
        ],
    }
    assert (X - 0.5).to_json().endswith('"terms":[[[0,0],-0.5],[[1,0],1.0]]}]}')


def test_maps_come_back_with_real_and_complex_components() -> None:
    taylor_map = TaylorMap([X + 1, (1j * PX).truncate(1)])
    restored = TaylorMap.from_json(taylor_map.to_json())
    assert restored == taylor_map
    assert [f.is_complex for f in restored] == [False, True]
    assert restored[1].valid_order == 1


def test_a_function_is_no_map_and_a_map_no_function() -> None:
    with pytest.raises(FormatError, match="'tpsa-map' version 1 and not 'tpsa-series'"):
        MTF.from_json(TaylorMap([X]).to_json())
    two = json.loads(TaylorMap([X, PX]).to_json()) | {"format": "tpsa-series"}
    with pytest.raises(FormatError, match="2 components in place of one"):
        MTF.from_json(json.dumps(two))


@pytest.mark.parametrize(
    ("terms", "message"),
    [
        (None, "no list of terms"),
        ([None], "None is no term"),
        ([[[1, 0]]], "is no term"),
        ([["x", 1.0]], "is no term"),
        ([[[1], 1.0]], "1 exponents for 2 variables"),
        ([[[1, -1], 1.0]], "not all integers"),
        ([[[3, 0], 1.0]], "degree 3, past order 2"),
        ([[[2, 0], 1.0]], "past order 1"),
        ([[[1, 0], 1.0], [[1, 0], 1.0]], "is there twice"),
        ([[[1, 0], -(10**400)]], "the number is too large"),
        ([[[1, 0], "1"]], "is no term"),
        ([[[1, 0], True]], "is no term"),
        ([[[1, 0], None]], "is no term"),
        ([[[1, 0], [1.0, 2.0]]], "is no term"),
    ],
)
def test_damaged_terms_are_refused(terms: Any, message: str) -> None:
    fields = json.loads(X.truncate(1).to_json())
    fields["components"][0]["terms"] = terms
    with pytest.raises(FormatError, match=message) as caught:
        MTF.from_json(json.dumps(fields))
    assert caught.value.hint


@pytest.mark.parametrize("number", [1.0, [1.0], [1.0, "x"], "nan"])
def test_a_complex_coefficient_is_a_pair_of_numbers(number: Any) -> None:
    fields = json.loads((1j * X).to_json())
    fields["components"][0]["terms"] = [[[1, 0], number]]
    with pytest.raises(FormatError, match="is no term"):
        MTF.from_json(json.dumps(fields))


def test_more_coefficients_than_memory_may_hold_are_refused_before_they_are_allocated() -> None:
    fields = json.loads(TaylorMap([X]).to_json())
    fields |= {"variables": [f"v{n}" for n in range(10)], "order": 10}
    fields["components"] = [{"valid_order": 0, "type": "real", "terms": []}] * 1_000
    with pytest.raises(FormatError, match="more than 100000000 coefficients"):
        TaylorMap.from_json(json.dumps(fields))


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, "null", "[]", "{}"])
def test_a_text_that_is_no_function_is_refused(text: str) -> None:
    with pytest.raises(FormatError):
        MTF.from_json(text)


def test_the_parts_of_a_sympy_expression_are_those_of_the_polynomial(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # In place of SymPy its five names on numbers: the "expression" is a value of the polynomial.
    def symbols(names: Sequence[str]) -> list[float]:
        return [2.0 + len(name) for name in names]

    def number(value: float, digits: int) -> float:
        return value if digits >= 17 else 0.0

    def times(*factors: complex) -> complex:
        return prod(factors)

    def plus(*terms: complex) -> complex:
        return sum(terms)

    stand_in = SimpleNamespace(symbols=symbols, Float=number, I=1j, Mul=times, Add=plus)
    monkeypatch.setitem(sys.modules, "sympy", stand_in)
    function = 0.5 * X**2 - 3j * PX + 2
    assert function.to_sympy() == function(3.0, 4.0)
    assert function.to_sympy([5.0, 7.0]) == function(5.0, 7.0)
    with pytest.raises(ShapeError, match="1 symbols for 2 variables"):
        function.to_sympy([5.0])


def test_a_function_becomes_a_sympy_expression() -> None:
    sympy: Any = pytest.importorskip("sympy", reason="sympy is optional")
    x, px = sympy.symbols("x px")
    expression = (0.1 * X**2 * 1 - 3 * PX).to_sympy()
    assert sympy.Poly(expression, x, px).monoms() == [(2, 0), (0, 1)]
    assert float(expression.coeff(px)) == -3.0
    assert float(expression.coeff(x, 2)) == 0.1
    assert sympy.expand((1j * X).to_sympy([px, x]) - sympy.I * px) == 0
    with pytest.raises(ShapeError, match="1 symbols for 2 variables"):
        X.to_sympy([x])


def test_without_sympy_the_error_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    # None in the table of modules is how Python is told that one cannot be imported.
    monkeypatch.setitem(sys.modules, "sympy", None)
    with pytest.raises(MissingPackageError, match="needs the package sympy") as caught:
        X.to_sympy()
    assert caught.value.hint
