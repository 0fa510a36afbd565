import builtins
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tpsa_core
from tpsa_core import (
    MTF,
    Algebra,
    DomainError,
    ExpressionError,
    OrderError,
    TpsaError,
    parse_expression,
)

ALGEBRA = Algebra("x", "px", order=4)
X, PX = ALGEBRA.variables()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x1", X),
        ("x2", PX),
        ("x + px", X + PX),
        ("x1^2", X**2),
        ("x1**2", X**2),
        ("x**2.0", X**2),
        ("-x**2", -(X**2)),
        ("(-x)**2", X**2),
        ("2**-1*x", 0.5 * X),
        ("2**3**2*x", 512 * X),
        ("2^3^2*x", 512 * X),
        ("+x--px", X + PX),
        ("1 - 2 - 3*x", -1 - 3 * X),
        ("x/2/4", X / 8),
        ("2*pi*x1", 2 * np.pi * X),
        ("e*x", np.e * X),
        ("1.5e-3*px", 1.5e-3 * PX),
        (".5*x + 2.*px", 0.5 * X + 2 * PX),
        ("sqrt(2)*x1", np.sqrt(2.0) * X),
        ("sin(1)*x1", np.sin(1.0) * X),
        ("exp(1)*x1", np.exp(1.0) * X),
        ("asin(1)*x", np.arcsin(1.0) * X),
        ("sqrt(0) + x", X),
        ("exp(-x**2/2)", np.exp(-(X**2) / 2)),
        ("1/(1 + x)", 1 / (1 + X)),
        ("reciprocal(1 + x)", 1 / (1 + X)),
        ("(1 + x)**0.5", (1 + X) ** 0.5),
        ("pow(1 + x, 1/2)", (1 + X) ** 0.5),
        ("2**x1", 2**X),
        ("(1 + x1)**x2", (1 + X) ** PX),
        ("arcsin(x) + arccos(x) + arctan(x)", np.arcsin(X) + np.arccos(X) + np.arctan(X)),
        ("asin(x) + acos(x) + atan(x)", np.arcsin(X) + np.arccos(X) + np.arctan(X)),
        ("arcsinh(x) + atanh(x) + acosh(2 + x)", np.arcsinh(X) + np.arctanh(X) + np.arccosh(2 + X)),
        ("log2(1 + x) + log10(1 + x) + ln(2)", np.log2(1 + X) + np.log10(1 + X) + np.log(2)),
        ("cbrt(1 + x) * cot(1 + x)", np.cbrt(1 + X) * tpsa_core.cot(1 + X)),
        ("abs(x - 1) + hypot(x, 3)", 1 - X + tpsa_core.hypot(X, 3)),
        ("atan2(x, 1 + px) - arctan2(-1, 0)", tpsa_core.atan2(X, 1 + PX) + np.pi / 2),
        ("erf(x) - lgamma(2 + x)", tpsa_core.erf(X) - tpsa_core.loggamma(2 + X)),
        ("digamma(2 + x) + j1(2)", tpsa_core.digamma(2 + X) + 0.5767248077568734),
        (
            "j0(x) + jn(2, x) + jn(-3, x)",
            tpsa_core.j0(X) + tpsa_core.jn(2, X) + tpsa_core.jn(-3, X),
        ),
        ("sinh(x)*cosh(px)*tanh(x)*tan(px)", np.sinh(X) * np.cosh(PX) * np.tanh(X) * np.tan(PX)),
        ("log(1 + x) - ln(1 + x)", 0 * X),
        ("cos(x)*sin(px)", np.cos(X) * np.sin(PX)),
        ("2j*x", 2j * X),
        ("(1 + 2J)*x", (1 + 2j) * X),
        ("sqrt(-1 + 0j)*x", 1j * X),
        ("  x *\n\tpx ", X * PX),
        ("((x))", X),
        ("7", ALGEBRA.constant(7.0)),
        ("x**1000", ALGEBRA.zero()),
    ],
)
def test_what_people_type_is_understood(text: str, expected: MTF) -> None:
    assert parse_expression(text, ALGEBRA) == expected


