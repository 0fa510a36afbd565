"""What is said of a stored object in place of its coefficients: at most 1 KiB, and all of it."""

import math
from collections.abc import Sequence
from typing import Any

from tpsa_core._algebra import MultivariateTaylorFunction
from tpsa_core._map import TaylorMap
from tpsa_core._series import Term

_SHOWN_TERMS = 5
# Constant parts of a map that are shown.
_SHOWN_CONSTANTS = 4
_SHOWN_FACTORS = 8
# Longer names would not fit a summary.
_SHORT_NAME = 8


def json_number(value: complex) -> Any:
    """A number as JSON: a complex one as a pair, one that is not finite as text."""
    if isinstance(value, complex):
        return [json_number(value.real), json_number(value.imag)]
    return float(value) if math.isfinite(value) else str(value)


def json_term(term: Term) -> dict[str, Any]:
    """A term as JSON."""
    return {"coefficient": json_number(term.coefficient), "exponents": list(term.exponents)}


def monomial(exponents: tuple[int, ...], names: Sequence[str]) -> str:
    """A monomial as an expression, such as `x1**2*x3`; cut if it has many factors.

    The variables have their own names where these are short, and are numbered otherwise.
    """
    short = max(map(len, names)) <= _SHORT_NAME
    factors = [
        (name if short else f"x{number}") + (f"**{power}" if power > 1 else "")
        for number, (name, power) in enumerate(zip(names, exponents, strict=True), start=1)
        if power
    ]
    cut = ["…"] if len(factors) > _SHOWN_FACTORS else []
    return "*".join(factors[:_SHOWN_FACTORS] + cut) or "1"


def function_summary(function: MultivariateTaylorFunction) -> dict[str, Any]:
    """The main features of a function."""
    return {
        **_shape(function),
        "terms": int((function.coefficients != 0).sum()),
        "constant": json_number(function.constant),
        "norm": json_number(function.norm()),
        "largest_terms": [
            _shown(term, function.algebra.names) for term in function.terms(_SHOWN_TERMS)
        ],
    }


def map_summary(taylor_map: TaylorMap) -> dict[str, Any]:
    """The main features of a map."""
    terms = [
        (component, term)
        for component, function in enumerate(taylor_map, start=1)
        for term in function.terms(_SHOWN_TERMS)
    ]
    terms.sort(key=lambda pair: -abs(pair[1].coefficient))
    return {
        "components": len(taylor_map),
        **_shape(taylor_map),
        "terms": int((taylor_map.coefficients != 0).sum()),
        "first_constants": [
            json_number(function.constant) for function in taylor_map.components[:_SHOWN_CONSTANTS]
        ],
        "norm": json_number(max(function.norm() for function in taylor_map)),
        "largest_terms": [
            {"component": component, **_shown(term, taylor_map.algebra.names)}
            for component, term in terms[:_SHOWN_TERMS]
        ],
    }


def _shape(value: MultivariateTaylorFunction | TaylorMap) -> dict[str, Any]:
    return {
        "dimension": value.algebra.dimension,
        "order": value.algebra.order,
        "valid_order": value.valid_order,
    }


def _shown(term: Term, names: Sequence[str]) -> dict[str, Any]:
    return {
        "coefficient": json_number(term.coefficient),
        "monomial": monomial(term.exponents, names),
    }
