"""In-loop operations: live readings, prompt, and never executed once given up."""

from typing import Any

import anyio
import pytest

from netctl import (
    AppNotRunningError,
    InvalidArgumentsError,
    NetworkApp,
    NoDataError,
    OperationFailedError,
    OperationTimeoutError,
    QueueFullError,
    Setting,
    UnknownNameError,
    agent_controlled,
    aic_app,
)

pytestmark = pytest.mark.anyio


@aic_app(name="SmartApp")
class SmartApp(NetworkApp):
    aic_app_id = 4
    control_loop_update_time = 2.0
    read_measurements = dict.fromkeys((8,), ("booster_gain_db", "output_power_dbm"))
    control_functions = dict.fromkeys((8,), ("SET_GAIN",))

    def __init__(self) -> None:
        self.gate = anyio.Event()
        self.began: list[str] = []
        self.done: list[str] = []

    @agent_controlled(
        name="optimize_gain",
        description="Raise or lower a gain",
        schema={
            "properties": {
                "node_id": {"type": "integer", "enum": [8]},
                "strategy": {"type": "string", "enum": ["max_snr", "min_power"]},
            },
            "required": ["node_id", "strategy"],
        },
    )
    async def optimize_gain(self, arguments: Any, measurements: Any) -> dict[str, Any]:
        previous = measurements.require(8, "booster_gain_db")
        step = 2.0 if arguments["strategy"] == "max_snr" else -2.0
        outcome = await self.send_command(
            "SET_GAIN", {"node_id": arguments["node_id"], "target_gain": previous + step}
        )
        return {"status": outcome.status, "previous_gain": previous, "new_gain": outcome.after}

    @agent_controlled(name="wait", description="Wait for the gate, then act")
    async def wait(self, arguments: Any, measurements: Any) -> str:
        del arguments, measurements
        self.began.append("wait")
        await self.gate.wait()
        self.done.append("wait")
        return "done"

    @agent_controlled(
        name="answer", description="Answer so", schema={"properties": {"how": {"type": "string"}}}
    )
    def answer(self, arguments: Any, measurements: Any) -> Any:
        del measurements
        match arguments.get("how"):
            case "crash":
                raise RuntimeError("secret")
            case "refuse":
                raise NoDataError("nothing to see", hint="look elsewhere")
            case "object":
                return object()
            case "nan":
                return {"x": float("nan")}
            case _:
                return None


@pytest.fixture
async def smart(benches: Any) -> Any:
    app = SmartApp()
    bench = benches(app)
    async with bench.controller:
        await bench.clock.settle()
        await bench.controller.set_state("SmartApp", "running")
        await bench.clock.settle()
        yield bench, app


async def test_an_operation_acts_on_live_readings_and_answers_with_its_id(smart: Any) -> None:
    bench, _ = smart

    reply = await bench.controller.call_operation(
        "SmartApp", "optimize_gain", {"node_id": 8, "strategy": "max_snr"}
    )

    assert reply.result == {"status": "verified", "previous_gain": 12.0, "new_gain": 14.0}
    assert reply.to_dict() == {"result": reply.result, "request_id": reply.request_id}
    assert bench.gain_db() == 14.0


async def test_an_operation_is_prompt_and_reads_anew(smart: Any) -> None:
    bench, _ = smart
    before = bench.clock.monotonic()
    # Changed behind the controller's back, after the last poll.
    await bench.line.apply(
        bench.line.inventory.node(8), Setting(resource="booster_gain_db", value=20.0)
    )

    reply = await bench.controller.call_operation(
        "SmartApp", "optimize_gain", {"node_id": 8, "strategy": "min_power"}
    )

    assert reply.result["previous_gain"] == 20.0
    assert bench.clock.monotonic() == before


