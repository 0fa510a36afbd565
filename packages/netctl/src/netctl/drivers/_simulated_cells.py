"""Simulated base stations whose measurements of users react to power and shares."""

from collections.abc import Mapping, Sequence

import anyio.lowlevel

from netctl._driver import Acknowledgement, Reading, Setting
from netctl._errors import DeclarationError
from netctl._inventory import Cell, Inventory, Node
from netctl._nearest import nearest_in_range
from netctl.drivers._hardware import flat_settings, refused_by_hardware
from netctl.drivers._radio_meter import measure_cell
from netctl.ran import User, place_users

__all__ = ["SimulatedCells"]

_ALL_PERCENT = 100.0
_SLACK_PERCENT = 1e-9


class SimulatedCells:
    """Base stations of a mobile network in steady state, as a driver.

    Each cell sends its power over its whole band, and gives each slice a share of its resource
    blocks (PRBs); the laws are those of `netctl.ran`. So its power decides about every user's
    quality, and a slice's share about what its users get; a user who comes into reach takes its
    part from the others of its slice. The cells do not disturb each other, the users stand still,
    and a change takes effect at once. A cell refuses shares of more than 100 % together.

    It measures, of what a node declares: what each resource is set to, `prb_use_percent`,
    `{slice}_dl_throughput_mbps`, and of each user n `ue_n_rnti`, `ue_n_coupling_loss_db`,
    `ue_n_snr_db`, `ue_n_ul_snr_db`, `ue_n_cqi`, `ue_n_mcs`, `ue_n_bler_ratio`, `ue_n_dl_prbs`,
    `ue_n_dl_throughput_mbps`, `ue_n_dl_buffer_bytes`, `ue_n_ul_throughput_mbps` and
    `ue_n_ul_buffer_bytes`.

    Args:
        inventory: The nodes; each has a cell.
        settings: What resources are set to at the start, by node id and name; one that is left out
            starts as near to 0 as its limits allow.
        users: The users of each node; a node that is left out gets `users_per_cell`.
        users_per_cell: How many users a node gets that has none here.
        seed: Fixes where those stand.

    Raises:
        DeclarationError: If a node has no cell, shares are more than 100 % together, or a user
            is in a slice that its cell has not.
    """

    def __init__(
        self,
        inventory: Inventory,
        *,
        settings: Mapping[tuple[int, str], float] | None = None,
        users: Mapping[int, Sequence[User]] | None = None,
        users_per_cell: int = 6,
        seed: int = 0,
    ) -> None:
        self._inventory = inventory
        self._cells = {node.node_id: _cell_of(node) for node in inventory.nodes}
        self._users: dict[int, tuple[User, ...]] = {}
        self._settings: dict[int, dict[str, float]] = {}
        for place, node in enumerate(inventory.nodes):
            cell = self._cells[node.node_id]
            names = [part.name for part in cell.slices]
            placed = place_users(names, count=users_per_cell, seed=seed + place)
            self._users[node.node_id] = tuple((users or {}).get(node.node_id, placed))
            _check_users(node, self._users[node.node_id], names)
            self._settings[node.node_id] = _settings_of(node, cell, settings or {})

    @property
    def settings(self) -> dict[tuple[int, str], float]:
        """What each resource is set to, by node id and name."""
        return flat_settings(self._settings)

    def state(self) -> dict[int, dict[str, float]]:
        """Every metric of every node."""
        return {
            node.node_id: self._measure(node, self._settings[node.node_id])
            for node in self._inventory.nodes
        }

    async def predict(self, node: Node, setting: Setting) -> Mapping[str, float]:
        """What the node would measure after a change."""
        await anyio.lowlevel.checkpoint()
        changed = {**self._settings[node.node_id], setting.resource: setting.value}
        return self._measure(node, changed)

    async def read(self, node: Node) -> Sequence[Reading]:
        """What the node measures now."""
        await anyio.lowlevel.checkpoint()
        measured = self._measure(node, self._settings[node.node_id]).items()
        return tuple(Reading(metric=metric, value=value) for metric, value in measured)

    async def apply(self, node: Node, setting: Setting) -> Acknowledgement:
        """Change one resource; the node refuses what its hardware cannot do."""
        await anyio.lowlevel.checkpoint()
        if refused := refused_by_hardware(self._inventory, node.node_id, setting):
            return refused
        changed = {**self._settings[node.node_id], setting.resource: setting.value}
        total_percent = _shares_percent(self._cells[node.node_id], changed)
        if total_percent > _ALL_PERCENT + _SLACK_PERCENT:
            return Acknowledgement(
                accepted=False,
                message=f"the slices' shares would be {total_percent:g} % together; 100 % is all",
            )
        self._settings[node.node_id] = changed
        return Acknowledgement(accepted=True)

    def _measure(self, node: Node, settings: Mapping[str, float]) -> dict[str, float]:
        return measure_cell(node, self._cells[node.node_id], settings, self._users[node.node_id])


def _cell_of(node: Node) -> Cell:
    if node.cell is None:
        raise DeclarationError(
            f"node {node.node_id} has no cell",
            hint="describe its cell in the inventory, or give the node another driver",
        )
    return node.cell


def _shares_percent(cell: Cell, settings: Mapping[str, float]) -> float:
    return sum(settings[part.resource] for part in cell.slices)


def _settings_of(
    node: Node, cell: Cell, given: Mapping[tuple[int, str], float]
) -> dict[str, float]:
    settings: dict[str, float] = {}
    for resource in node.resources:
        start = nearest_in_range(
            0.0,
            minimum=resource.min,
            maximum=resource.max,
            step=resource.step,
        )
        settings[resource.name] = given.get((node.node_id, resource.name), start)
    if (total_percent := _shares_percent(cell, settings)) > _ALL_PERCENT + _SLACK_PERCENT:
        raise DeclarationError(
            f"the slices of node {node.node_id} have shares of {total_percent:g} % together",
            hint="give them 100 % at the most",
        )
    return settings


def _check_users(node: Node, users: Sequence[User], slices: Sequence[str]) -> None:
    for user in users:
        if user.slice not in slices:
            raise DeclarationError(
                f"user {user.number} of node {node.node_id} is in the slice {user.slice!r}",
                hint=f"its cell has {list(slices)!r}",
            )
