"""What an app may do wrong without harm to its loop, its neighbours or its record."""

from functools import partial
from typing import Any

import anyio
import pytest

from netctl import (
    Controller,
    DeclarationError,
    InvalidArgumentsError,
    NetworkApp,
    Outcome,
    Saved,
    StoreError,
    agent_controlled,
    aic_app,
)
from netctl.stores import SqliteStore

pytestmark = pytest.mark.anyio

GAIN = ("SET_GAIN", {"node_id": 8, "value": {"target_gain": 3.0}})


class Wordless(Exception):  # noqa: N818 -- an app's own
    def __str__(self) -> str:
        raise RuntimeError("no words")


async def test_a_crash_without_words_is_contained(benches: Any, ticking: Any) -> None:
    bench, app = ticking(benches)
    app.fault = Wordless()
    async with bench.controller:
        await bench.controller.set_state("Ticker", "running")
        await bench.clock.settle()
        app.fault = None
        await bench.clock.advance(2.0)

        status = bench.controller.status("Ticker")
        assert (status.cycles, status.crashes) == (2, 1)
        assert status.last_crash == "Wordless: an error without words"


async def test_the_words_of_a_crash_are_bounded(benches: Any, ticking: Any) -> None:
    bench, app = ticking(benches)
    app.fault = RuntimeError("x" * 10_000)
    async with bench.controller:
        await bench.controller.set_state("Ticker", "running")
        await bench.clock.settle()

        assert len(bench.controller.status("Ticker").last_crash or "") < 1_000


async def test_an_app_that_answers_each_outcome_with_a_command_still_does_other_things(
    benches: Any, ticking: Any
) -> None:
    bench, app = ticking(benches)
    outcomes: list[Outcome] = []

    def again(outcome: Outcome) -> None:
        outcomes.append(outcome)
        if len(outcomes) < 100:
            app.add_command(GAIN)

    app.on_outcome = again
    app.queue = [GAIN]
    async with bench.controller:
        await bench.controller.set_state("Ticker", "running")
        while not outcomes:
            await anyio.lowlevel.checkpoint()
        await bench.controller.call_operation("Ticker", "rest", {})

        assert len(outcomes) < 10


def test_a_period_too_short_to_be_kept_is_an_error_at_import() -> None:
    with pytest.raises(DeclarationError, match=r"control_loop_update_time is 1e-320") as caught:

        @aic_app(name="Hasty")
        class Hasty(NetworkApp):
            aic_app_id = 1
            control_loop_update_time = 1e-320

    assert "0.001" in (caught.value.hint or "")


@aic_app(name="Teller")
class Teller(NetworkApp):
    aic_app_id = 5

    def __init__(self) -> None:
        self.table: dict[Any, Any] = {8: [1.0], "pair": (1, 2)}

    @agent_controlled(name="tell", description="Tell the table", schema={"properties": {"a": {}}})
    def tell(self, arguments: Any, measurements: Any) -> Any:
        del arguments, measurements
        return self.table


async def test_an_operations_answer_is_json_that_the_app_no_longer_changes(benches: Any) -> None:
    app = Teller()
    bench = benches(app)
    async with bench.controller:
        await bench.controller.set_state("Teller", "running")
        reply = await bench.controller.call_operation("Teller", "tell", {})
        app.table[8].append(2.0)

    assert reply.result == {"8": [1.0], "pair": [1, 2]}


async def test_arguments_too_deep_for_an_operation_are_refused(benches: Any) -> None:
    bench, deep = benches(Teller()), list[Any]()
    for _ in range(100_000):
        deep = [deep]
    async with bench.controller:
        await bench.controller.set_state("Teller", "running")
        with pytest.raises(InvalidArgumentsError, match="not nested too deep"):
            await bench.controller.call_operation("Teller", "tell", {"a": deep})


@pytest.mark.parametrize("timeout_s", [float("nan"), 0.0, -1.0, True, "5"])
async def test_a_timeout_that_is_no_time_is_refused(benches: Any, timeout_s: Any) -> None:
    bench = benches(Teller())
    async with bench.controller:
        await bench.controller.set_state("Teller", "running")
        with pytest.raises(InvalidArgumentsError, match="/timeout_s"):
            await bench.controller.call_operation("Teller", "tell", {}, timeout_s=timeout_s)


