"""What an extraction costs beside its model, next to a floor and to its peers, in one run.

Run with `uv run python benchmarks/extraction/run.py`. The model answers at once, so all that is
measured is the library: processor time of a completed extraction. The floor is what nobody who
uses langchain-core can leave out: as many bare calls of the model and of the tools. The rounds
alternate, so that the machine's mood strikes all alike; the median counts.
"""

import gc
import importlib.metadata
import resource
import statistics
import sys
import time
from collections.abc import Awaitable, Callable
from functools import partial

import anyio
from ways import CASES, Case, available, ours_many

ROUNDS, REPEATS = 15, 20
BATCH, CONCURRENCY, BATCH_ROUNDS = 1_000, 4, 5
STEADY = 10_000
LIBRARIES = ("langchain-core", "langchain", "pydantic-ai-slim", "instructor")
HEAD = """\
Peers are measured if they can be imported. They are no part of the lock; in an environment apart:
  uv venv peers
  uv pip install -p peers -e packages/agent-runtime langchain pydantic-ai-slim instructor
  peers/bin/python benchmarks/extraction/run.py
"""


async def cpu_ms(run: Callable[[], Awaitable[object]], repeats: int) -> float:
    # What another library left behind is not to be cleaned up at the cost of this one.
    gc.collect()
    start = time.process_time()
    for _ in range(repeats):
        await run()
    return (time.process_time() - start) / repeats * 1e3


async def compare(case: Case) -> dict[str, float]:
    """Median milliseconds of processor time of one extraction, by library."""
    ways = available(case)
    for way in ways.values():
        await way()
    times: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(ROUNDS):
        for name, way in ways.items():
            times[name].append(await cpu_ms(way, REPEATS))
    return {name: statistics.median(each) for name, each in times.items()}


def version_of(name: str) -> str:
    """The version of a library; empty if it is not installed."""
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return ""


def memory_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


async def steady(case: Case) -> None:
    """Memory over many extractions, after a start that fills what is filled once."""
    way = available(case)["agent-runtime"]
    for _ in range(STEADY // 10):
        await way()
    before = memory_mb()
    for _ in range(STEADY):
        await way()
    print(f"peak memory over {STEADY:,} extractions: {before:.1f} MB, then {memory_mb():.1f} MB")


async def batch(case: Case) -> None:
    """A batch with a few workers, as each library's user would write it: median of the rounds."""
    ways = {name: partial(in_workers, way) for name, way in available(case).items()}
    ways["agent-runtime"] = partial(ours_many, case, BATCH, CONCURRENCY)
    times: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(BATCH_ROUNDS):
        for name, way in ways.items():
            times[name].append(await cpu_ms(way, 1) / 1e3)
    medians = {name: statistics.median(each) for name, each in times.items()}
    for name, median in medians.items():
        ratio = median / medians["floor"]
        print(f"batch of {BATCH:<7,}{name:<16}{median:>9.2f}s{ratio:>10.2f}")


async def in_workers(way: Callable[[], Awaitable[object]]) -> None:
    left = list(range(BATCH))

    async def work() -> None:
        while left:
            left.pop()
            await way()

    async with anyio.create_task_group() as tasks:
        for _ in range(CONCURRENCY):
            tasks.start_soon(work)


async def main() -> None:
    print(HEAD)
    versions = [f"{name} {version}" for name in LIBRARIES if (version := version_of(name))]
    print(f"Python {sys.version.split()[0]},", ", ".join(versions))
    print(f"{'':<16}{'':<16}{'ms CPU':>10}{'x floor':>10}")
    for case in CASES:
        medians = await compare(case)
        floor = medians["floor"]
        for name, median in medians.items():
            print(f"{case.name:<16}{name:<16}{median:>10.2f}{median / floor:>10.2f}")
    await batch(CASES[0])
    await steady(CASES[0])


anyio.run(main)
