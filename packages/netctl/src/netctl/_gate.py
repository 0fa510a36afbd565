"""Lets calls in side by side, and now and then a reload alone: in turn, for a bounded time."""

from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar, Token
from types import TracebackType
from typing import Optional

import anyio

from netctl._clock import Clock
from netctl._errors import ReloadError
from netctl._mutex import Mutex

__all__ = ["Passage", "ReloadGate"]

_INSIDE: ContextVar[Optional["Passage"]] = ContextVar("netctl_passage", default=None)
"""The innermost passage of this task, or of the one that started it."""


class Passage:
    """One call's way through a gate; use it once, as `async with gate.passage():`.

    While the gate is open it costs a look at a flag. A call that is made inside another one of
    the same gate, as by a validator, belongs to that one: it never waits.

    Attributes:
        gate: The gate.
        inside: Whether the call is inside now.
        outer: The call that it was made in, if there is one.
    """

    __slots__ = ("_admission", "_token", "gate", "inside", "outer")

    _token: Token[Optional["Passage"]]

    def __init__(self, gate: "ReloadGate") -> None:
        self.gate = gate
        self.inside = False
        self.outer: Passage | None = None
        self._admission: anyio.Event | None = None

    async def __aenter__(self) -> None:
        # Every command comes through here: what is short is written out.
        outer = _INSIDE.get()
        if outer is not None:
            self.outer = _still_inside(outer)
        gate = self.gate
        if gate.closed and not gate.has(self.outer):
            await self._wait()
        else:
            gate.inside += 1
            self.inside = True
        self._token = _INSIDE.set(self)

    async def __aexit__(
        self,
        exception_type: type[BaseException] | None,
        exception: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._leave()

    @contextmanager
    def joined(self) -> Generator[None, None, None]:
        """The same without waiting, where the gate is open or who waits for this is inside."""
        self.outer = _still_inside(_INSIDE.get())
        self.admit()
        self._token = _INSIDE.set(self)
        try:
            yield
        finally:
            self._leave()

    def admit(self) -> None:
        """Let it in: from here on it is counted, whether or not it goes on."""
        self.gate.inside += 1
        self.inside = True
        if self._admission is not None:
            self._admission.set()

    async def _wait(self) -> None:
        self._admission = anyio.Event()
        self.gate.waiting.append(self)
        try:
            await self._admission.wait()
        except BaseException:
            if self.inside:
                self.inside = False
                self.gate.leave()
            else:
                self.gate.waiting.remove(self)
            raise

    def _leave(self) -> None:
        _INSIDE.reset(self._token)
        self.inside = False
        if self.outer is not None:
            # Tasks that were started inside may remember this one for long: not all before it.
            self.outer = _still_inside(self.outer)
        gate = self.gate
        if gate.closed:
            gate.leave()
        else:
            gate.inside -= 1


def _still_inside(passage: Passage | None) -> Passage | None:
    """The innermost of a passage and those that it was made in which is inside now."""
    while passage is not None and not passage.inside:
        passage = passage.outer
    return passage


class ReloadGate:
    """Lets calls in side by side, and a reload alone.

    A reload that comes closes the gate: calls that are inside end as they would, those that come
    wait. When it ends or gives up, all that wait are let in before the next one can close the gate.

    Attributes:
        closed: Whether a reload waits, or is under way.
        alone: Whether a reload is under way, and no call is inside.
        inside: How many calls are inside.
        waiting: The calls that wait.
        when_open: Called each time when the gate has opened again.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._reloads = Mutex()
        self._empty: anyio.Event | None = None
        self.closed = self.alone = False
        self.inside = 0
        self.waiting: list[Passage] = []
        self.when_open: Callable[[], None] = _nothing

    def passage(self) -> Passage:
        """A way in for one call."""
        return Passage(self)

    def has(self, passage: Passage | None) -> bool:
        """Whether a passage, or one that it was made in, is inside this gate now."""
        while passage is not None and not (passage.inside and passage.gate is self):
            passage = passage.outer
        return passage is not None

    def leave(self) -> None:
        """Hear that a call has ended that was inside, while a reload waits for it."""
        self.inside -= 1
        if self.inside == 0 and self._empty is not None:
            self._empty.set()

    @asynccontextmanager
    async def closed_for(self, timeout_s: float) -> AsyncGenerator[None, None]:
        """Have nobody inside for the length of a block.

        Args:
            timeout_s: How long those that are inside may take to end.

        Raises:
            ReloadError: If one of them did not end in time, or this is called inside one.
        """
        if self.has(_INSIDE.get()):
            raise ReloadError(
                "a call that is under way cannot reload: it would wait for itself",
                hint="reload from a task that no call, operation or loop waits for",
            )
        async with self._reloads:
            self.closed = True
            try:
                if self.inside:
                    self._empty = anyio.Event()
                    with self._clock.move_on_after(timeout_s):
                        await self._empty.wait()
                if self.inside:
                    raise ReloadError(
                        f"{self.inside} calls or cycles of apps did not end within {timeout_s:g} s",
                        hint="try again when they have ended, or stop the app that keeps on",
                    )
                self.alone = True
                yield
            finally:
                self.closed = self.alone = False
                self._empty = None
                admitted, self.waiting = self.waiting, []
                for passage in admitted:
                    passage.admit()
                self.when_open()


def _nothing() -> None:
    """Nobody is to be told."""
