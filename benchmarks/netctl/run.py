"""What the pipeline and the intake of measurements cost.

Run with `uv run python benchmarks/netctl/run.py`. The peer of a command is what no controller can
leave out: the bare driver's read, change and read, on the same simulated line; the rounds
alternate, so that the machine's mood strikes both alike. The intake polls every node once a
second, and is told as the share of one core that the whole process took.
"""

import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import anyio

from netctl import Acknowledgement, Controller, Inventory, Node, Reading, Setting
from netctl.apps.line import LineApp, simulated_line
from netctl.stores import SqliteStore

ROUNDS, COMMANDS = 9, 300
NODES, METRICS, SECONDS = 10_000, 10, 5.0
Send = Callable[[float], Awaitable[object]]


async def rounds(ways: dict[str, Send]) -> dict[str, list[float]]:
    """Seconds of each command, by way, one after the other."""
    times: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(ROUNDS):
        for name, send in ways.items():
            for number in range(COMMANDS):
                start = time.perf_counter()
                await send(float(number % 20))
                times[name].append(time.perf_counter() - start)
    return times


def table(times: dict[str, list[float]]) -> None:
    print(f"{'way':<28}{'commands/s':>12}{'median µs':>12}{'p99 µs':>12}")
    for name, seconds in times.items():
        per_s = len(seconds) / sum(seconds)
        median, p99 = statistics.median(seconds), statistics.quantiles(seconds, n=100)[98]
        print(f"{name:<28}{per_s:>12,.0f}{median * 1e6:>12,.0f}{p99 * 1e6:>12,.0f}")


async def commands() -> None:
    inventory, line = simulated_line()
    node = inventory.node(8)

    async def bare(gain_db: float) -> None:
        await line.read(node)
        await line.apply(node, Setting(resource="booster_gain_db", value=gain_db))
        await line.read(node)

    def through(controller: Controller) -> Send:
        async def send(gain_db: float) -> None:
            arguments = {"node_id": 8, "target_gain": gain_db}
            outcome = await controller.execute("NetworkApp1", "SET_GAIN", arguments)
            assert outcome.status == "verified", outcome

        return send

    with tempfile.TemporaryDirectory() as folder:
        store = SqliteStore(Path(folder) / "network.db")
        memory = Controller(*simulated_line(), poll_period_s=3600.0)
        durable = Controller(*simulated_line(), poll_period_s=3600.0, store=store)
        for controller in (memory, durable):
            controller.add(LineApp())
        async with memory, durable:
            table(
                await rounds(
                    {
                        "bare driver": bare,
                        "pipeline, in memory": through(memory),
                        "pipeline, SQLite synced": through(durable),
                    }
                )
            )
        await store.aclose()


class Prepared:
    """A driver whose nodes have their answers ready."""

    def __init__(self, metrics: Sequence[str]) -> None:
        self.readings = [Reading(metric=metric, value=1.0) for metric in metrics]
        self.reads = 0

    async def read(self, node: Node) -> Sequence[Reading]:
        del node
        self.reads += 1
        return self.readings

    async def apply(self, node: Node, setting: Setting) -> Acknowledgement:
        del node, setting
        return Acknowledgement(accepted=False)


async def intake() -> None:
    metrics = tuple(f"metric_{number}_db" for number in range(METRICS))
    inventory = Inventory(
        nodes=tuple(
            Node(node_id=number, name=f"node {number}", kind="amplifier", metrics=metrics)
            for number in range(NODES)
        )
    )
    driver = Prepared(metrics)
    async with Controller(inventory, driver, history_length=10):
        await anyio.sleep(2.0)  # every node has been read once
        reads, cpu, start = driver.reads, time.process_time(), time.perf_counter()
        await anyio.sleep(SECONDS)
        wall = time.perf_counter() - start
        share, done = (time.process_time() - cpu) / wall, (driver.reads - reads) / wall
    unit = 1024 if sys.platform == "darwin" else 1
    peak_mib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit / 1024
    print(f"{NODES:,} nodes of {METRICS} metrics, polled each second:")
    print(f"  {done:,.0f} samples/s, {done * METRICS:,.0f} readings/s")
    print(f"  {share:.0%} of one core, {peak_mib:,.0f} MiB at the most")


if __name__ == "__main__":
    anyio.run(commands)
    anyio.run(intake)