def test_real_expressions_stay_real() -> None:
    assert not parse_expression("sqrt(2)*sin(x)/(1 + px)**0.5", ALGEBRA).is_complex
    assert parse_expression("1j*x", ALGEBRA).is_complex


def test_the_names_of_the_algebra_come_before_positions_and_constants() -> None:
    algebra = Algebra("x2", "e", order=1)
    first, second = algebra.variables()
    assert parse_expression("x2", algebra) == first
    assert parse_expression("x1 + e", algebra) == first + second
    # Without a variable of that name, e is a number.
    assert parse_expression("e", Algebra(1, order=1)).constant == np.e


def test_a_long_sum_is_understood() -> None:
    text = " + ".join(f"{factor}*x1*x2^2" for factor in range(400))
    assert parse_expression(text, ALGEBRA)[1, 2] == sum(range(400))


REFUSED = [
    ("", 1, "is empty"),
    ("   ", 1, "is empty"),
    ("x +", 4, "a value is missing after '\\+'"),
    ("* x", 1, "a value is missing before '\\*'"),
    ("x ** ", 5, "a value is missing after"),
    ("()", 2, "a value is missing before '\\)'"),
    ("sin()", 5, "a value is missing before"),
    ("(x", 3, "parentheses that are not closed: 1"),
    ("x)", 2, "without its"),
    ("x // px", 4, "a value is missing before '/'"),
    ("2x", 2, "an operator is missing between '2' and 'x'"),
    ("2 (x)", 3, "an operator is missing"),
    ("(x)(px)", 4, "an operator is missing"),
    ("x px", 3, "an operator is missing"),
    ("1_000*x", 2, "an operator is missing"),
    ("0x10", 2, "an operator is missing"),
    ("007*x", 1, "is not understood"),
    ("x, px", 2, "a ',' outside the arguments"),
    ("(x, px)", 3, "a ',' outside the arguments"),
    ("y + x", 1, "unknown name 'y'"),
    ("x + x3", 5, "there is no 'x3' among 2 variables"),
    ("x0", 1, "there is no 'x0'"),
    ("nan", 1, "unknown name 'nan'"),
    ("oo*x", 1, "unknown name 'oo'"),
    ("foo(x)", 1, "unknown function 'foo'"),
    ("__import__(x)", 1, "unknown function '__import__'"),
    ("sin", 1, "'sin' stands without an argument"),
    ("sin*x", 1, "'sin' stands without an argument"),
    ("x + sin(x, px)", 5, r"sin takes 1 argument\(s\), got 2"),
    ("hypot(x)", 1, r"hypot takes 2 argument\(s\), got 1"),
    ("pow(x)", 1, r"pow takes 2 argument\(s\), got 1"),
    ("x(px)", 1, "'x' is not a function"),
    ("pi(x)", 1, "'pi' is not a function"),
    ("max(x, 1)", 1, "'max' has no Taylor series everywhere"),
    ("x.real", 2, "attributes are not allowed"),
    ("x[0]", 2, "subscripts and lists are not allowed"),
    ("[x for x in (1,)]", 1, "subscripts and lists are not allowed"),
    ("{x}", 1, "braces are not allowed"),
    ("'x'", 1, "strings are not allowed"),
    ('__import__("os")', 12, "strings are not allowed"),
    ("f'{x}'", 2, "strings are not allowed"),
    ("x < 1", 3, "comparisons are not allowed"),
    ("x == 1", 3, "comparisons are not allowed"),
    ("x != 1", 3, "comparisons"),
    ("sin(x=1)", 6, "keyword arguments"),
    ("sin(*x)", 5, "a value is missing before"),
    ("x := 1", 3, "':' is not allowed"),
    ("lambda: x", 1, "'lambda' is a word of Python"),
    ("x if x else 1", 3, "'if' is a word of Python"),
    ("x and px", 3, "'and' is a word of Python"),
    ("not x", 1, "'not' is a word of Python"),
    ("True", 1, "'True' is a word of Python"),
    ("await x", 1, "'await' is a word of Python"),
    ("x @ px", 3, "'@' is not allowed"),
    ("x % 2", 3, "remainders are not allowed"),
    ("x | px", 3, "absolute values and bit operations"),
    ("x; px", 2, "';' is not allowed"),
    ("x # 1", 3, "'#' is not allowed"),
    ("x\\", 2, "is not allowed"),
    ("\0", 1, "is not allowed"),
    ("x\0", 2, "is not allowed"),
    ("\N{CYRILLIC SMALL LETTER DZE}in(x)", 1, r"U\+0455"),
    ("x\N{MULTIPLICATION SIGN}px", 2, r"U\+00D7"),
    ("x\N{NO-BREAK SPACE}+ 1", 2, r"U\+00A0"),
    ("\N{FULLWIDTH DIGIT TWO}*x", 1, r"U\+FF12"),
    ("1e999", 1, "not a finite number"),
    ("1e999j*x", 1, "not a finite number"),
    ("9**9**9", 1, "not a finite number"),
    ("9**9**9**9", 4, "not a finite number"),
    ("x + 1e308*10*px", 5, "not a finite number"),
    ("exp(1000)*x", 1, "not a finite number"),
    ("exp(1e200*x)", 1, "not a finite number"),
    ("x**1001", 1, "the integer power 1001 is beyond"),
    ("x**-1e9", 1, "the integer power -1000000000 is beyond"),
    ("1" * 201, 1, "a number of 201 characters"),
    ("x + " + "y" * 201, 5, "a name of 201 characters"),
    ("x" * 10_001, 10_001, "10001 characters exceeds 10000"),
    ("(" * 101 + "x" + ")" * 101, 101, "nested more than 100 deep"),
    ("(" * 5_000, 101, "nested more than 100 deep"),
    ("sin(" * 2_000 + "x", 404, "nested more than 100 deep"),
    ("-" * 9_999 + "x", 101, "nested more than 100 deep"),
    ("(-" * 3_000 + "x", 101, "nested more than 100 deep"),
    ("x**" * 3_000 + "1", 302, "nested more than 100 deep"),
    ("x^" * 3_000 + "1", 202, "nested more than 100 deep"),
    ("2**-" * 2_000 + "1", 202, "nested more than 100 deep"),
    ("1+" * 4_000 + "x", 2_000, "more than 1000 operators in a row"),
    ("x*" * 4_000 + "x", 2_000, "more than 1000 operators in a row"),
    ("(" + "x+" * 600 + "x)" + "*x" * 600, 2_000, "more than 1000 operators in a row"),
    ("sin(" + "x+" * 600 + "x)" + "+x" * 600, 2_003, "more than 1000 operators in a row"),
    (
        "".join("pow(" + "x+" * 300 + "x,1)-" for _ in range(9)) + "1",
        5_019,
        "more than 5000 numbers, names and operators",
    ),
]


