"""What stands in the way of taking a change back, and what does not."""

from contextlib import AbstractAsyncContextManager, nullcontext
from datetime import time, timedelta
from typing import Any

import anyio
import pytest

from netctl import (
    Accept,
    ChangeStateError,
    CommandRequest,
    Reject,
    SerialArbiter,
    Target,
)
from netctl.apps.line import LineApp
from netctl.policies import (
    BlastRadius,
    Forbid,
    MaintenanceWindow,
    NeedApproval,
    RateLimit,
    SlewRate,
    WeeklyWindow,
    Where,
)

pytestmark = pytest.mark.anyio

APP = "NetworkApp1"
ITSELF = "netctl/confirmation"


async def test_no_rule_of_the_operator_keeps_a_change_from_being_taken_back(
    benches: Any, set_gain: Any
) -> None:
    clock_hour = WeeklyWindow(weekday=4, start=time(8, 0), duration=timedelta(minutes=1))
    rules = [
        RateLimit(per="node", burst=1, per_minute=0.001),
        SlewRate(per_minute=3.0),
        BlastRadius(most_per_change=3.0, most_per_hour=3.0),
        NeedApproval(above=3.0),
        Forbid(where=Where(subjects=[ITSELF]), reason="not this one"),
        MaintenanceWindow(windows=(clock_hour,)),
    ]
    bench = benches(LineApp(), policies=rules, poll_period_s=100.0)
    async with bench.controller:
        outcome = await set_gain(bench.controller, 15.0, confirm_within_s=60.0)
        assert outcome.status == "verified", outcome
        await bench.clock.advance(61.0)
        assert bench.gain_db() == 12.0

        # Whoever takes the controller's name is no exception.
        refused = await set_gain(bench.controller, 15.0, subject=ITSELF)
        assert refused.status == "rejected"


async def test_the_kill_switch_holds_and_it_is_taken_back_afterwards(
    bench: Any, set_gain: Any
) -> None:
    await set_gain(bench.controller, 15.0, confirm_within_s=60.0)
    await bench.controller.set_read_only(True)
    await bench.clock.advance(90.0)

    change = await bench.controller.changes.get(1)
    assert bench.gain_db() == 15.0
    assert bench.controller.overdue_changes == (1,)
    assert change.confirmation_fault == "the controller is switched to read-only"
    assert change.to_dict()["confirmation_fault"] == change.confirmation_fault
    with pytest.raises(ChangeStateError, match="the time to confirm change 1 is over"):
        await bench.controller.changes.confirm(1, subject="bob")
    await bench.controller.set_read_only(False)
    await bench.clock.advance(61.0)

    assert bench.gain_db() == 12.0
    assert bench.controller.overdue_changes == ()
    assert (await bench.controller.changes.get(1)).confirmation_fault is None


@pytest.mark.parametrize("fault", ["unreachable", "refuse", "ignore", "crash"])
async def test_what_fails_is_tried_again_after_longer_and_longer_pauses(
    bench: Any, set_gain: Any, fault: Any, logs: Any
) -> None:
    await set_gain(bench.controller, 15.0, confirm_within_s=60.0)
    bench.driver.apply_fault = fault
    await bench.clock.advance(60.0 + 16.5)

    tries = [
        record.outcome
        for record in bench.controller.audit.records
        if record.outcome.request.takes_back
    ]
    # At 0, 1, 3, 7 and 15 s.
    assert len(tries) == 5
    assert bench.controller.overdue_changes == (1,)
    assert (await bench.controller.changes.get(1)).confirmation_fault == tries[-1].reason
    assert any(log["event"] == "change not taken back" for log in logs)
    bench.driver.apply_fault = None
    await bench.clock.advance(16.0)

    assert bench.gain_db() == 12.0
    assert (await bench.controller.changes.get(1)).confirmation == "taken_back"


