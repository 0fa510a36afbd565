"""Requests that a gateway meets on a bad day, and what may be answered to each."""

import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

_INIT: dict[str, Any] = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/list",
    "params": {
        "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        }
    },
}


@dataclass(frozen=True)
class Request:
    """What goes over the wire, how much of it, and which answers are right.

    Attributes:
        cut: After how many bytes the client goes away; None: it reads the answer.
    """

    kind: str
    sent: bytes
    allowed: frozenset[int]
    cut: int | None = None


def request(
    path: str, token: str | None, body: bytes = b"", *, method: str = "POST", **headers: str
) -> bytes:
    lines = [f"{method} {path} HTTP/1.1", "host: 127.0.0.1", "connection: close"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    if token is not None:
        lines.append(f"authorization: Bearer {token}")
    if body and "content_length" not in headers and "transfer_encoding" not in headers:
        lines.append(f"content-length: {len(body)}")
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


class Hostile:
    """Makes requests, the same for the same seed."""

    def __init__(self, token: str, seed: int) -> None:
        self._token = token
        self._random = random.Random(seed)  # noqa: S311 -- to be repeated, not to be secret
        self._makers: list[Callable[[], Request]] = [
            self._good_rest,
            self._good_mcp,
            self._wrong_token,
            self._bad_json,
            self._deep_json,
            self._huge_body,
            self._unknown_version,
            self._unknown_tool,
            self._wrong_arguments,
            self._no_http,
            self._packed,
            self._tasks,
            self._rounds,
        ]

    def next(self) -> Request:
        """One request; in a third of the cases the client goes away somewhere in it."""
        made = self._random.choice(self._makers)()
        if self._random.random() < 1 / 3:
            cut = self._random.randrange(len(made.sent) + 1)
            return Request(f"{made.kind}, cut", made.sent, made.allowed, cut)
        return made

    def _call(self, body: bytes, **headers: str) -> bytes:
        return request(
            "/mcp/tools/call", self._token, body, content_type="application/json", **headers
        )

    def _good_rest(self) -> Request:
        call = {
            "name": "parse_expression_to_mtf",
            "arguments": {"expression": "sin(x1)", "dimension": 1, "max_order": 4, "name": "w"},
        }
        return Request("good REST call", self._call(json.dumps(call).encode()), _ANSWERED)

    def _good_mcp(self) -> Request:
        return Request("good MCP call", self._modern("tools/list", {}), _ANSWERED)

    def _modern(self, method: str, params: dict[str, Any], name: str | None = None) -> bytes:
        given: dict[str, Any] = {**_INIT["params"], **params}
        body = json.dumps({**_INIT, "method": method, "params": given}).encode()
        named = {} if name is None else {"mcp_name": name}
        return request(
            "/mcp",
            self._token,
            body,
            content_type="application/json",
            accept="application/json, text/event-stream",
            mcp_protocol_version="2026-07-28",
            mcp_method=method,
            **named,
        )

    def _wrong_token(self) -> Request:
        path = self._random.choice(["/mcp", "/mcp/tools", "/apps", "/metrics", "/mcp/sse"])
        wrong = self._random.choice([None, "", "tercet_" + "A" * 43, "a.b.c", "\xe9" * 40])
        return Request("wrong token", request(path, wrong, method="GET"), frozenset({401}))

    def _bad_json(self) -> Request:
        body = self._random.choice([b"{", b"\xff\xfe", b"[1,", b"nul", b'{"name": "\\ud800"}'])
        path = self._random.choice(["/mcp", "/mcp/message", "/mcp/tools/call"])
        sent = request(
            path,
            self._token,
            body,
            content_type="application/json",
            accept="application/json, text/event-stream",
        )
        # JSON-RPC answers what it cannot read by an error in an answer of status 200.
        return Request("bad JSON", sent, _REFUSED | _ANSWERED)

    def _deep_json(self) -> Request:
        depth = self._random.choice([100, 10_000, 100_000])
        return Request("deep JSON", self._call(b"[" * depth + b"]" * depth), _REFUSED)

    def _huge_body(self) -> Request:
        if self._random.random() < 0.5:
            said = str(self._random.choice([5_000_000, 10**15]))
            return Request("huge body", self._call(b"{}", content_length=said), frozenset({413}))
        body = b"%x\r\n%s\r\n" % (4_400_000, b" " * 4_400_000)
        sent = self._call(body, transfer_encoding="chunked")
        return Request("huge body", sent, frozenset({413}))

    def _unknown_version(self) -> Request:
        version = self._random.choice(["1999-01-01", "2026-07-29", "", "x" * 1_000])
        sent = request(
            "/mcp",
            self._token,
            json.dumps(_INIT).encode(),
            content_type="application/json",
            accept="application/json, text/event-stream",
            mcp_protocol_version=version,
            mcp_method="tools/list",
        )
        return Request("unknown version", sent, _REFUSED)

    def _unknown_tool(self) -> Request:
        name = self._random.choice(["no_such_tool", "", "a" * 10_000, "../../etc/passwd"])
        body = json.dumps({"name": name, "arguments": {}}).encode()
        return Request("unknown tool", self._call(body), _REFUSED | _ANSWERED)

    def _wrong_arguments(self) -> Request:
        arguments = self._random.choice(
            [None, [], {"node_id": "3"}, {"mtf_ref": {"$ref": "x"}}, {"point": [1e400]}]
        )
        name = self._random.choice(["evaluate_mtf", "NetworkApp1_set_gain", "run_program"])
        body = json.dumps({"name": name, "arguments": arguments}).encode()
        return Request("wrong arguments", self._call(body), _REFUSED | _ANSWERED)

    def _no_http(self) -> Request:
        sent = self._random.choice(
            [
                b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
                b"GET\r\n\r\n",
                b"POST /mcp HTTP/9.9\r\n\r\n",
                b"GET /health HTTP/1.1\r\n" + b"a: b\r\n" * 20_000 + b"\r\n",
                request("/mcp/tools/call", self._token, b"{}", content_length="-1"),
            ]
        )
        return Request("no HTTP", sent, _REFUSED)

    def _packed(self) -> Request:
        return Request("packed body", self._call(b"\x1f\x8b", content_encoding="gzip"), _REFUSED)

    def _tasks(self) -> Request:
        """Ask about tasks that never were, or in a manner that none can be asked about."""
        method = self._random.choice(["tasks/get", "tasks/update", "tasks/cancel", "tasks/list"])
        task_id = self._random.choice(["", "A" * 32, "a" * 10_000, "../..", None, 7])
        answers = self._random.choice([{}, None, [], {"a": {"action": "accept"}}, {"a": 1}])
        known = {"extensions": {"io.modelcontextprotocol/tasks": {}}}
        meta: dict[str, Any] = {
            **_INIT["params"]["_meta"],
            "io.modelcontextprotocol/clientCapabilities": self._random.choice([{}, known]),
        }
        params = {"taskId": task_id, "inputResponses": answers, "_meta": meta}
        name = self._random.choice([None, task_id if isinstance(task_id, str) else "A" * 32])
        return Request("made-up task", self._modern(method, params, name), _REFUSED | _ANSWERED)

    def _rounds(self) -> Request:
        """Answer questions that were never put, with a state that is not the server's."""
        state = self._random.choice(["", "v1.AAAA", "v1." + "A" * 5_000, "{}", 7])
        answers = self._random.choice(
            [{}, [], {"confirm": {"action": "accept", "content": {"confirm": True}}}]
        )
        meta: dict[str, Any] = {
            **_INIT["params"]["_meta"],
            "io.modelcontextprotocol/clientCapabilities": {"elicitation": {"form": {}}},
        }
        params = {
            "name": "approve_change",
            "arguments": {"change_id": 1},
            "requestState": state,
            "inputResponses": answers,
            "_meta": meta,
        }
        sent = self._modern("tools/call", params, "approve_change")
        return Request("made-up round", sent, _REFUSED | _ANSWERED)


_ANSWERED = frozenset({200, 202, 429})
_REFUSED = frozenset({400, 401, 403, 404, 405, 406, 411, 413, 415, 421, 422, 429, 431, 505})
