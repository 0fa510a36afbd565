"""Parts of a submission come once nothing can change them any more."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

# No public name reads JSON by itself; the law of the reader is worth a test without a model.
from agent_runtime._partial_json import PartialJson

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(categories=None))
)
JSON = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
STYLES = st.fixed_dictionaries(
    {"indent": st.none() | st.integers(0, 2), "ensure_ascii": st.booleans()}
)


def found(whole: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        whole = whole[step]
    return whole


def texts(value: Any) -> str:
    """As text, in which NaN equals itself and 1 is not 1.0."""
    return json.dumps(value, sort_keys=True)


def count(value: Any) -> int:
    if isinstance(value, dict):
        return 1 + sum(map(count, value.values()))
    return 1 + sum(map(count, value)) if isinstance(value, list) else 1


@given(value=JSON, style=STYLES, data=st.data())
def test_every_prefix_of_any_json_gives_only_parts_of_the_whole(
    value: Any, style: dict[str, Any], data: st.DataObject
) -> None:
    text = json.dumps(value, **style)
    prefix = text[: data.draw(st.integers(0, len(text)))]
    for path, part in PartialJson().feed(prefix):
        assert texts(part) == texts(found(value, path))


@given(value=JSON, style=STYLES, data=st.data())
def test_every_part_comes_exactly_once_however_the_text_is_cut(
    value: Any, style: dict[str, Any], data: st.DataObject
) -> None:
    text = json.dumps(value, **style) + "\n"
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=6)))
    pieces = [text[i:j] for i, j in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    reader = PartialJson()
    parts = [part for piece in pieces for part in reader.feed(piece)]
    assert parts == list(PartialJson().feed(text)) or "NaN" in text
    paths = [path for path, _ in parts]
    assert len(paths) == len(set(paths)) == count(value)
    # A part comes after those that it holds, and the whole comes last.
    assert paths[-1] == ()
    assert texts(parts[-1][1]) == texts(value)
    for position, path in enumerate(paths):
        assert path[:-1] not in paths[:position] or path == ()


def test_a_number_is_not_given_before_what_follows_it() -> None:
    reader = PartialJson()
    assert list(reader.feed('{"a": 12')) == []
    assert list(reader.feed("3")) == []
    assert list(reader.feed(",")) == [(("a",), 123)]


def test_a_name_that_comes_twice_is_given_twice_and_the_later_holds() -> None:
    parts = list(PartialJson().feed('{"a": 1, "a": 2}'))
    assert parts == [(("a",), 1), (("a",), 2), ((), {"a": 2})]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("[1, 2 3]", [((0,), 1), ((1,), 2)]),
        ("[1,]", [((0,), 1)]),
        ('{"a": 1,}', [(("a",), 1)]),
        ('{"a" 1}', []),
        ('{"a"}', []),
        ("{1: 2}", []),
        ("[1}", [((0,), 1)]),
        ("]", []),
        ("{,}", []),
        ("[:]", []),
        ('["a" "b"]', [((0,), "a")]),
        ('[1"b"]', [((0,), 1)]),
        ("[tru]", []),
        ("[1e]", []),
        ("[--1]", []),
        ("[" + "9" * 5000 + ",1]", []),
        ('["\\q", 1]', []),
        ("prose", []),
        ("{} {}", [((), {})]),
        ("1 , 2", [((), 1)]),
        ("\x00", []),
    ],
)
def test_after_what_is_no_json_nothing_comes_any_more(text: str, parts: list[Any]) -> None:
    reader = PartialJson()
    assert list(reader.feed(text)) == parts
    assert list(reader.feed('[1, {"a": 2}] ')) == []


@given(text=st.text(st.sampled_from('{}[]:,"\\ 1-.etrufalsn\n'), max_size=30))
def test_any_text_is_read_without_an_error_and_given_as_a_whole_only_if_it_starts_with_one(
    text: str,
) -> None:
    parts = dict(PartialJson().feed(text + "\n"))
    bare = text.strip(" \n")
    try:
        whole, end = json.JSONDecoder(strict=False).raw_decode(bare)
    except ValueError:
        assert () not in parts
    else:
        if end == len(bare):
            assert texts(parts[()]) == texts(whole)
