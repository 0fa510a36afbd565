"""The tools with which a client looks after what it has stored."""

from typing import Any

import pytest

from tercet import CallContext, Provenance, ToolErrorResponse, ToolRegistry, ToolSuccessResponse

pytestmark = pytest.mark.anyio

MADE = Provenance(operation="made", arguments={"n": 1}, parents=("mtf_0",))


async def result_of(registry: ToolRegistry, tool_name: str, /, **arguments: Any) -> Any:
    answer = await registry.call_tool(tool_name, arguments)
    assert isinstance(answer, ToolSuccessResponse), answer
    return answer.data.result


async def test_stored_results_are_listed_explained_renamed_and_deleted(
    registry: ToolRegistry,
) -> None:
    kept = await result_of(registry, "keep", values=[1, 2])
    assert kept["message"] == "Kept 2 numbers. Saved as 'numbers_0'."
    assert await result_of(registry, "total", ref="numbers_0") == 3.0
    listed = await result_of(registry, "list_objects")
    assert (listed["total"], listed["next_offset"]) == (1, None)
    history = await result_of(registry, "explain_object", ref="numbers_0")
    assert history == {
        "ref": "numbers_0",
        "operation": "keep",
        "arguments": {"values": [1, 2]},
        "parents": [],
    }
    described = await result_of(registry, "describe_object", ref="numbers_0")
    assert described["kind"] == "json"
    await result_of(registry, "rename_object", ref="numbers_0", name="mine")
    assert (await result_of(registry, "delete_object", ref="mine"))["message"] == "Deleted 'mine'."
    cleared = await result_of(registry, "clear_session")
    assert cleared["message"] == "Deleted 0 objects of session 'default'."


async def test_a_listing_is_paged_and_stays_within_its_size(registry: ToolRegistry) -> None:
    objects = registry.objects
    assert objects is not None
    for _ in range(60):
        value = {f"{'k' * 38}{i}": i for i in range(10)}
        await objects.put(CallContext(), value, provenance=MADE)
    seen: list[str] = []
    offset: int | None = 0
    while offset is not None:
        page = await result_of(registry, "list_objects", offset=offset, limit=100)
        seen += [handle["ref"] for handle in page["objects"]]
        offset = page["next_offset"]
    assert seen == [f"object_{i}" for i in range(60)]


async def test_a_stored_object_is_read_in_parts(registry: ToolRegistry) -> None:
    objects = registry.objects
    assert objects is not None
    value = {
        "text": "x" * 50_000,
        "rows": [[i] * 1_000 for i in range(100)],
        "a/b": {"~": None},
        "flag": True,
        "half": 0.5,
    }
    await objects.put(CallContext(), value, name="big", provenance=MADE)
    whole = await result_of(registry, "read_object", ref="big")
    assert whole["length"] == 5
    assert whole["value"]["text"] == {"type": "string", "length": 50_000, "shown": False}
    assert whole["value"]["rows"] == {"type": "array", "length": 100, "shown": False}
    assert whole["value"]["flag"] is True
    text = await result_of(registry, "read_object", ref="big", pointer="/text", offset=49_990)
    assert (text["value"], text["next_offset"]) == ("x" * 10, None)
    rows = await result_of(registry, "read_object", ref="big", pointer="/rows", offset=1)
    assert 1 <= len(rows["value"]) < 99
    assert rows["next_offset"] == 1 + len(rows["value"])
    assert (await result_of(registry, "read_object", ref="big", pointer="/rows/7"))["value"] == (
        [7] * 100
    )
    null = await result_of(registry, "read_object", ref="big", pointer="/a~1b/~0")
    assert (null["type"], null["value"], null["length"]) == ("null", None, None)
    assert (await result_of(registry, "read_object", ref="big", pointer="/flag"))["type"] == (
        "boolean"
    )
    assert (await result_of(registry, "read_object", ref="big", pointer="/half"))["value"] == 0.5
    for pointer in ("rows", "/nothing", "/rows/100", "/rows/x", "/half/1"):
        answer = await registry.call_tool("read_object", {"ref": "big", "pointer": pointer})
        assert isinstance(answer, ToolErrorResponse), pointer
        assert answer.error_code == "INVALID_INPUT"