# --- states on record ------------------------------------------------------------------------


async def test_entered_again_an_app_goes_on_in_its_last_state_not_in_the_first(
    benches: Any, ticking: Any, tmp_path: Any
) -> None:
    store = SqliteStore(tmp_path / "net.db")
    before, _ = ticking(benches, store=store)
    async with before.controller:
        await before.controller.set_state("Ticker", "running")

    bench, app = ticking(benches, store=store, restore_states=True)
    async with bench.controller:
        await bench.clock.settle()
        assert app.cycles == [0.0]
        await bench.controller.set_state("Ticker", "stopped")
    async with bench.controller:
        await bench.clock.advance(10.0)
        assert bench.controller.status("Ticker").state == "stopped"
        assert app.cycles == [0.0]
    await store.aclose()


def states_on_record(controller: Controller) -> list[Any]:
    return [
        entry.to_dict()["facts"]["state"]
        for entry in controller.audit.entries
        if entry.kind == "state"
    ]


async def test_a_stop_whose_caller_leaves_is_on_record(benches: Any, ticking: Any) -> None:
    bench, app = ticking(benches)
    app.gate = anyio.Event()
    async with bench.controller:
        await bench.controller.set_state("Ticker", "running")
        await bench.clock.settle()
        with anyio.CancelScope() as caller:
            caller.cancel()
            await bench.controller.set_state("Ticker", "stopped")

        assert bench.controller.status("Ticker").state == "stopped"
        assert states_on_record(bench.controller) == ["running", "stopped"]


class FullStore:
    """A store that has no room any more once it is full."""

    def __init__(self) -> None:
        self.full = False

    async def load(self) -> Any:
        return Saved()

    async def save(self, batch: Any) -> None:
        del batch
        if self.full:
            raise StoreError("the disk is full", hint="make room")


async def test_an_app_stops_even_if_that_cannot_be_written_down_and_does_not_start(
    benches: Any, ticking: Any
) -> None:
    store = FullStore()
    bench, _ = ticking(benches, store=store)
    async with bench.controller:
        await bench.controller.set_state("Ticker", "running")
        store.full = True
        with pytest.raises(StoreError):
            await bench.controller.set_state("Ticker", "stopped")
        assert bench.controller.status("Ticker").state == "stopped"

        with pytest.raises(StoreError):
            await bench.controller.set_state("Ticker", "running")
        assert bench.controller.status("Ticker").state == "stopped"


class SlowStore(FullStore):
    """A store that saves when the test lets it."""

    def __init__(self) -> None:
        super().__init__()
        self.gates: list[anyio.Event] = []

    async def save(self, batch: Any) -> None:
        if batch.read_only is not None or batch.states:
            self.gates.append(anyio.Event())
            await self.gates[-1].wait()


async def test_a_kill_switch_set_while_another_releases_it_stays_set(
    benches: Any, ticking: Any
) -> None:
    store = SlowStore()
    bench, _ = ticking(benches, store=store)
    async with bench.controller, anyio.create_task_group() as group:
        group.start_soon(partial(bench.controller.set_read_only, on=False))
        await bench.clock.settle()
        group.start_soon(partial(bench.controller.set_read_only, on=True))
        await bench.clock.settle()
        store.gates[0].set()
        await bench.clock.settle()
        assert bench.controller.read_only

        store.gates[1].set()
        await bench.clock.settle()
        assert bench.controller.read_only


async def test_an_app_halted_while_it_is_being_started_stays_halted(
    benches: Any, ticking: Any
) -> None:
    store = SlowStore()
    bench, app = ticking(benches, store=store)
    replies: dict[str, Any] = {}

    async def set_state(state: str) -> None:
        replies[state] = await bench.controller.set_state("Ticker", state)

    async with bench.controller, anyio.create_task_group() as group:
        group.start_soon(set_state, "running")
        await bench.clock.settle()
        group.start_soon(set_state, "stopped")
        await bench.clock.settle()
        store.gates[0].set()
        await bench.clock.settle()
        store.gates[1].set()
        await bench.clock.settle()

        assert bench.controller.status("Ticker").state == "stopped"
        assert states_on_record(bench.controller) == ["running", "stopped"]
    # What is answered is true of the app when it is said.
    assert {reply["state"] for reply in replies.values()} == {"stopped"}
    assert app.cycles == []
