"""Policies, and who goes first."""

import asyncio
import functools
from typing import Any

import anyio
import pytest

from netctl import (
    Accept,
    CommandRefusedError,
    CommandRequest,
    Ledger,
    NetworkApp,
    Outcome,
    Policy,
    SerialArbiter,
    Target,
    aic_app,
)

pytestmark = pytest.mark.anyio


APP = "NetworkApp1"


class NotOnMondays(Policy):
    async def check(self, request: CommandRequest, target: Target, ledger: Ledger) -> None:
        del request, ledger
        if target.value > 20:
            raise CommandRefusedError("not on Mondays", code="read_only")


class Broken(Policy):
    async def check(self, request: CommandRequest, target: Target, ledger: Ledger) -> None:
        del request, target, ledger
        raise ZeroDivisionError


async def test_a_policy_can_refuse(benches: Any, set_gain: Any, guarded: Any) -> None:
    bench = benches(guarded(Accept()), policies=[NotOnMondays()])
    async with bench.controller:
        assert (await set_gain(bench.controller, 20, app="Guarded")).status == "verified"
        refused = await set_gain(bench.controller, 21, app="Guarded")

    assert (refused.status, refused.reason) == ("rejected", "not on Mondays")


async def test_whatever_breaks_in_a_policy_refuses(
    benches: Any, logs: Any, set_gain: Any, guarded: Any
) -> None:
    bench = benches(guarded(Accept()), policies=[Broken()])
    async with bench.controller:
        outcome = await set_gain(bench.controller, 20, app="Guarded")

    assert (outcome.status, outcome.code) == ("failed", "internal_error")
    assert outcome.request_id in (outcome.reason or "")
    (crash,) = [log for log in logs if log.get("exc_info")]
    assert (crash["event"], crash["request_id"]) == ("command crashed", outcome.request_id)
    assert bench.driver.applied == []


async def test_the_read_only_switch_refuses_changes_and_lets_dry_runs_pass(
    bench: Any, set_gain: Any
) -> None:
    await bench.controller.set_read_only(True)
    assert bench.controller.read_only

    refused = await set_gain(bench.controller, 15)
    planned = await set_gain(bench.controller, 15, dry_run=True)

    assert (refused.status, refused.code) == ("rejected", "read_only")
    assert planned.status == "planned"
    assert bench.driver.applied == []
    await bench.controller.set_read_only(False)
    assert (await set_gain(bench.controller, 15)).status == "verified"


async def test_commands_for_one_resource_go_one_at_a_time(bench: Any, set_gain: Any) -> None:
    outcomes: list[Outcome] = []

    async def send(gain_db: float) -> None:
        outcomes.append(await set_gain(bench.controller, gain_db))

    async with anyio.create_task_group() as group:
        for gain_db in range(10, 20):
            group.start_soon(send, gain_db)

    # Each one found what the one before it had left.
    assert [outcome.status for outcome in outcomes] == ["verified"] * 10
    assert [outcome.before for outcome in outcomes] == [
        12.0,
        *(outcome.after for outcome in outcomes[:-1]),
    ]


async def test_another_resource_does_not_wait(bench: Any, set_gain: Any) -> None:
    bench.driver.gate = anyio.Event()
    async with anyio.create_task_group() as group:
        group.start_soon(set_gain, bench.controller, 15)
        await bench.driver.waiting.wait()
        bench.driver.gate, gate = None, bench.driver.gate

        other = await set_gain(bench.controller, 10, amp_type="preamp")

        assert other.status == "verified"
        assert bench.gain_db() == 12.0
        gate.set()
    assert bench.gain_db() == 15.0


def rival(name: str, app_id: int, rank: int) -> NetworkApp:
    @aic_app(name=name)
    class Rival(NetworkApp):
        aic_app_id = app_id
        control_functions = {8: ["SET_GAIN"]}  # noqa: RUF012 -- as an app writes it
        priority = rank

    return Rival()


