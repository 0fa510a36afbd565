"""Tells clients that listen of a registry's changes."""

import threading
from collections.abc import Callable

from anyio import from_thread
from anyio.lowlevel import current_token
from mcp.server.subscriptions import InMemorySubscriptionBus, ServerEvent, ToolsListChanged

from tercet._registry import ToolRegistry

__all__ = ["RegistryBus"]


class RegistryBus(InMemorySubscriptionBus):
    """Tells listeners of the registry's changes, on the event loop they live on."""

    def __init__(self, registry: ToolRegistry) -> None:
        super().__init__()
        self._registry = registry

    def subscribe(self, listener: Callable[[ServerEvent], None]) -> Callable[[], None]:
        """Register a listener and give what ends that."""
        loop, thread = current_token(), threading.get_ident()

        def changed() -> None:
            if threading.get_ident() == thread:
                listener(ToolsListChanged())
            else:
                from_thread.run_sync(listener, ToolsListChanged(), token=loop)

        leave_bus = super().subscribe(listener)
        leave_registry = self._registry.subscribe(changed)

        def unsubscribe() -> None:
            leave_registry()
            leave_bus()

        return unsubscribe
