"""Work in processes: it can be stopped, takes nothing down with it, and leaves nothing behind."""

import gc
import os
import signal
import sys
from collections.abc import AsyncGenerator, Callable
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import pytest
from anyio import to_thread
from heavy_work import (
    PickyError,
    StuckError,
    ask_to_leave,
    die_by,
    fail,
    give_function,
    ignores,
    keep_memory,
    leave_quietly,
    of_the_program_itself,
    run_for_ever,
    say,
    take_memory,
    whoami,
)

from tercet import (
    CallContext,
    ErrorDetail,
    LimitExceededError,
    ProcessWorkers,
    RejectedError,
    ToolRegistry,
    ToolTimeoutError,
    UnavailableError,
    WorkerCrashError,
    tool,
)

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(30)]

MEBIBYTE = 1024 * 1024
linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux holds memory limits")


@pytest.fixture
async def workers() -> AsyncGenerator[ProcessWorkers]:
    async with ProcessWorkers(1, memory_bytes=64 * MEBIBYTE) as made:
        yield made


@pytest.fixture
def pipe(tmp_path: Path) -> Path:
    """A named pipe, by which work says that it has begun."""
    made = tmp_path / "pipe"
    os.mkfifo(made)
    return made


async def begun(pipe: Path) -> int:
    """Wait until work has begun, and give the number of its process."""
    return int(await to_thread.run_sync(partial(pipe.read_text, encoding="ascii")))


