"""The OpenAPI document and the gateway agree: whatever the one says is asked of the other."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from guarded_gateway import Guarded
from httpx2 import ASGITransport, AsyncClient
from hypothesis import settings

from gateway import AccessSettings, compose, create_app, create_token

PROGRAM = Path(__file__).parents[1] / "support" / "openapi_check.py"
examples = settings.default.max_examples if settings.default else 50

# A request takes some milliseconds where a sum takes some microseconds, and there are twenty
# operations: so there are fewer examples of each than of a law.
MOST_EXAMPLES = min(1_000, examples // 2)


def ask_for_everything(folder: Path, *options: str) -> dict[str, Any]:
    """Exercise every operation of a gateway's own document, and give what came out of it."""
    findings = folder / "findings.json"
    command = [sys.executable, str(PROGRAM), str(findings), str(MOST_EXAMPLES), *options]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return json.loads(findings.read_text(encoding="utf-8"))


def operations_of(document: dict[str, Any]) -> set[str]:
    return {
        f"{method.upper()} {path}"
        for path, operations in document["paths"].items()
        for method in operations
    }


def assert_kept(findings: dict[str, Any]) -> None:
    faults: list[str] = findings["faults"]
    assert not faults, "\n\n".join(dict.fromkeys(faults))
    # Nothing that is never answered with a success has had that success looked at.
    served = {
        label
        for label, statuses in findings["statuses"].items()
        if any(200 <= status < 300 for status in statuses)
    }
    assert operations_of(findings["document"]) <= served


@pytest.mark.timeout(1_800)
def test_the_open_gateway_does_what_its_document_says(tmp_path: Path) -> None:
    assert_kept(ask_for_everything(tmp_path))


@pytest.mark.timeout(1_800)
def test_a_gateway_that_asks_for_tokens_does_what_its_document_says(tmp_path: Path) -> None:
    findings = ask_for_everything(tmp_path, "--tokens", str(tmp_path / "tokens.json"))
    assert_kept(findings)
    # A request without a token was made as well, and was refused, by whatever needs one.
    refused = {label for label, statuses in findings["statuses"].items() if 401 in statuses}
    open_to_all = {
        "GET /health",
        "GET /.well-known/oauth-protected-resource",
        "GET /.well-known/oauth-protected-resource/mcp",
    }
    assert operations_of(findings["document"]) - open_to_all <= refused
    assert not open_to_all & refused


# --- what the document says ------------------------------------------------------------------


def guarded_document(tmp_path: Path) -> dict[str, Any]:
    create_token(tmp_path / "tokens.json", "root", tenant="lab", role="admin")
    access = AccessSettings(tokens=tmp_path / "tokens.json")
    return create_app(compose(), access).openapi()


def test_every_error_is_a_problem_but_those_of_json_rpc(tmp_path: Path) -> None:
    json_rpc = {("/mcp", code) for code in ("400", "404", "406")}
    json_rpc |= {("/mcp/", code) for code in ("400", "404", "406")} | {("/mcp/message", "400")}
    document = guarded_document(tmp_path)
    for path, operations in document["paths"].items():
        for operation in operations.values():
            for status, answer in operation["responses"].items():
                if status < "400":
                    continue
                media_type = (
                    "application/json" if (path, status) in json_rpc else "application/problem+json"
                )
                assert list(answer["content"]) == [media_type], (path, status)
    assert {"Problem", "JsonRpcRequest"} <= set(document["components"]["schemas"])
    assert not {"HTTPValidationError", "ValidationError"} & set(document["components"]["schemas"])


def test_every_reference_of_the_document_leads_somewhere(tmp_path: Path) -> None:
    document = guarded_document(tmp_path)

    def references(value: Any) -> Iterator[str]:
        if isinstance(value, dict):
            for key, inner in value.items():
                if key == "$ref":
                    yield inner
                else:
                    yield from references(inner)
        elif isinstance(value, list):
            for inner in value:
                yield from references(inner)

    named = {f"#/components/schemas/{name}" for name in document["components"]["schemas"]}
    assert set(references(document)) <= named


def test_every_operation_has_a_name_of_its_own(tmp_path: Path) -> None:
    names = [
        operation["operationId"]
        for operations in guarded_document(tmp_path)["paths"].values()
        for operation in operations.values()
    ]
    assert len(names) == len(set(names))


def test_tokens_are_told_of_where_they_are_asked_and_nowhere_else(tmp_path: Path) -> None:
    document = guarded_document(tmp_path)
    assert document["components"]["securitySchemes"]["bearerToken"]["scheme"] == "bearer"
    assert document["security"] == [{"bearerToken": []}]
    assert document["paths"]["/health"]["get"]["security"] == [{}, {"bearerToken": []}]
    assert "401" not in document["paths"]["/health"]["get"]["responses"]
    assert "www-authenticate" in {
        header.lower()
        for header in document["paths"]["/apps"]["get"]["responses"]["401"]["headers"]
    }

    opened = create_app(compose()).openapi()
    assert "security" not in opened
    assert "securitySchemes" not in opened["components"]
    assert "/.well-known/oauth-protected-resource" not in opened["paths"]
    for operations in opened["paths"].values():
        for operation in operations.values():
            assert "401" not in operation["responses"]


