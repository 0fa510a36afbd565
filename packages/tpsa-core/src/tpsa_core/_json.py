"""Functions and maps as JSON texts, exactly: numbers are written so that they read back the same.

Schema, version 1::

    {
        "format": "tpsa-series" or "tpsa-map",
        "version": 1,
        "variables": ["x", "px"],
        "order": 4,
        "components": [
            {"valid_order": 4, "type": "real" or "complex", "terms": [[[2, 1], 0.5], ...]},
            ...,
        ],
    }

Version 2, for what version 1 cannot say, may add lower orders and parameters, the last of the
variables, and to a component which monomials are known besides the valid order::

    "orders": {"px": 2}, "parameters": ["k"], "parameter_order": 1,
    "known": {"orders": [4, 1, 1], "group": 0, "joint": 0}  # the last `group` variables jointly

A term is the exponents and the coefficient, in graded order, zero terms left out. A complex
coefficient is a pair of numbers. JSON has no other numbers, so "inf", "-inf" and "nan" are strings.
"""

import json
import math
from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from tpsa_core._definition import AlgebraDefinition
from tpsa_core._errors import ExponentsError, FormatError
from tpsa_core._series import Series
from tpsa_core._stored import (
    HINT,
    StoredComponent,
    StoredSeries,
    component_known_and_type,
    header,
    places_by_bits,
    read_header,
    stored_component,
)

_NOT_FINITE = {"inf": math.inf, "-inf": -math.inf, "nan": math.nan}
_TERM_PARTS = 2


def json_text(kind: str, functions: Sequence[Series[Any]]) -> str:
    """The text of functions of one algebra, of kind `SERIES_FORMAT` or `MAP_FORMAT`."""
    terms = [{"terms": _terms(function)} for function in functions]
    return json.dumps(header(kind, functions, terms), separators=(",", ":"), allow_nan=False)


def read_json(kind: str, text: str) -> StoredSeries:
    """The parts of the functions that a text holds.

    Raises:
        FormatError: If it holds none of this kind.
    """
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FormatError("the text is no JSON", hint=HINT) from error
    algebra, components = read_header(kind, fields)
    return StoredSeries(
        definition=algebra,
        components=[_component(algebra, component) for component in components],
    )


def _terms(function: Series[Any]) -> list[Any]:
    values = function.coefficients
    places = places_by_bits(values)
    exponents = function.algebra.exponents[places].tolist()
    numbers = [_written(value) for value in values[places].tolist()]
    return [[powers, number] for powers, number in zip(exponents, numbers, strict=True)]


def _written(value: complex) -> Any:
    if isinstance(value, complex):
        return [_written(value.real), _written(value.imag)]
    return value if math.isfinite(value) else str(value)


def _component(algebra: AlgebraDefinition, component: dict[str, Any]) -> StoredComponent:
    """The coefficients of one function, and how far they are known."""
    known, number_type = component_known_and_type(algebra, component)
    terms = component.get("terms")
    if not isinstance(terms, list):
        raise FormatError("a component has no list of terms", hint=HINT)
    values = np.zeros(algebra.size, dtype=number_type)
    seen: set[int] = set()
    for term in cast("list[Any]", terms):
        place, value = _term(algebra, term, is_complex=number_type.kind == "c")
        if place in seen or place >= algebra.tables.offsets[known.order + 1]:
            message = f"the term {term!r:.100} is there twice, or past order {known.order}"
            raise FormatError(message, hint=HINT)
        seen.add(place)
        values[place] = value
    return stored_component(algebra, values, known)


def _term(algebra: AlgebraDefinition, term: Any, *, is_complex: bool) -> tuple[int, complex]:
    message = f"{term!r:.100} is no term"
    if not isinstance(term, list) or len(cast("list[Any]", term)) != _TERM_PARTS:
        raise FormatError(message, hint=HINT)
    exponents, number = cast("list[Any]", term)
    if not isinstance(exponents, list):
        raise FormatError(message, hint=HINT)
    try:
        place = algebra.index(cast("list[int]", exponents))
    except ExponentsError as error:
        raise FormatError(f"{message}: {error}", hint=HINT) from error
    if not is_complex:
        return place, _read(number, message)
    if not isinstance(number, list) or len(cast("list[Any]", number)) != _TERM_PARTS:
        raise FormatError(message, hint=HINT)
    real, imaginary = cast("list[Any]", number)
    return place, complex(_read(real, message), _read(imaginary, message))


def _read(value: Any, message: str) -> float:
    if isinstance(value, str) and value in _NOT_FINITE:
        return _NOT_FINITE[value]
    if isinstance(value, int | float) and not isinstance(value, bool):
        try:
            return float(value)
        except OverflowError as error:
            raise FormatError(f"{message}: the number is too large", hint=HINT) from error
    raise FormatError(message, hint=HINT)
