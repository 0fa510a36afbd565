"""Objects as tables of coefficients: an exact way out and back, and faults by line."""

import json
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from taylor_calls import do, make_map, no, parse, terms

from tercet import CallContext, Provenance, ToolRegistry
from tpsa_core import MTF, Algebra, TaylorMap
from tpsa_core.tools import TaylorLimits
from tpsa_core.tools._exchange import _read_tables
from tpsa_core.tools._tables import write_tables

pytestmark = pytest.mark.anyio

STYLES: list[Any] = ["cosy", "dace"]
# What DACE 1.4 prints of 1/(3 + x + 2*y) + x*y in an algebra of order 2.
DACE = """\
     I  COEFFICIENT              ORDER EXPONENTS
     1    3.3333333333333331e-01   0   0  0
     2   -2.2222222222222221e-01   1   0  1
     3   -1.1111111111111110e-01   1   1  0
     4    1.4814814814814814e-01   2   0  2
     5    1.1481481481481481e+00   2   1  1
     6    3.7037037037037035e-02   2   2  0
------------------------------------------------
"""
# As COSY INFINITY lays a table out, with a number of Fortran.
COSY = """\
     I  COEFFICIENT            ORDER EXPONENTS
     1   1.000000000000000       2   0 0  0 0  1 1
     2  0.1666666666666667D+00   3   0 0  0 3  0 0
    ----------------------------------------------
"""


@pytest.mark.parametrize("style", [*STYLES, "json"])
async def test_what_is_exported_is_imported_as_it_was(taylor: ToolRegistry, style: str) -> None:
    await do(taylor, "initialize_algebra", max_order=5, max_dimension=3, names=["x", "px", "d"])
    await do(taylor, "parse_expression_to_mtf", expression="exp(x/3)/(3 + px*d)", name="f")
    await do(taylor, "compute_partial_derivative", mtf_ref="f", var_index=1, name="slope")
    await do(taylor, "compute_gradient", mtf_ref="f", name="gradient")
    await do(taylor, "parse_expression_to_mtf", expression="0*x", name="zero")
    await do(taylor, "map_from_components", mtf_refs=["slope"], name="single")
    for ref, kind in (
        ("f", "mtf"),
        ("slope", "mtf"),
        ("zero", "mtf"),
        ("gradient", "taylor_map"),
        ("single", "taylor_map"),
    ):
        exported = await do(taylor, "export_object", ref=ref, format=style)
        assert exported["kind"] == kind
        stored = await do(taylor, "import_object", text=exported["text"])
        compared = await do(taylor, "compare_objects", ref_1=ref, ref_2=stored["ref"])
        assert compared["equal"]
        before, after = [
            (await do(taylor, "describe_object", ref=r))["summary"] for r in (ref, stored["ref"])
        ]
        assert before == after


@pytest.mark.parametrize("style", STYLES)
@given(
    st.lists(st.floats(allow_nan=False, allow_infinity=False, width=64), min_size=10, max_size=10),
    st.integers(0, 3),
)
def test_every_double_survives(style: Any, values: list[float], valid: int) -> None:
    function = MTF(Algebra("q", "p", order=3), values, valid_order=valid)
    text = write_tables([function, function], "taylor_map", style)
    read = _read_tables(text, None, TaylorLimits())
    assert isinstance(read, TaylorMap)
    for component in read:
        assert component.algebra == function.algebra
        assert component.valid_order == valid
        assert (component.coefficients == function.coefficients).all()


async def test_the_layouts_are_those_of_the_programs(taylor: ToolRegistry) -> None:
    ref = await parse(taylor, "1/(3 + x1 + 2*x2) + x1*x2", order=2)
    dace = (await do(taylor, "export_object", ref=ref, format="dace"))["text"]
    ours, theirs = dace.splitlines(), DACE.splitlines()
    assert (ours[0], ours[-2]) == (theirs[0], theirs[-1])
    # DACE lists the terms of one order from the last variable; numbers and columns are the same.
    assert sorted(line[6:] for line in ours[1:7]) == sorted(line[6:] for line in theirs[1:7])
    assert ours[-1] == "# mtf; order 2; valid 2; variables x1 x2"
    pairs = await make_map(taylor, "x1", "x2", "x3", "-0.5*x1*x4^2", order=3)
    cosy = (await do(taylor, "export_object", ref=pairs, format="cosy"))["text"]
    assert cosy.splitlines()[9:] == [
        "     I  COEFFICIENT            ORDER EXPONENTS",
        "     1   -5.0000000000000000E-01   3   1 0  0 2",
        "    ----------------------------------------------",
        "# taylor_map; order 3; valid 3 3 3 3; variables x1 x2 x3 x4",
    ]