async def test_of_those_who_wait_the_highest_priority_goes_first(
    benches: Any, set_gain: Any
) -> None:
    bench = benches(rival("Low", 1, 0), rival("High", 2, 5))
    bench.driver.gate = anyio.Event()
    async with bench.controller, anyio.create_task_group() as group:
        for app, gain_db in [("Low", 1.0), ("Low", 2.0), ("Low", 3.0), ("High", 4.0)]:
            send = lambda app=app, gain_db=gain_db: set_gain(  # noqa: E731 -- bound at once
                bench.controller, gain_db, app=app
            )
            group.start_soon(send)
            await bench.clock.settle()
        bench.driver.gate.set()

    assert [change.value for _, change in bench.driver.applied] == [1.0, 4.0, 2.0, 3.0]


async def test_a_waiter_that_gives_up_leaves_no_trace_and_no_lock(
    bench: Any, set_gain: Any
) -> None:
    bench.driver.gate = anyio.Event()
    async with anyio.create_task_group() as group:
        group.start_soon(set_gain, bench.controller, 1.0)
        await bench.driver.waiting.wait()
        async with anyio.create_task_group() as impatient:
            impatient.start_soon(set_gain, bench.controller, 2.0)
            await bench.clock.settle()
            impatient.cancel_scope.cancel()
        bench.driver.gate.set()
    assert (await set_gain(bench.controller, 3.0)).before == 1.0

    assert [change.value for _, change in bench.driver.applied] == [1.0, 3.0]
    withdrawn = next(
        record.outcome
        for record in bench.controller.audit.records
        if record.outcome.code == "withdrawn"
    )
    assert (withdrawn.status, withdrawn.reason) == (
        "rejected",
        "it was cancelled before it was sent",
    )


async def test_a_waiter_cancelled_as_its_turn_comes_passes_it_on(
    benches: Any, set_gain: Any, guarded: Any
) -> None:
    impatient: list[asyncio.Task[Any]] = []

    class GivesUp(SerialArbiter):
        def sent(self, request: CommandRequest, target: Target) -> None:
            # The first command is done; next its turn is given on, to one that is cancelled now.
            del target
            if request.arguments["target_gain"] == 1.0:
                impatient[0].cancel()

    bench = benches(guarded(Accept()), arbiter=GivesUp())
    bench.driver.gate = anyio.Event()
    async with bench.controller, anyio.create_task_group() as group:
        send = functools.partial(set_gain, bench.controller, app="Guarded")
        group.start_soon(send, 1.0)
        await bench.driver.waiting.wait()
        # As a web server cancels: at once, without waiting for the task to come to rest.
        impatient.append(asyncio.create_task(send(2.0)))
        await bench.clock.settle()
        group.start_soon(send, 3.0)
        await bench.clock.settle()
        bench.driver.gate.set()

    assert impatient[0].cancelled()
    assert [change.value for _, change in bench.driver.applied] == [1.0, 3.0]


async def test_the_kill_switch_stops_commands_that_wait(bench: Any, set_gain: Any) -> None:
    bench.driver.gate = anyio.Event()
    results: list[Outcome] = []

    async def send(gain_db: float) -> None:
        results.append(await set_gain(bench.controller, gain_db))

    async with anyio.create_task_group() as group:
        group.start_soon(send, 1.0)
        await bench.driver.waiting.wait()
        group.start_soon(send, 2.0)
        await bench.clock.settle()
        await bench.controller.set_read_only(True)
        bench.driver.gate.set()

    assert [outcome.status for outcome in results] == ["verified", "rejected"]
    assert bench.gain_db() == 1.0


class Closed:
    def claim(self, request: CommandRequest, target: Target) -> Any:
        raise CommandRefusedError(
            f"{target.key} is held by {request.app}'s rival", code="read_only"
        )


async def test_another_arbiter_can_refuse_and_say_who_holds_the_resource(
    benches: Any, set_gain: Any, guarded: Any
) -> None:
    bench = benches(guarded(Accept()), arbiter=Closed())
    async with bench.controller:
        outcome = await set_gain(bench.controller, 20, app="Guarded")

    assert outcome.reason == "(8, 'booster_gain_db') is held by Guarded's rival"
