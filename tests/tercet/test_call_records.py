"""What observers are told of each call."""

import anyio
import pytest
from sample_plant import Gain, Plant

from tercet import (
    CallContext,
    ErrorCode,
    Tool,
    ToolErrorResponse,
    ToolRegistry,
    tool,
)
from tercet.testing import RecordingObserver

pytestmark = pytest.mark.anyio


async def test_a_withdrawn_call_is_cancelled_and_recorded(observer: RecordingObserver) -> None:
    started = anyio.Event()

    @tool(app="a", kind="b", effect="read")
    async def wait() -> int:
        """Wait for ever."""
        started.set()
        await anyio.sleep_forever()
        return 1

    registry = ToolRegistry([wait], observers=[observer])
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(registry.call_tool, "wait", {})
        await started.wait()
        tasks.cancel_scope.cancel()
    assert [record.outcome for record in observer.records] == ["CANCELLED"]


async def test_every_call_is_recorded_also_the_refused_ones(
    registry: ToolRegistry, observer: RecordingObserver
) -> None:
    caller = CallContext(tenant="t", subject="s", request_id="r")
    await registry.call_tool("square_root", {"x": 4}, caller)
    await registry.call_tool("square_root", {"x": "4"}, caller)
    await registry.call_tool("no_such_tool", {"password": "x"}, caller)
    assert [(r.tool, r.outcome, dict(r.arguments)) for r in observer.records] == [
        ("square_root", "success", {"x": 4}),
        ("square_root", "INVALID_INPUT", {"x": "4"}),
        ("no_such_tool", "NOT_FOUND", {}),
    ]
    assert {(r.tenant, r.subject, r.request_id) for r in observer.records} == {("t", "s", "r")}
    assert observer.records[0].error_code is None
    assert observer.records[1].error_code is ErrorCode.INVALID_INPUT


async def test_secret_arguments_are_never_recorded(observer: RecordingObserver) -> None:
    async def log_in(_: CallContext, __: dict[str, object]) -> bool:
        return True

    secret = {"type": "string", "secret": True, "maxLength": 30}
    login = Tool.from_schema(
        name="log_in",
        description="Log in.",
        input_schema={
            "type": "object",
            "properties": {
                "user": {"type": "string"},
                "password": secret,
                "proxy": {"type": "object", "properties": {"token": secret}},
            },
        },
        output_schema={"type": "boolean"},
        function=log_in,
        app="a",
        kind="b",
        effect="read",
    )
    registry = ToolRegistry([login], observers=[observer])
    arguments = {"user": "u", "password": "p4ss", "proxy": {"token": "t0ken"}}
    await registry.call_tool("log_in", arguments)
    assert observer.records[0].arguments == {
        "user": "u",
        "password": "(secret)",
        "proxy": {"token": "(secret)"},
    }
    answer = await registry.call_tool("log_in", {"password": "p4ss" * 10})
    assert isinstance(answer, ToolErrorResponse)
    assert "p4ss" not in answer.to_json()


async def test_a_failing_observer_does_not_make_a_done_thing_look_undone(
    registry: ToolRegistry,
    plant: Plant,
    observer: RecordingObserver,
    caplog: pytest.LogCaptureFixture,
) -> None:
    observer.error = OSError("disk full")
    assert not (await registry.call_tool("set_gain", {"node": "a"})).is_error
    assert plant.gains == [Gain(node="a", gain_db=10.0)]
    assert "disk full" in caplog.text
