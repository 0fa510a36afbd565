"""The operator's rules: each refuses with a code, a reason, and what would be accepted."""

from datetime import UTC, datetime, time, timedelta
from typing import Any

import anyio
import pytest

from netctl import Accept, Controller, DeclarationError, Inventory, Ledger, Outcome, Policy
from netctl.policies import (
    BlastRadius,
    Forbid,
    MaintenanceWindow,
    NeedApproval,
    RateLimit,
    RequireRole,
    SlewRate,
    WeeklyWindow,
    Where,
)
from netctl.testing import ManualClock

pytestmark = pytest.mark.anyio

NIGHT = WeeklyWindow(weekday=0, start=time(22, 0), duration=timedelta(hours=4))


@pytest.fixture
def ruled(benches: Any, guarded: Any) -> Any:
    """Makes a bench with rules, whose app may set any gain of nodes 3, 7 and 8."""

    def make(*rules: Policy, **options: Any) -> Any:
        return benches(guarded(Accept()), policies=rules, **options)

    return make


@pytest.fixture
def send(set_gain: Any) -> Any:
    """Sends SET_GAIN in the name of that app."""

    async def send(bench: Any, gain_db: float, **more: Any) -> Outcome:
        return await set_gain(bench.controller, gain_db, app="Guarded", **more)

    return send


# --- who and where ---------------------------------------------------------------------------


async def test_a_role_is_needed_where_the_rule_says(ruled: Any, send: Any) -> None:
    bench = ruled(RequireRole(role="network:roadm", where=Where(node_ids=[7, 8])))
    async with bench.controller:
        nobody, engineer = frozenset[str](), frozenset({"network:roadm"})
        refused = await send(bench, 15.0, roles=nobody, subject="eve")
        elsewhere = await send(bench, 15.0, node_id=3, roles=nobody)
        allowed = await send(bench, 15.0, roles=engineer)
        anyone = await send(bench, 16.0)

    assert (refused.status, refused.code) == ("rejected", "not_permitted")
    assert refused.reason == (
        "'eve' has not the role 'network:roadm' that SET_GAIN on node 8 needs"
    )
    assert {outcome.status for outcome in (elsewhere, allowed, anyone)} == {"verified"}


@pytest.mark.parametrize(
    ("where", "code"),
    [
        (Where(), "not_permitted"),
        (Where(apps=["Guarded"]), "not_permitted"),
        (Where(apps=["Other"]), None),
        (Where(commands=["SET_GAIN"]), "not_permitted"),
        (Where(commands=["SET_VOA"]), None),
        (Where(node_ids=[3]), None),
        (Where(resources=["booster_gain_db"], node_ids=[8]), "not_permitted"),
        (Where(resources=["booster_gain_db"], node_ids=[7]), None),
        (Where(subjects=["local"]), "not_permitted"),
        (Where(subjects=["bob"]), None),
    ],
)
async def test_a_rule_is_about_what_fits_all_that_it_names(
    ruled: Any, send: Any, where: Where, code: str | None
) -> None:
    bench = ruled(Forbid(where=where, reason="not today"))
    async with bench.controller:
        outcome = await send(bench, 15.0)

    assert outcome.code == code


# --- how often -------------------------------------------------------------------------------


async def test_a_rate_limit_counts_each_subject_and_refills(ruled: Any, send: Any) -> None:
    bench = ruled(RateLimit(per="subject", burst=2, per_minute=6.0))
    async with bench.controller:
        statuses = [(await send(bench, gain_db, subject="bob")).status for gain_db in (1.0, 2.0)]
        reads = len(bench.driver.reads)
        refused = await send(bench, 3.0, subject="bob")
        assert len(bench.driver.reads) == reads
        other = await send(bench, 3.0, subject="eve")
        await bench.clock.advance(10.0)
        later = [await send(bench, gain_db, subject="bob") for gain_db in (4.0, 5.0)]

    assert statuses == ["verified", "verified"]
    assert (refused.status, refused.code) == ("rejected", "rate_limited")
    assert refused.reason == (
        "subject 'bob' may be served 6 changes a minute and 2 at once; the next one in 10 s"
    )
    assert other.status == "verified"
    assert [outcome.status for outcome in later] == ["verified", "rejected"]


async def test_a_rate_limit_counts_each_node(ruled: Any, send: Any) -> None:
    bench = ruled(RateLimit(per="node", burst=1, per_minute=1.0))
    async with bench.controller:
        outcomes = [
            await send(bench, 15.0, node_id=8, subject="bob"),
            await send(bench, 16.0, node_id=8, subject="eve"),
            await send(bench, 16.0, node_id=3),
        ]

    assert [outcome.code for outcome in outcomes] == [None, "rate_limited", None]
    assert (outcomes[1].reason or "").startswith("node 8 may be served 1 changes a minute")


