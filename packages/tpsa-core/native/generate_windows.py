"""Writes the block kernels of one number, for vectors some of whose lanes can be left alone.

The same products as those of `generate_kernels.py` for single numbers, with neighbouring outputs in
the lanes of a vector. Times one coefficient of either operand, neighbours of the other operand
often go to neighbouring outputs: in graded order a monomial keeps the order of those that it
multiplies, and often their distance, too. So a few windows of one operand, each times a broadcast
coefficient of the other one, give all products of a vector of outputs. Lanes that a window has no
product for are left alone: nothing is computed twice, and nothing is multiplied by zero.

`generate_kernels.py` writes them, one file for each number of vector registers.
"""
# ruff: noqa: INP001 - a build script stands in no package

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

Monomial = tuple[int, ...]

LANES = 4
WHOLE = (1 << LANES) - 1


class Registers(NamedTuple):
    """How many vectors stay in registers; the rest of them are for what passes by."""

    # Sums.
    tile: int
    # Sums and windows: windows that meet the same coefficients load them once.
    held: int


REGISTERS = {16: Registers(9, 13), 32: Registers(20, 28)}


# What is loaded: from which operand, whether a window or one coefficient, and where it begins.
Load = tuple[int, bool, int]


class Product(NamedTuple):
    """A product of two coefficients, and the lane that it belongs to."""

    left: int
    right: int
    lane: int


class Window(NamedTuple):
    """Neighbours of one operand, times a coefficient of the other one."""

    # 0: neighbours of the left operand; 1: of the right one.
    side: int
    # Where they begin, perhaps before the first coefficient.
    start: int
    coefficient: int

    def loads(self) -> set[Load]:
        """Loads limit such code, not products."""
        return {(self.side, True, self.start), (1 - self.side, False, self.coefficient)}


class Step(NamedTuple):
    """A window that is added to a vector of outputs."""

    window: Window
    # The lanes that have a product, a bit each.
    mask: int
    # The number of the vector.
    vector: int


def vectors(starts: Sequence[int], ends: Sequence[int]) -> list[range]:
    """The outputs of some degrees, cut into vectors that end where a degree ends."""
    return [
        range(first, min(first + LANES, end))
        for start, end in zip(starts, ends, strict=True)
        for first in range(start, end, LANES)
    ]


def products_of(table: Sequence[Monomial], outputs: range) -> set[Product]:
    """All products of some outputs."""
    index = {powers: place for place, powers in enumerate(table)}
    result: set[Product] = set()
    for lane, place in enumerate(outputs):
        for left in range(place + 1):
            rest = tuple(x - y for x, y in zip(table[place], table[left], strict=True))
            if min(rest) >= 0:
                result.add(Product(left, index[rest], lane))
    return result


def best_window(missing: set[Product], known: set[Load]) -> tuple[Window, list[Product]]:
    """The window that gives most of some products; of equal ones that which loads least anew."""
    given: dict[Window, list[Product]] = defaultdict(list)
    for product in missing:
        given[Window(0, product.left - product.lane, product.right)].append(product)
        given[Window(1, product.right - product.lane, product.left)].append(product)
    best = max(given, key=lambda at: (len(given[at]), len(known & at.loads()), at))
    return best, given[best]


def steps_for(table: Sequence[Monomial], outputs: Sequence[range], tile: range) -> list[Step]:
    """Steps that give each product of a tile's outputs once, the fullest windows first."""
    known: set[Load] = set()
    steps: list[Step] = []
    for vector in tile:
        missing = products_of(table, outputs[vector])
        while missing:
            window, products = best_window(missing, known)
            mask = sum(1 << product.lane for product in products)
            steps.append(Step(window, mask, vector))
            known |= window.loads()
            missing.difference_update(products)
    return steps


