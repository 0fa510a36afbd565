"""The one place that knows all domains: their tools added up in one registry."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from gateway._metrics import Metrics
from gateway._settings import NetworkSettings, TaylorSettings
from netctl import AppStatus, Controller
from netctl.apps.line import LineApp, simulated_line
from netctl.drivers import SimulatedLine
from netctl.stores import SqliteStore as NetworkStore
from netctl.tools import bind
from tercet import (
    OBJECT_TOOLS,
    MemoryStore,
    ObjectRegistry,
    Prompt,
    SqliteStore,
    ToolRegistry,
    program_tool,
)
from tpsa_core.tools import TAYLOR_CODECS, TAYLOR_PROMPTS, TAYLOR_TOOLS

__all__ = ["Composition", "compose"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Composition:
    """Everything that one gateway serves.

    Attributes:
        registry: The tools of all domains.
        prompts: What clients can offer to people as a start.
        controller: Runs the control applications.
        line: The simulated equipment that they control.
        metrics: What is counted.
        network_store: The file that keeps what the controller must not lose, if there is one.
    """

    registry: ToolRegistry
    prompts: tuple[Prompt, ...]
    controller: Controller
    line: SimulatedLine
    metrics: Metrics
    network_store: NetworkStore | None = None

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None, None]:
        """Run the control applications for the length of a block."""
        async with self.controller:
            yield

    def app_statuses(self) -> list[AppStatus]:
        """Say how each control application is."""
        return [self.controller.status(app.name) for app in self.controller.apps]

    async def aclose(self) -> None:
        """Let go of files."""
        if self.network_store is not None:
            await self.network_store.aclose()
        if self.registry.objects is not None:
            await self.registry.objects.aclose()


def compose(
    *,
    store: Path | None = None,
    network: NetworkSettings | None = None,
    taylor: TaylorSettings | None = None,
) -> Composition:
    """Put the tools of all domains into one registry.

    Args:
        store: The SQLite file that keeps stored objects; in memory where there is none.
        network: How the network is run; the defaults where there are none.
        taylor: What one call of a Taylor tool may take; the defaults where there are none.

    Raises:
        UnavailableError: The file of objects cannot be used.
        StoreError: The network's file cannot be used.
    """
    settings, metrics = network or NetworkSettings(), Metrics()
    objects = ObjectRegistry(
        MemoryStore() if store is None else SqliteStore(store), codecs=TAYLOR_CODECS
    )
    registry = ToolRegistry(
        [*TAYLOR_TOOLS, *OBJECT_TOOLS],
        objects=objects,
        observers=[metrics],
        settings=[(taylor or TaylorSettings()).limits()],
    )
    registry.register_tool(program_tool(registry))
    inventory, line = simulated_line()
    kept = None if settings.store is None else NetworkStore(settings.store)
    controller = Controller(
        inventory,
        line,
        policies=settings.policies(),
        audit_observers=[metrics.note_command],
        store=kept,
        restore_states=True,
        read_only=settings.read_only,
    )
    controller.add(LineApp())
    bind(controller, registry)
    return Composition(
        registry=registry,
        prompts=TAYLOR_PROMPTS,
        controller=controller,
        line=line,
        metrics=metrics,
        network_store=kept,
    )
