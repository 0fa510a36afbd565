"""Writes the block kernels: truncated products of short series as straight-line code.

A kernel `block_<variables>_<order>` adds up products of pairs of series in a few variables. Its
outputs are cut into tiles; the sums of one tile stay in registers while all pairs pass by, so
nothing is zeroed, scattered or stored twice. Within a tile a few left coefficients are taken at a
time, and each right coefficient that meets several of them is loaded once: loads, not products,
limit such code. The same text is compiled once per number of lanes: a coefficient of the left
operand, and of the result, is one number or a short vector of numbers. So is one of the right
operand in the wide kernels, else it is one number.

Run as `python generate_kernels.py DIRECTORY`; it writes `block_kernels_16.inc` there for processors
with 16 registers for numbers, and `block_kernels_32.inc` for those with 32; and beside them what
`generate_windows.py` makes.
"""
# ruff: noqa: INP001 - a build script stands in no package

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import generate_windows as windows

# The highest order of the kernels by their number of variables: past about 3,000 products the code
# no longer fits the first-level instruction cache and gains nothing over its parts. Fewer blocks of
# more variables are better up to there, most of all for many variables at low order.
HIGHEST_ORDER = {1: 20, 2: 12, 3: 8, 4: 5, 5: 5, 6: 4}
# Sums held in registers, by the number of vector registers: this many leave room for the operands.
TILES = {16: 12, 32: 20}
# Left coefficients taken at a time.
LEFTS = 4
# The widest flat kernels, which need one more register.
FLAT_WIDTHS = {16: 13, 32: 28}

_PARAMETERS = "const double *a_base, const double *b_base, double *c,\n    const BlockPairs *pairs"

Monomial = tuple[int, ...]


def monomials(variables: int, degree: int) -> Iterator[Monomial]:
    """The exponents of one degree, the higher power of the earlier variable first."""
    if variables == 1:
        yield (degree,)
        return
    for power in range(degree, -1, -1):
        for rest in monomials(variables - 1, degree - power):
            yield (power, *rest)


def tiles(variables: int, order: int, size: int) -> list[range]:
    """The outputs in graded order, cut into tiles that end where a degree ends if they can.

    A recurrence asks for the outputs of one degree alone; it then computes few others.
    """
    counts = [sum(1 for _ in monomials(variables, degree)) for degree in range(order + 1)]
    return windows.tiles(counts, size)


def products_of(
    table: list[Monomial], index: dict[Monomial, int], tile: range, powers: Monomial
) -> Iterator[tuple[int, int]]:
    """The right coefficients that one left monomial meets for a tile, each with its output."""
    for place in tile:
        rest = tuple(x - y for x, y in zip(table[place], powers, strict=True))
        if min(rest) >= 0:
            yield index[rest], place


def group_code(group: list[tuple[int, list[tuple[int, int]]]]) -> Iterator[str]:
    """The statements for some left coefficients, those with one right coefficient together."""
    yield "            {"
    for left, _ in group:
        yield f"            lane_t v{left} = LANE(a, {left});"
    products = sorted((right, left, place) for left, products in group for right, place in products)
    for right, left, place in products:
        yield f"            r{place} += v{left} * RIGHT(b, {right});"
    yield "            }"
    yield "            KEEP_IN_ORDER(b);"


def tile_code(table: list[Monomial], index: dict[Monomial, int], tile: range) -> Iterator[str]:
    """The statements for one tile."""
    highest = sum(table[tile[-1]])
    yield f"    if (pairs->first < {tile.stop}) {{"
    yield f"        double *sums = c + {tile.start} * LANES;"
    yield "        const double *begin = pairs->keep ? sums : KERNEL(zeros);"
    for place in tile:
        yield f"        lane_t r{place} = LANE(begin, {place - tile.start});"
    yield "        for (int32_t pair = 0; pair < pairs->count; pair++) {"
    yield "            const double *a = a_base + (size_t)pairs->a_at[pair] * LANES;"
    yield "            const double *b = b_base + (size_t)pairs->b_at[pair] * RIGHT_LANES;"
    lefts = [
        (left, list(products_of(table, index, tile, powers)))
        for left, powers in enumerate(table)
        if sum(powers) <= highest
    ]
    met = [(left, products) for left, products in lefts if products]
    for start in range(0, len(met), LEFTS):
        yield from group_code(met[start : start + LEFTS])
    yield "        }"
    for place in tile:
        yield f"        LANE(sums, {place - tile.start}) = r{place};"
    yield "    }"


def kernel_code(variables: int, order: int, size: int) -> Iterator[str]:
    """The function for one number of variables and one order."""
    table = [powers for degree in range(order + 1) for powers in monomials(variables, degree)]
    index = {powers: place for place, powers in enumerate(table)}
    yield f"static void KERNEL(block_{variables}_{order})({_PARAMETERS})"
    yield "{"
    for tile in tiles(variables, order, size):
        yield from tile_code(table, index, tile)
    yield "}"
    yield ""


