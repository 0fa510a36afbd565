"""Changes that wait for somebody else's yes."""

from typing import Any

import anyio
import pytest

from netctl import Accept, ChangeStateError, NotPermittedError, Outcome, UnknownNameError
from netctl.policies import BlastRadius, NeedApproval

pytestmark = pytest.mark.anyio


@pytest.fixture
def waiting(benches: Any, guarded: Any, set_gain: Any) -> Any:
    """Makes a bench on which changes of more than 2 dB wait, and sends commands as alice."""

    def make(*more: Any) -> tuple[Any, Any]:
        rules = [NeedApproval(above=2.0, expires_after_s=600.0), *more]
        bench = benches(guarded(Accept()), policies=rules, poll_period_s=100.0)

        async def send(gain_db: float, **options: Any) -> Outcome:
            return await set_gain(
                bench.controller, gain_db, app="Guarded", subject="alice", **options
            )

        return bench, send

    return make


async def test_the_low_tier_goes_at_once_and_the_high_tier_waits(waiting: Any) -> None:
    bench, send = waiting()
    async with bench.controller:
        low = await send(14.0)
        high = await send(17.0)

        assert low.status == "verified"
        assert (high.status, high.code) == ("pending_approval", "approval_needed")
        assert (high.before, high.after, high.change_id) == (14.0, 17.0, 2)
        assert "needs an approval within 600 s" in (high.reason or "")
        assert bench.gain_db() == 14.0
        change = await bench.controller.changes.get(2)
        assert change.expires_at_s == bench.clock.now() + 600.0


async def test_somebody_else_approves_and_it_is_sent(waiting: Any) -> None:
    bench, send = waiting()
    async with bench.controller:
        await send(17.0)

        outcome = await bench.controller.changes.approve(1, subject="bob")

        assert (outcome.status, outcome.change_id, outcome.read_back) == ("verified", 1, 17.0)
        assert bench.gain_db() == 17.0
        change = await bench.controller.changes.get(1)
        assert (change.outcome, change.decided_by) == (outcome, "bob")
        facts = bench.controller.audit.entries[-1].to_dict()["facts"]
        assert (facts["subject"], facts["decided_by"]) == ("alice", "bob")


async def test_nobody_approves_what_they_asked_for(waiting: Any) -> None:
    bench, send = waiting()
    async with bench.controller:
        await send(17.0)

        with pytest.raises(NotPermittedError, match="'alice' asked for change 1"):
            await bench.controller.changes.approve(1, subject="alice")

        assert (await bench.controller.changes.get(1)).outcome.status == "pending_approval"
        assert bench.driver.applied == []


async def test_a_rejected_change_is_never_sent(waiting: Any) -> None:
    bench, send = waiting()
    async with bench.controller:
        await send(17.0)

        outcome = await bench.controller.changes.reject(1, subject="bob", reason="too much")

        assert (outcome.status, outcome.code) == ("rejected", "rejected_by_approver")
        assert outcome.reason == "'bob' rejected it: too much"
        with pytest.raises(ChangeStateError, match="does not wait for an approval; it is rejected"):
            await bench.controller.changes.approve(1, subject="bob")
        assert bench.driver.applied == []


async def test_an_approval_comes_too_late_once_the_change_expired(waiting: Any) -> None:
    bench, send = waiting()
    async with bench.controller:
        await send(17.0)
        await bench.clock.advance(600.0)

        with pytest.raises(ChangeStateError, match="it is rejected"):
            await bench.controller.changes.approve(1, subject="bob")

        change = await bench.controller.changes.get(1)
        assert (change.outcome.status, change.outcome.code) == ("rejected", "approval_expired")
        assert bench.controller.audit.records[-1].outcome == change.outcome
        assert bench.driver.applied == []


