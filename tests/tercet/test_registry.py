import logging
import math
import threading
from dataclasses import replace

import anyio
import pytest
from sample_plant import Plant, plant_registry

from tercet import (
    CallContext,
    CallLimits,
    ErrorCode,
    NotFoundError,
    Tool,
    ToolDefinitionError,
    ToolErrorResponse,
    ToolRegistry,
    ToolSuccessResponse,
    tool,
)
from tercet.testing import FrozenClock, RecordingObserver

pytestmark = pytest.mark.anyio


async def refused(registry: ToolRegistry, name: str, arguments: object) -> ToolErrorResponse:
    answer = await registry.call_tool(name, arguments)  # pyright: ignore[reportArgumentType] -- some tests pass what no caller should
    assert isinstance(answer, ToolErrorResponse)
    return answer


async def test_a_success_has_exactly_the_documented_shape(registry: ToolRegistry) -> None:
    answer = await registry.call_tool("square_root", {"x": 9})
    assert answer.to_dict() == {
        "status": "success",
        "data": {"result": 3.0, "metadata": {"operation": "square_root"}},
    }


async def test_an_error_without_optional_parts_has_exactly_the_documented_shape() -> None:
    answer = ToolErrorResponse(error_code=ErrorCode.INVALID_INPUT, message="no")
    assert answer.to_dict() == {
        "status": "error",
        "error_code": "INVALID_INPUT",
        "message": "no",
    }


async def test_all_faults_are_reported_at_once_and_nothing_is_done(
    registry: ToolRegistry, plant: Plant
) -> None:
    answer = await refused(registry, "set_gain", {"nod": "a", "gain_db": 99})
    assert answer.error_code == "INVALID_INPUT"
    assert {(d.pointer, d.nearest) for d in answer.details} == {
        ("/nod", "node"),
        ("/node", None),
        ("/gain_db", 25),
    }
    assert "/gain_db: expected at most 25, got 99 (nearest: 25)" in answer.message
    assert plant.gains == []


@pytest.mark.parametrize(
    ("arguments", "pointer", "expected"),
    [
        ({"node": 3}, "/node", "string"),
        ({"node": "a", "gain_db": "7"}, "/gain_db", "number >= 0 <= 25"),
        ({"node": "a", "gain_db": True}, "/gain_db", "number >= 0 <= 25"),
        ({"node": "a", "gain_db": math.nan}, "/gain_db", "a finite number"),
        ({"node": "a", "gain_db": math.inf}, "/gain_db", "a finite number"),
        ({"node": "a", "a/b~c": 1}, "/a~1b~0c", "no argument of this name (known: node, gain_db)"),
    ],
)
async def test_a_wrong_value_is_named_by_its_pointer(
    registry: ToolRegistry, plant: Plant, arguments: object, pointer: str, expected: str
) -> None:
    answer = await refused(registry, "set_gain", arguments)
    assert (pointer, expected) in {(d.pointer, d.expected) for d in answer.details}
    assert plant.gains == []


@pytest.mark.parametrize(
    ("arguments", "pointer"), [({"node": "a\ud800"}, "/node"), ({"no\udc00de": 1}, "/no\\udc00de")]
)
async def test_half_a_character_is_refused_and_the_answer_can_be_sent(
    registry: ToolRegistry, arguments: object, pointer: str
) -> None:
    answer = await refused(registry, "set_gain", arguments)
    assert [d.pointer for d in answer.details] == [pointer]
    assert answer.details[0].expected == "text that is valid Unicode"
    answer.to_json().encode()
    unknown = await refused(registry, "set\ud800", {})
    unknown.to_json().encode()


async def test_whatever_an_envelope_says_has_a_form_in_utf_8() -> None:
    answer = ToolErrorResponse(error_code=ErrorCode.CONFLICT, message="half \ud800 ä")
    assert answer.to_json().encode().decode() == (
        '{"status":"error","error_code":"CONFLICT","message":"half \\ud800 \\u00e4"}'
    )


@pytest.mark.parametrize("arguments", [[1], "text", 7])
async def test_arguments_that_are_no_object_are_refused(
    registry: ToolRegistry, arguments: object
) -> None:
    answer = await refused(registry, "set_gain", arguments)
    assert answer.error_code == "INVALID_INPUT"
    assert "not an object" in answer.message


async def test_a_refusal_stays_small_whatever_was_sent(registry: ToolRegistry) -> None:
    arguments = {f"name{i}": "x" * 10_000 for i in range(1_000)}
    answer = await refused(registry, "set_gain", arguments)
    assert len(answer.to_json()) < 32_768
    assert "more" in answer.message


async def test_an_unknown_tool_is_answered_with_the_nearest_names(registry: ToolRegistry) -> None:
    answer = await refused(registry, "set_gian", {})
    assert answer.error_code == "NOT_FOUND"
    assert answer.hint == "did you mean set_gain?"


