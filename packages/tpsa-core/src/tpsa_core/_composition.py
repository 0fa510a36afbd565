"""Which coefficients of a composition are known.

A term of the outer function that it does not know has more than n factors, or more than n among
some variables whose powers it keeps to n. In the composition it is made of as many terms of the
inner functions that stand for these. If every such term, constant parts aside, has at least m
factors of some kind - any factors, powers of one variable, or parameters - nothing with less than
(n + 1)·m of that kind is missing. For a variable that the inner functions leave to itself m is 1:
then the composition is known as far as both functions are.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tpsa_core._bounds import Bounds, bounded, monomials_number
from tpsa_core._known import known_of_all
from tpsa_core._series import Series


def known_of_compositions(
    outer: Sequence[Series[Any]], inner: Sequence[Series[Any]]
) -> list[Bounds]:
    """The set on which each of several compositions is known."""
    # Mostly one for all of them.
    known = {one: known_of_composition(one, inner) for one in {f.known for f in outer}}
    return [known[f.known] for f in outer]


def known_of_composition(outer: Bounds, inner: Sequence[Series[Any]]) -> Bounds:
    """The set on which a composition is known.

    Args:
        outer: The set on which the outer function is.
        inner: The functions in the place of its variables, of one algebra.
    """
    result = known_of_all(inner).lowered(outer.order)
    for variable, cap in enumerate(outer.caps):
        implied = outer.joint if variable >= outer.first_of_group else outer.order
        if cap < implied:
            result = _without_missing(result, cap, inner[variable : variable + 1])
    if outer.group:
        result = _without_missing(result, outer.joint, inner[outer.first_of_group :])
    return result


def _without_missing(known: Bounds, most: int, functions: Sequence[Series[Any]]) -> Bounds:
    """The part of a set that no product of more than `most` of some functions' terms reaches.

    Of several such parts the one with the most monomials.
    """
    exponents = _terms(functions)
    if not len(exponents):
        return known
    # The least that such a product has of each kind of factor: in all, of a variable, of the group.
    degree, joint = (
        (most + 1) * int(powers.sum(axis=1).min())
        for powers in (exponents, exponents[:, known.first_of_group :])
    )
    single = ((most + 1) * exponents.min(axis=0)).tolist()
    is_free = degree > known.order or joint > known.joint
    if is_free or any(least > cap for least, cap in zip(single, known.caps, strict=True)):
        return known
    parts = [known.lowered(degree - 1)]
    if joint:
        parts.append(bounded(known.order, known.caps, known.group, joint - 1))
    for variable, least in enumerate(single):
        if least:
            caps = [*known.caps[:variable], least - 1, *known.caps[variable + 1 :]]
            parts.append(bounded(known.order, caps, known.group, known.joint))
    return max(parts, key=monomials_number)


def _terms(functions: Sequence[Series[Any]]) -> npt.NDArray[np.int32]:
    """The exponents of the terms that some functions have, without their constant parts."""
    used = np.zeros(functions[0].algebra.size, dtype=bool)
    for function in functions:
        used |= function.coefficients != 0
    used[0] = False
    return functions[0].algebra.exponents[used]
