"""How Taylor functions and maps are kept in an object registry."""

from typing import Any, final

from tercet import Codec
from tpsa_core._algebra import MultivariateTaylorFunction
from tpsa_core._binary import map_from_bytes, map_to_bytes, series_from_bytes, series_to_bytes
from tpsa_core._map import TaylorMap
from tpsa_core._series import Term
from tpsa_core.tools._summary import function_summary, json_term, map_summary
from tpsa_core.tools._values_codec import ValuesCodec


@final
class SeriesCodec:
    """Keeps a Taylor function, bit by bit."""

    kind = "mtf"
    type = MultivariateTaylorFunction

    def encode(self, value: MultivariateTaylorFunction) -> bytes:
        """Write the function with its version."""
        return series_to_bytes(value)

    def decode(self, data: bytes) -> MultivariateTaylorFunction:
        """Read the function back, exactly."""
        return series_from_bytes(data)

    def summarize(self, value: MultivariateTaylorFunction) -> dict[str, Any]:
        """Give the main features."""
        return function_summary(value)

    def to_json(self, value: MultivariateTaylorFunction) -> dict[str, Any]:
        """Give all terms in graded order."""
        return _to_json(value)


@final
class MapCodec:
    """Keeps a Taylor map, bit by bit."""

    kind = "taylor_map"
    type = TaylorMap

    def encode(self, value: TaylorMap) -> bytes:
        """Write the map with its version."""
        return map_to_bytes(value)

    def decode(self, data: bytes) -> TaylorMap:
        """Read the map back, exactly."""
        return map_from_bytes(data)

    def summarize(self, value: TaylorMap) -> dict[str, Any]:
        """Give the main features."""
        return map_summary(value)

    def to_json(self, value: TaylorMap) -> dict[str, Any]:
        """Give all terms of all components, in graded order."""
        return {"components": [_to_json(function) for function in value]}


def _to_json(function: MultivariateTaylorFunction) -> dict[str, Any]:
    return {
        "variables": list(function.algebra.names),
        "order": function.algebra.order,
        "valid_order": function.valid_order,
        "terms": [
            json_term(Term(coefficient, sum(exponents), exponents))
            for exponents, coefficient in function.to_dict().items()
        ],
    }


TAYLOR_CODECS: tuple[Codec, ...] = (SeriesCodec(), MapCodec(), ValuesCodec())
"""What an object registry needs to keep Taylor functions, maps, and values at many points."""
