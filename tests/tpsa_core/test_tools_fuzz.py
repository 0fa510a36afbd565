"""Whatever is asked: an answer within its schema, soon, and nothing kept of what failed."""

import time
from typing import Any

import anyio
import numpy as np
import pytest
from fuzzed_arguments import EXPRESSIONS, ODD, Strategy, arguments_of, seldom
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from tercet import (
    AnyTool,
    CallContext,
    Envelope,
    ErrorCode,
    Provenance,
    ToolErrorResponse,
)
from tpsa_core import MTF, Algebra, TaylorMap, TpsaError, parse_expression
from tpsa_core.tools import TaylorLimits, taylor_registry

# The deep profile asks for 50,000 cases.
pytestmark = pytest.mark.timeout(3600)
examples = settings.default.max_examples if settings.default else 50
fuzzed = settings(
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    max_examples=examples,
)

LONGEST_S = 1.0
LARGEST_TEXT = 64 * 1024
PARTS = 4

# So tight that what is allowed takes far less than a second.
REGISTRY = taylor_registry(
    limits=TaylorLimits(
        coefficients=20_000, product=50_000, multiplications=5_000_000, memory_bytes=50_000_000
    )
)
TOOLS = list(REGISTRY)
VALIDATORS = {tool.name: Draft202012Validator(tool.answer_schema()) for tool in TOOLS}


def _objects() -> dict[str, Any]:
    two, wide = Algebra("x", "px", order=3), Algebra(3, order=4)
    x, px = two.variables()
    grown = MTF(wide, np.linspace(-1, 1, wide.size))
    return {
        "f": 1 + x * px + 0.5 * x**3,
        "zero": two.zero(),
        "slope": (x**2 * px).derivative("x"),
        "complex": 1j * x + px,
        "huge": 1e300 * x**2 + 1e-300 * px,
        "wide": grown,
        "m": TaylorMap([x + px, px - (x + px) ** 2]),
        "shifted": TaylorMap([1 + x, px]),
        "tall": TaylorMap([grown, -grown, grown * 2, grown]),
        "plain": {"points": [1, 2], "text": "é" * 100},
        "session_algebra": {"max_order": 3, "max_dimension": 2, "names": ["x", "px"]},
    }


OBJECTS = _objects()
TEXTS = st.one_of(
    st.sampled_from([*OBJECTS, "mtf_0", "map_0", "picture_0", "values_0"]),
    st.sampled_from(["x1", "x", "px", "1", "", "2.5", "1+2j", "nan", "/terms/0", "exp", "dace"]),
    EXPRESSIONS,
    st.text(max_size=12),
)
TABLE = """\
     I  COEFFICIENT              ORDER EXPONENTS
     1    1.5000000000000000e+00   1   1  0
------------------------------------------------
# mtf; order 1; valid 1; variables x px
"""
EXPORTED = [OBJECTS["f"].to_json(), OBJECTS["m"].to_json(), TABLE]


@st.composite
def _damaged(draw: st.DrawFn) -> str:
    text = draw(st.sampled_from(EXPORTED))
    for _ in range(draw(st.integers(0, 3))):
        place = draw(st.integers(0, len(text)))
        end = place + draw(st.integers(0, 6))
        text = text[:place] + draw(st.sampled_from(["", "9", "-", ",", "[", "e", " "])) + text[end:]
    return text


FUNCTIONS = seldom(st.sampled_from(["f", "f", "slope", "complex", "wide", "huge", "zero"]), TEXTS)
MAPS = seldom(st.sampled_from(["m", "m", "shifted", "tall"]), TEXTS)
SMALL = seldom(st.lists(st.sampled_from([0, 0.1, -0.5, 1]), min_size=2, max_size=2), ODD, 8)
PAIR = st.lists(st.sampled_from([0, 0.1, -0.5, 1, 1e-5, 1e200]), min_size=2, max_size=2)
AXIS = st.fixed_dictionaries(
    {
        "variable": seldom(st.sampled_from([1, 2, "x", "px", "x2", "1"]), ODD),
        "lower": seldom(st.sampled_from([0, -1, 0.5]), ODD),
        "upper": seldom(st.sampled_from([1, 2, 1e-3, 1e50]), ODD),
    }
)
KNOWN: dict[str, Strategy] = {
    "text of any kind": TEXTS,
    "expression": seldom(EXPRESSIONS, ODD),
    "expressions": seldom(st.lists(EXPRESSIONS, min_size=1, max_size=3), ODD),
    "dimension": seldom(st.just(2), st.integers(-1, 60)),
    "at": seldom(st.sampled_from([None, [1, 2], {"x1": 2}, {"x2": -1}]), ODD),
    "text": seldom(_damaged(), TEXTS, 8),
    "name": seldom(st.sampled_from([None, "mine", "f2"]), TEXTS),
    "point": SMALL,
    "points": seldom(st.lists(PAIR, min_size=1, max_size=3), ODD),
    "var_index": seldom(st.integers(1, 2), ODD),
    "ref": seldom(st.sampled_from(sorted(OBJECTS)), TEXTS),
    **{f"ref_{number}": FUNCTIONS for number in (1, 2)},
    **{f"mtf_ref{end}": FUNCTIONS for end in ("", "_1", "_2")},
    **{f"map_ref{end}": MAPS for end in ("", "_1", "_2")},
    "mtf_refs": seldom(st.lists(FUNCTIONS, min_size=1, max_size=3), ODD),
    "inner_mtf_refs": seldom(st.dictionaries(st.sampled_from("12"), FUNCTIONS, min_size=1), ODD),
    "exponents": SMALL.map(lambda numbers: [2, 1] if isinstance(numbers, list) else numbers),
    "variable_map": seldom(st.sampled_from([{"1": 0.5}, {"2": 1e3}, {"1": 1, "2": 2}]), ODD),
    "scaling_factors": seldom(PAIR, ODD),
    "max_order": seldom(st.integers(1, 6), st.integers(-1, 120)),
    "x": seldom(AXIS, ODD),
    "y": seldom(AXIS, ODD),
    "fixed": seldom(st.sampled_from([None, {"2": 0.5}, {"px": 1, "x1": 2}]), ODD),
    "grid": seldom(
        st.fixed_dictionaries(
            {
                "lower": PAIR,
                "upper": PAIR,
                "counts": st.lists(st.integers(1, 9), min_size=2, max_size=2),
            }
        ),
        ODD,
    ),
    "aperture": seldom(st.sampled_from([None, 1, 1e-3, 1e100]), ODD),
    "turns": seldom(st.integers(1, 50), st.integers(-1, 20_000)),
    "session_id": seldom(st.just("default"), st.sampled_from(["other", "a b"])),
}


