"""Commands whose handler says what they set, as in apps written before there were resources."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from netctl._errors import DeclarationError
from netctl._inventory import Node, Resource
from netctl._number import is_finite_number

__all__ = ["CommandHandler", "Translation"]

CommandHandler = Callable[[int, dict[str, Any]], object]
"""Given the node and the other arguments, says what to set: `{"booster_gain": 15.0}`, or JSON."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Translation:
    """A command whose handler names the resource and the value.

    Attributes:
        handler: Called for each command, before anything else looks at it; it must not block.
    """

    handler: CommandHandler

    def __post_init__(self) -> None:
        if not callable(self.handler):
            raise DeclarationError(
                f"the handler {self.handler!r} cannot be called",
                hint="give a function of the node's id and the other arguments",
            )

    def target(self, node: Node, arguments: Mapping[str, Any]) -> tuple[Resource, float]:
        """The resource and the value that a command means.

        Raises:
            ValueError: If the handler names none of the node's.
        """
        value = {name: part for name, part in arguments.items() if name != "node_id"}
        answer = self.handler(node.node_id, value)
        if isinstance(answer, str):
            answer = cast("object", json.loads(answer))
        if not isinstance(answer, Mapping) or len(cast("Mapping[Any, Any]", answer)) != 1:
            raise ValueError(f"the handler answered {answer!r:.80}, not one resource and its value")
        ((name, wanted),) = cast("Mapping[Any, Any]", answer).items()
        if not is_finite_number(wanted):
            raise ValueError(f"the handler sets {name!r} to {wanted!r:.80}, not a number")
        for resource in node.resources:
            if name == resource.name or name in resource.aliases:
                return resource, float(wanted)
        known = [resource.name for resource in node.resources]
        raise ValueError(f"node {node.node_id} has no {name!r}; it has {known!r}")
