"""The native module under test, and exact references for it."""

import importlib.util
import os
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from native_series import Maker, Owner

NATIVE = Path(__file__).parents[3] / "packages" / "tpsa-core" / "native"

Array = npt.NDArray[Any]
Exponents = tuple[int, ...]


def load(name: str, path: Path) -> ModuleType:
    specification = importlib.util.spec_from_file_location(name, path)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    sys.modules[name] = module
    specification.loader.exec_module(module)
    return module


def compiler_failure(directory: Path) -> str:
    """Why no extension can be compiled here; empty if one can."""
    source = directory / "trial.c"
    source.write_text("#include <Python.h>\nint main(void) { return 0; }\n")
    command = [*str(sysconfig.get_config_var("CC") or "cc").split(), "-c", str(source)]
    include = f"-I{sysconfig.get_paths()['include']}"
    try:
        subprocess.run(
            [*command, include, "-o", str(directory / "trial.o")], check=True, capture_output=True
        )
    except OSError as error:
        return str(error)
    except subprocess.CalledProcessError as error:
        return error.stderr.decode(errors="replace")
    return ""


@pytest.fixture(scope="session")
def native(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    """The module: a path given by TPSA_NATIVE_MODULE, the installed one, or one built here."""
    chosen = os.environ.get("TPSA_NATIVE_MODULE")
    if chosen:
        return load("tpsa_core._native", Path(chosen))
    if importlib.util.find_spec("tpsa_core._native") is not None:
        return importlib.import_module("tpsa_core._native")
    directory = tmp_path_factory.mktemp("native")
    failure = compiler_failure(directory)
    if failure:
        pytest.skip(f"no C compiler works here: {failure}")
    builder = load("build_native", NATIVE / "build_native.py")
    module = builder.compile_module(directory, flags=["-O1"], highest_order=builder.FEW_KERNELS)
    return load("tpsa_core._native", module)


@pytest.fixture(params=["portable", "avx2", "avx512"])
def level(request: pytest.FixtureRequest, native: ModuleType) -> Iterator[str]:
    """Every instruction set, one after another."""
    best = native.level()
    if request.param not in native.levels():
        pytest.skip(f"this processor has no {request.param}")
    native.set_level(request.param)
    yield request.param
    native.set_level(best)


def graded_exponents(dimension: int, order: int) -> list[Exponents]:
    def of_degree(variables: int, degree: int) -> Iterator[Exponents]:
        if variables == 1:
            yield (degree,)
            return
        for power in range(degree, -1, -1):
            for rest in of_degree(variables - 1, degree - power):
                yield (power, *rest)

    return [powers for degree in range(order + 1) for powers in of_degree(dimension, degree)]


@dataclass(frozen=True, kw_only=True)
class Shape:
    """One plan, and plain arithmetic on lists of coefficients in graded order."""

    native: ModuleType
    dimension: int
    order: int
    inner_variables: int = 0

    @cached_property
    def plan(self) -> Any:
        return self.native.Plan(self.dimension, self.order, self.inner_variables)

    @cached_property
    def exponents(self) -> list[Exponents]:
        return graded_exponents(self.dimension, self.order)

    @cached_property
    def index(self) -> dict[Exponents, int]:
        return {powers: place for place, powers in enumerate(self.exponents)}

    @cached_property
    def degrees(self) -> Array:
        return np.array([sum(powers) for powers in self.exponents])

    @property
    def size(self) -> int:
        return len(self.exponents)

    def block(self, graded: Array) -> Array:
        result = np.empty_like(graded)
        self.plan.to_block(graded, result)
        return result

    def graded(self, block: Array) -> Array:
        result = np.empty_like(block)
        self.plan.from_block(block, result)
        return result

    def call(self, name: str, *arguments: Any, outputs: int = 1) -> Any:
        """A function of the module on series in graded order, into outputs full of nan."""
        arrays = [value for value in arguments if isinstance(value, np.ndarray)]
        kind = np.result_type(*arrays)
        given = [self.block(v) if isinstance(v, np.ndarray) else v for v in arguments]
        results = [np.full(self.size, np.nan, dtype=kind) for _ in range(outputs)]
        getattr(self.native, name)(self.plan, *given, *results)
        graded = [self.graded(result) for result in results]
        return graded[0] if outputs == 1 else graded

    def product(self, left: Sequence[Any], right: Sequence[Any]) -> list[Any]:
        result: list[Any] = [0] * self.size
        for first, powers in enumerate(self.exponents):
            if left[first] == 0:
                continue
            for second, others in enumerate(self.exponents):
                if sum(powers) + sum(others) > self.order:
                    break
                target = tuple(x + y for x, y in zip(powers, others, strict=True))
                result[self.index[target]] += left[first] * right[second]
        return result

    def applied(self, taylor: Sequence[Any], series: Sequence[Any]) -> list[Any]:
        """The sum of taylor[k] * (series without its constant part) ** k."""
        small = [0, *series[1:]]
        result: list[Any] = [taylor[self.order], *[0] * (self.size - 1)]
        for coefficient in reversed(taylor[: self.order]):
            result = self.product(small, result)
            result[0] += coefficient
        return result

    def integers(self, rng: np.random.Generator, *, is_complex: bool = False) -> Array:
        values = rng.integers(-5, 6, self.size).astype(float)
        return values + 1j * rng.integers(-5, 6, self.size) if is_complex else values


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(20260)


@pytest.fixture
def shape(native: ModuleType) -> Callable[..., Shape]:
    """Makes shapes: dimension, order, and the number of inner variables or 0."""

    def make(dimension: int, order: int, inner_variables: int = 0) -> Shape:
        return Shape(
            native=native, dimension=dimension, order=order, inner_variables=inner_variables
        )

    return make


def exact(values: Array) -> list[Fraction]:
    """Floating-point numbers as what they are."""
    return [Fraction(value) for value in values.tolist()]


@pytest.fixture
def owner() -> Owner:
    return Owner()


@pytest.fixture
def kind(native: Any) -> type[Any]:
    """A subclass whose methods show that they were called."""

    class Function(native.SeriesBase):
        __slots__ = ()

        def _plus(self, other: object) -> Any:
            return "plus", other

        def _times(self, other: object) -> Any:
            return "times", other

        def _divided_by(self, other: object) -> Any:
            return "divided by", other

        def _dividing(self, other: object) -> Any:
            return "dividing", other

    return Function


@pytest.fixture
def make(kind: type[Any], owner: Owner) -> Maker:
    """Makes a series of a shape from coefficients in graded order."""

    def series(one: Any, values: Any, valid_order: int | None = None) -> Any:
        order = one.order if valid_order is None else valid_order
        return kind.from_graded(owner, one.plan, np.asarray(values), order)

    return series
