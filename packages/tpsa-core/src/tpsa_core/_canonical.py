"""Which variables are positions and which are momenta."""

from collections.abc import Sequence
from typing import TypeAlias

from tpsa_core._definition import AlgebraDefinition
from tpsa_core._errors import ShapeError

# Each position with its momentum, by names or positions of variables.
Pairs: TypeAlias = Sequence[tuple[str | int, str | int]]


def canonical_pairs(algebra: AlgebraDefinition, pairs: Pairs | None) -> list[tuple[int, int]]:
    """The positions of the variables of each pair.

    Args:
        algebra: The algebra of the variables.
        pairs: Each position with its momentum; if None, the variables in order are q1, p1, q2, p2…
            The algebra's parameters are in no pair then.

    Raises:
        ShapeError: If a variable stands in two pairs, or the variables cannot be paired.
        VariableError: If there is no such variable.
    """
    if pairs is None:
        variables = algebra.dimension - len(algebra.parameters)
        if variables % 2:
            message = f"{variables} variables do not form pairs of position and momentum"
            hint = 'name the pairs, pairs=[("x", "px")]; other variables count as parameters'
            raise ShapeError(message, hint=hint)
        return [(place, place + 1) for place in range(0, variables, 2)]
    result = [(algebra.position(q), algebra.position(p)) for q, p in pairs]
    used = [place for pair in result for place in pair]
    if len(set(used)) < len(used) or not used:
        message = f"the pairs {result!r} do not hold different variables"
        raise ShapeError(message, hint="give every position a momentum of its own")
    return result
