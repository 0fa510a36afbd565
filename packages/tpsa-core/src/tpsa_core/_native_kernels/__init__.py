"""The compiled kernels under the same names as those on numpy.

Where an algebra is too large for the compiled kernels' tables, those on numpy compute.
"""

from tpsa_core._native_kernels._blocks import plan_of, to_block
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
from tpsa_core._native_kernels._products import (
    from_stored,
    multiply,
    multiply_stored_rows,
    to_stored,
)
from tpsa_core._native_kernels._whole_maps import compose_whole, invert_whole

__all__ = [
    "compose",
    "compose_univariate",
    "compose_whole",
    "evaluate",
    "exponential",
    "from_stored",
    "inverse",
    "invert_whole",
    "multiply",
    "multiply_stored_rows",
    "plan_of",
    "power",
    "quotient",
    "quotient_integral",
    "root",
    "tangent",
    "to_block",
    "to_stored",
    "wave_pair",
]
