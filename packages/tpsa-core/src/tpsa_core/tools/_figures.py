"""Drawings as PNG files. matplotlib is asked for when one is drawn, and nothing of it is global."""

import importlib
import io
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tercet import UnavailableError

__all__ = ["Curves", "Orbits", "Surface", "draw_curves", "draw_orbits", "draw_surface"]

Array = npt.NDArray[Any]

_INCHES = (8.0, 6.0)
_DPI = 100
_LEVELS = 16
# What varies less than this, relative to its size, is drawn as constant: it would be rounding.
_FLAT = 1e-9
# Orbits in the order of their amplitudes share so many colours.
_COLOURS = 24
# Up to so many points each is a dot of the first size, of the second; beyond, one pixel.
_DOTS = ((3_000, 2.4), (30_000, 1.2))
# Scales of two axes within this factor become equal, so that a circle is a circle.
_SIMILAR = 2.0
_MARGIN = 0.04
# Numbers between these powers of ten are written out on an axis.
_PLAIN_POWERS = (-3, 4)


@dataclass(frozen=True, slots=True, kw_only=True)
class Curves:
    """Values along one axis: `(n,)` each, by the name in the legend."""

    title: str
    x_label: str
    y_label: str
    x: Array
    values: Mapping[str, Array]


@dataclass(frozen=True, slots=True, kw_only=True)
class Surface:
    """Values `(len(y), len(x))` over a plane."""

    title: str
    x_label: str
    y_label: str
    value_label: str
    x: Array
    y: Array
    values: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Orbits:
    """Positions `(2, turns + 1, particles)` in a plane; nan once a particle is lost."""

    title: str
    x_label: str
    y_label: str
    positions: Array


def draw_curves(curves: Curves) -> bytes:
    """Draw one curve for each value.

    Raises:
        UnavailableError: matplotlib is not installed.
    """
    figure, axes = _figure(curves.title, curves.x_label, curves.y_label)
    for name, values in curves.values.items():
        axes.plot(curves.x, values, label=name)
    axes.set_xlim(curves.x[0], curves.x[-1])
    lowest = min(float(values.min()) for values in curves.values.values())
    highest = max(float(values.max()) for values in curves.values.values())
    axes.set_ylim(*_padded(lowest, highest))
    axes.grid(visible=True, color="0.9")
    if len(curves.values) > 1:
        axes.legend()
    return _png(figure)


def draw_surface(surface: Surface) -> bytes:
    """Draw filled contours, lines on them, and a scale beside them.

    Raises:
        UnavailableError: matplotlib is not installed.
    """
    figure, axes = _figure(surface.title, surface.x_label, surface.y_label)
    lowest, highest = float(surface.values.min()), float(surface.values.max())
    flat = _is_flat(lowest, highest)
    levels = np.array(_padded(lowest, highest)) if flat else _levels(lowest, highest)
    filled = axes.contourf(surface.x, surface.y, surface.values, levels=levels, cmap="viridis")
    if not flat:
        axes.contour(
            surface.x, surface.y, surface.values, levels=levels, colors="white", linewidths=0.4
        )
    scale = figure.colorbar(filled, ax=axes, label=surface.value_label)
    scale.formatter.set_useOffset(False)
    scale.formatter.set_powerlimits(_PLAIN_POWERS)
    scale.update_ticks()
    return _png(figure)