@pytest.mark.parametrize(
    ("text", "column", "message"),
    REFUSED,
    ids=[f"{text[:20]!r}-{n}" for n, (text, *_) in enumerate(REFUSED)],
)
def test_everything_else_is_refused_with_the_place_and_a_hint(
    text: str, column: int, message: str
) -> None:
    with pytest.raises(ExpressionError, match=message) as caught:
        parse_expression(text, ALGEBRA)
    assert caught.value.column == column
    assert f"(column {column})" in str(caught.value)
    assert caught.value.hint
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("sine(x)", "did you mean 'sin'"),
        ("sqr(x)", "did you mean 'sqrt'"),
        ("x1 + p", "did you mean"),
        ("2x", "2*x"),
        ("x\N{MULTIPLICATION SIGN}px", "write * instead"),
        ("x\N{SUPERSCRIPT TWO}", "**2"),
        ("zzz", "known are x1, x2, x, px"),
        ("cos", "write cos("),
    ],
)
def test_the_hint_says_what_to_write(text: str, hint: str) -> None:
    with pytest.raises(ExpressionError) as caught:
        parse_expression(text, ALGEBRA)
    assert hint in str(caught.value.hint)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("px + log(x)", r"log needs a positive constant part, .* 0.0 \(column 6\)"),
        ("1/x", r"division .* \(column 1\)"),
        ("1/(x - x)", "division"),
        ("1/0", "a divisor other than 0"),
        ("sqrt(x)", "sqrt needs"),
        ("x**0.5", "power needs a positive constant part"),
        ("x**px", "power needs"),
        ("x**-1", "reciprocal needs"),
        ("0**-1", "power needs a base other than 0"),
        ("(-8)**0.5", "power needs a positive base"),
        ("0**x", "power needs a positive base"),
        ("log(-1)*x", "log needs a positive constant part"),
        ("asin(2)", "asin needs"),
        ("jn(x, 2)", "jn needs an integer as its first argument, got a constant part of 0.0"),
        ("1 + jn(0.5, x)", r"jn needs an integer .* 0.5 \(column 5\)"),
        ("hypot(0, 0)", "hypot needs two constant parts that are not both 0"),
    ],
)
def test_a_function_outside_its_domain_is_named_with_its_place(text: str, message: str) -> None:
    with pytest.raises(DomainError, match=message) as caught:
        parse_expression(text, ALGEBRA)
    assert caught.value.hint
    assert caught.value.function


