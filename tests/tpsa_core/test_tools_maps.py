"""The tools that build, compose, cut and exchange objects."""

import json

import pytest
from taylor_calls import do, make_map, no, parse, terms

from tercet import ToolRegistry

pytestmark = pytest.mark.anyio


async def test_an_object_goes_out_and_comes_back_to_the_last_bit(taylor: ToolRegistry) -> None:
    f = await parse(taylor, "sin(0.1 + x1)/3 + (1e-300 + 2j)*x2")
    pair = await make_map(taylor, "exp(x1) - 1", "x2/7")
    for ref, kind in ((f, "mtf"), (pair, "taylor_map")):
        gone = await do(taylor, "export_object", ref=ref)
        assert gone["kind"] == kind
        back = await do(taylor, "import_object", text=gone["text"])
        same = await do(taylor, "compare_objects", ref_1=ref, ref_2=back["ref"])
        assert same["equal"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("{}", "INVALID_INPUT"),
        ("not JSON", "INVALID_INPUT"),
        ("[" * 100_000, "INVALID_INPUT"),
        ('{"format":"tpsa-series","variables":[],"order":"x","components":[]}', "INVALID_INPUT"),
        ('{"format":"other","variables":["x1"],"order":1,"components":[]}', "INVALID_INPUT"),
        (
            json.dumps(
                {
                    "format": "tpsa-series",
                    "version": 1,
                    "variables": [f"x{i}" for i in range(40)],
                    "order": 40,
                    "components": [],
                }
            ),
            "LIMIT_EXCEEDED",
        ),
    ],
)
async def test_a_text_that_is_no_object_is_refused(
    taylor: ToolRegistry, text: str, code: str
) -> None:
    assert (await no(taylor, "import_object", text=text)).error_code == code


async def test_maps_are_composed_in_the_stated_order(taylor: ToolRegistry) -> None:
    double = await make_map(taylor, "2*x1", order=3)
    square = await make_map(taylor, "x1 + x1^2", order=3)
    made = await do(taylor, "compose_taylor_maps", map_ref_1=square, map_ref_2=double)
    (value,) = await do(taylor, "evaluate_taylor_map", map_ref=made["ref"], point=[1])
    assert value == 6
    wide = await make_map(taylor, "x1", "x2")
    mismatch = await no(taylor, "compose_taylor_maps", map_ref_1=wide, map_ref_2=double)
    assert mismatch.error_code == "INVALID_INPUT"


async def test_a_map_after_its_inverse_is_the_identity(taylor: ToolRegistry) -> None:
    henon = await make_map(taylor, "x1 + x2", "x2 - (x1 + x2)^2")
    inverse = (await do(taylor, "invert_taylor_map", map_ref=henon))["ref"]
    both = await do(taylor, "compose_taylor_maps", map_ref_1=henon, map_ref_2=inverse)
    unit = await do(taylor, "identity_map", dimension=2, max_order=6)
    difference = await do(taylor, "compare_objects", ref_1=both["ref"], ref_2=unit["ref"])
    assert difference["largest_difference"] < 1e-13
    same = await do(taylor, "compare_objects", ref_1=henon, ref_2=henon)
    assert same == {
        "equal": True,
        "largest_difference": 0.0,
        "relative_difference": 0.0,
        "compared_to_order": 6,
    }


async def test_functions_are_composed_and_left_out_variables_stay(taylor: ToolRegistry) -> None:
    f = await parse(taylor, "x1*x2")
    g = await parse(taylor, "x1 + x2")
    made = await do(taylor, "compose_mtfs", mtf_ref=f, inner_mtf_refs={"1": g})
    assert await terms(taylor, made["ref"]) == {(1, 1): 1, (0, 2): 1}
    line = await parse(taylor, "x1", dimension=1)
    both = await do(taylor, "compose_mtfs", mtf_ref=f, inner_mtf_refs={"1": line, "2": line})
    assert await terms(taylor, both["ref"]) == {(2,): 1}
    short = await no(taylor, "compose_mtfs", mtf_ref=f, inner_mtf_refs={"1": line})
    assert "every variable" in str(short.hint)
    for key in ("0", "x1", "-1", "3"):
        refusal = await no(taylor, "compose_mtfs", mtf_ref=f, inner_mtf_refs={key: g})
        assert refusal.error_code == "INVALID_INPUT"


