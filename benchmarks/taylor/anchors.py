"""How long GTPSA takes beside daceypy: measured elsewhere, both built for the same machine.

GTPSA is a C library without a Python package, so it cannot run here. What is kept is its time as a
share of daceypy's, for the same work on the same machine (an AVX-512 Xeon, one thread, GTPSA as an
optimised native build). Times daceypy's time in a run here, that is an estimate of what GTPSA
would take; its own call from C has no cost of Python in it.
"""

Size = tuple[int, int]

GTPSA_SHARE: dict[str, dict[Size, float]] = {
    "product": {
        (2, 4): 0.069 / 4.08,
        (2, 10): 0.584 / 5.2,
        (2, 20): 5.17 / 17.6,
        (3, 20): 97 / 226,
        (4, 8): 5.28 / 20.9,
        (4, 12): 49.5 / 125,
        (6, 6): 7.5 / 27.7,
        (6, 8): 48.5 / 148,
        (6, 10): 254 / 746,
        (10, 4): 4.0 / 20.0,
    },
    "exp": {(4, 8): 25.2 / 40, (6, 8): 224 / 254},
    "sqrt": {(4, 8): 24.9 / 39, (6, 8): 230 / 263},
    "1/x": {(4, 8): 24.4 / 30, (6, 8): 231 / 222},
    "compose": {(4, 6): 167 / 4470, (6, 5): 737 / 16231, (6, 6): 3491 / 43361},
    "invert": {(4, 6): 253 / 25631, (6, 5): 937 / 70138},
    "Kepler": {(6, 5): 12.2 / 112},
}


def gtpsa_estimate_s(work: str, size: Size, daceypy_s: float | None) -> float | None:
    """GTPSA's time for some work, in seconds; None where it was not measured."""
    share = GTPSA_SHARE.get(work, {}).get(size)
    return None if share is None or daceypy_s is None else share * daceypy_s
