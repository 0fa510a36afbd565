"""A function as a picture: what is said of it, and what is to be seen."""

import subprocess
import sys
from typing import Any

import anyio
import numpy as np
import pytest
from drawn_pictures import drawn
from taylor_calls import do, make_map, no, parse

from tercet import ToolRegistry

pytestmark = pytest.mark.anyio

UNIT = {"variable": "x1", "lower": -1, "upper": 1}


async def test_a_curve_says_between_which_values_it_goes(taylor: ToolRegistry) -> None:
    ref = await parse(taylor, "x1^2 - 2*x2", name="parabola")
    axis = {"variable": 1, "lower": -1, "upper": 2}
    result, pixels = await drawn(taylor, "plot_mtf", mtf_ref=ref, x=axis, fixed={"x2": 0.5})
    assert (result["lowest"], result["highest"]) == (pytest.approx(-1, abs=1e-4), 3)
    assert result["description"] == "parabola along x1, x2 = 0.5: from -1 to 3"
    assert result["ref"] == "picture_0"
    blue = (np.abs(pixels - (0.122, 0.467, 0.706)) < 0.02).all(axis=2)
    rows, columns = np.nonzero(blue)
    # The lowest point of the parabola (rows count downwards) is a third of the way along.
    bottom = columns[rows == rows.max()].mean()
    left, right = columns.min(), columns.max()
    assert (bottom - left) / (right - left) == pytest.approx(1 / 3, abs=0.05)


async def test_contours_say_between_which_values_they_go(taylor: ToolRegistry) -> None:
    ref = await parse(taylor, "x1*x2 + x3", dimension=3)
    side = {"variable": "x2", "lower": 0, "upper": 4}
    result, _ = await drawn(
        taylor, "plot_mtf", mtf_ref=ref, x=UNIT, y=side, fixed={"3": 10, "1": 99}, name="mine"
    )
    assert (result["ref"], result["lowest"], result["highest"]) == ("mine", 6, 14)
    assert result["description"] == "mtf_0 over x1 and x2, x3 = 10: from 6 to 14"


async def test_of_a_complex_function_parts_or_sizes_are_drawn(taylor: ToolRegistry) -> None:
    ref = await parse(taylor, "(3 + 4j)*x1")
    curve, _ = await drawn(taylor, "plot_mtf", mtf_ref=ref, x=UNIT)
    assert (curve["lowest"], curve["highest"]) == (-4, 4)
    side = {**UNIT, "variable": 2}
    contours, _ = await drawn(taylor, "plot_mtf", mtf_ref=ref, x=UNIT, y=side)
    assert (contours["lowest"], contours["highest"]) == (0, 5)
    assert contours["description"].startswith("|mtf_0| over x1 and x2")


@pytest.mark.parametrize("expression", ["7", "0", "7 + 1e-15*x1", "1e99*x1", "1e-300*x1"])
async def test_constants_and_extremes_can_be_drawn(taylor: ToolRegistry, expression: str) -> None:
    ref = await parse(taylor, expression)
    side = {**UNIT, "variable": 2}
    for more in ({}, {"y": side}):
        result, _ = await drawn(taylor, "plot_mtf", mtf_ref=ref, x=UNIT, **more)
        assert result["lowest"] <= result["highest"]


