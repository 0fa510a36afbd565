"""Plugins: services that apps use beside the network, such as a storage or a model."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Protocol, cast, runtime_checkable

import anyio

from netctl._errors import DeclarationError, PluginError
from netctl._log import get_logger
from netctl._nearest import nearest_of
from netctl._words import error_words

__all__ = ["Plugin", "Plugins"]

_log = get_logger("netctl.plugins")
_PATIENCE_S = 5.0


@runtime_checkable
class Plugin(Protocol):
    """A service that a controller connects before its apps run, and lets go of after them.

    Apps that name it in `required_plugins` find it in `self.plugins`, under its name.
    """

    @property
    def name(self) -> str:
        """What apps call it."""
        ...

    async def connect(self) -> None:
        """Be ready; what it raises keeps the controller from starting."""
        ...

    async def disconnect(self) -> None:
        """Let go; it has five seconds."""
        ...

    def is_healthy(self) -> bool:
        """Whether it works now; asked from the event loop, so it must not block."""
        ...


class Plugins:
    """The plugins of one controller, by name, in the order in which they were given."""

    def __init__(self, plugins: Iterable[Plugin]) -> None:
        """Take plugins, none of which is connected yet.

        Raises:
            DeclarationError: If one is none, has no name, or two have the same.
        """
        self._by_name: dict[str, Plugin] = {}
        for plugin in plugins:
            if not isinstance(cast("object", plugin), Plugin):
                raise DeclarationError(
                    f"{plugin!r} is no plugin",
                    hint="it needs a name, connect(), disconnect() and is_healthy()",
                )
            name = plugin.name
            if not isinstance(cast("object", name), str) or not name:
                raise DeclarationError(
                    f"a plugin is named {name!r}", hint="give it a text as its name"
                )
            if name in self._by_name:
                raise DeclarationError(
                    f"two plugins are named {name!r}", hint="give each its own name"
                )
            self._by_name[name] = plugin

    def of(self, app: str, required: Iterable[str]) -> Mapping[str, Plugin]:
        """What an app gets: those that it asks for.

        Raises:
            DeclarationError: If one of them is not there.
        """
        given: dict[str, Plugin] = {}
        for name in required:
            plugin = self._by_name.get(name)
            if plugin is None:
                near = nearest_of(name, self._by_name)
                known = ", ".join(map(repr, self._by_name)) or "none"
                raise DeclarationError(
                    f"{app!r} needs the plugin {name!r}, and the controller has {known}",
                    hint=f"did you mean {near!r}?" if near else "give it: Controller(plugins=…)",
                )
            given[name] = plugin
        return MappingProxyType(given)

    async def connect(self) -> None:
        """Connect all, in order; if one cannot be connected, none stays so.

        Raises:
            PluginError: If one cannot be connected.
        """
        connected: list[str] = []
        try:
            for name, plugin in self._by_name.items():
                connected.append(name)
                await plugin.connect()
        except Exception as error:
            failed = connected.pop()
            await self._let_go(connected)
            raise PluginError(
                f"the plugin {failed!r} cannot be connected: {error_words(error)}",
                hint="mend what it connects to, or start without it",
            ) from error
        except BaseException:
            await self._let_go(connected)
            raise

    async def disconnect(self) -> None:
        """Disconnect all, the last first; what goes wrong is in the log."""
        await self._let_go([*self._by_name])

    @property
    def unhealthy(self) -> tuple[str, ...]:
        """Those that do not work now, or cannot say."""
        return tuple(name for name, plugin in self._by_name.items() if not _works(name, plugin))

    async def _let_go(self, names: list[str]) -> None:
        for name in reversed(names):
            try:
                with anyio.move_on_after(_PATIENCE_S, shield=True) as scope:
                    await self._by_name[name].disconnect()
            except Exception:  # noqa: BLE001 -- foreign code: the others are let go of as well
                _log.exception("plugin not disconnected", plugin=name)
            else:
                if scope.cancelled_caught:
                    _log.error("plugin not disconnected in time", plugin=name)


def _works(name: str, plugin: Plugin) -> bool:
    try:
        return plugin.is_healthy() is True
    except Exception:  # noqa: BLE001 -- foreign code: what cannot say how it is does not work
        _log.exception("plugin cannot say how it is", plugin=name)
        return False
