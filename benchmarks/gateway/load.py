"""How a gateway starts, and how it bears load: 64 connections, and a thousand clients for long.

Run with `uv run python benchmarks/gateway/load.py`; it takes two minutes, and with
`--clients-minutes 10` twelve. The gateway is a process of its own with everything on, and so is
the load: each has a processor where there are two. A wait is counted from when its call was due,
so that a server that stands still does not hold up its own measurement.
"""

import argparse
import gc
import json
import re
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio
from anyio.abc import SocketStream
from run import CALL, Served, is_whole, request_of, start

OURS = ("gateway", "tercet", "tpsa_core", "netctl", "agent_runtime")


def resident_mib(pid: int) -> float:
    text = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return int(text.split("VmRSS:")[1].split()[0]) / 1024


async def answer_to(stream: SocketStream, request: bytes) -> bytes:
    await stream.send(request)
    got = b""
    while not is_whole(got):
        got += await stream.receive()
    return got


def imports() -> None:
    """Seconds that imports take, in processes that take turns."""
    listing = "import gateway, sys; print(*sys.modules)"
    loaded = subprocess.run(  # noqa: S603 -- ours
        [sys.executable, "-c", listing], check=True, capture_output=True, text=True
    ).stdout.split()
    others = [
        n for n in loaded if n.partition(".")[0] not in OURS and n not in sys.builtin_module_names
    ]
    third_party = f"""
import importlib
for name in {others!r}:
    try:
        importlib.import_module(name)
    except ImportError:
        pass  # made by another module, under a name that is no file's
"""
    taken: dict[str, list[float]] = {third_party: [], "import gateway": []}
    for _ in range(7):
        for code, seconds in taken.items():
            begun = time.perf_counter()
            subprocess.run([sys.executable, "-c", code], check=True)  # noqa: S603 -- ours
            seconds.append(time.perf_counter() - begun)
    third, whole = (statistics.median(seconds) for seconds in taken.values())
    print(f"import gateway: {whole:.2f} s, {whole / third:.2f} x all that it imports of others")


async def first_answers() -> None:
    """Seconds from the start of a process to its first answer."""
    seconds: list[float] = []
    for _ in range(5):
        begun = time.perf_counter()
        served = start("gateway")
        async with await anyio.connect_tcp("127.0.0.1", served.port) as stream:
            assert b"6.0" in await answer_to(stream, served.request)
        seconds.append(time.perf_counter() - begun)
        served.process.terminate()
        served.process.wait()
    print(f"start to first answer: {statistics.median(seconds):.2f} s")


async def listing() -> None:
    """Milliseconds of the last page of many tools."""
    served = start("gateway with 500 tools")
    meta = CALL["params"]["_meta"]
    cursor, waits_ms, tools, size_kib = None, list[float](), 0, 0.0
    try:
        async with await anyio.connect_tcp("127.0.0.1", served.port) as stream:
            for _ in range(40):
                begun, pages = time.perf_counter(), list[bytes]()
                while True:
                    params: dict[str, Any] = {"_meta": meta}
                    if cursor:
                        params["cursor"] = cursor
                    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": params}
                    pages.append(await answer_to(stream, request_of(served, body)))
                    # Found in the text: to parse the pages is the client's affair.
                    found = re.search(rb'"nextCursor":"([^"]+)"', pages[-1])
                    if found is None:
                        break
                    cursor = found[1].decode()
                waits_ms.append((time.perf_counter() - begun) * 1e3)
                cursor, tools = None, sum(len(body_of(page)["result"]["tools"]) for page in pages)
                size_kib = sum(map(len, pages)) / 1024
    finally:
        served.process.terminate()
    wait_ms = statistics.median(waits_ms)
    print(f"list of {tools} tools, {size_kib:,.0f} KiB in all pages: {wait_ms:.1f} ms")


def body_of(got: bytes) -> Any:
    return json.loads(got.partition(b"\r\n\r\n")[2])


@dataclass
class Load:
    """Calls that are due at a steady rate, whichever connection is free for them."""

    per_s: float
    calls: int
    begun: float = 0.0
    given: int = 0
    waits_ms: list[float] = field(default_factory=list[float])

    async def serve(self, stream: SocketStream, request: bytes) -> None:
        while self.given < self.calls:
            number, self.given = self.given, self.given + 1
            due = self.begun + number / self.per_s
            if (early_s := due - time.perf_counter()) > 0:
                await anyio.sleep(early_s)
            got = await answer_to(stream, request)
            assert got.startswith(b"HTTP/1.1 200"), got
            self.waits_ms.append((time.perf_counter() - due) * 1e3)


async def steady(served: Served, connections: int, per_s: float, seconds: float) -> Load:
    load = Load(per_s=per_s, calls=int(per_s * seconds))
    streams = [await anyio.connect_tcp("127.0.0.1", served.port) for _ in range(connections)]
    load.begun = time.perf_counter()
    async with anyio.create_task_group() as tasks:
        for stream in streams:
            tasks.start_soon(load.serve, stream, served.request)
    for stream in streams:
        await stream.aclose()
    return load


async def under_load() -> None:
    served = start("gateway")
    try:
        begun = time.perf_counter()
        most = await steady(served, 64, 1e6, 0.008)
        saturation_per_s = most.calls / (time.perf_counter() - begun)
        load = await steady(served, 64, 0.7 * saturation_per_s, 20.0)
    finally:
        served.process.terminate()
    waits_ms = sorted(load.waits_ms)
    half_ms, most_ms = waits_ms[len(waits_ms) // 2], waits_ms[len(waits_ms) * 99 // 100]
    print(
        f"64 connections: at most {saturation_per_s:,.0f} calls/s; at 70 % of it "
        f"p50 {half_ms:.1f} ms, p99 {most_ms:.1f} ms, longest {waits_ms[-1]:.0f} ms"
    )


async def many_clients(clients: int, minutes: float) -> None:
    """Clients that call now and then; what the server's memory is at the start and at the end."""
    served = start("gateway")
    calls, per_s = 0, 400.0
    try:
        sizes_mib: list[float] = []
        parts = 10
        for _ in range(parts):
            load = await steady(served, clients, per_s, minutes * 60 / parts)
            calls += len(load.waits_ms)
            sizes_mib.append(resident_mib(served.process.pid))
    finally:
        served.process.terminate()
    said = ", ".join(f"{size:.0f}" for size in sizes_mib)
    print(
        f"{clients:,} clients for {minutes:g} minutes, {calls:,} calls, all answered; "
        f"MiB after each tenth: {said}"
    )


async def main(minutes: float) -> None:
    # Whoever measures must not stand still either.
    gc.collect()
    gc.freeze()
    imports()
    await first_answers()
    await listing()
    await under_load()
    await many_clients(1_000, minutes)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients-minutes", type=float, default=1.0)
    anyio.run(main, parser.parse_args().clients_minutes)
