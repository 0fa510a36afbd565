"""Marks that decorators leave on methods, found again whatever other decorators surround them."""

import functools
import inspect
from collections.abc import Iterator
from typing import Any, TypeVar, cast

from netctl._errors import DeclarationError

__all__ = ["mark", "marked_methods"]

_ATTRIBUTE = "__netctl_marks__"
M = TypeVar("M")
K = TypeVar("K")


def mark(method: M, value: object) -> M:
    """The same method, or class or static method, with a mark.

    Raises:
        DeclarationError: If it is neither.
    """
    function: Any = getattr(method, "__func__", method)
    if not inspect.isfunction(function):
        raise DeclarationError(
            f"{method!r} is no method", hint="decorate a method of a NetworkApp class"
        )

    # A function of its own: one that two classes share must not carry the marks of both.
    @functools.wraps(function)
    def marked(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    setattr(marked, _ATTRIBUTE, (*_marks(function), value))
    return cast("M", type(method)(marked) if function is not method else marked)  # pyright: ignore[reportCallIssue] -- class and static methods take their function


def marked_methods(owner: type, kind: type[K]) -> Iterator[tuple[str, K]]:
    """The names of a class's methods with marks of a kind, inherited ones too.

    Raises:
        DeclarationError: If a method hides a marked one without being marked itself: a guard
            must never get lost in silence.
    """
    names = dict.fromkeys(name for parent in reversed(owner.__mro__) for name in vars(parent))
    for name in names:
        lineage = [vars(parent)[name] for parent in owner.__mro__ if name in vars(parent)]
        marks = [
            [value for value in _marks(member) if isinstance(value, kind)] for member in lineage
        ]
        if any(marks) and not marks[0]:
            raise DeclarationError(
                f"{owner.__name__}.{name} hides a method with a {kind.__name__} but has none",
                hint="decorate it as the method that it replaces, or rename it",
            )
        for value in marks[0]:
            yield name, value


def _marks(method: object) -> tuple[object, ...]:
    found: tuple[object, ...] = getattr(getattr(method, "__func__", method), _ATTRIBUTE, ())
    return found
