"""Slow, huge and packed requests: each ends soon, and none reaches a tool."""

import gzip
import socket
from typing import Any

import anyio
import pytest
import uvicorn
from httpx2 import AsyncClient
from starlette.types import Message, Receive, Scope, Send

from gateway import _patience, listen_on
from gateway._whole_body import MOST_BODY_BYTES, WholeBody

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(30)]


async def end_of(stream: anyio.abc.SocketStream) -> bytes:
    """All that comes until the server closes the connection."""
    got = b""
    with anyio.fail_after(10):
        try:
            while True:
                got += await stream.receive()
        except (anyio.EndOfStream, anyio.BrokenResourceError):
            return got


async def connect(address: str) -> anyio.abc.SocketStream:
    host, port = address.removeprefix("http://").split(":")
    return await anyio.connect_tcp(host, int(port))


@pytest.mark.parametrize("sent", [b"", b"GET /health HTT", b"GET /health HTTP/1.1\r\nHost: x\r\n"])
async def test_a_connection_on_which_no_request_comes_is_closed(
    address: str, monkeypatch: pytest.MonkeyPatch, sent: bytes
) -> None:
    monkeypatch.setattr(_patience, "HEAD_TIMEOUT_S", 0.05)
    async with await connect(address) as slow:
        if sent:
            await slow.send(sent)
        assert await end_of(slow) == b""


async def test_a_byte_now_and_then_keeps_no_connection(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_patience, "HEAD_TIMEOUT_S", 0.2)
    async with await connect(address) as slow, anyio.create_task_group() as tasks:

        async def drip() -> None:
            await slow.send(b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n")
            try:
                while True:
                    await slow.send(b"x-a: b\r\n")
                    await anyio.sleep(0.01)
            except (anyio.BrokenResourceError, anyio.ClosedResourceError):
                pass

        tasks.start_soon(drip)
        assert await end_of(slow) == b""
        tasks.cancel_scope.cancel()


async def test_the_second_request_of_a_connection_has_no_more_time_than_the_first(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_patience, "HEAD_TIMEOUT_S", 0.5)
    request = b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    async with await connect(address) as slow:
        await slow.send(request)
        assert b"200 OK" in await slow.receive()
        await slow.send(request[:20])
        await end_of(slow)


async def test_a_request_that_is_being_answered_is_given_its_time(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_patience, "HEAD_TIMEOUT_S", 0.4)
    async with (
        AsyncClient(base_url=address) as http,
        http.stream("GET", "/mcp/sse") as reply,
    ):
        lines = reply.aiter_lines()
        heard = 0
        with anyio.fail_after(10):
            # The simulated line is measured every second: far longer than a head may take.
            async for line in lines:
                heard += "measurement" in line
                if heard == 7:
                    break


GET = b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n"


async def test_a_head_without_an_end_is_not_gathered(address: str) -> None:
    sent = 0
    async with await connect(address) as client, anyio.create_task_group() as tasks:

        async def pour() -> None:
            nonlocal sent
            await client.send(GET + b"x-long: ")
            try:
                while sent < 100 * 1024 * 1024:
                    await client.send(b"x" * 10_000)
                    sent += 10_000
            except (anyio.BrokenResourceError, anyio.ClosedResourceError):
                pass

        tasks.start_soon(pour)
        assert b"200 OK" not in await end_of(client)
        tasks.cancel_scope.cancel()
    # What is under way between two sockets counts as well.
    assert sent < 20 * 1024 * 1024


@pytest.mark.parametrize("head", [b"a: b\r\n" * 20_000, b"a: " + b"b" * 70_000 + b"\r\n"])
async def test_a_head_that_is_too_long_is_refused_as_it_comes_at_once(
    address: str, head: bytes
) -> None:
    async with await connect(address) as client:
        await client.send(GET + head + b"\r\n")
        assert b" 400 " in (await end_of(client))[:20]


async def test_a_long_body_behind_a_short_head_is_no_long_head(address: str) -> None:
    body = b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}' + b" " * 200_000
    head = b"POST /mcp/message HTTP/1.1\r\nHost: 127.0.0.1\r\ncontent-type: application/json\r\n"
    async with await connect(address) as client:
        await client.send(head + b"content-length: %d\r\n\r\n" % len(body) + body)
        with anyio.fail_after(10):
            assert b" 200 OK" in await client.receive()


