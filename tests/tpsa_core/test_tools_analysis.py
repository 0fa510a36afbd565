"""The tools that evaluate at many points and say what an object is like."""

import math
from typing import Any

import pytest
from taylor_calls import do, make_map, no, parse

from tercet import ToolRegistry

pytestmark = pytest.mark.anyio


async def test_few_values_are_given_and_many_are_stored(taylor: ToolRegistry) -> None:
    f = await parse(taylor, "x1*x2")
    few = await do(taylor, "evaluate_mtf_batch", mtf_ref=f, points=[[1, 2], [3, 4]])
    assert few["values"] == [2, 12]
    assert few["statistics"] == [
        {"lowest": 2, "highest": 12, "mean": 7, "rms": pytest.approx(math.sqrt(74))}
    ]
    grid = {"lower": [0, 0], "upper": [1, 2], "counts": [11, 21]}
    many = await do(taylor, "evaluate_mtf_batch", mtf_ref=f, grid=grid)
    assert (many["count"], many["values"]) == (231, None)
    assert many["statistics"][0]["highest"] == 2
    part = await do(taylor, "read_object", ref=many["ref"], pointer="/values", offset=230)
    assert part["value"] == [2]


async def test_a_distribution_is_the_same_for_the_same_seed(taylor: ToolRegistry) -> None:
    pair = await make_map(taylor, "x1 + x2", "x2")
    spec = {"kind": "gaussian", "widths": [1.0, 1.0], "count": 20_000, "seed": 3}
    first = await do(taylor, "evaluate_taylor_map_batch", map_ref=pair, distribution=spec)
    again = await do(taylor, "evaluate_taylor_map_batch", map_ref=pair, distribution=spec)
    assert first["statistics"] == again["statistics"]
    # The sum of two normal variables has the variance 2; 20,000 draws know it to 1 %.
    assert first["statistics"][0]["rms"] == pytest.approx(math.sqrt(2), rel=0.03)
    flat = {"kind": "uniform", "widths": [2.0, 1.0], "count": 1000}
    uniform = await do(taylor, "evaluate_taylor_map_batch", map_ref=pair, distribution=flat)
    assert -1 <= uniform["statistics"][1]["lowest"] < uniform["statistics"][1]["highest"] <= 1


async def test_complex_values_are_pairs_and_their_sizes_are_counted(taylor: ToolRegistry) -> None:
    z = await parse(taylor, "3*x1 + 4j*x1", dimension=1)
    batch = await do(taylor, "evaluate_mtf_batch", mtf_ref=z, points=[[1]])
    assert batch["values"] == [[3, 4]]
    assert batch["statistics"][0]["rms"] == 5
    none = await do(taylor, "evaluate_mtf_batch", mtf_ref=z, points=[])
    assert none["count"] == 0


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({}, "INVALID_INPUT"),
        (
            {"points": [[1, 2]], "grid": {"lower": [0], "upper": [1], "counts": [2]}},
            "INVALID_INPUT",
        ),
        ({"points": [[1, 2], [3]]}, "INVALID_INPUT"),
        ({"grid": {"lower": [0], "upper": [1, 1], "counts": [2, 2]}}, "INVALID_INPUT"),
        (
            {"grid": {"lower": [0, 0], "upper": [1, 1], "counts": [2_000, 2_000]}},
            "LIMIT_EXCEEDED",
        ),
        ({"distribution": {"kind": "gaussian", "widths": [1], "count": 5}}, "INVALID_INPUT"),
        ({"distribution": {"kind": "cauchy", "widths": [1, 1], "count": 5}}, "INVALID_INPUT"),
        ({"points": [[1e200, 1e200]]}, "COMPUTATION_ERROR"),
    ],
)
async def test_points_that_cannot_be_used_are_refused(
    taylor: ToolRegistry, arguments: dict[str, Any], code: str
) -> None:
    f = await parse(taylor, "x1*x2")
    assert (await no(taylor, "evaluate_mtf_batch", mtf_ref=f, **arguments)).error_code == code


async def test_a_rotation_is_analyzed(taylor: ToolRegistry) -> None:
    tune = 0.205
    phase = f"2*pi*{tune}"
    ring = await make_map(
        taylor,
        f"cos({phase})*x1 + sin({phase})*(x2 + x1^2)",
        f"cos({phase})*(x2 + x1^2) - sin({phase})*x1",
    )
    found = await do(taylor, "analyze_taylor_map", map_ref=ring)
    assert found["determinant"] == pytest.approx(1, abs=1e-15)
    assert found["trace"] == pytest.approx(2 * math.cos(2 * math.pi * tune), abs=1e-15)
    for real, imaginary in found["eigenvalues"]:
        found_tune = abs(math.atan2(imaginary, real)) / (2 * math.pi)
        assert found_tune == pytest.approx(tune, abs=1e-15)
    assert max(found["symplectic_errors"]) < 1e-14
    assert found["invertible"]
    assert found["condition"] == pytest.approx(1, abs=1e-14)


async def test_a_map_that_has_no_inverse_is_said_to_have_none(taylor: ToolRegistry) -> None:
    flat = await make_map(taylor, "x1 + x2", "2*x1 + 2*x2")
    found = await do(taylor, "analyze_taylor_map", map_ref=flat)
    assert not found["invertible"]
    assert found["condition"] is None or found["condition"] > 1e15
    shifted = await make_map(taylor, "1 + x1", "x2")
    assert "constant part" in (await do(taylor, "analyze_taylor_map", map_ref=shifted))["reason"]
    tall = await do(
        taylor,
        "create_taylor_map",
        expressions=["x1", "x2", "x1*x2"],
        dimension=2,
        max_order=2,
    )
    found = await do(taylor, "analyze_taylor_map", map_ref=tall["ref"])
    assert found["eigenvalues"] is found["determinant"] is None
    assert found["symplectic_errors"] is None
    # Units play no part: a map in small numbers inverts as well.
    small = await make_map(taylor, "1e-8*x1", "1e-8*x2")
    assert (await do(taylor, "analyze_taylor_map", map_ref=small))["invertible"]


async def test_the_radius_of_a_geometric_series_is_found(taylor: ToolRegistry) -> None:
    f = await parse(taylor, "1/(1 - 4*x1)", dimension=1, order=12)
    found = await do(taylor, "analyze_mtf_diagnostics", mtf_ref=f, weight=[0.5])
    assert found["convergence_radius"] == pytest.approx(0.25, rel=1e-12)
    assert found["order_norms"][:3] == [1, 4, 16]
    assert found["norm"] == 4.0**12
    assert found["sum_of_coefficients"] == sum(4.0**k for k in range(13))
    assert found["weighted_norm"] == sum(2.0**k for k in range(13))
    line = await parse(taylor, "x1", dimension=1)
    assert (await do(taylor, "analyze_mtf_diagnostics", mtf_ref=line))["convergence_radius"] is None
    wrong = await no(taylor, "analyze_mtf_diagnostics", mtf_ref=f, weight=[1, 1])
    assert wrong.error_code == "INVALID_INPUT"