def _step(tool: AnyTool) -> Strategy:
    return st.fixed_dictionaries(
        {"tool": st.just(tool.name), "arguments": arguments_of(tool, KNOWN)},
        optional={"as": st.sampled_from(["a", "b", "c d"])},
    )


KNOWN["steps"] = ODD
STEPS = {tool.name: _step(tool) for tool in TOOLS}
KNOWN["steps"] = st.lists(st.sampled_from(sorted(STEPS)).flatmap(STEPS.__getitem__), max_size=4)
ARGUMENTS = {tool.name: seldom(arguments_of(tool, KNOWN), ODD, 100) for tool in TOOLS}


async def _asked(tool_name: str, arguments: Any) -> tuple[float, Envelope]:
    """How long an answer takes in a session of its own, and the answer.

    Of the processor's time, so that a machine that is busy otherwise does not matter.
    """
    context = CallContext()
    objects = REGISTRY.objects
    assert objects is not None
    for session in ("default", "other"):
        await objects.clear(CallContext(session_id=session))
    for name, value in OBJECTS.items():
        await objects.put(context, value, name=name, provenance=Provenance(operation="test"))
    began = time.process_time()
    answer = await REGISTRY.call_tool(tool_name, arguments, context)
    return time.process_time() - began, answer


async def _answer(tool_name: str, arguments: Any) -> None:
    took_s, answer = await _asked(tool_name, arguments)
    if took_s >= LONGEST_S:
        # What is slow by itself is slow again; a cleaning up of all that the tests left is not.
        took_s, answer = await _asked(tool_name, arguments)
    assert took_s < LONGEST_S
    assert len(answer.to_json().encode()) < LARGEST_TEXT
    VALIDATORS[tool_name].validate(answer.to_dict())
    if isinstance(answer, ToolErrorResponse):
        assert answer.error_code != ErrorCode.INTERNAL_ERROR, answer.message
        assert answer.hint
        if tool_name != "run_program":
            assert REGISTRY.objects is not None
            kept = {handle.ref for handle in await REGISTRY.objects.list(CallContext())}
            assert kept == OBJECTS.keys()


@pytest.mark.parametrize("part", range(PARTS))
@settings(fuzzed, max_examples=-(-examples // PARTS))
@given(data=st.data())
def test_every_tool_answers_within_its_schema_whatever_it_is_given(
    part: int, data: st.DataObject
) -> None:
    tool_name = data.draw(st.sampled_from(sorted(ARGUMENTS)[part::PARTS]))
    anyio.run(_answer, tool_name, data.draw(ARGUMENTS[tool_name]))


@settings(fuzzed)
@given(
    st.one_of(
        EXPRESSIONS,
        st.lists(EXPRESSIONS, min_size=1, max_size=8).map(" + ".join),
        st.text("x12.e*/^+-(), jpsinlog_[]'\n", max_size=60),
        st.text(max_size=30),
    ),
    st.sampled_from([None, {"x1": 1}, [2, -3], {"x2": 1e-3}]),
)
def test_every_text_is_a_series_or_a_refusal_that_says_what_to_do(text: str, at: Any) -> None:
    took_s, refusal = _read(text, at)
    if took_s >= LONGEST_S:
        took_s, refusal = _read(text, at)
    assert took_s < LONGEST_S
    assert refusal is None or (str(refusal) and refusal.hint)


def _read(text: str, at: Any) -> tuple[float, TpsaError | None]:
    """How long reading an expression takes, of the processor's time, and why it was refused."""
    began = time.process_time()
    try:
        series = parse_expression(text, Algebra(2, order=3), at=at)
    except TpsaError as error:
        return time.process_time() - began, error
    took_s = time.process_time() - began
    assert np.isfinite(series.coefficients).all()
    return took_s, None


@pytest.fixture(autouse=True, scope="module")
def _drawn_once() -> None:
    """Load matplotlib, whose first use takes longer than a call may."""
    point = {"map_ref": "m", "points": [[0.1, 0]], "turns": 1}

    async def draw() -> None:
        objects = REGISTRY.objects
        assert objects is not None
        made = Provenance(operation="test")
        await objects.put(CallContext(), OBJECTS["m"], name="m", provenance=made)
        answer = await REGISTRY.call_tool("plot_phase_space", point)
        assert answer.status == "success"

    anyio.run(draw)
