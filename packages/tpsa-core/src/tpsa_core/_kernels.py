"""The kernels in use, on arrays of coefficients in graded order.

An array holds the coefficients of all monomials of its tables, `(size,)`, float64 or complex128.
Domains are checked before. Truncation is by order alone, and every product is a direct sum over
pairs: nothing is dropped, no transforms.
"""

from tpsa_core._backend import NATIVE

if NATIVE is None:
    from tpsa_core._numpy_kernels import (
        compose,
        compose_univariate,
        compose_whole,
        evaluate,
        exponential,
        from_stored,
        inverse,
        invert_whole,
        multiply,
        multiply_stored_rows,
        power,
        quotient,
        quotient_integral,
        root,
        tangent,
        to_stored,
        wave_pair,
    )
else:
    from tpsa_core._native_kernels import (
        compose,
        compose_univariate,
        compose_whole,
        evaluate,
        exponential,
        from_stored,
        inverse,
        invert_whole,
        multiply,
        multiply_stored_rows,
        power,
        quotient,
        quotient_integral,
        root,
        tangent,
        to_stored,
        wave_pair,
    )

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
