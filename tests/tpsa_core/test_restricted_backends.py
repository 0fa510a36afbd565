"""Restricted algebras in both backends: they agree, and numpy does what is too large for C."""

import importlib
import os
import pickle  # noqa: TID251 -- our own bytes
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tpsa_core import MTF, Algebra, TaylorMap, TaylorVector, backend, exp
from tpsa_core import _kernels as kernels
from tpsa_core import _numpy_kernels as twin

needs_native = pytest.mark.skipif(
    find_spec("tpsa_core._native") is None, reason="no compiled kernels are installed here"
)
ALGEBRAS = [
    Algebra("x", "px", "y", "py", order=6, orders={"py": 3}, parameters=("k",), parameter_order=1),
    Algebra("x", "px", order=7, parameters=("k1", "k2", "k3"), parameter_order=3),
    # So many classes of monomials that numpy sorts its pairs, and so many pairs that it does not.
    Algebra(5, order=6, orders={f"x{n}": 3 for n in range(1, 6)}),
    Algebra(6, order=6, parameters=("k1", "k2"), parameter_order=1),
]


@pytest.mark.parametrize("algebra", ALGEBRAS)
@given(seed=st.integers(0, 2**32), share=st.sampled_from([1.0, 0.3, 0.02]))
def test_kernels_agree_with_numpys(algebra: Algebra, seed: int, share: float) -> None:
    rng, tables = np.random.default_rng(seed), algebra.tables
    left, right = rng.uniform(-1, 1, (2, tables.size))
    left[rng.uniform(size=tables.size) > share] = 0
    left[0], right[0] = 1.5, 0.75
    calls: list[Callable[[Any], Any]] = [
        lambda k: k.multiply(tables, left, right),
        lambda k: k.multiply(tables, left, left),
        lambda k: k.multiply(tables, left * 1j, right),
        lambda k: k.quotient(tables, right / 8 + np.eye(tables.size)[0], left),
        lambda k: k.exponential(tables, left / 8),
        lambda k: k.root(tables, left, np.sqrt(1.5)),
        lambda k: k.power(tables, left, 1 / 3, 1.5 ** (1 / 3)),
        lambda k: k.tangent(tables, left / 8, np.tan(1.5 / 8), sign=1),
        lambda k: k.wave_pair(tables, left / 8, np.sin(1.5 / 8), np.cos(1.5 / 8), sign=-1)[0],
        lambda k: k.compose_univariate(tables, np.arange(1.0, tables.order + 2), left / 8),
    ]
    for call in calls:
        ours, theirs = call(kernels), call(twin)
        assert np.allclose(ours, theirs, rtol=1e-9, atol=1e-11 * np.abs(theirs).max())


@pytest.mark.parametrize("algebra", ALGEBRAS[:3])
def test_compositions_inverses_and_values_agree_with_numpys(algebra: Algebra) -> None:
    rng, tables = np.random.default_rng(3), algebra.tables
    dimension = algebra.dimension
    rows = rng.uniform(-0.3, 0.3, (dimension, tables.size))
    outer, points = rng.uniform(-1, 1, (2, tables.size)), rng.uniform(-1, 1, (57, dimension))
    rows[-1] = 0
    rows[-1, dimension] = 1.0
    for inner in (rows, rows * (1 + 1j)):
        ours, theirs = (k.compose(tables, outer, tables, inner) for k in (kernels, twin))
        assert np.allclose(ours, theirs, rtol=1e-10, atol=1e-10 * np.abs(theirs).max())
    ours, theirs = (k.evaluate(tables, outer, points) for k in (kernels, twin))
    assert np.allclose(ours, theirs, rtol=0, atol=1e-13 * np.abs(outer).sum())
    rows[:, 0] = 0
    rows[:-1, 1 : 1 + dimension] += 2 * np.eye(dimension)[:-1]
    linear = np.linalg.inv(rows[:, 1 : 1 + dimension])
    ours, theirs = (k.inverse(tables, rows, linear) for k in (kernels, twin))
    assert np.allclose(ours, theirs, rtol=1e-9, atol=1e-9 * np.abs(theirs).max())


