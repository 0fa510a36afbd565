"""An expression cut into numbers, names and operators, and bounded before any parser sees it.

The scan is one loop: it refuses characters that cannot belong to an expression, values without an
operator between them, operators without a value, unmatched parentheses, and texts too long or too
deeply nested. What passes is safe to hand to Python's own parser, which says what belongs together.
"""

import keyword
import re
from typing import Literal, NamedTuple

from tpsa_core._errors import ExpressionError

MAX_LENGTH = 10_000
MAX_TOKENS = 5_000
# Characters of one number or name; a double number has at most 17 digits and an exponent.
MAX_WORD = 200
# Parentheses, signs and powers inside one another.
MAX_NESTING = 100
# The depth of the tree: a sum of n terms leans to the left and is n deep. Well below what the
# parsers of all supported versions of Python take.
MAX_DEPTH = 1_000

_TOKEN = re.compile(
    r"[ \t\r\n]*(?:"
    r"(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?[jJ]?)"
    r"|(?P<name>[A-Za-z_][A-Za-z0-9_]*)"
    r"|(?P<operator>\*\*|[-+*/^(),])"
    r")"
)

_REASONS = {
    ".": "attributes are not allowed",
    "[": "subscripts and lists are not allowed",
    "]": "subscripts and lists are not allowed",
    "{": "braces are not allowed",
    "}": "braces are not allowed",
    '"': "strings are not allowed",
    "'": "strings are not allowed",
    "=": "assignments, keyword arguments and comparisons are not allowed",
    "<": "comparisons are not allowed",
    ">": "comparisons are not allowed",
    "!": "comparisons and factorials are not allowed",
    "%": "remainders are not allowed",
    "|": "absolute values and bit operations are not allowed",
}
_LOOKALIKES = {
    "\N{MULTIPLICATION SIGN}": "*",
    "\N{MIDDLE DOT}": "*",
    "\N{DOT OPERATOR}": "*",
    "\N{MINUS SIGN}": "-",
    "\N{EN DASH}": "-",
    "\N{DIVISION SIGN}": "/",
    "\N{GREEK SMALL LETTER PI}": "pi",
    "\N{SUPERSCRIPT TWO}": "**2",
    "\N{SUPERSCRIPT THREE}": "**3",
    "\N{SQUARE ROOT}": "sqrt(...)",
    "\N{FULLWIDTH LEFT PARENTHESIS}": "(",
    "\N{FULLWIDTH RIGHT PARENTHESIS}": ")",
}
_GRAMMAR_HINT = "use numbers, variables, functions, + - * / ** ^ and parentheses"


class Token(NamedTuple):
    """A piece of an expression."""

    kind: Literal["number", "name", "operator"]
    text: str
    # Where it begins, counted from 1.
    column: int


def scan(text: str) -> list[Token]:
    """The tokens of an expression that is well formed and within all limits.

    Raises:
        ExpressionError: If it is not.
    """
    if len(text) > MAX_LENGTH:
        message = f"an expression of {len(text)} characters exceeds {MAX_LENGTH}"
        raise ExpressionError(message, column=MAX_LENGTH + 1, hint="build it from several parts")
    tokens: list[Token] = []
    scanner = _Scanner()
    place = 0
    end = len(text.rstrip(" \t\r\n"))
    while place < end:
        match = _TOKEN.match(text, place)
        if match is None:
            raise _bad_character(text, place)
        kind = match.lastgroup
        token = Token(
            "number" if kind == "number" else "name" if kind == "name" else "operator",
            match.group(match.lastindex or 0),
            1 + match.start(match.lastindex or 0),
        )
        scanner.accept(token)
        tokens.append(token)
        place = match.end()
        if len(tokens) > MAX_TOKENS:
            message = f"more than {MAX_TOKENS} numbers, names and operators"
            raise ExpressionError(message, column=token.column, hint="build it from several parts")
    scanner.finish(end + 1)
    return tokens


class _Level:
    """What is counted inside one pair of parentheses, or outside all of them."""

    __slots__ = ("_product", "_sum", "factor", "is_call", "nested")

    def __init__(self, *, is_call: bool) -> None:
        self.is_call = is_call
        # Signs and powers that enclose the next value.
        self.nested = 0
        # The depth of the trees of the present factor, and of the product and the sum before it.
        self.factor = self._product = self._sum = 0

    @property
    def depth(self) -> int:
        return max(self.factor, self._product, self._sum)

    def take(self, depth: int) -> None:
        """A value: a number or a name of depth 1, or something in parentheses."""
        self.factor = max(self.factor, depth + self.nested)

    def end_factor(self, operator: str) -> None:
        """One of + - * / after a value."""
        if operator in {"*", "/"}:
            self._product = max(self._product, self.factor) + 1
        else:
            self._sum = self.depth + 1
            self._product = 0
        self.factor = self.nested = 0