async def test_labels_of_long_names_and_many_numbers_are_cut(taylor: ToolRegistry) -> None:
    name = "a_function_whose_name_is_longer_than_a_label"
    await parse(taylor, "x1", dimension=8, order=1, name=name)
    fixed = {str(k): k for k in range(2, 9)}
    result, _ = await drawn(taylor, "plot_mtf", mtf_ref=name, x=UNIT, fixed=fixed)
    assert result["description"] == (
        "a_function_whose_name_is_long… along x1, x2 = 2, x3 = 3, x4 = 4, x5 = 5, …: from -1 to 1"
    )


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ({"x": UNIT, "y": UNIT}, "INVALID_INPUT", "both axes show the variable 'x1'"),
        ({"x": {**UNIT, "upper": -1}}, "INVALID_INPUT", "cannot be drawn"),
        ({"x": {**UNIT, "lower": 0, "upper": 1e-200}}, "INVALID_INPUT", "cannot be drawn"),
        ({"x": {**UNIT, "upper": 1e200}}, "INVALID_INPUT", "at most 1e+100"),
        ({"x": {**UNIT, "variable": True}}, "INVALID_INPUT", "/x/variable"),
        ({"x": {**UNIT, "variable": 9}}, "INVALID_INPUT", "no variable x9"),
        ({"x": {**UNIT, "variable": "x" + "9" * 90}}, "INVALID_INPUT", "no variable 'x999"),
        ({"x": UNIT, "fixed": {"y": 1}}, "INVALID_INPUT", "no variable 'y'"),
        ({"x": UNIT, "fixed": {"2": 1, "x2": 3}}, "INVALID_INPUT", "'x2' has two numbers"),
        ({"x": UNIT, "fixed": {"2": 1e300}}, "COMPUTATION_ERROR", "too large to draw"),
    ],
)
async def test_a_plot_that_cannot_be_drawn_is_refused_and_keeps_nothing(
    taylor: ToolRegistry, arguments: dict[str, Any], code: str, message: str
) -> None:
    ref = await parse(taylor, "x1 + x2^2")
    answer = await no(taylor, "plot_mtf", mtf_ref=ref, **arguments)
    assert answer.error_code == code
    assert message in answer.message
    assert answer.hint
    assert (await do(taylor, "list_objects"))["total"] == 1


async def test_without_matplotlib_the_answer_says_how_to_install_it(
    taylor: ToolRegistry, monkeypatch: pytest.MonkeyPatch
) -> None:
    function, turn = await parse(taylor, "x1"), await make_map(taylor, "x1 + x2", "x2")
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    for tool_name, arguments in (
        ("plot_mtf", {"mtf_ref": function, "x": UNIT}),
        ("plot_phase_space", {"map_ref": turn, "points": [[0.1, 0]]}),
    ):
        answer = await no(taylor, tool_name, **arguments)
        assert answer.error_code == "UNAVAILABLE"
        assert answer.hint == ("install it where the tools run: pip install 'tpsa-core[plot]'")


def test_matplotlib_is_loaded_by_the_first_picture_in_a_thread_and_pyplot_never() -> None:
    program = """
import sys, threading, anyio
from tpsa_core.tools import taylor_registry
threads = {}
class Noting:
    def find_spec(self, name, path=None, target=None):
        threads[name] = threading.current_thread()
sys.meta_path.insert(0, Noting())
registry = taylor_registry()
call = lambda name, **arguments: anyio.run(registry.call_tool, name, arguments)
call("parse_expression_to_mtf", expression="x1", dimension=1, max_order=1)
assert "matplotlib" not in sys.modules
answer = call("plot_mtf", mtf_ref="mtf_0", x={"variable": 1, "lower": 0, "upper": 1})
assert answer.status == "success", answer
assert "matplotlib" in sys.modules
assert "matplotlib.pyplot" not in sys.modules
drawing = [name for name in threads if name.startswith(("matplotlib", "PIL"))]
assert "matplotlib.figure" in drawing and "matplotlib.backends.backend_agg" in drawing
assert all(threads[name] is not threading.main_thread() for name in drawing)
"""
    subprocess.run([sys.executable, "-W", "error", "-c", program], check=True)


async def test_pictures_that_are_drawn_at_the_same_time_do_not_mix(taylor: ToolRegistry) -> None:
    refs = [await parse(taylor, f"x1^{power}") for power in range(1, 7)]
    alone = [(await drawn(taylor, "plot_mtf", mtf_ref=ref, x=UNIT))[1] for ref in refs]
    together: dict[str, Any] = {}

    async def draw(ref: str) -> None:
        together[ref] = (await drawn(taylor, "plot_mtf", mtf_ref=ref, x=UNIT))[1]

    async with anyio.create_task_group() as tasks:
        for ref in refs:
            tasks.start_soon(draw, ref)
    for ref, pixels in zip(refs, alone, strict=True):
        assert (together[ref] == pixels).all()


async def test_a_picture_is_no_taylor_object(taylor: ToolRegistry) -> None:
    ref = await parse(taylor, "x1")
    result, _ = await drawn(taylor, "plot_mtf", mtf_ref=ref, x=UNIT)
    answer = await no(taylor, "truncate_object", ref=result["ref"], order=1)
    assert answer.error_code == "TYPE_MISMATCH"
    assert taylor.objects is not None
    described = await do(taylor, "describe_object", ref=result["ref"])
    assert described["kind"] == "picture"
