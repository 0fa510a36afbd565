"""Tilts and attenuators of the shipped line: set through the pipeline, seen as the laws say."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from netctl import Controller, Outcome
from netctl.apps.line import LineApp, LineTrimApp, simulated_line

pytestmark = pytest.mark.anyio

# Eight channels, each in the middle of an eighth of the band: the outer ones are 7/8 of it apart.
BETWEEN_THE_EDGES = 7 / 8


async def trim(controller: Controller, command: str, **arguments: Any) -> Outcome:
    return await controller.execute("LineTrim", command, arguments)


def powers(line: Any, node_id: int) -> tuple[float, float, float]:
    """The total output power, and that of the lowest and of the highest channel, in dBm."""
    state = line.state()[node_id]
    return tuple(
        state[name] for name in ("output_power_dbm", "channel_1_power_dbm", "channel_8_power_dbm")
    )


@pytest.fixture
async def trimmed(benches: Any) -> Any:
    bench = benches(LineApp(), LineTrimApp())
    async with bench.controller:
        yield bench


@pytest.mark.parametrize("tilt_db", [-3.0, 1.25, 3.0])
async def test_a_tilt_spreads_the_channels_and_keeps_the_total(
    trimmed: Any, tilt_db: float
) -> None:
    total, lowest, highest = powers(trimmed.line, 6)
    assert highest == pytest.approx(lowest, abs=1e-9)

    done = await trim(trimmed.controller, "SET_TILT", node_id=6, tilt_value=tilt_db)

    assert (done.status, done.resource, done.read_back) == ("verified", "booster_tilt_db", tilt_db)
    after, low, high = powers(trimmed.line, 6)
    assert high - low == pytest.approx(BETWEEN_THE_EDGES * tilt_db, abs=1e-9)
    assert after == pytest.approx(total, abs=1e-9)


async def test_tilts_along_the_line_add_up(trimmed: Any) -> None:
    for node_id, tilt_db in ((6, 1.0), (3, 0.5), (4, -2.0), (5, 0.75)):
        done = await trim(trimmed.controller, "SET_TILT", node_id=node_id, tilt_value=tilt_db)
        assert done.status == "verified"
    await trim(trimmed.controller, "SET_TILT", node_id=8, amp_type="preamp", tilt_value=-0.5)

    _, low, high = powers(trimmed.line, 8)

    assert high - low == pytest.approx(BETWEEN_THE_EDGES * -0.25, abs=1e-9)


async def test_opposite_tilts_leave_the_channels_level(trimmed: Any) -> None:
    await trim(trimmed.controller, "SET_TILT", node_id=6, tilt_value=2.0)
    await trim(trimmed.controller, "SET_TILT", node_id=3, tilt_value=-2.0)

    _, low, high = powers(trimmed.line, 7)

    assert high == pytest.approx(low, abs=1e-9)


@pytest.mark.parametrize("attenuation_db", [0.5, 6.0])
async def test_an_attenuator_takes_its_decibels_from_every_channel(
    trimmed: Any, attenuation_db: float
) -> None:
    before = powers(trimmed.line, 8)

    done = await trim(trimmed.controller, "SET_VOA", node_id=8, attenuation=attenuation_db)

    assert (done.status, done.resource, done.unit) == ("verified", "voa_db", "dB")
    assert (done.before, done.read_back) == (0.0, attenuation_db)
    assert powers(trimmed.line, 8) == pytest.approx(
        tuple(power - attenuation_db for power in before), abs=1e-9
    )
    assert trimmed.line.state()[8]["attenuation_db"] == attenuation_db


async def test_the_next_amplifier_makes_up_for_a_part_of_an_attenuation(trimmed: Any) -> None:
    before_mw = 10 ** (powers(trimmed.line, 6)[0] / 10)

    await trim(trimmed.controller, "SET_VOA", node_id=6, attenuation=3.0)

    # Behind 3 dB and a fibre of 16.5 dB, an amplifier of 17 dB that saturates at 17 dBm:
    # 1 / (1 / (G P) + 1 / P_sat).
    entering_mw = before_mw * 10 ** (-(3.0 + 16.5) / 10)
    leaving_mw = 1 / (1 / (10**1.7 * entering_mw) + 1 / 10**1.7)
    state = trimmed.line.state()[3]
    assert state["input_power_dbm"] == pytest.approx(10 * math.log10(entering_mw), abs=1e-9)
    assert state["output_power_dbm"] == pytest.approx(10 * math.log10(leaving_mw), abs=1e-9)


@given(attenuation_db=st.floats(0.0, 20.0), tilt_db=st.floats(-3.0, 3.0))
async def test_whatever_is_trimmed_at_the_head_never_raises_the_power_behind_it(
    attenuation_db: float, tilt_db: float
) -> None:
    inventory, line = simulated_line()
    before = line.state()
    async with Controller(inventory, line, poll_period_s=3600.0) as controller:
        controller.add(LineTrimApp())
        dimmed = await trim(controller, "SET_VOA", node_id=6, attenuation=attenuation_db)
        tilted = await trim(controller, "SET_TILT", node_id=6, tilt_value=tilt_db)

    assert (dimmed.status, tilted.status) == ("verified", "verified")
    for node_id, metrics in line.state().items():
        assert metrics["output_power_dbm"] <= before[node_id]["output_power_dbm"] + 1e-9


@pytest.mark.parametrize(
    ("command", "arguments", "code", "nearest"),
    [
        ("SET_TILT", {"node_id": 3, "tilt_value": 3.1}, "out_of_limits", 3.0),
        ("SET_TILT", {"node_id": 3, "tilt_value": -9}, "out_of_limits", -3.0),
        ("SET_VOA", {"node_id": 7, "attenuation": 20.5}, "out_of_limits", 20.0),
        ("SET_VOA", {"node_id": 7, "attenuation": -1}, "out_of_limits", 0.0),
        ("SET_VOA", {"node_id": 8, "attenuation": 6.5}, "rejected_by_validator", 6.0),
        ("SET_VOA", {"node_id": 3, "attenuation": 1.0}, "invalid_arguments", None),
    ],
)
async def test_what_the_line_cannot_or_must_not_do_is_refused(
    trimmed: Any, command: str, arguments: dict[str, Any], code: str, nearest: float | None
) -> None:
    outcome = await trim(trimmed.controller, command, **arguments)

    assert (outcome.status, outcome.code) == ("rejected", code)
    if nearest is not None:
        assert outcome.nearest == nearest
    assert trimmed.driver.applied == []


async def test_a_rollback_takes_an_attenuation_back(trimmed: Any) -> None:
    before = trimmed.line.state()
    done = await trim(trimmed.controller, "SET_VOA", node_id=7, attenuation=4.0)

    undone = await trimmed.controller.changes.rollback(done.change_id)

    assert (undone.status, undone.after) == ("verified", 0.0)
    assert trimmed.line.state() == before


async def test_the_model_of_the_lines_end_knows_its_attenuator(trimmed: Any) -> None:
    async def depth() -> float:
        reply = await trimmed.controller.call_operation(
            "NetworkApp1", "power_model", {"node_id": 8}
        )
        return float(reply.result["expression"].split("(1 + ")[1].split("*")[0])

    await trimmed.controller.set_state("NetworkApp1", "running")
    bright = await depth()
    await trim(trimmed.controller, "SET_VOA", node_id=8, attenuation=5.0)

    # What is behind the booster does not change how deep it is in saturation.
    assert await depth() == pytest.approx(bright, rel=1e-9)
