"""Commands: what can be asked of a node, and which resource each sets."""

import copy
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from netctl._errors import DeclarationError
from netctl._inventory import Node, Resource
from netctl._nearest import nearest_of
from netctl._schema import check_schema, object_schema
from netctl._translation import CommandHandler, Translation

__all__ = ["CommandSet", "CommandSpec", "ResourceChoice", "handled_command"]

_OF_EVERY_TOOL = ("dry_run", "idempotency_key")
_NAME = re.compile(r"[A-Z][A-Z0-9_]{0,47}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ResourceChoice:
    """A command whose resource depends on one of its arguments.

    Attributes:
        argument: The argument that chooses; where it is left out, the node's default for it
            decides, or the only resource of these that the node has.
        resources: The resource that each of its values means.
    """

    argument: str
    resources: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandSpec:
    """One command.

    Attributes:
        name: In capitals, as `SET_GAIN`.
        description: One sentence without a full stop.
        schema: `properties` and `required` of its arguments; `node_id` is among both.
        value_argument: The argument that holds the value to set.
        descriptions: What each argument is, in words, for tools.
        resource: The resource that it sets, or how its arguments or a handler choose one.

    Raises:
        DeclarationError: If these do not fit together.
    """

    name: str
    description: str
    schema: Mapping[str, Any]
    value_argument: str
    resource: str | ResourceChoice | Translation
    descriptions: Mapping[str, str] = field(default_factory=dict[str, str])

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise DeclarationError(
                f"{self.name!r} is no command name",
                hint="use up to 48 capitals, digits and underscores, as in 'SET_GAIN'",
            )
        check_schema(object_schema(self.schema), owner=f"the command {self.name!r}")
        properties = self.schema.get("properties", {})
        if taken := [name for name in _OF_EVERY_TOOL if name in properties]:
            raise DeclarationError(
                f"the command {self.name!r} has an argument {taken[0]!r}, which every tool has",
                hint="give the argument another name",
            )
        needed = {"node_id": "node_id" in self.schema.get("required", [])}
        if not isinstance(self.resource, Translation):
            needed[self.value_argument] = self.value_argument in properties
        if isinstance(self.resource, ResourceChoice):
            needed[self.resource.argument] = self.resource.argument in properties
        if lacking := [name for name, present in needed.items() if not present]:
            raise DeclarationError(
                f"the schema of the command {self.name!r} lacks {lacking!r}",
                hint="describe them in its properties, and require 'node_id'",
            )

    def input_schema(self, node_ids: Sequence[int]) -> dict[str, Any]:
        """The strict JSON Schema of the command's arguments, for those nodes only."""
        schema = object_schema(copy.deepcopy(dict(self.schema)))
        schema["properties"]["node_id"] = {"type": "integer", "enum": list(node_ids)}
        return schema

    def choices(self, node: Node) -> dict[str, Resource]:
        """The resources of a node that the command can set, by the value that chooses each."""
        names, present = self.resource, {resource.name: resource for resource in node.resources}
        if isinstance(names, Translation):
            return present
        if isinstance(names, str):
            names = ResourceChoice(argument=self.value_argument, resources={"": names})
        return {
            choice: present[name] for choice, name in names.resources.items() if name in present
        }

    def default_choice(self, node: Node) -> str | None:
        """What the choosing argument means on a node when it is left out; None: it is needed."""
        if not isinstance(self.resource, ResourceChoice):
            return ""
        choices = self.choices(node)
        declared = node.defaults.get(self.resource.argument)
        if declared in choices:
            return declared
        return next(iter(choices)) if len(choices) == 1 else None


def handled_command(
    name: str, handler: CommandHandler, schema: Mapping[str, Any] | None = None
) -> CommandSpec:
    """A command that a handler translates.

    Args:
        name: In capitals, as `SET_GAIN`.
        handler: Says which resource is set to what.
        schema: `description`, `properties` and `required`; None: a node and a free `payload`.

    Raises:
        DeclarationError: If these do not fit together.
    """
    words = name.replace("_", " ").title()
    given = schema or {
        "properties": {"node_id": {"type": "integer"}, "payload": {"type": "object"}},
        "required": ["node_id"],
    }
    return CommandSpec(
        name=name,
        description=str(given.get("description", f"Execute {words} command")).rstrip("."),
        schema={key: given[key] for key in ("properties", "required") if key in given},
        value_argument="",
        resource=Translation(handler=handler),
    )


class CommandSet:
    """The commands that one controller knows, by name.

    Raises:
        DeclarationError: If two have one name.
    """

    def __init__(self, specs: Iterable[CommandSpec]) -> None:
        self._specs: dict[str, CommandSpec] = {}
        for spec in specs:
            self.add(spec)

    def add(self, spec: CommandSpec) -> None:
        """Know one more command.

        Raises:
            DeclarationError: If there is one of its name.
        """
        if spec.name in self._specs:
            raise DeclarationError(
                f"two commands are named {spec.name!r}",
                hint="give each its own name; a controller made with commands=() knows none yet",
            )
        self._specs[spec.name] = spec

    @property
    def specs(self) -> tuple[CommandSpec, ...]:
        """All commands, in the order in which they were added."""
        return tuple(self._specs.values())

    def exchange(self, other: "CommandSet") -> Callable[[], None]:
        """Know those of another set instead of these; returns how to undo this."""
        former, self._specs = self._specs, dict(other._specs)  # noqa: SLF001 -- of its own class

        def undo() -> None:
            self._specs = former

        return undo

    def get(self, name: str) -> CommandSpec | None:
        """The command of that name, if there is one."""
        return self._specs.get(name)

    def of(self, names: Iterable[str]) -> tuple[CommandSpec, ...]:
        """The commands of these names, which all exist."""
        return tuple(self._specs[name] for name in names)

    def nearest(self, name: str) -> str | None:
        """The command that was probably meant."""
        nearest: str | None = nearest_of(name, self._specs)
        return nearest

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all commands, sorted."""
        return tuple(sorted(self._specs))
