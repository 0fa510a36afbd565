"""The one place that knows all domains: their tools added up in one registry."""

from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path

from gateway._metrics import Metrics
from gateway._network import NetworkFile, network_of
from gateway._reloading import Reloading, beside
from gateway._settings import (
    NetworkSettings,
    SessionSettings,
    TaylorSettings,
    WorkerSettings,
)
from netctl import AppStatus, Controller, Driver
from netctl.drivers import SimulatedLine
from netctl.stores import SqliteStore as NetworkStore
from netctl.tools import bind, network_prompts
from tercet import (
    OBJECT_TOOLS,
    CallLimits,
    MemoryStore,
    ObjectRegistry,
    Observer,
    ProcessWorkers,
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
        equipment: The simulated equipment that they control, until a reload brings another.
        metrics: What is counted.
        workers: The processes that compute what takes longer than a moment.
        network_store: The file that keeps what the controller must not lose, if there is one.
        reloading: Takes up another inventory and other apps, if the network is that of a file.
    """

    registry: ToolRegistry
    prompts: tuple[Prompt, ...]
    controller: Controller
    equipment: Driver
    metrics: Metrics
    workers: ProcessWorkers
    network_store: NetworkStore | None = None
    reloading: Reloading | None = None

    @property
    def line(self) -> SimulatedLine:
        """The shipped line.

        Raises:
            TypeError: The network is that of an inventory.
        """
        if not isinstance(self.equipment, SimulatedLine):
            raise TypeError("the network of this composition is not the shipped line")
        return self.equipment

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None, None]:
        """Run the control applications, and have workers at hand, for the length of a block."""
        watching = nullcontext() if self.reloading is None else beside(self.reloading.run)
        async with self.workers, self.controller, watching:
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
    workers: WorkerSettings | None = None,
    session: SessionSettings | None = None,
    observers: Iterable[Observer] = (),
) -> Composition:
    """Put the tools of all domains into one registry.

    Args:
        store: The SQLite file that keeps stored objects; in memory where there is none.
        network: How the network is run; the defaults where there are none.
        taylor: What one call of a Taylor tool may take; the defaults where there are none.
        workers: The processes that compute; the defaults where there are none.
        session: How much a session may keep; the defaults where there are none.
        observers: Who else is told of every call.

    Raises:
        UnavailableError: The file of objects cannot be used.
        StoreError: The network's file cannot be used.
        InventoryError: The inventory cannot be read.
        DeclarationError: An installed app cannot be used, or does not fit the inventory.
    """
    settings, metrics = network or NetworkSettings(), Metrics()
    computing, algebra = workers or WorkerSettings(), taylor or TaylorSettings()
    processes = computing.workers()
    objects = ObjectRegistry(
        MemoryStore() if store is None else SqliteStore(store),
        codecs=TAYLOR_CODECS,
        limits=(session or SessionSettings()).limits(),
    )
    registry = ToolRegistry(
        [*TAYLOR_TOOLS, *OBJECT_TOOLS],
        objects=objects,
        # A call has its minute, and as long as it may be computed.
        limits=CallLimits(timeout_s=max(CallLimits().timeout_s, computing.deadline_s)),
        observers=[metrics, *observers],
        runner=processes,
        settings=[algebra.limits(), algebra.work()],
    )
    registry.register_tool(program_tool(registry))
    file = None if settings.inventory is None else NetworkFile(settings.inventory)
    parts = network_of(file)
    kept = None if settings.store is None else NetworkStore(settings.store)
    controller = Controller(
        parts.inventory,
        parts.equipment,
        commands=parts.commands,
        plugins=parts.plugins,
        policies=settings.policies(),
        audit_observers=[metrics.note_command],
        store=kept,
        restore_states=True,
        read_only=settings.read_only,
    )
    for app in parts.apps:
        controller.add(app)
    bind(controller, registry, approve_by_person=settings.approve_by_person)
    return Composition(
        registry=registry,
        prompts=(*TAYLOR_PROMPTS, *network_prompts(controller)),
        controller=controller,
        equipment=parts.equipment,
        metrics=metrics,
        workers=processes,
        network_store=kept,
        reloading=None
        if file is None
        else Reloading(controller, file, metrics.note_reload, watches=settings.watch),
    )