async def test_a_silent_node_keeps_no_other_change_from_being_taken_back(
    benches: Any, set_gain: Any, guarded: Any
) -> None:
    bench = benches(guarded(Accept()), driver_timeout_s=1000.0, poll_period_s=5000.0)
    async with bench.controller:
        await bench.clock.settle()
        for node_id in (7, 8):
            await set_gain(
                bench.controller, 15.0, app="Guarded", node_id=node_id, confirm_within_s=60.0
            )
        bench.driver.apply_fault, bench.driver.faulty_nodes = "silent", {7}
        await bench.clock.advance(61.0)

        assert (bench.gain_db(7), bench.gain_db(8)) == (15.0, 12.0)
        assert bench.controller.overdue_changes == (1,)
        # The controller is left once the node has answered, or had the time to.
        bench.driver.apply_fault = None
        await bench.clock.advance(1000.0)
        assert bench.gain_db(7) != 15.0


async def test_the_apps_own_guard_is_asked_and_asked_again(
    benches: Any, set_gain: Any, guarded: Any
) -> None:
    verdicts: list[Any] = [Accept(), Reject("not now"), Accept()]

    def answer(params: Any) -> Any:
        del params
        return verdicts.pop(0)

    bench = benches(guarded(answer))
    async with bench.controller:
        await set_gain(bench.controller, 15.0, app="Guarded", confirm_within_s=60.0)
        await bench.clock.advance(60.5)
        assert (await bench.controller.changes.get(1)).confirmation_fault == "not now"
        await bench.clock.advance(1.0)
        assert bench.gain_db() == 12.0


async def test_an_app_that_is_gone_is_waited_for(bench: Any, set_gain: Any) -> None:
    await set_gain(bench.controller, 15.0, confirm_within_s=60.0)
    await bench.controller.remove(APP)
    await bench.clock.advance(60.5)
    change = await bench.controller.changes.get(1)
    assert "no app 'NetworkApp1'" in (change.confirmation_fault or "")
    bench.controller.add(LineApp())
    await bench.clock.advance(1.0)

    assert bench.gain_db() == 12.0


class NoArbiter:
    """Lets everybody set everything at any time."""

    def claim(self, request: CommandRequest, target: Target) -> AbstractAsyncContextManager[None]:
        del request, target
        return nullcontext()


@pytest.mark.parametrize("arbiter", [SerialArbiter, NoArbiter])
async def test_a_change_that_is_just_being_sent_is_not_overwritten(
    benches: Any, set_gain: Any, arbiter: Any
) -> None:
    bench = benches(LineApp(), arbiter=arbiter())
    async with bench.controller:
        await _overtaken(bench, set_gain)


async def _overtaken(bench: Any, set_gain: Any) -> None:
    await set_gain(bench.controller, 15.0, confirm_within_s=60.0)
    await bench.clock.advance(59.5)
    bench.driver.gate = anyio.Event()
    async with anyio.create_task_group() as group:
        group.start_soon(set_gain, bench.controller, 17.0)
        await bench.driver.waiting.wait()
        await bench.clock.advance(1.0)
        bench.driver.gate.set()
    await bench.clock.advance(60.0)

    assert bench.gain_db() == 17.0
    assert (await bench.controller.changes.get(1)).confirmation == "superseded"


async def test_a_newer_change_of_unknown_fate_is_not_what_it_is_left_at(
    bench: Any, set_gain: Any
) -> None:
    await set_gain(bench.controller, 15.0, confirm_within_s=60.0)
    bench.driver.apply_fault = "unreachable"
    await set_gain(bench.controller, 17.0, confirm_within_s=30.0)
    bench.driver.apply_fault = None
    await bench.clock.advance(31.0)
    # Back to what the first change made of it, which still waits.
    assert (await bench.controller.changes.get(2)).confirmation == "taken_back"
    assert (await bench.controller.changes.get(1)).confirmation == "waiting"
    await bench.clock.advance(31.0)

    assert bench.gain_db() == 12.0
