"""The one MCP endpoint, over real HTTP, by the official client, in both eras."""

from collections.abc import AsyncGenerator
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client, MCPError

from gateway import Composition
from tercet import CallContext
from tercet.langchain import to_langchain

pytestmark = pytest.mark.anyio


@pytest.fixture(params=["auto", "legacy"])
async def client(request: pytest.FixtureRequest, address: str) -> AsyncGenerator[Client]:
    async with Client(f"{address}/mcp", mode=request.param) as made:
        yield made


async def result_of(client: Client, name: str, arguments: dict[str, Any]) -> Any:
    answer = await client.call_tool(name, arguments)
    assert not answer.is_error, answer
    content: Any = answer.structured_content
    return content["data"]["result"]


async def error_of(client: Client, name: str, arguments: dict[str, Any]) -> Any:
    answer = await client.call_tool(name, arguments)
    assert answer.is_error, answer
    return answer.structured_content


async def test_tools_of_both_families_are_in_one_list(client: Client) -> None:
    names = {tool.name for tool in (await client.list_tools()).tools}
    assert {
        "parse_expression_to_mtf",
        "create_taylor_map",
        "evaluate_mtf",
        "evaluate_taylor_map",
        "invert_taylor_map",
        "compute_partial_derivative",
        "NetworkApp1_set_gain",
        "NetworkApp1_get_measurements",
        "NetworkApp1_get_state",
        "NetworkApp1_set_state",
        "NetworkApp1_power_model",
    } <= names


async def test_a_map_is_made_inverted_and_evaluated(client: Client) -> None:
    made = await result_of(
        client,
        "create_taylor_map",
        {"expressions": ["x1 + x1^2"], "dimension": 1, "max_order": 9},
    )
    inverse = await result_of(client, "invert_taylor_map", {"map_ref": made["ref"]})
    (x,) = await result_of(
        client, "evaluate_taylor_map", {"map_ref": inverse["ref"], "point": [0.0101]}
    )
    # x + x² = 0.0101 at x = 0.01; the series is cut after order 9, which costs less than 1e-15.
    assert x == pytest.approx(0.01, abs=1e-14)


async def test_a_command_reaches_the_equipment(client: Client, composition: Composition) -> None:
    gain = {"node_id": 8, "amp_type": "booster", "target_gain": 14.0}
    planned = await result_of(client, "NetworkApp1_set_gain", {**gain, "dry_run": True})
    assert planned["status"] == "planned"
    assert composition.line.state()[8]["booster_gain_db"] == 12.0
    verified = await result_of(client, "NetworkApp1_set_gain", gain)
    assert verified["status"] == "verified"
    assert composition.line.state()[8]["booster_gain_db"] == 14.0


@pytest.mark.parametrize(
    ("arguments", "pointer", "nearest"),
    [
        ({"node_id": 8, "target_gian": 10}, "/target_gian", "target_gain"),
        ({"node_id": 8, "target_gain": "10"}, "/target_gain", None),
        ({"node_id": 7, "target_gain": 10}, "/node_id", 8),
        ({"node_id": 8, "target_gain": 10, "amp_type": "bost"}, "/amp_type", "booster"),
    ],
)
async def test_a_wrong_argument_names_the_pointer_and_the_fix_and_does_nothing(
    client: Client,
    composition: Composition,
    arguments: dict[str, Any],
    pointer: str,
    nearest: Any,
) -> None:
    before = composition.line.state()
    error = await error_of(client, "NetworkApp1_set_gain", arguments)
    assert error["error_code"] == "INVALID_INPUT"
    details = {detail["pointer"]: detail.get("nearest") for detail in error["details"]}
    assert details[pointer] == nearest
    assert composition.line.state() == before
    assert composition.controller.audit.records == ()


async def test_a_refused_command_is_an_error_with_the_nearest_value(client: Client) -> None:
    error = await error_of(client, "NetworkApp1_set_gain", {"node_id": 8, "target_gain": 30})
    assert error["error_code"] == "REJECTED"
    assert error["message"] == "target_gain 30.0 dB exceeds maximum of 25.0 dB"
    assert error["details"][0]["pointer"] == "/target_gain"
    assert error["details"][0]["nearest"] == 25.0


