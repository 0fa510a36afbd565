"""How values at many points are kept: as arrays, a third of what their text would take."""

import json
import math
from dataclasses import dataclass
from typing import Any, final

import numpy as np
import numpy.typing as npt

from tpsa_core._errors import FormatError

__all__ = ["PointValues", "ValuesCodec", "json_values"]

_NUMBERS = {"real": np.dtype("<f8"), "complex": np.dtype("<c16")}
_HINT = "evaluate the batch again"


@dataclass(frozen=True, slots=True, eq=False)
class PointValues:
    """Points `(n, dimension)` and the values there, `(n,)` of a function, `(n, components)`."""

    points: npt.NDArray[np.float64]
    values: npt.NDArray[Any]


@final
class ValuesCodec:
    """Keeps points and values: a line of JSON, then both arrays."""

    kind = "values"
    type = PointValues

    def encode(self, value: PointValues) -> bytes:
        """Write the arrays with their version."""
        numbers = "complex" if np.iscomplexobj(value.values) else "real"
        header = {
            "format": self.kind,
            "version": 1,
            "points": value.points.shape,
            "values": value.values.shape,
            "numbers": numbers,
        }
        arrays = value.points.astype("<f8"), value.values.astype(_NUMBERS[numbers])
        return b"\n".join([json.dumps(header).encode(), b"".join(a.tobytes() for a in arrays)])

    def decode(self, data: bytes) -> PointValues:
        """Read the arrays back, exactly.

        Raises:
            FormatError: The bytes hold none.
        """
        line, _, rest = data.partition(b"\n")
        try:
            header: Any = json.loads(line)
            if (header["format"], header["version"]) != (self.kind, 1):
                raise FormatError("the bytes are no values of version 1", hint=_HINT)
            middle = 8 * math.prod(header["points"])
            points = np.frombuffer(rest[:middle], "<f8").reshape(header["points"])
            numbers = _NUMBERS[header["numbers"]]
            values = np.frombuffer(rest[middle:], numbers).reshape(header["values"])
        except (ValueError, TypeError, KeyError) as error:
            raise FormatError("the bytes hold no values, or damaged ones", hint=_HINT) from error
        return PointValues(points, values)

    def summarize(self, value: PointValues) -> dict[str, Any]:
        """Give how many there are of what."""
        return {
            "points": len(value.points),
            "dimension": value.points.shape[1],
            "components": 1 if value.values.ndim == 1 else value.values.shape[1],
        }

    def to_json(self, value: PointValues) -> dict[str, Any]:
        """Give all points and values."""
        return {"points": value.points.tolist(), "values": json_values(value.values)}


def json_values(values: npt.NDArray[Any]) -> list[Any]:
    """Give values as JSON: complex ones as pairs of their parts."""
    if np.iscomplexobj(values):
        return np.stack([np.real(values), np.imag(values)], axis=-1).tolist()
    return values.tolist()
