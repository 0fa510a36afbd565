"""The simulated plant of any inventory: physics where there is a model, else nodes without."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from netctl import DriverError, Inventory, Setting
from netctl.apps.line import line_inventory
from netctl.apps.ran import ran_inventory
from netctl.drivers import (
    DriversByNode,
    SimulatedCells,
    SimulatedLine,
    SimulatedNodes,
    simulated_plant,
    start_settings,
)

pytestmark = pytest.mark.anyio


def both() -> Inventory:
    line, ran = line_inventory(), ran_inventory()
    return Inventory(nodes=(*line.nodes, *ran.nodes), links=line.links)


def other(node_id: int = 40, **more: Any) -> dict[str, Any]:
    resource = {"name": "angle_deg", "unit": "deg", "min": -4.0, "max": 90.0, "step": 3.0}
    return {
        "node_id": node_id,
        "name": "antenna",
        "kind": "gnb",
        "metrics": ["angle_deg", "temperature_c"],
        "resources": [resource],
    } | more


def nodes(*documents: dict[str, Any], **more: Any) -> Inventory:
    return Inventory.model_validate({"nodes": documents} | more)


def test_each_node_has_the_driver_of_its_sort() -> None:
    inventory = both()
    inventory = Inventory(nodes=(*inventory.nodes, *nodes(other()).nodes), links=inventory.links)

    plant = simulated_plant(inventory)

    kinds = {node.node_id: type(plant.of(node)) for node in inventory.nodes}
    assert kinds == dict.fromkeys(range(3, 9), SimulatedLine) | {
        21: SimulatedCells,
        40: SimulatedNodes,
    }


def test_a_plant_starts_where_everything_can_still_be_moved() -> None:
    starts = start_settings(both())

    assert (starts[3, "gain_db"], starts[3, "tilt_db"], starts[6, "voa_db"]) == (15.0, 0.0, 0.0)
    # Three slices have a third of half of all blocks, in whole percents.
    assert starts[21, "embb_prb_share_percent"] == 17.0
    assert starts[21, "tx_power_dbm"] == 0.0


async def test_a_plant_measures_what_it_starts_with() -> None:
    inventory = both()
    plant = simulated_plant(inventory)

    for node in inventory.nodes:
        measured = {reading.metric: reading.value for reading in await plant.read(node)}
        for resource in node.resources:
            start = start_settings(inventory)[node.node_id, resource.name]
            assert measured[resource.read_back_metric] == start


async def test_a_command_on_one_sort_of_node_is_seen_by_no_other_sort() -> None:
    inventory = both()
    plant = simulated_plant(inventory)
    before = await plant.read(inventory.node(21))
    dark = await plant.read(inventory.node(8))

    done = await plant.apply(inventory.node(6), Setting(resource="booster_gain_db", value=17.0))

    assert done.accepted
    assert await plant.read(inventory.node(21)) == before
    assert await plant.read(inventory.node(8)) != dark


async def test_a_prediction_comes_from_the_nodes_own_driver() -> None:
    inventory = both()
    plant = simulated_plant(inventory)

    gain = await plant.predict(inventory.node(6), Setting(resource="booster_gain_db", value=17.0))
    power = await plant.predict(inventory.node(21), Setting(resource="tx_power_dbm", value=9.0))

    assert (gain["booster_gain_db"], power["tx_power_dbm"]) == (17.0, 9.0)


@pytest.mark.parametrize(
    "inventory",
    [
        Inventory(nodes=line_inventory().nodes),
        Inventory(
            nodes=tuple(
                node.model_copy(update={"metrics": (*node.metrics, "temperature_c")})
                for node in line_inventory().nodes
            ),
            links=line_inventory().links,
        ),
        nodes(other(metrics=["angle_deg"])),
    ],
    ids=["no chain", "a metric without a law", "no cell"],
)
def test_where_no_model_covers_a_node_it_has_none(inventory: Inventory) -> None:
    plant = simulated_plant(inventory)

    assert {type(plant.of(node)) for node in inventory.nodes} == {SimulatedNodes}


async def test_a_node_without_physics_is_what_it_was_set_to_and_nothing_else_moves() -> None:
    inventory = nodes(other())
    node, driver = inventory.node(40), SimulatedNodes(inventory, seed=3)
    before = driver.state()[40]

    done = await driver.apply(node, Setting(resource="angle_deg", value=11.0))

    # The steps of 3 begin at -4: the nearest to 0 is -1.
    assert before["angle_deg"] == -1.0
    assert 1.0 <= before["temperature_c"] <= 10.0
    assert done.accepted
    assert driver.state()[40] == {**before, "angle_deg": 11.0}
    assert SimulatedNodes(inventory, seed=3).state()[40] == before


async def test_a_node_without_physics_predicts_what_it_is_set_to_and_changes_nothing() -> None:
    inventory = nodes(other())
    node, driver = inventory.node(40), SimulatedNodes(inventory)
    before = driver.state()[40]

    predicted = await driver.predict(node, Setting(resource="angle_deg", value=11.0))

    assert predicted == {**before, "angle_deg": 11.0}
    assert driver.state()[40] == before


@pytest.mark.parametrize("resource", ["angle_deg", "height_m"])
async def test_a_node_without_physics_refuses_what_it_cannot_be_set_to(resource: str) -> None:
    inventory = nodes(other())
    driver = SimulatedNodes(inventory)

    done = await driver.apply(inventory.node(40), Setting(resource=resource, value=91.0))

    assert not done.accepted
    assert resource in done.message


async def test_a_node_without_a_driver_cannot_be_reached() -> None:
    inventory = nodes(other(3), other(30))
    driver = DriversByNode({30: SimulatedNodes(inventory)})

    with pytest.raises(DriverError, match="node 3 has no driver"):
        await driver.read(inventory.node(3))


async def test_a_driver_that_cannot_predict_is_not_asked_to() -> None:
    class Mute:
        def __init__(self, inventory: Inventory) -> None:
            simulated = SimulatedNodes(inventory)
            self.read, self.apply = simulated.read, simulated.apply

    inventory = nodes(other())
    driver = DriversByNode({40: Mute(inventory)})

    assert await driver.predict(inventory.node(40), Setting(resource="angle_deg", value=2.0)) == {}


@given(
    ids=st.lists(st.integers(0, 2**63), min_size=1, max_size=5, unique=True),
    low=st.floats(-1e9, 1e9),
    width=st.floats(0.0, 1e9),
)
async def test_every_metric_of_any_node_is_measured_and_within_its_resources_limits(
    ids: list[int], low: float, width: float
) -> None:
    limits = {"name": "angle_deg", "unit": "deg", "min": low, "max": low + width}
    inventory = nodes(*(other(node_id, resources=[limits]) for node_id in ids))
    plant = simulated_plant(inventory)

    for node in inventory.nodes:
        measured = {reading.metric: reading.value for reading in await plant.read(node)}
        assert set(measured) == set(node.metrics)
        assert low <= measured["angle_deg"] <= low + width
