"""The simulated line with all that can be set on it: tilts, attenuators, channels, long fibres."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from netctl import (
    SET_GAIN,
    SET_TILT,
    SET_VOA,
    Controller,
    DeclarationError,
    Inventory,
    NetworkApp,
    Setting,
    aic_app,
)
from netctl.drivers import SimulatedLine

CHANNELS = 4
SPAN_DB = 16.0


def resource(name: str, low: float, high: float) -> dict[str, Any]:
    return {"name": name, "unit": "dB", "min": low, "max": high}


def node_of(node_id: int) -> dict[str, Any]:
    of_channels = [
        f"channel_{channel}_{what}"
        for channel in range(1, CHANNELS + 2)
        for what in ("power_dbm", "osnr_db", "gsnr_db")
    ]
    return {
        "node_id": node_id,
        "name": f"node {node_id}",
        "kind": "amplifier",
        "resources": [
            resource("gain_db", 0.0, 30.0),
            resource("tilt_db", -5.0, 5.0),
            resource("voa_db", 0.0, 20.0),
            resource("voa_2_db", 0.0, 20.0),
        ],
        "metrics": [
            *("gain_db", "tilt_db", "voa_db", "voa_2_db", "colour"),
            *("input_power_dbm", "output_power_dbm", "osnr_db", "gsnr_db", *of_channels),
        ],
        "stages": [
            {
                "stage": "line",
                "resource": "gain_db",
                "tilt_resource": "tilt_db",
                "saturation_power_dbm": 20.0,
                "noise_figure_db": 5.0,
            }
        ],
        "attenuators": [{"resource": "voa_db"}, {"resource": "voa_2_db", "channel": 2}],
    }


INVENTORY = Inventory.model_validate(
    {
        "nodes": [node_of(1), node_of(2), node_of(3)],
        "links": [
            {"source": 1, "target": 2, "loss_db": SPAN_DB, "length_km": 80.0},
            {"source": 2, "target": 3, "loss_db": SPAN_DB, "length_km": 80.0},
        ],
    }
)
GAINS = {(node_id, "gain_db"): 17.0 for node_id in (1, 2, 3)}


def plant(**changes: Any) -> SimulatedLine:
    settings = {**GAINS, **changes.pop("settings", {})}
    return SimulatedLine(
        INVENTORY, settings=settings, channels=CHANNELS, bandwidth_ghz=200.0, **changes
    )


def powers(state: dict[str, float]) -> list[float]:
    return [state[f"channel_{channel}_power_dbm"] for channel in range(1, CHANNELS + 1)]


def test_every_channel_is_measured_and_none_that_does_not_exist() -> None:
    state = plant().state()[3]

    assert len(set(powers(state))) == 1
    assert "channel_5_power_dbm" not in state
    assert "colour" not in state
    in_all = 10 * math.log10(sum(10 ** (power / 10) for power in powers(state)))
    # The rest of the light is noise.
    assert in_all < state["output_power_dbm"] < in_all + 0.2


def test_the_generalised_osnr_counts_the_fibres_interference_too() -> None:
    state = plant().state()

    assert state[1]["gsnr_db"] == pytest.approx(state[1]["osnr_db"])
    assert state[2]["gsnr_db"] < state[2]["osnr_db"]
    assert state[3]["osnr_db"] - state[3]["gsnr_db"] > state[2]["osnr_db"] - state[2]["gsnr_db"]


def test_a_tilt_is_seen_by_every_node_behind_it_and_evened_out_by_the_opposite_one() -> None:
    tilted = plant(settings={(1, "tilt_db"): 2.0}).state()
    evened = plant(settings={(1, "tilt_db"): 2.0, (2, "tilt_db"): -2.0}).state()

    spread = 2.0 * (1 - 1 / CHANNELS)
    # On the way the fibres take a little more of the stronger channels.
    for node_id, fibres_db in ((1, 1e-9), (2, 0.05)):
        measured = powers(tilted[node_id])
        assert measured[-1] - measured[0] == pytest.approx(spread, abs=fibres_db)
    assert powers(evened[3])[-1] - powers(evened[3])[0] == pytest.approx(0.0, abs=0.05)
    assert evened[1]["output_power_dbm"] == pytest.approx(plant().state()[1]["output_power_dbm"])


def test_an_attenuator_takes_from_what_it_is_for_and_nothing_else() -> None:
    free = plant().state()[1]
    one = plant(settings={(1, "voa_2_db"): 3.0}).state()[1]
    all_of_them = plant(settings={(1, "voa_db"): 3.0}).state()[1]

    differences = [before - after for before, after in zip(powers(free), powers(one), strict=True)]
    assert differences == pytest.approx([0.0, 3.0, 0.0, 0.0])
    assert free["output_power_dbm"] - all_of_them["output_power_dbm"] == pytest.approx(3.0)
    assert all_of_them["osnr_db"] == pytest.approx(free["osnr_db"])


RANGES = {"gain_db": (0.0, 30.0), "tilt_db": (-5.0, 5.0), "voa_db": (0.0, 20.0)}
changes = st.tuples(st.sampled_from((1, 2, 3)), st.sampled_from(sorted(RANGES))).flatmap(
    lambda key: st.tuples(st.just(key), st.floats(*RANGES[key[1]]))
)


@pytest.mark.anyio
async def test_a_prediction_is_what_the_change_then_does() -> None:
    line, node = plant(), INVENTORY.node(2)
    setting = Setting(resource="tilt_db", value=3.0)

    predicted = await line.predict(node, setting)
    before = line.state()
    await line.apply(node, setting)

    assert before[2] != predicted
    assert line.state()[2] == predicted


@given(st.lists(changes, max_size=8), st.data())
def test_a_line_that_was_changed_is_the_line_that_was_made_so(
    sequence: list[tuple[tuple[int, str], float]], data: Any
) -> None:
    line, settings = plant(), dict(GAINS)
    for (node_id, name), value in sequence:
        apply = line.apply(INVENTORY.node(node_id), Setting(resource=name, value=value))
        run_now(apply)
        settings[node_id, name] = value
        if data.draw(st.booleans()):
            line.state()

    assert line.state() == plant(settings=settings).state()


def run_now(coroutine: Any) -> None:
    import asyncio  # noqa: PLC0415 -- hypothesis runs no coroutine by itself

    asyncio.run(coroutine)


def test_an_attenuator_of_a_channel_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(DeclarationError, match="attenuates channel 2 of 1"):
        SimulatedLine(INVENTORY, settings=GAINS, channels=1)


@pytest.mark.parametrize(
    ("part", "words"),
    [
        ({"attenuators": [{"resource": "no_db"}]}, "an attenuator of node 1 names .*'no_db'"),
        (
            {
                "stages": [
                    {
                        "stage": "line",
                        "resource": "gain_db",
                        "tilt_resource": "no_db",
                        "saturation_power_dbm": 1,
                        "noise_figure_db": 5,
                    }
                ]
            },
            "the line stage of node 1 names .*'no_db'",
        ),
    ],
)
def test_a_part_that_names_no_resource_is_an_error(part: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Inventory.model_validate({"nodes": [node_of(1) | part]})


@aic_app(name="Plant")
class Plant(NetworkApp):
    aic_app_id = 1
    control_functions = {1: ["SET_TILT", "SET_VOA"]}  # noqa: RUF012 -- as an app writes it


@pytest.mark.anyio
async def test_tilt_and_attenuation_are_commands_with_limits() -> None:
    line = plant()
    controller = Controller(INVENTORY, line, commands=(SET_GAIN, SET_TILT, SET_VOA))
    controller.add(Plant())
    async with controller:
        tilted = await controller.execute("Plant", "SET_TILT", {"node_id": 1, "tilt_value": 1.5})
        dimmed = await controller.execute("Plant", "SET_VOA", {"node_id": 1, "attenuation": 2})
        refused = await controller.execute("Plant", "SET_VOA", {"node_id": 1, "attenuation": 21})

    assert (tilted.status, dimmed.status) == ("verified", "verified")
    assert (refused.code, refused.nearest) == ("out_of_limits", 20.0)
    assert (line.state()[1]["tilt_db"], line.state()[1]["voa_db"]) == (1.5, 2.0)