async def test_tables_that_the_programs_printed_are_read(taylor: ToolRegistry) -> None:
    stored = await do(taylor, "import_object", text=DACE)
    expected = await parse(taylor, "1/(3 + x1 + 2*x2) + x1*x2", order=2)
    compared = await do(taylor, "compare_objects", ref_1=stored["ref"], ref_2=expected)
    assert compared["largest_difference"] < 1e-16
    stored = await do(taylor, "import_object", text=COSY, max_order=6)
    assert stored["summary"]["order"] == 6
    assert await terms(taylor, stored["ref"]) == {
        (0, 0, 0, 0, 1, 1): 1.0,
        (0, 0, 0, 3, 0, 0): 0.1666666666666667,
    }
    vector = f"[[[ 2 vector:\n{DACE}\n{DACE}\n]]]\n"
    stored = await do(taylor, "import_object", text=vector)
    assert stored["summary"]["components"] == 2


async def test_what_dace_prints_is_what_is_written_for_it() -> None:
    daceypy: Any = pytest.importorskip("daceypy", reason="it is a witness, not a dependency")
    algebra = Algebra(3, order=4)
    function = MTF(algebra, np.random.default_rng(3).normal(size=algebra.size))
    daceypy.DA.init(4, 3)
    daceypy.DA.setEps(0.0)
    theirs = daceypy.DA(0.0)
    for powers, value in function.to_dict().items():
        theirs.setCoefficient(list(powers), value)
    printed = theirs.toString()
    assert _read_tables(printed, 4, TaylorLimits()) == function
    # The terms of one order stand in another sequence, so the running numbers differ.
    ours = write_tables([function], "mtf", "dace")
    assert {line[6:] for line in printed.splitlines()} <= {line[6:] for line in ours.splitlines()}


def header(variables: list[str], order: int) -> str:
    fields = {"format": "tpsa-map", "version": 1, "variables": variables, "order": order}
    return json.dumps({**fields, "components": []})


HEAD, END = DACE.splitlines()[0], DACE.splitlines()[-1]
ROW = "     1    3.3333333333333331e-01   1   0  1"


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["nonsense"], "line 1: there is a row outside of a table"),
        ([HEAD, ROW], "line 2: the table of line 1 has no end"),
        ([HEAD, HEAD], "line 2: a table begins, and the one of line 1 has not ended"),
        ([END], "line 1: a table ends that did not begin"),
        (["  ", "[[[ 1 vector:", "]]]"], "line 3: there is no table"),
        ([HEAD, "1 2.0 3", END], "line 2: a row has a number, a coefficient"),
        ([HEAD, "", "1 2.0 2 1 2", END], "line 3: the order 2 is not the sum 3"),
        ([HEAD, "1 2.0 2 1 1", "2 1.0 2 2", END], "line 3: 1 exponents, and 2 in the rows"),
        ([HEAD, ROW, ROW, END], "line 3: a term of these exponents is there already"),
        ([HEAD, "1 two 1 0 1", END], "line 2: 'two' is no finite number"),
        ([HEAD, "1 nan 1 0 1", END], "line 2: 'nan' is no finite number"),
        ([HEAD, "1 1e999 1 0 1", END], "line 2: '1e999' is no finite number"),
        ([HEAD, "1 1.0 1 2 -1", END], "line 2: '-1' is no integer from 0"),
        ([HEAD, "1 1.0 1 1 0x0", END], "line 2: '0x0' is no integer"),
        ([HEAD, "1 1.0 " + "9" * 5000 + " 1 0", END], "line 2: '9999"),
        ([HEAD, ROW, END, "# nonsense"], "line 4: a line that describes the tables is"),
        ([HEAD, "# mtf; order 1; valid 1; variables x", END], "line 2: the table of line 1"),
        ([HEAD, ROW, END, "# mtf; order 1; valid 1; variables x"], "line 4: 1 variables, and 2"),
        ([HEAD, ROW, END, "# mtf; order 1; valid 1 1; variables x y"], "2 valid orders for 1"),
        ([HEAD, ROW, END, "# mtf; order 1; valid 0; variables x y"], "the valid order 0 of the"),
        ([HEAD, ROW, END, "# mtf; order 1; valid 2; variables x y"], "the valid order 2 of the"),
        ([HEAD, ROW, END, "# mtf; order 1; valid 1; variables x y", ROW], "line 5: something"),
        ([HEAD, ROW, END] * 2 + ["# mtf; order 1; valid 1 1; variables x y"], "2 tables are no"),
        ([HEAD, ROW, END, "# mtf; order 1; valid 1; variables x x"], "not all different"),
        (["ALL COMPONENTS ZERO", END], "nothing says how many variables"),
    ],
)
async def test_a_fault_of_a_table_is_told_with_its_line(
    taylor: ToolRegistry, lines: list[str], message: str
) -> None:
    answer = await no(taylor, "import_object", text="\n".join(lines) + "\n")
    assert answer.error_code == "INVALID_INPUT"
    assert message in answer.message
    assert answer.hint
    assert answer.details[0].pointer == "/text"
    assert len(answer.to_json()) < 1000
    assert (await do(taylor, "list_objects"))["total"] == 0


