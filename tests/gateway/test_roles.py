"""Role by tool by face: what a caller may not use is not there, on any face."""

import json
from collections.abc import Iterable
from typing import Any

import pytest
from guarded_gateway import Guarded
from httpx2 import AsyncClient
from mcp import Client, MCPError

from gateway import Composition
from gateway._identity import Identity
from gateway._roles import ROLES, Role
from tercet import AnyTool, CallContext, Tool

pytestmark = pytest.mark.anyio

ALL = {"viewer", "operator", "approver", "admin"}
COMMANDS = {"operator", "admin"}
DECISIONS = {"approver", "admin"}

# By app and effect where all tools of an app are alike; the network's by name. A tool that is not
# found here fails the matrix: whoever adds it has to say who may use it.
RULES: dict[Any, set[str]] = {
    ("taylor", "read"): ALL,
    ("taylor", "write"): COMMANDS,
    ("objects", "read"): ALL,
    ("objects", "write"): COMMANDS,
    ("objects", "destructive"): COMMANDS,
    "NetworkApp1_get_measurements": ALL,
    "NetworkApp1_get_state": ALL,
    "NetworkApp1_power_model": ALL,
    "NetworkApp1_set_gain": COMMANDS,
    "NetworkApp1_set_state": COMMANDS,
    "LineTrim_get_measurements": ALL,
    "LineTrim_get_state": ALL,
    "LineTrim_set_tilt": COMMANDS,
    "LineTrim_set_voa": COMMANDS,
    "LineTrim_set_state": COMMANDS,
    "get_changes": ALL,
    "get_topology": ALL,
    "rollback_change": COMMANDS,
    "confirm_change": COMMANDS,
    "approve_change": DECISIONS,
    "reject_change": DECISIONS,
    "get_audit": DECISIONS,
    "set_read_only": {"admin"},
}


def may_use(role: str, tool: AnyTool) -> bool:
    shared = tool.app in ("taylor", "objects")
    return role in RULES[(tool.app, tool.effect) if shared else tool.name]


def expected(role: str, tools: Iterable[AnyTool]) -> dict[str, bool]:
    return {tool.name: may_use(role, tool) for tool in tools}


@pytest.mark.parametrize("mode", ["auto", "legacy"])
@pytest.mark.parametrize("role", ROLES)
async def test_over_mcp(guarded: Guarded, role: Role, mode: str) -> None:
    guarded.token("caller", role)
    tools = guarded.composition.registry.list_tools()
    async with guarded.mcp("caller", mode) as client:
        listed = {tool.name for tool in (await client.list_tools()).tools}
        called = {tool.name: await reached_over_mcp(client, tool.name) for tool in tools}
    assert called == expected(role, tools)
    assert listed == {name for name, allowed in called.items() if allowed}


async def reached_over_mcp(client: Client, name: str) -> bool:
    try:
        answer = await client.call_tool(name, {"never": "an argument"})
    except MCPError as error:
        if error.code != -32602:
            raise
        return False
    content: Any = answer.structured_content
    assert content["error_code"] == "INVALID_INPUT"
    return True


@pytest.mark.parametrize("role", ROLES)
async def test_over_rest(guarded: Guarded, role: Role) -> None:
    guarded.token("caller", role)
    tools = guarded.composition.registry.list_tools()
    async with guarded.rest("caller") as http:
        listed = {tool["name"] for tool in (await http.get("/mcp/tools")).json()["tools"]}
        by_app = {
            name
            for app in ("taylor", "objects", "network", "NetworkApp1", "LineTrim")
            for name in await listed_of_app(http, app)
        }
        called = {tool.name: await reached_over_rest(http, tool.name) for tool in tools}
        described = {
            tool.name: (await http.get(f"/mcp/schema/{tool.name}")).status_code == 200
            for tool in tools
        }
        counted = (await http.get("/mcp/")).json()["stats"]["total_tools"]
        healthy = (await http.get("/health")).json()["total_tools"]
    assert called == described == expected(role, tools)
    assert listed == by_app == {name for name, allowed in called.items() if allowed}
    assert counted == healthy == len(listed)