async def test_a_body_in_many_small_parts_is_a_body(address: str) -> None:
    body = b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}' + b" " * 30_000
    parts = b"".join(b"1\r\n%c\r\n" % byte for byte in body) + b"0\r\n\r\n"
    head = b"POST /mcp/message HTTP/1.1\r\nHost: 127.0.0.1\r\ncontent-type: application/json\r\n"
    async with await connect(address) as client:
        await client.send(head + b"transfer-encoding: chunked\r\nconnection: close\r\n\r\n" + parts)
        assert b" 200 OK" in await end_of(client)


async def test_the_announcement_of_a_part_is_not_gathered_without_an_end(address: str) -> None:
    head = b"POST /mcp/message HTTP/1.1\r\nHost: 127.0.0.1\r\ncontent-type: application/json\r\n"
    async with await connect(address) as client, anyio.create_task_group() as tasks:

        async def pour() -> None:
            await client.send(head + b"transfer-encoding: chunked\r\n\r\n1;")
            try:
                while True:
                    await client.send(b"x" * 10_000)
            except (anyio.BrokenResourceError, anyio.ClosedResourceError):
                pass

        tasks.start_soon(pour)
        await end_of(client)
        tasks.cancel_scope.cancel()


async def test_many_requests_at_once_are_more_than_one_connection_may_send(address: str) -> None:
    async with await connect(address) as client:
        await client.send((GET + b"\r\n") * 12)
        got = b""
        with anyio.fail_after(10):
            while got.count(b" 200 OK") < 12:
                got += await client.receive()
    async with await connect(address) as client:
        await client.send((GET + b"\r\n") * 1_000)
        assert (await end_of(client)).count(b" 200 OK") < 1_000


async def test_an_offer_of_another_protocol_is_not_taken_up_and_no_reason_to_refuse(
    address: str,
) -> None:
    # As HTTP clients of Java send it.
    body = b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}'
    head = (
        b"POST /mcp/message HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade, HTTP2-Settings\r\n"
        b"Upgrade: h2c\r\nHTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA\r\n"
        b"content-type: application/json\r\ncontent-length: %d\r\n\r\n" % len(body)
    )
    async with await connect(address) as client:
        for _ in range(2):
            await client.send(head + body)
            with anyio.fail_after(10):
                assert b" 200 OK" in await client.receive()


async def test_what_follows_a_body_is_no_header() -> None:
    seen: list[list[bytes]] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        assert scope["type"] == "http"
        while (await receive())["more_body"]:
            pass
        seen.append([name for name, _ in scope["headers"]])
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    config = uvicorn.Config(app, http=_patience.PatientHttp, lifespan="off", log_config=None)
    server = uvicorn.Server(config)
    with listen_on("127.0.0.1", 0) as listener:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(lambda: server.serve(sockets=[listener]))
            async with await anyio.connect_tcp(*listener.getsockname()) as client:
                await client.send(
                    b"POST / HTTP/1.1\r\nHost: x\r\ntransfer-encoding: chunked\r\n\r\n"
                    b"1\r\n{\r\n0\r\nauthorization: Bearer x\r\n\r\n"
                )
                with anyio.fail_after(10):
                    assert b" 204 " in await client.receive()
            server.should_exit = True
    assert seen == [[b"host", b"transfer-encoding"]]


