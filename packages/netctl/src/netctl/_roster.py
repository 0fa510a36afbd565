"""The apps of one controller, by name."""

from collections.abc import Callable, Iterator
from typing import Literal

from netctl._errors import DeclarationError, UnknownNameError
from netctl._nearest import nearest_of
from netctl._runtime import AppRuntime

__all__ = ["AppListener", "AppRoster"]

AppListener = Callable[[Literal["added", "removed"], str], None]
"""Told of each app that comes or goes, with its name."""


class AppRoster:
    """The apps of one controller, in the order in which they came."""

    def __init__(self) -> None:
        self._runtimes: dict[str, AppRuntime] = {}
        self._listeners: list[AppListener] = []

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
        for other in self._runtimes.values():
            if declaration.name == other.declaration.name:
                raise DeclarationError(
                    f"there is an app {declaration.name!r} already",
                    hint="give each app its own name",
                )
            if declaration.app_id == other.declaration.app_id:
                raise DeclarationError(
                    f"{declaration.name!r} has the aic_app_id {declaration.app_id} "
                    f"of {other.declaration.name!r}",
                    hint="give each app its own aic_app_id",
                )
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

    def subscribe(self, listener: AppListener) -> Callable[[], None]:
        """Tell a listener from now on; returns how to end this."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def _tell(self, event: Literal["added", "removed"], name: str) -> None:
        for listener in tuple(self._listeners):
            listener(event, name)
