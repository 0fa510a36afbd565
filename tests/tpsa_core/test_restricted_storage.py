"""Values of restricted algebras written, read, shown and converted."""

import json
import pickle  # noqa: TID251 -- our own bytes
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tpsa_core import (
    MTF,
    Algebra,
    FormatError,
    TaylorMap,
    map_from_bytes,
    map_to_bytes,
    series_from_bytes,
    series_to_bytes,
)

KNOBS = Algebra("x", "px", order=4, parameters=("k1", "k2"), parameter_order=2, orders={"px": 3})
CHROMATIC = Algebra("x", "delta", order=4, orders={"delta": 2})


def sample(algebra: Algebra, seed: int = 1) -> MTF:
    rng = np.random.default_rng(seed)
    return MTF(algebra, rng.normal(size=algebra.size) + 1j * rng.normal(size=algebra.size))


ROUND_TRIPS: dict[str, Callable[[MTF], MTF]] = {
    "JSON": lambda f: MTF.from_json(f.to_json()),
    "bytes": lambda f: series_from_bytes(series_to_bytes(f)),
    "pickle": lambda f: pickle.loads(pickle.dumps(f)),  # noqa: S301 -- our own bytes
    "map as JSON": lambda f: TaylorMap.from_json(TaylorMap([f]).to_json())[0],
    "map as bytes": lambda f: map_from_bytes(map_to_bytes(TaylorMap([f])))[0],
}


@pytest.mark.parametrize("way", ROUND_TRIPS)
@pytest.mark.parametrize("algebra", [KNOBS, CHROMATIC])
def test_values_come_back_with_every_bit_and_as_well_known(way: str, algebra: Algebra) -> None:
    f = sample(algebra)
    last = algebra.names[-1]
    for value in (f, f.truncate(2), f.derivative(last), f.derivative(0), f.derivative(last).real):
        again = ROUND_TRIPS[way](value)
        assert again == value
        assert again.algebra is algebra
        assert (again.known, again.limits) == (value.known, value.limits)
        assert again.is_complex == value.is_complex


def test_the_text_says_what_version_1_cannot() -> None:
    f = (CHROMATIC.variable("delta") ** 2).derivative("delta")
    assert json.loads(f.to_json()) == {
        "format": "tpsa-series",
        "version": 2,
        "variables": ["x", "delta"],
        "order": 4,
        "orders": {"delta": 2},
        "components": [
            {
                "valid_order": 3,
                "known": {"orders": [3, 1], "group": 0, "joint": 0},
                "type": "real",
                "terms": [[[0, 1], 2.0]],
            }
        ],
    }
    header = json.loads(KNOBS.zero().to_json())
    assert header["variables"] == ["x", "px", "k1", "k2"]
    assert (header["parameters"], header["parameter_order"]) == (["k1", "k2"], 2)
    # Ordinary functions stay as they were.
    assert json.loads(Algebra("x", order=2).zero().to_json())["version"] == 1


def changed(text: str, path: str, value: Any) -> str:
    fields = json.loads(text)
    *parents, last = path.split(".")
    target = fields
    for parent in parents:
        target = target["components"][0] if parent == "component" else target[parent]
    target[last] = value
    return json.dumps(fields)


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("version", 1, "version 1 and not 'tpsa-series' version 2"),
        ("version", 3, "version 3 and not 'tpsa-series' version 2"),
        ("orders", {"z": 2}, "cannot exist: there is no variable 'z'"),
        ("orders", {"delta": 9}, "cannot exist: the order of 'delta', 9"),
        ("orders", 7, "cannot exist: the orders 7"),
        ("orders", {"delta": 4}, "lower orders that exclude nothing"),
        ("parameters", ["x"], "not the last of the variables"),
        ("parameters", ["x", "y", "z"], "not the last of the variables"),
        ("parameters", "delta", "parameters are not named"),
        ("parameters", ["x", "delta"], "cannot exist: an algebra needs at least one variable"),
        ("parameter_order", 2, "cannot exist: there is a parameter order"),
        ("component.known", 3, "does not say what it knows"),
        ("component.known.orders", [3], "does not say what it knows"),
        ("component.known.orders", [3, -1], "does not say what it knows"),
        ("component.known.orders", [3, "1"], "does not say what it knows"),
        ("component.known.orders", [1, 1], "does not say what it knows"),
        ("component.known.orders", [3, 0], "has terms that it does not know"),
        ("component.known.group", 5, "does not say what it knows"),
        ("component.known.joint", None, "does not say what it knows"),
    ],
)
def test_a_damaged_header_is_refused(path: str, value: Any, message: str) -> None:
    f = (CHROMATIC.variable("delta") ** 2).derivative("delta")
    with pytest.raises(FormatError, match=message):
        MTF.from_json(changed(f.to_json(), path, value))


def test_terms_by_exponents_go_forth_and_back() -> None:
    f = sample(KNOBS).real
    assert MTF.from_dict(KNOBS, f.to_dict()) == f
    assert len(f.to_dict()) == KNOBS.size
    assert [term.exponents for term in f.terms(3)] == [
        powers for powers, _ in sorted(f.to_dict().items(), key=lambda item: -abs(item[1]))
    ][:3]
    x, _, k1, _ = KNOBS.variables()
    assert (2 * x * k1).active_variables == ("x", "k1")
    assert "in x, px, k1, k2: 1 of" in (2 * x * k1).table()


def test_the_polynomial_goes_to_sympy() -> None:
    sympy = pytest.importorskip("sympy", reason="sympy is optional")
    x, _, k1, _ = KNOBS.variables()
    expression = (2 * x * k1 + k1**2).to_sympy()
    names = sympy.symbols("x k1")
    assert sympy.expand(expression - (2 * names[0] * names[1] + names[1] ** 2)) == 0


def test_numpys_functions_take_them() -> None:
    x, _, k1, _ = KNOBS.variables()
    f = 1 + x + k1
    assert np.exp(f) == np.exp(1.0 * f)
    assert (np.array([1.0, 2.0]) * f)[1] == 2 * f
    assert hash(f) == hash(1 + (x + k1))
    assert np.sqrt(f * f).is_close(f, rtol=1e-14, atol=1e-15)