@needs_native
def test_what_one_backend_pickles_and_writes_the_other_reads() -> None:
    x, _, _, py, k = ALGEBRAS[0].variables()
    f = (exp(x / 3) * (1 + 1j * k) * py**3).derivative("py")
    program = f"""
import pickle
from tpsa_core import MTF, backend
f = pickle.loads({pickle.dumps(f)!r})
assert f == MTF.from_json({f.to_json()!r})
print(backend(), f.valid_orders, f.coefficients.tolist())
"""
    for name in ("native", "numpy"):
        done = subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "TPSA_CORE_BACKEND": name},
            capture_output=True,
            text=True,
            check=False,
        )
        want = f"{name} {f.valid_orders} {f.coefficients.tolist()}\n"
        assert done.stdout == want, done.stderr


def test_an_algebra_too_large_for_the_compiled_tables_computes_all_the_same() -> None:
    algebra = Algebra(8, order=14, parameters=("k",), parameter_order=1)
    assert algebra.size == 319_770 + 203_490
    x, y, k = (algebra.variable(name) for name in ("x1", "x8", "k"))
    f = 1 + 2 * x - y + 3 * k
    square = (f * f).to_dict()
    assert len(square) == 3 + 3 + 3
    assert square[(1, *[0] * 7, 1)] == 12.0
    assert (f / 2).derivative("k").constant == 1.5
    assert (f.derivative("k").valid_parameter_order, f.derivative("x1").valid_order) == (0, 13)
    assert f.antiderivative("x8")[(0,) * 7 + (2, 0)] == -0.5
    assert f(*[0.5] * 9) == 3.0
    assert TaylorVector.of([f, x])[1] == x
    assert MTF.from_json(f.to_json()) == f


@needs_native
def test_where_there_are_no_compiled_tables_every_kernel_is_numpys() -> None:
    native = importlib.import_module("tpsa_core._native")
    ours = importlib.import_module("tpsa_core._native_kernels")
    algebra = Algebra("x", "y", "z", order=4, orders={"y": 2}, parameters=("k",))
    tables, plan = algebra.tables, algebra.tables.native_plan
    tables.native_plan = native.Plan(4, 4, 4, tables.bounds.caps)
    try:
        f, g = np.random.default_rng(5).uniform(0.5, 1, (2, tables.size))
        calls: list[Callable[[Any], Any]] = [
            lambda k: k.multiply(tables, f, g),
            lambda k: k.exponential(tables, f),
            lambda k: k.multiply_stored_rows(tables, np.array([f, g]), np.array([g, f])),
        ]
        for call in calls:
            assert np.array_equal(call(ours), call(twin))
    finally:
        tables.native_plan = plan


def test_many_threads_may_use_one_restricted_algebra() -> None:
    # One of its own, whose tables nobody has built yet.
    algebra = Algebra("u", "v", order=6, parameters=("t1", "t2"), parameter_order=2)
    rng = np.random.default_rng(2)
    series = [MTF(algebra, rng.uniform(0.5, 1, algebra.size)) for _ in range(8)]
    u, v = (algebra.variable(name) for name in ("u", "v"))

    def work(seed: int) -> list[Any]:
        f, g = series[seed % 8], series[(seed + 3) % 8]
        taylor_map = TaylorMap([u + v * v * f, v])
        return [f * g, exp(f), f / g, f.derivative(seed % 4), taylor_map @ taylor_map, u * g]

    with ThreadPoolExecutor(max_workers=32) as workers:
        together = list(workers.map(work, range(64)))
    assert together == [work(seed) for seed in range(64)]


@needs_native
@pytest.mark.skipif(backend() != "native", reason="it is the compiled objects that are counted")
@pytest.mark.timeout(120)
def test_many_operations_leave_no_memory_behind() -> None:
    resource = pytest.importorskip("resource", reason="memory is read as POSIX gives it")
    x, _, k, _ = Algebra("x", "px", order=4, parameters=("k", "l"), parameter_order=1).variables()
    f, g = 1 + x - k / 3, 2 - x * k
    slope = f.derivative("k")

    def work(count: int) -> int:
        for _ in range(count):
            for made in (f * g, f + g, 2.0 * slope, f / g, f.derivative("k"), -slope):
                assert made.valid_order
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    before_kib = work(1_000)
    after_kib = work(30_000)
    assert after_kib - before_kib < 8_192
