import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tpsa_core import (
    MTF,
    Algebra,
    FormatError,
    TaylorMap,
    map_from_bytes,
    map_to_bytes,
    series_from_bytes,
    series_to_bytes,
)

ALGEBRA = Algebra("x", "px", order=3)
X, PX = ALGEBRA.variables()


def _bits(function: MTF) -> bytes:
    return function.coefficients.tobytes()


@given(
    st.lists(st.floats(), min_size=ALGEBRA.size, max_size=ALGEBRA.size),
    st.integers(0, 3),
)
def test_every_bit_of_a_real_function_comes_back(values: list[float], valid_order: int) -> None:
    function = MTF(ALGEBRA, values, valid_order=valid_order)
    restored = series_from_bytes(series_to_bytes(function))
    assert restored.algebra == ALGEBRA
    assert restored.valid_order == valid_order
    assert _bits(restored) == _bits(function)
    assert not restored.is_complex
    assert not restored.coefficients.flags.writeable


def test_every_bit_of_a_complex_function_comes_back() -> None:
    values = np.array([complex(-0.0, 1.5), complex(np.nan, -0.0), *([0j] * 8)])
    function = MTF(ALGEBRA, values)
    assert _bits(series_from_bytes(series_to_bytes(function))) == _bits(function)


def test_a_map_comes_back_with_real_and_complex_components() -> None:
    taylor_map = TaylorMap([1j * X, PX.truncate(2), ALGEBRA.zero()])
    restored = map_from_bytes(map_to_bytes(taylor_map))
    assert restored == taylor_map
    assert [f.is_complex for f in restored] == [True, False, False]
    assert [f.valid_order for f in restored] == [3, 2, 3]


def test_zeros_at_the_end_take_no_room() -> None:
    large = Algebra(6, order=10).variable(0)
    assert len(series_to_bytes(large)) < 250


def _damaged(field: str, value: Any) -> bytes:
    """A stored function with one field of its header changed, `component.` for that of its part."""
    data = series_to_bytes(X + 1)
    length = int.from_bytes(data[:4], "little")
    header = json.loads(data[4 : 4 + length])
    whole = header["components"][0] if field.startswith("component.") else header
    whole[field.removeprefix("component.")] = value
    text = json.dumps(header).encode()
    return len(text).to_bytes(4, "little") + text + data[4 + length :]


_PART = {"valid_order": 3, "type": "real", "count": 2}
_DAMAGES: list[tuple[str, Any, str]] = [
    ("format", "other", "'other' version 1"),
    ("version", 2, "version 2 and not"),
    ("variables", [1, 2], "not named"),
    ("variables", "xy", "not named"),
    ("variables", ["x", "x"], "cannot exist"),
    ("variables", ["x"] * 1_000_000, "cannot exist"),
    ("order", -1, "cannot exist"),
    ("order", 9_999, "cannot exist"),
    ("components", [], "no components"),
    ("components", 7, "no components"),
    ("components", [7], "a component is no object"),
    ("components", [_PART, _PART], "bytes are missing"),
    ("component.count", None, "no length"),
    ("component.count", -1, "no length"),
    ("component.count", 10**12, "coefficients up to order 3"),
    ("component.valid_order", 0, "coefficients up to order 0"),
    ("component.valid_order", 4, "no valid order"),
    ("component.type", "object", "neither real nor complex"),
    ("component.count", 1, "8 bytes too many"),
    ("component.count", 3, "bytes are missing: 8"),
]


@pytest.mark.parametrize(
    ("field", "value", "message"), _DAMAGES, ids=[f"{n}-{d[0]}" for n, d in enumerate(_DAMAGES)]
)
def test_a_damaged_header_is_refused(field: str, value: Any, message: str) -> None:
    with pytest.raises(FormatError, match=message) as caught:
        series_from_bytes(_damaged(field, value))
    assert caught.value.hint


def test_bytes_of_something_else_are_refused() -> None:
    for data in (b"", b"abc", b"\xff" * 50, b"\x02\0\0\0[]", series_to_bytes(X)[:-1]):
        with pytest.raises(FormatError):
            series_from_bytes(data)
    with pytest.raises(FormatError, match="'tpsa-series' version 1 and not 'tpsa-map'"):
        map_from_bytes(series_to_bytes(X))
    nested = (100_000).to_bytes(4, "little") + b"[" * 100_000
    with pytest.raises(FormatError, match="no header"):
        series_from_bytes(nested)


def test_a_function_is_one_component() -> None:
    two = map_to_bytes(TaylorMap([X, PX])).replace(b"tpsa-map", b"tpsa-series")
    longer = (int.from_bytes(two[:4], "little") + 3).to_bytes(4, "little") + two[4:]
    with pytest.raises(FormatError, match="2 components"):
        series_from_bytes(longer)


@given(st.binary(max_size=300))
def test_any_bytes_at_all_are_survived(data: bytes) -> None:
    with pytest.raises(FormatError):
        series_from_bytes(data)
