"""Listings that were answered before: the same bytes for the same question, and for no other."""

import json
from typing import Any

import anyio
import pytest
from httpx2 import AsyncClient
from starlette.types import Message, Receive, Scope, Send

from gateway import Composition
from gateway._answered_listings import AnsweredListings
from gateway._identity import Identity, identify
from tercet import ToolRegistry, tool

pytestmark = pytest.mark.anyio

META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}
HEADERS = {
    "content-type": "application/json",
    "accept": "application/json, text/event-stream",
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "tools/list",
}
ADMIN = Identity(tenant="lab", subject="ada", role="admin")


@tool(app="late", kind="test", effect="read")
async def late_comer() -> str:
    """Come late."""
    return "here"


def question(request_id: Any = 1, **params: Any) -> dict[str, Any]:
    params = {"_meta": META, **params}
    return {"jsonrpc": "2.0", "id": request_id, "method": "tools/list", "params": params}


class Server:
    """Answers every question with its number, behind a cache."""

    def __init__(self) -> None:
        self.asked = 0
        self.status, self.whole, self.registry = 200, True, ToolRegistry()
        self.meanwhile = lambda: None
        self._cached = AnsweredListings(self._answer, self.registry)

    async def _answer(self, _: Scope, receive: Receive, send: Send) -> None:
        message = await receive()
        request_id = json.loads(message["body"]).get("id")
        self.asked += 1
        self.meanwhile()
        body = json.dumps(
            {"jsonrpc": "2.0", "id": request_id, "result": self.asked}, separators=(",", ":")
        ).encode()
        headers = [(b"content-length", b"%d" % len(body)), (b"content-type", b"application/json")]
        await send({"type": "http.response.start", "status": self.status, "headers": headers})
        await send({"type": "http.response.body", "body": body, "more_body": not self.whole})
        if not self.whole:
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def ask(
        self, body: Any, identity: Identity = ADMIN, headers: dict[str, str] | None = None
    ) -> Any:
        raw = [(n.encode(), v.encode()) for n, v in (headers or HEADERS).items()]
        scope: dict[str, Any] = {"type": "http", "method": "POST", "headers": raw}
        identify(scope, identity)
        content, sent = json.dumps(body).encode(), list[Message]()

        async def receive() -> Message:
            return {"type": "http.request", "body": content, "more_body": False}

        async def send(message: Message) -> None:
            sent.append(message)

        with anyio.fail_after(10):
            await self._cached(scope, receive, send)
        got = b"".join(m["body"] for m in sent[1:])
        assert dict(sent[0]["headers"])[b"content-length"] == b"%d" % len(got)
        answer = json.loads(got)
        assert answer["id"] == body.get("id")
        return answer["result"]


@pytest.mark.parametrize("request_id", [2, "1", 'a "quoted" ✓', -5, 10**30])
async def test_a_question_is_answered_once_whatever_its_number(request_id: Any) -> None:
    server = Server()
    assert await server.ask(question(1)) == 1
    assert await server.ask(question(request_id)) == 1
    assert server.asked == 1


@pytest.mark.parametrize(
    ("body", "identity", "headers"),
    [
        (question(cursor="next"), ADMIN, None),
        (question(_meta={**META, "more": 1}), ADMIN, None),
        (question(), Identity(tenant="lab", subject="ada", role="viewer"), None),
        (question(), Identity(tenant="lab", subject="a", role="admin", apps=frozenset("x")), None),
        (question(), ADMIN, {**HEADERS, "accept": "application/json"}),
        (question(), ADMIN, {**HEADERS, "mcp-protocol-version": "2025-11-25"}),
        (question(), ADMIN, {**HEADERS, "mcp-name": "x"}),
    ],
)
async def test_another_question_is_asked(
    body: Any, identity: Identity, headers: dict[str, str] | None
) -> None:
    server = Server()
    assert await server.ask(question()) == 1
    assert await server.ask(body, identity, headers) == 2
    assert await server.ask(question()) == 1


@pytest.mark.parametrize(
    "body",
    [
        {**question(), "method": "tools/call"},
        question(request_id=None),
        question(request_id=True),
        question(request_id=1.0),
        question(_meta={**META, "long": "x" * 5_000}),
    ],
)
async def test_what_is_no_plain_question_is_always_asked(body: Any) -> None:
    server = Server()
    assert [await server.ask(body) for _ in range(2)] == [1, 2]


async def test_only_whole_good_answers_are_kept() -> None:
    server = Server()
    server.status = 400
    assert [await server.ask(question()) for _ in range(2)] == [1, 2]
    server.status, server.whole = 200, False
    assert [await server.ask(question()) for _ in range(2)] == [3, 4]


async def test_other_tools_are_another_answer() -> None:
    server = Server()
    assert await server.ask(question()) == 1
    server.registry.register_tool(late_comer)
    assert await server.ask(question()) == 2
    # While a listing is written, which may be of the tools before.
    server.registry.unregister_tool("late_comer")
    server.meanwhile = lambda: server.registry.register_tool(late_comer)
    assert await server.ask(question()) == 3
    server.meanwhile = lambda: None
    assert await server.ask(question()) == 4


async def test_a_listing_is_that_of_the_tools_there_are(
    http: AsyncClient, composition: Composition
) -> None:
    async def names(number: int) -> set[str]:
        answer = await http.post("/mcp", json=question(number), headers=HEADERS)
        assert answer.status_code == 200
        said = answer.json()
        assert said["id"] == number
        assert said["result"]["ttlMs"] == 5_000
        return {listed["name"] for listed in said["result"]["tools"]}

    before = await names(1)
    assert await names(2) == before
    composition.registry.register_tool(late_comer)
    assert await names(3) == before | {"late_comer"}


async def test_what_is_no_json_is_refused_as_ever(http: AsyncClient) -> None:
    for content in (b"{", b"[]", b"[" * 3_000, b"\xff"):
        answer = await http.post("/mcp", content=content, headers=HEADERS)
        assert answer.status_code == 400
