"""The four operations, written once for series and for maps."""

from abc import ABC, abstractmethod
from typing import Generic, Self, TypeVar

OperandT = TypeVar("OperandT")


class Arithmetic(ABC, Generic[OperandT]):
    """Operators from six methods; each of those gives `NotImplemented` for a foreign operand.

    Operands are values of the same type, and those of one other type.
    """

    __slots__ = ()

    @abstractmethod
    def _negative(self) -> Self:
        """The value with the opposite sign."""

    @abstractmethod
    def _plus(self, other: object) -> Self:
        """The sum with an operand or with a value of this type."""

    @abstractmethod
    def _minus(self, other: object) -> Self:
        """The difference from an operand or from a value of this type."""

    @abstractmethod
    def _times(self, other: object) -> Self:
        """The product with an operand or with a value of this type."""

    @abstractmethod
    def _divided_by(self, other: object) -> Self:
        """The quotient by an operand or by a value of this type."""

    @abstractmethod
    def _dividing(self, other: object) -> Self:
        """The quotient of an operand by this value."""

    def _subtracted_from(self, other: object) -> Self:
        """The difference of an operand and this value."""
        return self._negative()._plus(other)  # noqa: SLF001 -- a value of this class

    def __pos__(self) -> Self:
        return self

    def __neg__(self) -> Self:
        return self._negative()

    def __add__(self, other: Self | OperandT) -> Self:
        return self._plus(other)

    def __radd__(self, other: OperandT) -> Self:
        return self._plus(other)

    def __sub__(self, other: Self | OperandT) -> Self:
        return self._minus(other)

    def __rsub__(self, other: OperandT) -> Self:
        return self._subtracted_from(other)

    def __mul__(self, other: Self | OperandT) -> Self:
        return self._times(other)

    def __rmul__(self, other: OperandT) -> Self:
        return self._times(other)

    def __truediv__(self, other: Self | OperandT) -> Self:
        return self._divided_by(other)

    def __rtruediv__(self, other: OperandT) -> Self:
        return self._dividing(other)
