"""What the tools of the whole network share."""

from collections.abc import Mapping
from typing import Any

from netctl.tools._schemas import closed_object
from tercet import RejectedError

__all__ = ["APP", "CHANGE_ID", "KIND", "optional_object", "refuse_dry_run"]

APP = "network"
KIND = "network"
CHANGE_ID = {"type": "integer", "minimum": 1, "description": "The number of the change"}


def optional_object(properties: Mapping[str, Any]) -> dict[str, Any]:
    """An object of arguments that may all be left out."""
    return {**closed_object(properties), "required": []}


def refuse_dry_run(*, dry_run: bool, what: str) -> None:
    """Refuse a dry run of what has none.

    Raises:
        RejectedError: If it is one.
    """
    if dry_run:
        raise RejectedError(f"{what} cannot be tried dry", hint="call it without a dry run")
