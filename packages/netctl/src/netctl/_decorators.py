"""The three decorators that declare an app."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from netctl._app import NetworkApp
from netctl._declaration import OperationMark, ValidatorMark, declare
from netctl._errors import DeclarationError
from netctl._marks import mark
from netctl._schema import check_schema, object_schema

__all__ = ["agent_controlled", "aic_app", "command_validator"]

A = TypeVar("A", bound=NetworkApp)
M = TypeVar("M")


def aic_app(*, name: str) -> Callable[[type[A]], type[A]]:
    """Declare a class to be an app; whatever is wrong with it is said now, with the fix.

    Args:
        name: The app's name, also the first part of its tools' names.

    Raises:
        DeclarationError: When decorating, if the class does not declare a sound app.
    """

    def decorate(cls: type[A]) -> type[A]:
        declare(cls, name)
        return cls

    return decorate


def command_validator(command: str) -> Callable[[M], M]:
    """Make a method the app's guard of one of its commands, whatever the command's origin.

    The method is given `{"node_id": …, **payload}`, with the node's defaults filled in, and may be
    async. To accept, it answers `Accept()`, `True` or `(True, None)`; to reject,
    `Reject(reason, nearest=…)` or `(False, "why")`; to change the value, `Modify(value, reason)`.
    Any other answer, and any exception, rejects. Order among decorators does not matter; one that
    wraps the method must use `functools.wraps`.

    Args:
        command: The command's name.
    """
    if not isinstance(command, str):  # pyright: ignore[reportUnnecessaryIsInstance]  # bare use
        raise DeclarationError(
            "command_validator needs a command's name",
            hint="write @command_validator('SET_GAIN') above the method",
        )
    return lambda method: mark(method, ValidatorMark(command=command))


def agent_controlled(
    *,
    name: str,
    description: str,
    schema: Mapping[str, Any] | None = None,
    read_only: bool = False,
) -> Callable[[M], M]:
    """Make a method an operation that agents can call, run inside the app's loop.

    The method is given `(arguments, measurements)`: arguments that fit the schema, and live
    readings. It may be async, and answers a JSON value.

    Args:
        name: The operation's name, also the last part of its tool's name.
        description: What it does, for a model to read.
        schema: `properties` and `required` of its arguments.
        read_only: The app's promise that it changes nothing.

    Raises:
        DeclarationError: If the schema is none.
    """
    full = object_schema(schema or {})
    check_schema(full, owner=f"the operation {name!r}")
    operation = OperationMark(name=name, description=description, schema=full, read_only=read_only)
    return lambda method: mark(method, operation)
