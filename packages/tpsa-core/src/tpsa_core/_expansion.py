"""About which point an expression is expanded, and about which one it could be."""

import cmath
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from tpsa_core._algebra import Algebra
from tpsa_core._errors import ShapeError
from tpsa_core._numbers import Number, as_number

ExpansionPoint: TypeAlias = Mapping[str, Number] | Sequence[Number]
"""Numbers by the names of variables, zero for the others; or one for each variable, in order."""

Point: TypeAlias = tuple[float | complex, ...]

# What is tried for a variable that is outside a domain: one of them is inside most domains.
_CANDIDATES = (1.0, 0.5, 2.0, -1.0)


def variable_places(algebra: Algebra) -> dict[str, int]:
    """Where each variable stands, by its name and as x1, x2, …; own names come first."""
    places = {f"x{place + 1}": place for place in range(algebra.dimension)}
    return places | {name: place for place, name in enumerate(algebra.names)}


def expansion_point(algebra: Algebra, at: ExpansionPoint | None) -> Point:
    """The point, as one number for each variable.

    Raises:
        VariableError: If there is no variable of that name.
        ShapeError: If there are not as many numbers as variables, or one is no finite number.
    """
    given: list[Number] = [0.0] * algebra.dimension
    if isinstance(at, Mapping):
        places = variable_places(algebra)
        for name, value in at.items():
            given[places[name] if name in places else algebra.position(name)] = value
    elif at is not None:
        given = list(at)
    numbers = tuple(_finite(value) for value in given)
    if len(numbers) != algebra.dimension:
        message = f"{len(numbers)} numbers for the expansion point of {algebra.dimension} variables"
        raise ShapeError(message, hint="give one for each variable, or some by their names")
    return numbers


def other_points(point: Point, used: Sequence[int]) -> Iterator[Point]:
    """Points to try in place of one, with the variables in use moved one at a time, then all."""
    for place in used:
        for value in _CANDIDATES:
            yield (*point[:place], value, *point[place + 1 :])
    if len(used) > 1:
        for value in _CANDIDATES:
            yield tuple(value if place in used else number for place, number in enumerate(point))


def said(algebra: Algebra, point: Point) -> str:
    """The point in the words of a call: its numbers that are not zero, by name."""
    numbers = zip(algebra.names, point, strict=True)
    return ", ".join(f'"{name}": {number:g}' for name, number in numbers if number)


def _finite(value: Number) -> float | complex:
    try:
        number = as_number(value)
    except OverflowError:
        number = None
    if number is None or not cmath.isfinite(number):
        message = f"the expansion point has {value!r:.100}, which is no finite number"
        raise ShapeError(message, hint="give numbers below 1e308")
    return number
