"""Expressions about other points than the origin, and what is said where there is no series."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tpsa_core import (
    MTF,
    Algebra,
    DomainError,
    ShapeError,
    VariableError,
    parse_expression,
)

ALGEBRA = Algebra("x", "px", order=4)
X, PX = ALGEBRA.variables()


@pytest.mark.parametrize(
    ("text", "at", "written"),
    [
        ("log(x)", {"x": 2}, "log(2 + x)"),
        ("1/x1 + x2", {"x1": -1.5}, "1/(-1.5 + x) + px"),
        ("sqrt(x*px)", [2, 0.5], "sqrt((2 + x)*(0.5 + px))"),
        ("x**px", {"x2": 3, "x": 2}, "(2 + x)**(3 + px)"),
        ("gamma(px)", (0, 4), "gamma(4 + px)"),
        ("x", {}, "x"),
        ("log(x)", [-1 + 0j, 0], "log(-1 + 0j + x)"),
        ("7", [1, 2], "7"),
    ],
)
def test_at_a_point_is_as_if_the_point_were_written(text: str, at: Any, written: str) -> None:
    assert parse_expression(text, ALGEBRA, at=at) == parse_expression(written, ALGEBRA)


@given(st.floats(0.1, 10), st.floats(-0.01, 0.01))
def test_the_series_about_a_point_gives_the_values_near_it(point: float, distance: float) -> None:
    series = parse_expression("log(x)*exp(px)", ALGEBRA, at={"x": point, "px": 1})
    expected = math.log(point + distance * point) * math.e
    assert series(distance * point, 0.0) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    ("at", "error", "message"),
    [
        ({"y": 1}, VariableError, "no variable 'y'"),
        ({"x3": 1}, VariableError, "no variable 'x3'"),
        ([1], ShapeError, "1 numbers for the expansion point of 2 variables"),
        ([1, 2, 3], ShapeError, "3 numbers"),
        ([1, math.nan], ShapeError, "nan, which is no finite number"),
        ({"x": math.inf}, ShapeError, "inf, which is no finite number"),
        ({"x": 10**400}, ShapeError, "no finite number"),
        ({"x": "2"}, ShapeError, "'2', which is no finite number"),
    ],
)
def test_a_point_that_is_none_is_refused(at: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        parse_expression("x", ALGEBRA, at=at)


@pytest.mark.parametrize(
    ("text", "suggested"),
    [
        ("log(x)", '{"x": 1}'),
        ("1/x2", '{"px": 1}'),
        ("sqrt(x*px)", '{"x": 1, "px": 1}'),
        ("acosh(px)", '{"px": 2}'),
        ("log(-x)", '{"x": -1}'),
        ("log(1 - px)/x", '{"x": 1}'),
        ("asin(x)/px + log(1.2 - px)", '{"px": 1}'),
    ],
)
def test_where_there_is_no_series_a_point_that_has_one_is_suggested(
    text: str, suggested: str
) -> None:
    with pytest.raises(DomainError) as caught:
        parse_expression(text, ALGEBRA)
    assert caught.value.hint == f"expand about another point, such as at = {suggested}"
    # The suggestion is true.
    point: dict[str, float] = {}
    for part in suggested.strip("{}").split(", "):
        name, number = part.split(": ")
        point[name.strip('"')] = float(number)
    assert isinstance(parse_expression(text, ALGEBRA, at=point), MTF)


@pytest.mark.parametrize("text", ["1/0", "log(x - 9)", "log(-1 - x**2)", "log(-1 - x**2) + px"])
def test_where_no_point_is_found_none_is_suggested(text: str) -> None:
    with pytest.raises(DomainError) as caught:
        parse_expression(text, ALGEBRA)
    assert "at =" not in str(caught.value.hint)
    assert caught.value.hint


def test_a_point_outside_the_domain_is_told_of_one_inside() -> None:
    with pytest.raises(DomainError, match=r"constant part of -3\.0") as caught:
        parse_expression("log(x) + px", ALGEBRA, at={"x": -3, "px": 0.25})
    assert caught.value.hint == ('expand about another point, such as at = {"x": 1, "px": 0.25}')
