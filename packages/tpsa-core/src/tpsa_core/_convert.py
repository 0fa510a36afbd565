"""Coefficients moved from one algebra to another, variables matched by name."""

import numpy as np

from tpsa_core._arrays import Array
from tpsa_core._bounds import Bounds, bounded
from tpsa_core._definition import AlgebraDefinition
from tpsa_core._errors import VariableError


def converted(source: AlgebraDefinition, target: AlgebraDefinition, values: Array) -> Array:
    """The coefficients in the target algebra; what exceeds its orders is cut off.

    Raises:
        VariableError: If a variable that the values depend on is missing in the target.
    """
    places = np.flatnonzero(values)
    exponents = source.exponents[places]
    moved = np.zeros((len(places), target.dimension), dtype=np.intp)
    for position, name in enumerate(source.names):
        if name in target.names:
            moved[:, target.names.index(name)] = exponents[:, position]
        elif exponents[:, position].any():
            message = f"the series depends on {name!r}, which {target!r} does not have"
            raise VariableError(message, hint=f"define the algebra with a variable {name!r}")
    kept = target.bounds.contain(moved)
    result = np.zeros(target.size, dtype=values.dtype)
    result[target.tables.places(moved[kept])] = values[places[kept]]
    return result


def known_there(source: AlgebraDefinition, target: AlgebraDefinition, known: Bounds) -> Bounds:
    """The set on which a function is known in the target algebra, variables matched by name.

    A joint bound of variables that do not stand last there binds all from the first of them on.
    """
    caps = [known.order] * target.dimension
    first = target.dimension
    for position, name in enumerate(source.names):
        if name not in target.names:
            continue
        place = target.names.index(name)
        caps[place] = known.caps[position]
        if position >= known.first_of_group:
            first = min(first, place)
    return bounded(known.order, caps, target.dimension - first, known.joint).meet(target.bounds)
