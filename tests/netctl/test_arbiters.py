"""Strategies of arbitration: one winner, and a loser who is told who won and why."""

from collections.abc import Sequence
from typing import Any

import anyio
import pytest

from netctl import (
    DeclarationError,
    NetworkApp,
    NotPermittedError,
    Outcome,
    SerialArbiter,
    aic_app,
)
from netctl.arbiters import LastWriteWins, Leases, MinGap, PriorityWins, RejectConflict
from netctl.policies import NeedApproval
from netctl.testing import ManualClock

pytestmark = pytest.mark.anyio


def rival(name: str, app_id: int, rank: int = 0) -> NetworkApp:
    @aic_app(name=name)
    class Rival(NetworkApp):
        aic_app_id = app_id
        control_functions = {8: ["SET_GAIN"]}  # noqa: RUF012 -- as an app writes it
        priority = rank

    return Rival()


async def contend(bench: Any, set_gain: Any, commands: Sequence[tuple[str, float]]) -> list[Any]:
    """Send commands one after another while the first one is on its way; their outcomes."""
    outcomes: dict[int, Outcome] = {}

    async def send(index: int, app: str, gain_db: float) -> None:
        outcomes[index] = await set_gain(bench.controller, gain_db, app=app)

    bench.driver.gate = anyio.Event()
    async with bench.controller, anyio.create_task_group() as group:
        for index, (app, gain_db) in enumerate(commands):
            group.start_soon(send, index, app, gain_db)
            await bench.clock.settle()
        bench.driver.gate.set()
    return [outcomes[index] for index in range(len(commands))]


def words(outcome: Outcome) -> tuple[str, str | None]:
    return outcome.status, outcome.code


async def test_reject_conflict_refuses_whoever_comes_second(benches: Any, set_gain: Any) -> None:
    bench = benches(rival("One", 1), rival("Two", 2), arbiter=RejectConflict())

    first, second = await contend(bench, set_gain, [("One", 1.0), ("Two", 2.0)])

    assert (words(first), words(second)) == (("verified", None), ("rejected", "resource_busy"))
    assert second.reason == (
        "booster_gain_db on node 8 is being set by SET_GAIN of app 'One' "
        f"(request {first.request_id}), which came first"
    )
    assert bench.gain_db() == 1.0


async def test_last_write_wins_drops_what_waits(benches: Any, set_gain: Any) -> None:
    bench = benches(rival("One", 1), rival("Two", 2, 5), arbiter=LastWriteWins())

    outcomes = await contend(
        bench, set_gain, [("One", 1.0), ("Two", 2.0), ("One", 3.0), ("One", 4.0)]
    )

    assert [words(outcome) for outcome in outcomes] == [
        ("verified", None),
        ("rejected", "superseded"),
        ("rejected", "superseded"),
        ("verified", None),
    ]
    assert f"app 'One' (request {outcomes[2].request_id}) came later" in outcomes[1].reason
    assert [setting.value for _, setting in bench.driver.applied] == [1.0, 4.0]


async def test_priority_refuses_the_lower_one_whichever_came_first(
    benches: Any, set_gain: Any
) -> None:
    bench = benches(rival("Low", 1), rival("High", 2, 5), arbiter=PriorityWins())

    outcomes = await contend(
        bench, set_gain, [("Low", 1.0), ("Low", 2.0), ("High", 3.0), ("Low", 4.0), ("High", 5.0)]
    )

    assert [words(outcome) for outcome in outcomes] == [
        ("verified", None),
        ("rejected", "lower_priority"),
        ("verified", None),
        ("rejected", "lower_priority"),
        ("verified", None),
    ]
    assert "app 'High'" in outcomes[1].reason
    assert "with priority 5, above 0" in outcomes[3].reason
    assert [setting.value for _, setting in bench.driver.applied] == [1.0, 3.0, 5.0]


async def test_min_gap_lets_a_resource_rest_and_no_other(benches: Any, set_gain: Any) -> None:
    clock = ManualClock()
    bench = benches(rival("One", 1), rival("Two", 2), clock=clock, arbiter=MinGap(0.5, clock))
    async with bench.controller:
        first = await set_gain(bench.controller, 1.0, app="One")
        await bench.clock.advance(0.4)
        second = await set_gain(bench.controller, 2.0, app="Two")
        other = await set_gain(bench.controller, 2.0, app="Two", amp_type="preamp")
        planned = await set_gain(bench.controller, 2.0, app="Two", dry_run=True)
        await bench.clock.advance(0.1)
        third = await set_gain(bench.controller, 3.0, app="Two")

    assert words(second) == ("rejected", "too_soon")
    assert second.reason == (
        f"booster_gain_db on node 8 was set by SET_GAIN of app 'One' (request {first.request_id}); "
        "it rests for 0.5 s after each change, 0.1 s more"
    )
    assert [outcome.status for outcome in (other, planned, third)] == [
        "verified",
        "planned",
        "verified",
    ]


