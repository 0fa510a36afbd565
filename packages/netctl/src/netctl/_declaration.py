"""What a decorated class declares, checked once and frozen."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from netctl._app import NetworkApp
from netctl._errors import DeclarationError
from netctl._instance_first import give_instances
from netctl._marks import marked_methods
from netctl._measurements import MeasurementsHandler
from netctl._nearest import nearest_of
from netctl._number import is_finite_number

__all__ = [
    "AppDeclaration",
    "OperationDeclaration",
    "OperationMark",
    "ValidatorMark",
    "declaration_of",
    "declare",
]

_ATTRIBUTE = "__netctl_declaration__"
_APP_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,47}")
_OPERATION_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,47}")
_LONGEST_TOOL_NAME = 64
_SHORTEST_PERIOD_S = 0.001
_RESERVED = ("get_measurements", "get_state", "set_state")


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidatorMark:
    """Marks a method as the guard of a command."""

    command: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationMark:
    """Marks a method as an operation for agents; `schema` is whole and strict."""

    name: str
    description: str
    schema: Mapping[str, Any]
    read_only: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationDeclaration:
    """An operation that agents can call inside the app's loop.

    Attributes:
        name: Its name.
        description: What it does.
        schema: The strict JSON Schema of its arguments.
        read_only: Whether the app promises that it changes nothing.
        method: The name of the method that does it.
    """

    name: str
    description: str
    schema: Mapping[str, Any]
    read_only: bool
    method: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AppDeclaration:
    """What an app is.

    Attributes:
        name: Its name.
        app_id: Its number.
        period_s: The period of its loop.
        metrics: The metrics that it reads from each node; None: all of them.
        commands: The nodes that each of its commands may be sent to, in ascending order.
        validators: The method that guards each command that has one.
        operations: What agents can call inside its loop, by name.
        priority: Its rank among those who wait for one resource.
        plugins: The names of the plugins that it requires.
    """

    name: str
    app_id: int
    period_s: float
    metrics: Mapping[int, tuple[str, ...] | None]
    commands: Mapping[str, tuple[int, ...]]
    validators: Mapping[str, str]
    operations: Mapping[str, OperationDeclaration]
    priority: int
    plugins: tuple[str, ...] = ()

    @property
    def timeout_s(self) -> float:
        """How long a call of an operation waits unless it says otherwise."""
        return 3.0 * self.period_s + 5.0


def declaration_of(app: NetworkApp) -> AppDeclaration:
    """What an app declares.

    Raises:
        DeclarationError: If its class is not decorated itself; a subclass needs its own name.
    """
    declaration = vars(type(app)).get(_ATTRIBUTE)
    if not isinstance(declaration, AppDeclaration):
        raise DeclarationError(
            f"{type(app).__name__} is no declared app",
            hint="decorate the class itself with @aic_app(name=…)",
        )
    return declaration


def declare(cls: type, name: str) -> None:
    """Check a class, and keep what it declares on it.

    Raises:
        DeclarationError: If it does not declare a sound app.
    """
    if not isinstance(name, str) or not _APP_NAME.fullmatch(name):  # pyright: ignore[reportUnnecessaryIsInstance]  # untyped callers
        raise DeclarationError(
            f"{name!r} is no app name",
            hint="use up to 48 letters, digits, '_' and '-', a letter first",
        )
    if not (isinstance(cls, type) and issubclass(cls, NetworkApp)):  # pyright: ignore[reportUnnecessaryIsInstance]  # untyped callers
        raise DeclarationError(
            f"{name!r} does not derive from NetworkApp", hint="write class …(NetworkApp)"
        )
    commands = _commands(cls)
    declaration = AppDeclaration(
        name=name,
        app_id=_app_id(cls),
        period_s=_period_s(cls),
        metrics=_metrics(cls),
        commands=commands,
        validators=_validators(cls, commands),
        operations=_operations(cls),
        priority=_priority(cls),
        plugins=_plugins(cls),
    )
    _check_tool_names(declaration)
    give_instances(cls, below=NetworkApp)
    setattr(cls, _ATTRIBUTE, declaration)


def _fault(cls: type, message: str, hint: str) -> DeclarationError:
    return DeclarationError(f"{cls.__name__}: {message}", hint=hint)


def _app_id(cls: type[NetworkApp]) -> int:
    app_id: object = getattr(cls, "aic_app_id", None)
    if not isinstance(app_id, int) or isinstance(app_id, bool) or app_id < 1:
        raise _fault(
            cls, f"aic_app_id is {app_id!r}, not a whole number above 0", "write aic_app_id = 1"
        )
    return app_id


def _period_s(cls: type[NetworkApp]) -> float:
    period_s: object = cls.control_loop_update_time
    if not is_finite_number(period_s) or period_s < _SHORTEST_PERIOD_S:
        raise _fault(
            cls,
            f"control_loop_update_time is {period_s!r}, not a number of seconds above 0",
            f"write control_loop_update_time = 2.0; {_SHORTEST_PERIOD_S} is the least",
        )
    return float(period_s)


def _plugins(cls: type[NetworkApp]) -> tuple[str, ...]:
    names = cast("object", cls.required_plugins)
    if (
        isinstance(names, str)
        or not isinstance(names, Sequence)
        or not all(isinstance(name, str) for name in cast("Sequence[object]", names))
    ):
        raise _fault(
            cls, f"required_plugins is {names!r}, not a list of names", 'write ["storage"]'
        )
    return tuple(cast("Sequence[str]", names))


def _priority(cls: type[NetworkApp]) -> int:
    priority = cast("object", cls.priority)
    if not isinstance(priority, int) or isinstance(priority, bool):
        raise _fault(cls, f"priority is {priority!r}, not a whole number", "write priority = 0")
    return priority


def _by_node(cls: type[NetworkApp], attribute: str) -> dict[int, list[Any]]:
    """The lists of a `{node_id: […]}` attribute, checked for its form."""
    table = cast("object", getattr(cls, attribute))
    hint = f"write {attribute} = {{8: [...]}}"
    if not isinstance(table, Mapping):
        raise _fault(cls, f"{attribute} is {table!r}, not a mapping of node ids to lists", hint)
    checked: dict[int, list[Any]] = {}
    for node_id, names in cast("Mapping[object, object]", table).items():
        if not isinstance(node_id, int) or isinstance(node_id, bool):
            raise _fault(cls, f"{attribute} has the key {node_id!r}, which is no node id", hint)
        if not isinstance(names, list | tuple):
            raise _fault(cls, f"{attribute}[{node_id}] is {names!r}, not a list", hint)
        checked[node_id] = list(cast("Sequence[Any]", names))
    return checked


def _metrics(cls: type[NetworkApp]) -> dict[int, tuple[str, ...] | None]:
    metrics: dict[int, tuple[str, ...] | None] = {}
    for node_id, names in _by_node(cls, "read_measurements").items():
        if any(name is MeasurementsHandler.ALL_MEASUREMENTS for name in names):
            metrics[node_id] = None
            continue
        if wrong := [name for name in names if not isinstance(name, str)]:
            raise _fault(
                cls,
                f"read_measurements[{node_id}] holds {wrong[0]!r}",
                "list names of metrics, or MeasurementsHandler.ALL_MEASUREMENTS",
            )
        metrics[node_id] = tuple(dict.fromkeys(names))
    return metrics


def _commands(cls: type[NetworkApp]) -> dict[str, tuple[int, ...]]:
    nodes: dict[str, list[int]] = {}
    for node_id, names in sorted(_by_node(cls, "control_functions").items()):
        for name in dict.fromkeys(names):
            if not isinstance(name, str):
                raise _fault(
                    cls, f"control_functions[{node_id}] holds {name!r}", "list names of commands"
                )
            nodes.setdefault(name, []).append(node_id)
    return {name: tuple(ids) for name, ids in nodes.items()}


def _validators(cls: type[NetworkApp], commands: Mapping[str, Any]) -> dict[str, str]:
    validators: dict[str, str] = {}
    for method, found in marked_methods(cls, ValidatorMark):
        if found.command not in commands:
            nearest = nearest_of(found.command, commands)
            raise _fault(
                cls,
                f"{method} validates {found.command!r}, which control_functions does not have",
                f"did you mean {nearest!r}?" if nearest else "add it to control_functions",
            )
        if found.command in validators:
            raise _fault(
                cls,
                f"{validators[found.command]} and {method} both validate {found.command!r}",
                "make them one method",
            )
        validators[found.command] = method
    return validators


def _operations(cls: type[NetworkApp]) -> dict[str, OperationDeclaration]:
    operations: dict[str, OperationDeclaration] = {}
    for method, found in marked_methods(cls, OperationMark):
        if not _OPERATION_NAME.fullmatch(found.name):
            raise _fault(
                cls,
                f"{found.name!r} is no operation name",
                "use up to 48 letters, digits, '_' and '-', a letter first",
            )
        if found.name in operations:
            raise _fault(
                cls,
                f"{operations[found.name].method} and {method} are both named {found.name!r}",
                "give each operation its own name",
            )
        operations[found.name] = OperationDeclaration(
            name=found.name,
            description=found.description,
            schema=found.schema,
            read_only=found.read_only,
            method=method,
        )
    return operations


def _check_tool_names(declaration: AppDeclaration) -> None:
    """Every command, operation and state tool of an app becomes a tool: names must not clash."""
    names = [*_RESERVED, *(name.lower() for name in declaration.commands), *declaration.operations]
    for name in names:
        tool = f"{declaration.name}_{name}"
        if names.count(name) > 1:
            raise DeclarationError(
                f"app {declaration.name!r} would have two tools {tool!r}",
                hint="rename the operation or the command",
            )
        if len(tool) > _LONGEST_TOOL_NAME:
            raise DeclarationError(
                f"the tool name {tool!r} is longer than {_LONGEST_TOOL_NAME} characters",
                hint="shorten the app's name or the operation's",
            )
