"""A simulated optical line whose measurements react to commands, all along it."""

import random
from collections.abc import Mapping, Sequence

import anyio.lowlevel

from netctl._driver import Acknowledgement, Reading, Setting
from netctl._errors import DeclarationError, UnknownNameError
from netctl._inventory import Inventory, Node
from netctl.optics import Light, amplify

__all__ = ["SimulatedLine"]


class SimulatedLine:
    """A chain of amplifiers and ROADMs in steady state, as a driver.

    Light enters the first node of the inventory's chain of links and passes, on each node, its
    preamp, its insertion loss and its booster (or its line amplifier), then the link's loss. The
    laws are those of `netctl.optics`: gain saturates with total power, and each amplifier adds
    noise, so a command at one node changes the readings of every node after it, not linearly.
    A change takes effect at once; there are no transients and no tilt.

    Args:
        inventory: The nodes with their data sheets, and links that form one chain.
        settings: The value of each settable resource at the start, by node id and name.
        launch_power_dbm: Total power that enters the first node.
        channels: How many channels share that power.
        transmitter_osnr_db: OSNR of the light that enters.
        bandwidth_ghz: Width of the band that the amplifiers fill with noise.
        noise_db: Standard deviation of the error of each power and OSNR reading; settings are
            read exactly.
        seed: Where the errors' sequence starts.

    Raises:
        DeclarationError: If the links form no chain over all nodes, or a setting is missing.
    """

    def __init__(
        self,
        inventory: Inventory,
        *,
        settings: Mapping[tuple[int, str], float],
        launch_power_dbm: float = -3.0,
        channels: int = 8,
        transmitter_osnr_db: float = 45.0,
        bandwidth_ghz: float = 4000.0,
        noise_db: float = 0.0,
        seed: int = 0,
    ) -> None:
        self._inventory = inventory
        self._chain = _chain(inventory)
        self._settings = dict(settings)
        # The line is in steady state, so that only a change makes another one.
        self._truth: dict[int, dict[str, float]] | None = None
        self._launched = Light.launched(
            power_dbm=launch_power_dbm,
            osnr_db=transmitter_osnr_db,
            channels=channels,
            bandwidth_ghz=bandwidth_ghz,
        )
        self._noise_db = noise_db
        # S311: readings need a repeatable error, not a secret one.
        self._random = random.Random(seed)  # noqa: S311
        for node in inventory.nodes:
            for stage in node.stages:
                if (node.node_id, stage.resource) not in self._settings:
                    raise DeclarationError(
                        f"the line has no setting for {stage.resource!r} of node {node.node_id}",
                        hint=f"give settings[({node.node_id}, {stage.resource!r})]",
                    )

    @property
    def inventory(self) -> Inventory:
        """The nodes and links that this line is made of."""
        return self._inventory

    def state(self) -> dict[int, dict[str, float]]:
        """The simulator's own truth: every metric of every node, without reading errors."""
        if self._truth is None:
            self._truth = self._states(self._settings)
        return {node_id: dict(metrics) for node_id, metrics in self._truth.items()}

    async def predict(self, node: Node, setting: Setting) -> Mapping[str, float]:
        """What the node would measure after a change, without reading errors."""
        await anyio.lowlevel.checkpoint()
        changed = {**self._settings, (node.node_id, setting.resource): setting.value}
        return self._states(changed)[node.node_id]

    async def read(self, node: Node) -> Sequence[Reading]:
        """What the node measures now."""
        await anyio.lowlevel.checkpoint()
        truth = self.state()[node.node_id]
        settings = {resource.read_back_metric for resource in node.resources}
        return tuple(
            Reading(metric=metric, value=value if metric in settings else self._observed(value))
            for metric, value in truth.items()
            if metric in node.metrics
        )

    async def apply(self, node: Node, setting: Setting) -> Acknowledgement:
        """Change one resource; the node refuses what its hardware cannot do."""
        await anyio.lowlevel.checkpoint()
        try:
            resource = self._inventory.node(node.node_id).resource(setting.resource)
        except UnknownNameError as error:
            return Acknowledgement(accepted=False, message=str(error))
        if resource.read_only or not resource.min <= setting.value <= resource.max:
            return Acknowledgement(
                accepted=False,
                message=f"{setting.resource} cannot be set to {setting.value!r} {resource.unit}",
            )
        self._settings[node.node_id, setting.resource] = setting.value
        self._truth = None
        return Acknowledgement(accepted=True)

    def _states(self, settings: Mapping[tuple[int, str], float]) -> dict[int, dict[str, float]]:
        states: dict[int, dict[str, float]] = {}
        light = self._launched
        for node, link_loss_db in self._chain:
            light, states[node.node_id] = self._pass(node, light, settings)
            light = light.attenuated(link_loss_db)
        return states

    @staticmethod
    def _pass(
        node: Node, light: Light, settings: Mapping[tuple[int, str], float]
    ) -> tuple[Light, dict[str, float]]:
        metrics = {"input_power_dbm": light.total_dbm}
        # A node's preamp comes before its loss, every other stage after it.
        if all(stage.stage != "preamp" for stage in node.stages):
            light = light.attenuated(node.insertion_loss_db)
        for stage in node.stages:
            gain_db = settings[node.node_id, stage.resource]
            metrics[node.resource(stage.resource).read_back_metric] = gain_db
            light = amplify(
                light,
                gain_db=gain_db,
                saturation_power_dbm=stage.saturation_power_dbm,
                noise_figure_db=stage.noise_figure_db,
            )
            if stage.stage == "preamp":
                light = light.attenuated(node.insertion_loss_db)
        metrics["output_power_dbm"] = light.total_dbm
        metrics["osnr_db"] = light.osnr_db
        if node.kind == "roadm":
            metrics["loss_db"] = node.insertion_loss_db
        return light, metrics

    def _observed(self, value: float) -> float:
        if self._noise_db == 0.0:
            return value
        return value + self._random.gauss(0.0, self._noise_db)


def _chain(inventory: Inventory) -> tuple[tuple[Node, float], ...]:
    """The nodes in the order in which light passes them, each with the loss behind it."""
    onward = {link.source: link for link in inventory.links}
    targets = {link.target for link in inventory.links}
    heads = [node_id for node_id in inventory.node_ids if node_id not in targets]
    chain: list[tuple[Node, float]] = []
    if len(heads) == 1 and len(onward) == len(inventory.links) == len(targets):
        link = onward.get(heads[0])
        node_id = heads[0]
        while link is not None:
            chain.append((inventory.node(node_id), link.loss_db))
            node_id, link = link.target, onward.get(link.target)
        chain.append((inventory.node(node_id), 0.0))
    if len(chain) != len(inventory.nodes):
        raise DeclarationError(
            "the links do not form one chain over all nodes",
            hint="give each node but the last exactly one link to the next",
        )
    return tuple(chain)
