"""Nodes that measure and take commands: what they say is what is told of them."""

from typing import Any

import anyio
import pytest

from netctl import Acknowledgement

pytestmark = pytest.mark.anyio


async def test_a_node_measures_on_its_own_and_its_samples_arrive(entered: Any) -> None:
    async with entered(3) as bench:
        bench.nodes[3].gain_db = 12.0
        await bench.clock.advance(1.0)

        last = bench.controller.last(3, "gain_db")
        assert (last.value, last.sequence, last.quality) == (12.0, 2, "good")
        assert bench.controller.last(30, "gain_db").quality == "no_data"


async def test_a_command_is_acknowledged_and_read_back(entered: Any) -> None:
    async with entered(3, 30) as bench:
        outcome = await bench.set_gain(15.0)

    assert (outcome.status, outcome.before, outcome.read_back) == ("verified", 10.0, 15.0)


async def test_a_command_reaches_its_node_and_no_other(entered: Any) -> None:
    async with entered(3, 30) as bench:
        await bench.set_gain(15.0, 3)
        await bench.set_gain(16.0, 30)

        assert (bench.nodes[3].commands, bench.nodes[30].commands) == ([15.0], [16.0])


@pytest.mark.parametrize(
    ("answer", "code", "words"),
    [
        (False, "refused_by_node", "no reason given"),
        ((False, "too hot"), "refused_by_node", "too hot"),
        (Acknowledgement(accepted=False, message="locked"), "refused_by_node", "locked"),
        (None, "node_unavailable", "answered a command with None"),
        ("yes", "node_unavailable", "answered a command with 'yes'"),
        (1, "node_unavailable", "did not confirm"),
    ],
)
async def test_only_a_clear_yes_is_one(answer: Any, code: str, words: str, entered: Any) -> None:
    async with entered(3) as bench:
        bench.nodes[3].answer = answer
        outcome = await bench.set_gain(15.0)

    assert (outcome.status, outcome.code) == ("failed", code)
    assert words in (outcome.reason or "")


@pytest.mark.parametrize("answer", [True, (True, None), Acknowledgement(accepted=True)])
async def test_every_clear_yes_is_one(answer: Any, entered: Any) -> None:
    async with entered(3) as bench:
        bench.nodes[3].answer = answer
        assert (await bench.set_gain(15.0)).status == "verified"


async def test_what_a_node_raises_is_counted_and_it_goes_on(logs: Any, entered: Any) -> None:
    async with entered(3) as bench:
        node = bench.nodes[3]
        node.fault = RuntimeError("a bug")
        unread = await bench.set_gain(15.0)
        await bench.clock.advance(1.0)
        crashes = node.crashes
        node.fault = None
        assert (await bench.set_gain(15.0)).status == "verified"

    assert (unread.code, crashes) == ("node_unavailable", 2)
    assert "RuntimeError: a bug" in (unread.reason or "")
    assert "node crashed" in [log["event"] for log in logs]


async def test_a_node_whose_setup_fails_is_a_node_nevertheless(logs: Any, node_bench: Any) -> None:
    async with anyio.create_task_group() as group:
        bench = node_bench(group)
        bench.nodes[3].fault = RuntimeError("no")
        async with bench.controller:
            bench.start(3)
            await bench.clock.settle()
            bench.nodes[3].fault = None
            assert (await bench.set_gain(15.0)).status == "verified"
        group.cancel_scope.cancel()

    assert {log["what"] for log in logs if log["event"] == "node crashed"} == {
        "setup",
        "poll_measurements",
    }


async def test_a_node_with_nothing_to_tell_is_read_in_vain(node_bench: Any, amplifier: Any) -> None:
    class Mute(amplifier):
        def poll_measurements(self) -> Any:
            return None

    async with anyio.create_task_group() as group:
        bench = node_bench(group)
        bench.nodes[3] = Mute(3, bench.clock)
        async with bench.controller:
            bench.start(3)
            await bench.clock.settle()
            outcome = await bench.set_gain(15.0)
            assert outcome.code == "node_unavailable"
            assert "node 3 measured None" in (outcome.reason or "")
        group.cancel_scope.cancel()
