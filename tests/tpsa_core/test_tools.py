"""The tools as an agent meets them: through a registry, with stored objects."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from tercet import (
    Absence,
    CallContext,
    MemoryStore,
    ObjectEntry,
    ObjectKey,
    ObjectRegistry,
    ToolRegistry,
)
from tpsa_core import MTF, Algebra, TaylorMap
from tpsa_core.tools import TAYLOR_CODECS, taylor_registry

pytestmark = pytest.mark.anyio

HENON = ["x1 + x2", "x2 - (x1 + x2)**2"]


@pytest.fixture
def registry() -> ToolRegistry:
    return taylor_registry()


async def _answer(
    registry: ToolRegistry, name: str, arguments: Mapping[str, Any], **context: Any
) -> dict[str, Any]:
    return (await registry.call_tool(name, arguments, CallContext(**context))).to_dict()


async def _result(registry: ToolRegistry, tool: str, /, **arguments: Any) -> Any:
    answer = await _answer(registry, tool, arguments)
    assert answer["status"] == "success", answer
    assert answer["data"]["metadata"]["operation"] == tool
    return answer["data"]["result"]


async def _refusal(registry: ToolRegistry, tool: str, /, **arguments: Any) -> dict[str, Any]:
    answer = await _answer(registry, tool, arguments)
    assert answer["status"] == "error", answer
    assert answer.get("hint") or answer.get("details")
    return answer


async def _function(registry: ToolRegistry, expression: str, *, dimension: int = 2) -> str:
    stored = await _result(
        registry,
        "parse_expression_to_mtf",
        expression=expression,
        dimension=dimension,
        max_order=5,
    )
    return stored["ref"]


async def _map(registry: ToolRegistry, expressions: list[str]) -> str:
    stored = await _result(
        registry, "create_taylor_map", expressions=expressions, dimension=2, max_order=5
    )
    return stored["ref"]


async def test_a_parsed_expression_is_answered_by_a_ref_and_a_summary(
    registry: ToolRegistry,
) -> None:
    answer = await _answer(
        registry,
        "parse_expression_to_mtf",
        {"expression": "sqrt(2)*x1 - 3*x1^2*x2 + 1", "dimension": 2, "max_order": 4},
    )
    assert answer == {
        "status": "success",
        "data": {
            "result": {
                "ref": "mtf_0",
                "message": "Successfully parsed expression. Saved as 'mtf_0'.",
                "summary": {
                    "dimension": 2,
                    "order": 4,
                    "valid_order": 4,
                    "terms": 3,
                    "constant": 1.0,
                    "norm": 3.0,
                    "largest_terms": [
                        {"coefficient": -3.0, "monomial": "x1**2*x2"},
                        {"coefficient": 2**0.5, "monomial": "x1"},
                        {"coefficient": 1.0, "monomial": "1"},
                    ],
                },
            },
            "metadata": {"operation": "parse_expression_to_mtf"},
        },
    }


async def test_functions_are_evaluated_to_numbers_and_complex_ones_to_pairs(
    registry: ToolRegistry,
) -> None:
    real = await _function(registry, "1 + x1*x2")
    assert await _result(registry, "evaluate_mtf", mtf_ref=real, point=[2, 0.5]) == 2.0
    other = await _function(registry, "(1 + 2j)*x1")
    assert await _result(registry, "evaluate_mtf", mtf_ref=other, point=[2, 0]) == [2.0, 4.0]


async def test_maps_are_evaluated_to_one_number_for_each_component(registry: ToolRegistry) -> None:
    ref = await _map(registry, HENON)
    result = await _result(registry, "evaluate_taylor_map", map_ref=ref, point=[0.5, 0.25])
    assert result == [0.75, -0.3125]
    mixed = await _map(registry, ["2j*x1", "x2"])
    result = await _result(registry, "evaluate_taylor_map", map_ref=mixed, point=[1, 3])
    assert result == [[0.0, 2.0], 3.0]


async def test_a_map_and_its_inverse_undo_each_other(registry: ToolRegistry) -> None:
    ref = await _map(registry, HENON)
    stored = await _result(registry, "invert_taylor_map", map_ref=ref, name="back")
    assert stored["ref"] == "back"
    assert stored["message"] == f"Successfully inverted {ref!r}. Saved as 'back'."
    assert stored["summary"]["components"] == 2
    forth = await _result(registry, "evaluate_taylor_map", map_ref=ref, point=[0.125, 0.25])
    back = await _result(registry, "evaluate_taylor_map", map_ref="back", point=forth)
    # The inverse of this map is a polynomial of degree two.
    assert back == pytest.approx([0.125, 0.25], abs=1e-15)


async def test_a_derivative_is_stored_with_its_valid_order(registry: ToolRegistry) -> None:
    ref = await _function(registry, "x1**3*x2")
    stored = await _result(registry, "compute_partial_derivative", mtf_ref=ref, var_index=1)
    assert stored["summary"]["valid_order"] == 4
    assert stored["summary"]["largest_terms"] == [{"coefficient": 3.0, "monomial": "x1**2*x2"}]
    history = await _result(registry, "explain_object", ref=stored["ref"])
    assert history["operation"] == "compute_partial_derivative"
    assert history["parents"] == [ref]


async def test_all_terms_are_there_for_who_asks(registry: ToolRegistry) -> None:
    ref = await _map(registry, ["x1 + 1j*x2**2", "x2"])
    part = await _result(registry, "read_object", ref=ref, pointer="/components/0/terms")
    assert part["value"] == [
        {"coefficient": [1.0, 0.0], "exponents": [1, 0]},
        {"coefficient": [0.0, 1.0], "exponents": [0, 2]},
    ]
    function = await _function(registry, "3*x1")
    whole = await _result(registry, "read_object", ref=function)
    assert whole["value"]["valid_order"] == 5
    assert whole["value"]["variables"] == ["x1", "x2"]


async def test_objects_belong_to_the_session_and_the_tenant(registry: ToolRegistry) -> None:
    arguments = {"expression": "x1", "dimension": 1, "max_order": 2, "session_id": "mine"}
    assert (await _answer(registry, "parse_expression_to_mtf", arguments))["status"] == "success"
    point = {"mtf_ref": "mtf_0", "point": [1.0]}
    mine = await _answer(registry, "evaluate_mtf", {**point, "session_id": "mine"})
    assert mine["data"]["result"] == 1.0
    assert (await _answer(registry, "evaluate_mtf", point))["error_code"] == "NOT_FOUND"
    other = {**point, "session_id": "mine"}
    foreign = await _answer(registry, "evaluate_mtf", other, tenant="stranger")
    assert foreign["error_code"] == "NOT_FOUND"


@pytest.mark.parametrize(
    ("expression", "code", "message"),
    [
        ("x1 + y", "INVALID_INPUT", "unknown name 'y' (column 6)"),
        ("2x1", "INVALID_INPUT", "an operator is missing between '2' and 'x1'"),
        ("__import__('os').system('true')", "INVALID_INPUT", "strings are not allowed"),
        ("9**9**9", "INVALID_INPUT", "not a finite number"),
        ("log(x1)", "COMPUTATION_ERROR", "log needs a positive constant part"),
        ("1/x1", "COMPUTATION_ERROR", "division needs a divisor"),
    ],
)
async def test_a_bad_expression_is_refused_with_its_place(
    registry: ToolRegistry, expression: str, code: str, message: str
) -> None:
    answer = await _refusal(
        registry, "parse_expression_to_mtf", expression=expression, dimension=2, max_order=3
    )
    assert answer["error_code"] == code
    assert message in answer["message"]
    assert answer["hint"]
    assert [detail["pointer"] for detail in answer["details"]] == ["/expression"]
    listed = await _result(registry, "list_objects")
    assert listed["total"] == 0


async def test_the_expression_of_a_map_that_is_wrong_is_pointed_at(registry: ToolRegistry) -> None:
    answer = await _refusal(
        registry, "create_taylor_map", expressions=["x1", "x2 +"], dimension=2, max_order=3
    )
    assert answer["details"][0]["pointer"] == "/expressions/1"
    assert answer["details"][0]["got"] == "x2 +"


@pytest.mark.parametrize(
    ("dimension", "max_order", "pointer"),
    [
        (0, 3, "/dimension"),
        (51, 3, "/dimension"),
        (2, 0, "/max_order"),
        (2, 101, "/max_order"),
        (2.5, 3, "/dimension"),
        (True, 3, "/dimension"),
    ],
)
async def test_sizes_outside_the_bounds_are_refused_by_the_schema(
    registry: ToolRegistry, dimension: int, max_order: int, pointer: str
) -> None:
    answer = await _refusal(
        registry,
        "parse_expression_to_mtf",
        expression="x1",
        dimension=dimension,
        max_order=max_order,
    )
    assert answer["error_code"] == "INVALID_INPUT"
    assert [detail["pointer"] for detail in answer["details"]] == [pointer]


async def test_an_algebra_too_large_is_refused_with_the_order_that_fits(
    registry: ToolRegistry,
) -> None:
    answer = await _refusal(
        registry, "parse_expression_to_mtf", expression="x1", dimension=6, max_order=20
    )
    assert answer["error_code"] == "LIMIT_EXCEEDED"
    assert "use an order up to 12" in answer["hint"]
    assert answer["details"][0]["nearest"] == 12
    fitting = await _result(
        registry, "parse_expression_to_mtf", expression="x1", dimension=6, max_order=12
    )
    assert fitting["summary"]["terms"] == 1


async def test_a_map_of_too_many_coefficients_is_refused(registry: ToolRegistry) -> None:
    arguments = {"expressions": ["x1"] * 50, "dimension": 40, "max_order": 4}
    answer = await _refusal(registry, "create_taylor_map", **arguments)
    assert answer["error_code"] == "LIMIT_EXCEEDED"
    assert "6787550 coefficients" in answer["message"]
    assert answer["details"][0]["nearest"] == 3


@pytest.mark.parametrize("point", [[1.0], [1.0, 2.0, 3.0]])
async def test_a_point_of_the_wrong_length_is_refused(
    registry: ToolRegistry, point: list[float]
) -> None:
    function, taylor_map = await _function(registry, "x1"), await _map(registry, HENON)
    for name, ref in (("evaluate_mtf", function), ("evaluate_taylor_map", taylor_map)):
        key = "mtf_ref" if name == "evaluate_mtf" else "map_ref"
        answer = await _refusal(registry, name, **{key: ref, "point": point})
        assert answer["error_code"] == "INVALID_INPUT"
        assert answer["details"][0] == {
            "pointer": "/point",
            "expected": "2 numbers, one for each variable",
            "got": len(point),
        }


async def test_a_variable_past_the_last_is_refused_with_the_nearest(registry: ToolRegistry) -> None:
    ref = await _function(registry, "x1")
    answer = await _refusal(registry, "compute_partial_derivative", mtf_ref=ref, var_index=3)
    assert answer["error_code"] == "INVALID_INPUT"
    assert answer["details"][0]["nearest"] == 2


async def test_refs_of_the_wrong_kind_or_of_nothing_are_refused(registry: ToolRegistry) -> None:
    function, taylor_map = await _function(registry, "x1"), await _map(registry, HENON)
    wrong = await _refusal(registry, "invert_taylor_map", map_ref=function)
    assert wrong["error_code"] == "TYPE_MISMATCH"
    wrong = await _refusal(registry, "evaluate_mtf", mtf_ref=taylor_map, point=[0.0, 0.0])
    assert wrong["error_code"] == "TYPE_MISMATCH"
    missing = await _refusal(registry, "evaluate_mtf", mtf_ref="mtf_9", point=[0.0, 0.0])
    assert missing["error_code"] == "NOT_FOUND"


@pytest.mark.parametrize(
    ("expressions", "code", "message"),
    [
        (["x1", "x1"], "COMPUTATION_ERROR", "the linear part of the map is singular"),
        (["x1 + 1", "x2"], "COMPUTATION_ERROR", "the constant part [1.0, 0.0]"),
        (["x1"], "INVALID_INPUT", "1 components in 2 variables"),
        (["1e-200*x1 + x1**3", "x2"], "COMPUTATION_ERROR", "not finite"),
    ],
)
async def test_a_map_without_an_inverse_is_answered_with_the_reason(
    registry: ToolRegistry, expressions: list[str], code: str, message: str
) -> None:
    ref = await _map(registry, expressions)
    answer = await _refusal(registry, "invert_taylor_map", map_ref=ref)
    assert answer["error_code"] == code
    assert message in answer["message"]
    assert answer["hint"]


async def test_a_value_that_overflows_is_no_number(registry: ToolRegistry) -> None:
    ref = await _function(registry, "1e300*x1")
    answer = await _refusal(registry, "evaluate_mtf", mtf_ref=ref, point=[1e300, 0.0])
    assert answer["error_code"] == "COMPUTATION_ERROR"


async def test_a_derivative_that_overflows_is_not_kept(registry: ToolRegistry) -> None:
    ref = await _function(registry, "1e308*x1**4")
    answer = await _refusal(registry, "compute_partial_derivative", mtf_ref=ref, var_index=1)
    assert answer["error_code"] == "COMPUTATION_ERROR"
    assert "coefficients that are not finite" in answer["message"]


async def test_a_name_that_is_taken_is_a_conflict(registry: ToolRegistry) -> None:
    arguments = {"expression": "x1", "dimension": 1, "max_order": 1, "name": "f"}
    assert (await _answer(registry, "parse_expression_to_mtf", arguments))["status"] == "success"
    again = await _answer(registry, "parse_expression_to_mtf", arguments)
    assert again["error_code"] == "CONFLICT"


async def test_callers_without_the_scope_do_not_see_the_tools(registry: ToolRegistry) -> None:
    answer = await _answer(registry, "evaluate_mtf", {}, scopes=frozenset({"optics"}))
    assert answer["error_code"] == "NOT_FOUND"


async def test_damaged_bytes_are_unavailable_and_say_what_to_do() -> None:
    class Damaged(MemoryStore):
        """A disk that lost the last byte."""

        async def get(self, key: ObjectKey, now: float) -> tuple[ObjectEntry, bytes] | Absence:
            found = await super().get(key, now)
            assert not isinstance(found, Absence)
            return found[0], found[1][:-1]

    registry = taylor_registry(ObjectRegistry(Damaged(), codecs=TAYLOR_CODECS))
    ref = await _function(registry, "x1")
    answer = await _refusal(registry, "evaluate_mtf", mtf_ref=ref, point=[1.0, 0.0])
    assert answer["error_code"] == "UNAVAILABLE"
    assert "make the object again" in answer["hint"]


def _widest_objects() -> list[MTF | TaylorMap]:
    many = Algebra(50, order=3)
    dense = 1 + sum(many.variables(), many.zero())
    wide = (dense / 7) ** 3 * (1 / 3 + 2j / 7)
    long_names = Algebra(*(f"v{'x' * 95}{position}" for position in range(10)), order=10)
    product = long_names.constant(1 / 3)
    for variable in long_names.variables():
        product = product * variable
    huge = MTF.from_dict(many, {(0,) * 50: float("inf"), (1,) + (0,) * 49: float("nan")})
    return [wide, product, huge, TaylorMap([wide] * 50), TaylorMap([product] * 10)]


@pytest.mark.parametrize("value", _widest_objects(), ids=["wide", "long", "huge", "map", "maps"])
async def test_a_summary_takes_at_most_a_kibibyte_of_valid_json(value: MTF | TaylorMap) -> None:
    codec = next(codec for codec in TAYLOR_CODECS if codec.type is type(value))
    summary = codec.summarize(value)
    assert len(json.dumps(summary, allow_nan=False).encode()) <= 1024


async def test_codecs_bring_values_back_exactly() -> None:
    x, y = Algebra("x", "y", order=4).variables()
    function = (1 / (3 + x + 1j * y)).truncate(3)
    for value in (function, TaylorMap([function, x])):
        codec = next(codec for codec in TAYLOR_CODECS if codec.type is type(value))
        assert codec.decode(codec.encode(value)) == value
    restored = TAYLOR_CODECS[0].decode(TAYLOR_CODECS[0].encode(function))
    assert restored.valid_order == 3


async def test_a_whole_conversation_takes_little_text(registry: ToolRegistry) -> None:
    expressions = [
        "x1 + 0.1*x2 + 0.01*exp(x1*x3)",
        "x2 - 0.1*sin(x1) + x4**2",
        "x3 + 0.2*x4 - log(1 + x2*x3)",
        "x4 - 0.2*x3 + x1*x2*x3/(1 - x4)",
    ]
    expressions[0] += " - 0.01"
    made = await registry.call_tool(
        "create_taylor_map", {"expressions": expressions, "dimension": 4, "max_order": 6}
    )
    inverted = await registry.call_tool("invert_taylor_map", {"map_ref": "map_0"})
    point = {"map_ref": "map_1", "point": [0.01, 0.02, 0.03, 0.04]}
    evaluated = await registry.call_tool("evaluate_taylor_map", point)
    assert {answer.status for answer in (made, inverted, evaluated)} == {"success"}
    text = sum(len(answer.to_json().encode()) for answer in (made, inverted, evaluated))
    assert text < 3 * 1024