async def test_numbers_are_put_for_variables(taylor: ToolRegistry) -> None:
    f = await parse(taylor, "x1^2 + x1*x2")
    made = await do(taylor, "substitute_variable_in_mtf", mtf_ref=f, var_index=1, value=3)
    assert await terms(taylor, made["ref"]) == {(0, 0): 9, (0, 1): 3}
    line = await parse(taylor, "x1^2", dimension=1)
    number = await do(taylor, "substitute_variable_in_mtf", mtf_ref=line, var_index=1, value=3)
    assert await terms(taylor, number["ref"]) == {(0,): 9}
    pair = await make_map(taylor, "x1*x2", "x2")
    part = await do(taylor, "substitute_in_taylor_map", map_ref=pair, variable_map={"2": 5})
    assert part["values"] is None
    assert await do(taylor, "evaluate_taylor_map", map_ref=part["ref"], point=[2, 7]) == [10, 5]
    full = await do(taylor, "substitute_in_taylor_map", map_ref=pair, variable_map={"2": 5, "1": 2})
    assert (full["ref"], full["values"]) == (None, [10, 5])
    # The right number of indices, but not the right ones, must not evaluate.
    for wrong in ({"0": 1, "1": 2}, {"1": 1, "3": 2}):
        refusal = await no(taylor, "substitute_in_taylor_map", map_ref=pair, variable_map=wrong)
        assert refusal.error_code == "INVALID_INPUT"


async def test_maps_are_put_together_and_taken_apart(taylor: ToolRegistry) -> None:
    refs = [await parse(taylor, "x1 + x2"), await parse(taylor, "x2^2")]
    made = await do(taylor, "map_from_components", mtf_refs=refs)
    second = await do(taylor, "extract_map_component", map_ref=made["ref"], index=1)
    assert await terms(taylor, second["ref"]) == {(0, 2): 1}
    beyond = await no(taylor, "extract_map_component", map_ref=made["ref"], index=2)
    assert (beyond.details[0].expected, beyond.details[0].nearest) == ("from 0 to 1", 1)
    assert beyond.message == "there is no such component in a map of 2"
    huge = await no(taylor, "taylor_map_info", map_ref=made["ref"], component=10**400)
    assert huge.details[0].nearest == 1
    other = await parse(taylor, "x1", order=3)
    mixed = await no(taylor, "map_from_components", mtf_refs=[refs[0], other])
    assert mixed.error_code == "INVALID_INPUT"


async def test_an_object_is_cut_off_and_stays_as_it_was(taylor: ToolRegistry) -> None:
    f = await parse(taylor, "exp(x1)", dimension=1, order=5)
    cut = await do(taylor, "truncate_object", ref=f, order=1)
    assert await terms(taylor, cut["ref"]) == {(0,): 1, (1,): 1}
    assert len(await terms(taylor, f)) == 6
    pair = await make_map(taylor, "x1 + x1^2", order=3)
    cut_map = await do(taylor, "truncate_object", ref=pair, order=1)
    assert cut_map["summary"]["terms"] == 1
    above = await no(taylor, "truncate_object", ref=f, order=9)
    assert "from 0 to 5" in str(above.hint)
    numbers = await do(taylor, "evaluate_mtf_batch", mtf_ref=f, points=[[0.0]] * 100)
    refusal = await no(taylor, "truncate_object", ref=numbers["ref"], order=1)
    assert refusal.error_code == "TYPE_MISMATCH"


async def test_objects_of_different_shape_are_not_compared(taylor: ToolRegistry) -> None:
    f, g = await parse(taylor, "x1"), await parse(taylor, "x1", order=3)
    pair = await make_map(taylor, "x1", "x2")
    zero = await parse(taylor, "0*x1")
    assert (await no(taylor, "compare_objects", ref_1=f, ref_2=g)).error_code == "INVALID_INPUT"
    assert (await no(taylor, "compare_objects", ref_1=f, ref_2=pair)).error_code == (
        "INVALID_INPUT"
    )
    nothing = await do(taylor, "compare_objects", ref_1=zero, ref_2=zero)
    assert nothing["relative_difference"] == 0.0


async def test_scaled_variables_scale_each_coefficient(taylor: ToolRegistry) -> None:
    pair = await make_map(taylor, "x1 + x1^2*x2", "x2")
    made = await do(taylor, "compute_map_sensitivity", map_ref=pair, scaling_factors=[0.1, 2])
    first = await do(taylor, "taylor_map_info", map_ref=made["ref"])
    assert {tuple(t["exponents"]): t["coefficient"] for t in first["page"]["terms"]} == {
        (1, 0): 0.1,
        (2, 1): pytest.approx(0.02, rel=1e-15),
    }
    wrong = await no(taylor, "compute_map_sensitivity", map_ref=pair, scaling_factors=[1])
    assert wrong.error_code == "INVALID_INPUT"
