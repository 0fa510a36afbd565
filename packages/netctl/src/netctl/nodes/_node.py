"""The class that nodes derive from: measures, takes commands, lives by its heartbeat."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, ClassVar, cast

import anyio

from netctl._clock import Clock, SystemClock
from netctl._driver import Acknowledgement, Setting
from netctl._errors import DeclarationError, DriverError
from netctl._log import get_logger
from netctl._number import is_finite_number
from netctl._resolve import resolve
from netctl._words import error_words
from netctl.nodes._hub import NodeHub
from netctl.nodes._link import NodeGoneError, NodeLink, NodeRequest

__all__ = ["NetworkNode"]

_BEATS_IN_A_HEARTBEAT = 3
_log = get_logger("netctl.nodes")


class NetworkNode:
    """One piece of equipment.

    Derive from it, say what it measures and what can be set, and `run` it on a hub. It registers,
    measures once each interval, answers one request after the other, and registers again if its
    registration has ended. What it raises is logged and counted; it goes on.

    Args:
        node_id: Its id in the inventory.
        clock: Measures its intervals.

    Attributes:
        available_measurements: The metrics that it measures, at least one.
        available_controls: The resources that can be set on it.
        measurement_interval_s: How often it measures on its own, in seconds.
        heartbeat_s: After how long a silence it is dead, in seconds.

    Raises:
        DeclarationError: If the class measures nothing, or a time is none.
    """

    available_measurements: ClassVar[Sequence[str]] = ()
    available_controls: ClassVar[Sequence[str]] = ()
    measurement_interval_s: ClassVar[float] = 1.0
    heartbeat_s: ClassVar[float] = 2.0

    def __init__(self, node_id: int, *, clock: Clock | None = None) -> None:
        if not self.available_measurements:
            raise DeclarationError(
                f"{type(self).__name__} measures nothing",
                hint="write available_measurements = [...]",
            )
        for name in ("measurement_interval_s", "heartbeat_s"):
            seconds = getattr(self, name)
            if not is_finite_number(seconds) or seconds <= 0:
                raise DeclarationError(
                    f"{name} of {type(self).__name__} is {seconds!r}, not above 0",
                    hint="give a number of seconds",
                )
        self.node_id = node_id
        self.crashes = 0
        self._clock = clock or SystemClock()

    def setup(self) -> Awaitable[None] | None:
        """Called after each registration; may be async."""

    def poll_measurements(self) -> Any:
        """What it measures now, by metric; may be async. It must not block."""
        return {}

    def handle_command(self, setting: Setting) -> Any:
        """Change a resource, and say so; may be async. It must not block.

        Returns:
            True or `Acknowledgement(accepted=True)` once it is done; False, `(False, "why")` or
            another acknowledgement to refuse. Anything else, and a crash, is no yes.
        """
        del setting
        return Acknowledgement(accepted=False, message="it takes no commands")

    async def run(self, hub: NodeHub) -> None:
        """Be a node of a hub until cancelled, then leave it; end if another takes its place.

        Raises:
            UnknownNameError: If the inventory has no such node.
            DeclarationError: If the inventory does not know what it claims.
        """
        replaced = False
        while not replaced:
            link = hub.register(
                self.node_id,
                measurements=self.available_measurements,
                controls=self.available_controls,
                heartbeat_s=self.heartbeat_s,
            )
            try:
                await self._live(link)
            finally:
                link.leave()
            replaced = link.replaced
        _log.warning("node replaced", node_id=self.node_id)

    async def _live(self, link: NodeLink) -> None:
        """Do everything of one registration, until it has ended."""
        async with anyio.create_task_group() as group:
            # Each ends when the registration has; the others are ended with the first.
            for work in (self._beat, self._measure, self._answer):
                group.start_soon(self._until_gone, work, link, group.cancel_scope)

    @staticmethod
    async def _until_gone(
        work: Callable[[NodeLink], Awaitable[None]], link: NodeLink, life: anyio.CancelScope
    ) -> None:
        try:
            await work(link)
        except NodeGoneError:
            life.cancel()

    async def _beat(self, link: NodeLink) -> None:
        while True:
            link.beat()
            await self._clock.sleep(link.heartbeat_s / _BEATS_IN_A_HEARTBEAT)

    async def _measure(self, link: NodeLink) -> None:
        try:
            await resolve(self.setup())
        # A node is foreign code, as an app is: its crash ends nothing but this.
        except Exception as error:  # noqa: BLE001 -- see above
            self._crashed("setup", error)
        while True:
            try:
                values = await resolve(self.poll_measurements())
            except Exception as error:  # noqa: BLE001 -- see above
                self._crashed("poll_measurements", error)
            else:
                if isinstance(values, Mapping):
                    link.push(dict(cast("Mapping[str, float]", values)))
            await self._clock.sleep(self.measurement_interval_s)

    async def _answer(self, link: NodeLink) -> None:
        while True:
            request = await link.next_request()
            try:
                request.reply(await resolve(self._do(request)))
            except Exception as error:  # noqa: BLE001 -- see above
                self._crashed(
                    "poll_measurements" if request.setting is None else "handle_command", error
                )
                words = f"node {self.node_id} crashed: {error_words(error)}"
                request.fail(DriverError(words))

    def _do(self, request: NodeRequest) -> Any:
        if request.setting is None:
            return self.poll_measurements()
        return self.handle_command(request.setting)

    def _crashed(self, what: str, error: Exception) -> None:
        self.crashes += 1
        _log.error("node crashed", node_id=self.node_id, what=what, exc_info=error)
