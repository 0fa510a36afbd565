"""Arguments for any tool, made from its input schema: mostly right, now and then not."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from hypothesis import strategies as st

from tercet import AnyTool

Strategy = st.SearchStrategy[Any]


def seldom(often: Strategy, rare: Strategy, one_in: int = 25) -> Strategy:
    """One strategy, and now and then the other: `one_of` takes equal ones for one."""
    return st.integers(1, one_in).flatmap(lambda draw: rare if draw == one_in // 2 else often)


EXPRESSIONS = st.recursive(
    seldom(
        st.sampled_from(["x1", "x1", "x2", "1", "2.5", "0.5", "pi"]),
        st.sampled_from(["x3", "px", "0", "1e300", "2j", "e", "-1", "1e-9"]),
        6,
    ),
    lambda inner: st.one_of(
        st.tuples(
            inner,
            seldom(
                st.sampled_from([" + ", " - ", "*", "/", "**", "^"]),
                st.sampled_from([" ", ",", "%"]),
                40,
            ),
            inner,
        ).map("".join),
        st.tuples(
            seldom(
                st.sampled_from(["sin", "exp", "cosh", "log", "sqrt", "gamma", "abs", "-", ""]),
                st.sampled_from(["atan2", "jn", "foo", "j0", "acosh"]),
                20,
            ),
            inner,
        ).map(lambda call: f"{call[0]}({call[1]})"),
    ),
    max_leaves=10,
)
"""Formulas, some of them wrong."""

ODD: Strategy = st.one_of(
    st.sampled_from(
        [None, True, False, 0, -1, 10**400, 2**63, -0.0, 5e-324, 1e308, float("nan"), float("inf")]
    ),
    st.sampled_from(
        ["", "1e999", "\ud800", "x" * 70, "mtf_0\n", "../map_0", "{}", "\x00", "\u0661"]
    ),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
        ),
        max_leaves=6,
    ),
)
"""What no argument should be."""


def arguments_of(tool: AnyTool, known: Mapping[str, Strategy]) -> Strategy:
    """Arguments for one tool: from `known` by name, else from the schema."""
    return _object(tool.input_schema, known).flatmap(
        lambda arguments: seldom(
            st.just(arguments), st.just({**arguments, "no_such_argument": 1}), 60
        )
    )


def _object(schema: Mapping[str, Any], known: Mapping[str, Strategy]) -> Strategy:
    properties: Mapping[str, Any] = schema.get("properties", {})
    required = set(schema.get("required", []))
    values = {
        name: known[name] if name in known else _mostly(rules, known)
        for name, rules in properties.items()
    }
    return st.fixed_dictionaries(
        {name: value for name, value in values.items() if name in required},
        optional={name: value for name, value in values.items() if name not in required},
    )


def _mostly(rules: Mapping[str, Any], known: Mapping[str, Strategy]) -> Strategy:
    return seldom(_valid(rules, known), ODD)


def _valid(rules: Mapping[str, Any], known: Mapping[str, Strategy]) -> Strategy:
    if "enum" in rules:
        return st.sampled_from(rules["enum"])
    kinds: str | Sequence[str] = rules.get("type", "null")
    branches = rules.get("anyOf") or (
        [] if isinstance(kinds, str) else [{**rules, "type": kind} for kind in kinds]
    )
    if branches:
        return st.one_of(*(_valid(branch, known) for branch in branches))
    return _KINDS[str(kinds)](rules, known)


def _integer(rules: Mapping[str, Any], _: Mapping[str, Strategy]) -> Strategy:
    lowest, highest = rules.get("minimum", -5), rules.get("maximum", 10**6)
    near = st.integers(lowest, min(highest, lowest + 5))
    return st.one_of(near, near, near, st.integers(lowest, highest))


def _number(rules: Mapping[str, Any], _: Mapping[str, Strategy]) -> Strategy:
    lowest = float(rules.get("minimum", rules.get("exclusiveMinimum", -1e308)))
    highest = float(rules.get("maximum", 1e308))
    plain = [x for x in (0, 1, -1, 0.5, -0.25, 2, 1e-3) if lowest <= x <= highest]
    return st.one_of(st.sampled_from(plain), st.floats(lowest, highest))


def _text(_: Mapping[str, Any], known: Mapping[str, Strategy]) -> Strategy:
    return known["text of any kind"]


def _list(rules: Mapping[str, Any], known: Mapping[str, Strategy]) -> Strategy:
    fewest = rules.get("minItems", 0)
    most = min(rules.get("maxItems", 4), max(4, fewest))
    return st.lists(_valid(rules.get("items", {}), known), min_size=fewest, max_size=most)


def _members(rules: Mapping[str, Any], known: Mapping[str, Strategy]) -> Strategy:
    if "properties" in rules:
        return _object(rules, known)
    by_pattern = iter(rules.get("patternProperties", {"": {}}).values())
    keys = st.sampled_from(["1", "2", "3", "0", "x1", "x2", "px", "99"])
    values = _valid(rules.get("additionalProperties") or next(by_pattern), known)
    return st.dictionaries(keys, values, max_size=3)


_KINDS: Mapping[str, Callable[[Mapping[str, Any], Mapping[str, Strategy]], Strategy]] = {
    "integer": _integer,
    "number": _number,
    "boolean": lambda _, __: st.booleans(),
    "string": _text,
    "array": _list,
    "object": _members,
    "null": lambda _, __: st.none(),
}
