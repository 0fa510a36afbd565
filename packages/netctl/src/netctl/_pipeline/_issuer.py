"""In whose name a command is sent: what the pipeline knows of an app."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from netctl._ready_schema import ReadySchema

__all__ = ["Issuer", "Validator"]

Validator = Callable[[dict[str, Any]], Any]
"""Given `{node_id, **payload}`, answers a verdict, or an awaitable of one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Issuer:
    """What the pipeline knows of an app.

    Attributes:
        name: The app's name.
        commands: The nodes that each of its commands may be sent to.
        validators: Its own guard of each command that has one.
        schemas: The schema of each command that was sent already, made ready.
    """

    name: str
    commands: Mapping[str, tuple[int, ...]]
    validators: Mapping[str, Validator] = field(default_factory=dict[str, Validator])
    schemas: dict[str, ReadySchema] = field(default_factory=dict[str, ReadySchema])
