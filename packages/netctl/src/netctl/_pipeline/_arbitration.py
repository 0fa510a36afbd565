"""Stage 5, arbitration: of the commands for one resource, one at a time."""

from bisect import insort
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from itertools import count
from types import TracebackType
from typing import Protocol

import anyio

from netctl._outcome import CommandRequest
from netctl._pipeline._limits import Target
from netctl._pipeline._refusal import CommandRefusedError

__all__ = ["Arbiter", "Contest", "SerialArbiter", "Waiter"]


class Arbiter(Protocol):
    """Decides who may set a resource, and when. Dry runs never ask it."""

    def claim(self, request: CommandRequest, target: Target) -> AbstractAsyncContextManager[None]:
        """Hold the resource; or raise `CommandRefusedError` to say who holds it.

        Leaving with an exception means that nothing was sent.
        """
        ...


@dataclass(order=True, slots=True)
class Waiter:
    """A command that waits for its turn; those of the lowest rank and ticket are next.

    Attributes:
        rank: The lower, the sooner.
        ticket: Its number, in the order of coming.
        request: The command.
        turn: Set when its wait is over.
        lost: Why it is refused after all, if another one won.
    """

    rank: int
    ticket: int
    request: CommandRequest = field(compare=False)
    turn: anyio.Event = field(compare=False)
    lost: CommandRefusedError | None = field(default=None, compare=False)


@dataclass(slots=True)
class Contest:
    """Who contends for one resource now.

    Attributes:
        holder: The command that has it.
        waiting: The commands that wait for it, in the order in which they are served.
    """

    holder: CommandRequest
    waiting: list[Waiter] = field(default_factory=list[Waiter])

    def end(self, waiter: Waiter, refusal: CommandRefusedError) -> None:
        """Refuse a command that waits."""
        self.waiting.remove(waiter)
        waiter.lost = refusal
        waiter.turn.set()


class SerialArbiter:
    """One command at a time for each resource; who waits with the highest priority is next.

    Equal priorities are served in the order in which they came. Other strategies derive from this
    and refuse in `admit` or `meet`.
    """

    def __init__(self) -> None:
        self._contests: dict[tuple[int, str], Contest] = {}
        self._tickets = count()

    def admit(self, request: CommandRequest, target: Target) -> None:
        """Refuse a command whatever contends now, by raising, when it comes and at its turn."""

    def meet(self, request: CommandRequest, target: Target, contest: Contest) -> None:
        """Decide between a command and those that contend already: raise, or end some of them."""

    def sent(self, request: CommandRequest, target: Target) -> None:
        """Hear that a command was sent."""

    def claim(self, request: CommandRequest, target: Target) -> AbstractAsyncContextManager[None]:
        """Wait for the resource's turn, and hold it."""
        return _Claim(self, request, target)

    async def enter(self, request: CommandRequest, target: Target) -> None:
        """Begin to hold the resource, once it is the command's turn."""
        self.admit(request, target)
        await self._acquire(request, target)
        try:
            self.admit(request, target)
        except BaseException:
            self._release(target.key)
            raise

    def leave(self, request: CommandRequest, target: Target, *, sent: bool) -> None:
        """Hold the resource no longer."""
        try:
            if sent:
                self.sent(request, target)
        finally:
            self._release(target.key)

    async def _acquire(self, request: CommandRequest, target: Target) -> None:
        contest = self._contests.get(target.key)
        if contest is None:
            self._contests[target.key] = Contest(holder=request)
            return
        self.meet(request, target, contest)
        waiter = Waiter(
            rank=-request.priority,
            ticket=next(self._tickets),
            request=request,
            turn=anyio.Event(),
        )
        insort(contest.waiting, waiter)
        try:
            await waiter.turn.wait()
        except BaseException:
            if waiter in contest.waiting:
                contest.waiting.remove(waiter)
            elif waiter.lost is None:
                self._release(target.key)
            raise
        if waiter.lost is not None:
            raise waiter.lost

    def _release(self, key: tuple[int, str]) -> None:
        # The contest stays while the next one holds it, so that there are only busy resources.
        contest = self._contests[key]
        if contest.waiting:
            following = contest.waiting.pop(0)
            contest.holder = following.request
            following.turn.set()
        else:
            del self._contests[key]


class _Claim(AbstractAsyncContextManager[None]):
    """One command's hold of a resource."""

    __slots__ = ("_arbiter", "_request", "_target")

    def __init__(self, arbiter: SerialArbiter, request: CommandRequest, target: Target) -> None:
        self._arbiter = arbiter
        self._request = request
        self._target = target

    async def __aenter__(self) -> None:
        await self._arbiter.enter(self._request, self._target)

    async def __aexit__(
        self,
        exception_type: type[BaseException] | None,
        exception: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._arbiter.leave(self._request, self._target, sent=exception_type is None)
