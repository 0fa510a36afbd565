"""Expressions: a text becomes a series. Nothing in the text is ever run.

The text is scanned first (`_tokens`), then parsed by Python's `ast`, of which a few node types are
allowed; every name is checked before anything is computed. The tree is turned into a list of steps
for a stack machine (`_steps`), so that evaluation does not depend on Python's recursion either.
"""

import ast
import difflib
import re
from collections.abc import Mapping
from itertools import islice
from types import MappingProxyType

from tpsa_core._algebra import Algebra, MultivariateTaylorFunction
from tpsa_core._errors import DomainError, ExpressionError, TpsaError
from tpsa_core._expansion import (
    ExpansionPoint,
    Point,
    expansion_point,
    other_points,
    said,
    variable_places,
)
from tpsa_core._steps import (
    ADD,
    CONSTANTS,
    DIVIDE,
    FUNCTIONS,
    MINUS,
    MULTIPLY,
    PLUS,
    POWER,
    SUBTRACT,
    Operation,
    Step,
    number,
    run_steps,
    variable,
)
from tpsa_core._tokens import Token, scan

# So many known names are listed in a hint.
_LISTED_NAMES = 20
# The effort to find a point where an expression has a series: about ten milliseconds.
_TRIED_STEPS = 2_000
_POSITION = re.compile(r"x[0-9]+")
_NOT_ANALYTIC = frozenset({"ceil", "floor", "max", "min", "mod", "round", "sign"})