async def test_an_unknown_tool_is_a_protocol_error(client: Client) -> None:
    with pytest.raises(MCPError) as caught:
        await client.call_tool("no_such_tool", {})
    assert caught.value.code == -32602


@pytest.mark.parametrize(
    "expression",
    [
        "x1.__class__",
        "9**9**9",
        "\"__import__('os')\"",
        "__import__('os')",
        "x1+" * 33_333 + "x1",
        "(" * 10_000 + "x1" + ")" * 10_000,
    ],
    ids=["attribute", "power tower", "string", "import", "100 kB", "10,000 parentheses"],
)
async def test_a_hostile_expression_is_refused(client: Client, expression: str) -> None:
    arguments = {"expression": expression, "dimension": 1, "max_order": 3}
    error = await error_of(client, "parse_expression_to_mtf", arguments)
    assert error["error_code"] == "INVALID_INPUT"
    assert (await result_of(client, "list_objects", {}))["total"] == 0


async def test_a_stored_object_is_listed_and_read_as_a_resource(client: Client) -> None:
    made = await result_of(
        client,
        "parse_expression_to_mtf",
        {"expression": "sin(x1)", "dimension": 1, "max_order": 3, "name": "wave"},
    )
    assert made["ref"] == "wave"
    (resource,) = (await client.list_resources()).resources
    contents: Any = (await client.read_resource(str(resource.uri))).contents[0]
    assert "-0.1666" in contents.text


@pytest.mark.parametrize("path", ["/mcp", "/mcp/"])
async def test_both_spellings_of_the_endpoint_answer_without_a_redirect(
    address: str, path: str
) -> None:
    async with Client(f"{address}{path}") as client:
        assert (await client.list_tools()).tools


async def test_many_clients_at_once_get_their_own_answers(address: str) -> None:
    answers: dict[int, float] = {}

    async def ask(number: int) -> None:
        async with Client(f"{address}/mcp") as client:
            session = {"session_id": f"s{number}"}
            made = await result_of(
                client,
                "parse_expression_to_mtf",
                {"expression": f"{number}*x1", "dimension": 1, "max_order": 1, **session},
            )
            value = {"mtf_ref": made["ref"], "point": [2.0], **session}
            answers[number] = await result_of(client, "evaluate_mtf", value)

    async with anyio.create_task_group() as tasks:
        for number in range(6):
            tasks.start_soon(ask, number)
    assert answers == {number: 2.0 * number for number in range(6)}


async def test_a_foreign_page_cannot_reach_the_endpoint(address: str) -> None:
    async with httpx2.AsyncClient() as http:
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
        for header, status in (
            ({"origin": "https://evil.example"}, 403),
            ({"host": "evil.example"}, 421),
        ):
            answer = await http.post(f"{address}/mcp", json=body, headers=header)
            assert answer.status_code == status


async def test_every_face_shows_every_tool_alike(
    client: Client, address: str, composition: Composition
) -> None:
    declared = composition.registry.list_tools()
    over_mcp = {tool.name: tool for tool in (await client.list_tools()).tools}
    in_langchain = {tool.name: tool for tool in to_langchain(composition.registry, CallContext())}
    async with httpx2.AsyncClient() as http:
        listing = (await http.get(f"{address}/mcp/tools")).json()["tools"]
    over_rest = {tool["name"]: tool for tool in listing}
    names = [tool.name for tool in declared]
    assert list(over_mcp) == list(in_langchain) == list(over_rest) == names
    for tool in declared:
        assert over_mcp[tool.name].description == tool.description
        assert in_langchain[tool.name].description == tool.description
        assert over_rest[tool.name]["description"] == tool.description
        assert over_mcp[tool.name].input_schema == tool.input_schema
        assert in_langchain[tool.name].args_schema == tool.input_schema
        assert over_rest[tool.name]["inputSchema"] == tool.input_schema
