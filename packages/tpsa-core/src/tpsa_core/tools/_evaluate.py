"""Tools that give numbers: values of stored functions and maps."""

from collections.abc import Sequence

from tercet import CallContext, ErrorDetail, InvalidInputError
from tpsa_core._algebra import MultivariateTaylorFunction
from tpsa_core._map import TaylorMap
from tpsa_core.tools._arguments import MapRef, MtfRef, Number, Point
from tpsa_core.tools._declare import reads
from tpsa_core.tools._work import coefficients_of, compute


@reads()
async def evaluate_mtf(context: CallContext, mtf_ref: MtfRef, point: Point) -> Number:
    """Evaluate a stored Taylor function at one point; gives a number.

    The number is that of the truncated series: close to the function's near the expansion point.
    A complex function gives [real part, imaginary part].
    Example: {"mtf_ref": "mtf_0", "point": [0.1, -0.2]}.
    """
    function = await context.load(mtf_ref, MultivariateTaylorFunction)
    _check_point(point, function.algebra.dimension)
    effort = coefficients_of(function)
    return json_value(await compute(context, effort, _value, function, point))


@reads()
async def evaluate_taylor_map(context: CallContext, map_ref: MapRef, point: Point) -> list[Number]:
    """Evaluate a stored Taylor map at one point; gives one number for each component.

    A component that is complex gives [real part, imaginary part].
    Example: {"map_ref": "map_0", "point": [0.1, -0.2]}.
    """
    taylor_map = await context.load(map_ref, TaylorMap)
    _check_point(point, taylor_map.algebra.dimension)
    effort = coefficients_of(taylor_map)
    values = await compute(context, effort, _values, taylor_map, point)
    return [json_value(value) for value in values]


def _value(function: MultivariateTaylorFunction, point: Sequence[float]) -> float | complex:
    return function(*point)


def _values(taylor_map: TaylorMap, point: Sequence[float]) -> list[float | complex]:
    return [function(*point) for function in taylor_map]


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
