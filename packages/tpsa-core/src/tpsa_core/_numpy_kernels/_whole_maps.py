"""Composition and inversion of series objects: on numpy always by way of arrays."""

from collections.abc import Callable
from typing import Any

from tpsa_core._arrays import Array


def compose_whole(outer: tuple[Any, ...], inner: tuple[Any, ...]) -> tuple[Any, ...] | None:  # noqa: ARG001 -- the signature of all backends
    """None: use `compose`."""
    return None


def invert_whole(
    components: tuple[Any, ...],  # noqa: ARG001 -- the signature of all backends
    inverse_matrix: Callable[[Array], Array],  # noqa: ARG001 -- likewise
) -> tuple[Any, ...] | None:
    """None: use `inverse`."""
    return None