def flat_code(widest: int) -> Iterator[str]:
    """The functions that add up multiples of rows of numbers, for every width of a row."""
    yield "/* Generated by generate_kernels.py; do not edit. */"
    yield ""
    for width in range(1, widest + 1):
        yield f"static void KERNEL(flat_{width})(const double *a, const double *b_base, double *c,"
        yield "    const int32_t *places, const BlockPairs *pairs)"
        yield "{"
        for place in range(width):
            yield f"    lane_t r{place} = {{0}};"
        yield "    for (int32_t pair = 0; pair < pairs->count; pair++) {"
        yield "        lane_t v = LANE(a, pairs->a_at[pair]);"
        yield "        const double *b = b_base + pairs->b_at[pair];"
        for place in range(width):
            yield f"        r{place} += v * b[{place}];"
        yield "    }"
        for place in range(width):
            yield f"    LANE(c, places[{place}]) = r{place};"
        yield "}"
        yield ""
    names = ", ".join(f"KERNEL(flat_{width})" for width in range(1, widest + 1))
    yield f"static const FlatKernel KERNEL(flat_kernels)[] = {{NULL, {names}}};"
    yield f"enum {{ KERNEL(flat_width) = {widest} }};"


def kernels_code(highest_order: Mapping[int, int], size: int) -> Iterator[str]:
    """A whole file: all kernels for tiles of one size, and the table that finds them."""
    yield "/* Generated by generate_kernels.py; do not edit. */"
    yield ""
    yield "/* Where the sums of a tile begin if nothing is kept. */"
    yield f"static const double KERNEL(zeros)[{size} * LANES];"
    yield ""
    for variables, highest in highest_order.items():
        for order in range(highest + 1):
            yield from kernel_code(variables, order, size)
    names = {
        variables: [f"KERNEL(block_{variables}_{order})" for order in range(highest + 1)]
        for variables, highest in highest_order.items()
    }
    yield from table_code(names)


def windows_code(highest_order: Mapping[int, int], registers: windows.Registers) -> Iterator[str]:
    """A whole file: the kernels of one number made of windows, and the table that finds them."""
    yield "/* Generated by generate_windows.py; do not edit. */"
    yield ""
    yield "/* Where the sums of a tile begin if nothing is kept. */"
    yield f"static const double KERNEL(zeros)[{registers.tile * windows.LANES}];"
    yield ""
    names: dict[int, list[str]] = {}
    for variables, highest in highest_order.items():
        # A block of order 0 is a number.
        names[variables] = ["KERNEL(single)"]
        for order in range(1, highest + 1):
            table = [
                powers for degree in range(order + 1) for powers in monomials(variables, degree)
            ]
            name = f"block_{variables}_{order}"
            names[variables].append(f"KERNEL({name})")
            yield from windows.kernel_code(name, table, registers)
    yield from table_code(names)


def table_code(names: Mapping[int, list[str]]) -> Iterator[str]:
    """The table of kernels by their number of variables and order."""
    yield "static const BlockKernel KERNEL(block_kernels)"
    yield "    [BLOCK_VARIABLES + 1][BLOCK_ORDER + 1] = {"
    for variables, kernels in names.items():
        yield f"    [{variables}] = {{{', '.join(kernels)}}},"
    yield "};"


def limits_code(highest_order: Mapping[int, int]) -> Iterator[str]:
    """The limits, for the code that chooses a layout and for the compiler's bounds."""
    variables, order = max(highest_order), max(highest_order.values())
    orders = ", ".join(str(highest_order.get(n, -1)) for n in range(variables + 1))
    yield "/* Generated by generate_kernels.py; do not edit. */"
    yield "#ifndef TPSA_BLOCK_LIMITS_H"
    yield "#define TPSA_BLOCK_LIMITS_H"
    yield f"enum {{ BLOCK_VARIABLES = {variables}, BLOCK_ORDER = {order} }};"
    yield f"static const int block_highest_order[BLOCK_VARIABLES + 1] = {{{orders}}};"
    yield "#endif"


def generate(directory: Path, highest_order: Mapping[int, int] = HIGHEST_ORDER) -> list[Path]:
    """Write the generated files into a directory, which is made if needed.

    Files that would not change keep their time, so that nothing is compiled anew.

    Args:
        directory: Where to write.
        highest_order: The kernels wanted: at least those of one variable; tests want few of them.

    Returns:
        The paths of the files.
    """
    directory.mkdir(parents=True, exist_ok=True)
    texts = {
        f"block_kernels_{registers}.inc": kernels_code(highest_order, size)
        for registers, size in TILES.items()
    }
    texts |= {
        f"block_windows_{number}.inc": windows_code(highest_order, registers)
        for number, registers in windows.REGISTERS.items()
    }
    texts |= {
        f"flat_kernels_{registers}.inc": flat_code(widest)
        for registers, widest in FLAT_WIDTHS.items()
    }
    texts["block_limits.h"] = limits_code(highest_order)
    paths: list[Path] = []
    for name, lines in texts.items():
        path = directory / name
        text = "\n".join(lines) + "\n"
        if not path.exists() or path.read_text(encoding="ascii") != text:
            path.write_text(text, encoding="ascii")
        paths.append(path)
    return paths


if __name__ == "__main__":
    generate(Path(sys.argv[1]))
