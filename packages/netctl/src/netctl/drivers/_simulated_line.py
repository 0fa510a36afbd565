"""A simulated optical line whose measurements react to commands, all along it."""

import random
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import anyio.lowlevel

from netctl._driver import Acknowledgement, Reading, Setting
from netctl._errors import DeclarationError
from netctl._inventory import Inventory, Link, Node
from netctl.drivers._hardware import flat_settings, refused_by_hardware
from netctl.drivers._light_path import LightPath
from netctl.drivers._meter import meters_of
from netctl.optics import STANDARD_FIBRE, Fibre, Light

__all__ = ["SimulatedLine"]


class _Passed(NamedTuple):
    """What a node made of the light that entered it."""

    onward: Light
    truth: dict[str, float]
    exact: tuple[Reading, ...]


class SimulatedLine:
    """A chain of amplifiers and ROADMs in steady state, as a driver.

    Light enters the first node of the inventory's chain of links and passes, on each node, its
    preamp, its insertion loss, its booster (or its line amplifier) and its attenuators, then the
    link's fibre. The laws are those of `netctl.optics`: gain saturates with total power and may
    be tilted, each amplifier adds noise, long fibres add interference. So a command at one node
    changes the readings of every node after it, not linearly. A change takes effect at once;
    there are no transients.

    It measures, of what a node declares: `input_power_dbm`, `output_power_dbm`, `osnr_db`,
    `gsnr_db` (both of the worst channel), `loss_db`, what each resource is set to, and of each
    channel n `channel_n_power_dbm`, `channel_n_osnr_db` and `channel_n_gsnr_db`.

    Args:
        inventory: The nodes with their data sheets, and links that form one chain.
        settings: What resources are set to at the start, by node id and name. Gains are needed,
            tilts and attenuations are 0 dB.
        launch_power_dbm: Total power that enters the first node.
        channels: How many channels share that power.
        transmitter_osnr_db: OSNR of the light that enters.
        bandwidth_ghz: Width of the band that the amplifiers fill with noise.
        fibre: The sort of fibre of all links.
        noise_db: Standard deviation of the error of each power and OSNR reading; settings are
            read exactly.
        seed: Where the errors' sequence starts.

    Raises:
        DeclarationError: If the links form no chain over all nodes, a gain is missing, or an
            attenuator's channel does not exist.
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
        fibre: Fibre = STANDARD_FIBRE,
        noise_db: float = 0.0,
        seed: int = 0,
    ) -> None:
        self._inventory = inventory
        self._chain = _chain(inventory)
        self._place = {node.node_id: place for place, (node, _) in enumerate(self._chain)}
        self._settings = {
            node.node_id: _settings_of(node, settings, channels) for node in inventory.nodes
        }
        self._paths = {node.node_id: LightPath(node) for node in inventory.nodes}
        self._fibre = fibre
        self._meters = {
            node.node_id: tuple(meters_of(node, channels=channels)) for node in inventory.nodes
        }
        self._launched = Light.launched(
            power_dbm=launch_power_dbm,
            osnr_db=transmitter_osnr_db,
            channels=channels,
            bandwidth_ghz=bandwidth_ghz,
        )
        # Of the nodes from the line's head on, as far as is known; a change forgets those behind.
        self._passed: list[_Passed] = []
        self._noise_db = noise_db
        # S311: readings need a repeatable error, not a secret one.
        self._random = random.Random(seed)  # noqa: S311

    @property
    def inventory(self) -> Inventory:
        """The nodes and links that this line is made of."""
        return self._inventory

    @property
    def settings(self) -> dict[tuple[int, str], float]:
        """What each resource is set to, by node id and name."""
        return flat_settings(self._settings)

    def state(self) -> dict[int, dict[str, float]]:
        """The simulator's own truth: every metric of every node, without reading errors."""
        return {
            node.node_id: dict(self._at(place).truth) for place, (node, _) in enumerate(self._chain)
        }

    async def predict(self, node: Node, setting: Setting) -> Mapping[str, float]:
        """What the node would measure after a change, without reading errors."""
        await anyio.lowlevel.checkpoint()
        changed = {**self._settings[node.node_id], setting.resource: setting.value}
        return self._pass(self._place[node.node_id], changed).truth

    async def read(self, node: Node) -> Sequence[Reading]:
        """What the node measures now."""
        await anyio.lowlevel.checkpoint()
        passed = self._at(self._place[node.node_id])
        if self._noise_db == 0.0:
            return passed.exact
        settings = {resource.read_back_metric for resource in node.resources}
        return tuple(
            reading
            if reading.metric in settings
            else Reading(
                metric=reading.metric,
                value=reading.value + self._random.gauss(0.0, self._noise_db),
            )
            for reading in passed.exact
        )

    async def apply(self, node: Node, setting: Setting) -> Acknowledgement:
        """Change one resource; the node refuses what its hardware cannot do."""
        await anyio.lowlevel.checkpoint()
        if refused := refused_by_hardware(self._inventory, node.node_id, setting):
            return refused
        self._settings[node.node_id][setting.resource] = setting.value
        del self._passed[self._place[node.node_id] :]
        return Acknowledgement(accepted=True)

    def _at(self, place: int) -> _Passed:
        """What the node at a place of the chain makes of the light now."""
        while len(self._passed) <= place:
            node, _ = self._chain[len(self._passed)]
            self._passed.append(self._pass(len(self._passed), self._settings[node.node_id]))
        return self._passed[place]

    def _pass(self, place: int, settings: Mapping[str, float]) -> _Passed:
        node, link = self._chain[place]
        entering = self._launched if place == 0 else self._at(place - 1).onward
        leaving = self._paths[node.node_id].passed(entering, settings)
        truth = {
            metric: meter(entering, leaving, settings)
            for metric, meter in self._meters[node.node_id]
        }
        return _Passed(
            onward=self._fibre.passed(leaving, length_km=link.length_km, loss_db=link.loss_db)
            if link is not None
            else leaving,
            truth=truth,
            exact=tuple([Reading(metric=metric, value=value) for metric, value in truth.items()]),
        )


