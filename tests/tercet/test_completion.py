"""A client can offer values: refs of stored objects, and what a prompt suggests."""

from typing import Any

import pytest
from mcp import Client
from mcp.types import PromptReference, ResourceTemplateReference

from tercet import CallContext, Prompt, Provenance, ToolRegistry
from tercet.mcp import serve

pytestmark = pytest.mark.anyio

OBJECT = ResourceTemplateReference(uri="tercet://objects/{session}/{ref}")
GREET = Prompt(
    name="greet",
    title="Greet",
    description="Say hello.",
    text=str,
    arguments={"whom": "Who is greeted.", "how": "Any words."},
    suggestions={"whom": lambda context: ["Ada", "Alan", "Grace", context.subject]},
)


@pytest.fixture(params=["auto", "legacy"])
def mode(request: pytest.FixtureRequest) -> Any:
    return request.param


async def keep(registry: ToolRegistry, context: CallContext, *refs: str) -> None:
    assert registry.objects is not None
    for ref in refs:
        await registry.objects.put(context, 1.0, name=ref, provenance=Provenance(operation="p"))


async def test_refs_of_the_callers_session_are_completed(registry: ToolRegistry, mode: Any) -> None:
    await keep(registry, CallContext(), "wave", "wall", "map")
    await keep(registry, CallContext(session_id="night"), "wane")
    async with Client(serve(registry), mode=mode, raise_exceptions=True) as client:
        assert client.server_capabilities is not None
        assert client.server_capabilities.completions is not None
        found = await client.complete(OBJECT, {"name": "ref", "value": "wa"})
        assert found.completion.values == ["wall", "wave"]
        assert (found.completion.total, found.completion.has_more) == (2, False)
        found = await client.complete(OBJECT, {"name": "ref", "value": "W"}, {"session": "night"})
        assert found.completion.values == ["wane"]
        found = await client.complete(OBJECT, {"name": "session", "value": ""})
        assert found.completion.values == ["default"]


async def test_refs_of_other_tenants_are_never_offered(registry: ToolRegistry) -> None:
    await keep(registry, CallContext(tenant="south"), "secret")
    await keep(registry, CallContext(tenant="north"), "own")
    server = serve(registry, context_of=lambda _: CallContext(tenant="north"))
    async with Client(server, raise_exceptions=True) as client:
        found = await client.complete(OBJECT, {"name": "ref", "value": ""})
        assert found.completion.values == ["own"]


async def test_no_more_than_a_hundred_are_given_and_all_are_counted(registry: ToolRegistry) -> None:
    await keep(registry, CallContext(), *[f"point_{n:03}" for n in range(130)])
    async with Client(serve(registry), raise_exceptions=True) as client:
        found = (await client.complete(OBJECT, {"name": "ref", "value": "point_"})).completion
        assert (len(found.values), found.total, found.has_more) == (100, 130, True)
        assert found.values[:2] == ["point_000", "point_001"]


async def test_a_prompt_suggests_what_begins_as_typed(mode: Any) -> None:
    server = serve(
        ToolRegistry(), prompts=[GREET], context_of=lambda _: CallContext(subject="albert")
    )
    async with Client(server, mode=mode, raise_exceptions=True) as client:
        for typed, values in (
            ("al", ["Alan", "albert"]),
            ("", ["Ada", "Alan", "Grace", "albert"]),
            ("x", []),
        ):
            found = await client.complete(
                PromptReference(name="greet"), {"name": "whom", "value": typed}
            )
            assert found.completion.values == values


@pytest.mark.parametrize(
    ("reference", "argument"),
    [
        (PromptReference(name="greet"), "how"),
        (PromptReference(name="greet"), "nothing"),
        (PromptReference(name="no_such"), "whom"),
        (ResourceTemplateReference(uri="other://{x}"), "x"),
    ],
)
async def test_where_there_is_nothing_to_suggest_there_is_an_empty_list(
    registry: ToolRegistry, reference: Any, argument: str
) -> None:
    async with Client(serve(registry, prompts=[GREET]), raise_exceptions=True) as client:
        found = await client.complete(reference, {"name": argument, "value": ""})
        assert (found.completion.values, found.completion.total) == ([], 0)
