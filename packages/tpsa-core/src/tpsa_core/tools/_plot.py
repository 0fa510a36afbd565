"""The tool that draws a function: a curve along one variable, or contours over two."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict, Field

from tercet import CallContext, ComputationError, ErrorDetail, InvalidInputError, Shown
from tpsa_core._algebra import Algebra, MultivariateTaylorFunction
from tpsa_core.tools._arguments import MtfRef, Name, NamedNumbers, Variable
from tpsa_core.tools._cost import evaluation
from tpsa_core.tools._declare import makes
from tpsa_core.tools._figures import Curves, Surface, draw_curves, draw_surface
from tpsa_core.tools._operands import afford, cut_to_valid, find_numbers, find_variable
from tpsa_core.tools._pictures import LARGEST_DRAWN, show, shown_name
from tpsa_core.tools._work import ENDLESS, compute

__all__ = ["plot_mtf"]

Array = npt.NDArray[Any]

_CURVE_POINTS = 401
_SURFACE_POINTS = 161
_SHOWN_NUMBERS = 4
# Relative to the ends of an axis: with less between them they have the same label.
_NARROWEST = 1e-6


class Range(BaseModel):
    """A variable and where it goes from and to."""

    model_config = ConfigDict(extra="forbid")

    variable: Variable
    lower: float = Field(description="The lowest value.", ge=-LARGEST_DRAWN, le=LARGEST_DRAWN)
    upper: float = Field(description="The highest value.", ge=-LARGEST_DRAWN, le=LARGEST_DRAWN)


class Plot(Shown):
    """A picture of a function; the picture itself goes beside the answer."""

    lowest: float = Field(description="The lowest value that is drawn.")
    highest: float = Field(description="The highest value that is drawn.")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Axis:
    place: int
    label: str
    ends: tuple[float, float]

    def values(self, count: int) -> npt.NDArray[np.float64]:
        return np.linspace(*self.ends, count)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cut:
    """A function as it is drawn: what it is called, and where its other variables are."""

    function: MultivariateTaylorFunction
    label: str
    numbers: Mapping[int, float]

    def evaluate(self, axes: Mapping[int, Array]) -> Array:
        """Give the values at points whose coordinates on the axes are given."""
        count = len(next(iter(axes.values())))
        points = np.zeros((count, self.function.algebra.dimension))
        for place, coordinates in {**self.numbers, **axes}.items():
            points[:, place] = coordinates
        values = cut_to_valid(self.function).evaluate(points)
        highest = float(np.abs(values).max())
        if not highest <= LARGEST_DRAWN:
            raise ComputationError(
                f"{self.label!r} has values there that are too large to draw, up to {highest:.3g}",
                hint="draw a smaller range",
            )
        return values


@dataclass(frozen=True, slots=True)
class _Drawing:
    png: bytes
    what: str
    lowest: float
    highest: float


@makes()
async def plot_mtf(
    context: CallContext,
    *,
    mtf_ref: MtfRef,
    x: Annotated[Range, Field(description="What the horizontal axis shows.")],
    y: Annotated[
        Range | None,
        Field(description="What the vertical axis shows; contours are drawn. Left out: a curve."),
    ] = None,
    fixed: Annotated[
        NamedNumbers | None,
        Field(description="Numbers for other variables, by number or name; 0 for those left out."),
    ] = None,
    name: Name = None,
) -> Plot:
    """Draw a stored Taylor function: a curve along one variable, or contours over two.

    Gives a PNG picture beside the answer, and its ref. What is drawn is the truncated series, close
    to the function near the expansion point only. Of a complex function, a curve shows both parts
    and contours show the absolute value. Needs matplotlib: UNAVAILABLE without it.
    Example: {"mtf_ref": "mtf_0", "x": {"variable": 1, "lower": -1, "upper": 1}}.
    """
    function = await context.load(mtf_ref, MultivariateTaylorFunction)
    algebra = function.algebra
    across = _axis(x, algebra, "/x")
    up = None if y is None else _axis(y, algebra, "/y")
    axes = [across] if up is None else [across, up]
    if up is not None and up.place == across.place:
        raise InvalidInputError(
            f"both axes show the variable {across.label!r}",
            hint="give another variable for y, or leave y out",
            details=[ErrorDetail(pointer="/y/variable", expected="another variable")],
        )
    numbers = find_numbers(fixed or {}, algebra, "/fixed")
    for axis in axes:
        numbers.pop(axis.place, None)
    count = _CURVE_POINTS if up is None else _SURFACE_POINTS**2
    estimate = evaluation(algebra.dimension, 1, count, count * (algebra.dimension + 1))
    afford(context, estimate, function.valid_order, f"a picture of {mtf_ref!r}", "/mtf_ref")
    cut = _Cut(function=function, label=shown_name(mtf_ref), numbers=numbers)
    if up is None:
        drawing = await compute(context, ENDLESS, _curve, cut, across)
    else:
        drawing = await compute(context, ENDLESS, _contours, cut, across, up)
    description = f"{drawing.what}: from {drawing.lowest:.4g} to {drawing.highest:.4g}"
    shown = await show(context, drawing.png, description, name)
    return Plot(**shown, lowest=drawing.lowest, highest=drawing.highest)


def _curve(cut: _Cut, x: _Axis) -> _Drawing:
    places = x.values(_CURVE_POINTS)
    values = cut.evaluate({x.place: places})
    curves = {cut.label: values}
    if cut.function.is_complex:
        curves = {"real part": np.real(values), "imaginary part": np.imag(values)}
    what = f"{cut.label} along {x.label}{_said(cut)}"
    png = draw_curves(
        Curves(title=what, x_label=x.label, y_label=cut.label, x=places, values=curves)
    )
    drawn = np.stack(list(curves.values()))
    return _Drawing(png, what, float(drawn.min()), float(drawn.max()))


def _contours(cut: _Cut, x: _Axis, y: _Axis) -> _Drawing:
    across, up = x.values(_SURFACE_POINTS), y.values(_SURFACE_POINTS)
    plane = np.meshgrid(across, up)
    values = cut.evaluate({x.place: plane[0].ravel(), y.place: plane[1].ravel()})
    label = f"|{cut.label}|" if cut.function.is_complex else cut.label
    drawn = np.abs(values) if cut.function.is_complex else values
    what = f"{label} over {x.label} and {y.label}{_said(cut)}"
    png = draw_surface(
        Surface(
            title=what,
            x_label=x.label,
            y_label=y.label,
            value_label=label,
            x=across,
            y=up,
            values=drawn.reshape(len(up), len(across)),
        )
    )
    return _Drawing(png, what, float(drawn.min()), float(drawn.max()))


def _axis(axis: Range, algebra: Algebra, pointer: str) -> _Axis:
    place = find_variable(axis.variable, algebra, f"{pointer}/variable")
    width = axis.upper - axis.lower
    if width <= _NARROWEST * max(abs(axis.lower), abs(axis.upper)) or width < 1 / LARGEST_DRAWN:
        raise InvalidInputError(
            f"the range from {axis.lower:g} to {axis.upper:g} cannot be drawn",
            hint="give an upper end that is clearly higher than the lower one",
            details=[
                ErrorDetail(
                    pointer=f"{pointer}/upper", expected=f"more than {axis.lower:g}", got=axis.upper
                )
            ],
        )
    label = shown_name(algebra.names[place])
    return _Axis(place=place, label=label, ends=(axis.lower, axis.upper))


def _said(cut: _Cut) -> str:
    """Say where the other variables are; those that are zero go without saying."""
    names = cut.function.algebra.names
    given = [
        f"{shown_name(names[place])} = {value:.6g}"
        for place, value in sorted(cut.numbers.items())
        if value
    ]
    more = ", …" if len(given) > _SHOWN_NUMBERS else ""
    return f", {', '.join(given[:_SHOWN_NUMBERS])}{more}" if given else ""
