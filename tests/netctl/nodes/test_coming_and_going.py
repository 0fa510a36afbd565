"""Nodes that register, fall silent, die and come again, and apps that are told."""

from typing import Any

import anyio
import pytest

from netctl.nodes import NodeGoneError

pytestmark = pytest.mark.anyio


async def test_a_node_that_is_not_there_fails_fast_and_nothing_waits(entered: Any) -> None:
    async with entered() as bench:
        outcome = await bench.set_gain(15.0)

    assert (outcome.status, outcome.code) == ("failed", "node_unavailable")
    assert "not registered" in (outcome.reason or "")


async def test_a_silent_node_is_dead_within_its_heartbeat_and_the_app_is_told(entered: Any) -> None:
    async with entered() as bench:
        with bench.controller.events.listen() as listener:
            link = bench.hub.register(3, measurements=["gain_db"], heartbeat_s=3.0)
            await bench.clock.advance(2.9)
            assert bench.hub.node_ids == (3,)
            link.beat()
            await bench.clock.advance(2.9)
            assert bench.hub.node_ids == (3,)

            await bench.clock.advance(0.2)

            assert bench.hub.node_ids == ()
            assert bench.app.told == [(3, True), (3, False)]
            told = [(await listener.next()).to_dict() for _ in range(2)]
        assert [(event["type"], event["available"]) for event in told] == [
            ("node", True),
            ("node", False),
        ]
        with pytest.raises(NodeGoneError, match="has ended"):
            link.beat()
        with pytest.raises(NodeGoneError):
            link.push({"gain_db": 1.0})
        with pytest.raises(NodeGoneError):
            await link.next_request()


async def test_what_is_asked_of_a_node_that_dies_ends_at_once(entered: Any) -> None:
    async with entered() as bench:
        link = bench.hub.register(
            3, measurements=["gain_db"], controls=["gain_db"], heartbeat_s=1.0
        )
        outcomes: list[Any] = []

        async def send() -> None:
            outcomes.append(await bench.set_gain(15.0))

        async with anyio.create_task_group() as group:
            group.start_soon(send)
            await bench.clock.settle()
            assert outcomes == []
            # Well before the driver's timeout of five seconds.
            await bench.clock.advance(1.0)
        assert link.closed

    assert outcomes[0].code == "node_unavailable"
    assert "was silent for its heartbeat" in outcomes[0].reason


async def test_a_node_that_leaves_in_the_middle_of_a_command_leaves_its_end_unknown(
    entered: Any,
) -> None:
    async with entered(3) as bench:
        bench.nodes[3].gate = anyio.Event()
        outcomes: list[Any] = []

        async def send() -> None:
            outcomes.append(await bench.set_gain(15.0))

        async with anyio.create_task_group() as group:
            group.start_soon(send)
            await bench.clock.settle()
            assert bench.nodes[3].commands == [15.0]
            bench.lives[3].cancel()

    assert (outcomes[0].status, outcomes[0].code) == ("failed", "outcome_unknown")


async def test_a_node_restarts_at_once_and_registers_again(entered: Any) -> None:
    async with entered(3) as bench:
        bench.lives[3].cancel()
        await bench.clock.settle()
        assert (await bench.set_gain(15.0)).code == "node_unavailable"
        bench.renew(3)
        bench.start(3)
        await bench.clock.settle()
        assert (await bench.set_gain(15.0)).status == "verified"

        assert bench.app.told == [(3, True), (3, False), (3, True)]


async def test_a_node_that_was_held_up_for_too_long_registers_again_by_itself(entered: Any) -> None:
    async with entered(3) as bench:
        link = bench.hub._links[3]
        bench.hub._end(link, "was silent for its heartbeat")
        await bench.clock.advance(1.0)

        assert bench.hub.node_ids == (3,)
        assert bench.nodes[3].setups == 2
        assert (await bench.set_gain(15.0)).status == "verified"


async def test_a_second_node_of_one_id_takes_the_place_of_the_first_which_ends(
    logs: Any, entered: Any
) -> None:
    async with entered(3) as bench:
        first = bench.nodes[3]
        bench.renew(3)
        bench.start(3)
        await bench.clock.advance(5.0)
        await bench.set_gain(15.0)

        assert (first.commands, bench.nodes[3].commands) == ([], [15.0])
        assert bench.nodes[3].setups == 1
    assert [log["event"] for log in logs].count("node replaced") == 1


async def test_a_crash_on_hearing_of_a_node_is_contained(logs: Any, entered: Any) -> None:
    async with entered(30) as bench:
        assert bench.controller.status("Watcher").crashes == 1
        await bench.clock.advance(10.0)
        assert bench.controller.status("Watcher").cycles == 2
    assert "app crashed" in [log["event"] for log in logs]


async def test_an_app_that_did_not_run_hears_how_it_is_now(node_bench: Any) -> None:
    async with anyio.create_task_group() as group:
        bench = node_bench(group)
        async with bench.controller:
            bench.start(3)
            await bench.clock.settle()
            bench.lives[3].cancel()
            await bench.clock.settle()
            assert bench.app.told == []
            await bench.controller.set_state("Watcher", "running")
            await bench.clock.settle()
            assert bench.app.told == [(3, False)]
        group.cancel_scope.cancel()
