"""A series as an expression of SymPy, which is no dependency: it is asked for when it is used."""

import importlib
from collections.abc import Sequence
from typing import Any

from tpsa_core._errors import MissingPackageError, ShapeError
from tpsa_core._series import Series


def to_sympy(function: Series[Any], symbols: Sequence[Any] | None = None) -> Any:
    """The polynomial of the series as an expression of SymPy; see `to_sympy` of a function."""
    try:
        # Imported here: SymPy is optional, and takes longer to load than this package.
        sympy: Any = importlib.import_module("sympy")
    except ImportError as error:
        message = "a SymPy expression needs the package sympy, which is not installed"
        raise MissingPackageError(message, hint="install sympy, or use to_dict") from error
    names = function.algebra.names
    variables = list(sympy.symbols(names)) if symbols is None else list(symbols)
    if len(variables) != len(names):
        message = f"{len(variables)} symbols for {len(names)} variables"
        raise ShapeError(message, hint="give one symbol for each variable")
    terms: list[Any] = []
    for powers, coefficient in function.to_dict().items():
        number = sympy.Float(coefficient.real, 17)
        if coefficient.imag:
            number += sympy.I * sympy.Float(coefficient.imag, 17)
        factors = (x**power for x, power in zip(variables, powers, strict=True) if power)
        terms.append(sympy.Mul(number, *factors))
    return sympy.Add(*terms)