def is_there(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def cancelled_once(
    ready: Callable[[], Any], workers: ProcessWorkers, work: Callable[[], Any]
) -> None:
    """Cancel a call as soon as something has happened."""
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(workers, work)
        await ready()
        tasks.cancel_scope.cancel()


async def test_work_is_done_by_another_process_and_the_next_work_by_the_same(
    workers: ProcessWorkers,
) -> None:
    assert workers.pids == []
    first = await workers(whoami)
    assert first != os.getpid()
    assert workers.pids == [first]
    assert await workers(whoami) == first


async def test_when_the_workers_are_closed_no_process_is_left() -> None:
    async with ProcessWorkers(2) as workers:
        pid = await workers(whoami)
        assert is_there(pid)
    assert not is_there(pid)
    assert workers.pids == []


async def test_cancelling_a_call_ends_the_process_that_computes_it(
    workers: ProcessWorkers, pipe: Path
) -> None:
    computing: list[int] = []

    async def ready() -> None:
        computing.append(await begun(pipe))

    await cancelled_once(ready, workers, partial(run_for_ever, str(pipe)))
    assert not is_there(computing[0])
    assert workers.pids == []
    assert await workers(whoami) != computing[0]


async def test_no_view_of_a_buffer_is_alive_while_a_call_is_computed(
    workers: ProcessWorkers, pipe: Path
) -> None:
    # One in a cycle crashes CPython when that is collected.
    views: list[Any] = []

    async def ready() -> None:
        await begun(pipe)
        views.extend(kept for kept in gc.get_objects() if isinstance(kept, memoryview))

    await cancelled_once(ready, workers, partial(run_for_ever, str(pipe)))
    assert not [view for view in views if type(view.obj).__name__ == "_BytesIOBuffer"]


async def test_a_call_that_is_cancelled_while_its_process_starts_leaves_none(
    workers: ProcessWorkers,
) -> None:
    starting: list[int] = []

    async def ready() -> None:
        while not workers.pids:
            await anyio.lowlevel.checkpoint()
        starting.extend(workers.pids)

    await cancelled_once(ready, workers, whoami)
    assert not is_there(starting[0])
    assert workers.pids == []


async def test_further_calls_wait_their_turn_and_a_call_that_waits_can_be_cancelled(
    workers: ProcessWorkers, pipe: Path
) -> None:
    answers: list[int] = []

    async def ask() -> None:
        answers.append(await workers(whoami))

    async with anyio.create_task_group() as asking, anyio.create_task_group() as hanging:
        hanging.start_soon(workers, partial(run_for_ever, str(pipe)))
        computing = await begun(pipe)
        async with anyio.create_task_group() as impatient:
            impatient.start_soon(ask)
            while not workers.waiting:
                await anyio.lowlevel.checkpoint()
            impatient.cancel_scope.cancel()
        asking.start_soon(ask)
        while not workers.waiting:
            await anyio.lowlevel.checkpoint()
        assert (workers.computing, workers.pids) == (1, [computing])
        hanging.cancel_scope.cancel()
    assert len(answers) == 1
    assert workers.computing == workers.waiting == 0


async def test_past_its_deadline_a_computation_is_stopped(pipe: Path) -> None:
    computing = 0
    async with ProcessWorkers(1, deadline_s=1.5) as workers:
        # The start of a process is none of what the test is about.
        await workers(whoami)
        async with anyio.create_task_group() as tasks:

            async def ask() -> None:
                with pytest.raises(ToolTimeoutError, match=r"longer than 1\.5 s") as caught:
                    await workers(partial(run_for_ever, str(pipe)))
                assert caught.value.hint

            tasks.start_soon(ask)
            computing = await begun(pipe)
        assert not is_there(computing)


@linux
async def test_too_much_memory_is_a_refusal_and_the_next_call_is_answered(
    workers: ProcessWorkers,
) -> None:
    assert await workers(partial(take_memory, 32 * MEBIBYTE)) == 32 * MEBIBYTE
    with pytest.raises(LimitExceededError, match="67108864 bytes") as caught:
        await workers(partial(take_memory, 128 * MEBIBYTE))
    assert "ask for less" in str(caught.value.hint)
    assert await workers(partial(take_memory, 32 * MEBIBYTE)) == 32 * MEBIBYTE


@linux
async def test_too_large_an_argument_is_a_refusal_too(workers: ProcessWorkers) -> None:
    assert await workers(partial(len, bytes(8))) == 8
    with pytest.raises(LimitExceededError):
        await workers(partial(len, bytes(128 * MEBIBYTE)))
    assert await workers(partial(len, bytes(8))) == 8


@linux
async def test_a_worker_that_keeps_too_much_is_replaced(workers: ProcessWorkers) -> None:
    first = await workers(partial(keep_memory, 20 * MEBIBYTE))
    assert await workers(partial(keep_memory, 20 * MEBIBYTE)) == first
    # Whoever comes next finds all the memory that there is for a call.
    assert workers.pids == []
    assert await workers(partial(take_memory, 60 * MEBIBYTE)) == 60 * MEBIBYTE


async def test_a_worker_that_is_killed_is_one_failed_call(pipe: Path) -> None:
    other = 0
    async with ProcessWorkers(2) as workers:
        async with anyio.create_task_group() as tasks:

            async def ask() -> None:
                with pytest.raises(UnavailableError, match="killed from outside") as caught:
                    await workers(partial(run_for_ever, str(pipe)))
                assert "try again" in str(caught.value.hint)

            tasks.start_soon(ask)
            computing = await begun(pipe)
            other = await workers(whoami)
            os.kill(computing, signal.SIGKILL)
        assert await workers(whoami) == other
        assert workers.pids == [other]


async def test_a_worker_that_was_killed_while_nobody_needed_it_is_no_failure(
    workers: ProcessWorkers,
) -> None:
    first = await workers(whoami)
    os.kill(first, signal.SIGKILL)
    assert await workers(whoami) != first


@pytest.mark.parametrize(
    ("work", "cause"),
    [
        (partial(die_by, signal.SIGSEGV), "SIGSEGV"),
        (partial(die_by, signal.SIGABRT), "SIGABRT"),
        (leave_quietly, "exit code 0"),
    ],
    ids=["SIGSEGV", "SIGABRT", "exit"],
)
async def test_a_crash_is_a_defect_of_one_call(
    workers: ProcessWorkers, work: Callable[[], Any], cause: str
) -> None:
    with pytest.raises(WorkerCrashError, match=cause):
        await workers(work)
    assert await workers(whoami)


async def test_an_error_comes_back_as_it_was_raised_with_the_trace_as_a_note(
    workers: ProcessWorkers,
) -> None:
    with pytest.raises(PickyError, match=r"no \(column 7\)") as caught:
        await workers(partial(fail, PickyError, "no", column=7))
    assert caught.value.column == 7
    assert "raise kind(*arguments, **named)" in caught.value.__notes__[0]

    detail = ErrorDetail(pointer="/x", expected="less", got=5)
    with pytest.raises(RejectedError, match="too much") as refused:
        await workers(partial(fail, RejectedError, "too much", hint="take 4", details=[detail]))
    assert (refused.value.hint, refused.value.details) == ("take 4", (detail,))


async def test_an_error_that_cannot_be_moved_is_told_in_its_words(workers: ProcessWorkers) -> None:
    with pytest.raises(RuntimeError, match="StuckError: stuck"):
        await workers(partial(fail, StuckError, "stuck"))
    with pytest.raises(RuntimeError, match="SystemExit: 3"):
        await workers(ask_to_leave)
    with pytest.raises(AttributeError, match="pickle"):
        await workers(give_function)
    assert len(workers.pids) == 1


async def test_what_cannot_be_moved_is_told_before_a_process_is_started(
    workers: ProcessWorkers,
) -> None:
    with pytest.raises(TypeError, match="use a function of a module"):
        await workers(lambda: 0)
    assert workers.pids == []


async def test_what_the_program_defines_itself_is_not_found_and_the_error_says_so(
    workers: ProcessWorkers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("__main__.of_the_program_itself", of_the_program_itself, raising=False)
    with pytest.raises(TypeError, match="none of the program that is run itself"):
        await workers(of_the_program_itself)


async def test_what_is_printed_disturbs_nothing(
    workers: ProcessWorkers, capfd: pytest.CaptureFixture[str]
) -> None:
    assert await workers(partial(say, "hello")) == ""
    assert await workers(partial(say, "hello")) == ""
    assert capfd.readouterr().out == ""


async def test_signals_to_the_whole_group_are_left_to_the_service(workers: ProcessWorkers) -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        assert await workers(partial(ignores, number))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL], ids=["SIGTERM", "SIGKILL"])
async def test_a_worker_ends_with_its_service_however_that_ends(
    pipe: Path, number: signal.Signals
) -> None:
    program = (
        f"import sys; sys.path[:] = {sys.path!r}\n"
        "import anyio\n"
        "from functools import partial\n"
        "from heavy_work import run_for_ever\n"
        "from tercet import ProcessWorkers\n"
        "async def main():\n"
        "    async with ProcessWorkers(1) as workers:\n"
        f"        await workers(partial(run_for_ever, {str(pipe)!r}))\n"
        "anyio.run(main)\n"
    )
    async with await anyio.open_process([sys.executable, "-c", program], stdin=None) as service:
        assert await begun(pipe) != service.pid
        service.send_signal(number)
        # Both hold this pipe, so that it ends when both have ended.
        assert service.stderr
        with pytest.raises(anyio.EndOfStream):
            await service.stderr.receive()


