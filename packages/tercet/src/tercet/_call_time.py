"""How long one call may take, which may change while it runs."""

import math
from collections.abc import Generator
from contextlib import contextmanager

import anyio

__all__ = ["CallTime"]


class CallTime:
    """The end of a call, for whoever may move it: the face it came through, or a question.

    It belongs to one call, and to the calls that this makes of other tools.
    """

    def __init__(self) -> None:
        self._begins_with = self._ends_at = math.inf
        self._scopes: list[anyio.CancelScope] = []
        self._pauses = 0
        self._left_s = math.inf

    def begin(self, ends_at: float) -> None:
        """Set the end, on anyio's clock, in seconds."""
        self._begins_with = self._ends_at = ends_at

    def is_of(self, deadline: float) -> bool:
        """Whether a deadline is the one that was first set, and not a nearer one."""
        return deadline == self._begins_with

    @property
    def ends_at(self) -> float:
        """The end as it is now, on anyio's clock, in seconds; infinite in a pause."""
        return math.inf if self._pauses else self._ends_at

    def hold(self, scope: anyio.CancelScope) -> None:
        """Have a scope end with the call, until it is let go."""
        scope.deadline = self.ends_at
        self._scopes.append(scope)

    def let_go(self, scope: anyio.CancelScope) -> None:
        """Have nothing to do with a scope any more."""
        self._scopes.remove(scope)

    def allow(self, timeout_s: float) -> None:
        """Let the call go on for so many seconds from now at least."""
        if self._pauses:
            self._left_s = max(self._left_s, timeout_s)
        else:
            self._move(max(self._ends_at, anyio.current_time() + timeout_s))

    @contextmanager
    def paused(self) -> Generator[None, None, None]:
        """Stop the clock for the length of a block."""
        if not self._pauses:
            self._left_s = self._ends_at - anyio.current_time()
        self._pauses += 1
        self._show()
        try:
            yield
        finally:
            self._pauses -= 1
            if not self._pauses:
                self._move(anyio.current_time() + self._left_s)

    def _move(self, ends_at: float) -> None:
        self._ends_at = ends_at
        self._show()

    def _show(self) -> None:
        for scope in self._scopes:
            scope.deadline = self.ends_at
