"""A gateway on a bad day: whatever comes, it answers, forgets it, and ends in good order.

`just soak` sends many more requests than the fast tests do.
"""

import itertools
import os
import re
import signal
import sys
from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import anyio
import pytest
from anyio.abc import Process
from hostile_requests import Hostile, Request
from httpx2 import AsyncClient

from gateway import create_token

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(7_200)]

COMMAND = str(Path(sys.executable).with_name("tercet"))
REQUESTS = int(os.environ.get("TERCET_SOAK_REQUESTS", "1500"))
CLIENTS = 16
MOST_GROWTH_BYTES = 24 * 1024 * 1024


@dataclass(frozen=True)
class Served:
    process: Process
    port: int
    token: str
    log: Path

    def memory_bytes(self) -> int:
        resident = Path(f"/proc/{self.process.pid}/statm").read_text("ascii").split()[1]
        return int(resident) * os.sysconf("SC_PAGE_SIZE")

    def open_files(self) -> int:
        return len(list(Path(f"/proc/{self.process.pid}/fd").iterdir()))

    @asynccontextmanager
    async def client(self) -> AsyncGenerator[AsyncClient]:
        headers = {"authorization": f"Bearer {self.token}"}
        async with AsyncClient(base_url=f"http://127.0.0.1:{self.port}", headers=headers) as http:
            yield http


@pytest.fixture
async def served(tmp_path: Path) -> AsyncGenerator[Served]:
    """A gateway in a process of its own, with limits that a whole soak stays under."""
    tokens = tmp_path / "tokens.json"
    token = create_token(tokens, "soak", tenant="lab", role="admin")
    options = ("--port", "0", "--tokens", str(tokens), "--tenant-calls-per-minute", "10000000")
    log = tmp_path / "log"
    async with (
        await anyio.open_file(log, "wb") as stderr,
        await anyio.open_process(
            [COMMAND, "serve", *options], stderr=stderr.wrapped.fileno()
        ) as process,
    ):
        assert process.stdout is not None
        said, found = "", None
        with anyio.fail_after(60):
            while found is None:
                said += (await process.stdout.receive()).decode()
                found = re.search(r"http://127\.0\.0\.1:(\d+)/mcp", said)
        try:
            yield Served(process, int(found[1]), token, log)
        finally:
            if process.returncode is None:
                process.kill()


async def answer(port: int, request: Request) -> int | None:
    """The status that comes; None where the client went away, or the connection was closed."""
    got = b""
    async with await anyio.connect_tcp("127.0.0.1", port) as stream:
        try:
            await stream.send(request.sent[: request.cut])
            if request.cut is not None:
                return None
            with anyio.fail_after(60):
                while True:
                    got += await stream.receive()
        except anyio.EndOfStream:
            head = re.match(rb"HTTP/1\.1 (\d{3})", got)
            return int(head[1]) if head else None
        except anyio.BrokenResourceError:
            return None


async def attack(served: Served, requests: int, seed: int) -> Counter[tuple[str, int | None]]:
    """Send requests by several clients at a time, and count what was answered."""
    hostile, left = Hostile(served.token, seed), itertools.repeat(None, requests)
    seen: Counter[tuple[str, int | None]] = Counter()
    wrong: list[str] = []

    async def work() -> None:
        for _ in left:
            request = hostile.next()
            status = await answer(served.port, request)
            seen[request.kind, status] += 1
            if status is not None and status not in request.allowed:
                wrong.append(f"{request.kind}: {status} to {request.sent[:300]!r}")

    async with anyio.create_task_group() as tasks:
        for _ in range(CLIENTS):
            tasks.start_soon(work)
    assert wrong == []
    return seen


async def test_a_hostile_mix_is_answered_forgotten_and_ended_in_good_order(
    served: Served,
) -> None:
    # What is filled once is filled before anything is compared.
    await attack(served, max(REQUESTS // 3, 500), seed=1)
    memory, files = served.memory_bytes(), served.open_files()

    seen = await attack(served, REQUESTS, seed=2)

    statuses = {status for _, status in seen}
    assert {200, 401, 413} <= statuses
    assert not any(status is not None and status >= 500 for status in statuses)
    async with served.client() as http:
        assert (await http.get("/health")).json()["status"] == "healthy"
        metrics = (await http.get("/metrics")).text
    running = re.findall(r"^tercet_requests_in_flight(?:\{[^}]*\})? (\d+)", metrics, re.MULTILINE)
    assert running == ["1"], metrics[:2_000]
    # Memory is that of one sort of the machine's, which gives it back when it likes.
    assert served.memory_bytes() - memory < MOST_GROWTH_BYTES
    assert served.open_files() <= files + 2

    served.process.send_signal(signal.SIGTERM)
    with anyio.fail_after(30):
        # It ends what it does, and then by the signal, as its supervisor expects.
        assert await served.process.wait() in {0, -signal.SIGTERM}
    assert "Traceback" not in await anyio.Path(served.log).read_text("utf-8")
