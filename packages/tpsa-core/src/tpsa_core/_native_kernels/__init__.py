"""The compiled kernels under the same names as those on numpy.

Where an algebra is too large for the compiled kernels' tables, those on numpy compute.
"""

from tpsa_core._native_kernels._blocks import plan_of
from tpsa_core._native_kernels._functions import (
    compose_univariate,
    exponential,
    power,
    quotient,
    quotient_integral,
    root,
    tangent,
    wave_pair,
)
from tpsa_core._native_kernels._maps import compose, evaluate, inverse
from tpsa_core._native_kernels._products import multiply, multiply_rows
from tpsa_core._native_kernels._whole_maps import compose_whole, invert_whole

__all__ = [
    "compose",
    "compose_univariate",
    "compose_whole",
    "evaluate",
    "exponential",
    "inverse",
    "invert_whole",
    "multiply",
    "multiply_rows",
    "plan_of",
    "power",
    "quotient",
    "quotient_integral",
    "root",
    "tangent",
    "wave_pair",
]
