"""The apps of one controller, by name."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Literal

from netctl._declaration import AppDeclaration
from netctl._errors import DeclarationError, UnknownNameError
from netctl._log import get_logger
from netctl._nearest import nearest_of
from netctl._runtime import AppRuntime

__all__ = ["AppListener", "AppRoster", "check_distinct"]

_log = get_logger("netctl.apps")

AppListener = Callable[[Literal["added", "removed"], str], None]
"""Told of each app that comes or goes, with its name."""


class AppRoster:
    """The apps of one controller, in the order in which they came."""

    def __init__(self) -> None:
        self._runtimes: dict[str, AppRuntime] = {}
        self._listeners: list[tuple[AppListener, Callable[[], None] | None]] = []

    def __iter__(self) -> Iterator[AppRuntime]:
        return iter(tuple(self._runtimes.values()))

    def get(self, name: str) -> AppRuntime:
        """The app of that name.

        Raises:
            UnknownNameError: If there is none.
        """
        runtime = self._runtimes.get(name)
        if runtime is None:
            nearest = nearest_of(name, self._runtimes)
            known = list(self._runtimes)
            raise UnknownNameError(
                f"there is no app {name!r}",
                hint=f"did you mean {nearest!r}?" if nearest else f"there are {known!r}",
            )
        return runtime

    def add(self, runtime: AppRuntime) -> None:
        """Take an app in and tell the listeners; if one of them raises, it is not taken in.

        Raises:
            DeclarationError: If another app has its name or its id.
        """
        declaration = runtime.declaration
        check_distinct(declaration, (other.declaration for other in self._runtimes.values()))
        runtime.attach()
        self._runtimes[declaration.name] = runtime
        try:
            self._tell("added", declaration.name)
        except BaseException:
            del self._runtimes[declaration.name]
            runtime.detach()
            raise

    async def remove(self, name: str) -> None:
        """Stop an app for good, let it go, and tell the listeners.

        Raises:
            UnknownNameError: If there is none of that name.
        """
        runtime = self.get(name)
        del self._runtimes[name]
        try:
            await runtime.close()
        finally:
            self._tell("removed", name)

    def subscribe(
        self, listener: AppListener, *, reloaded: Callable[[], None] | None = None
    ) -> Callable[[], None]:
        """Tell a listener from now on; returns how to end this.

        Args:
            listener: Told of each app that comes or goes.
            reloaded: Told once instead of a whole reload, once all of it is exchanged; if it
                raises, the reload is undone, and it is told again.
        """
        entry = (listener, reloaded)
        self._listeners.append(entry)
        return lambda: self._listeners.remove(entry)

    def find(self, name: str) -> AppRuntime | None:
        """The app of that name, if there is one."""
        return self._runtimes.get(name)

    def exchange(self, runtimes: Mapping[str, AppRuntime]) -> Callable[[], None]:
        """Have other apps from now on, of which nobody is told; returns how to undo this."""
        former, self._runtimes = self._runtimes, dict(runtimes)

        def undo() -> None:
            self._runtimes = former

        return undo

    def tell_reloaded(self) -> None:
        """Tell who wants to hear once of a whole reload; what one of them raises is raised."""
        for _, reloaded in tuple(self._listeners):
            if reloaded is not None:
                reloaded()

    def tell_changes(self, *, gone: Iterable[str], come: Iterable[str]) -> None:
        """Tell everybody else of each app that has gone or come by a reload, which is done."""
        for name in gone:
            self._tell_of_reload("removed", name)
        for name in come:
            self._tell_of_reload("added", name)

    def _tell_of_reload(self, event: Literal["added", "removed"], name: str) -> None:
        for listener, reloaded in tuple(self._listeners):
            if reloaded is not None:
                continue
            try:
                listener(event, name)
            # A listener is foreign code, and can keep nothing from happening any more.
            except Exception:  # noqa: BLE001 -- see above
                _log.exception("listener of apps failed", app=name, what=event)

    def _tell(self, event: Literal["added", "removed"], name: str) -> None:
        for listener, _ in tuple(self._listeners):
            listener(event, name)


def check_distinct(declaration: AppDeclaration, others: Iterable[AppDeclaration]) -> None:
    """See that an app has a name and an id of its own.

    Raises:
        DeclarationError: If another app has its name or its id.
    """
    for other in others:
        if declaration.name == other.name:
            raise DeclarationError(
                f"there is an app {declaration.name!r} already",
                hint="give each app its own name",
            )
        if declaration.app_id == other.app_id:
            raise DeclarationError(
                f"{declaration.name!r} has the aic_app_id {declaration.app_id} of {other.name!r}",
                hint="give each app its own aic_app_id",
            )