def body_app(timeout_s: float) -> tuple[WholeBody, list[bytes]]:
    reached: list[bytes] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        del scope
        message = await receive()
        assert not message["more_body"]
        reached.append(message["body"])
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    return WholeBody(app, timeout_s=timeout_s), reached


async def ask(app: WholeBody, parts: list[Message], headers: Any = ()) -> list[Message]:
    sent: list[Message] = []

    async def receive() -> Message:
        if parts:
            await anyio.lowlevel.checkpoint()
            return parts.pop(0)
        await anyio.sleep_forever()
        raise AssertionError

    async def send(message: Message) -> None:
        sent.append(message)

    with anyio.fail_after(10):
        await app({"type": "http", "headers": list(headers)}, receive, send)
    return sent


def part(body: bytes, *, more: bool) -> Message:
    return {"type": "http.request", "body": body, "more_body": more}


async def test_a_body_comes_whole() -> None:
    app, reached = body_app(1.0)
    sent = await ask(app, [part(b"ab", more=True), part(b"", more=True), part(b"c", more=False)])
    assert sent[0]["status"] == 200
    assert reached == [b"abc"]


async def test_a_body_that_does_not_come_ends_the_request() -> None:
    app, reached = body_app(0.01)
    sent = await ask(app, [part(b"{", more=True)])
    assert sent[0]["status"] == 408
    assert (b"connection", b"close") in sent[0]["headers"]
    assert reached == []


async def test_a_client_that_leaves_in_the_middle_of_its_body_reaches_nothing() -> None:
    app, reached = body_app(1.0)
    assert await ask(app, [part(b"{", more=True), {"type": "http.disconnect"}]) == []
    assert reached == []


@pytest.mark.parametrize(
    "length", [MOST_BODY_BYTES + 1, 10**9, 10**5000], ids=["one more", "a lot more", "5,001 digits"]
)
async def test_a_body_that_says_it_is_too_large_is_not_read(length: int) -> None:
    app, reached = body_app(1.0)
    digits = b"1" + b"0" * 5000 if length > 10**4000 else str(length).encode()
    sent = await ask(app, [], [(b"content-length", digits)])
    assert sent[0]["status"] == 413
    assert reached == []


async def test_a_body_that_grows_too_large_is_not_read_to_its_end() -> None:
    app, reached = body_app(1.0)
    megabyte = b"x" * 1024 * 1024
    parts = [part(megabyte, more=True) for _ in range(50)]
    sent = await ask(app, parts)
    assert sent[0]["status"] == 413
    assert len(parts) == 45
    assert reached == []


@pytest.mark.parametrize("length", [b"+1", b"-1", b"1_0", b"", b"\xb2"])
async def test_a_length_that_is_no_number_is_no_reason_to_crash(length: bytes) -> None:
    app, reached = body_app(1.0)
    await ask(app, [part(b"a", more=False)], [(b"content-length", length)])
    assert reached == [b"a"]


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "gzip, gzip", "GZIP"])
async def test_a_packed_body_is_never_unpacked(http: AsyncClient, encoding: str) -> None:
    bomb = gzip.compress(b" " * 10_000_000)
    headers = {"content-encoding": encoding, "content-type": "application/json"}
    for path in ("/mcp", "/mcp/message", "/mcp/tools/call"):
        answer = await http.post(path, content=bomb, headers=headers)
        assert answer.status_code == 415
        assert answer.headers["content-type"] == "application/problem+json"


async def test_what_is_no_http_is_left_to_others() -> None:
    seen: list[str] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        del receive, send
        seen.append(scope["type"])

    async def nothing(*_: Any) -> Any:
        raise AssertionError

    await WholeBody(app)({"type": "lifespan"}, nothing, nothing)
    assert seen == ["lifespan"]


def test_small_answers_are_sent_at_once() -> None:
    # Of a socket without a protocol asyncio does not switch off the delay of small parts.
    with listen_on("127.0.0.1", 0) as listener:
        assert listener.proto == socket.IPPROTO_TCP
