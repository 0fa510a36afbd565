"""Functions and maps as bytes, exactly: a JSON header and raw little-endian doubles.

Layout: the length of the header in four bytes, the header, then the coefficients of one component
after the other, each without its zeros at the end. The header names format, version, variables,
order, and for every component its valid order, type and length. A reader checks all of it before
it believes any: nothing in the bytes can make it run code or allocate more than an algebra may.
"""

import json
from typing import Any, cast

import numpy as np

from tpsa_core._algebra import Algebra, MultivariateTaylorFunction
from tpsa_core._errors import FormatError, TpsaError
from tpsa_core._map import TaylorMap
from tpsa_core._numbers import as_natural

_SERIES_FORMAT = "tpsa-series"
_MAP_FORMAT = "tpsa-map"
_VERSION = 1
_LENGTH_BYTES = 4
_HINT = "make the object again; its stored bytes are damaged or of another program"


def series_to_bytes(function: MultivariateTaylorFunction) -> bytes:
    """The bytes of a function."""
    return _to_bytes(_SERIES_FORMAT, [function])


def series_from_bytes(data: bytes) -> MultivariateTaylorFunction:
    """The function that was written, with every bit of its coefficients.

    Raises:
        FormatError: If the bytes do not hold a function.
    """
    functions = _from_bytes(_SERIES_FORMAT, data)
    if len(functions) != 1:
        raise FormatError(f"{len(functions)} components in place of one function", hint=_HINT)
    return functions[0]


def map_to_bytes(taylor_map: TaylorMap) -> bytes:
    """The bytes of a map."""
    return _to_bytes(_MAP_FORMAT, taylor_map.components)


def map_from_bytes(data: bytes) -> TaylorMap:
    """The map that was written, with every bit of its coefficients.

    Raises:
        FormatError: If the bytes do not hold a map.
    """
    return TaylorMap(_from_bytes(_MAP_FORMAT, data))


def _to_bytes(kind: str, functions: Any) -> bytes:
    algebra: Algebra = functions[0].algebra
    components: list[dict[str, Any]] = []
    bodies: list[bytes] = []
    for function in functions:
        doubles = function.coefficients.astype(function.coefficients.dtype.newbyteorder("<"))
        # By bits, so that a negative zero is kept.
        bits = doubles.view(np.uint64).reshape(algebra.size, -1).any(axis=1)
        (used,) = bits.nonzero()
        count = int(used[-1]) + 1 if len(used) else 0
        components.append(
            {
                "valid_order": function.valid_order,
                "type": "complex" if function.is_complex else "real",
                "count": count,
            }
        )
        bodies.append(doubles[:count].tobytes())
    header = {
        "format": kind,
        "version": _VERSION,
        "variables": list(algebra.names),
        "order": algebra.order,
        "components": components,
    }
    text = json.dumps(header, separators=(",", ":")).encode()
    return b"".join([len(text).to_bytes(_LENGTH_BYTES, "little"), text, *bodies])


def _from_bytes(kind: str, data: bytes) -> list[MultivariateTaylorFunction]:
    end = _LENGTH_BYTES + int.from_bytes(data[:_LENGTH_BYTES], "little")
    try:
        header = json.loads(data[_LENGTH_BYTES:end])
    except (ValueError, RecursionError) as error:
        raise FormatError("the bytes have no header", hint=_HINT) from error
    if not isinstance(header, dict):
        raise FormatError("the header is no object", hint=_HINT)
    fields = cast("dict[str, Any]", header)
    if fields.get("format") != kind or fields.get("version") != _VERSION:
        found = f"{fields.get('format')!r} version {fields.get('version')!r}"
        message = f"the bytes are {found:.100} and not {kind!r} version {_VERSION}"
        raise FormatError(message, hint=_HINT)
    algebra = _algebra_of(fields)
    result: list[MultivariateTaylorFunction] = []
    for component in _components_of(fields):
        function, end = _component(algebra, component, data, end)
        result.append(function)
    if end != len(data):
        raise FormatError(f"{len(data) - end} bytes too many", hint=_HINT)
    return result


def _algebra_of(fields: dict[str, Any]) -> Algebra:
    names = fields.get("variables")
    if not isinstance(names, list) or not all(
        isinstance(name, str) for name in cast("list[Any]", names)
    ):
        raise FormatError("the variables are not named", hint=_HINT)
    try:
        return Algebra(*cast("list[str]", names), order=cast("int", fields.get("order")))
    except TpsaError as error:
        raise FormatError(f"the algebra cannot exist: {error}", hint=_HINT) from error


def _components_of(fields: dict[str, Any]) -> list[dict[str, Any]]:
    components = fields.get("components")
    if not isinstance(components, list) or not components:
        raise FormatError("there are no components", hint=_HINT)
    if not all(isinstance(component, dict) for component in cast("list[Any]", components)):
        raise FormatError("a component is no object", hint=_HINT)
    return cast("list[dict[str, Any]]", components)


def _component(
    algebra: Algebra, component: dict[str, Any], data: bytes, start: int
) -> tuple[MultivariateTaylorFunction, int]:
    """One function, and where its bytes end."""
    count = as_natural(component.get("count"))
    valid_order = as_natural(component.get("valid_order"))
    if count is None or valid_order is None or valid_order > algebra.order:
        raise FormatError("a component has no length or no valid order", hint=_HINT)
    if count > algebra.tables.offsets[valid_order + 1]:
        raise FormatError(f"{count} coefficients up to order {valid_order}", hint=_HINT)
    if component.get("type") not in {"real", "complex"}:
        raise FormatError("a component is neither real nor complex", hint=_HINT)
    kind = np.dtype("<f8" if component["type"] == "real" else "<c16")
    end = start + count * kind.itemsize
    if end > len(data):
        raise FormatError(f"{end - len(data)} bytes are missing", hint=_HINT)
    values = np.zeros(algebra.size, dtype=kind.newbyteorder("="))
    values[:count] = np.frombuffer(data, dtype=kind, count=count, offset=start)
    return MultivariateTaylorFunction.adopt(algebra, values, valid_order), end
