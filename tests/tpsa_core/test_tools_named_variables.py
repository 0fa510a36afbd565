"""Sessions whose variables have names, and expressions about other points."""

from typing import Any

import pytest
from held_calls import withdrawn_at
from taylor_calls import do, make_map, no, parse, terms
from typing_extensions import override

from tercet import MemoryStore, ObjectDraft, ObjectEntry, ObjectRegistry, ToolRegistry
from tercet.testing import FaultyStore
from tpsa_core.tools import TAYLOR_CODECS, TAYLOR_TOOLS, taylor_registry

pytestmark = pytest.mark.anyio


async def test_a_session_names_its_variables_for_expressions_and_answers(
    taylor: ToolRegistry,
) -> None:
    choice = await do(taylor, "initialize_algebra", max_order=4, max_dimension=2, names=["x", "px"])
    assert choice["names"] == ["x", "px"]
    made = await do(taylor, "parse_expression_to_mtf", expression="x^2*px + 3*x1")
    assert [term["monomial"] for term in made["summary"]["largest_terms"]] == ["x", "x**2*px"]
    assert (await do(taylor, "mtf_info", mtf_ref=made["ref"]))["variables"] == ["x", "px"]


async def test_the_names_hold_in_calls_for_as_many_variables_and_in_no_others(
    taylor: ToolRegistry,
) -> None:
    await do(taylor, "initialize_algebra", max_order=4, max_dimension=2, names=["x", "px"])
    same = await do(taylor, "parse_expression_to_mtf", expression="px", dimension=2, max_order=3)
    assert (await do(taylor, "mtf_info", mtf_ref=same["ref"]))["variables"] == ["x", "px"]
    wrong = await no(taylor, "parse_expression_to_mtf", expression="px", dimension=3, max_order=3)
    assert "unknown name 'px'" in wrong.message
    # A session that is initialized again without names has none.
    await do(taylor, "initialize_sandalwood", max_order=4, max_dimension=2)
    assert (await no(taylor, "parse_expression_to_mtf", expression="px")).error_code == (
        "INVALID_INPUT"
    )


async def test_maps_of_a_named_session_meet_its_identity(taylor: ToolRegistry) -> None:
    await do(taylor, "initialize_algebra", max_order=4, max_dimension=2, names=["x", "px"])
    await do(taylor, "create_taylor_map", expressions=["x + px", "px - (x + px)^2"], name="henon")
    await do(taylor, "invert_taylor_map", map_ref="henon", name="back")
    await do(taylor, "compose_taylor_maps", map_ref_1="henon", map_ref_2="back", name="both")
    await do(taylor, "identity_map", name="one")
    compared = await do(taylor, "compare_objects", ref_1="both", ref_2="one")
    assert compared["largest_difference"] < 1e-12


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["x"], "1 values where there have to be 2 names"),
        (["x", "x"], "not all different"),
        (["x", "p x"], "'p x' is no name for a variable"),
        (["x", "lambda"], "'lambda' is no name for a variable"),
        (["x", "e"], "'e' already means something"),
        (["sin", "x"], "'sin' already means something"),
        (["x", ""], "'' is no name"),
    ],
)
async def test_names_that_cannot_be_used_are_refused_and_change_nothing(
    taylor: ToolRegistry, names: list[str], message: str
) -> None:
    await do(taylor, "initialize_algebra", max_order=3, max_dimension=2, names=["a", "b"])
    answer = await no(taylor, "initialize_algebra", max_order=4, max_dimension=2, names=names)
    assert answer.error_code == "INVALID_INPUT"
    assert message in answer.message
    assert answer.hint
    await do(taylor, "parse_expression_to_mtf", expression="a + b")


@pytest.mark.parametrize("at", [{"x1": 2}, [2, 0]])
async def test_an_expression_is_expanded_about_a_point(taylor: ToolRegistry, at: Any) -> None:
    ref = await parse(taylor, "1/x1 + x2", order=2, at=at)
    assert await terms(taylor, ref) == {(0, 0): 0.5, (1, 0): -0.25, (0, 1): 1.0, (2, 0): 0.125}
    history = await do(taylor, "explain_object", ref=ref)
    assert history["arguments"]["at"] == at


async def test_the_answer_says_about_which_point(taylor: ToolRegistry) -> None:
    arguments: dict[str, Any] = {"dimension": 1, "max_order": 2, "at": {"x1": 2}}
    function = await do(taylor, "parse_expression_to_mtf", expression="log(x1)", **arguments)
    assert function["message"].startswith('Successfully parsed expression about {"x1": 2.0}.')
    made = await do(taylor, "create_taylor_map", expressions=["1/x1"], **arguments)
    assert 'a map of 1 components about {"x1": 2.0}' in made["message"]
    assert made["summary"]["first_constants"] == [0.5]


@pytest.mark.parametrize("at", [{"y": 1}, {"1": 2}, [1], [1, 2, 3]])
async def test_a_point_that_does_not_fit_is_pointed_at(taylor: ToolRegistry, at: Any) -> None:
    answer = await no(
        taylor, "parse_expression_to_mtf", expression="x1", at=at, dimension=2, max_order=2
    )
    assert answer.error_code == "INVALID_INPUT"
    assert answer.details[0].pointer == "/at"
    assert answer.hint


