from pathlib import Path
from typing import Any

import anyio
import pytest
from sample_plant import Plant

from tercet import (
    CallContext,
    MemoryStore,
    ObjectLimits,
    ObjectRegistry,
    ObjectStore,
    SqliteStore,
    ToolErrorResponse,
    ToolRegistry,
    ToolSuccessResponse,
    program_tool,
)
from tercet.testing import FaultyStore, RecordingObserver, contract_suite

pytestmark = pytest.mark.anyio


@pytest.fixture
def programs(registry: ToolRegistry) -> ToolRegistry:
    registry.register_tool(program_tool(registry))
    return registry


def step(tool: str, label: str | None = None, /, **arguments: Any) -> dict[str, Any]:
    made: dict[str, Any] = {"tool": tool, "arguments": arguments}
    return made if label is None else {**made, "as": label}


async def result_of(registry: ToolRegistry, *steps: Any, **arguments: Any) -> Any:
    answer = await registry.call_tool("run_program", {"steps": list(steps), **arguments})
    assert isinstance(answer, ToolSuccessResponse), answer.message
    return answer.data.result


async def refused(registry: ToolRegistry, *steps: Any, **arguments: Any) -> ToolErrorResponse:
    answer = await registry.call_tool("run_program", {"steps": list(steps), **arguments})
    assert isinstance(answer, ToolErrorResponse)
    return answer


async def kept(registry: ToolRegistry) -> list[str]:
    assert registry.objects is not None
    return [handle.ref for handle in await registry.objects.list(CallContext())]


async def test_a_later_step_uses_what_an_earlier_one_stored(programs: ToolRegistry) -> None:
    result = await result_of(
        programs, step("keep", "n", values=[1, 2]), step("total", "sum", ref={"$ref": "n"})
    )
    assert result["result"] == 3.0
    assert [(s["step"], s["tool"], s["label"]) for s in result["steps"]] == [
        (1, "keep", "n"),
        (2, "total", "sum"),
    ]
    assert result["steps"][0]["result"]["ref"] == "numbers_0"


async def test_a_result_that_is_no_object_is_used_by_value_or_in_part(
    programs: ToolRegistry,
) -> None:
    result = await result_of(
        programs,
        step("square_root", "root", x=16),
        step("count_to", "numbers", n=5),
        step("keep", "k", values=[{"$ref": "root"}, {"$ref": "numbers", "pointer": "/3"}]),
        step("keep", values={"$ref": "numbers"}, name="all"),
        step("total", ref={"$ref": "k"}),
    )
    assert result["result"] == 7.0
    answer = await programs.call_tool("total", {"ref": "all"})
    assert isinstance(answer, ToolSuccessResponse)
    assert answer.data.result == 10.0


async def test_the_first_step_that_fails_is_named_and_what_was_done_is_told(
    programs: ToolRegistry,
) -> None:
    answer = await refused(
        programs,
        step("keep", values=[1]),
        step("square_root", "bad", x=-1),
        step("keep", values=[2]),
    )
    assert answer.error_code == "COMPUTATION_ERROR"
    assert answer.message == (
        "step 2 (bad), square_root, failed: sqrt of -1.0; steps done before: 1 keep"
    )
    assert answer.hint == "pass a number that is not negative"
    assert await kept(programs) == ["numbers_0"]


async def test_the_faults_of_a_step_are_pointed_at_from_the_program(
    programs: ToolRegistry, plant: Plant
) -> None:
    answer = await refused(programs, step("set_gain", node="a", gain_db=99))
    (detail,) = answer.details
    assert detail.pointer == "/steps/0/arguments/gain_db"
    assert detail.nearest == 25
    assert plant.gains == []


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        ([step("keep", values=[1]), step("total", ref={"$ref": "n"})], "refers to 'n'"),
        ([step("keep", "n", values=[1]), step("keep", "n", values=[1])], "a second time"),
        ([step("keep", values=[1]), step("no_such_tool")], "no tool is named"),
        ([step("keep", values=[1]), step("run_program", steps=[])], "is itself a program"),
        ([step("total", "n", ref={"$ref": "n"})], "no earlier step gives"),
    ],
)
async def test_what_can_be_seen_to_fail_is_refused_before_the_first_step(
    programs: ToolRegistry, steps: list[Any], message: str
) -> None:
    assert message in (await refused(programs, *steps)).message
    assert await kept(programs) == []


async def test_a_pointer_to_nothing_is_an_error_of_its_step(programs: ToolRegistry) -> None:
    for pointer in ("/9", "9"):
        answer = await refused(
            programs,
            step("count_to", "n", n=3),
            step("square_root", x={"$ref": "n", "pointer": pointer}),
        )
        assert "has nothing at" in answer.message


@pytest.mark.parametrize("steps", [[], [step("count_to", n=1)] * 51, ["count_to"], [{"t": 1}]])
async def test_a_program_has_1_to_50_steps_of_the_declared_shape(
    programs: ToolRegistry, steps: list[Any]
) -> None:
    assert (await refused(programs, *steps)).error_code == "INVALID_INPUT"


async def test_data_that_only_looks_like_a_reference_is_passed_on(programs: ToolRegistry) -> None:
    answer = await refused(programs, step("square_root", x={"$ref": "n", "other": 1}))
    assert answer.details[0].pointer == "/steps/0/arguments/x"