def test_streams_of_events_and_metrics_have_their_own_media_types() -> None:
    paths = create_app(compose()).openapi()["paths"]
    stream = paths["/mcp/sse"]["get"]["responses"]["200"]["content"]
    assert list(stream) == ["text/event-stream"]
    assert list(paths["/metrics"]["get"]["responses"]["200"]["content"]) == ["text/plain"]
    answers = paths["/mcp"]["post"]["responses"]["200"]["content"]
    assert set(answers) == {"application/json", "text/event-stream"}


def test_ending_a_session_is_there_where_sessions_are() -> None:
    assert "delete" not in create_app(compose()).openapi()["paths"]["/mcp"]
    with_sessions = create_app(compose(), sessions=True).openapi()
    assert with_sessions["paths"]["/mcp"]["delete"]["responses"]["404"]
    # Given twice, it is the same.
    app = create_app(compose())
    assert app.openapi() is app.openapi()


# --- what the tool found, by itself ----------------------------------------------------------


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("DELETE", "/apps/NetworkApp1/state", "GET, PUT"),
        ("PATCH", "/apps/no_such_app/state", "GET, PUT"),
        ("GET", "/apps/NetworkApp1/control", "POST"),
        ("PUT", "/mcp/tools/call", "GET, POST"),
        ("POST", "/metrics", "GET"),
        ("PUT", "/mcp", "GET, HEAD, POST"),
        ("DELETE", "/mcp/", "GET, HEAD, POST"),
        ("OPTIONS", "/openapi.json", "GET, HEAD"),
    ],
)
async def test_a_refused_method_is_told_every_one_that_the_path_takes(
    http: AsyncClient, method: str, path: str, allowed: str
) -> None:
    reply = await http.request(method, path)
    assert (reply.status_code, reply.headers["allow"]) == (405, allowed)
    assert reply.headers["content-type"] == "application/problem+json"
    assert allowed in reply.json()["detail"]


@pytest.mark.anyio
async def test_the_metadata_is_for_reading(guarded: Guarded) -> None:
    async with guarded.rest() as stranger:
        for path in ("", "/mcp"):
            reply = await stranger.put(f"/.well-known/oauth-protected-resource{path}")
            assert (reply.status_code, reply.headers["allow"]) == (405, "GET, HEAD")


@pytest.mark.anyio
@pytest.mark.parametrize("media_type", ["text/plain", "application/jsonp", None])
async def test_mcp_in_another_media_type_is_a_problem(
    http: AsyncClient, media_type: str | None
) -> None:
    headers = {"accept": "application/json, text/event-stream"}
    headers |= {"content-type": media_type} if media_type else {}
    ping = b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}'
    reply = await http.post("/mcp", content=ping, headers=headers)
    assert (reply.status_code, reply.json()["status"]) == (415, 415)
    headers["content-type"] = "application/json; charset=utf-8"
    assert (await http.post("/mcp", content=ping, headers=headers)).status_code == 200


@pytest.mark.anyio
async def test_a_session_is_ended_by_a_method_that_only_sessions_have() -> None:
    app = create_app(compose(), sessions=True)
    async with app.router.lifespan_context(app):
        transport = ASGITransport(app=app)
        async with AsyncClient(transport=transport, base_url="http://127.0.0.1") as http:
            assert (await http.delete("/mcp")).status_code == 400
            assert (await http.put("/mcp")).headers["allow"] == "GET, HEAD, POST, DELETE"


@pytest.mark.anyio
@pytest.mark.parametrize("node_id", ["8", True, 8.5, None])
async def test_a_number_of_a_node_is_a_number(http: AsyncClient, node_id: Any) -> None:
    body = {"node_id": node_id, "command": "SET_GAIN", "payload": {"target_gain": 13.0}}
    reply = await http.post("/apps/NetworkApp1/control", json=body)
    assert (reply.status_code, reply.json()["errors"][0]["loc"]) == (422, ["body", "node_id"])
    whole = await http.post("/apps/NetworkApp1/control", json={**body, "node_id": 8.0})
    assert whole.json()["status"] == "verified"


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/mcp/tools/call"),
        ("PUT", "/apps/NetworkApp1/state"),
        ("POST", "/apps/NetworkApp1/control"),
    ],
)
async def test_a_body_that_is_no_text_is_a_problem(
    http: AsyncClient, method: str, path: str
) -> None:
    headers = {"content-type": "application/json"}
    reply = await http.request(method, path, content=b'{"\xe9": 1}', headers=headers)
    assert (reply.status_code, reply.json()["title"]) == (400, "Bad Request")
