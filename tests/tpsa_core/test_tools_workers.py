"""The tools where workers compute: the same answers, by portions, until nobody waits for them."""

import os
from collections.abc import AsyncGenerator, Callable
from typing import Any

import anyio
import pytest
from mcp import Client
from taylor_calls import do, make_map, no
from taylor_table import OBJECTS, ROWS, lay_out, settled

from tercet import CallContext, ObjectRegistry, ProcessWorkers, ToolRegistry, run_in_thread
from tercet.mcp import serve
from tpsa_core.tools import TAYLOR_CODECS, TaylorWork, taylor_registry

pytestmark = pytest.mark.anyio

OWNER = CallContext()
ALL_AWAY = TaylorWork(inline=0)
IN_PORTIONS = TaylorWork(inline=0, portion=50_000)
TURN = ("x1 + 0.1*x2", "x2 - 0.1*x1 - 0.1*x1^2")
CLOUD = {"kind": "gaussian", "widths": [0.1, 0.1], "count": 2_000}
# They look at what is there or put it elsewhere, and run_program computes by its steps alone.
AT_ONCE = {
    "clear_session",
    "delete_object",
    "describe_object",
    "explain_object",
    "get_mtf_coefficient",
    "initialize_algebra",
    "initialize_sandalwood",
    "list_objects",
    "read_object",
    "rename_object",
}


class Counting:
    """A runner that counts what it runs, in the processes of another."""

    def __init__(self, workers: ProcessWorkers) -> None:
        self._workers = workers
        self.calls = 0

    async def __call__(self, function: Callable[[], Any], *, tenant: str) -> Any:
        self.calls += 1
        return await self._workers(function, tenant=tenant)


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    """One event loop for the module, and with it the same workers."""
    return "asyncio"


@pytest.fixture(scope="module")
async def workers() -> AsyncGenerator[ProcessWorkers]:
    async with ProcessWorkers(1) as made:
        yield made


@pytest.fixture
def objects() -> ObjectRegistry:
    return ObjectRegistry(codecs=TAYLOR_CODECS)


@pytest.mark.parametrize("name", ROWS)
async def test_a_worker_gives_the_answer_that_the_event_loop_gives(
    objects: ObjectRegistry, workers: ProcessWorkers, name: str
) -> None:
    counting = Counting(workers)
    near = taylor_registry(objects, work=TaylorWork(inline=10**19))
    far = taylor_registry(objects, work=ALL_AWAY, runner=counting)
    # With a name for what is made, so that it is the same both times.
    named = {"name": "made"} if "name" in near.get(name).input_schema["properties"] else {}
    answers: list[Any] = []
    for registry in (near, far):
        await lay_out(objects, OWNER)
        answer = await registry.call_tool(name, {**named, **ROWS[name].works})
        answers.append((settled(answer.to_dict()), getattr(answer, "pictures", ())))
    assert answers[0][0]["status"] == "success"
    assert answers[0] == answers[1]
    assert bool(counting.calls) == (name not in AT_ONCE)


@pytest.mark.parametrize(
    ("name", "arguments", "code"),
    [
        ("parse_expression_to_mtf", {"expression": "x + log(px)"}, "COMPUTATION_ERROR"),
        ("parse_expression_to_mtf", {"expression": "2*(x + "}, "INVALID_INPUT"),
        ("parse_expression_to_mtf", {"expression": "x", "at": {"q": 1}}, "INVALID_INPUT"),
        ("create_taylor_map", {"expressions": ["x", "1/x"]}, "COMPUTATION_ERROR"),
        ("apply_function", {"function": "log", "mtf_ref": "zero"}, "COMPUTATION_ERROR"),
        ("invert_taylor_map", {"map_ref": "flat"}, "COMPUTATION_ERROR"),
        ("import_object", {"text": "{}"}, "INVALID_INPUT"),
        ("import_object", {"text": "no table"}, "INVALID_INPUT"),
        (
            "plot_phase_space",
            {"map_ref": "m", "points": [[1, 1]], "aperture": 0.5},
            "INVALID_INPUT",
        ),
    ],
)
async def test_a_refusal_of_a_worker_is_that_of_the_event_loop(
    objects: ObjectRegistry,
    workers: ProcessWorkers,
    name: str,
    arguments: dict[str, Any],
    code: str,
) -> None:
    await lay_out(objects, OWNER)
    near = taylor_registry(objects, work=TaylorWork(inline=10**19))
    far = taylor_registry(objects, work=ALL_AWAY, runner=workers)
    await do(near, "parse_expression_to_mtf", expression="x - x", name="zero")
    await do(near, "create_taylor_map", expressions=["x + px", "x + px"], name="flat")
    expected, answer = await no(near, name, **arguments), await no(far, name, **arguments)
    assert answer.error_code == code
    assert answer == expected


async def test_what_takes_a_moment_does_not_leave_the_event_loop(
    objects: ObjectRegistry, workers: ProcessWorkers
) -> None:
    counting = Counting(workers)
    registry = taylor_registry(objects, runner=counting)
    small = await make_map(registry, "x1 + sin(x2)", "x2 - x1^2", order=5)
    await do(registry, "invert_taylor_map", map_ref=small)
    assert counting.calls == 0
    large = await make_map(registry, *(f"x{i} + x1^2" for i in range(1, 7)), order=8)
    made = counting.calls
    assert made >= 1
    await do(registry, "invert_taylor_map", map_ref=large)
    assert counting.calls == made + 1


