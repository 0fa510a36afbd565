"""What algebras with parameters and lower orders cost beside full ones, in the same variables.

Run with `uv run python benchmarks/taylor/restricted.py`; `TPSA_CORE_BACKEND=numpy` measures numpy.
The rounds of both algebras alternate, the median of their processor times counts, and all
coefficients are there. Maps leave parameters and variables of lower orders to themselves.
"""

import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from tpsa_core import MTF, Algebra, TaylorMap, backend, exp

ROUNDS, ROUND_S = 9, 0.02
# Compositions of larger algebras take too long.
LARGEST_MAP = 1_500
PLANE, SPACE = ("x", "px"), ("x", "px", "y", "py")
ORBIT = (*SPACE, "t", "pt")


def knobs(count: int) -> tuple[str, ...]:
    return tuple(f"k{number}" for number in range(1, count + 1))


CASES: dict[str, Algebra] = {
    "2 at 10, 2 knobs to 2": Algebra(*PLANE, order=10, parameters=knobs(2), parameter_order=2),
    "2 at 6, 4 knobs to 1": Algebra(*PLANE, order=6, parameters=knobs(4), parameter_order=1),
    "4 at 4, 20 knobs to 1": Algebra(*SPACE, order=4, parameters=knobs(20), parameter_order=1),
    "6 at 4, 4 knobs to 2": Algebra(*ORBIT, order=4, parameters=knobs(4), parameter_order=2),
    "6 at 6, 2 knobs to 1": Algebra(*ORBIT, order=6, parameters=knobs(2), parameter_order=1),
    "6 at 6, 4 knobs to 2": Algebra(*ORBIT, order=6, parameters=knobs(4), parameter_order=2),
    "4 at 6, delta to 2": Algebra(*SPACE, "delta", order=6, orders={"delta": 2}),
    "6 at 6, pt to 2": Algebra(*ORBIT, order=6, orders={"pt": 2}),
    "6 at 6, all to 2": Algebra(*ORBIT, order=6, orders=dict.fromkeys(ORBIT, 2)),
    "6 at 8, all to 4": Algebra(*ORBIT, order=8, orders=dict.fromkeys(ORBIT, 4)),
}
WORKS = ("product", "exp", "compose", "inverse")


def works(algebra: Algebra, kept: tuple[str, ...]) -> dict[str, Callable[[], Any]]:
    """The work in one algebra; the named variables are left to themselves by maps."""
    rng = np.random.default_rng(1)
    first, second = (MTF(algebra, rng.uniform(0.5, 1, algebra.size)) for _ in range(2))
    components: list[MTF] = []
    for name, variable in zip(algebra.names, algebra.variables(), strict=True):
        deviation = rng.uniform(-0.1, 0.1, algebra.size)
        deviation[0] = 0
        components.append(variable if name in kept else variable + MTF(algebra, deviation))
    taylor_map = TaylorMap(components)
    return {
        "product": lambda: first * second,
        "exp": lambda: exp(first),
        "compose": lambda: taylor_map @ taylor_map,
        "inverse": taylor_map.inverse,
    }


def timed(call: Callable[[], Any], repeats: int) -> float:
    start = time.thread_time()
    for _ in range(repeats):
        call()
    return (time.thread_time() - start) / repeats


def medians(calls: list[Callable[[], Any]]) -> list[float]:
    """The times of some calls in seconds, measured in turns."""
    # The first call builds tables; the second says how many make a round.
    once = [(timed(call, 1), timed(call, 1))[1] for call in calls]
    times: list[list[float]] = [[] for _ in calls]
    for _ in range(ROUNDS):
        for call, single, found in zip(calls, once, times, strict=True):
            found.append(timed(call, max(1, int(ROUND_S / max(single, 1e-7)))))
    return [statistics.median(found) for found in times]


def cells(name: str, restricted: Algebra, full: Algebra) -> str:
    kept = (*restricted.parameters, *restricted.orders)
    is_small = full.size <= LARGEST_MAP and len(kept) < full.dimension
    if name in {"compose", "inverse"} and not is_small:
        return f"{'-':>30}"
    ours, theirs = medians([works(algebra, kept)[name] for algebra in (restricted, full)])
    return f"{1e6 * ours:10,.1f} {1e6 * theirs:11,.1f} {theirs / ours:7.2f}"


def main() -> None:
    """Measure, and print one line for each algebra."""
    print(f"{backend()}; times in µs: restricted, full, full over restricted")
    head = f"{'variables at order':22} {'monomials':>14} {'pairs':>19}"
    print(head + "".join(f" {name:>30}" for name in WORKS))
    for label, restricted in CASES.items():
        full = Algebra(*restricted.names, order=restricted.order)
        sizes = f"{restricted.size:6,} {full.size:7,}"
        pairs = f"{restricted.tables.pairs:8,} {full.tables.pairs:10,}"
        row = [cells(name, restricted, full) for name in WORKS]
        print(f"{label:22} {sizes} {pairs} {' '.join(row)}", flush=True)


if __name__ == "__main__":
    main()
