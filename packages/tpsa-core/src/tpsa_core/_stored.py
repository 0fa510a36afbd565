"""What stored functions and maps begin with, and how a reader checks it.

A header names format, version, variables, order, and for every component its valid order and type;
`_binary` and `_json` add the coefficients, each in its own way. Version 2 adds what version 1
cannot say: parameters and lower orders, and for a component on which monomials it is known. It is
written only where one of these is there.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, cast

import numpy as np
import numpy.typing as npt

from tpsa_core._arrays import Array
from tpsa_core._bounds import Bounds, bounded
from tpsa_core._definition import AlgebraDefinition
from tpsa_core._errors import FormatError, TpsaError
from tpsa_core._known import limits_of
from tpsa_core._numbers import as_natural
from tpsa_core._series import Series

SERIES_FORMAT = "tpsa-series"
MAP_FORMAT = "tpsa-map"
VERSION = 1
# With parameters, lower orders, or components that the valid order does not describe.
RESTRICTED_VERSION = 2
# In all components together: 1.6 GB if they are complex. Zeros take space too once they are read.
MAX_COEFFICIENTS = 100_000_000
HINT = "make the object again; what is stored of it is damaged or of another program"

# What an algebra has beside variables and an order.
_RESTRICTIONS = ("orders", "parameters", "parameter_order")
_TYPES = {"real": np.dtype(np.float64), "complex": np.dtype(np.complex128)}
ValueT = TypeVar("ValueT")


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredSeries:
    """The parts of functions of one algebra: its definition, and each function."""

    definition: AlgebraDefinition
    components: Sequence["StoredComponent"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredComponent:
    """The coefficients of a function, and how far they are known."""

    values: Array
    valid_order: int
    limits: Bounds | None


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
    restrictions = algebra.restrictions()
    is_plain = not restrictions and all(function.limits is None for function in functions)
    return {
        "format": kind,
        "version": VERSION if is_plain else RESTRICTED_VERSION,
        "variables": list(algebra.names),
        "order": algebra.order,
        **restrictions,
        "components": [
            {
                "valid_order": function.valid_order,
                **_stored_limits(function.limits),
                "type": "complex" if function.is_complex else "real",
                **extra,
            }
            for function, extra in zip(functions, extras, strict=True)
        ],
    }


def _stored_limits(limits: Bounds | None) -> dict[str, Any]:
    if limits is None:
        return {}
    known = {"orders": list(limits.caps), "group": limits.group, "joint": limits.joint}
    return {"known": known}


def read_header(kind: str, header: object) -> tuple[AlgebraDefinition, list[dict[str, Any]]]:
    """The algebra and the components of a header of this kind.

    Raises:
        FormatError: If it is none.
    """
    if not isinstance(header, dict):
        raise FormatError("the header is no object", hint=HINT)
    fields = cast("dict[str, Any]", header)
    version = _version_needed(fields)
    if fields.get("format") != kind or fields.get("version") != version:
        found = f"{fields.get('format')!r} version {fields.get('version')!r}"
        message = f"the data are {found:.100} and not {kind!r} version {version}"
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


def _version_needed(fields: Mapping[str, Any]) -> int:
    """The version that these fields belong to."""
    components = fields.get("components")
    parts = cast("list[Any]", components) if isinstance(components, list) else []
    if any(key in fields for key in _RESTRICTIONS):
        return RESTRICTED_VERSION
    if any(isinstance(part, dict) and "known" in part for part in parts):
        return RESTRICTED_VERSION
    return VERSION


def component_known_and_type(
    algebra: AlgebraDefinition, component: Mapping[str, Any]
) -> tuple[Bounds, np.dtype[Any]]:
    """On which monomials one component is known, and the type of its coefficients.

    Raises:
        FormatError: If one of them is missing or impossible.
    """
    valid_order = as_natural(component.get("valid_order"))
    if valid_order is None or valid_order > algebra.order:
        raise FormatError("a component has no valid order", hint=HINT)
    name = component.get("type")
    if not isinstance(name, str) or name not in _TYPES:
        raise FormatError("a component is neither real nor complex", hint=HINT)
    known = algebra.bounds.lowered(valid_order)
    if "known" in component:
        known = _limits(algebra, valid_order, component["known"])
    return known, _TYPES[name]


def stored_component(algebra: AlgebraDefinition, values: Array, known: Bounds) -> StoredComponent:
    """A component from its coefficients, of which none may be there that is not known.

    Raises:
        FormatError: If there is one.
    """
    limits = limits_of(algebra, known)
    if limits is not None:
        places = places_by_bits(values)
        if not limits.contain(algebra.exponents[places]).all():
            raise FormatError("a component has terms that it does not know", hint=HINT)
    return StoredComponent(values=values, valid_order=known.order, limits=limits)


def _limits(algebra: AlgebraDefinition, valid_order: int, fields: object) -> Bounds:
    """The monomials that a component knows, where its valid order does not say it."""
    parts = cast("dict[str, Any]", fields) if isinstance(fields, dict) else {}
    caps = parts.get("orders")
    numbers = [as_natural(cap) for cap in cast("list[Any]", caps)] if isinstance(caps, list) else []
    group, joint = as_natural(parts.get("group")), as_natural(parts.get("joint"))
    if len(numbers) == algebra.dimension and group is not None and joint is not None:
        given = [number for number in numbers if number is not None]
        if len(given) == len(numbers) and group <= len(given):
            known = bounded(valid_order, given, group, joint)
            if known.meet(algebra.bounds) == known and known.order == valid_order:
                return known
    raise FormatError("a component does not say what it knows", hint=HINT)


def _algebra(fields: Mapping[str, Any]) -> AlgebraDefinition:
    names = fields.get("variables")
    if not isinstance(names, list) or not all(
        isinstance(name, str) for name in cast("list[Any]", names)
    ):
        raise FormatError("the variables are not named", hint=HINT)
    variables = cast("list[str]", names)
    extras = {key: fields[key] for key in _RESTRICTIONS if key in fields}
    parameters = extras.get("parameters", [])
    if not isinstance(parameters, list):
        raise FormatError("the parameters are not named", hint=HINT)
    count = len(variables) - len(cast("list[Any]", parameters))
    if variables[max(count, 0) :] != parameters:
        raise FormatError("the parameters are not the last of the variables", hint=HINT)
    try:
        order = cast("int", fields.get("order"))
        algebra = AlgebraDefinition(*variables[:count], order=order, **extras)
    except TpsaError as error:
        raise FormatError(f"the algebra cannot exist: {error}", hint=HINT) from error
    if extras and not algebra.restrictions():
        raise FormatError("there are lower orders that exclude nothing", hint=HINT)
    return algebra