class _Scanner:
    """Whether each token may follow those before it."""

    def __init__(self) -> None:
        self._levels = [_Level(is_call=False)]
        self._previous: Token | None = None
        self._needs_value = True

    def accept(self, token: Token) -> None:
        """Take the next token.

        Raises:
            ExpressionError: If it may not stand here.
        """
        if token.text == "(":
            self._open(token)
        elif token.text in {")", ","}:
            self._close_or_separate(token)
        elif token.kind == "operator":
            self._operate(token)
        else:
            self._take_value(token)
        self._previous = token
        nesting = len(self._levels) - 1 + sum(level.nested for level in self._levels)
        if nesting > MAX_NESTING:
            message = f"parentheses, signs and powers nested more than {MAX_NESTING} deep"
            raise ExpressionError(message, column=token.column, hint="simplify the expression")
        if self._levels[-1].depth > MAX_DEPTH:
            message = f"more than {MAX_DEPTH} operators in a row"
            raise ExpressionError(message, column=token.column, hint="build it from several parts")

    def finish(self, column: int) -> None:
        """Take the end of the text.

        Raises:
            ExpressionError: If something is missing.
        """
        if self._previous is None:
            message = "the expression is empty"
            raise ExpressionError(message, column=1, hint="write an expression such as x1**2 + 1")
        if self._needs_value:
            message = f"a value is missing after {self._previous.text!r}"
            raise ExpressionError(message, column=column, hint=_GRAMMAR_HINT)
        if len(self._levels) > 1:
            message = f"parentheses that are not closed: {len(self._levels) - 1}"
            raise ExpressionError(message, column=column, hint="add the missing ')'")

    def _open(self, token: Token) -> None:
        previous = self._previous
        is_call = not self._needs_value and previous is not None and previous.kind == "name"
        if not self._needs_value and not is_call:
            raise self._missing_operator(token)
        self._levels.append(_Level(is_call=is_call))
        self._needs_value = True

    def _close_or_separate(self, token: Token) -> None:
        level = self._levels[-1]
        if len(self._levels) == 1 and token.text == ")":
            message = "a ')' without its '('"
            raise ExpressionError(message, column=token.column, hint="remove it, or add a '('")
        if token.text == "," and not level.is_call:
            message = "a ',' outside the arguments of a function"
            hint = "write decimals with a point, and one expression for each component of a map"
            raise ExpressionError(message, column=token.column, hint=hint)
        if self._needs_value:
            message = f"a value is missing before {token.text!r}"
            raise ExpressionError(message, column=token.column, hint=_GRAMMAR_HINT)
        if token.text == ")":
            self._levels.pop()
            self._levels[-1].take(level.depth + 1)
        else:
            level.end_factor(token.text)
            self._needs_value = True

    def _operate(self, token: Token) -> None:
        level = self._levels[-1]
        if self._needs_value:
            if token.text not in {"+", "-"}:
                message = f"a value is missing before {token.text!r}"
                raise ExpressionError(message, column=token.column, hint=_GRAMMAR_HINT)
            level.nested += 1
            return
        if token.text in {"**", "^"}:
            level.nested += 1
        else:
            level.end_factor(token.text)
        self._needs_value = True

    def _take_value(self, token: Token) -> None:
        if token.kind == "name" and keyword.iskeyword(token.text):
            message = f"{token.text!r} is a word of Python and not allowed"
            raise ExpressionError(message, column=token.column, hint=_GRAMMAR_HINT)
        if len(token.text) > MAX_WORD:
            message = f"a {token.kind} of {len(token.text)} characters exceeds {MAX_WORD}"
            raise ExpressionError(message, column=token.column, hint="write it shorter")
        if not self._needs_value:
            raise self._missing_operator(token)
        self._levels[-1].take(1)
        self._needs_value = False

    def _missing_operator(self, token: Token) -> ExpressionError:
        before = "" if self._previous is None else self._previous.text
        return ExpressionError(
            f"an operator is missing between {before!r} and {token.text!r}",
            column=token.column,
            hint=f"write products with a star: {before}*{token.text}",
        )


def _bad_character(text: str, place: int) -> ExpressionError:
    while text[place] in " \t\r\n":
        place += 1
    character = text[place]
    reason = _REASONS.get(character, f"the character {character!r} is not allowed")
    hint = _GRAMMAR_HINT
    if not character.isascii():
        reason = f"the character {character!r} (U+{ord(character):04X}) is not allowed"
        if character in _LOOKALIKES:
            hint = f"write {_LOOKALIKES[character]} instead"
        else:
            hint = "use plain ASCII letters, digits and signs; some characters only look like them"
    return ExpressionError(reason, column=place + 1, hint=hint)
