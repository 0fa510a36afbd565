"""What the pipeline and the intake of measurements cost, each beside a floor of the same run.

Run with `uv run python benchmarks/netctl/run.py`. The floor of a command is what no controller can
leave out: the bare driver's read, change and read, on the same simulated line. The floor of the
intake is a dictionary of the last values, with nothing checked. The rounds alternate, so that the
machine's mood strikes all alike. Intake is told as the share of one core at 100 000 readings a
second: 10 000 nodes of ten metrics, each once a second. With the argument `memory` it sends a
million commands and says what that took.
"""

import gc
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import anyio

from netctl import Acknowledgement, Controller, Inventory, Node, Reading, Sample, Setting
from netctl.apps.line import LineApp, simulated_line
from netctl.stores import SqliteStore

ROUNDS, COMMANDS = 9, 300
NODES, METRICS, SECONDS = 10_000, 10, 5.0
INTAKE_ROUNDS = 7
DUE_PER_S, MANY = 2_500.0, 1_000_000
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
    print(f"{'command':<34}{'median µs':>12}{'p99 µs':>12}{'1/median':>12}")
    for name, seconds in times.items():
        median, p99 = statistics.median(seconds), statistics.quantiles(seconds, n=100)[98]
        print(f"{name:<34}{median * 1e6:>12,.0f}{p99 * 1e6:>12,.0f}{1 / median:>10,.0f}/s")


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
                        "bare driver (floor)": bare,
                        "pipeline, in memory": through(memory),
                        "pipeline, SQLite synced": through(durable),
                    }
                )
            )
        await store.aclose()


async def half_load() -> None:
    """How long commands take that come at half the rate of the goal, from when each is due."""
    controller = Controller(*simulated_line(), poll_period_s=3600.0)
    controller.add(LineApp())
    waits_ms: list[float] = []
    async with controller:
        # As `tercet serve` does, so that what stays is not looked through again and again.
        gc.collect()
        gc.freeze()
        begun = time.perf_counter()
        for number in range(int(DUE_PER_S * SECONDS)):
            due = begun + number / DUE_PER_S
            if (early_s := due - time.perf_counter()) > 0:
                await anyio.sleep(early_s)
            await send_one(controller, number)
            waits_ms.append((time.perf_counter() - due) * 1e3)
    p99 = statistics.quantiles(waits_ms, n=100)[98]
    print(
        f"at {DUE_PER_S:,.0f} commands/s: median {statistics.median(waits_ms):.2f} ms, "
        f"p99 {p99:.2f} ms, longest {max(waits_ms):.1f} ms"
    )


async def send_one(controller: Controller, number: int) -> None:
    arguments = {"node_id": 8, "target_gain": float(number % 20)}
    outcome = await controller.execute("NetworkApp1", "SET_GAIN", arguments)
    assert outcome.status == "verified", outcome


async def memory_over(number: int) -> None:
    """Memory over very many commands, after a start that fills what is filled once."""
    controller = Controller(*simulated_line(), poll_period_s=3600.0)
    controller.add(LineApp())
    async with controller:
        for each in range(number // 10):
            await send_one(controller, each)
        before = peak_mib()
        for each in range(number):
            await send_one(controller, each)
    print(f"peak memory over {number:,} commands: {before:.1f} MiB, then {peak_mib():.1f} MiB")


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


def many_nodes(metrics: Sequence[str]) -> Inventory:
    return Inventory(
        nodes=tuple(
            Node(node_id=number, name=f"node {number}", kind="amplifier", metrics=tuple(metrics))
            for number in range(NODES)
        )
    )


def peak_mib() -> float:
    unit = 1024 if sys.platform == "darwin" else 1
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit / 1024


async def intake() -> None:
    metrics = [f"metric_{number}_db" for number in range(METRICS)]
    samples = [
        Sample(number, {metric: float(number) for metric in metrics}) for number in range(NODES)
    ]
    driver = Prepared(metrics)
    pushed = Controller(many_nodes(metrics), driver, history_length=60)
    last: dict[int, dict[str, float]] = {}

    def bare() -> None:
        for sample in samples:
            last[sample.node_id] = dict(sample.values)

    cpu: dict[str, list[float]] = {"dictionary (floor)": [], "record_many, history of 60": []}
    for _ in range(INTAKE_ROUNDS):
        for name, take in zip(cpu, (bare, lambda: pushed.record_many(samples)), strict=True):
            start = time.process_time()
            take()
            cpu[name].append(time.process_time() - start)
    polled = await poll(metrics, driver)
    print(f"\n{'intake of 100,000 readings/s':<34}{'of one core':>12}")
    for name, seconds in cpu.items():
        print(f"{name:<34}{statistics.median(seconds):>12.1%}")
    print(f"{'polled, history of 60':<34}{polled:>12.1%}")
    print(f"{peak_mib():,.0f} MiB at the most, both controllers together")


async def poll(metrics: Sequence[str], driver: Prepared) -> float:
    """The share of a core that polling takes, at one read a second of every node."""
    async with Controller(many_nodes(metrics), driver, history_length=60):
        await anyio.sleep(2.0)  # every node has been read once
        reads, cpu = driver.reads, time.process_time()
        await anyio.sleep(SECONDS)
        return (time.process_time() - cpu) / (driver.reads - reads) * NODES


if __name__ == "__main__":
    if sys.argv[1:] == ["memory"]:
        anyio.run(memory_over, MANY)
    else:
        anyio.run(commands)
        anyio.run(half_load)
        anyio.run(intake)