async def test_refusals_and_dry_runs_cost_nothing(ruled: Any, send: Any) -> None:
    bench = ruled(
        RateLimit(per="subject", burst=1, per_minute=1.0),
        Forbid(where=Where(node_ids=[3]), reason="not this one"),
        BlastRadius(most_per_change=5.0),
    )
    async with bench.controller:
        await send(bench, 15.0, node_id=3)
        await send(bench, 30.0)
        await send(bench, 15.0, dry_run=True)
        assert (await send(bench, 15.0)).status == "verified"


async def test_two_commands_at_once_do_not_share_one_token(ruled: Any, send: Any) -> None:
    bench = ruled(RateLimit(per="subject", burst=1, per_minute=1.0))
    outcomes: list[Outcome] = []

    async def one(node_id: int) -> None:
        outcomes.append(await send(bench, 15.5, node_id=node_id))

    async with bench.controller, anyio.create_task_group() as group:
        for node_id in (3, 7, 8):
            group.start_soon(one, node_id)

    assert sorted(str(outcome.code) for outcome in outcomes) == [
        "None",
        "rate_limited",
        "rate_limited",
    ]


# --- how far ---------------------------------------------------------------------------------


async def test_a_resource_moves_no_faster_than_its_slew_rate(ruled: Any, send: Any) -> None:
    bench = ruled(SlewRate(per_minute=3.0))
    async with bench.controller:
        too_far = await send(bench, 16.0)
        first = await send(bench, 14.0)
        too_soon = await send(bench, 9.0)
        await bench.clock.advance(20.0)
        second = await send(bench, 12.0)
        other = await send(bench, 17.0, amp_type="preamp")

    assert (too_far.status, too_far.code, too_far.nearest) == ("rejected", "slew_limited", 15.0)
    assert too_far.reason == (
        "booster_gain_db of node 8 would move 4 dB; it may move 3 dB a minute, and 3 dB now"
    )
    assert (too_soon.code, too_soon.nearest) == ("slew_limited", 13.0)
    assert [outcome.status for outcome in (first, second, other)] == ["verified"] * 3


async def test_the_inventorys_slew_rate_holds_without_any_policy(
    guarded: Any, set_gain: Any, benches: Any
) -> None:
    line = benches().line
    document = line.inventory.model_dump()
    for node in document["nodes"]:
        for resource in node["resources"]:
            resource.update(slew_per_minute=2.0, step=0.5)
    controller = Controller(Inventory.model_validate(document), line, clock=ManualClock())
    controller.add(guarded(Accept()))
    async with controller:
        up = await set_gain(controller, 20.0, app="Guarded")
        down = await set_gain(controller, 1.0, app="Guarded")
        done = await set_gain(controller, 13.5, app="Guarded")
        rest = await set_gain(controller, 15.0, app="Guarded")

    assert [(up.code, up.nearest), (down.code, down.nearest)] == [
        ("slew_limited", 14.0),
        ("slew_limited", 10.0),
    ]
    assert done.status == "verified"
    # Half a decibel is left, and one step is as much.
    assert (rest.code, rest.nearest) == ("slew_limited", 14.0)


async def test_a_blast_radius_bounds_one_change(ruled: Any, send: Any) -> None:
    bench = ruled(BlastRadius(most_per_change=2.0))
    async with bench.controller:
        refused = await send(bench, 9.0)
        done = await send(bench, 10.0)

    assert (refused.code, refused.nearest) == ("blast_radius", 10.0)
    assert refused.reason == "one change may move booster_gain_db by 2 dB, not by 3 dB"
    assert done.status == "verified"


async def test_a_blast_radius_bounds_an_hour(ruled: Any, send: Any) -> None:
    bench = ruled(BlastRadius(most_per_hour=5.0), poll_period_s=600.0)
    async with bench.controller:
        assert (await send(bench, 15.0)).status == "verified"
        refused = await send(bench, 18.0)
        other = await send(bench, 18.0, subject="eve")
        await bench.clock.advance(3661.0)
        later = await send(bench, 14.0)

    assert (refused.code, refused.nearest) == ("blast_radius", 17.0)
    assert "has changed 3 dB, and would change 3 dB more" in (refused.reason or "")
    assert (other.status, later.status) == ("verified", "verified")


async def test_a_blast_radius_bounds_the_nodes_of_an_hour(ruled: Any, send: Any) -> None:
    bench = ruled(BlastRadius(most_nodes_per_hour=2))
    async with bench.controller:
        outcomes = [await send(bench, 15.5, node_id=node_id) for node_id in (3, 7, 8, 7)]

    assert [outcome.code for outcome in outcomes] == [None, None, "blast_radius", None]
    assert outcomes[2].reason == "'local' may change 2 nodes an hour, and has changed [3, 7]"
    assert outcomes[2].nearest == 3


