"""Tables of coefficients, read line by line: every fault names its line."""

import math
import re
from dataclasses import dataclass, field

from tercet import ErrorDetail, InvalidInputError
from tpsa_core.tools._tables import LAYOUTS

__all__ = ["Table", "Tables", "read_tables"]

_HEAD = ["I", "COEFFICIENT", "ORDER", "EXPONENTS"]
_ZEROS = frozenset(layout.zero.strip() for layout in LAYOUTS.values())
_END = re.compile(r"-{10,}")
# How DACE prints a vector around its components.
_BRACKETS = re.compile(r"\[{3} *[0-9]{1,9} vector:|\]{3}")
_ABOUT = re.compile(
    r"# (?P<kind>mtf|taylor_map); order (?P<order>[0-9]{1,9}); "
    r"valid (?P<valid>[0-9]{1,9}(?: [0-9]{1,9})*); variables (?P<names>\S+(?: \S+)*)"
)
_NUMBER = re.compile(r"([-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+))(?:[eEdD]([-+]?[0-9]{1,5}))?")
_COUNT = re.compile(r"[0-9]{1,9}")
_SHOWN = 80
_FEWEST_FIELDS = 4


@dataclass(slots=True)
class Table:
    """The terms of one function: coefficients by exponents, and where it begins.

    Attributes:
        valid_order: What the last line says it is valid to, if it says so.
        highest: The highest order of a term.
    """

    line: int
    valid_order: int | None = None
    highest: int = 0
    terms: dict[tuple[int, ...], float] = field(default_factory=dict[tuple[int, ...], float])


@dataclass(slots=True)
class Tables:
    """What a text holds.

    Attributes:
        tables: One for each function.
        dimension: How many exponents a term has; 0 if there is no term.
        kind: What the last line says it is, `mtf` or `taylor_map`, if it says so.
        order: Likewise, that of the algebra.
        names: Likewise, those of the variables.
    """

    tables: list[Table] = field(default_factory=list[Table])
    dimension: int = 0
    kind: str | None = None
    order: int | None = None
    names: list[str] = field(default_factory=list[str])

    @property
    def highest(self) -> int:
        """The highest order of a term."""
        return max(table.highest for table in self.tables)


def read_tables(text: str) -> Tables:
    """Read the tables of a text in either layout; numbers may have a Fortran exponent, 1D-3.

    Raises:
        InvalidInputError: With the number of the line that is wrong.
    """
    reader = _Reader()
    lines = text.splitlines()
    for number, line in enumerate(lines, start=1):
        reader.take(number, line.strip())
    return reader.finish(len(lines))


class _Reader:
    """Goes through the lines; a table is open from its first line to its dashes."""

    def __init__(self) -> None:
        self._read = Tables()
        self._open: Table | None = None

    def take(self, number: int, line: str) -> None:
        """Take the next line.

        Raises:
            InvalidInputError: It may not stand here.
        """
        if not line or _BRACKETS.fullmatch(line):
            return
        if self._read.kind is not None:
            raise _wrong(number, line, "something follows the line that describes the tables")
        if line.split() == _HEAD or line in _ZEROS:
            if self._open is not None:
                message = f"a table begins, and the one of line {self._open.line} has not ended"
                raise _wrong(number, line, message)
            self._open = Table(number)
        elif _END.fullmatch(line):
            if self._open is None:
                raise _wrong(number, line, "a table ends that did not begin")
            self._read.tables.append(self._open)
            self._open = None
        elif line.startswith("#"):
            self._describe(number, line)
        elif self._open is None:
            raise _wrong(number, line, "there is a row outside of a table")
        else:
            self._row(number, line, self._open)

    def finish(self, last: int) -> Tables:
        """Take the end of the text.

        Raises:
            InvalidInputError: Something is missing.
        """
        if self._open is not None:
            message = f"the table of line {self._open.line} has no end, a line of dashes"
            raise _wrong(last, "", message)
        if not self._read.tables:
            raise _wrong(last, "", "there is no table")
        return self._read

    def _row(self, number: int, line: str, table: Table) -> None:
        fields = line.split()
        if len(fields) < _FEWEST_FIELDS:
            raise _wrong(number, line, "a row has a number, a coefficient, an order and exponents")
        count, coefficient, order, *exponents = fields
        for word in (count, order, *exponents):
            if not _COUNT.fullmatch(word):
                raise _wrong(number, line, f"{word[:_SHOWN]!r} is no integer from 0")
        powers = tuple(map(int, exponents))
        if int(order) != sum(powers):
            message = f"the order {order} is not the sum {sum(powers)} of the exponents"
            raise _wrong(number, line, message)
        self._read.dimension = self._read.dimension or len(powers)
        if len(powers) != self._read.dimension:
            message = f"{len(powers)} exponents, and {self._read.dimension} in the rows before"
            raise _wrong(number, line, message)
        if powers in table.terms:
            raise _wrong(number, line, "a term of these exponents is there already")
        table.highest = max(table.highest, int(order))
        table.terms[powers] = _number(number, line, coefficient)

    def _describe(self, number: int, line: str) -> None:
        match = _ABOUT.fullmatch(line)
        if match is None:
            message = "a line that describes the tables is '# kind; order …; valid …; variables …'"
            raise _wrong(number, line, message)
        if self._open is not None:
            raise _wrong(number, line, f"the table of line {self._open.line} has not ended")
        read, valid_orders = self._read, [int(order) for order in match["valid"].split()]
        read.kind, read.order, read.names = (
            match["kind"],
            int(match["order"]),
            match["names"].split(),
        )
        if len(valid_orders) != len(read.tables):
            message = f"{len(valid_orders)} valid orders for {len(read.tables)} tables"
            raise _wrong(number, line, message)
        if read.kind == "mtf" and len(read.tables) > 1:
            raise _wrong(number, line, f"{len(read.tables)} tables are no mtf but a taylor_map")
        if read.dimension not in (0, len(read.names)):
            message = f"{len(read.names)} variables, and {read.dimension} exponents in the rows"
            raise _wrong(number, line, message)
        for table, valid_order in zip(read.tables, valid_orders, strict=True):
            if not table.highest <= valid_order <= read.order:
                message = (
                    f"the valid order {valid_order} of the table of line {table.line} is not from "
                    f"{table.highest}, its highest term, to the order {read.order}"
                )
                raise _wrong(number, line, message)
            table.valid_order = valid_order


def _number(line_number: int, line: str, word: str) -> float:
    match = _NUMBER.fullmatch(word)
    value = float(f"{match[1]}e{match[2] or 0}") if match else math.nan
    if not math.isfinite(value):
        raise _wrong(line_number, line, f"{word[:_SHOWN]!r} is no finite number")
    return value


def _wrong(number: int, line: str, message: str) -> InvalidInputError:
    return InvalidInputError(
        f"the text cannot be imported: line {number}: {message}",
        hint="correct that line, or pass the text that export_object gave, unchanged",
        details=[
            ErrorDetail(pointer="/text", expected="tables of coefficients", got=line[:_SHOWN])
        ],
    )
