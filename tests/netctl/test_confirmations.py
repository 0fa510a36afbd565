"""Changes that are taken back unless they are confirmed."""

from typing import Any

import pytest

from netctl import (
    ChangeStateError,
    ControllerClosedError,
    InvalidArgumentsError,
    UnknownNameError,
)
from netctl.apps.line import LineApp
from netctl.policies import (
    NeedApproval,
)
from tercet import CallContext

pytestmark = pytest.mark.anyio

ITSELF = "netctl/confirmation"


async def test_what_nobody_confirms_is_set_back_to_what_it_was(bench: Any, set_gain: Any) -> None:
    outcome = await set_gain(bench.controller, 15.0, confirm_within_s=60.0, subject="alice")
    waiting = await bench.controller.changes.get(1)
    assert (outcome.status, bench.gain_db()) == ("verified", 15.0)
    assert (waiting.confirmation, waiting.confirm_by_s) == ("waiting", bench.clock.now() + 60.0)

    await bench.clock.advance(59.0)
    assert bench.gain_db() == 15.0
    await bench.clock.advance(2.0)

    assert bench.gain_db() == 12.0
    assert (await bench.controller.changes.get(1)).confirmation == "taken_back"
    undoing = await bench.controller.changes.get(2)
    assert (undoing.outcome.status, undoing.outcome.read_back) == ("verified", 12.0)
    request = undoing.outcome.request
    assert (request.subject, request.rollback_of, request.takes_back) == (ITSELF, 1, True)
    facts = bench.controller.audit.entries[-1].to_dict()["facts"]
    assert (facts["subject"], facts["confirmations"]) == (ITSELF, {"1": "taken_back"})
    await bench.clock.advance(300.0)
    assert [setting.value for _, setting in bench.driver.applied] == [15.0, 12.0]
    assert bench.controller.audit.broken_at() is None


async def test_what_was_confirmed_stays(bench: Any, set_gain: Any) -> None:
    await set_gain(bench.controller, 15.0, confirm_within_s=60.0, subject="alice")
    await bench.clock.advance(30.0)

    change = await bench.controller.changes.confirm(1, subject="alice")
    await bench.clock.advance(300.0)

    assert (change.confirmation, change.confirmed_by) == ("confirmed", "alice")
    assert await bench.controller.changes.get(1) == change
    assert bench.gain_db() == 15.0
    entry = bench.controller.audit.entries[-1].to_dict()
    assert (entry["kind"], entry["facts"]) == (
        "confirmation",
        {"change_id": 1, "confirmation": "confirmed", "subject": "alice"},
    )


async def test_only_what_waits_can_be_confirmed(bench: Any, set_gain: Any) -> None:
    confirm = bench.controller.changes.confirm
    with pytest.raises(UnknownNameError, match="there is no change 1"):
        await confirm(1, subject="bob")
    await set_gain(bench.controller, 13.0)
    with pytest.raises(ChangeStateError, match="does not wait for a confirmation; it is verified"):
        await confirm(1, subject="bob")
    await set_gain(bench.controller, 14.0, confirm_within_s=60.0)
    await confirm(2, subject="bob")
    with pytest.raises(ChangeStateError, match="it is confirmed") as caught:
        await confirm(2, subject="bob")
    assert "list the changes" in (caught.value.hint or "")
    await set_gain(bench.controller, 15.0, confirm_within_s=60.0)
    await bench.clock.advance(61.0)
    with pytest.raises(ChangeStateError, match="it is taken_back"):
        await confirm(3, subject="bob")


async def test_a_later_change_of_the_resource_ends_the_wait(bench: Any, set_gain: Any) -> None:
    await set_gain(bench.controller, 15.0, confirm_within_s=60.0)
    await set_gain(bench.controller, 10.0, amp_type="preamp")
    assert (await bench.controller.changes.get(1)).confirmation == "waiting"
    await set_gain(bench.controller, 16.0)

    assert (await bench.controller.changes.get(1)).confirmation == "superseded"
    facts = bench.controller.audit.entries[-1].to_dict()["facts"]
    assert facts["confirmations"] == {"1": "superseded"}
    await bench.clock.advance(300.0)
    assert bench.gain_db() == 16.0
    assert (await bench.controller.changes.rollback(3, dry_run=True)).status == "planned"
    with pytest.raises(ChangeStateError, match="it is superseded"):
        await bench.controller.changes.confirm(1, subject="bob")


async def test_somebody_may_roll_it_back_before(bench: Any, set_gain: Any) -> None:
    await set_gain(bench.controller, 15.0, confirm_within_s=60.0)
    await bench.controller.changes.rollback(1)
    await set_gain(bench.controller, 30.0)
    await bench.clock.advance(300.0)

    assert (await bench.controller.changes.get(1)).confirmation == "superseded"
    assert [setting.value for _, setting in bench.driver.applied] == [15.0, 12.0]


async def test_a_change_that_never_reached_the_node_has_nothing_to_confirm(
    bench: Any, set_gain: Any
) -> None:
    bench.driver.apply_fault = "refuse"
    await set_gain(bench.controller, 15.0, confirm_within_s=60.0)

    change = await bench.controller.changes.get(1)
    assert (change.confirmation, change.confirm_by_s) == (None, None)


async def test_what_was_perhaps_sent_is_taken_back_too(bench: Any, set_gain: Any) -> None:
    bench.driver.apply_fault = "unreachable"
    outcome = await set_gain(bench.controller, 15.0, confirm_within_s=60.0)
    assert (outcome.status, outcome.code) == ("failed", "node_unavailable")
    bench.driver.apply_fault = None
    await bench.clock.advance(61.0)

    assert (await bench.controller.changes.get(1)).confirmation == "taken_back"
    assert [setting.value for _, setting in bench.driver.applied] == [12.0]


