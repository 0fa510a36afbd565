from typing import Any

import anyio
import anyio.lowlevel
import pytest
from httpx2 import AsyncClient
from jsonschema import Draft202012Validator
from starlette.types import Message
from structlog.testing import capture_logs

from gateway import Composition, create_app
from tercet import Tool

pytestmark = pytest.mark.anyio


async def call(http: AsyncClient, name: str, arguments: dict[str, Any]) -> Any:
    response = await http.post("/mcp/tools/call", json={"name": name, "arguments": arguments})
    assert response.status_code == 200
    return response.json()


async def test_health_counts_what_is_served(http: AsyncClient, composition: Composition) -> None:
    health = (await http.get("/health")).json()
    assert health["status"] == "healthy"
    assert health["apps"] == {"NetworkApp1": "stopped", "LineTrim": "stopped"}
    assert health["total_tools"] == len(composition.registry)


@pytest.mark.parametrize("path", ["/mcp", "/mcp/"])
async def test_a_plain_get_of_the_endpoint_says_what_is_here(
    http: AsyncClient, path: str, composition: Composition
) -> None:
    info = (await http.get(path)).json()
    assert (info["name"], info["protocol"], info["transport"]) == (
        "aic-controller",
        "MCP",
        "HTTP/SSE",
    )
    stats = info["stats"]
    assert set(stats) == {"total_tools", "total_apps", "apps", "tools_by_type"}
    assert stats["total_tools"] == len(composition.registry)
    # SET_GAIN of the one app, SET_TILT and SET_VOA of the other.
    assert stats["tools_by_type"]["control"] == 3
    assert stats["tools_by_type"]["measurement"] == 2
    assert stats["tools_by_type"]["state"] == 4
    assert stats["tools_by_type"]["agent_controlled"] == 1
    assert {"NetworkApp1", "LineTrim"} <= set(stats["apps"])


async def test_tools_are_listed_in_the_documented_shape(http: AsyncClient) -> None:
    listing = (await http.get("/mcp/tools")).json()
    assert set(listing) == {"tools", "count"}
    assert listing["count"] == len(listing["tools"])
    by_name = {tool["name"]: tool for tool in listing["tools"]}
    gain = by_name["NetworkApp1_set_gain"]
    assert set(gain) == {"name", "description", "inputSchema"}
    assert gain["description"].startswith("Set amplifier gain. App: NetworkApp1, Nodes: [8]")
    properties = gain["inputSchema"]["properties"]
    assert properties["node_id"]["enum"] == [8]
    assert properties["amp_type"]["enum"] == ["line", "preamp", "booster"]
    assert properties["target_gain"]["type"] == "number"
    assert gain["inputSchema"]["required"] == ["node_id", "target_gain"]
    for tool in listing["tools"]:
        Draft202012Validator.check_schema(tool["inputSchema"])


async def test_tools_are_listed_by_app(http: AsyncClient) -> None:
    listing = (await http.get("/mcp/tools/NetworkApp1")).json()
    assert listing["app"] == "NetworkApp1"
    assert [tool["name"] for tool in listing["tools"]] == [
        "NetworkApp1_get_measurements",
        "NetworkApp1_get_state",
        "NetworkApp1_power_model",
        "NetworkApp1_set_gain",
        "NetworkApp1_set_state",
    ]
    missing = await http.get("/mcp/tools/NoApp")
    assert missing.status_code == 404
    assert missing.headers["content-type"] == "application/problem+json"
    assert missing.json() == {
        "type": "about:blank",
        "title": "Not Found",
        "status": 404,
        "detail": "No tools found for app 'NoApp'",
    }


async def test_a_schema_is_looked_up(http: AsyncClient) -> None:
    schema = (await http.get("/mcp/schema/NetworkApp1_set_gain")).json()
    assert set(schema) == {"name", "description", "inputSchema", "app", "type"}
    assert (schema["app"], schema["type"]) == ("NetworkApp1", "control")
    missing = await http.get("/mcp/schema/x")
    assert (missing.status_code, missing.json()["detail"]) == (404, "Tool 'x' not found")


async def test_a_call_answers_in_the_documented_shape(http: AsyncClient) -> None:
    reply = await call(http, "NetworkApp1_set_state", {"state": "running"})
    assert reply == {
        "success": True,
        "result": {"app": "NetworkApp1", "state": "running", "previous_state": "stopped"},
    }


async def test_an_unknown_tool_is_no_success(http: AsyncClient) -> None:
    assert await call(http, "unknown_tool", {}) == {
        "success": False,
        "error": "Tool 'unknown_tool' not found",
    }


async def test_a_rejected_command_is_told_in_the_documented_shape(
    http: AsyncClient, composition: Composition
) -> None:
    before = composition.line.state()
    arguments = {"node_id": 8, "amp_type": "booster", "target_gain": 30.0}
    assert await call(http, "NetworkApp1_set_gain", arguments) == {
        "success": True,
        "result": {
            "app": "NetworkApp1",
            "node_id": 8,
            "command": {
                "command": "SET_GAIN",
                "payload": {"amp_type": "booster", "target_gain": 30.0},
            },
            "status": "rejected",
            "reason": "target_gain 30.0 dB exceeds maximum of 25.0 dB",
        },
    }
    assert composition.line.state() == before


async def test_a_verified_command_says_so_and_changed_the_line(
    http: AsyncClient, composition: Composition
) -> None:
    arguments = {"node_id": 8, "amp_type": "booster", "target_gain": 13.0}
    reply = await call(http, "NetworkApp1_set_gain", arguments)
    assert reply["success"]
    assert reply["result"]["status"] == "verified"
    assert composition.line.state()[8]["booster_gain_db"] == 13.0