async def test_who_waited_through_the_gap_is_refused_too(benches: Any, set_gain: Any) -> None:
    clock = ManualClock()
    bench = benches(rival("One", 1), clock=clock, arbiter=MinGap(0.5, clock))

    first, second = await contend(bench, set_gain, [("One", 1.0), ("One", 2.0)])

    assert (first.status, second.code) == ("verified", "too_soon")


async def test_what_was_not_sent_begins_no_gap(benches: Any, set_gain: Any) -> None:
    clock = ManualClock()
    bench = benches(
        rival("One", 1), clock=clock, arbiter=MinGap(9.0, clock), policies=[NeedApproval()]
    )
    async with bench.controller:
        assert (await set_gain(bench.controller, 1.0, app="One")).status == "pending_approval"
        assert (await bench.controller.changes.approve(1, subject="eve")).status == "verified"


@pytest.mark.parametrize("gap_s", [0.0, -1.0, float("nan")])
def test_a_gap_that_is_none_is_an_error(gap_s: float) -> None:
    with pytest.raises(DeclarationError, match="gap_s"):
        MinGap(gap_s, ManualClock())


@pytest.mark.parametrize(
    "arbiter",
    [SerialArbiter, RejectConflict, LastWriteWins, PriorityWins],
    ids=lambda a: a.__name__,
)
async def test_of_a_thousand_contended_commands_each_round_has_a_winner_and_told_losers(
    benches: Any, set_gain: Any, arbiter: Any
) -> None:
    bench = benches(rival("One", 1), rival("Two", 2, 1), arbiter=arbiter())
    outcomes: list[Outcome] = []

    async def send(app: str, gain_db: float) -> None:
        outcomes.append(await set_gain(bench.controller, gain_db, app=app))

    async with bench.controller:
        for cycle in range(250):
            async with anyio.create_task_group() as group:
                for app in ("One", "Two"):
                    group.start_soon(send, app, float(cycle % 20))
            if outcomes[-1].code is not None:
                assert "app '" in (outcomes[-1].reason or "")

    assert {outcome.status for outcome in outcomes} <= {"verified", "rejected"}
    sent = [outcome for outcome in outcomes if outcome.status == "verified"]
    assert len(sent) == len(bench.driver.applied) >= 250
    assert len(outcomes) == 500


# --- leases ----------------------------------------------------------------------------------


async def test_a_leased_resource_is_its_owners_until_the_lease_ends(
    benches: Any, set_gain: Any
) -> None:
    clock = ManualClock()
    leases = Leases(clock)
    bench = benches(rival("One", 1), rival("Two", 2), clock=clock, policies=[leases])
    async with bench.controller:
        leases.take("One", 8, "booster_gain_db", ttl_s=60.0, reason="measuring")

        owner = await set_gain(bench.controller, 1.0, app="One")
        refused = await set_gain(bench.controller, 2.0, app="Two")
        other = await set_gain(bench.controller, 2.0, app="Two", amp_type="preamp")
        await clock.advance(60.0)
        after = await set_gain(bench.controller, 3.0, app="Two")

    assert words(refused) == ("rejected", "leased")
    assert refused.reason == (
        "booster_gain_db on node 8 is leased to app 'One' (measuring) for 60 s more"
    )
    assert {outcome.status for outcome in (owner, other, after)} == {"verified"}


async def test_a_lease_taken_while_a_command_waits_holds(benches: Any, set_gain: Any) -> None:
    clock = ManualClock()
    leases = Leases(clock)
    bench = benches(rival("One", 1), rival("Two", 2), clock=clock, policies=[leases])
    outcomes: list[Outcome] = []

    async def send(app: str) -> None:
        outcomes.append(await set_gain(bench.controller, 2.0, app=app))

    bench.driver.gate = anyio.Event()
    async with bench.controller, anyio.create_task_group() as group:
        for app in ("One", "Two"):
            group.start_soon(send, app)
            await clock.settle()
        leases.take("One", 8, "booster_gain_db", ttl_s=60.0)
        bench.driver.gate.set()

    assert [outcome.code for outcome in outcomes] == [None, "leased"]


def test_a_lease_is_renewed_given_back_and_not_taken_from_its_owner() -> None:
    leases = Leases(ManualClock())
    first = leases.take("One", 8, "gain", ttl_s=60.0)
    second = leases.take("One", 8, "gain", ttl_s=90.0)

    with pytest.raises(NotPermittedError, match="leased to app 'One' for 90 s more"):
        leases.take("Two", 8, "gain", ttl_s=60.0)
    leases.give_back(first)
    assert leases.held(8, "gain") == second
    leases.give_back(second)
    assert leases.held(8, "gain") is None
    with pytest.raises(DeclarationError, match="ttl_s"):
        leases.take("Two", 8, "gain", ttl_s=0.0)
