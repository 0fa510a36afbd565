"""Truncated power series algebra (differential algebra) in any number of variables.

An `Algebra` says which variables there are and up to which order; its elements are
`MultivariateTaylorFunction`s (short: `MTF`), several of them form a `TaylorMap`.
`parse_expression` makes a function from a text; `backend` says what computes.
The agent tools are in `tpsa_core.tools`.
"""

from tpsa_core._algebra import Algebra, MultivariateTaylorFunction
from tpsa_core._backend import backend
from tpsa_core._binary import map_from_bytes, map_to_bytes, series_from_bytes, series_to_bytes
from tpsa_core._elementary import (
    absolute,
    acos,
    acosh,
    asin,
    asinh,
    atan,
    atan2,
    atanh,
    cbrt,
    cos,
    cosh,
    cot,
    coth,
    exp,
    expm1,
    hypot,
    log,
    log1p,
    log2,
    log10,
    power,
    reciprocal,
    sin,
    sincos,
    sinh,
    sqrt,
    tan,
    tanh,
)
from tpsa_core._errors import (
    AlgebraError,
    AlgebraMismatchError,
    DomainError,
    ExponentsError,
    ExpressionError,
    FormatError,
    LimitError,
    MissingPackageError,
    OrderError,
    ShapeError,
    SingularMapError,
    TpsaError,
    VariableError,
)
from tpsa_core._expression import parse_expression
from tpsa_core._map import TaylorMap
from tpsa_core._series import Term
from tpsa_core._special import digamma, erf, erfc, gamma, gaussian, j0, j1, jn, loggamma
from tpsa_core._vector import TaylorVector

MTF = MultivariateTaylorFunction

__all__ = [
    "MTF",
    "Algebra",
    "AlgebraError",
    "AlgebraMismatchError",
    "DomainError",
    "ExponentsError",
    "ExpressionError",
    "FormatError",
    "LimitError",
    "MissingPackageError",
    "MultivariateTaylorFunction",
    "OrderError",
    "ShapeError",
    "SingularMapError",
    "TaylorMap",
    "TaylorVector",
    "Term",
    "TpsaError",
    "VariableError",
    "absolute",
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "backend",
    "cbrt",
    "cos",
    "cosh",
    "cot",
    "coth",
    "digamma",
    "erf",
    "erfc",
    "exp",
    "expm1",
    "gamma",
    "gaussian",
    "hypot",
    "j0",
    "j1",
    "jn",
    "log",
    "log1p",
    "log2",
    "log10",
    "loggamma",
    "map_from_bytes",
    "map_to_bytes",
    "parse_expression",
    "power",
    "reciprocal",
    "series_from_bytes",
    "series_to_bytes",
    "sin",
    "sincos",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
]