@pytest.mark.parametrize(
    ("arguments", "pointer"),
    [
        ({"node_id": 77, "strategy": "max_snr"}, "/node_id"),
        ({"node_id": 8, "strategy": "HACK"}, "/strategy"),
        ({"node_id": 8}, "/strategy"),
        ({"node_id": 8, "strategy": "max_snr", "more": 1}, "/more"),
    ],
)
async def test_arguments_that_do_not_fit_reach_no_loop(
    smart: Any, arguments: Any, pointer: str
) -> None:
    bench, _ = smart

    with pytest.raises(InvalidArgumentsError) as caught:
        await bench.controller.call_operation("SmartApp", "optimize_gain", arguments)

    assert [violation.pointer for violation in caught.value.violations] == [pointer]
    assert bench.driver.applied == []


async def test_an_unknown_operation_is_answered_with_the_known_ones(smart: Any) -> None:
    bench, _ = smart

    with pytest.raises(UnknownNameError, match="no operation 'optimise'") as caught:
        await bench.controller.call_operation("SmartApp", "optimise", {})

    assert caught.value.hint == "it has ['optimize_gain', 'wait', 'answer']"


@pytest.mark.parametrize("state", ["stopped", "paused"])
async def test_an_app_that_does_not_run_refuses_in_the_documented_words(
    smart: Any, state: str
) -> None:
    bench, _ = smart
    await bench.controller.set_state("SmartApp", state)

    with pytest.raises(AppNotRunningError) as caught:
        await bench.controller.call_operation("SmartApp", "answer", {})

    assert str(caught.value) == (
        f"App 'SmartApp' is not running (state: {state}). Start the app first."
    )


class Call:
    """An operation under way, and how it ended."""

    def __init__(self) -> None:
        self.error: Exception | None = None
        self.reply: Any = None
        self.ended = False

    async def run(self, bench: Any, operation: str, **options: Any) -> None:
        try:
            arguments = options.pop("arguments", {})
            self.reply = await bench.controller.call_operation(
                "SmartApp", operation, arguments, **options
            )
        except Exception as error:  # noqa: BLE001 -- the test looks at it
            self.error = error
        self.ended = True


async def start(group: Any, bench: Any, operation: str, **options: Any) -> Call:
    call = Call()
    group.start_soon(lambda: call.run(bench, operation, **options))
    await bench.clock.settle()
    return call


async def test_a_queued_operation_that_timed_out_never_executes(smart: Any) -> None:
    bench, app = smart
    async with anyio.create_task_group() as group:
        first = await start(group, bench, "wait", timeout_s=100.0)
        second = await start(group, bench, "wait")

        await bench.clock.advance(10.9)
        assert not second.ended
        await bench.clock.advance(0.1)

        assert isinstance(second.error, OperationTimeoutError)
        text = str(second.error)
        assert text.startswith("Timeout waiting for operation 'wait' (request_id=")
        assert text.endswith(", timeout=11s).")
        app.gate.set()
        await bench.clock.advance(30.0)
        assert first.reply.result == "done"

    assert (app.began, app.done) == (["wait"], ["wait"])


async def test_an_operation_that_timed_out_while_it_ran_stops_there(smart: Any) -> None:
    bench, app = smart
    async with anyio.create_task_group() as group:
        call = await start(group, bench, "wait", timeout_s=3.0)
        await bench.clock.advance(3.0)

        assert isinstance(call.error, OperationTimeoutError)
        app.gate.set()
        await bench.clock.advance(30.0)

    assert (app.began, app.done) == (["wait"], [])
    assert (await bench.controller.call_operation("SmartApp", "answer", {})).result is None


async def test_an_operation_whose_caller_left_never_executes(smart: Any) -> None:
    bench, app = smart
    async with anyio.create_task_group() as group:
        await start(group, bench, "wait", timeout_s=100.0)
        async with anyio.create_task_group() as impatient:
            await start(impatient, bench, "wait", timeout_s=100.0)
            impatient.cancel_scope.cancel()
        app.gate.set()
        await bench.clock.advance(30.0)

    assert app.done == ["wait"]


