"""Functions and maps as bytes, exactly: a JSON header and raw little-endian doubles.

Layout: the length of the header in four bytes, the header, then the coefficients of one component
after the other, each without its zeros at the end. The header names format, version, variables,
order, and for every component its valid order, type and length. A reader checks all of it before
it believes any: nothing in the bytes can make it run code or allocate more than an algebra may.
"""

import json
from collections.abc import Sequence

import numpy as np

from tpsa_core._algebra import MultivariateTaylorFunction, functions_of
from tpsa_core._errors import FormatError
from tpsa_core._map import TaylorMap
from tpsa_core._numbers import as_natural
from tpsa_core._stored import (
    HINT,
    MAP_FORMAT,
    SERIES_FORMAT,
    StoredComponent,
    StoredSeries,
    component_known_and_type,
    header,
    read_header,
    single,
    stored_component,
    used_coefficients,
)

_LENGTH_BYTES = 4


def series_to_bytes(function: MultivariateTaylorFunction) -> bytes:
    """The bytes of a function.

    Example:
        >>> x = Algebra("x", order=9).variable("x")
        >>> data = series_to_bytes(1 + x / 3)
        >>> data[-16:] == np.array([1, 1 / 3], dtype="<f8").tobytes()
        True
    """
    return _to_bytes(SERIES_FORMAT, [function])


def series_from_bytes(data: bytes) -> MultivariateTaylorFunction:
    """The function that was written, with every bit of its coefficients.

    Raises:
        FormatError: If the bytes do not hold a function.

    Example:
        >>> x = Algebra("x", order=2).variable("x")
        >>> data = series_to_bytes(exp(x / 3))
        >>> series_from_bytes(data) == exp(x / 3)
        True
        >>> series_from_bytes(data[:-1])
        Traceback (most recent call last):
            ...
        FormatError: bytes are missing: 1
    """
    return single(functions_of(_from_bytes(SERIES_FORMAT, data)))


def map_to_bytes(taylor_map: TaylorMap) -> bytes:
    """The bytes of a map.

    Example:
        >>> x = Algebra("x", order=2).variable("x")
        >>> data = map_to_bytes(TaylorMap([x / 3, x**2]))
        >>> len(map_from_bytes(data))
        2
    """
    return _to_bytes(MAP_FORMAT, taylor_map.components)


def map_from_bytes(data: bytes) -> TaylorMap:
    """The map that was written, with every bit of its coefficients.

    Raises:
        FormatError: If the bytes do not hold a map.

    Example:
        >>> x = Algebra("x", order=2).variable("x")
        >>> taylor_map = TaylorMap([x / 3, x**2])
        >>> map_from_bytes(map_to_bytes(taylor_map)) == taylor_map
        True
        >>> map_from_bytes(series_to_bytes(x))
        Traceback (most recent call last):
            ...
        FormatError: the data are 'tpsa-series' version 1 and not 'tpsa-map' version 1
    """
    return TaylorMap(functions_of(_from_bytes(MAP_FORMAT, data)))


def _to_bytes(kind: str, functions: Sequence[MultivariateTaylorFunction]) -> bytes:
    bodies = [used_coefficients(function) for function in functions]
    counts = [{"count": len(body)} for body in bodies]
    fields = header(kind, functions, counts)
    text = json.dumps(fields, separators=(",", ":")).encode()
    size = len(text).to_bytes(_LENGTH_BYTES, "little")
    doubles = [body.astype(body.dtype.newbyteorder("<")).tobytes() for body in bodies]
    return b"".join([size, text, *doubles])


def _from_bytes(kind: str, data: bytes) -> StoredSeries:
    end = _LENGTH_BYTES + int.from_bytes(data[:_LENGTH_BYTES], "little")
    try:
        fields = json.loads(data[_LENGTH_BYTES:end])
    except (ValueError, RecursionError) as error:
        raise FormatError("the bytes have no header", hint=HINT) from error
    algebra, components = read_header(kind, fields)
    result: list[StoredComponent] = []
    for component in components:
        known, number_type = component_known_and_type(algebra, component)
        count = as_natural(component.get("count"))
        if count is None:
            raise FormatError("a component has no length", hint=HINT)
        if count > algebra.tables.offsets[known.order + 1]:
            raise FormatError(f"{count} coefficients up to order {known.order}", hint=HINT)
        stored = number_type.newbyteorder("<")
        start, end = end, end + count * stored.itemsize
        if end > len(data):
            raise FormatError(f"bytes are missing: {end - len(data)}", hint=HINT)
        values = np.zeros(algebra.size, dtype=number_type)
        values[:count] = np.frombuffer(data, dtype=stored, count=count, offset=start)
        result.append(stored_component(algebra, values, known))
    if end != len(data):
        raise FormatError(f"{len(data) - end} bytes too many", hint=HINT)
    return StoredSeries(definition=algebra, components=result)
