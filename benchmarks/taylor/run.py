"""Times of the Taylor algebra beside those of its peers, measured from Python in one run.

Run with `uv run python benchmarks/taylor/run.py`, or with the name of a part of the table, such as
`run.py products`. Every size has a process of its own, because one peer cannot change its size; in
it the rounds of all libraries alternate, so that the machine's mood strikes them alike, and the
median counts. A call that takes longer than `LONG_S` is measured once.
"""

import importlib.util
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from math import comb
from typing import Any

from anchors import gtpsa_estimate_s
from backends import BACKENDS, MATRIX, VALUES

HEAD = """\
Peers are measured if they can be imported. They are no part of the lock; in an environment apart:
  uv venv peers && uv pip install -p peers ./packages/tpsa-core daceypy==1.4.0 sandalwood==0.1.4
  peers/bin/python benchmarks/taylor/run.py
GF/s counts two operations for each useful pair of coefficients, for values each coefficient at each
point. x is the peer's time over ours. GTPSA is estimated: daceypy's time in this run, times the
share of it that GTPSA took on another machine (anchors.py).
"""
PRODUCTS = [(2, 4), (2, 10), (2, 20), (3, 20), (4, 6), (4, 8), (4, 12), (6, 4), (6, 5), (6, 6)]
PRODUCTS += [(6, 8), (6, 10), (10, 4)]
FUNCTIONS = ["product", "exp", "log", "sin + cos", "1/x", "sqrt", "power", "erf", "gamma"]
PARTS: dict[str, list[tuple[tuple[int, int], list[str]]]] = {
    "products": [(size, ["product", "sum"]) for size in PRODUCTS],
    "batches": [(size, ["8 products"]) for size in ((2, 4), (6, 4), (6, 6), (6, 8))],
    "functions": [((4, 8), FUNCTIONS), ((6, 8), FUNCTIONS)],
    "maps": [
        ((4, 6), ["compose", "invert"]),
        ((6, 5), ["compose", "invert"]),
        ((6, 6), ["compose"]),
    ],
    "values": [((6, 8), ["evaluate", "2 threads"])],
    "limit": [((1, 1), ["dgemm"])],
    "flow": [((6, 5), ["Kepler"])],
    "growth": [((4, order), ["product"]) for order in (2, 4, 8, 14, 20, 24)],
}
ROUNDS, ROUND_S = 9, 0.02
# One core for all, numpy's matrix products included; only "2 threads" uses more.
ONE_THREAD = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
LONG_S = 2.0


def timed(call: Callable[[], Any], repeats: int) -> float:
    """Measure one call, in seconds."""
    start = time.perf_counter()
    for _ in range(repeats):
        call()
    return (time.perf_counter() - start) / repeats


def measure(size: tuple[int, int], names: list[str]) -> dict[str, dict[str, float]]:
    """Time the work of one size for all libraries that are there, in turns."""
    libraries = {
        name: made(*size) for name, made in BACKENDS.items() if importlib.util.find_spec(name)
    }
    result: dict[str, dict[str, float]] = {}
    for name in names:
        calls = {library: work[name] for library, work in libraries.items() if name in work}
        # The first call builds tables; the second says how many make a round.
        first = {library: timed(call, 1) for library, call in calls.items()}
        once = {
            library: timed(call, 1) if first[library] < LONG_S else first[library]
            for library, call in calls.items()
        }
        times: dict[str, list[float]] = {library: [value] for library, value in once.items()}
        for _ in range(ROUNDS):
            for library, call in calls.items():
                if once[library] < LONG_S:
                    repeats = max(1, int(ROUND_S / once[library]))
                    times[library].append(timed(call, repeats))
        result[name] = {
            library: statistics.median(values[1:] or values) for library, values in times.items()
        }
    return result


def row(name: str, size: tuple[int, int], times: dict[str, float]) -> str:
    """Write one line of the table."""
    dimension, order = size
    pairs = comb(order + 2 * dimension, order)
    own = times["tpsa_core"]
    multiplications = {
        "product": pairs,
        "8 products": 8 * pairs,
        "evaluate": VALUES * comb(dimension + order, order) * dimension,
        "2 threads": VALUES * comb(dimension + order, order) * dimension,
        "dgemm": MATRIX**3,
    }.get(name, 0)
    speed = f"{2e-9 * multiplications / own:6.2f}" if multiplications else ""
    cells = [f"{name:10} {size!s:9} {pairs:10,} {1e6 * own:12,.1f} {speed:>6}"]
    for peer in list(BACKENDS)[1:]:
        value = times.get(peer)
        cells.append(f"{1e6 * value:14,.1f} {value / own:7.2f}" if value else f"{'-':>14} {'-':>7}")
    estimate = gtpsa_estimate_s(name, size, times.get("daceypy"))
    cells.append(f"{estimate / own:8.2f}" if estimate else f"{'-':>8}")
    return " ".join(cells)


def main(parts: list[str]) -> None:
    """Measure in processes of their own, and print."""
    print(HEAD)
    peers = " ".join(f"{peer + ' µs':>14} {'x':>7}" for peer in list(BACKENDS)[1:])
    head = f"{'work':10} {'(v, n)':9} {'pairs':>10} {'tpsa_core µs':>12} {'GF/s':>6}"
    print(f"{head} {peers} {'GTPSA x':>8}")
    for part in parts or PARTS:
        for size, names in PARTS[part]:
            command = [sys.executable, __file__, "--size", json.dumps([size, names])]
            # The command is this program itself.
            answer = subprocess.run(  # noqa: S603 -- see above
                command, env=ONE_THREAD, capture_output=True, text=True, check=True
            ).stdout
            for name, times in json.loads(answer.splitlines()[-1]).items():
                print(row(name, size, times), flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--size"]:
        shape, works = json.loads(sys.argv[2])
        print(json.dumps(measure(tuple(shape), works)))
    else:
        main(sys.argv[1:])
