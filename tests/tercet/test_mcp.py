import threading
from collections.abc import AsyncGenerator
from typing import Any

import anyio
import pytest
from mcp import Client, MCPError
from mcp.types import TextContent, TextResourceContents

from tercet import CallContext, Prompt, Provenance, ToolRegistry, tool
from tercet.mcp import serve
from tercet.testing import RecordingObserver

pytestmark = pytest.mark.anyio


@pytest.fixture(params=["auto", "legacy"])
def mode(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
async def client(registry: ToolRegistry, mode: Any) -> AsyncGenerator[Client]:
    async with Client(serve(registry), mode=mode, raise_exceptions=True) as made:
        yield made


async def test_the_two_eras_are_really_two(client: Client, mode: str) -> None:
    expected = {"auto": "2026-07-28", "legacy": "2025-11-25"}
    assert client.protocol_version == expected[mode]


async def test_every_tool_is_listed_with_its_schemas_to_the_letter(
    client: Client, registry: ToolRegistry
) -> None:
    listed = (await client.list_tools()).tools
    assert [t.name for t in listed] == [t.name for t in registry.list_tools()]
    for shown, declared in zip(listed, registry.list_tools(), strict=True):
        assert shown.input_schema == declared.input_schema
        assert shown.output_schema == declared.answer_schema()
        assert shown.description == declared.description
        assert shown.annotations is not None
        assert shown.annotations.read_only_hint == (declared.effect == "read")
        assert shown.annotations.destructive_hint == (declared.effect == "destructive")
        assert shown.annotations.idempotent_hint == declared.idempotent


async def test_an_answer_is_the_envelope_twice(client: Client) -> None:
    result = await client.call_tool("square_root", {"x": 4})
    envelope = {
        "status": "success",
        "data": {"result": 2.0, "metadata": {"operation": "square_root"}},
    }
    assert not result.is_error
    assert result.structured_content == envelope
    (block,) = result.content
    assert isinstance(block, TextContent)
    assert block.text.startswith('{"status":"success","data":{"result":2.0')


async def test_a_failure_is_marked_and_says_what_to_do(client: Client) -> None:
    result = await client.call_tool("set_gain", {"node": "a", "gain_db": 99})
    assert result.is_error
    content: Any = result.structured_content
    assert content["error_code"] == "INVALID_INPUT"
    assert content["details"] == [
        {"pointer": "/gain_db", "expected": "at most 25", "got": 99, "nearest": 25}
    ]


async def test_an_unknown_tool_is_a_protocol_error(
    client: Client, observer: RecordingObserver
) -> None:
    with pytest.raises(MCPError) as caught:
        await client.call_tool("square_rot", {})
    assert caught.value.code == -32602
    assert caught.value.message == "Unknown tool: square_rot"
    assert caught.value.data == {"hint": "did you mean square_root?"}
    assert observer.records[-1].outcome == "NOT_FOUND"


async def test_a_missing_object_is_an_answer_and_no_protocol_error(client: Client) -> None:
    result = await client.call_tool("total", {"ref": "nothing"})
    content: Any = result.structured_content
    assert result.is_error
    assert content["error_code"] == "NOT_FOUND"


async def test_progress_reaches_the_client(client: Client) -> None:
    seen: list[tuple[float, float | None, str | None]] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        seen.append((progress, total, message))

    await client.call_tool("count_to", {"n": 3}, progress_callback=note)
    with anyio.fail_after(10):
        while not seen:
            await anyio.lowlevel.checkpoint()
    assert seen == [(3, 3, "counted")]


async def test_stored_objects_are_resources(client: Client, registry: ToolRegistry) -> None:
    await client.call_tool("keep", {"values": [1.5], "name": "kept"})
    (resource,) = (await client.list_resources()).resources
    assert str(resource.uri) == "tercet://objects/default/kept"
    contents = (await client.read_resource(str(resource.uri))).contents[0]
    assert isinstance(contents, TextResourceContents)
    assert contents.text == "[1.5]"
    templates = (await client.list_resource_templates()).resource_templates
    assert [t.uri_template for t in templates] == ["tercet://objects/{session}/{ref}"]
    await client.call_tool("keep", {"values": [2], "name": "kept", "session_id": "other"})
    other = (await client.read_resource("tercet://objects/other/kept")).contents[0]
    assert isinstance(other, TextResourceContents)
    assert other.text == "[2.0]"
    objects = registry.objects
    assert objects is not None
    large = "x" * (5 * 1024 * 1024)
    await objects.put(CallContext(), large, name="large", provenance=Provenance(operation="p"))
    with pytest.raises(MCPError, match="bytes; 4194304 fit"):
        await client.read_resource("tercet://objects/default/large")


@pytest.mark.parametrize(
    "uri",
    [
        "tercet://objects/default/nothing",
        "tercet://objects/default",
        "tercet://objects/a%20b/c",
        "https://example.org/x",
    ],
)
async def test_a_missing_resource_is_a_protocol_error(client: Client, uri: str) -> None:
    with pytest.raises(MCPError) as caught:
        await client.read_resource(uri)
    assert caught.value.code == -32602


async def test_a_listing_is_paged_and_a_bad_cursor_is_refused(
    registry: ToolRegistry, mode: Any
) -> None:
    async with Client(serve(registry, page_size=5), mode=mode, raise_exceptions=True) as client:
        names: list[str] = []
        page = await client.list_tools()
        names += [t.name for t in page.tools]
        # A tool of the first page goes away in between: nothing is skipped or given twice.
        registry.unregister_tool(names[0])
        while page.next_cursor:
            page = await client.list_tools(cursor=page.next_cursor)
            names += [t.name for t in page.tools]
        assert names[1:] == [t.name for t in registry]
        with pytest.raises(MCPError) as caught:
            await client.list_tools(cursor="7")
        assert caught.value.code == -32602


async def test_a_caller_sees_and_calls_only_what_its_scopes_allow(
    registry: ToolRegistry, mode: Any
) -> None:
    server = serve(registry, context_of=lambda _: CallContext(scopes=frozenset()))
    async with Client(server, mode=mode, raise_exceptions=True) as client:
        assert "set_gain" not in {t.name for t in (await client.list_tools()).tools}
        with pytest.raises(MCPError, match="Unknown tool: set_gain"):
            await client.call_tool("set_gain", {"node": "a"})


async def test_a_client_that_goes_away_cancels_its_call(mode: Any) -> None:
    started, ended = anyio.Event(), anyio.Event()

    @tool(app="a", kind="b", effect="read")
    async def wait() -> int:
        """Wait for ever."""
        started.set()
        try:
            await anyio.sleep_forever()
        finally:
            ended.set()
        return 1

    async with Client(serve(ToolRegistry([wait])), mode=mode) as client:
        with anyio.fail_after(10):
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(client.call_tool, "wait", {})
                await started.wait()
                tasks.cancel_scope.cancel()
            await ended.wait()


async def test_a_registry_without_objects_offers_no_resources(
    registry: ToolRegistry, mode: Any
) -> None:
    async with Client(serve(ToolRegistry(list(registry))), mode=mode) as client:
        with pytest.raises(MCPError):
            await client.list_resources()


@pytest.mark.parametrize("elsewhere", [False, True])
async def test_listeners_are_told_of_changes_from_any_thread(
    registry: ToolRegistry, *, elsewhere: bool
) -> None:
    with anyio.fail_after(10):
        async with Client(serve(registry)) as client:
            async with client.listen(tools_list_changed=True) as changes:

                def change() -> None:
                    registry.unregister_tool("crash")

                if elsewhere:
                    thread = threading.Thread(target=change)
                    thread.start()
                else:
                    change()
                async for event in changes:
                    assert type(event).__name__ == "ToolsListChanged"
                    break
            assert "crash" not in {t.name for t in (await client.list_tools()).tools}


GREET = Prompt(
    name="greet",
    title="Greet",
    description="Say hello.",
    text=lambda given: f"Greet {given.get('whom', 'everybody')}.",
    arguments={"whom": "Who is greeted."},
)


async def test_prompts_are_offered_and_filled_in(mode: Any) -> None:
    server = serve(ToolRegistry(), prompts=[GREET])
    async with Client(server, mode=mode, raise_exceptions=True) as client:
        (listed,) = (await client.list_prompts()).prompts
        assert (listed.name, listed.description) == ("greet", "Say hello.")
        assert listed.arguments is not None
        assert [argument.name for argument in listed.arguments] == ["whom"]
        filled = await client.get_prompt("greet", {"whom": "Ada"})
        assert isinstance(filled.messages[0].content, TextContent)
        assert filled.messages[0].content.text == "Greet Ada."
        plain = await client.get_prompt("greet")
        assert isinstance(plain.messages[0].content, TextContent)
        assert plain.messages[0].content.text == "Greet everybody."
        for name, arguments in (("no_such", {}), ("greet", {"who": "Ada"})):
            with pytest.raises(MCPError) as caught:
                await client.get_prompt(name, arguments)
            assert caught.value.code == -32602


async def test_a_listing_that_was_made_before_is_only_for_who_sees_the_same_tools(
    registry: ToolRegistry,
) -> None:
    names = [tool.name for tool in registry.list_tools()]
    hidden: set[str] = set()

    def seen_now(_: Any) -> CallContext:
        kept_back = frozenset(hidden)
        return CallContext(tool_filter=lambda tool: tool.name not in kept_back)

    server = serve(registry, context_of=seen_now, page_size=2)

    async def listed() -> list[str]:
        found: list[str] = []
        async with Client(server, cache=None) as client:
            cursor: str | None = None
            while True:
                page = await client.list_tools(cursor=cursor)
                found += [tool.name for tool in page.tools]
                if (cursor := page.next_cursor) is None:
                    return found

    assert await listed() == names
    hidden.add(names[0])
    assert await listed() == names[1:]
    hidden.clear()
    assert await listed() == names

    @tool(app="late", kind="test", effect="read")
    async def a_late_one() -> None:
        """Come late."""

    registry.register_tool(a_late_one)
    assert await listed() == sorted([*names, "a_late_one"])
    registry.unregister_tool("a_late_one")
    assert await listed() == names


@pytest.mark.parametrize("cursor", ["None", "", "after"])
async def test_a_cursor_that_is_none_is_refused_however_often(
    registry: ToolRegistry, cursor: str
) -> None:
    async with Client(serve(registry), cache=None) as client:
        for _ in range(2):
            await client.list_tools()
            with pytest.raises(MCPError) as caught:
                await client.list_tools(cursor=cursor)
            assert caught.value.code == -32602