async def test_a_rule_counts_only_what_it_is_about(ruled: Any, send: Any) -> None:
    elsewhere = Where(node_ids=[3])
    bench = ruled(
        RateLimit(per="subject", burst=1, per_minute=1.0, where=elsewhere),
        SlewRate(per_minute=0.5, where=elsewhere),
        BlastRadius(most_per_change=0.5, most_nodes_per_hour=1, where=elsewhere),
        NeedApproval(where=elsewhere),
        MaintenanceWindow(windows=(NIGHT,), where=elsewhere),
    )
    async with bench.controller:
        outcomes = [await send(bench, gain_db) for gain_db in (15.0, 16.0)]

    assert [outcome.status for outcome in outcomes] == ["verified"] * 2


# --- when ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("now", "state", "opens"),
    [
        (datetime(2026, 11, 30, 21, 59, tzinfo=UTC), "closed", "2026-11-30T22:00:00+00:00"),
        (datetime(2026, 11, 30, 22, 0, tzinfo=UTC), "open", "2026-12-07T22:00:00+00:00"),
        (datetime(2026, 12, 1, 1, 59, tzinfo=UTC), "open", "2026-12-07T22:00:00+00:00"),
        (datetime(2026, 12, 1, 2, 0, tzinfo=UTC), "closed", "2026-12-07T22:00:00+00:00"),
    ],
)
def test_a_weekly_window_passes_midnight(now: datetime, state: str, opens: str) -> None:
    assert NIGHT.is_open(now) is (state == "open")
    assert NIGHT.next_start(now).isoformat() == opens


async def test_changes_wait_for_a_maintenance_window_and_dry_runs_do_not(
    ruled: Any, send: Any
) -> None:
    monday = datetime(2026, 11, 30, 21, 59, tzinfo=UTC)
    bench = ruled(MaintenanceWindow(windows=(NIGHT,)), clock=ManualClock(monday.timestamp()))
    async with bench.controller:
        refused = await send(bench, 15.0)
        planned = await send(bench, 15.0, dry_run=True)
        await bench.clock.advance(60.0)
        done = await send(bench, 15.0)

    assert (refused.status, refused.code) == ("rejected", "outside_window")
    assert refused.nearest == "2026-11-30T22:00:00+00:00"
    assert (planned.status, done.status) == ("planned", "verified")


# --- rules themselves ------------------------------------------------------------------------


HOUR = timedelta(hours=1)


@pytest.mark.parametrize(
    ("rule", "options"),
    [
        (RateLimit, {"per": "node", "burst": 0, "per_minute": 1.0}),
        (RateLimit, {"per": "node", "burst": 0.5, "per_minute": 1.0}),
        (RateLimit, {"per": "node", "burst": 1, "per_minute": float("inf")}),
        (SlewRate, {"per_minute": -1.0}),
        (BlastRadius, {"most_per_change": 0.0}),
        (BlastRadius, {"most_nodes_per_hour": 0}),
        (BlastRadius, {"most_nodes_per_hour": 0.5}),
        (BlastRadius, {"most_per_hour": float("nan")}),
        (NeedApproval, {"expires_after_s": 0.0}),
        (NeedApproval, {"above": float("nan")}),
        (NeedApproval, {"above": -1.0}),
        (MaintenanceWindow, {"windows": ()}),
        (WeeklyWindow, {"weekday": 7, "start": time(1), "duration": HOUR}),
        (WeeklyWindow, {"weekday": 1, "start": time(1), "duration": timedelta(days=8)}),
        (WeeklyWindow, {"weekday": 1, "start": time(1, tzinfo=UTC), "duration": HOUR}),
    ],
    ids=repr,
)
def test_a_rule_that_makes_no_sense_is_an_error_when_it_is_made(
    rule: Any, options: dict[str, Any]
) -> None:
    with pytest.raises(DeclarationError) as caught:
        rule(**options)
    assert caught.value.hint


async def test_the_ledger_forgets_what_no_longer_counts() -> None:
    clock = ManualClock()
    ledger = Ledger(clock)
    for number in range(600):
        ledger.take(("bucket", number), 1.0, capacity=2.0, refill_per_s=1.0)
        ledger.use(("hour", number), amount=1.0, node_id=number)
    await clock.advance(7200.0)
    for number in range(1500):
        ledger.use(("new", number), amount=1.0, node_id=8)

    assert ledger.last_hour(("hour", 1)).nodes == frozenset()
    assert ledger.last_hour(("new", 1)).amount == 1.0
    # White-box: that memory is bounded shows nowhere else.
    assert len(ledger._hours) + len(ledger._buckets) <= 1_500
