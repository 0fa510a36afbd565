"""The app of the base station: its guards, and a slice that is fitted to what its users need."""

from typing import Any

import pytest

from netctl import InvalidArgumentsError
from netctl.apps.ran import RanApp, ran_controller, simulated_ran
from netctl.tools import bind
from tercet import ToolRegistry

pytestmark = pytest.mark.anyio


async def send(controller: Any, command: str, **arguments: Any) -> Any:
    return await controller.execute("RanApp", command, {"node_id": 21, **arguments})


async def fit(controller: Any, name: str, wanted_mbps: float) -> Any:
    reply = await controller.call_operation(
        "RanApp", "fit_slice", {"slice": name, "dl_throughput_mbps": wanted_mbps}
    )
    return reply.result


@pytest.mark.parametrize(
    ("command", "arguments", "nearest"),
    [
        ("SET_TX_POWER", {"tx_power_dbm": 24.5}, 24.0),
        ("SET_PRB_SHARE", {"slice": "embb", "share_percent": 4}, 5.0),
    ],
)
async def test_what_the_site_may_not_do_is_rejected_with_the_nearest_that_it_may(
    command: str, arguments: dict[str, Any], nearest: float
) -> None:
    async with ran_controller(poll_period_s=3600.0) as controller:
        outcome = await send(controller, command, **arguments)

    assert (outcome.status, outcome.code, outcome.nearest) == (
        "rejected",
        "rejected_by_validator",
        nearest,
    )


@pytest.mark.parametrize(
    ("command", "arguments"),
    [
        ("SET_TX_POWER", {"tx_power_dbm": 24.0}),
        ("SET_TX_POWER", {"tx_power_dbm": 0}),
        ("SET_PRB_SHARE", {"slice": "embb", "share_percent": 5}),
        ("SET_PRB_SHARE", {"slice": "mmtc", "share_percent": 40}),
    ],
)
async def test_what_it_may_do_is_done(command: str, arguments: dict[str, Any]) -> None:
    async with ran_controller(poll_period_s=3600.0) as controller:
        outcome = await send(controller, command, **arguments)

    assert outcome.status == "verified"


async def test_shares_of_more_than_all_blocks_are_the_cells_to_refuse() -> None:
    async with ran_controller(poll_period_s=3600.0) as controller:
        outcome = await send(controller, "SET_PRB_SHARE", slice="mmtc", share_percent=41)

    assert (outcome.status, outcome.code) == ("failed", "refused_by_node")
    assert outcome.reason == (
        "node 21 refuses: the slices' shares would be 101 % together; 100 % is all"
    )


async def test_a_command_without_a_slice_is_refused_with_the_slices() -> None:
    async with ran_controller(poll_period_s=3600.0) as controller:
        outcome = await send(controller, "SET_PRB_SHARE", share_percent=41)

    assert outcome.reason == "slice is needed: node 21 has embb, urllc, mmtc"


async def test_a_slice_is_given_the_share_that_its_users_need() -> None:
    async with ran_controller(poll_period_s=3600.0) as controller:
        await controller.set_state("RanApp", "running")
        first = await fit(controller, "mmtc", 12.0)
        metric = "mmtc_dl_throughput_mbps"
        await controller.measurements("RanApp")
        reached = controller.last(21, metric).value

    # Its users wait for more, so throughput is proportional to the share, which is a whole percent.
    proportional = 10.0 * 12.0 / first["throughput_before_mbps"]
    assert first["share_before_percent"] == 10.0
    assert proportional <= first["share_percent"] < proportional + 1.0
    assert first["enough"] is True
    assert first["status"] == "verified"
    assert reached is not None
    assert 12.0 <= reached < 12.0 * (1 + 1 / proportional)


async def test_what_is_not_free_is_not_taken_from_other_slices() -> None:
    async with ran_controller(poll_period_s=3600.0) as controller:
        await controller.set_state("RanApp", "running")
        answer = await fit(controller, "mmtc", 900.0)
        await controller.measurements("RanApp")
        kept = [
            controller.last(21, f"{name}_prb_share_percent").value for name in ("embb", "urllc")
        ]

    assert (answer["share_percent"], answer["enough"]) == (40.0, False)
    assert kept == [40.0, 20.0]


async def test_less_than_the_least_share_is_never_asked_for() -> None:
    async with ran_controller(poll_period_s=3600.0) as controller:
        await controller.set_state("RanApp", "running")
        answer = await fit(controller, "embb", 0.1)

    assert (answer["share_percent"], answer["status"]) == (5.0, "verified")


async def test_a_slice_that_there_is_not_is_refused_before_anything_is_sent() -> None:
    async with ran_controller(poll_period_s=3600.0) as controller:
        await controller.set_state("RanApp", "running")
        with pytest.raises(InvalidArgumentsError, match="/slice"):
            await fit(controller, "gold", 1.0)
        assert controller.audit.records == ()


async def test_an_agent_has_the_cell_as_tools(call: Any) -> None:
    registry = ToolRegistry()
    async with ran_controller(poll_period_s=3600.0) as controller:
        bind(controller, registry, operator=False)
        done = await call(registry, "RanApp_set_tx_power", node_id=21, tx_power_dbm=11.0)
        measured = await call(registry, "RanApp_get_measurements", node_id=21)

    assert sorted(tool.name for tool in registry) == [
        "RanApp_fit_slice",
        "RanApp_get_measurements",
        "RanApp_get_state",
        "RanApp_set_prb_share",
        "RanApp_set_state",
        "RanApp_set_tx_power",
    ]
    assert (done["status"], done["unit"]) == ("verified", "dBm")
    assert measured["measurements"]["tx_power_dbm"]["value"] == 11.0


def test_every_metric_that_the_shipped_inventory_names_is_measured() -> None:
    inventory, cells = simulated_ran()

    assert set(cells.state()[21]) == set(inventory.node(21).metrics)
    assert RanApp.control_functions[21] == ["SET_TX_POWER", "SET_PRB_SHARE"]