def draw_orbits(orbits: Orbits) -> bytes:
    """Draw every position as a dot: kept orbits coloured by amplitude, lost ones in red.

    The scales are those of the orbits that are kept, or of the starts where none is.

    Raises:
        UnavailableError: matplotlib is not installed.
    """
    figure, axes = _figure(orbits.title, orbits.x_label, orbits.y_label)
    lost = np.isnan(orbits.positions[0, -1])
    kept = orbits.positions[:, :, ~lost]
    gone = orbits.positions[:, :, lost]
    if kept.size:
        x_range, y_range = (_padded(float(axis.min()), float(axis.max())) for axis in kept)
    else:
        x_range, y_range = (_around(axis) for axis in orbits.positions[:, 0])
    size = next((size for most, size in _DOTS if orbits.positions[0].size <= most), None)
    style: dict[str, Any] = (
        {"marker": ",", "linestyle": ""}
        if size is None
        else {"marker": ".", "markersize": 2 * size, "markeredgewidth": 0, "linestyle": ""}
    )
    if gone.size:
        axes.plot(gone[0].ravel(), gone[1].ravel(), color="tab:red", **style)
    for colour, group in _by_amplitude(kept, x_range, y_range):
        axes.plot(group[0].ravel(), group[1].ravel(), color=colour, **style)
    axes.set_xlim(*x_range)
    axes.set_ylim(*y_range)
    ratio = (x_range[1] - x_range[0]) / (y_range[1] - y_range[0])
    if 1 / _SIMILAR <= ratio <= _SIMILAR:
        axes.set_aspect("equal")
    axes.grid(visible=True, color="0.9")
    if gone.size:
        # The dots themselves can be as small as a pixel.
        axes.plot([], [], color="tab:red", marker="o", markersize=5, linestyle="", label="lost")
        axes.legend(loc="upper right")
    return _png(figure)


def _figure(title: str, x_label: str, y_label: str) -> tuple[Any, Any]:
    # The figure's own canvas and no pyplot: pyplot keeps figures in a global.
    try:
        figures: Any = importlib.import_module("matplotlib.figure")
    except ImportError as error:
        raise UnavailableError(
            "pictures need the package matplotlib, which is not installed",
            hint="install it where the tools run: pip install 'tpsa-core[plot]'",
        ) from error
    figure = figures.Figure(figsize=_INCHES, dpi=_DPI, layout="constrained")
    axes = figure.add_subplot()
    axes.set_title(title, fontsize=11)
    axes.set_xlabel(x_label)
    axes.set_ylabel(y_label)
    # An offset in a corner is easily overlooked: 7.001 is clearer than 0.001 with 7 elsewhere.
    axes.ticklabel_format(useOffset=False, scilimits=_PLAIN_POWERS)
    return figure, axes


def _png(figure: Any) -> bytes:
    agg: Any = importlib.import_module("matplotlib.backends.backend_agg")
    file = io.BytesIO()
    agg.FigureCanvasAgg(figure).print_png(file)
    return file.getvalue()


def _by_amplitude(kept: Array, x_range: Any, y_range: Any) -> list[tuple[Any, Array]]:
    """Group orbits `(2, turns + 1, particles)` by their mean distance from their common centre."""
    if not kept.size:
        return []
    cm: Any = importlib.import_module("matplotlib.cm")
    spans = np.array([x_range[1] - x_range[0], y_range[1] - y_range[0]]).reshape(2, 1, 1)
    centre = kept.mean(axis=(1, 2), keepdims=True)
    amplitudes = np.hypot(*((kept - centre) / spans)).mean(axis=0)
    order = np.argsort(amplitudes, kind="stable")
    groups = np.array_split(order, min(_COLOURS, len(order)))
    colours = cm.viridis(np.linspace(0.0, 0.9, len(groups)))
    return [(colour, kept[:, :, group]) for colour, group in zip(colours, groups, strict=True)]


def _is_flat(lowest: float, highest: float) -> bool:
    return highest - lowest <= _FLAT * max(abs(lowest), abs(highest))


def _padded(lowest: float, highest: float) -> tuple[float, float]:
    """Give a range around the values that is never empty."""
    if _is_flat(lowest, highest):
        half = max(abs(lowest), abs(highest)) or 1.0
        return lowest - half, highest + half
    margin = _MARGIN * (highest - lowest)
    return lowest - margin, highest + margin


def _around(starts: Array) -> tuple[float, float]:
    """Give a range three times as wide as the starts, some of which may be nan."""
    lowest, highest = _padded(float(np.nanmin(starts)), float(np.nanmax(starts)))
    return 2 * lowest - highest, 2 * highest - lowest


def _levels(lowest: float, highest: float) -> Array:
    ticker: Any = importlib.import_module("matplotlib.ticker")
    return ticker.MaxNLocator(_LEVELS).tick_values(lowest, highest)
