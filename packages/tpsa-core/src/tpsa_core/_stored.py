"""What stored functions and maps begin with, and how a reader checks it.

A header names format, version, variables, order, and for every component its valid order and type;
`_binary` and `_json` add the coefficients, each in its own way.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, cast

import numpy as np
import numpy.typing as npt

from tpsa_core._arrays import Array
from tpsa_core._definition import AlgebraDefinition
from tpsa_core._errors import FormatError, TpsaError
from tpsa_core._numbers import as_natural
from tpsa_core._series import Series

SERIES_FORMAT = "tpsa-series"
MAP_FORMAT = "tpsa-map"
VERSION = 1
# In all components together: 1.6 GB if they are complex. Zeros take space too once they are read.
MAX_COEFFICIENTS = 100_000_000
HINT = "make the object again; what is stored of it is damaged or of another program"

_TYPES = {"real": np.dtype(np.float64), "complex": np.dtype(np.complex128)}
ValueT = TypeVar("ValueT")


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredSeries:
    """The parts of functions of one algebra: its names and order, coefficients, valid orders."""

    names: tuple[str, ...]
    order: int
    components: Sequence[tuple[Array, int]]


def single(values: Sequence[ValueT]) -> ValueT:
    """The only value.

    Raises:
        FormatError: If there are more.
    """
    if len(values) != 1:
        raise FormatError(f"{len(values)} components in place of one function", hint=HINT)
    return values[0]


def used_coefficients(function: Series[Any]) -> Array:
    """The coefficients without the zeros at their end; a negative zero is kept."""
    values = function.coefficients
    used = places_by_bits(values)
    return values[: int(used[-1]) + 1 if len(used) else 0]


def places_by_bits(values: Array) -> npt.NDArray[np.intp]:
    """Where the coefficients are not zero, or are a negative zero."""
    parts = values.view(np.uint64).reshape(len(values), -1)
    return np.flatnonzero(np.bitwise_or.reduce(parts, axis=1))


def header(
    kind: str, functions: Sequence[Series[Any]], extras: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """The header of functions of one algebra, with extra fields for each component."""
    algebra: AlgebraDefinition = functions[0].algebra
    return {
        "format": kind,
        "version": VERSION,
        "variables": list(algebra.names),
        "order": algebra.order,
        "components": [
            {
                "valid_order": function.valid_order,
                "type": "complex" if function.is_complex else "real",
                **extra,
            }
            for function, extra in zip(functions, extras, strict=True)
        ],
    }


def read_header(kind: str, header: object) -> tuple[AlgebraDefinition, list[dict[str, Any]]]:
    """The algebra and the components of a header of this kind.

    Raises:
        FormatError: If it is none.
    """
    if not isinstance(header, dict):
        raise FormatError("the header is no object", hint=HINT)
    fields = cast("dict[str, Any]", header)
    if fields.get("format") != kind or fields.get("version") != VERSION:
        found = f"{fields.get('format')!r} version {fields.get('version')!r}"
        message = f"the data are {found:.100} and not {kind!r} version {VERSION}"
        raise FormatError(message, hint=HINT)
    components = fields.get("components")
    if not isinstance(components, list) or not components:
        raise FormatError("there are no components", hint=HINT)
    if not all(isinstance(component, dict) for component in cast("list[Any]", components)):
        raise FormatError("a component is no object", hint=HINT)
    algebra = _algebra(fields)
    if len(cast("list[Any]", components)) * algebra.size > MAX_COEFFICIENTS:
        message = f"more than {MAX_COEFFICIENTS} coefficients in all components"
        raise FormatError(message, hint="store the components in several parts")
    return algebra, cast("list[dict[str, Any]]", components)


def component_order_and_type(
    algebra: AlgebraDefinition, component: Mapping[str, Any]
) -> tuple[int, np.dtype[Any]]:
    """The valid order and the type of the coefficients of one component.

    Raises:
        FormatError: If one of them is missing or impossible.
    """
    valid_order = as_natural(component.get("valid_order"))
    if valid_order is None or valid_order > algebra.order:
        raise FormatError("a component has no valid order", hint=HINT)
    name = component.get("type")
    if not isinstance(name, str) or name not in _TYPES:
        raise FormatError("a component is neither real nor complex", hint=HINT)
    return valid_order, _TYPES[name]


def _algebra(fields: Mapping[str, Any]) -> AlgebraDefinition:
    names = fields.get("variables")
    if not isinstance(names, list) or not all(
        isinstance(name, str) for name in cast("list[Any]", names)
    ):
        raise FormatError("the variables are not named", hint=HINT)
    try:
        return AlgebraDefinition(*cast("list[str]", names), order=cast("int", fields.get("order")))
    except TpsaError as error:
        raise FormatError(f"the algebra cannot exist: {error}", hint=HINT) from error