def test_names_are_checked_before_anything_is_computed() -> None:
    # Computing the left part would raise a domain error.
    with pytest.raises(ExpressionError, match="unknown name 'zzz'"):
        parse_expression("log(x) + zzz", ALGEBRA)


def test_an_order_of_zero_has_numbers_and_no_variables() -> None:
    assert parse_expression("2 + 3", Algebra(1, order=0)).constant == 5.0
    with pytest.raises(OrderError):
        parse_expression("x1", Algebra(1, order=0))


def test_no_text_ever_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    marker = tmp_path / "marker"
    calls: list[str] = []

    def recorder(name: str) -> Callable[..., None]:
        return lambda *_arguments, **_options: calls.append(name)

    for name in ("eval", "exec", "open", "__import__"):
        monkeypatch.setattr(builtins, name, recorder(name))
    for text in (
        f"__import__('os').system('touch {marker}')",
        f"open('{marker}', 'w')",
        "exec(x)",
        "eval(x)",
        "().__class__",
        "globals()",
    ):
        with pytest.raises(ExpressionError):
            parse_expression(text, ALGEBRA)
    monkeypatch.undo()
    assert calls == []
    assert not marker.exists()


_PIECES = ["x", "px", "x1", "y", "2", "0.5", "1e9", "1e400", "3j", "pi", "sin", "log", "pow"]
_SIGNS = [
    "(",
    ")",
    "+",
    "-",
    "*",
    "/",
    "**",
    "^",
    ",",
    " ",
    ".",
    "=",
    "if",
    "lambda",
    "\0",
    "\N{MINUS SIGN}",
]


def _outcome(text: str) -> MTF | TpsaError:
    """The function, or the refusal; anything else is a failure of the test."""
    try:
        return parse_expression(text, ALGEBRA)
    except TpsaError as error:
        return error


@given(st.lists(st.sampled_from(_PIECES + _SIGNS), max_size=40).map("".join))
def test_whatever_the_text_it_gives_a_function_or_an_error_of_this_package(text: str) -> None:
    outcome = _outcome(text)
    if isinstance(outcome, TpsaError):
        assert outcome.hint
        assert len(str(outcome)) < 400
    else:
        assert np.isfinite(outcome.coefficients).all()


@given(st.text(max_size=200))
def test_any_text_at_all_is_survived(text: str) -> None:
    assert isinstance(_outcome(text), MTF | TpsaError)


_ATOMS = st.sampled_from(["x", "px", "2", "0.5", "(1 + x)", "3.25"])


@given(
    st.recursive(
        _ATOMS,
        lambda inner: st.one_of(
            st.builds("({} + {})".format, inner, inner),
            st.builds("{} - ({})".format, inner, inner),
            st.builds("({})*({})".format, inner, inner),
            st.builds("-({})**2".format, inner),
        ),
        max_leaves=12,
    )
)
def test_arithmetic_means_what_it_means_in_python(text: str) -> None:
    # The texts are our own, made above.
    expected = eval(text, {"x": X, "px": PX})  # noqa: S307 -- see above
    value = parse_expression(text, ALGEBRA)
    assert value == (expected if isinstance(expected, MTF) else ALGEBRA.constant(expected))
