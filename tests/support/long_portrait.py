"""A picture that takes seconds to compute, and the map that it is of."""

TURN = {
    "expressions": ["x1 + 0.1*x2*exp(x3)", "x2 - 0.1*x1", "x3 + 0.1*x4*cos(x2)", "x4 - 0.1*x3"],
    "dimension": 4,
    "max_order": 6,
    "name": "turn",
}
# Hundreds of millions of multiplications: seconds, even in compiled kernels.
PORTRAIT = {
    "map_ref": "turn",
    "grid": {"lower": [0, 0, 0, 0], "upper": [1e-3, 0, 0, 0], "counts": [100, 1, 1, 1]},
    "turns": 10_000,
}
