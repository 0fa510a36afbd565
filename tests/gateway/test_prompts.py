"""Prompts over every face: who does not reach a family of tools is not taught to use it."""

import sys
from pathlib import Path
from typing import Any

import pytest
from guarded_gateway import Guarded
from mcp import Client, MCPError, StdioServerParameters
from mcp.types import PromptReference

from netctl.apps.line import line_controller
from netctl.tools import network_prompts

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(60)]

COMMAND = str(Path(sys.executable).with_name("tercet"))
TAYLOR = {"da-expert", "sandalwood-da-expert"}
NETWORK = {"network-operator"}


async def names_of(client: Client) -> set[str]:
    return {prompt.name for prompt in (await client.list_prompts()).prompts}


@pytest.mark.parametrize(
    ("apps", "offered"),
    [
        (None, TAYLOR | NETWORK),
        (("network",), NETWORK),
        (("NetworkApp1",), set[str]()),
        (("NetworkApp1", "network"), NETWORK),
        (("taylor",), TAYLOR),
        (("objects",), set[str]()),
    ],
)
@pytest.mark.parametrize("role", ["viewer", "operator", "approver", "admin"])
async def test_a_token_is_offered_the_prompts_of_its_apps(
    guarded: Guarded, role: str, apps: tuple[str, ...] | None, offered: set[str]
) -> None:
    guarded.token("someone", role, apps=apps)
    async with guarded.mcp("someone") as client:
        assert await names_of(client) == offered
        for name in (TAYLOR | NETWORK) - offered:
            with pytest.raises(MCPError) as hidden:
                await client.get_prompt(name)
            with pytest.raises(MCPError) as unknown:
                await client.get_prompt("none")
            assert hidden.value.code == unknown.value.code
            assert hidden.value.message.replace(name, "none") == unknown.value.message
        task = {"name": "task", "value": ""}
        for name in TAYLOR | NETWORK:
            found = await client.complete(PromptReference(name=name), task)
            assert bool(found.completion.values) == (name in offered)


async def test_a_single_message_obeys_the_same_rule(guarded: Guarded) -> None:
    guarded.token("someone", "operator", apps=("network",))
    body = {"jsonrpc": "2.0", "id": 1, "method": "prompts/list", "params": {}}
    async with guarded.rest("someone") as http:
        listed = (await http.post("/mcp/message", json=body)).json()["result"]["prompts"]
    assert {prompt["name"] for prompt in listed} == NETWORK


@pytest.mark.parametrize(("only", "offered"), [("taylor", TAYLOR), ("network", NETWORK)])
async def test_one_family_alone_has_its_own_prompts(only: str, offered: set[str]) -> None:
    command = StdioServerParameters(command=COMMAND, args=["mcp", "--only", only])
    async with Client(command) as client:
        assert await names_of(client) == offered


async def test_the_networks_prompt_names_tools_and_words_that_there_are(guarded: Guarded) -> None:
    async with guarded.mcp("root") as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        given: Any = await client.get_prompt(
            "network-operator", {"task": "Level node 8", "app": "NetworkApp1"}
        )
    text: str = given.messages[0].content.text
    assert "The task: Level node 8" in text
    assert "in the name of the app NetworkApp1" in text
    for name in ("get_topology", "get_changes", "confirm_change", "rollback_change"):
        assert name in text
        assert name in tools
    assert "{App}_get_measurements" in text
    gain = tools["NetworkApp1_set_gain"].input_schema["properties"]
    for argument in ("dry_run", "confirm_within_s", "idempotency_key"):
        assert argument in text
        assert argument in gain


def test_the_networks_prompt_takes_a_task_for_words_and_nothing_more() -> None:
    (prompt,) = network_prompts(line_controller())
    text = prompt.render({"task": "{app} {0}"})
    assert "The task: {app} {0}" in text
    plain = prompt.render()
    assert "The task" not in plain
    assert "None" not in plain


@pytest.mark.parametrize(
    ("argument", "typed", "values"),
    [
        ("app", "", ["LineTrim", "NetworkApp1"]),
        ("app", "net", ["NetworkApp1"]),
        ("node_id", "", ["3", "4", "5", "6", "7", "8"]),
        ("node_id", "3", ["3"]),
    ],
)
async def test_apps_and_nodes_are_offered_for_the_blanks(
    guarded: Guarded, argument: str, typed: str, values: list[str]
) -> None:
    async with guarded.mcp("root") as client:
        found = await client.complete(
            PromptReference(name="network-operator"), {"name": argument, "value": typed}
        )
        told: Any = await client.get_prompt("network-operator", {"node_id": "8"})
    assert found.completion.values == values
    assert "It is about node 8." in told.messages[0].content.text