async def test_portions_add_up_to_the_whole(
    objects: ObjectRegistry, workers: ProcessWorkers
) -> None:
    whole = taylor_registry(objects, work=ALL_AWAY, runner=workers)
    parts = taylor_registry(objects, work=IN_PORTIONS, runner=workers)
    ref = await make_map(whole, *TURN, order=4, name="turn")
    assert await make_map(parts, *TURN, order=4, name="again") == "again"
    assert (await do(whole, "compare_objects", ref_1="turn", ref_2="again"))["equal"]

    batch = {"map_ref": ref, "distribution": CLOUD}
    one = await do(whole, "evaluate_taylor_map_batch", **batch)
    other = await do(parts, "evaluate_taylor_map_batch", **batch)
    for answer in (one, other):
        page = await do(whole, "read_object", ref=answer["ref"], pointer="/values", limit=100)
        answer["shown"] = page["value"]
    assert {**one, "ref": None} == {**other, "ref": None}

    portrait = {"map_ref": ref, "points": [[0.1, 0.0], [0.9, 0.3], [5.0, 0.0]], "turns": 60}
    drawn = [await registry.call_tool("plot_phase_space", portrait) for registry in (whole, parts)]
    pictures = [answer.pictures for answer in drawn if answer.status == "success"]
    assert len(pictures) == 2
    assert pictures[0] == pictures[1]


@pytest.mark.parametrize(
    ("name", "arguments", "total"),
    [
        ("create_taylor_map", {"expressions": [*TURN], "dimension": 2, "max_order": 9}, 2),
        ("evaluate_taylor_map_batch", {"map_ref": "turn", "distribution": CLOUD}, 2_000),
        ("plot_phase_space", {"map_ref": "turn", "points": [[0.1, 0.0]], "turns": 40}, 40),
    ],
)
async def test_a_client_sees_how_far_a_long_call_is(
    objects: ObjectRegistry,
    workers: ProcessWorkers,
    name: str,
    arguments: dict[str, Any],
    total: int,
) -> None:
    registry = taylor_registry(objects, work=IN_PORTIONS, runner=workers)
    await make_map(registry, *TURN, order=4, name="turn")
    seen: list[tuple[float, float | None]] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        assert message
        seen.append((progress, total))

    async with Client(serve(registry)) as client:
        answer = await client.call_tool(name, arguments, progress_callback=note)
    assert not answer.is_error
    done = [part for part, _ in seen]
    assert len(done) > 1
    assert done == sorted(set(done))
    assert {whole for _, whole in seen} == {total}
    assert done[-1] == total


async def test_a_call_that_nobody_waits_for_is_no_longer_computed(objects: ObjectRegistry) -> None:
    async with ProcessWorkers(1) as workers:
        registry = taylor_registry(objects, work=IN_PORTIONS, runner=workers)
        ref = await make_map(registry, *TURN, order=4)
        arguments = {"map_ref": ref, "points": [[0.1, 0.0]], "turns": 10_000}
        computing: list[int] = []
        async with anyio.create_task_group() as tasks:

            async def note(done: float, total: float | None, message: str | None) -> None:
                assert total is not None
                assert done < total, message
                computing.extend(workers.pids)
                tasks.cancel_scope.cancel()

            caller = CallContext(progress=note)
            tasks.start_soon(registry.call_tool, "plot_phase_space", arguments, caller)
        # Between portions nothing computes; the worker stays, as one that is warm.
        assert workers.computing == 0
        assert workers.pids == computing
        kept = await do(registry, "list_objects")
        assert [handle["ref"] for handle in kept["objects"]] == [ref]

        async with anyio.create_task_group() as tasks:
            whole = taylor_registry(objects, work=ALL_AWAY, runner=workers)
            tasks.start_soon(whole.call_tool, "plot_phase_space", arguments)
            while not workers.computing:
                await anyio.lowlevel.checkpoint()
            tasks.cancel_scope.cancel()
        assert workers.pids == []
        with pytest.raises(ProcessLookupError):
            os.kill(computing[0], 0)


async def test_more_memory_than_there_is_for_a_worker_is_a_refusal(objects: ObjectRegistry) -> None:
    async with ProcessWorkers(1, memory_bytes=16 * 1024 * 1024) as workers:
        registry = taylor_registry(objects, runner=workers)
        ref = await make_map(registry, *TURN, order=4)
        spec = {**CLOUD, "count": 1_000_000}
        answer = await no(registry, "evaluate_taylor_map_batch", map_ref=ref, distribution=spec)
        assert answer.error_code == "LIMIT_EXCEEDED"
        assert "16777216 bytes" in answer.message
        batch = await do(
            registry, "evaluate_taylor_map_batch", map_ref=ref, distribution={**CLOUD, "count": 9}
        )
        assert batch["count"] == 9


async def test_threads_compute_where_no_workers_are_given(objects: ObjectRegistry) -> None:
    names: list[str] = []

    async def noting(function: Callable[[], Any], *, tenant: str) -> Any:
        names.append(f"thread of {tenant}")
        return await run_in_thread(function)

    registry = ToolRegistry(
        list(taylor_registry()), objects=objects, runner=noting, settings=[ALL_AWAY]
    )
    await lay_out(objects, OWNER)
    assert OBJECTS["m"].evaluate([0.1, 0.2]).tolist() == await do(
        registry, "evaluate_taylor_map", map_ref="m", point=[0.1, 0.2]
    )
    assert names == ["thread of local"]
