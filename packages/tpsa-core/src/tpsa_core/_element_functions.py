"""Methods by which numpy finds the functions of series inside an array of objects.

`np.sin(f)` of a series asks the series; of an array of series it calls `f.sin()` for each one.
"""

from abc import ABC, abstractmethod
from typing import Any, Self

import numpy as np


class ElementFunctions(ABC):
    """numpy's functions as methods, by numpy's names."""

    __slots__ = ()

    @abstractmethod
    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        """The result of one of numpy's functions."""

    def __abs__(self) -> Self:
        return self._called(np.absolute)

    def _called(self, ufunc: np.ufunc, *others: Any) -> Any:
        return self.__array_ufunc__(ufunc, "__call__", self, *others)

    def arccos(self) -> Self:
        """The arccosine."""
        return self._called(np.arccos)

    def arccosh(self) -> Self:
        """The inverse hyperbolic cosine."""
        return self._called(np.arccosh)

    def arcsin(self) -> Self:
        """The arcsine."""
        return self._called(np.arcsin)

    def arcsinh(self) -> Self:
        """The inverse hyperbolic sine."""
        return self._called(np.arcsinh)

    def arctan(self) -> Self:
        """The arctangent."""
        return self._called(np.arctan)

    def arctanh(self) -> Self:
        """The inverse hyperbolic tangent."""
        return self._called(np.arctanh)

    def cbrt(self) -> Self:
        """The cube root."""
        return self._called(np.cbrt)

    def cos(self) -> Self:
        """The cosine."""
        return self._called(np.cos)

    def cosh(self) -> Self:
        """The hyperbolic cosine."""
        return self._called(np.cosh)

    def exp(self) -> Self:
        """The exponential."""
        return self._called(np.exp)

    def expm1(self) -> Self:
        """The exponential minus one."""
        return self._called(np.expm1)

    def log(self) -> Self:
        """The natural logarithm."""
        return self._called(np.log)

    def log10(self) -> Self:
        """The logarithm to the base 10."""
        return self._called(np.log10)

    def log1p(self) -> Self:
        """The logarithm of one plus the function."""
        return self._called(np.log1p)

    def log2(self) -> Self:
        """The logarithm to the base 2."""
        return self._called(np.log2)

    def sin(self) -> Self:
        """The sine."""
        return self._called(np.sin)

    def sinh(self) -> Self:
        """The hyperbolic sine."""
        return self._called(np.sinh)

    def sqrt(self) -> Self:
        """The square root."""
        return self._called(np.sqrt)

    def tan(self) -> Self:
        """The tangent."""
        return self._called(np.tan)

    def tanh(self) -> Self:
        """The hyperbolic tangent."""
        return self._called(np.tanh)

    def arctan2(self, abscissa: Any) -> Self:
        """The angle of the point (abscissa, self)."""
        return self._called(np.arctan2, abscissa)

    def hypot(self, other: Any) -> Self:
        """The root of the sum of both squares."""
        return self._called(np.hypot, other)