async def test_terms_above_the_asked_order_are_refused(taylor: ToolRegistry) -> None:
    answer = await no(taylor, "import_object", text=DACE, max_order=1)
    assert "terms of order 2, above 1" in answer.message


@pytest.mark.parametrize(
    "text",
    [
        "\n".join([HEAD, "1 1.0 99 99" + " 0" * 49, END]),
        f"{HEAD}\n1 1.0 999999999 999999999\n{END}",
        "\n".join([HEAD, "1 1.0 1 1" + " 0" * 1000, END]),
        header(["x"], 1_000_000_000),
        header(["x"], 10**400),
        header(["x"], -(10**400)),
        header(["x"], 5).replace("5", "1e400"),
        header(["x"], 5).replace("5", "NaN"),
        header(["x"] * 5000, 5),
    ],
)
async def test_a_short_text_that_names_a_large_algebra_is_refused_at_once(
    taylor: ToolRegistry, text: str
) -> None:
    answer = await no(taylor, "import_object", text=text)
    assert answer.error_code in {"LIMIT_EXCEEDED", "INVALID_INPUT"}


@pytest.mark.parametrize("style", STYLES)
async def test_complex_objects_have_no_table(taylor: ToolRegistry, style: str) -> None:
    ref = await parse(taylor, "(1 + 2j)*x1")
    answer = await no(taylor, "export_object", ref=ref, format=style)
    assert answer.error_code == "INVALID_INPUT"
    assert answer.details[0].nearest == "json"
    real = await do(taylor, "perform_complex_operation", op="real_part", mtf_ref=ref)
    assert "1.0" in (await do(taylor, "export_object", ref=real["ref"], format=style))["text"]


@pytest.mark.parametrize("style", [*STYLES, "json"])
async def test_a_text_past_the_limit_is_refused_before_it_is_written(
    taylor: ToolRegistry, style: str
) -> None:
    assert taylor.objects is not None
    algebra = Algebra(6, order=10)
    dense = MTF(algebra, np.full(algebra.size, math.pi))
    large = TaylorMap([dense] * (6 if style != "json" else 21))
    made = Provenance(operation="test")
    await taylor.objects.put(CallContext(), large, name="large", provenance=made)
    answer = await no(taylor, "export_object", ref="large", format=style)
    assert answer.error_code == "LIMIT_EXCEEDED"
    assert "2000000 are allowed" in answer.message


async def test_a_text_longer_than_an_answer_is_stored_and_read_in_parts(
    taylor: ToolRegistry,
) -> None:
    ref = await parse(taylor, "1/(1 - x1 - x2 - x3 - x4)", dimension=4, order=9)
    stored = await do(taylor, "export_object", ref=ref, format="dace")
    part = await do(taylor, "read_object", ref=stored["ref"], pointer="/text", limit=len(HEAD))
    assert part["value"] == HEAD
    assert part["length"] > 32 * 1024