async def test_a_later_change_that_perhaps_was_not_sent_ends_no_wait(
    bench: Any, set_gain: Any
) -> None:
    await set_gain(bench.controller, 15.0, confirm_within_s=60.0)
    bench.driver.apply_fault = "unreachable"
    await set_gain(bench.controller, 17.0)
    bench.driver.apply_fault = None
    await bench.clock.advance(61.0)

    assert bench.gain_db() == 12.0
    assert (await bench.controller.changes.get(1)).confirmation == "taken_back"


# --- asking ----------------------------------------------------------------------------------


async def test_a_dry_run_says_that_it_would_have_to_be_confirmed(bench: Any, set_gain: Any) -> None:
    planned = await set_gain(bench.controller, 15.0, confirm_within_s=60, dry_run=True)

    assert planned.status == "planned"
    assert planned.reason == "it would be taken back unless somebody confirms it within 60 s"
    assert planned.to_report()["confirm_within_s"] == 60
    await bench.clock.advance(100.0)
    assert bench.driver.applied == []


@pytest.mark.parametrize("seconds", [0, 0.5, 86_401, float("nan"), "60", True])
async def test_a_time_that_is_none_is_an_error(bench: Any, set_gain: Any, seconds: Any) -> None:
    with pytest.raises(InvalidArgumentsError, match="/confirm_within_s"):
        await set_gain(bench.controller, 15.0, confirm_within_s=seconds)
    assert bench.driver.applied == []


async def test_a_key_with_another_time_is_another_command(bench: Any, set_gain: Any) -> None:
    await set_gain(bench.controller, 15.0, idempotency_key="k", confirm_within_s=60.0)
    again = await set_gain(bench.controller, 15.0, idempotency_key="k", confirm_within_s=60.0)
    other = await set_gain(bench.controller, 15.0, idempotency_key="k")

    assert (again.change_id, other.code) == (1, "idempotency_conflict")


async def test_a_confirmation_needs_the_controller(benches: Any) -> None:
    with pytest.raises(ControllerClosedError):
        await benches(LineApp()).controller.changes.confirm(1, subject="bob")


async def test_the_time_begins_when_an_approved_change_is_sent(benches: Any, set_gain: Any) -> None:
    bench = benches(LineApp(), policies=[NeedApproval()], poll_period_s=100.0)
    async with bench.controller:
        await set_gain(bench.controller, 15.0, confirm_within_s=60.0, subject="alice")
        await bench.clock.advance(500.0)
        assert (await bench.controller.changes.get(1)).confirmation is None
        await bench.controller.changes.approve(1, subject="bob")
        await bench.clock.advance(59.0)
        assert bench.gain_db() == 15.0
        await bench.clock.advance(2.0)
        assert bench.gain_db() == 12.0
        assert (await bench.controller.changes.get(1)).confirmation == "taken_back"


async def test_a_change_of_before_that_is_approved_later_ends_the_wait(
    benches: Any, set_gain: Any
) -> None:
    bench = benches(LineApp(), policies=[NeedApproval(above=3.5)], poll_period_s=100.0)
    async with bench.controller:
        await set_gain(bench.controller, 16.0, subject="alice")
        await set_gain(bench.controller, 12.0, confirm_within_s=60.0)
        await bench.controller.changes.approve(1, subject="bob")
        await bench.clock.advance(61.0)

        assert bench.gain_db() == 16.0
        assert (await bench.controller.changes.get(2)).confirmation == "superseded"


async def test_an_agent_confirms_what_it_asked_for(network: Any, call: Any, refuse: Any) -> None:
    bench, registry = network
    alice = CallContext(subject="alice", scopes=frozenset({"network", "network:write"}))
    gain = {"node_id": 8, "target_gain": 15.0}
    done = await call(registry, "NetworkApp1_set_gain", alice, **gain, confirm_within_s=60)
    (listed,) = (await call(registry, "get_changes"))["changes"]
    viewer = CallContext(subject="eve", scopes=frozenset({"network"}))
    unseen = await refuse(registry, "confirm_change", viewer, change_id=1)
    dry = await refuse(registry, "confirm_change", CallContext(dry_run=True), change_id=1)

    kept = await call(registry, "confirm_change", alice, change_id=1)
    again = await refuse(registry, "confirm_change", alice, change_id=1)
    await bench.clock.advance(100.0)

    assert (done["status"], done["confirm_within_s"]) == ("verified", 60)
    assert (listed["confirmation"], listed["confirmation_fault"]) == ("waiting", None)
    assert unseen["error_code"] == "NOT_FOUND"
    assert dry["error_code"] == "REJECTED"
    assert kept == {"change_id": 1, "confirmation": "confirmed", "confirmed_by": "alice"}
    assert again["error_code"] == "CONFLICT"
    assert bench.gain_db() == 15.0
    trail = (await call(registry, "get_audit"))["entries"]
    assert "confirmation" in {entry["kind"] for entry in trail}


async def test_a_tool_refuses_a_time_that_is_none(network: Any, refuse: Any) -> None:
    _, registry = network
    gain = {"node_id": 8, "target_gain": 15.0}
    refused = await refuse(registry, "NetworkApp1_set_gain", **gain, confirm_within_s=0)

    assert refused["error_code"] == "INVALID_INPUT"


async def test_listeners_hear_of_a_confirmation(bench: Any, set_gain: Any) -> None:
    await set_gain(bench.controller, 15.0, confirm_within_s=60.0)
    with bench.controller.events.listen(kinds=["command"]) as listener:
        await bench.controller.changes.confirm(1, subject="bob")
        event = await listener.next()

    assert (event.facts["change_id"], event.facts["confirmation"]) == (1, "confirmed")
