"""Truncated power series algebra (differential algebra) in any number of variables, on numpy.

An `Algebra` says which variables there are and up to which order; its elements are
`MultivariateTaylorFunction`s (short: `MTF`), several of them form a `TaylorMap`.
`parse_expression` makes a function from a text. The agent tools are in `tpsa_core.tools`.
"""

from tpsa_core._algebra import Algebra, MultivariateTaylorFunction
from tpsa_core._binary import map_from_bytes, map_to_bytes, series_from_bytes, series_to_bytes
from tpsa_core._elementary import (
    acos,
    asin,
    atan,
    cos,
    cosh,
    exp,
    log,
    power,
    reciprocal,
    sin,
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
    OrderError,
    ShapeError,
    SingularMapError,
    TpsaError,
    VariableError,
)
from tpsa_core._expression import parse_expression
from tpsa_core._map import TaylorMap
from tpsa_core._series import Term

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
    "MultivariateTaylorFunction",
    "OrderError",
    "ShapeError",
    "SingularMapError",
    "TaylorMap",
    "Term",
    "TpsaError",
    "VariableError",
    "acos",
    "asin",
    "atan",
    "cos",
    "cosh",
    "exp",
    "log",
    "map_from_bytes",
    "map_to_bytes",
    "parse_expression",
    "power",
    "reciprocal",
    "series_from_bytes",
    "series_to_bytes",
    "sin",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
]