async def test_closing_ends_also_those_that_compute(pipe: Path) -> None:
    computing = 0
    async with anyio.create_task_group() as tasks, ProcessWorkers(1) as workers:

        async def ask() -> None:
            with pytest.raises(UnavailableError):
                await workers(partial(run_for_ever, str(pipe)))

        tasks.start_soon(ask)
        computing = await begun(pipe)
    assert not is_there(computing)


async def test_workers_that_are_not_running_say_so() -> None:
    with pytest.raises(UnavailableError, match="not running"):
        await ProcessWorkers()(whoami)
    with pytest.raises(ValueError, match="at least"):
        ProcessWorkers(0)


@tool(app="maths", kind="maths", effect="read")
async def hang(context: CallContext, pipe: str) -> int:
    """Compute for ever."""
    return await context.compute(run_for_ever, pipe)


@tool(app="maths", kind="maths", effect="read")
async def crash(context: CallContext) -> None:
    """Crash."""
    await context.compute(die_by, int(signal.SIGSEGV))


async def test_a_tool_is_stopped_by_the_deadline_of_its_call(
    workers: ProcessWorkers, pipe: Path
) -> None:
    registry, computing = ToolRegistry([hang], runner=workers), 0
    await workers(whoami)
    async with anyio.create_task_group() as tasks:

        async def ask() -> None:
            answer = await registry.call_tool(
                "hang", {"pipe": str(pipe)}, CallContext().within(1.5)
            )
            assert answer.status == "error"
            assert answer.error_code == "TIMEOUT"

        tasks.start_soon(ask)
        computing = await begun(pipe)
    assert not is_there(computing)


async def test_a_tool_that_crashes_its_worker_answers_by_an_id_and_no_more(
    workers: ProcessWorkers, caplog: pytest.LogCaptureFixture
) -> None:
    answer = await ToolRegistry([crash], runner=workers).call_tool("crash")
    assert answer.status == "error"
    assert answer.error_code == "INTERNAL_ERROR"
    assert "SIGSEGV" not in answer.message
    assert "SIGSEGV" in caplog.text
