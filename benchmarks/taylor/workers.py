"""What it costs to have a worker process compute, and what is therefore computed in the event loop.

Run with `python benchmarks/taylor/workers.py`; `TPSA_CORE_BACKEND=numpy` for the numpy twin.
"""

import operator
import os
import statistics
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import anyio
import numpy as np

from tercet import ProcessWorkers
from tercet._moving import moved, pack
from tpsa_core import MTF, Algebra, TaylorMap, backend
from tpsa_core.tools import TAYLOR_CODECS, TaylorWork
from tpsa_core.tools._cost import Cost, composition, inversion, products
from tpsa_core.tools._work import coefficients_of, effort_of, encoded

SIZES = ((2, 6), (4, 6), (6, 8), (6, 12))
LARGEST = (3, 100)
MEBIBYTE = 1024 * 1024


def random_map(dimension: int, order: int, components: int | None = None) -> TaylorMap:
    algebra = Algebra(dimension, order=order)
    random = np.random.default_rng(1)
    rows = random.normal(size=(components or dimension, algebra.tables.size)) / 100
    rows[:, 0] = 0
    rows[:, 1 : dimension + 1] += np.eye(len(rows), dimension)
    return TaylorMap([MTF(algebra, row) for row in rows])


def there_and_back(value: Any) -> Callable[[], Any]:
    """Work that gives a value back; a function of this program itself could not be moved."""
    return partial(operator.getitem, (value,), 0)


def timed(function: Callable[[], Any], times: int = 9) -> float:
    """The median time, in milliseconds."""
    taken: list[float] = []
    for _ in range(times):
        began = time.perf_counter()
        function()
        taken.append(time.perf_counter() - began)
    return 1000 * statistics.median(taken)


async def timed_async(function: Callable[[], Awaitable[Any]], times: int = 9) -> float:
    taken: list[float] = []
    for _ in range(times):
        began = time.perf_counter()
        await function()
        taken.append(time.perf_counter() - began)
    return 1000 * statistics.median(taken)


async def starting() -> None:
    print("\nstarting a worker, and asking one that is warm (ms)")
    starts, imports = [], []
    for _ in range(5):
        async with ProcessWorkers(1) as workers:
            starts.append(await timed_async(partial(workers, os.getpid), 1))
            imports.append(await timed_async(partial(workers, there_and_back(TAYLOR_CODECS)), 1))
            warm = await timed_async(partial(workers, os.getpid), 99)
    print(f"  start and first answer       {statistics.median(starts):8.1f}")
    print(f"  the Taylor tools, once       {statistics.median(imports):8.1f}")
    print(f"  ask a warm worker            {warm:8.2f}")


async def moving() -> None:
    print("\nmoving a map: there and back through a warm worker (ms)")
    print(f"  {'map':>22} {'coefficients':>12} {'bytes':>10} {'pack':>7} {'unpack':>7} {'trip':>7}")
    async with ProcessWorkers(1) as workers:
        for dimension, order, components in (*((d, n, d) for d, n in SIZES), (*LARGEST, 11)):
            value = random_map(dimension, order, components)
            packed = pack(value)
            trip = await timed_async(partial(workers, there_and_back(value)))
            there, back = timed(partial(pack, value)), timed(partial(moved, packed))
            label = f"{components} of {dimension} at order {order}"
            print(
                f"  {label:>22} {coefficients_of(value):12} {len(packed):10} "
                f"{there:7.2f} {back:7.2f} {trip:7.2f}"
            )


async def tables() -> None:
    print("\ntables in a fresh worker: the first product of an algebra, and the next (ms)")
    async with ProcessWorkers(1) as workers:
        await workers(there_and_back(TAYLOR_CODECS))
        for dimension, order in SIZES:
            value = random_map(dimension, order, 1)[0]
            ask = partial(workers, partial(operator.mul, value, value))
            first, then = await timed_async(ask, 1), await timed_async(ask)
            print(f"  {dimension} variables at order {order:2} {first:9.2f} {then:9.2f}")


def efforts() -> None:
    print("\nwhat is computed in the event loop: effort as estimated, and the time it takes (ms)")
    print(f"  up to an effort of {TaylorWork().inline}")
    calls: list[tuple[str, int, Callable[[], Any]]] = []
    for dimension, order in ((2, 6), (2, 10), (4, 4), (4, 6), (6, 4)):
        value = random_map(dimension, order)
        where = f"{dimension} variables at order {order}"
        keeping = effort_of(Cost(coefficients=coefficients_of(value)))
        calls += [
            (
                f"product, {where}",
                effort_of(products(dimension, 1, 1)(order)),
                partial(made, operator.mul, value[0], value[0]),
            ),
            (
                f"composition, {where}",
                effort_of(composition(dimension, dimension, dimension)(order)),
                partial(made, value.compose, value),
            ),
            (
                f"inverse, {where}",
                effort_of(inversion(dimension)(order)),
                partial(made, value.inverse),
            ),
            (f"keeping a map, {where}", keeping, partial(encoded, value)),
        ]
    for label, effort, call in sorted(calls, key=lambda row: row[1]):
        where = "event loop" if effort <= TaylorWork().inline else "worker"
        print(f"  {label:<42} {effort:12} {timed(call):9.2f}  {where}")


def made(function: Callable[..., Any], *args: Any) -> Any:
    return encoded(function(*args))


async def lag() -> None:
    """How long the event loop stands still while a worker is given the largest object."""
    value = random_map(*LARGEST, 11)
    gaps: list[float] = []
    async with ProcessWorkers(1) as workers:
        await workers(there_and_back(value))
        async with anyio.create_task_group() as tasks:

            async def tick() -> None:
                last = time.perf_counter()
                while True:
                    await anyio.lowlevel.checkpoint()
                    now = time.perf_counter()
                    gaps.append(now - last)
                    last = now

            tasks.start_soon(tick)
            await workers(there_and_back(value))
            tasks.cancel_scope.cancel()
    print(f"\nthe event loop stands still for at most {1000 * max(gaps):.1f} ms meanwhile")


async def main() -> None:
    print(f"backend {backend()}, {os.cpu_count()} processors")
    await starting()
    await moving()
    await lag()
    await tables()
    efforts()


if __name__ == "__main__":
    anyio.run(main)
