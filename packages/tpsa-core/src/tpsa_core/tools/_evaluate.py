"""Tools that give numbers: values of stored functions and maps."""

from collections.abc import Sequence

from tercet import CallContext, ErrorDetail, InvalidInputError
from tpsa_core._algebra import MultivariateTaylorFunction
from tpsa_core._map import TaylorMap
from tpsa_core.tools._arguments import MapRef, MtfRef, Number, Point
from tpsa_core.tools._declare import reads
from tpsa_core.tools._failures import quietly


@reads()
async def evaluate_mtf(context: CallContext, mtf_ref: MtfRef, point: Point) -> Number:
    """Evaluate a stored Taylor function at one point; gives a number.

    The number is that of the truncated series: close to the function's near the expansion point.
    A complex function gives [real part, imaginary part].
    Example: {"mtf_ref": "mtf_0", "point": [0.1, -0.2]}.
    """
    function = await context.load(mtf_ref, MultivariateTaylorFunction)
    _check_point(point, function.algebra.dimension)
    return json_value(await context.compute(quietly, function, *point))


@reads()
async def evaluate_taylor_map(context: CallContext, map_ref: MapRef, point: Point) -> list[Number]:
    """Evaluate a stored Taylor map at one point; gives one number for each component.

    A component that is complex gives [real part, imaginary part].
    Example: {"map_ref": "map_0", "point": [0.1, -0.2]}.
    """
    taylor_map = await context.load(map_ref, TaylorMap)
    _check_point(point, taylor_map.algebra.dimension)

    def work() -> list[float | complex]:
        return [function(*point) for function in taylor_map]

    return [json_value(value) for value in await context.compute(quietly, work)]


def _check_point(point: Sequence[float], dimension: int) -> None:
    if len(point) != dimension:
        expected = f"{dimension} numbers, one for each variable"
        raise InvalidInputError(
            f"the point has {len(point)} coordinates, the object {dimension} variables",
            hint=f"give {expected}",
            details=[ErrorDetail(pointer="/point", expected=expected, got=len(point))],
        )


def json_value(value: complex) -> float | list[float]:
    """Give a value as JSON: a complex one as the pair of its parts."""
    return [value.real, value.imag] if isinstance(value, complex) else value
