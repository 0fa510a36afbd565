"""What a reviewer may decide about a call."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Approve:
    """Execute the call as it is."""


@dataclass(frozen=True, slots=True)
class Edit:
    """Execute the call with other arguments. They must be valid; the model is told of them."""

    args: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Reject:
    """Do not execute the call. The model is told why; it counts as a failed call."""

    reason: str


@dataclass(frozen=True, slots=True)
class Answer:
    """Do not execute the call, and give the model this answer as the tool's own.

    Not for a submission: an answer to the model is no value.
    """

    text: str


Decision = Approve | Edit | Reject | Answer

Decisions = Mapping[str, Decision]
"""Decisions by the ids of the calls."""