async def listed_of_app(http: AsyncClient, app: str) -> list[str]:
    return [tool["name"] for tool in (await http.get(f"/mcp/tools/{app}")).json()["tools"]]


async def reached_over_rest(http: AsyncClient, name: str) -> bool:
    body = {"name": name, "arguments": {"never": "an argument"}}
    error = (await http.post("/mcp/tools/call", json=body)).json()["error"]
    if error == f"Tool {name!r} not found":
        return False
    assert error.startswith("INVALID_INPUT")
    return True


@pytest.mark.parametrize("role", ROLES)
async def test_over_single_messages(guarded: Guarded, role: Role) -> None:
    guarded.token("caller", role)
    tools = guarded.composition.registry.list_tools()
    async with guarded.rest("caller") as http:

        async def ask(method: str, params: dict[str, Any]) -> Any:
            message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
            return (await http.post("/mcp/message", json=message)).json()

        listed = {tool["name"] for tool in (await ask("tools/list", {}))["result"]["tools"]}
        called: dict[str, bool] = {}
        for tool in tools:
            params = {"name": tool.name, "arguments": {"never": "an argument"}}
            answer = await ask("tools/call", params)
            called[tool.name] = "result" in answer
            if "error" in answer:
                assert answer["error"]["code"] == -32602
    assert called == expected(role, tools)
    assert listed == {name for name, allowed in called.items() if allowed}


@pytest.mark.parametrize("role", ROLES)
async def test_over_the_routes_of_apps(guarded: Guarded, role: Role) -> None:
    guarded.token("caller", role)
    line, app = guarded.composition.line, "/apps/NetworkApp1"
    gain = {"node_id": 8, "command": "SET_GAIN", "payload": {"target_gain": 13.0}}
    async with guarded.rest("caller") as http:
        read = [(await http.get(f"{app}/{what}")).status_code for what in ("info", "state")]
        set_state = await http.put(f"{app}/state", json={"state": "paused"})
        control = await http.post(f"{app}/control", json=gain)
    assert read == [200, 200]
    allowed = role in COMMANDS
    assert (set_state.status_code, control.status_code) == ((200, 200) if allowed else (404, 404))
    assert line.state()[8]["booster_gain_db"] == (13.0 if allowed else 12.0)


@pytest.mark.parametrize("role", ROLES)
async def test_a_program_has_no_powers_that_its_caller_has_not(
    guarded: Guarded, role: Role
) -> None:
    guarded.token("caller", role)
    step = {"tool": "set_read_only", "arguments": {"read_only": True}}
    async with guarded.rest("caller") as http:
        body = {"name": "run_program", "arguments": {"steps": [step]}}
        reply = (await http.post("/mcp/tools/call", json=body)).json()
    assert reply["success"] is (role == "admin")
    assert guarded.composition.controller.read_only is (role == "admin")


def test_a_tool_that_no_rule_names_is_nobodys() -> None:
    async def function(context: CallContext, arguments: dict[str, Any]) -> Any:
        raise AssertionError(context, arguments)

    stray = Tool.from_schema(
        name="stray",
        description="Of a kind that nobody thought of.",
        input_schema={"type": "object"},
        function=function,
        app="stray",
        kind="stray",
        effect="destructive",
        scopes=("stray",),
    )
    for role in ROLES:
        context = Identity(tenant="lab", subject="lab/x", role=role).context()
        assert not context.may_use(stray), role


async def test_every_tool_is_somebodys(composition: Composition) -> None:
    for tool in composition.registry:
        assert any(
            Identity(tenant="lab", subject="lab/x", role=role).context().may_use(tool)
            for role in ROLES
        ), tool.name


async def test_the_documents_name_no_tool_that_is_not_there(guarded: Guarded) -> None:
    guarded.token("caller", "viewer")
    async with guarded.rest("caller") as http:
        missing = await http.get("/mcp/schema/set_read_only")
        unknown = await http.get("/mcp/schema/set_read_onlx")
    assert json.loads(missing.text.replace("set_read_only", "x")) == json.loads(
        unknown.text.replace("set_read_onlx", "x")
    )
