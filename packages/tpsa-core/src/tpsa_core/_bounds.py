"""Sets of monomials, bounded in degree, in the power of each variable, and jointly in some.

Such a set contains every divisor of its members, so that leaving out all other monomials is a
truncation: the rest of the algebra is an ideal. The bounds say which coefficients an algebra keeps,
and which of them a value knows.

The variables that are bounded jointly come last. That makes the joint bound one on a sum of last
exponents, which the places of monomials are made of anyway; see `_restricted`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Self, final

import numpy as np
import numpy.typing as npt

_LARGEST = 1e300


@final
@dataclass(frozen=True, slots=True)
class Bounds:
    """The monomials up to `order`, with powers up to `caps`, the last ones jointly up to `joint`.

    Made by `bounded`, each number is the highest that occurs in the set, and a joint bound above 0
    is there only if it excludes something: equal sets with all variables are equal values.

    Attributes:
        order: The highest total degree.
        caps: The highest power of each variable.
        group: How many of the last variables are bounded jointly.
        joint: The highest degree in these.
    """

    order: int
    caps: tuple[int, ...]
    group: int = 0
    joint: int = 0

    @classmethod
    def full(cls, dimension: int, order: int) -> Self:
        """All monomials up to an order."""
        return cls(order, (order,) * dimension)

    @property
    def dimension(self) -> int:
        """The number of variables."""
        return len(self.caps)

    @property
    def first_of_group(self) -> int:
        """The position of the first variable of the group; the dimension, if there is none."""
        return len(self.caps) - self.group

    @property
    def is_full(self) -> bool:
        """Whether nothing but the order binds."""
        return not self.group and min(self.caps) == self.order

    def joint_degree(self, count: int) -> int:
        """The highest degree in so many of the last variables."""
        total = min(self.order, sum(self.caps[len(self.caps) - count :]))
        if not 0 < self.group <= count:
            return min(total, self.joint) if self.group else total
        return min(total, self.joint + sum(self.caps[len(self.caps) - count : self.first_of_group]))

    def lowered(self, order: int) -> "Bounds":
        """The monomials up to a lower order."""
        if order >= self.order:
            return self
        if self.is_full:
            return self.full(self.dimension, order)
        return bounded(order, self.caps, self.group, self.joint)

    def meet(self, other: "Bounds") -> "Bounds":
        """Monomials that both sets have, of the same variables: all, if their groups agree."""
        caps = [min(pair) for pair in zip(self.caps, other.caps, strict=True)]
        joints = [bounds.joint for bounds in (self, other) if bounds.group]
        group = max(self.group, other.group)
        return bounded(min(self.order, other.order), caps, group, min(joints, default=0))

    def over(self, variable: int) -> "Bounds | None":
        """The monomials that are in the set when multiplied by a variable; None, if there is none.

        A derivative is known on these.
        """
        if not self.caps[variable]:
            return None
        caps = list(self.caps)
        caps[variable] -= 1
        joint = self.joint - (variable >= self.first_of_group)
        return bounded(self.order - 1, caps, self.group, joint)

    def times(self, variable: int) -> "Bounds":
        """A set whose monomials with a variable are in this one when divided by it.

        An antiderivative is known on it: without the variable it is zero.
        """
        in_group = variable >= self.first_of_group
        caps = list(self.caps)
        for place, cap in enumerate(caps):
            # A bound that another one implies rises with that one.
            implied = cap == self.order
            if in_group and place >= self.first_of_group:
                implied = implied or cap == self.joint
            caps[place] += place == variable or implied
        return bounded(self.order + 1, caps, self.group, self.joint + in_group)

    def contain(self, exponents: npt.NDArray[np.integer]) -> npt.NDArray[np.bool_]:
        """Which monomials, `(..., dimension)`, are in the set: `(...)`."""
        inside = exponents.sum(axis=-1) <= self.order
        inside &= (exponents <= np.array(self.caps)).all(axis=-1)
        if self.group:
            inside &= exponents[..., self.first_of_group :].sum(axis=-1) <= self.joint
        return inside

    def highest_power(self, exponents: Sequence[int]) -> int:
        """The highest power of a monomial of the set, other than 1, that is in it as well."""
        bounds = [(sum(exponents), self.order), *zip(exponents, self.caps, strict=True)]
        bounds.append((sum(exponents[self.first_of_group :]), self.joint))
        return min(bound // used for used, bound in bounds if used)


def bounded(order: int, caps: Sequence[int], group: int = 0, joint: int = 0) -> Bounds:
    """The set of the monomials within some bounds, described by the bounds that are reached.

    Args:
        order: A bound on the total degree.
        caps: Bounds on the powers of all variables.
        group: How many of the last variables are bounded jointly.
        joint: The bound on their degree.
    """
    first = len(caps) - group
    joint = min(joint, order) if group else 0
    lower = [min(cap, order) for cap in caps[:first]] + [min(cap, joint) for cap in caps[first:]]
    reached = min(joint, sum(lower[first:]))
    order = min(order, sum(lower[:first]) + reached)
    # One of 0 excludes nothing more than the powers do, and yet says how they belong together.
    if reached == min(order, sum(lower[first:])) and (reached or not order):
        return Bounds(order, tuple(lower))
    return Bounds(order, tuple(lower), group, reached)


def tail_counts(bounds: Bounds) -> npt.NDArray[np.float64]:
    """How many monomials there are by their last variables, `(dimension + 1, order + 1)`.

    At [k, t] those in the variables from k on, of degree t. Numbers are exact below 2**53.
    """
    rows = list(_rows_of_counts(bounds, divisors=False))
    return np.array(rows[::-1])


def monomials_number(bounds: Bounds) -> float:
    """The number of monomials, from the bounds alone; exact below 2**53."""
    return _total(bounds, divisors=False)


def pairs_number(bounds: Bounds) -> float:
    """The number of pairs whose product is in the set: what a dense product costs."""
    return _total(bounds, divisors=True)


def _total(bounds: Bounds, *, divisors: bool) -> float:
    row = None
    for counts in _rows_of_counts(bounds, divisors=divisors):
        row = counts
    return 0.0 if row is None else float(row.sum())


def _rows_of_counts(bounds: Bounds, *, divisors: bool) -> Iterator[npt.NDArray[np.float64]]:
    """Counts by degree of the monomials in no variable, in the last one, in the last two and so on.

    Args:
        bounds: The set of monomials.
        divisors: Count each monomial as often as it has divisors.
    """
    counts = np.zeros(bounds.order + 1)
    counts[0] = 1
    yield counts
    for variable in range(bounds.dimension - 1, -1, -1):
        counts = _with_powers(counts, bounds.caps[variable], divisors=divisors)
        if variable >= bounds.first_of_group:
            counts[bounds.joint + 1 :] = 0
        yield counts


def _with_powers(
    below: npt.NDArray[np.float64], cap: int, *, divisors: bool
) -> npt.NDArray[np.float64]:
    """The counts with the powers of one more variable, each once, or power + 1 times: by sums."""
    once = below.cumsum()
    result = once.cumsum() if divisors else once.copy()
    past = result[: -cap - 1] + ((cap + 1) * once[: -cap - 1] if divisors else 0)
    result[cap + 1 :] -= past
    # What is that large will be refused; infinities would become nan on the way.
    return np.minimum(result, _LARGEST)