async def test_an_operation_of_a_stopped_app_says_how_to_go_on(http: AsyncClient) -> None:
    assert await call(http, "NetworkApp1_power_model", {"node_id": 8}) == {
        "success": True,
        "result": {
            "error": "App 'NetworkApp1' is not running (state: stopped). Start the app first."
        },
    }


async def test_a_node_outside_the_enum_is_refused_before_anything_happens(
    http: AsyncClient, composition: Composition
) -> None:
    before = composition.line.state()
    reply = await call(http, "NetworkApp1_set_gain", {"node_id": 3, "target_gain": 10})
    assert set(reply) == {"success", "error"}
    assert reply["success"] is False
    assert reply["error"].startswith("INVALID_INPUT: ")
    assert "/node_id: expected one of [8], got 3 (nearest: 8)" in reply["error"]
    assert composition.line.state() == before


async def test_a_malformed_request_is_a_client_error(http: AsyncClient) -> None:
    assert (await http.post("/mcp/tools/call", json={"arguments": {}})).status_code == 422
    assert (await http.post("/mcp/tools/call", json={"name": "x", "args": {}})).status_code == 422
    wrong = await http.post("/mcp/tools/call", content=b"{")
    assert wrong.status_code == 422
    assert wrong.headers["content-type"] == "application/problem+json"
    assert wrong.json()["errors"][0]["loc"][0] == "body"


async def test_the_openapi_document_names_every_route(http: AsyncClient) -> None:
    paths = set((await http.get("/openapi.json")).json()["paths"])
    assert paths == {
        "/health",
        "/metrics",
        "/mcp",
        "/mcp/",
        "/mcp/tools",
        "/mcp/tools/{app_name}",
        "/mcp/schema/{tool_name}",
        "/mcp/tools/call",
        "/mcp/message",
        "/mcp/sse",
        "/apps",
        "/apps/{app_name}/info",
        "/apps/{app_name}/state",
        "/apps/{app_name}/measurements",
        "/apps/{app_name}/control",
    }


@pytest.mark.parametrize("path", ["/health", "/mcp", "/mcp/tools"])
async def test_foreign_names_and_pages_are_turned_away(http: AsyncClient, path: str) -> None:
    rebound = await http.get(path, headers={"host": "evil.example"})
    assert rebound.status_code == 421
    assert rebound.headers["content-type"] == "application/problem+json"
    assert rebound.json()["status"] == 421
    posted = await http.get(path, headers={"origin": "https://evil.example"})
    assert posted.status_code == 403
    own = await http.get(path, headers={"origin": "http://localhost:3000"})
    assert own.status_code == 200


async def test_a_body_that_is_too_large_is_turned_away(http: AsyncClient) -> None:
    body = b'{"name": "evaluate_mtf", "arguments": {"mtf_ref": "' + b"x" * 5_000_000 + b'"}}'
    headers = {"content-type": "application/json"}
    answer = await http.post("/mcp/tools/call", content=body, headers=headers)
    assert answer.status_code == 413


@pytest.mark.parametrize(
    "body",
    [
        b'{"name": "evaluate_mtf", "arguments": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"name": "evaluate_mtf", "arguments": {"point": 1' + b"0" * 5_000 + b"}}",
        b'{"name": "evaluate_mtf", "arguments": {"mtf_ref": "\\ud800", "point": [1]}}',
        b'{"name": "\\ud800", "arguments": {}}',
        b'{"name": "evaluate_mtf", "arguments": {"mtf_ref": "a", "point": [NaN, Infinity]}}',
        b"\xff\xfe",
    ],
)
async def test_a_hostile_body_is_answered_and_never_a_crash(http: AsyncClient, body: bytes) -> None:
    headers = {"content-type": "application/json"}
    answer = await http.post("/mcp/tools/call", content=body, headers=headers)
    assert answer.status_code in (200, 400, 422)
    if answer.status_code == 200:
        assert answer.json()["success"] is False


async def test_a_client_that_goes_away_is_no_defect_of_the_gateway(
    composition: Composition,
) -> None:
    started = anyio.Event()

    async def waits(arguments: dict[str, Any]) -> Any:
        del arguments
        started.set()
        await anyio.sleep_forever()

    tool = Tool.from_schema(
        name="wait_for_ever",
        description="Waits.",
        input_schema={"type": "object"},
        function=lambda _, arguments: waits(arguments),
        app="other",
        kind="other",
        effect="read",
        session=True,
    )
    composition.registry.register_tool(tool)
    app = create_app(composition)
    answers: list[int] = []
    body = {
        "type": "http.request",
        "body": b'{"name": "wait_for_ever", "arguments": {}}',
        "more_body": False,
    }
    parts = iter([body])

    async def receive() -> Message:
        if (part := next(parts, None)) is not None:
            return part
        await started.wait()
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        await anyio.lowlevel.checkpoint()
        answers.append(message.get("status", 0))

    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": "/mcp/tools/call",
        "raw_path": b"/mcp/tools/call",
        "query_string": b"",
        "headers": [(b"host", b"127.0.0.1"), (b"content-type", b"application/json")],
    }
    with anyio.fail_after(10), capture_logs() as logs:
        async with app.router.lifespan_context(app):
            await app(scope, receive, send)
    # Nobody reads the answer, and there is one, as there is for every request.
    assert answers[0] == 499
    assert "request crashed" not in {entry["event"] for entry in logs}
