"""What one call costs a server: processor time, and how long callers wait.

Run with `uv run python benchmarks/gateway/run.py`. Each server is a process of its own, and its
processor time is the kernel's count; the rounds alternate, so that the machine's mood strikes all
alike, and the median counts. fastmcp is measured if it can be imported.
"""

import argparse
import importlib.metadata
import importlib.util
import json
import os
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio

HERE = Path(__file__).parent
CALL: dict[str, Any] = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/call",
    "params": {
        "name": "multiply",
        "arguments": {"x": 2.0, "y": 3.0},
        "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        },
    },
}
HEAD = """\
fastmcp is no part of the lock; in an environment apart:
  uv venv peers
  uv pip install -p peers -e packages/tercet[mcp] -e services/gateway fastmcp
  peers/bin/python benchmarks/gateway/run.py
"""
# The bare server twice: with the gateway's parser of HTTP, and with the one that the SDK brings.
NAMES = ("bare SDK server", "same, by h11", "gateway", "MCPServer", "fastmcp", "FastAPI route")


@dataclass
class Served:
    name: str
    process: "subprocess.Popen[str]"
    port: int
    request: bytes
    token: str = ""
    cpu_us: list[float] = field(default_factory=list[float])
    waits_ms: list[float] = field(default_factory=list[float])
    per_s: list[float] = field(default_factory=list[float])

    def cpu_ticks(self) -> int:
        user, system = (
            Path(f"/proc/{self.process.pid}/stat").read_text().split(") ")[1].split()[11:13]
        )
        return int(user) + int(system)


def start(name: str) -> Served:
    process = subprocess.Popen(  # noqa: S603 -- a file beside this one
        [sys.executable, HERE / "servers.py", name], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    token, port = "", 0
    while not port:
        line = process.stdout.readline()
        if not line:
            raise SystemExit(f"{name} does not start")
        if line.startswith("tercet_"):
            token = line.strip()
        elif found := re.match(r"http://127\.0\.0\.1:(\d+)/mcp", line):
            port = int(found[1])
    body = CALL["params"]["arguments"] if name == "FastAPI route" else CALL
    served = Served(name, process, port, b"", token)
    served.request = request_of(served, body)
    return served


def request_of(served: Served, message: Mapping[str, Any]) -> bytes:
    """A message as bytes on the wire."""
    body = json.dumps(message).encode()
    lines = [
        "POST /mcp HTTP/1.1",
        f"host: 127.0.0.1:{served.port}",
        "content-type: application/json",
        "accept: application/json, text/event-stream",
        "mcp-protocol-version: 2026-07-28",
        f"mcp-method: {message.get('method', 'tools/call')}",
        f"content-length: {len(body)}",
    ]
    if name := message.get("params", {}).get("name"):
        lines.append(f"mcp-name: {name}")
    if served.token:
        lines.append(f"authorization: Bearer {served.token}")
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


async def converse(served: Served, calls: int, waits_ms: list[float]) -> None:
    """Call one after the other over one connection."""
    async with await anyio.connect_tcp("127.0.0.1", served.port) as stream:
        for _ in range(calls):
            begun = time.perf_counter()
            await stream.send(served.request)
            got = b""
            while not is_whole(got):
                got += await stream.receive()
            waits_ms.append((time.perf_counter() - begun) * 1e3)
            assert got.startswith(b"HTTP/1.1 200"), got
            assert b"6.0" in got, got


def is_whole(got: bytes) -> bool:
    head, separator, body = got.partition(b"\r\n\r\n")
    if not separator:
        return False
    if length := re.search(rb"content-length: (\d+)", head, re.IGNORECASE):
        return len(body) >= int(length[1])
    return body.endswith(b"0\r\n\r\n")


async def measure(served: Served, calls: int, connections: int) -> None:
    waits_ms: list[float] = []
    ticks, begun = served.cpu_ticks(), time.perf_counter()
    async with anyio.create_task_group() as tasks:
        for _ in range(connections):
            tasks.start_soon(converse, served, calls // connections, waits_ms)
    passed_s = time.perf_counter() - begun
    spent_s = (served.cpu_ticks() - ticks) / os.sysconf("SC_CLK_TCK")
    served.cpu_us.append(spent_s / len(waits_ms) * 1e6)
    served.per_s.append(len(waits_ms) / passed_s)
    served.waits_ms += waits_ms


async def main(rounds: int, calls: int, connections: int) -> None:
    print(HEAD)
    versions = {n: _version(n) for n in ("mcp", "fastapi", "uvicorn", "fastmcp")}
    print(", ".join(f"{n} {v}" for n, v in versions.items() if v), "\n")
    names = [n for n in NAMES if n != "fastmcp" or importlib.util.find_spec("fastmcp")]
    all_served = [start(name) for name in names]
    try:
        for served in all_served:
            await converse(served, 200, [])
        for _ in range(rounds):
            for served in all_served:
                await measure(served, calls, connections)
    finally:
        for served in all_served:
            served.process.terminate()
    bare = statistics.median(all_served[0].cpu_us)
    print(f"{calls} calls over {connections} connections, {rounds} rounds")
    print(f"{'':18}{'µs CPU':>9}{'x bare':>9}{'calls/s':>9}{'p50 ms':>9}{'p99 ms':>9}")
    for served in all_served:
        waits, cpu = sorted(served.waits_ms), statistics.median(served.cpu_us)
        print(
            f"{served.name:18}{cpu:>9.0f}{cpu / bare:>9.2f}{statistics.median(served.per_s):>9.0f}"
            f"{waits[len(waits) // 2]:>9.2f}{waits[len(waits) * 99 // 100]:>9.2f}"
        )


def _version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return ""


def _arguments() -> Any:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--calls", type=int, default=1_000)
    parser.add_argument("--connections", type=int, default=1)
    return parser.parse_args()


if __name__ == "__main__":
    given = _arguments()
    anyio.run(main, given.rounds, given.calls, given.connections)
