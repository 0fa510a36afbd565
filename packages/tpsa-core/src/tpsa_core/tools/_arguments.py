"""The arguments that several tools share, with their descriptions and bounds."""

from typing import Annotated, TypeAlias

from pydantic import Field

from tpsa_core.tools._limits import MAX_DIMENSION, MAX_ORDER

Expression: TypeAlias = Annotated[
    str,
    Field(
        description=(
            "A formula in x1, x2, … or the names of the session's variables: numbers (2, 1.5e-3, "
            "2j), pi, e, + - * / ** ^, parentheses, "
            "exp, expm1, log, log1p, log2, log10, sqrt, cbrt, pow(base, exponent), reciprocal, "
            "abs, hypot(x, y), sin, cos, tan, cot, asin, acos, atan, atan2(y, x), sinh, cosh, "
            "tanh, coth, asinh, acosh, atanh, erf, erfc, gaussian, gamma, loggamma, digamma, j0, "
            "j1, jn(order, x). Angles in radians; products need a star: 2*x1."
        ),
        min_length=1,
        max_length=10_000,
    ),
]
Dimension: TypeAlias = Annotated[
    int,
    Field(description="The number of variables: x1 to xN.", ge=1, le=MAX_DIMENSION),
]
MaxOrder: TypeAlias = Annotated[
    int,
    Field(
        description=(
            "The highest total degree that is kept. dimension and max_order together are limited, "
            "by default to 4,000,000 multiplications in a product: 6 variables at order 12."
        ),
        ge=1,
        le=MAX_ORDER,
    ),
]
OptionalDimension: TypeAlias = Annotated[
    int | None,
    Field(
        description="The number of variables: x1 to xN. Left out: what the session works in.",
        ge=1,
        le=MAX_DIMENSION,
    ),
]
OptionalOrder: TypeAlias = Annotated[
    int | None,
    Field(
        description=(
            "The highest total degree that is kept. Left out: what the session works in. Limited, "
            "by default to 4,000,000 multiplications in a product: 6 variables at order 12."
        ),
        ge=1,
        le=MAX_ORDER,
    ),
]
Name: TypeAlias = Annotated[
    str | None,
    Field(
        description=(
            "A name of your own for the result: a letter or underscore, then letters, digits, "
            "'_', '.' or '-'. Without one it is numbered: mtf_0, map_0, …"
        ),
        max_length=64,
    ),
]
MtfRef: TypeAlias = Annotated[
    str,
    Field(description="The ref of a stored Taylor function, such as mtf_0.", max_length=64),
]
MapRef: TypeAlias = Annotated[
    str,
    Field(description="The ref of a stored Taylor map, such as map_0.", max_length=64),
]
Variable: TypeAlias = Annotated[
    int | Annotated[str, Field(max_length=100)],
    Field(description="A variable: its number, from 1, or its name."),
]
Names: TypeAlias = Annotated[
    list[Annotated[str, Field(max_length=100)]] | None,
    Field(
        description=(
            "A name for each variable, such as x and px, for expressions and answers. Left out: "
            "x1, x2, …, which name them by position in any case."
        ),
        min_length=1,
        max_length=MAX_DIMENSION,
    ),
]
NamedNumbers: TypeAlias = Annotated[
    dict[Annotated[str, Field(max_length=100)], float], Field(max_length=MAX_DIMENSION)
]
ExpandAt: TypeAlias = Annotated[
    NamedNumbers | list[float] | None,
    Field(
        description=(
            "The point to expand about: numbers by the names of variables (0 for those left out), "
            "or a list of one number for each. The variables of the result are the distances from "
            "it. Left out: the origin."
        ),
        max_length=MAX_DIMENSION,
    ),
]
Point: TypeAlias = Annotated[
    list[float],
    Field(
        description=(
            "One real number for each variable, in order, as distances from the expansion point."
        ),
        min_length=1,
        max_length=MAX_DIMENSION,
    ),
]
# A complex number is a pair of its real and its imaginary part.
Number: TypeAlias = Annotated[
    float | list[float], Field(description="A real number, or [real part, imaginary part].")
]