async def test_what_was_approved_is_what_was_planned_or_nothing(waiting: Any) -> None:
    bench, send = waiting()
    async with bench.controller:
        await send(17.0)
        await send(13.0)

        outcome = await bench.controller.changes.approve(1, subject="bob")

        assert (outcome.status, outcome.code, outcome.change_id) == ("rejected", "plan_changed", 1)
        assert "was 12.0 dB when the change was planned, and is 13.0 dB now" in (
            outcome.reason or ""
        )
        assert bench.gain_db() == 13.0


async def test_an_approved_change_passes_every_other_stage_again(waiting: Any) -> None:
    bench, send = waiting()
    async with bench.controller:
        await send(17.0)
        await bench.controller.set_read_only(True)

        outcome = await bench.controller.changes.approve(1, subject="bob")

        assert (outcome.status, outcome.code) == ("rejected", "read_only")
        assert bench.driver.applied == []


async def test_nobody_is_asked_for_what_another_rule_refuses(waiting: Any) -> None:
    bench, send = waiting(BlastRadius(most_per_change=3.0))
    async with bench.controller:
        outcome = await send(17.0)

    assert (outcome.status, outcome.code) == ("rejected", "blast_radius")


async def test_a_dry_run_says_that_an_approval_would_be_needed(waiting: Any) -> None:
    bench, send = waiting()
    async with bench.controller:
        outcome = await send(17.0, dry_run=True)

        assert (outcome.status, outcome.code) == ("planned", "approval_needed")
        assert await bench.controller.changes.list() == ()


async def test_two_approvals_at_once_send_it_once(waiting: Any) -> None:
    bench, send = waiting()
    refused: list[ChangeStateError] = []

    async def approve(subject: str) -> None:
        try:
            await bench.controller.changes.approve(1, subject=subject)
        except ChangeStateError as error:
            refused.append(error)

    async with bench.controller:
        await send(17.0)
        async with anyio.create_task_group() as group:
            for subject in ("bob", "carol"):
                group.start_soon(approve, subject)

    assert len(bench.driver.applied) == 1
    assert "being decided" in str(refused[0])


async def test_the_answer_to_a_key_follows_the_decision(waiting: Any) -> None:
    bench, send = waiting()
    async with bench.controller:
        first = await send(17.0, idempotency_key="k")
        again = await send(17.0, idempotency_key="k")
        await bench.controller.changes.approve(1, subject="bob")
        decided = await send(17.0, idempotency_key="k")

    assert again is first
    assert (decided.status, decided.change_id) == ("verified", 1)
    assert len(bench.driver.applied) == 1


async def test_only_so_many_changes_wait(waiting: Any) -> None:
    bench, send = waiting()
    async with bench.controller:
        for _ in range(1000):
            await send(17.0)
        refused = await send(17.0)
        assert (refused.status, refused.code) == ("rejected", "approval_needed")
        assert refused.reason == "1000 changes wait already"

        await bench.clock.advance(600.0)
        assert (await send(17.0)).status == "pending_approval"


async def test_a_decision_needs_a_change_that_is_there(waiting: Any) -> None:
    bench, _ = waiting()
    async with bench.controller:
        with pytest.raises(UnknownNameError, match="no change 5"):
            await bench.controller.changes.approve(5, subject="bob")
        with pytest.raises(UnknownNameError, match="no change 5"):
            await bench.controller.changes.reject(5, subject="bob")


async def test_changes_that_wait_for_approval_do_not_keep_others_from_being_sent(
    benches: Any, set_gain: Any, guarded: Any
) -> None:
    bench = benches(guarded(Accept()), policies=[NeedApproval(above=2.0)])
    async with bench.controller as controller:
        for number in range(1_000):
            asked = await set_gain(controller, 15, app="Guarded", idempotency_key=str(number))
            assert asked.status == "pending_approval"
        full = await set_gain(controller, 15, app="Guarded")
        small = await set_gain(controller, 13, app="Guarded")

    assert full.reason == "1000 changes wait already"
    assert small.status == "verified"
