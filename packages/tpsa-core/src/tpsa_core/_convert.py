"""Coefficients moved from one algebra to another, variables matched by name."""

import numpy as np

from tpsa_core._arrays import Array
from tpsa_core._definition import AlgebraDefinition
from tpsa_core._errors import VariableError


def converted(source: AlgebraDefinition, target: AlgebraDefinition, values: Array) -> Array:
    """The coefficients in the target algebra; what exceeds its order is cut off.

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
    kept = moved.sum(axis=1) <= target.order
    result = np.zeros(target.size, dtype=values.dtype)
    result[target.tables.places(moved[kept])] = values[places[kept]]
    return result
