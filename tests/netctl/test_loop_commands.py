"""Commands that an app queues or sends in its own loop."""

from enum import Enum
from typing import Any

import pytest

from netctl import (
    InvalidArgumentsError,
    QueueFullError,
)

pytestmark = pytest.mark.anyio


# --- commands of the loop --------------------------------------------------------------------


async def test_a_queued_command_is_executed_in_its_cycle_and_its_outcome_told(
    benches: Any, ticking: Any
) -> None:
    bench, app = ticking(benches)
    app.queue = [
        ("SET_GAIN", {"node_id": 8, "value": {"target_gain": 14.0}}),
        ("SET_GAIN", {"node_id": 8, "value": {"target_gain": 500.0}}),
        ("SET_GAIN", {"node_id": 77, "value": {"target_gain": 1.0}}),
        ("NOPE", {"node_id": 8}),
    ]
    async with bench.controller:
        await bench.controller.set_state("Ticker", "running")
        await bench.clock.settle()

        assert [outcome.code for outcome in app.outcomes] == [
            None,
            "out_of_limits",
            "invalid_arguments",
            "unknown_command",
        ]
        assert bench.controller.status("Ticker").rejected_commands == 3
    assert bench.gain_db() == 14.0
    assert [change.value for _, change in bench.driver.applied] == [14.0]
    assert {r.outcome.request.origin for r in bench.controller.audit.records} == {"loop"}


@pytest.mark.parametrize(
    "command",
    [
        "SET_GAIN",
        ("SET_GAIN",),
        ("SET_GAIN", 8),
        (8, {"node_id": 8, "value": {}}),
        ("SET_GAIN", {"value": {}}),
        ("SET_GAIN", {"node_id": 8, "value": 3}),
        ("SET_GAIN", {"node_id": 8, "value": {"node_id": 3}}),
        ("SET_GAIN", {"node_id": 8, "value": {}, "more": 1}),
    ],
    ids=repr,
)
async def test_a_queued_command_of_another_form_is_an_error_at_once(
    benches: Any, command: Any, ticking: Any
) -> None:
    bench, app = ticking(benches)
    async with bench.controller:
        with pytest.raises(InvalidArgumentsError, match=r"expected \(NAME,"):
            app.add_command(command)


async def test_an_enumeration_can_name_a_command(benches: Any, ticking: Any) -> None:
    command = Enum("Command", ["SET_GAIN"]).SET_GAIN
    bench, app = ticking(benches)
    app.queue = [(command, {"node_id": 8, "value": {"target_gain": 3.0}})]
    async with bench.controller:
        await bench.controller.set_state("Ticker", "running")
        await bench.clock.settle()

    assert bench.gain_db() == 3.0


async def test_a_command_queued_between_cycles_is_sent_at_once(benches: Any, ticking: Any) -> None:
    bench, app = ticking(benches)
    async with bench.controller:
        await bench.controller.set_state("Ticker", "running")
        await bench.clock.settle()

        app.add_command(("SET_GAIN", {"node_id": 8, "value": {"target_gain": 3.0}}))
        await bench.clock.settle()

        assert bench.gain_db() == 3.0
        assert app.cycles == [0.0]


async def test_the_queue_of_commands_is_bounded(benches: Any, ticking: Any) -> None:
    bench, app = ticking(benches)
    command = ("SET_GAIN", {"node_id": 8, "value": {"target_gain": 3.0}})
    async with bench.controller:
        for _ in range(1000):
            app.add_command(command)
        with pytest.raises(QueueFullError, match="1000 commands are queued"):
            app.add_command(command)


async def test_commands_of_an_app_that_does_not_run_are_withdrawn_on_record(
    benches: Any, ticking: Any
) -> None:
    bench, app = ticking(benches)
    async with bench.controller:
        app.add_command(("SET_GAIN", {"node_id": 8, "value": {"target_gain": 3.0}}))
        await bench.clock.settle()
        (record,) = bench.controller.audit.records
        assert (record.outcome.status, record.outcome.code) == ("rejected", "withdrawn")
        assert record.outcome.reason == "app 'Ticker' is stopped; the command was never sent"

        app.add_command(("SET_GAIN", {"node_id": 8, "value": {"target_gain": 3.0}}))
    assert len(bench.controller.audit.records) == 2
    assert bench.driver.applied == []


async def test_a_crash_on_hearing_an_outcome_is_contained(benches: Any, ticking: Any) -> None:
    bench, app = ticking(benches)
    command = ("SET_GAIN", {"node_id": 8, "value": {"target_gain": 3.0}})
    app.queue = [command, command]
    app.outcomes = None  # the fault
    async with bench.controller:
        await bench.controller.set_state("Ticker", "running")
        await bench.clock.settle()

        assert bench.controller.status("Ticker").crashes == 2
        assert len(bench.driver.applied) == 2
        await bench.clock.advance(2.0)
        assert app.cycles == [0.0, 2.0]


async def test_an_app_sends_a_command_and_hears_at_once_what_became_of_it(
    benches: Any, ticking: Any
) -> None:
    bench, app = ticking(benches)
    async with bench.controller:
        outcome = await app.send_command("SET_GAIN", {"node_id": 8, "target_gain": 3.0})

    assert (outcome.status, outcome.request.origin) == ("verified", "loop")