def tiles(counts: Sequence[int], size: int) -> list[range]:
    """Numbers from zero up, in tiles that end where a degree ends if they can.

    Args:
        counts: How many belong to each degree.
        size: How many a tile holds at most.
    """
    result: list[range] = []
    start = stop = 0
    for count in counts:
        if stop - start + count > size and stop > start:
            result.append(range(start, stop))
            start = stop
        stop += count
        if stop - start > size:
            parts = -(-count // size)
            cuts = [start + count * part // parts for part in range(parts + 1)]
            result.extend(range(*pair) for pair in pairwise(cuts))
            start = stop
    if stop > start:
        result.append(range(start, stop))
    return result


def parts_of(steps: Sequence[Step], size: int) -> Counter[int]:
    """In how many parts each vector is added up.

    A sum waits four cycles for the one before it, and two steps begin in each: vectors that have
    more than an eighth of all steps would be waited for.
    """
    counts = Counter(step.vector for step in steps)
    parts = Counter({vector: min(n, -(-8 * n // len(steps))) for vector, n in counts.items()})
    while sum(parts.values()) > max(size + size // 10, len(parts)):
        parts[max(parts, key=lambda vector: (parts[vector], -counts[vector]))] -= 1
    return parts


def window_code(number: int, side: int, start: int, size: int, masks: set[int]) -> Iterator[str]:
    """The statements that load a window of a block of some size."""
    inside = sum(1 << lane for lane in range(LANES) if 0 <= start + lane < size)
    masks.add(inside)
    load = f"EDGE({'ab'[side]}, {start}, {inside})"
    if inside == WHOLE:
        load = f"WINDOW({'ab'[side]}, {start})"
    yield f"            vector_t w{number} = {load};"
    yield f"            HOLD(w{number});"


def steps_code(
    steps: Sequence[Step], size: int, parts: Mapping[int, int], held: int, masks: set[int]
) -> Iterator[str]:
    """The statements for the products of one pair of blocks of some size."""
    windows = sorted({(step.window.side, step.window.start) for step in steps})
    turn: Counter[int] = Counter()
    for first in range(0, len(windows), held):
        numbers = {at: number for number, at in enumerate(windows[first : first + held])}
        yield "            {"
        for (side, start), number in numbers.items():
            yield from window_code(number, side, start, size, masks)
        met = [step for step in steps if step.window[:2] in numbers]
        last = None
        for step in sorted(met, key=lambda step: (step.window[::2], step.vector)):
            side, start, coefficient = step.window
            factor = f"f{side}_{coefficient}"
            if factor != last:
                yield f"            vector_t {factor} = FACTOR({'ba'[side]}, {coefficient});"
                last = factor
            target = f"r{step.vector}_{turn[step.vector] % parts[step.vector]}"
            turn[step.vector] += 1
            operands = f"{target}, w{numbers[side, start]}, {factor}"
            if step.mask == WHOLE:
                yield f"            ADD({operands});"
            else:
                yield f"            ADD_LANES({operands}, {step.mask});"
        yield "            }"
        yield "            KEEP_IN_ORDER(a);"
        yield "            KEEP_IN_ORDER(b);"


def tile_code(
    table: Sequence[Monomial],
    outputs: Sequence[range],
    tile: range,
    registers: Registers,
    masks: set[int],
) -> Iterator[str]:
    """The statements for one tile; the masks that it uses are added to a set."""
    steps = steps_for(table, outputs, tile)
    parts = parts_of(steps, registers.tile)
    base = outputs[tile[0]].start
    yield f"    if (pairs->first < {outputs[tile[-1]].stop}) {{"
    yield f"        double *sums = c + {base};"
    yield "        const double *begin = pairs->keep ? sums : KERNEL(zeros);"
    for vector in tile:
        at, lanes = outputs[vector].start - base, (1 << len(outputs[vector])) - 1
        masks.add(lanes)
        load = f"WINDOW(begin, {at})" if lanes == WHOLE else f"EDGE(begin, {at}, {lanes})"
        yield f"        vector_t r{vector}_0 = {load};"
        for part in range(1, parts[vector]):
            yield f"        vector_t r{vector}_{part} = {{0}};"
    yield "        for (int32_t pair = 0; pair < pairs->count; pair++) {"
    yield "            const double *a = a_base + pairs->a_at[pair];"
    yield "            const double *b = b_base + pairs->b_at[pair];"
    held = max(4, registers.held - sum(parts.values()))
    yield from steps_code(steps, len(table), parts, held, masks)
    yield "        }"
    for vector in tile:
        at, lanes = outputs[vector].start - base, (1 << len(outputs[vector])) - 1
        total = " + ".join(f"r{vector}_{part}" for part in range(parts[vector]))
        if lanes == WHOLE:
            yield f"        WINDOW(sums, {at}) = {total};"
        else:
            yield f"        STORE(sums, {at}, {lanes}, {total});"
    yield "    }"
    masks.update(step.mask for step in steps)


def kernel_code(name: str, table: Sequence[Monomial], registers: Registers) -> Iterator[str]:
    """The function for the monomials of a block in graded order."""
    degrees = [sum(powers) for powers in table]
    starts = [degrees.index(degree) for degree in range(degrees[-1] + 1)]
    if len(table[0]) == 1:
        # Each degree has but one of them.
        starts = [0]
    ends = [*starts[1:], len(table)]
    outputs = vectors(starts, ends)
    counts = [
        sum(start <= vector.start < end for vector in outputs)
        for start, end in zip(starts, ends, strict=True)
    ]
    masks: set[int] = set()
    body: list[str] = []
    for tile in tiles(counts, registers.tile):
        body.extend(tile_code(table, outputs, tile, registers, masks))
    yield f"static void KERNEL({name})(const double *a_base, const double *b_base, double *c,"
    yield "    const BlockPairs *pairs)"
    yield "{"
    yield from (f"    MASK({mask});" for mask in sorted(masks - {WHOLE}))
    yield from body
    yield "}"
    yield ""
