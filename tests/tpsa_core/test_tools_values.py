"""Values at many points: kept as they are, said in statistics, refused before they cost much."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from taylor_calls import do, make_map, no, parse

from tercet import ToolRegistry
from tpsa_core import FormatError
from tpsa_core.tools._values_codec import PointValues, ValuesCodec

pytestmark = pytest.mark.anyio

GRID = {"lower": [0, 0], "upper": [1, 1], "counts": [10, 20]}
NUMBERS = st.sampled_from([np.float64, np.complex128])


@given(st.data())
def test_points_and_values_come_back_bit_by_bit(data: st.DataObject) -> None:
    count, dimension = data.draw(st.integers(0, 5)), data.draw(st.integers(1, 3))
    points = data.draw(hnp.arrays(np.float64, (count, dimension)))
    shape = data.draw(st.sampled_from([(count,), (count, 1), (count, 4)]))
    values = data.draw(hnp.arrays(data.draw(NUMBERS), shape))
    codec = ValuesCodec()
    read = codec.decode(codec.encode(PointValues(points, values)))
    assert (read.points.tobytes(), read.points.shape) == (points.tobytes(), points.shape)
    assert (read.values.tobytes(), read.values.shape) == (values.tobytes(), values.shape)
    assert codec.summarize(read)["points"] == count


DATA = ValuesCodec().encode(PointValues(np.ones((2, 3)), np.ones(2)))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        DATA[:-1],
        DATA[1:],
        DATA.replace(b'"version": 1', b'"version": 2'),
        DATA.replace(b'"real"', b'"text"'),
        b"[]" + DATA,
        b'{"format": "values"}\n',
    ],
)
def test_damaged_bytes_are_no_values(data: bytes) -> None:
    with pytest.raises(FormatError, match="values") as caught:
        ValuesCodec().decode(data)
    assert caught.value.hint == "evaluate the batch again"


async def test_kept_values_are_described_and_read_in_parts(taylor: ToolRegistry) -> None:
    ref = await make_map(taylor, "x1 + 2j*x2", "x1*x2", "1")
    grid = {"lower": [0, 0, 0], "upper": [1, 1, 1], "counts": [10, 20, 1]}
    batch = await do(taylor, "evaluate_taylor_map_batch", map_ref=ref, grid=grid)
    described = await do(taylor, "describe_object", ref=batch["ref"])
    assert described["kind"] == "values"
    assert described["summary"] == {"points": 200, "dimension": 3, "components": 3}
    assert described["size_bytes"] < 200 * (3 * 8 + 3 * 16) + 200
    last = await do(taylor, "read_object", ref=batch["ref"], pointer="/values/199")
    assert last["value"] == [[1, 2], [1, 0], [1, 0]]
    history = await do(taylor, "explain_object", ref=batch["ref"])
    assert history["arguments"]["grid"] == grid


async def test_statistics_of_huge_values_do_not_overflow(taylor: ToolRegistry) -> None:
    ref = await parse(taylor, "1e308*x1", dimension=2)
    batch = await do(taylor, "evaluate_mtf_batch", mtf_ref=ref, grid={**GRID, "lower": [1, 0]})
    (column,) = batch["statistics"]
    assert column["rms"] == pytest.approx(1e308)
    assert column["mean"] == pytest.approx(1e308)


@pytest.mark.parametrize("expression", ["1e300*x1^2", "(1.5e308 + 1.5e308j)*x2"])
async def test_values_that_are_not_finite_are_refused_and_not_kept(
    taylor: ToolRegistry, expression: str
) -> None:
    ref = await parse(taylor, expression)
    grid = {**GRID, "upper": [1e200, 1]}
    answer = await no(taylor, "evaluate_mtf_batch", mtf_ref=ref, grid=grid)
    assert answer.error_code == "COMPUTATION_ERROR"
    assert (await do(taylor, "list_objects"))["total"] == 1


@pytest.mark.parametrize(
    ("lower", "upper"), [([-1.7e308, 0], [1.7e308, 1]), ([0, 0], [1e308, 1e308])]
)
async def test_the_ends_of_a_grid_may_be_as_far_apart_as_numbers_go(
    taylor: ToolRegistry, lower: list[float], upper: list[float]
) -> None:
    ref = await parse(taylor, "0*x1")
    grid = {"lower": lower, "upper": upper, "counts": [9, 9]}
    answer = (
        await taylor.call_tool("evaluate_mtf_batch", {"mtf_ref": ref, "grid": grid})
    ).to_dict()
    assert answer["status"] == "success" or answer["error_code"] == "COMPUTATION_ERROR"
    assert json.dumps(answer, allow_nan=False)


async def test_a_million_points_are_evaluated_and_more_memory_is_refused(
    taylor: ToolRegistry,
) -> None:
    ref = await parse(taylor, "x1^2", dimension=1)
    spec = {"kind": "uniform", "widths": [1], "count": 1_000_000, "seed": 5}
    batch = await do(taylor, "evaluate_mtf_batch", mtf_ref=ref, distribution=spec)
    assert batch["statistics"][0]["mean"] == pytest.approx(1 / 3, abs=0.002)
    assert batch["statistics"][0]["rms"] == pytest.approx(math.sqrt(1 / 5), abs=0.002)
    wide = await make_map(taylor, *(f"x{k}" for k in range(1, 31)), order=1)
    large = {**spec, "widths": [1] * 30}
    answer = await no(taylor, "evaluate_taylor_map_batch", map_ref=wide, distribution=large)
    assert answer.error_code == "LIMIT_EXCEEDED"
    assert answer.hint == "no order would fit, so take fewer points"