async def test_stopping_refuses_waiting_operations_and_stops_the_one_that_runs(
    smart: Any,
) -> None:
    bench, app = smart
    async with anyio.create_task_group() as group:
        running = await start(group, bench, "wait")
        waiting = await start(group, bench, "wait")

        await bench.controller.set_state("SmartApp", "stopped")
        await bench.clock.settle()
        app.gate.set()
        await bench.controller.set_state("SmartApp", "running")
        await bench.clock.advance(30.0)

        for call in (running, waiting):
            assert isinstance(call.error, AppNotRunningError)
            assert "(state: stopped)" in str(call.error)
    assert app.done == []


async def test_a_command_in_flight_is_completed_and_told_even_when_time_is_up(
    smart: Any,
) -> None:
    bench, _ = smart
    bench.driver.gate = anyio.Event()
    arguments = {"node_id": 8, "strategy": "max_snr"}
    async with anyio.create_task_group() as group:
        call = await start(group, bench, "optimize_gain", arguments=arguments, timeout_s=3.0)
        await bench.clock.advance(3.5)
        assert not call.ended

        bench.driver.gate.set()
        await bench.clock.settle()

        # The truth is that it was done, so that is what the caller hears.
        assert call.reply.result["status"] == "verified"
    assert bench.gain_db() == 14.0


async def test_operations_that_wait_are_bounded(smart: Any) -> None:
    bench, _ = smart
    async with anyio.create_task_group() as group:
        await start(group, bench, "wait", timeout_s=5.0)
        for _ in range(100):
            group.start_soon(lambda: Call().run(bench, "wait", timeout_s=5.0))
        await bench.clock.settle()

        with pytest.raises(QueueFullError, match="100 operations wait"):
            await bench.controller.call_operation("SmartApp", "wait", {})
        await bench.clock.advance(5.0)


@pytest.mark.parametrize("how", ["crash", "object", "nan"])
async def test_a_crashed_operation_says_so_and_the_log_says_why(
    smart: Any, how: str, logs: Any
) -> None:
    bench, _ = smart

    with pytest.raises(OperationFailedError, match="'answer' crashed") as caught:
        await bench.controller.call_operation("SmartApp", "answer", {"how": how})

    assert "secret" not in str(caught.value)
    (crash,) = logs
    assert crash["event"] == "operation crashed"
    assert crash["request_id"] == str(caught.value).split("request_id=")[1].rstrip(")")
    assert bench.controller.status("SmartApp").crashes == 0


async def test_an_operations_own_refusal_reaches_its_caller(smart: Any) -> None:
    bench, _ = smart

    with pytest.raises(NoDataError, match="nothing to see") as caught:
        await bench.controller.call_operation("SmartApp", "answer", {"how": "refuse"})

    assert caught.value.hint == "look elsewhere"


async def test_an_operation_is_not_called_on_invented_readings(smart: Any) -> None:
    bench, _ = smart
    bench.driver.read_fault = "unreachable"
    await bench.clock.advance(5.0)

    with pytest.raises(NoDataError, match=r"booster_gain_db \(stale, 5.0 s old\)"):
        await bench.controller.call_operation(
            "SmartApp", "optimize_gain", {"node_id": 8, "strategy": "max_snr"}
        )
    assert bench.driver.applied == []


async def test_leaving_the_controller_ends_operations(benches: Any) -> None:
    app = SmartApp()
    bench = benches(app)
    calls: list[Call] = []
    async with anyio.create_task_group() as group:
        async with bench.controller:
            await bench.controller.set_state("SmartApp", "running")
            await bench.clock.settle()
            calls.extend([await start(group, bench, "wait") for _ in range(2)])
        await bench.clock.settle()

    assert all(isinstance(call.error, AppNotRunningError) for call in calls)
    assert app.done == []
