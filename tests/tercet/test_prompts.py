"""A prompt belongs to an app, and is there for whom the tools of that app are."""

from typing import Any

import pytest
from mcp import Client, MCPError
from mcp.types import PromptReference

from tercet import CallContext, Prompt, ToolRegistry, tool
from tercet.mcp import serve

pytestmark = pytest.mark.anyio


@tool(app="garden", kind="measurement", effect="read", scopes=("garden",))
def count_roses() -> int:
    """Count the roses."""
    return 7


@tool(app="kitchen", kind="measurement", effect="read")
def count_cups() -> int:
    """Count the cups."""
    return 3


def prompt(name: str, app: str | None = None) -> Prompt:
    return Prompt(
        name=name,
        title=name,
        description=f"{name}.",
        app=app,
        text=lambda given: f"{name} for {given.get('whom', 'everybody')}.",
        arguments={"whom": "For whom."},
        suggestions={"whom": lambda _: ["Ada"]},
    )


PROMPTS = [prompt("greet"), prompt("prune", "garden"), prompt("cook", "kitchen")]


@pytest.fixture(params=["auto", "legacy"])
def mode(request: pytest.FixtureRequest) -> Any:
    return request.param


def client_of(context: CallContext, mode: Any, registry: ToolRegistry | None = None) -> Client:
    known = registry or ToolRegistry([count_roses, count_cups])
    server = serve(known, prompts=PROMPTS, context_of=lambda _: context)
    return Client(server, mode=mode)


async def names_of(client: Client) -> set[str]:
    return {listed.name for listed in (await client.list_prompts()).prompts}


async def refusal_of(client: Client, name: str) -> tuple[int, str, Any]:
    with pytest.raises(MCPError) as caught:
        await client.get_prompt(name, {})
    return caught.value.code, caught.value.message.replace(name, "NAME"), caught.value.data


async def test_who_reaches_every_tool_is_offered_every_prompt(mode: Any) -> None:
    async with client_of(CallContext(), mode) as client:
        assert await names_of(client) == {"greet", "prune", "cook"}


@pytest.mark.parametrize(
    "context",
    [
        CallContext(scopes=frozenset({"other"})),
        CallContext(tool_filter=lambda facts: facts.app == "kitchen"),
    ],
    ids=["scopes", "filter"],
)
async def test_a_prompt_of_an_app_out_of_reach_is_as_one_that_there_never_was(
    context: CallContext, mode: Any
) -> None:
    async with client_of(context, mode) as client:
        assert await names_of(client) == {"greet", "cook"}
        assert await refusal_of(client, "prune") == await refusal_of(client, "none_such")
        for name in ("prune", "none_such"):
            found = await client.complete(PromptReference(name=name), {"name": "whom", "value": ""})
            assert (found.completion.values, found.completion.total) == ([], 0)
        given: Any = await client.get_prompt("cook", {"whom": "Ada"})
        assert given.messages[0].content.text == "cook for Ada."
        found = await client.complete(PromptReference(name="cook"), {"name": "whom", "value": "a"})
        assert found.completion.values == ["Ada"]


async def test_a_prompt_comes_and_goes_with_the_tools_of_its_app(mode: Any) -> None:
    registry = ToolRegistry([count_cups])
    async with client_of(CallContext(), mode, registry) as client:
        assert await names_of(client) == {"greet", "cook"}
        registry.register_tool(count_roses)
        assert await names_of(client) == {"greet", "cook", "prune"}
        registry.unregister_tool("count_cups")
        assert await names_of(client) == {"greet", "prune"}
        assert (await refusal_of(client, "cook"))[0] == -32602


async def test_pages_of_prompts_hold_only_those_that_there_are() -> None:
    context = CallContext(tool_filter=lambda facts: facts.app == "garden")
    server = serve(
        ToolRegistry([count_roses, count_cups]),
        prompts=PROMPTS,
        context_of=lambda _: context,
        page_size=1,
    )
    async with Client(server) as client:
        first = await client.list_prompts()
        assert [listed.name for listed in first.prompts] == ["greet"]
        second = await client.list_prompts(cursor=first.next_cursor)
        assert [listed.name for listed in second.prompts] == ["prune"]
        assert second.next_cursor is None