async def test_an_expression_without_a_series_is_told_a_point_that_works(
    taylor: ToolRegistry,
) -> None:
    answer = await no(
        taylor, "create_taylor_map", expressions=["x1", "log(x2)"], dimension=2, max_order=3
    )
    assert answer.error_code == "COMPUTATION_ERROR"
    assert answer.hint == 'expand about another point, such as at = {"x2": 1}'
    assert answer.details[0].pointer == "/expressions/1"
    assert await make_map(taylor, "x1", "log(x2)", at={"x2": 1}) == "map_0"


@pytest.mark.parametrize("other", ["f", "result_0"])
async def test_an_object_that_took_the_name_of_the_choice_is_no_choice(
    taylor: ToolRegistry, other: str
) -> None:
    await parse(taylor, "1/(1 - x1 - x2 - x3 - x4)", dimension=4, order=9, name="f")
    # Too long for an answer, the text is stored as plain JSON: result_0.
    await do(taylor, "export_object", ref="f", format="dace")
    await do(taylor, "rename_object", ref=other, name="session_algebra")
    await parse(taylor, "x1", dimension=1, order=1)
    answer = await no(taylor, "parse_expression_to_mtf", expression="x1")
    assert answer.error_code == "INVALID_INPUT"
    assert {detail.pointer for detail in answer.details} == {"/dimension", "/max_order"}


@pytest.mark.parametrize("previous", [1, 2, 3])
async def test_a_choice_that_is_withdrawn_or_fails_leaves_the_session_the_last_one(
    previous: int,
) -> None:
    store = FaultyStore()
    objects = ObjectRegistry(store, codecs=TAYLOR_CODECS)
    registry = taylor_registry(objects)
    for order in range(1, previous + 1):
        await do(registry, "initialize_algebra", max_order=order, max_dimension=1)
    call = ("initialize_algebra", {"max_order": 9, "max_dimension": 1})
    number = 1
    while (await withdrawn_at(registry, objects, call, number, []))[0]:
        made = await do(registry, "identity_map")
        assert made["summary"]["order"] == previous
        number += 1
    assert (await do(registry, "identity_map"))["summary"]["order"] == 9
    store.failing = {"put"}
    refused = await no(registry, "initialize_algebra", max_order=2, max_dimension=1)
    assert refused.error_code == "UNAVAILABLE"
    store.failing = set()
    assert (await do(registry, "identity_map"))["summary"]["order"] == 9


async def test_choices_do_not_pile_up_and_no_object_of_such_a_name_is_lost(
    taylor: ToolRegistry,
) -> None:
    await parse(taylor, "x1", name="session_algebra.7")
    for order in range(1, 12):
        await do(taylor, "initialize_algebra", max_order=order, max_dimension=1)
        assert (await do(taylor, "identity_map"))["summary"]["order"] == order
    listed = (await do(taylor, "list_objects", limit=100))["objects"]
    named = [item["ref"] for item in listed if not item["ref"].startswith("map_")]
    assert named == ["session_algebra.7", "session_algebra.17", "session_algebra.18"]
    made_of = (await do(taylor, "explain_object", ref="map_10"))["parents"]
    assert made_of == ["session_algebra.18"]


async def test_an_atomic_program_may_choose_any_number_of_times(taylor: ToolRegistry) -> None:
    steps = [
        {"tool": "initialize_algebra", "arguments": {"max_order": order, "max_dimension": 1}}
        for order in (2, 3, 4, 5)
    ]
    steps.append({"tool": "identity_map", "arguments": {}})
    for _ in range(2):
        program = await do(taylor, "run_program", steps=steps, atomic=True)
        assert program["result"]["summary"]["order"] == 5
    assert (await do(taylor, "identity_map"))["summary"]["order"] == 5


async def test_of_two_choices_at_the_same_moment_one_is_told_so() -> None:
    class Late(MemoryStore):
        """Lets another choice go first."""

        @override
        async def put(self, draft: ObjectDraft) -> ObjectEntry:
            if draft.name == "session_algebra" and draft.provenance.arguments["max_order"] == 2:
                await do(registry, "initialize_algebra", max_order=3, max_dimension=1)
            return await super().put(draft)

    registry = taylor_registry(ObjectRegistry(Late(), codecs=TAYLOR_CODECS))
    answer = await no(registry, "initialize_algebra", max_order=2, max_dimension=1)
    assert answer.error_code == "CONFLICT"
    assert "at the same moment" in answer.message
    assert (await do(registry, "identity_map"))["summary"]["order"] == 3


async def test_without_objects_there_is_no_choice() -> None:
    bare = ToolRegistry(TAYLOR_TOOLS)
    for name, arguments in (
        ("initialize_algebra", {"max_order": 2, "max_dimension": 1}),
        ("identity_map", {"dimension": 2, "max_order": 1}),
    ):
        assert (await no(bare, name, **arguments)).error_code == "UNAVAILABLE"


async def test_only_what_is_missing_is_asked_for(taylor: ToolRegistry) -> None:
    answer = await no(taylor, "parse_expression_to_mtf", expression="x1", dimension=1)
    assert [detail.pointer for detail in answer.details] == ["/max_order"]
