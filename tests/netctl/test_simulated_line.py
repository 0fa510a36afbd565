"""The simulated line: the whole chain by hand, and readings that react to commands."""

import math
from itertools import pairwise

import pytest

from netctl import DeclarationError, Inventory, Link, Setting
from netctl.apps.line import line_inventory, simulated_line
from netctl.drivers import SimulatedLine

pytestmark = pytest.mark.anyio

ORDER = (6, 3, 4, 7, 5, 8)


def by_hand() -> dict[int, float]:
    """Output powers in dBm of the shipped line, from its published numbers and the law alone."""

    def amplified(power_mw: float, gain_db: float, saturation_dbm: float) -> float:
        return 1 / (1 / (power_mw * 10 ** (gain_db / 10)) + 1 / 10 ** (saturation_dbm / 10))

    def lost(power_mw: float, loss_db: float) -> float:
        return power_mw / 10 ** (loss_db / 10)

    outputs: dict[int, float] = {}
    power = lost(10**-0.3, 6.0)
    power = outputs[6] = amplified(power, 18.0, 17.0)
    power = outputs[3] = amplified(lost(power, 16.5), 17.0, 17.0)
    power = outputs[4] = amplified(lost(power, 17.6), 17.5, 17.0)
    power = amplified(lost(power, 16.5), 15.0, 15.0)
    power = outputs[7] = amplified(lost(power, 10.0), 14.0, 17.0)
    power = outputs[5] = amplified(lost(power, 17.6), 17.0, 17.0)
    power = amplified(lost(power, 15.4), 16.0, 14.0)
    outputs[8] = amplified(lost(power, 15.0), 12.0, 7.0)
    return {node_id: 10 * math.log10(mw) for node_id, mw in outputs.items()}


def test_every_output_power_follows_from_the_data_sheets() -> None:
    _, line = simulated_line()

    assert {node: metrics["output_power_dbm"] for node, metrics in line.state().items()} == (
        pytest.approx(by_hand(), abs=1e-9)
    )


def test_each_input_is_the_output_before_it_less_the_fibres_loss() -> None:
    inventory, line = simulated_line()
    state = line.state()
    losses = {(link.source, link.target): link.loss_db for link in inventory.links}

    for source, target in pairwise(ORDER):
        assert state[target]["input_power_dbm"] == pytest.approx(
            state[source]["output_power_dbm"] - losses[source, target], abs=1e-9
        )


def test_osnr_falls_along_the_line() -> None:
    _, line = simulated_line()

    osnrs = [line.state()[node_id]["osnr_db"] for node_id in ORDER]

    assert osnrs == sorted(osnrs, reverse=True)
    assert 20 < osnrs[-1] < osnrs[0] < 45


async def test_a_gain_changes_every_reading_behind_it_and_none_before_it() -> None:
    inventory, line = simulated_line()
    before = line.state()

    answer = await line.apply(inventory.node(4), Setting(resource="gain_db", value=20.0))

    assert answer.accepted
    after = line.state()
    for node_id in (6, 3):
        assert after[node_id] == before[node_id]
    for node_id in (7, 5, 8):
        assert after[node_id]["output_power_dbm"] > before[node_id]["output_power_dbm"]
        assert after[node_id]["osnr_db"] != before[node_id]["osnr_db"]


async def test_output_power_saturates_as_the_gain_rises() -> None:
    inventory, line = simulated_line()
    powers: list[float] = []
    for gain_db in (10.0, 15.0, 20.0, 25.0, 30.0):
        await line.apply(inventory.node(8), Setting(resource="booster_gain_db", value=gain_db))
        powers.append(line.state()[8]["output_power_dbm"])

    steps = [later - earlier for earlier, later in pairwise(powers)]

    assert all(0 < step < 5 for step in steps)
    assert steps == sorted(steps, reverse=True)
    assert powers[-1] < 7.0


async def test_readings_are_the_truth_when_there_is_no_reading_error() -> None:
    inventory, line = simulated_line()

    for node in inventory.nodes:
        readings = {reading.metric: reading.value for reading in await line.read(node)}
        assert readings == line.state()[node.node_id]
        assert tuple(sorted(readings)) == tuple(sorted(node.metrics))


async def test_reading_errors_repeat_with_their_seed_and_spare_settings() -> None:
    async def read(seed: int) -> dict[str, float]:
        inventory, line = simulated_line(noise_db=0.1, seed=seed)
        return {reading.metric: reading.value for reading in await line.read(inventory.node(8))}

    assert await read(1) == await read(1)
    assert await read(1) != await read(2)
    truth = simulated_line()[1].state()[8]
    readings = await read(1)
    assert readings["booster_gain_db"] == truth["booster_gain_db"]
    assert readings["output_power_dbm"] != truth["output_power_dbm"]
    assert readings["output_power_dbm"] == pytest.approx(truth["output_power_dbm"], abs=0.6)


@pytest.mark.parametrize(
    ("resource", "value"), [("booster_gain_db", 35.1), ("booster_gain_db", -0.1), ("tilt_db", 1.0)]
)
async def test_hardware_refuses_what_it_cannot_do(resource: str, value: float) -> None:
    inventory, line = simulated_line()
    before = line.state()

    answer = await line.apply(inventory.node(8), Setting(resource=resource, value=value))

    assert not answer.accepted
    assert resource in answer.message
    assert line.state() == before


@pytest.mark.parametrize(
    "links",
    [
        (),
        (Link(source=6, target=3, loss_db=1), Link(source=6, target=4, loss_db=1)),
        tuple(Link(source=a, target=b, loss_db=1) for a, b in pairwise((6, 3, 4, 7, 5, 8, 6))),
        (
            *(Link(source=a, target=b, loss_db=1) for a, b in pairwise((6, 3, 4, 7))),
            Link(source=5, target=8, loss_db=1),
        ),
    ],
    ids=["none", "fork", "ring", "gap"],
)
def test_links_that_form_no_chain_are_refused(links: tuple[Link, ...]) -> None:
    inventory = Inventory(nodes=line_inventory().nodes, links=links)

    with pytest.raises(DeclarationError, match="one chain"):
        SimulatedLine(inventory, settings={})


def test_a_line_without_a_setting_names_it() -> None:
    with pytest.raises(DeclarationError) as caught:
        SimulatedLine(line_inventory(), settings={})

    assert "'gain_db' of node 3" in str(caught.value)
    assert caught.value.hint == "give settings[(3, 'gain_db')]"