def _settings_of(
    node: Node, given: Mapping[tuple[int, str], float], channels: int
) -> dict[str, float]:
    """What every resource of a node is set to at the start."""
    for attenuator in node.attenuators:
        if attenuator.channel is not None and attenuator.channel > channels:
            raise DeclarationError(
                f"node {node.node_id} attenuates channel {attenuator.channel} of {channels}",
                hint="count channels from 1, or give the line more of them",
            )
    for stage in node.stages:
        if (node.node_id, stage.resource) not in given:
            raise DeclarationError(
                f"the line has no setting for {stage.resource!r} of node {node.node_id}",
                hint=f"give settings[({node.node_id}, {stage.resource!r})]",
            )
    return {
        resource.name: given.get((node.node_id, resource.name), 0.0) for resource in node.resources
    }


def _chain(inventory: Inventory) -> tuple[tuple[Node, Link | None], ...]:
    """The nodes in the order in which light passes them, each with the link behind it."""
    onward = {link.source: link for link in inventory.links}
    targets = {link.target for link in inventory.links}
    heads = [node_id for node_id in inventory.node_ids if node_id not in targets]
    chain: list[tuple[Node, Link | None]] = []
    if len(heads) == 1 and len(onward) == len(inventory.links) == len(targets):
        node_id: int | None = heads[0]
        while node_id is not None:
            link = onward.get(node_id)
            chain.append((inventory.node(node_id), link))
            node_id = None if link is None else link.target
    if len(chain) != len(inventory.nodes):
        raise DeclarationError(
            "the links do not form one chain over all nodes",
            hint="give each node but the last exactly one link to the next",
        )
    return tuple(chain)
