"""What happens, as it happens: every listener hears it, a slow one what it lost, nobody waits."""

from typing import Any

import anyio
import pytest

from netctl import Accept, EventListener, Sample
from netctl.policies import NeedApproval

pytestmark = pytest.mark.anyio


async def heard(listener: EventListener, kind: str) -> dict[str, Any]:
    """The next event of a kind."""
    while True:
        event = await listener.next()
        if event.kind == kind:
            return event.to_dict()


async def test_samples_states_outcomes_the_switch_and_apps_are_told(
    bench: Any, set_gain: Any, ticker: Any
) -> None:
    controller = bench.controller
    with controller.events.listen() as listener:
        controller.record_many([Sample(8, {"booster_gain_db": 12.5})])
        await controller.set_state("NetworkApp1", "paused", subject="alice")
        await set_gain(controller, 13.0)
        await set_gain(controller, 99.0)
        await controller.set_read_only(True, subject="bob")
        controller.add(ticker())

        sample = await heard(listener, "measurement")
        assert (sample["node_id"], sample["values"]) == (8, {"booster_gain_db": 12.5})
        state = await heard(listener, "state")
        assert state == {
            "type": "state",
            "timestamp_s": bench.clock.now(),
            "app": "NetworkApp1",
            "state": "paused",
            "subject": "alice",
        }
        assert (await heard(listener, "command"))["status"] == "verified"
        assert (await heard(listener, "command"))["status"] == "rejected"
        assert (await heard(listener, "read_only"))["on"] is True
        assert (await heard(listener, "app")) == {
            "type": "app",
            "timestamp_s": bench.clock.now(),
            "app": "Ticker",
            "event": "added",
        }


async def test_that_a_change_waits_for_approval_is_told(
    benches: Any, set_gain: Any, guarded: Any
) -> None:
    bench = benches(guarded(Accept()), policies=[NeedApproval(above=1.0)])
    async with bench.controller as controller:
        with controller.events.listen() as listener:
            await set_gain(controller, 15.0, app="Guarded")
            told = await heard(listener, "command")

    assert (told["status"], told["change_id"]) == ("pending_approval", 1)


async def test_a_slow_listener_is_told_how_much_it_lost_and_hears_the_newest(bench: Any) -> None:
    controller = bench.controller
    with controller.events.listen(most=3) as slow, controller.events.listen() as quick:
        for number in range(10):
            controller.record_many([Sample(8, {"booster_gain_db": float(number)})])

        assert (await slow.next()).facts == {"count": 7}
        kept = [(await slow.next()).facts["values"]["booster_gain_db"] for _ in range(3)]
        assert kept == [7.0, 8.0, 9.0]
        assert [(await quick.next()).kind for _ in range(10)] == ["measurement"] * 10


async def test_a_listener_waits_for_news_and_is_forgotten_when_it_leaves(bench: Any) -> None:
    controller, values = bench.controller, list[float]()

    async def listen() -> None:
        with controller.events.listen() as listener:
            values.append((await listener.next()).facts["values"]["booster_gain_db"])

    async with anyio.create_task_group() as group:
        group.start_soon(listen)
        await bench.clock.settle()
        for value in (1.0, 2.0):
            controller.record_many([Sample(8, {"booster_gain_db": value})])

    assert values == [1.0]
    assert controller.events.listeners == 0
