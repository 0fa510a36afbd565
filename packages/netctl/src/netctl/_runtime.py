"""One app inside a controller: its declaration, checked against the network, and its loop."""

from collections.abc import Callable, Mapping
from typing import Any
from uuid import uuid4

import anyio

from netctl._app import AppPort, NetworkApp, QueuedCommand
from netctl._app_fit import AppFit, fit_app
from netctl._app_loop import AppLoop, LoopServices
from netctl._clock import Clock
from netctl._command import CommandSet
from netctl._declaration import declaration_of
from netctl._equipment import Equipment
from netctl._errors import InvalidArgumentsError, UnknownNameError
from netctl._gate import ReloadGate
from netctl._inventory import Inventory
from netctl._measurement_store import MeasurementStore
from netctl._measurements import Measurement, Measurements
from netctl._number import is_finite_number
from netctl._operations import OperationCall, OperationReply
from netctl._outcome import CommandRequest, Outcome
from netctl._pipeline import CommandPipeline
from netctl._plain import copied_arguments
from netctl._plugins import Plugins
from netctl._schema import find_violations
from netctl._violation import Violation

__all__ = ["AppRuntime"]


class AppRuntime:
    """One app inside a controller.

    Attributes:
        app: The app.
        declaration: What it declares.
        loop: Its loop.
        issuer: In whose name it sends commands.
        metrics: What it reads from each of its nodes.

    Raises:
        DeclarationError: If what it declares does not exist in the inventory, the commands or the
            plugins.
    """

    def __init__(
        self,
        app: NetworkApp,
        *,
        inventory: Inventory,
        commands: CommandSet,
        equipment: Equipment,
        store: MeasurementStore,
        pipeline: CommandPipeline,
        clock: Clock,
        plugins: Plugins,
        gate: ReloadGate,
    ) -> None:
        self.app = app
        self.declaration = declaration_of(app)
        self._set_fit(fit_app(app, self.declaration, inventory, commands))
        self._equipment = equipment
        self._store = store
        self._pipeline = pipeline
        self._gate = gate
        self._seen: dict[int, int] = {}
        self._life: anyio.CancelScope | None = None
        self._gone = anyio.Event()
        self._closed = False
        self._port = AppPort(
            inventory=inventory,
            send=self._send,
            announce=self._announce,
            wake=self._wake,
            plugins=plugins.of(self.declaration.name, self.declaration.plugins),
        )
        self.loop = AppLoop(
            app,
            self.declaration,
            self._port,
            LoopServices(
                clock=clock,
                gate=gate,
                refresh=self._refresh,
                snapshot=self._snapshot,
                send=self._send_queued,
                withdraw=self._withdraw_queued,
            ),
        )

    def is_of(self, app: NetworkApp) -> bool:
        """Whether an app is this one, or another instance of it as it is declared here."""
        return type(app) is type(self.app) and declaration_of(app) == self.declaration

    def fitted(self, inventory: Inventory, commands: CommandSet) -> AppFit:
        """How the app would fit another inventory; nothing is done to it.

        Raises:
            DeclarationError: If it would not.
        """
        return fit_app(self.app, self.declaration, inventory, commands)

    def refit(self, fit: AppFit) -> Callable[[], None]:
        """Work on another inventory from now on, with all that it has; returns how to undo this."""
        former = self._fit
        self._set_fit(fit)
        self._port.inventory = fit.inventory

        def undo() -> None:
            self._set_fit(former)
            self._port.inventory = former.inventory

        return undo

    def _set_fit(self, fit: AppFit) -> None:
        self._fit = fit
        self.issuer, self.metrics = fit.issuer, fit.metrics

    def attach(self) -> None:
        """Plug the app in."""
        self.app.attach(self._port)

    def detach(self) -> None:
        """Unplug the app."""
        self.app.detach()

    async def run(self) -> None:
        """Run the app's loop until the app is closed."""
        if self._closed:
            return
        self._gone = anyio.Event()
        try:
            with anyio.CancelScope() as self._life:
                await self.loop.run()
        finally:
            self._life = None
            self._gone.set()

    async def close(self) -> None:
        """Stop the loop for good, wait until it has stopped, and unplug the app."""
        self._closed = True
        try:
            if self._life is not None:
                self._life.cancel()
                await self._gone.wait()
        finally:
            self.detach()

    def node_changed(self, node_id: int, *, available: bool) -> None:
        """Have the app told, if it reads or sets the node."""
        if node_id in self._fit.nodes:
            self._port.news[node_id] = available
            self.loop.wake()

    async def call(
        self, operation: str, arguments: Mapping[str, Any], *, timeout_s: float | None
    ) -> OperationReply:
        """Have the loop execute one of the app's operations, and wait for the answer."""
        declared = self.declaration.operations.get(operation)
        if declared is None:
            raise UnknownNameError(
                f"app {self.declaration.name!r} has no operation {operation!r}",
                hint=f"it has {list(self.declaration.operations)!r}",
            )
        own = copied_arguments(arguments)
        if violations := find_violations(declared.schema, own):
            raise InvalidArgumentsError(violations, hint="see the operation's schema")
        call = OperationCall(operation=declared, arguments=own, request_id=str(uuid4()))
        timeout_s = self.declaration.timeout_s if timeout_s is None else timeout_s
        if not is_finite_number(timeout_s) or timeout_s <= 0:
            raise InvalidArgumentsError(
                [
                    Violation(
                        pointer="/timeout_s", expected="a number of seconds above 0", got=timeout_s
                    )
                ],
                hint="leave it out for three periods of the app and 5 s",
            )
        return await self.loop.call(call, timeout_s=timeout_s)

    async def measurements(self, node_id: int | None) -> dict[int, dict[str, Measurement]]:
        """What the app reads, read anew first, by node and metric."""
        metrics = self.metrics
        if node_id is not None:
            if node_id not in metrics:
                raise UnknownNameError(
                    f"app {self.declaration.name!r} does not read node {node_id!r}",
                    hint=f"it reads {list(metrics)!r}",
                )
            metrics = {node_id: metrics[node_id]}
        await self._equipment.refresh(metrics)
        return {
            node: {name: self._store.latest(node, name) for name in names}
            for node, names in metrics.items()
        }

    def _wake(self) -> None:
        self.loop.wake()

    async def _refresh(self) -> None:
        await self._equipment.refresh(self.metrics)

    def _snapshot(self, *, consume: bool) -> Measurements:
        measurements = self._store.snapshot(self.metrics, self._seen)
        if consume:
            self._seen = {node_id: self._store.sequence(node_id) for node_id in self.metrics}
        return measurements

    async def _send(self, command: str, arguments: Mapping[str, Any], /) -> Outcome:
        queued = QueuedCommand(
            command=command, arguments=copied_arguments(arguments), request_id=str(uuid4())
        )
        # In its loop it is inside already; a task of the app's own waits like everybody else.
        async with self._gate.passage():
            return await self._pipeline.run(self._request(queued), self.issuer)

    def _announce(self, queued: QueuedCommand) -> Outcome:
        return Outcome(request=self._request(queued), status="queued")

    async def _send_queued(self, queued: QueuedCommand) -> Outcome:
        return await self._pipeline.run(self._request(queued), self.issuer)

    async def _withdraw_queued(self, queued: QueuedCommand) -> Outcome:
        status = self.loop.status
        reason = f"app {status.app!r} is {status.state}; the command was never sent"
        return await self._pipeline.withdraw(self._request(queued), reason)

    def _request(self, queued: QueuedCommand) -> CommandRequest:
        return CommandRequest(
            app=self.declaration.name,
            command=queued.command,
            arguments=queued.arguments,
            request_id=queued.request_id,
            origin="loop",
            subject=self.declaration.name,
            priority=self.declaration.priority,
        )
