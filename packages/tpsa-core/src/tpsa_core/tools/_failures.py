"""How the errors of the algebra become error codes: one table, for all tools."""

from collections.abc import Callable
from types import MappingProxyType
from typing import Any, ParamSpec, TypeVar

import numpy as np

from tercet import (
    ComputationError,
    ErrorDetail,
    ErrorMap,
    InvalidInputError,
    LimitExceededError,
    ToolError,
    UnavailableError,
)
from tpsa_core._algebra import MultivariateTaylorFunction
from tpsa_core._errors import DomainError, FormatError, LimitError, SingularMapError, TpsaError

P = ParamSpec("P")
T = TypeVar("T")

# The first match counts: the base of all comes last.
TAYLOR_ERRORS: ErrorMap = MappingProxyType(
    {
        DomainError: ComputationError,
        SingularMapError: ComputationError,
        LimitError: LimitExceededError,
        FormatError: UnavailableError,
        TpsaError: InvalidInputError,
    }
)


def blamed(error: TpsaError, pointer: str, *, expected: str, got: Any) -> ToolError:
    """The tool error for an error of the algebra, with the argument that is to blame."""
    kind = next(kind for domain, kind in TAYLOR_ERRORS.items() if isinstance(error, domain))
    detail = ErrorDetail(pointer=pointer, expected=expected, got=got)
    return kind(str(error), hint=error.hint, details=[detail])


def quietly(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """The value of a function that may overflow; what is not finite is found in the result."""
    with np.errstate(all="ignore"):
        return function(*args, **kwargs)


def require_finite(functions: tuple[MultivariateTaylorFunction, ...], what: str) -> None:
    """Refuse to keep a result with coefficients that overflowed.

    Raises:
        ComputationError: If one is not finite.
    """
    if not all(np.isfinite(function.coefficients).all() for function in functions):
        raise ComputationError(
            f"{what} has coefficients that are not finite numbers",
            hint="scale the variables so that coefficients stay below 1e308",
        )
