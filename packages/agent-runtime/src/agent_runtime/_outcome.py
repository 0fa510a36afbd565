"""What became of each item of a batch."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, cast

from agent_runtime._errors import ExtractError
from agent_runtime._result import ExtractResult
from agent_runtime._trace import RunWarning

ValueT_co = TypeVar("ValueT_co", covariant=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemOutcome(Generic[ValueT_co]):
    """A value, or the typed error that stands in its place."""

    index: int
    """The place of the item among the conversations, from 0."""
    value: ValueT_co | None = None
    """The value; None also if there is an error."""
    error: ExtractError | None = None
    """Why there is no value; None if there is one."""
    result: ExtractResult[ValueT_co] | None = None
    """How the value came about; None if there is an error, or the value is from the journal."""
    from_journal: bool = False
    """Whether the value was read from the journal, and nothing was run."""
    warnings: tuple[RunWarning, ...] = ()
    """What went wrong around the run: the value is not in the journal, a callback failed."""

    def unwrap(self) -> ValueT_co:
        """The value.

        Raises:
            ExtractError: The error, if there is no value.
        """
        if self.error is not None:
            raise self.error
        return cast("ValueT_co", self.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a batch is."""

    done: int
    """Items with an outcome, those from the journal included."""
    failed: int
    """Those among them that have an error."""
    total: int
    outcome: ItemOutcome[Any]
    """The newest."""


OnProgress = Callable[[Progress], Awaitable[None] | None]
"""A function, sync or async, that is told of each outcome."""