async def test_every_step_has_the_callers_own_rights_and_its_own_record(
    programs: ToolRegistry, plant: Plant, observer: RecordingObserver
) -> None:
    viewer = CallContext(scopes=frozenset(), request_id="r")
    arguments = {"steps": [step("set_gain", node="a")]}
    answer = await programs.call_tool("run_program", arguments, viewer)
    assert isinstance(answer, ToolErrorResponse)
    assert answer.error_code == "NOT_FOUND"
    assert plant.gains == []
    await programs.call_tool(
        "run_program", {"steps": [step("count_to", n=1), step("count_to", n=2)]}, viewer
    )
    assert [(r.tool, r.request_id) for r in observer.records] == [
        ("run_program", "r"),
        ("count_to", "r/1"),
        ("count_to", "r/2"),
        ("run_program", "r"),
    ]


async def test_progress_names_the_step(programs: ToolRegistry) -> None:
    seen: list[tuple[float, float | None, str | None]] = []

    async def note(done: float, total: float | None, message: str | None) -> None:
        seen.append((done, total, message))

    steps = [step("square_root", x=1), step("square_root", x=4)]
    await programs.call_tool("run_program", {"steps": steps}, CallContext(progress=note))
    assert seen == [(0, 2, "square_root"), (1, 2, "square_root")]


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> ObjectStore:
    return MemoryStore() if request.param == "memory" else SqliteStore(tmp_path / "objects.db")


@pytest.fixture
def stored(registry: ToolRegistry, store: ObjectStore) -> ToolRegistry:
    limits = ObjectLimits(objects_per_session=3)
    made = registry.with_objects(ObjectRegistry(store, limits=limits))
    made.register_tool(program_tool(made))
    return made


async def test_an_atomic_program_keeps_everything_or_nothing(
    stored: ToolRegistry, store: ObjectStore
) -> None:
    steps = [step("keep", "n", values=[1, 2]), step("total", ref={"$ref": "n"})]
    assert (await result_of(stored, *steps, atomic=True))["result"] == 3.0
    assert await kept(stored) == ["numbers_0"]
    failing = [*steps, step("square_root", x=-1)]
    answer = await refused(stored, *failing, atomic=True)
    assert answer.error_code == "COMPUTATION_ERROR"
    assert await kept(stored) == ["numbers_0"]
    # The number of the dropped object is not given again.
    assert (await result_of(stored, *steps))["steps"][0]["result"]["ref"] == "numbers_2"
    await store.aclose()


async def test_an_atomic_program_sees_its_own_objects_and_those_before_it(
    stored: ToolRegistry, store: ObjectStore
) -> None:
    await stored.call_tool("keep", {"values": [5], "name": "before"})
    result = await result_of(
        stored,
        step("total", ref="before"),
        step("keep", values=[7], name="mine"),
        step("list_objects", "all"),
        atomic=True,
    )
    assert [h["ref"] for h in result["result"]["objects"]] == ["before", "mine"]
    assert await kept(stored) == ["before", "mine"]
    taken = await refused(stored, step("keep", values=[1], name="before"), atomic=True)
    assert taken.error_code == "CONFLICT"
    twice = [step("keep", values=[1], name="new"), step("keep", values=[2], name="new")]
    assert (await refused(stored, *twice, atomic=True)).error_code == "CONFLICT"
    assert await kept(stored) == ["before", "mine"]
    await store.aclose()


async def test_an_atomic_program_that_finds_no_room_keeps_nothing(
    stored: ToolRegistry, store: ObjectStore
) -> None:
    steps = [step("keep", values=[i], name=f"n{i}") for i in range(4)]
    answer = await refused(stored, *steps, atomic=True)
    assert answer.error_code == "LIMIT_EXCEEDED"
    assert await kept(stored) == []
    await store.aclose()


@pytest.mark.parametrize(
    "outside",
    [
        step("set_gain", node="a"),
        step("delete_object", ref="numbers_0"),
        step("rename_object", ref="numbers_0", name="x"),
        step("clear_session"),
    ],
)
async def test_what_cannot_be_undone_is_refused_in_an_atomic_program(
    programs: ToolRegistry, plant: Plant, outside: dict[str, Any]
) -> None:
    await programs.call_tool("keep", {"values": [1]})
    answer = await refused(programs, step("keep", values=[2]), outside, atomic=True)
    assert answer.error_code == "CONFLICT"
    assert "cannot be undone" in answer.message
    assert plant.gains == []
    assert await kept(programs) == ["numbers_0"]


async def test_a_store_that_fails_at_the_end_leaves_nothing_behind(
    registry: ToolRegistry,
) -> None:
    store = FaultyStore()
    made = registry.with_objects(ObjectRegistry(store))
    made.register_tool(program_tool(made))
    store.failing.add("put_all")
    steps = [step("keep", values=[1]), step("keep", values=[2])]
    assert (await refused(made, *steps, atomic=True)).error_code == "UNAVAILABLE"
    store.failing = {"reserve"}
    assert (await refused(made, *steps, atomic=True)).error_code == "UNAVAILABLE"
    store.failing.clear()
    assert await kept(made) == []


async def test_a_program_that_is_withdrawn_starts_no_further_step(
    programs: ToolRegistry, plant: Plant
) -> None:
    started = anyio.Event()

    async def note(done: float, total: float | None, message: str | None) -> None:
        del total, message
        if done == 1:
            started.set()
            await anyio.sleep_forever()

    steps = [step("set_gain", node="a"), step("set_gain", node="b")]
    with anyio.fail_after(10):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(
                programs.call_tool, "run_program", {"steps": steps}, CallContext(progress=note)
            )
            await started.wait()
            tasks.cancel_scope.cancel()
    assert [gain.node for gain in plant.gains] == ["a"]


async def test_the_program_tool_keeps_the_contract(programs: ToolRegistry) -> None:
    await contract_suite(programs)
