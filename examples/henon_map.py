"""Track particles through a Taylor map, and back through its inverse.

The Hénon map stands for a cell with one thin sextupole: a rotation of phase space by the tune,
after a quadratic kick (M. Hénon, "Numerical study of quadratic area-preserving mappings", 1969).
Run with `uv run python examples/henon_map.py`.
"""

import numpy as np

from tpsa_core import Algebra, TaylorMap


def main() -> None:
    """Make the map, invert it, and track a thousand particles there and back."""
    algebra = Algebra("x", "px", order=8)
    x, px = algebra.variables()

    phase = 2 * np.pi * 0.205
    kicked = px + x**2
    cell = TaylorMap(
        [
            x * np.cos(phase) + kicked * np.sin(phase),
            kicked * np.cos(phase) - x * np.sin(phase),
        ]
    )

    # Area is preserved: the Jacobian's determinant is 1 everywhere, here at a point off the axis.
    determinant = np.linalg.det(cell.jacobian([0.1, -0.2]))
    print(f"determinant of the Jacobian: {determinant:.15f}")
    assert abs(determinant - 1) < 1e-14

    inverse = cell.inverse()
    particles = np.random.default_rng(7).normal(scale=1e-2, size=(1_000, 2))
    after = cell(particles)
    back = inverse(after)
    error = np.abs(back - particles).max()
    print(f"largest error after one cell and its inverse: {error:.1e}")
    # The inverse of this map is quadratic itself, so the series of order 8 is exact.
    assert error < 1e-15

    turns = cell
    for _ in range(3):
        turns = cell @ turns
    print(turns[0])


if __name__ == "__main__":
    main()
