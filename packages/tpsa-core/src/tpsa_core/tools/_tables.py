"""Taylor functions as tables of coefficients, in the layouts of COSY INFINITY and of DACE.

One line for each term: a running number, the coefficient, the total order, the exponents. Both
programs close a table with dashes and read nothing after it, so what the table itself does not say
stands below: one line that begins with `#`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

import numpy as np

from tpsa_core._algebra import MultivariateTaylorFunction

__all__ = ["LAYOUTS", "ROW_CHARACTERS", "Layout", "TableFormat", "write_tables"]

TableFormat = Literal["cosy", "dace"]

# What a row takes at least, beside three characters for each exponent.
ROW_CHARACTERS = 36


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """How a program writes a table.

    Attributes:
        head: The first line.
        zero: What stands in place of a table without terms.
        end: The last line.
        number: The format of a coefficient: 17 significant digits, which fix a double.
        in_pairs: Exponents stand two by two.
    """

    head: str
    zero: str
    end: str
    number: str
    in_pairs: bool

    def exponents(self, powers: Sequence[int]) -> str:
        """Write the exponents of a row."""
        if not self.in_pairs:
            return " " + "".join(f"{power:3d}" for power in powers)
        words = [f"{power:2d}" for power in powers]
        return "  " + " ".join("".join(words[i : i + 2]) for i in range(0, len(words), 2))


LAYOUTS: Mapping[TableFormat, Layout] = MappingProxyType(
    {
        "cosy": Layout(
            head="     I  COEFFICIENT            ORDER EXPONENTS",
            zero="        ALL COMPONENTS ZERO",
            end="    ----------------------------------------------",
            number="24.16E",
            in_pairs=True,
        ),
        "dace": Layout(
            head="     I  COEFFICIENT              ORDER EXPONENTS",
            zero="        ALL COEFFICIENTS ZERO",
            end="------------------------------------------------",
            number="24.16e",
            in_pairs=False,
        ),
    }
)


def write_tables(
    functions: Sequence[MultivariateTaylorFunction], kind: str, style: TableFormat
) -> str:
    """Give the tables of real functions of one algebra, and a line on what they are of."""
    layout = LAYOUTS[style]
    lines = [line for function in functions for line in _table(function, layout)]
    algebra = functions[0].algebra
    valid = " ".join(str(function.valid_order) for function in functions)
    lines.append(
        f"# {kind}; order {algebra.order}; valid {valid}; variables {' '.join(algebra.names)}"
    )
    return "\n".join(lines) + "\n"


def _table(function: MultivariateTaylorFunction, layout: Layout) -> Iterator[str]:
    values = function.coefficients
    places = np.flatnonzero(values)
    if not len(places):
        yield layout.zero
        yield layout.end
        return
    yield layout.head
    exponents = function.algebra.exponents[places].tolist()
    rows = zip(values[places].tolist(), exponents, strict=True)
    for number, (value, powers) in enumerate(rows, start=1):
        order = sum(powers)
        yield f"{number:6d}  {value:{layout.number}}{order:4d}{layout.exponents(powers)}"
    yield layout.end
