"""One app inside a controller: its declaration, checked against the network, and its loop."""

from collections.abc import Mapping
from typing import Any
from uuid import uuid4

import anyio

from netctl._app import AppPort, NetworkApp, QueuedCommand
from netctl._app_loop import AppLoop, LoopServices
from netctl._clock import Clock
from netctl._command import CommandSet
from netctl._declaration import AppDeclaration, declaration_of
from netctl._equipment import Equipment
from netctl._errors import DeclarationError, InvalidArgumentsError, UnknownNameError
from netctl._inventory import Inventory
from netctl._measurement_store import MeasurementStore
from netctl._measurements import Measurement, Measurements
from netctl._nearest import nearest_of
from netctl._number import is_finite_number
from netctl._operations import OperationCall, OperationReply
from netctl._outcome import CommandRequest, Outcome
from netctl._pipeline import CommandPipeline, Issuer
from netctl._plain import copied_arguments
from netctl._plugins import Plugins
from netctl._schema import find_violations
from netctl._violation import Violation

__all__ = ["AppRuntime"]


class AppRuntime:
    """One app inside a controller.

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
    ) -> None:
        self.declaration = declaration_of(app)
        self.metrics = _known_metrics(self.declaration, inventory)
        _check_commands(self.declaration, inventory, commands)
        self.issuer = Issuer(
            name=self.declaration.name,
            commands=self.declaration.commands,
            validators={
                command: getattr(app, method)
                for command, method in self.declaration.validators.items()
            },
        )
        self._app = app
        controlled = (node for nodes in self.declaration.commands.values() for node in nodes)
        self._nodes = frozenset(self.metrics).union(controlled)
        self._equipment = equipment
        self._store = store
        self._pipeline = pipeline
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
                refresh=self._refresh,
                snapshot=self._snapshot,
                send=self._send_queued,
                withdraw=self._withdraw_queued,
            ),
        )

    def attach(self) -> None:
        """Plug the app in."""
        self._app.attach(self._port)

    def detach(self) -> None:
        """Unplug the app."""
        self._app.detach()

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
        if node_id in self._nodes:
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


def _known_metrics(declaration: AppDeclaration, inventory: Inventory) -> dict[int, tuple[str, ...]]:
    """The metrics that an app reads, spelled out, all of them declared by their nodes."""
    metrics: dict[int, tuple[str, ...]] = {}
    for node_id, names in declaration.metrics.items():
        available = _node_metrics(declaration, inventory, node_id)
        for name in names or ():
            if name not in available:
                nearest = nearest_of(name, available)
                raise DeclarationError(
                    f"app {declaration.name!r} reads {name!r}, "
                    f"which node {node_id} does not measure",
                    hint=f"did you mean {nearest!r}?" if nearest else f"it has {available!r}",
                )
        metrics[node_id] = available if names is None else names
    return metrics


def _node_metrics(
    declaration: AppDeclaration, inventory: Inventory, node_id: int
) -> tuple[str, ...]:
    try:
        return inventory.node(node_id).metrics
    except UnknownNameError as error:
        raise DeclarationError(
            f"app {declaration.name!r} names node {node_id}, which does not exist",
            hint=error.hint,
        ) from error


def _check_commands(
    declaration: AppDeclaration, inventory: Inventory, commands: CommandSet
) -> None:
    """Each command of an app exists, and each of its nodes has something that it sets."""
    for name, node_ids in declaration.commands.items():
        spec = commands.get(name)
        if spec is None:
            nearest = commands.nearest(name)
            raise DeclarationError(
                f"app {declaration.name!r} has the unknown command {name!r}",
                hint=f"did you mean {nearest!r}?"
                if nearest
                else f"give it to the controller, which knows {list(commands.names)!r}",
            )
        for node_id in node_ids:
            _node_metrics(declaration, inventory, node_id)
            if not spec.choices(inventory.node(node_id)):
                raise DeclarationError(
                    f"app {declaration.name!r} has {name!r} for node {node_id}, "
                    "which has nothing that it sets",
                    hint="remove it from control_functions, or add the resource to the inventory",
                )
