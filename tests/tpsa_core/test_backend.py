"""The two backends: how one is chosen, that they agree, and what is too large for one of them."""

import importlib
import json
import os
import pickle  # noqa: TID251 -- our own bytes
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tpsa_core import MTF, Algebra, LimitError, ShapeError, TaylorMap, TaylorVector, backend, exp
from tpsa_core import _kernels as kernels
from tpsa_core import _numpy_kernels as twin
from tpsa_core._monomials import MonomialTables, monomial_tables

Array = npt.NDArray[Any]

needs_native = pytest.mark.skipif(
    find_spec("tpsa_core._native") is None, reason="no compiled kernels are installed here"
)
SHAPES = [(1, 0), (1, 7), (2, 5), (3, 4), (4, 6), (6, 3), (7, 2)]
UNIT = np.finfo(float).eps


def run(program: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_numpy_can_be_chosen() -> None:
    program = "import tpsa_core; print(tpsa_core.backend())"
    assert run(program, TPSA_CORE_BACKEND="numpy").stdout == "numpy\n"


@needs_native
def test_compiled_kernels_are_chosen_where_they_are_installed() -> None:
    program = "import tpsa_core; print(tpsa_core.backend())"
    assert run(program, TPSA_CORE_BACKEND="").stdout == "native\n"
    assert run(program, TPSA_CORE_BACKEND="native").stdout == "native\n"


def test_an_unknown_backend_is_refused_by_name() -> None:
    done = run("import tpsa_core", TPSA_CORE_BACKEND="fast")
    assert "TPSA_CORE_BACKEND='fast' names no backend: use native or numpy" in done.stderr


@pytest.mark.parametrize(("choice", "code"), [("native", 1), ("", 0)])
def test_missing_compiled_kernels_are_an_error_only_if_they_were_asked_for(
    choice: str, code: int
) -> None:
    # None in sys.modules makes the import fail as if nothing were installed.
    program = """
import sys
sys.modules["tpsa_core._native"] = None
import tpsa_core
assert tpsa_core.backend() == "numpy"
x, y = tpsa_core.Algebra(2, order=3).variables()
assert (tpsa_core.exp(x) * y)[1, 1] == 1.0
"""
    assert run(program, TPSA_CORE_BACKEND=choice).returncode == code


@needs_native
def test_what_one_backend_pickles_and_writes_the_other_reads() -> None:
    x, y = Algebra("x", "y", order=4).variables()
    f = exp(x / 3) * (1 + 1j * y)
    program = f"""
import pickle
from tpsa_core import MTF, backend
f = pickle.loads({pickle.dumps(f)!r})
assert f == MTF.from_json({f.to_json()!r})
print(backend(), f.coefficients.tolist())
"""
    for name in ("native", "numpy"):
        done = run(program, TPSA_CORE_BACKEND=name)
        assert done.stdout == f"{name} {f.coefficients.tolist()}\n", done.stderr


@needs_native
def test_chains_of_operations_agree_between_the_backends() -> None:
    program = Path(__file__).parents[1] / "support" / "series_chains.py"
    results: list[list[Any]] = []
    for name in ("native", "numpy"):
        done = subprocess.run(
            [sys.executable, program, "60"],
            env={**os.environ, "TPSA_CORE_BACKEND": name},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        results.append(json.loads(done.stdout))
    for ours, theirs in zip(*results, strict=True):
        for one, other in zip(ours, theirs, strict=True):
            assert one[:2] == other[:2]
            real, imaginary = (np.array(pair) for pair in zip(one[2:], other[2:], strict=True))
            largest = np.abs([real[1], imaginary[1]]).max()
            assert np.abs([real[0] - real[1], imaginary[0] - imaginary[1]]).max() <= 1e-12 * largest


def close(ours: Array, theirs: Array, scale: float) -> bool:
    """Whether two results differ by a few hundred units of what was added up."""
    return bool(np.all(np.abs(ours - theirs) <= 300 * UNIT * scale))


def bound(tables: MonomialTables, *factors: Array) -> float:
    """The largest coefficient of the product of the absolute values: what a product adds up."""
    result = np.abs(factors[0])
    for factor in factors[1:]:
        result = twin.multiply(tables, result, np.abs(factor))
    return float(result.max())


@st.composite
def operands(draw: st.DrawFn) -> tuple[MonomialTables, Array, Array]:
    tables = monomial_tables(*draw(st.sampled_from(SHAPES)))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    series = rng.uniform(-1, 1, (2, tables.size))
    # Some degrees, or all but one term, may be missing.
    series[0][tables.offsets[draw(st.integers(1, tables.order + 1))] :] = 0
    if draw(st.booleans()):
        series = series + 1j * rng.uniform(-1, 1, (2, tables.size))
    series[:, 0] = 1.5
    return tables, series[0], series[1]


@given(operands())
def test_products_and_quotients_agree_with_numpys(
    case: tuple[MonomialTables, Array, Array],
) -> None:
    tables, left, right = case
    scale = bound(tables, left, right)
    product = kernels.multiply(tables, left, right)
    assert close(product, twin.multiply(tables, left, right), scale)
    square = kernels.multiply(tables, left, left)
    assert close(square, twin.multiply(tables, left, left), bound(tables, left, left))
    for count in (1, 3, 4, 6):
        stored = kernels.to_stored(tables, np.array([left, right] * count))
        partners = kernels.to_stored(tables, np.array([right, right] * count))
        rows = kernels.multiply_stored_rows(tables, stored, partners)
        assert close(kernels.from_stored(tables, rows)[-2], product, scale)
    ours = kernels.quotient(tables, left, right)
    theirs = twin.quotient(tables, left, right)
    inverse = np.abs(twin.quotient(tables, np.eye(1, tables.size)[0], right))
    assert close(ours, theirs, bound(tables, inverse, left, right, inverse))


@given(operands())
def test_functions_agree_with_numpys(case: tuple[MonomialTables, Array, Array]) -> None:
    tables, values, _ = case
    at = values[0]
    calls: list[Callable[[Any], Any]] = [
        lambda k: k.exponential(tables, values),
        lambda k: k.quotient_integral(tables, np.log(at), values * tables.degrees, values),
        lambda k: k.root(tables, values, np.sqrt(at)),
        lambda k: k.root(tables, values, -np.sqrt(at)),
        lambda k: k.power(tables, values, 1 / 3, at ** (1 / 3)),
        lambda k: k.tangent(tables, values, np.tan(at), sign=1),
        lambda k: k.tangent(tables, values, np.tanh(at), sign=-1),
        lambda k: k.wave_pair(tables, values, np.sin(at), np.cos(at), sign=-1)[0],
        lambda k: k.wave_pair(tables, values, np.sinh(at), np.cosh(at), sign=1)[1],
        lambda k: k.compose_univariate(tables, np.arange(1.0, tables.order + 2), values),
    ]
    for call in calls:
        ours, theirs = call(kernels), call(twin)
        assert ours.dtype == theirs.dtype
        assert np.allclose(ours, theirs, rtol=1e-9, atol=1e-9 * np.abs(theirs).max())


@given(operands())
def test_values_compositions_and_inverses_agree_with_numpys(
    case: tuple[MonomialTables, Array, Array],
) -> None:
    tables, first, second = case
    rng = np.random.default_rng(1)
    outer = np.array([first, second])
    inner = rng.uniform(-0.3, 0.3, (tables.dimension, tables.size))
    points = rng.uniform(-1, 1, (37, tables.dimension))
    ours, theirs = (k.evaluate(tables, outer, points) for k in (kernels, twin))
    assert np.allclose(ours, theirs, rtol=0, atol=1e-13 * np.abs(outer).sum())
    ours, theirs = (k.compose(tables, outer, tables, inner) for k in (kernels, twin))
    assert np.allclose(ours, theirs, rtol=1e-11, atol=1e-11 * np.abs(theirs).max())
    if not tables.order:
        return
    inner[:, 0] = 0
    inner[:, 1 : 1 + tables.dimension] += 2 * np.eye(tables.dimension)
    linear = np.linalg.inv(inner[:, 1 : 1 + tables.dimension])
    ours, theirs = (k.inverse(tables, inner, linear) for k in (kernels, twin))
    assert np.allclose(ours, theirs, rtol=1e-9, atol=1e-9 * np.abs(theirs).max())


def test_an_algebra_too_large_for_the_compiled_tables_computes_all_the_same() -> None:
    algebra = Algebra(8, order=14)
    x, y = algebra.variable(0), algebra.variable(7)
    f = 1 + 2 * x - y
    square = (f * f).to_dict()
    assert len(square) == 6
    assert square[(1, *[0] * 6, 1)] == -4.0
    assert (f / 2).derivative("x1").constant == 1.0
    assert f.antiderivative("x8")[(0,) * 7 + (2,)] == -0.5
    assert ((1 / f) * f).is_close(algebra.constant(1.0), atol=1e-9)
    assert f(*[0.5] * 8) == 1.5
    assert (f - f.real).norm() == 0.0


@needs_native
def test_where_there_are_no_compiled_tables_every_kernel_is_numpys() -> None:
    native = importlib.import_module("tpsa_core._native")
    tables = MonomialTables(7, 2)
    tables.native_plan = native.Plan(7, 2, 7)
    assert not tables.native_plan.has_kernels
    rng = np.random.default_rng(5)
    f, g = rng.uniform(0.5, 1, (2, tables.size))
    rows, points = rng.uniform(-1, 1, (7, tables.size)), rng.uniform(-1, 1, (9, 7))
    rows[:, 0] = 0
    linear = np.linalg.inv(rows[:, 1:8])
    calls: list[Callable[[Any], Any]] = [
        lambda k: k.multiply(tables, f, g),
        lambda k: k.multiply_stored_rows(tables, rows, rows),
        lambda k: k.quotient(tables, f, g),
        lambda k: k.exponential(tables, f),
        lambda k: k.root(tables, f, 1.0),
        lambda k: k.power(tables, f, 0.3, 1.0),
        lambda k: k.wave_pair(tables, f, 0.0, 1.0, sign=-1)[0],
        lambda k: k.tangent(tables, f, 0.5, sign=1),
        lambda k: k.compose_univariate(tables, np.arange(3.0), f),
        lambda k: k.compose(tables, rows, tables, rows),
        lambda k: k.evaluate(tables, rows, points),
        lambda k: k.inverse(tables, rows, linear),
    ]
    ours = importlib.import_module("tpsa_core._native_kernels")
    for call in calls:
        assert np.array_equal(call(ours), call(twin))


@pytest.mark.skipif(backend() != "native", reason="on numpy it takes minutes, not memory")
def test_a_composition_that_takes_too_much_memory_is_refused_with_the_numbers() -> None:
    x, y = Algebra("x", "y", order=990).variables()
    with pytest.raises(LimitError, match=r"needs \d+ MiB, more than the 1024 allowed"):
        (x * y).compose([x + y, y])


def test_operands_of_equal_algebras_meet() -> None:
    first, second = Algebra("x", "y", order=5), Algebra("x", "y", order=5)
    x, y = first.variable("x"), second.variable("y")
    assert ((1 + x) * (1 + y)).to_dict() == {(0, 0): 1.0, (1, 0): 1.0, (0, 1): 1.0, (1, 1): 1.0}
    assert ((1 + x) / (1 + y) * (1 + y)).is_close(1 + x)
    assert (x - y).algebra is first


def test_many_threads_may_use_one_algebra() -> None:
    algebra = Algebra(4, order=7)
    rng = np.random.default_rng(2)
    series = [MTF(algebra, rng.uniform(0.5, 1, algebra.size)) for _ in range(8)]

    def work(seed: int) -> list[MTF]:
        f, g = series[seed % 8], series[(seed + 3) % 8]
        return [f * g, exp(f), f / g, f.derivative(seed % 4), (f * g).antiderivative(0)]

    with ThreadPoolExecutor(max_workers=32) as workers:
        together = list(workers.map(work, range(64)))
    assert together == [work(seed) for seed in range(64)]


def test_values_do_not_depend_on_the_number_of_threads() -> None:
    algebra = Algebra(3, order=5)
    rng = np.random.default_rng(3)
    functions = [MTF(algebra, rng.uniform(-1, 1, algebra.size)) for _ in range(2)]
    points = rng.uniform(-1, 1, (5_003, 3))
    for thing in (functions[0], TaylorMap(functions), TaylorVector.of(functions)):
        alone = thing.evaluate(points)
        assert np.allclose(thing.evaluate(points, threads=3), alone, rtol=1e-13, atol=1e-13)
        into = np.empty(alone.shape)
        assert thing.evaluate(points, threads=2, out=into) is into
        assert np.allclose(into, alone, rtol=1e-13, atol=1e-13)
    for wrong in (0, -1, 1.5, True):
        with pytest.raises(ShapeError, match="threads"):
            functions[0].evaluate(points, threads=wrong)  # pyright: ignore[reportArgumentType] -- see above


@needs_native
@pytest.mark.skipif(backend() != "native", reason="it is the compiled objects that are counted")
@pytest.mark.timeout(120)
def test_a_million_operations_leave_no_memory_behind() -> None:
    resource = pytest.importorskip("resource", reason="memory is read as POSIX gives it")
    x, y = Algebra(2, order=4).variables()
    f, g = 1 + x - y / 3, 2 - x * y

    def work(count: int) -> int:
        for _ in range(count):
            for made in (f * g, f + g, 2.0 * f, f / g, exp(f), f.derivative(0)):
                assert made.valid_order
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    before_kib = work(2_000)
    after_kib = work(1_000_000 // 6)
    # A single lost object of each operation would be 50 MiB.
    assert after_kib - before_kib < 8_192
