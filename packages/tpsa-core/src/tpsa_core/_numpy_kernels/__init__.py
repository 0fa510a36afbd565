"""The kernels on numpy alone: what every other backend has to agree with."""

from tpsa_core._numpy_kernels._compose import compose
from tpsa_core._numpy_kernels._evaluate import evaluate
from tpsa_core._numpy_kernels._inverse import inverse
from tpsa_core._numpy_kernels._multiply import multiply
from tpsa_core._numpy_kernels._recurrences import (
    exponential,
    power,
    quotient,
    quotient_integral,
    root,
)
from tpsa_core._numpy_kernels._rows import from_stored, multiply_stored_rows, to_stored
from tpsa_core._numpy_kernels._univariate import compose_univariate
from tpsa_core._numpy_kernels._waves import tangent, wave_pair
from tpsa_core._numpy_kernels._whole_maps import compose_whole, invert_whole

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
    "power",
    "quotient",
    "quotient_integral",
    "root",
    "tangent",
    "to_stored",
    "wave_pair",
]