async def test_a_tool_outside_the_callers_scopes_does_not_exist_for_it(
    registry: ToolRegistry, plant: Plant
) -> None:
    viewer = CallContext(scopes=frozenset({"optics:read"}))
    assert "set_gain" not in {t.name for t in registry.list_tools(viewer)}
    with pytest.raises(NotFoundError):
        registry.get("set_gain", viewer)
    answer = await registry.call_tool("set_gain", {"node": "a"}, viewer)
    unknown = await registry.call_tool("no_such_tool", {}, viewer)
    assert isinstance(answer, ToolErrorResponse)
    assert isinstance(unknown, ToolErrorResponse)
    assert answer.error_code == unknown.error_code == "NOT_FOUND"
    assert plant.gains == []
    writer = CallContext(scopes=frozenset({"optics:write"}))
    assert not (await registry.call_tool("set_gain", {"node": "a"}, writer)).is_error


async def test_a_tool_that_the_callers_filter_leaves_out_does_not_exist_for_it(
    registry: ToolRegistry, plant: Plant
) -> None:
    reader = CallContext(tool_filter=lambda tool: tool.effect == "read")
    names = {tool.name for tool in registry.list_tools(reader)}
    assert names == {tool.name for tool in registry if tool.effect == "read"}
    assert registry.get_stats(reader)["total_tools"] == len(names) < len(registry)
    answer = await registry.call_tool("set_gain", {"node": "a"}, reader)
    unknown = await registry.call_tool("no_such_tool", {}, reader)
    assert isinstance(answer, ToolErrorResponse)
    assert isinstance(unknown, ToolErrorResponse)
    assert answer.error_code == unknown.error_code == "NOT_FOUND"
    assert plant.gains == []


async def test_read_only_refuses_every_tool_that_changes_something(
    plant: Plant, clock: FrozenClock
) -> None:
    tools = list(plant_registry(plant, clock))
    registry = ToolRegistry(tools, limits=CallLimits(read_only=True))
    assert (await refused(registry, "set_gain", {"node": "a"})).error_code == "PERMISSION_DENIED"
    assert plant.gains == []
    assert not (await registry.call_tool("square_root", {"x": 1})).is_error


async def test_a_domain_exception_becomes_its_mapped_code_with_its_hint(
    registry: ToolRegistry,
) -> None:
    answer = await refused(registry, "square_root", {"x": -1})
    assert answer.error_code == "COMPUTATION_ERROR"
    assert answer.message == "sqrt of -1.0"
    assert answer.hint == "pass a number that is not negative"


async def test_a_result_that_json_cannot_carry_is_a_computation_error(
    registry: ToolRegistry,
) -> None:
    answer = await refused(registry, "square_root", {"x": 13})
    assert answer.error_code == "COMPUTATION_ERROR"
    assert "not a finite number" in answer.message


async def test_a_crash_shows_only_an_id_and_the_log_has_the_traceback(
    registry: ToolRegistry, observer: RecordingObserver, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR, logger="tercet"):
        answer = await refused(registry, "crash", {"text": "the secret plan"})
    assert answer.error_code == "INTERNAL_ERROR"
    assert "secret plan" not in answer.to_json()
    correlation_id = observer.records[-1].correlation_id
    assert correlation_id is not None
    assert correlation_id in answer.message
    assert correlation_id in caplog.text
    assert "invalid literal for int()" in caplog.text


async def test_a_result_that_breaks_the_output_schema_is_our_defect() -> None:
    async def lie(_: CallContext, __: dict[str, object]) -> object:
        return "seven"

    registry = ToolRegistry(
        [
            Tool.from_schema(
                name="lie",
                description="Give a number.",
                input_schema={"type": "object"},
                output_schema={"type": "number"},
                function=lie,
                app="a",
                kind="b",
                effect="read",
            )
        ]
    )
    assert (await refused(registry, "lie", {})).error_code == "INTERNAL_ERROR"
    assert (await refused(registry, "lie", {"x": 1})).error_code == "INVALID_INPUT"


async def test_the_deadline_ends_a_call_and_tells_its_threads() -> None:
    begun, noticed, gave_up = (threading.Event() for _ in range(3))

    @tool(app="a", kind="b", effect="read")
    async def dawdle(context: CallContext) -> int:
        """Take for ever."""

        def work() -> int:
            begun.set()
            while not context.cancelled:
                noticed.wait(0.001)
            gave_up.set()
            return 1

        return await context.compute(work)

    registry = ToolRegistry([dawdle], limits=CallLimits(timeout_s=0.2))
    answer = await refused(registry, "dawdle", {})
    assert answer.error_code == "TIMEOUT"
    # On a machine that is busy enough, the thread has not begun when it is over.
    assert gave_up.wait(10) or not begun.is_set()


