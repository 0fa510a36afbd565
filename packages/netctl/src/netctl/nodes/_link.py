"""The line between a hub and one registration of a node: requests one way, answers the other."""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import anyio

from netctl._clock import Clock
from netctl._driver import Setting
from netctl._errors import DriverError, DriverTimeoutError, NetctlError

__all__ = ["NodeGoneError", "NodeLink", "NodeRequest"]

_MOST_WAITING = 100


class NodeGoneError(NetctlError, ConnectionError):
    """This registration of a node has ended: it was silent for too long, or registered again."""


@dataclass(eq=False, slots=True)
class NodeRequest:
    """What a node is asked.

    Attributes:
        setting: What it shall change; None: it shall measure.
        started: Whether the node has taken it up.
        answer: What the node said.
        error: Why there is no answer.
        done: Set when there is either.
    """

    setting: Setting | None
    started: bool = False
    answer: Any = None
    error: DriverError | None = None
    done: anyio.Event = field(default_factory=anyio.Event)

    def reply(self, answer: object) -> None:
        """Answer it; the hub checks what."""
        self.answer = answer
        self.done.set()

    def fail(self, error: DriverError) -> None:
        """End it without an answer."""
        self.error = error
        self.done.set()


class NodeLink:
    """One registration of a node, from its first heartbeat to its last.

    Args:
        node_id: The node.
        controls: The resources that can be set on it.
        heartbeat_s: After how long a silence it is dead.
        clock: Measures the silence.
        measured: Takes what it measures on its own.
        left: Told when the node leaves.
    """

    def __init__(
        self,
        node_id: int,
        *,
        controls: Sequence[str],
        heartbeat_s: float,
        clock: Clock,
        measured: Callable[[dict[str, float]], None],
        left: Callable[["NodeLink"], None],
    ) -> None:
        self.node_id = node_id
        self.controls = frozenset(controls)
        self.heartbeat_s = heartbeat_s
        self.closed = False
        self.replaced = False
        self._clock = clock
        self._measured = measured
        self._left = left
        self._beaten_at_s = clock.monotonic()
        self._waiting: deque[NodeRequest] = deque()
        self._taken: NodeRequest | None = None
        self._news = anyio.Event()

    @property
    def dies_in_s(self) -> float:
        """How long it may still be silent, in seconds; not above 0: it is dead."""
        return self._beaten_at_s + self.heartbeat_s - self._clock.monotonic()

    # --- the node's side -------------------------------------------------------------------

    def beat(self) -> None:
        """Say that the node lives.

        Raises:
            NodeGoneError: If this registration has ended.
        """
        self._check_open()
        self._beaten_at_s = self._clock.monotonic()

    def push(self, values: dict[str, float]) -> None:
        """Tell what the node has measured on its own.

        Raises:
            NodeGoneError: If this registration has ended.
        """
        self._check_open()
        self._measured(values)

    async def next_request(self) -> NodeRequest:
        """What the node is asked next, once it is asked something; it has to be replied to.

        Raises:
            NodeGoneError: If this registration has ended.
        """
        self._check_open()
        while not self._waiting:
            self._news = anyio.Event()
            await self._news.wait()
            self._check_open()
        self._taken = self._waiting.popleft()
        self._taken.started = True
        return self._taken

    def leave(self) -> None:
        """End this registration in good order."""
        self._left(self)

    # --- the hub's side --------------------------------------------------------------------

    async def ask(self, setting: Setting | None) -> Any:
        """Ask the node, and wait for what it says.

        A caller that gives up before the node has taken the request up takes it back.

        Raises:
            DriverError: If the node leaves or dies first, or is asked too much already.
        """
        if len(self._waiting) >= _MOST_WAITING:
            raise DriverError(
                f"node {self.node_id} is busy: {len(self._waiting)} requests wait",
                hint="try again when some are answered",
            )
        request = NodeRequest(setting)
        self._waiting.append(request)
        self._news.set()
        try:
            await request.done.wait()
        finally:
            if request in self._waiting:
                self._waiting.remove(request)
        if request.error is not None:
            raise request.error
        return request.answer

    def close(self, why: str, *, replaced: bool = False) -> None:
        """End this registration: what waits was never sent, what was taken up is not known.

        Args:
            why: In words, after the node's name.
            replaced: Whether the node has registered again.
        """
        self.closed, self.replaced = True, replaced
        while self._waiting:
            self._waiting.popleft().fail(DriverError(f"node {self.node_id} {why}"))
        if self._taken is not None and not self._taken.done.is_set():
            words = f"node {self.node_id} {why} before it answered"
            self._taken.fail(DriverTimeoutError(words))
        self._news.set()

    def _check_open(self) -> None:
        if self.closed:
            raise NodeGoneError(
                f"this registration of node {self.node_id} has ended", hint="register again"
            )