def parse_expression(
    text: str, algebra: Algebra, *, at: ExpansionPoint | None = None
) -> MultivariateTaylorFunction:
    """The Taylor series of an expression about a point: where all variables are zero, if none.

    The text holds numbers (`2`, `1.5e-3`, `2j` for imaginary ones), the names of the algebra's
    variables (`x1`, `x2`, … always name them by position), `pi`, `e`, the operators + - * / and
    ** or ^ for powers, parentheses, and these functions, angles in radians:

    - exp, expm1, log (also ln), log1p, log2, log10, sqrt, cbrt, pow(base, exponent), reciprocal,
      abs, hypot(x, y);
    - sin, cos, tan, cot, asin, acos, atan, atan2(y, x), sinh, cosh, tanh, coth, asinh, acosh, atanh
      (the inverse ones also as arcsin …);
    - erf, erfc, gaussian, gamma, loggamma (also lgamma), digamma, the Bessel functions j0, j1 and
      jn(order, x).

    Integer powers of a series are exact, up to ±1,000.

    Args:
        text: The expression: at most 10,000 characters, 5,000 tokens, nested at most 100 deep.
        algebra: Where the series belongs. Its variables are the distances from the point.
        at: The point to expand about: numbers by the names of variables, the others being zero, or
            one number for each variable, in order.

    Raises:
        ExpressionError: If the text is no such expression, names something unknown, or has a value
            that is not finite; `column` says where.
        DomainError: If a function has no Taylor series at the constant part of its argument. The
            hint names a point where it has one, if a few tries find it.
        VariableError: If the point names a variable that the algebra does not have.
        ShapeError: If the point has not one number for each variable, or one that is not finite.

    Example:
        >>> f = parse_expression("sqrt(2)*x1 + sin(x2)^2", Algebra(2, order=3))
        >>> f[0, 2]
        1.0
        >>> parse_expression("log(x1)", Algebra(1, order=2), at=[2.0])[1]
        0.5
    """
    point = expansion_point(algebra, at)
    tokens = scan(text)
    tree, columns = _parsed(tokens), _columns(tokens)
    steps = _compiled(tree, columns, algebra, point)
    try:
        return run_steps(steps, algebra)
    except DomainError as error:
        used = _variables_used(tokens, algebra)
        # One order is enough to see whether there is a series, and costs next to nothing.
        small = Algebra(*algebra.names, order=1)
        for other in islice(other_points(point, used), max(1, _TRIED_STEPS // len(steps))):
            if _works(_compiled(tree, columns, small, other), small):
                error.hint = f"expand about another point, such as at = {{{said(small, other)}}}"
                break
        raise


def _works(steps: list[Step], algebra: Algebra) -> bool:
    try:
        run_steps(steps, algebra)
    except TpsaError:
        return False
    return True


def _variables_used(tokens: list[Token], algebra: Algebra) -> list[int]:
    places = variable_places(algebra)
    return sorted({places[token.text] for token in tokens if token.text in places})


def _parsed(tokens: list[Token]) -> ast.expr:
    """Python's tree of the tokens."""
    source = " ".join("**" if token.text == "^" else token.text for token in tokens)
    try:
        return ast.parse(source, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        # The scan leaves little to be wrong here: a number such as 007, mainly.
        message = f"the expression is not understood: {type(error).__name__}: {error}"
        column = tokens[0].column
        if isinstance(error, SyntaxError):
            message = f"the expression is not understood: {error.msg}"
            column = _columns(tokens).get((error.offset or 1) - 1, column)
        raise ExpressionError(
            message, column=column, hint="write numbers without leading zeros"
        ) from error


def _columns(tokens: list[Token]) -> dict[int, int]:
    """Where each token began, by where it begins in the text that Python parsed."""
    result: dict[int, int] = {}
    place = 0
    for token in tokens:
        result[place] = token.column
        place += len("**" if token.text == "^" else token.text) + 1
    return result


def _compiled(
    tree: ast.expr, columns: Mapping[int, int], algebra: Algebra, point: Point
) -> list[Step]:
    """The steps of a stack machine that compute the tree, operands first."""
    variables = variable_places(algebra)
    steps: list[Step] = []
    # Taken from the end and turned around: each operation after its operands, left before right.
    pending = [tree]
    while pending:
        node = pending.pop()
        column = columns[node.col_offset]
        match node:
            case ast.Constant(value=int() | float() | complex() as value):
                operation, operands = number(value), []
            case ast.Name(id=name):
                operation, operands = _named(name, column, variables, algebra, point), []
            case ast.UnaryOp(op=ast.UAdd() | ast.USub() as sign, operand=operand):
                operation, operands = _OPERATORS[type(sign)], [operand]
            case ast.BinOp(left=left, op=sign, right=right) if type(sign) in _OPERATORS:
                operation, operands = _OPERATORS[type(sign)], [left, right]
            case ast.Call(func=ast.Name(id=name), args=operands, keywords=[]):
                operation = _called(name, len(operands), column, variables)
            case _:
                message = f"{type(node).__name__} is not allowed in an expression"
                raise ExpressionError(message, column=column, hint=_ALLOWED_HINT)
        steps.append(Step(operation, column))
        pending.extend(operands)
    return steps[::-1]


_OPERATORS: Mapping[type[ast.AST], Operation] = MappingProxyType(
    {
        ast.Add: ADD,
        ast.Sub: SUBTRACT,
        ast.Mult: MULTIPLY,
        ast.Div: DIVIDE,
        ast.Pow: POWER,
        ast.UAdd: PLUS,
        ast.USub: MINUS,
    }
)
_ALLOWED_HINT = "use numbers, variables, functions and + - * / ** ^"


def _named(
    name: str, column: int, variables: Mapping[str, int], algebra: Algebra, point: Point
) -> Operation:
    if name in variables:
        return variable(algebra, variables[name], point[variables[name]])
    if name in CONSTANTS:
        return number(CONSTANTS[name])
    if name in FUNCTIONS:
        message = f"the function {name!r} stands without an argument"
        raise ExpressionError(message, column=column, hint=f"write {name}(…)")
    if _POSITION.fullmatch(name):
        message = f"there is no {name!r} among {algebra.dimension} variables"
        hint = f"use x1 to x{algebra.dimension}, or an algebra of more variables"
        raise ExpressionError(message, column=column, hint=hint)
    message = f"unknown name {name!r}"
    hint = _nearest(name, [*variables, *CONSTANTS, *FUNCTIONS])
    raise ExpressionError(message, column=column, hint=hint)


def _called(name: str, count: int, column: int, variables: Mapping[str, int]) -> Operation:
    if name in _NOT_ANALYTIC:
        message = f"{name!r} has no Taylor series everywhere and is not allowed"
        raise ExpressionError(message, column=column, hint="use a smooth function")
    if name in variables or name in CONSTANTS:
        message = f"{name!r} is not a function"
        raise ExpressionError(
            message, column=column, hint=f"write products with a star: {name}*(…)"
        )
    if name not in FUNCTIONS:
        message = f"unknown function {name!r}"
        raise ExpressionError(message, column=column, hint=_nearest(name, [*FUNCTIONS]))
    if FUNCTIONS[name].arity != count:
        message = f"{name} takes {FUNCTIONS[name].arity} argument(s), got {count}"
        raise ExpressionError(message, column=column, hint="separate arguments by commas")
    return FUNCTIONS[name]


def _nearest(name: str, names: list[str]) -> str:
    close = difflib.get_close_matches(name, names, n=1)
    listed = ", ".join(names[:_LISTED_NAMES]) + (", …" if len(names) > _LISTED_NAMES else "")
    return f"did you mean {close[0]!r}?" if close else f"known are {listed}"
