"""Runs the apps of one controller: their loops, and the states that they are set to."""

from collections import Counter
from collections.abc import Iterable, Mapping

import anyio
from anyio.abc import TaskGroup

from netctl._app_loop import APP_STATES, AppState, StateChange
from netctl._errors import InvalidStateError
from netctl._records import Records
from netctl._roster import AppRoster
from netctl._runtime import AppRuntime

__all__ = ["AppSupervisor"]


class AppSupervisor:
    """Starts the loop of each app, and puts on record what state it is set to.

    Args:
        roster: The apps.
        records: Where states are written down.
        restore_states: Whether apps go on in the states that the store knows.
    """

    def __init__(self, roster: AppRoster, records: Records, *, restore_states: bool) -> None:
        self._roster = roster
        self._records = records
        self._restores = restore_states
        self._wanted: dict[str, AppState] = {}
        self._halts: Counter[str] = Counter()
        self._group: TaskGroup | None = None

    def enter(self, group: TaskGroup, saved: Mapping[str, str]) -> None:
        """Start every loop in a group, each in the state that was saved if that is restored."""
        if self._restores:
            self._wanted |= {
                app: state for app, name in saved.items() for state in APP_STATES if state == name
            }
        self._group = group
        for runtime in self._roster:
            self._start(runtime, group)

    def leave(self) -> None:
        """Start no more loops: the group is going to end."""
        self._group = None

    def add(self, runtime: AppRuntime) -> None:
        """Take an app in, and start its loop if there is a group.

        Raises:
            DeclarationError: If another app has its name or its id.
        """
        self._roster.add(runtime)
        if self._group is not None:
            self._start(runtime, self._group)

    async def set_state(self, app: str, state: str, subject: str) -> StateChange:
        """Set an app running, paused or stopped.

        It is on record before an app runs; one that is not to run any more is halted first.

        Raises:
            UnknownNameError: If there is no app of that name.
            InvalidStateError: If there is no such state.
            StoreError: If it cannot be written down.
        """
        loop = self._roster.get(app).loop
        known, previous = _known_state(state), loop.status.state
        if known != "running":
            self._halts[app] += 1
            loop.set_state(known)
        halts = self._halts[app]
        # A caller that leaves now must not leave the record behind what is.
        with anyio.CancelScope(shield=True):
            await self._records.note_state(app, known, subject)
        if self._restores:
            self._wanted[app] = known
        if known != "running":
            await loop.settle()
        # Somebody may have halted it while it was being started: that one wins.
        elif halts == self._halts[app]:
            # A reload may have put another one in its place.
            loop = self._roster.get(app).loop
            loop.set_state(known)
        return {"app": app, "state": loop.status.state, "previous_state": previous}

    def prepare(self, runtime: AppRuntime, former: AppRuntime | None) -> None:
        """Give an app that a reload brings its state: that of the one in whose place it comes."""
        name = runtime.declaration.name
        wanted = self._wanted.get(name, "stopped")
        runtime.loop.set_state(wanted if former is None else former.loop.status.state)

    def start(self, runtimes: Iterable[AppRuntime]) -> None:
        """Start the loops of apps that are prepared, if there is a group."""
        if self._group is not None:
            for runtime in runtimes:
                self._group.start_soon(runtime.run)

    def wake(self) -> None:
        """Have every loop see whether it may go on."""
        for runtime in self._roster:
            runtime.loop.wake()

    def _start(self, runtime: AppRuntime, group: TaskGroup) -> None:
        self.prepare(runtime, None)
        group.start_soon(runtime.run)


def _known_state(state: str) -> AppState:
    for known in APP_STATES:
        if state == known:
            return known
    raise InvalidStateError(f"there is no state {state!r}", hint=f"use one of {list(APP_STATES)!r}")