async def test_a_deadline_of_the_caller_counts_where_it_is_nearer() -> None:
    @tool(app="a", kind="b", effect="read")
    async def wait(context: CallContext) -> int:
        """Wait for ever."""
        del context
        await anyio.sleep_forever()
        return 1

    registry = ToolRegistry([wait], limits=CallLimits(timeout_s=1_000))
    answer = await registry.call_tool("wait", {}, CallContext().within(100).within(0.01).within(50))
    assert isinstance(answer, ToolErrorResponse)
    assert answer.error_code == "TIMEOUT"


async def test_two_tools_of_one_name_are_refused_and_none_is_added(registry: ToolRegistry) -> None:
    before = [t.name for t in registry]
    newcomers = [registry.get("total"), registry.get("keep")]
    with pytest.raises(ToolDefinitionError, match="two tools are named"):
        registry.register_tools(newcomers)
    with pytest.raises(ToolDefinitionError, match="two tools are named"):
        _ = registry | registry
    assert [t.name for t in registry] == before


async def test_registries_add_up_and_list_in_one_order(registry: ToolRegistry) -> None:
    @tool(app="other", kind="state", effect="read")
    def another() -> int:
        """Give one."""
        return 1

    both = registry | ToolRegistry([another])
    names = [t.name for t in both.list_tools()]
    assert names == sorted(names)
    assert "another" in both
    assert "another" not in registry
    assert len(both) == len(registry) + 1
    assert [t.name for t in both.list_tools_by_app("other")] == ["another"]


async def test_stats_count_in_all_by_app_and_by_type(registry: ToolRegistry) -> None:
    stats = registry.get_stats()
    assert stats["total_tools"] == len(registry)
    assert stats["apps"] == ["maths", "objects", "optics"]
    assert stats["total_apps"] == 3
    assert stats["tools_by_type"] == {"control": 1, "object": 7, "taylor": 5}


async def test_subscribers_are_told_of_each_change_until_they_leave(registry: ToolRegistry) -> None:
    changes: list[int] = []
    leave = registry.subscribe(lambda: changes.append(len(registry)))
    crash = registry.get("crash")
    size = len(registry)
    assert registry.unregister_tool("crash")
    assert not registry.unregister_tool("crash")
    registry.register_tools([])
    registry.register_tool(crash)
    leave()
    registry.unregister_tool("crash")
    assert changes == [size - 1, size]


async def test_an_exchange_of_tools_is_told_once_and_is_whole_or_none(
    registry: ToolRegistry,
) -> None:
    changes: list[list[str]] = []
    registry.subscribe(lambda: changes.append([tool.name for tool in registry]))
    before = [tool.name for tool in registry]
    crash = registry.get("crash")
    with pytest.raises(ToolDefinitionError):
        registry.replace_tools(["count_to"], [replace(crash, name="brand_new"), crash])
    registry.replace_tools(["no_such_tool"], [])
    assert ([tool.name for tool in registry], changes) == (before, [])
    registry.replace_tools(["crash", "count_to"], [crash])
    assert changes == [[name for name in before if name != "count_to"]]


async def test_listing_goes_on_while_others_register(registry: ToolRegistry) -> None:
    crash = registry.get("crash")
    seen = []
    for listed in registry:
        if listed.name == "count_to":
            registry.unregister_tool("crash")
        seen.append(listed.name)
    assert crash.name in seen
    assert "crash" not in registry


async def test_an_answer_over_the_limit_becomes_a_handle(registry: ToolRegistry) -> None:
    answer = await registry.call_tool("count_to", {"n": 100_000, "session_id": "s"})
    assert isinstance(answer, ToolSuccessResponse)
    result = answer.data.result
    assert result["ref"] == "result_0"
    assert result["summary"] == {"type": "array", "length": 100_000}
    assert len(answer.to_json()) < 32_768
    part = await registry.call_tool(
        "read_object", {"ref": "result_0", "offset": 99_998, "session_id": "s"}
    )
    assert isinstance(part, ToolSuccessResponse)
    assert part.data.result["value"] == [99_998, 99_999]
    assert part.data.result["next_offset"] is None


async def test_an_answer_over_the_limit_is_refused_where_nothing_can_be_kept(
    plant: Plant, clock: FrozenClock
) -> None:
    registry = ToolRegistry(list(plant_registry(plant, clock)))
    answer = await refused(registry, "count_to", {"n": 100_000})
    assert answer.error_code == "LIMIT_EXCEEDED"
    kept = await refused(registry, "keep", {"values": [1.0]})
    assert kept.error_code == "UNAVAILABLE"
    listed = await refused(registry, "list_objects", {})
    assert listed.error_code == "UNAVAILABLE"
