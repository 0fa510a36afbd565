"""Which kernels compute: the compiled ones where they are installed, else those on numpy."""

import os
from importlib import import_module
from types import ModuleType
from typing import Literal

_CHOICE = "TPSA_CORE_BACKEND"


def _loaded() -> ModuleType | None:
    choice = os.environ.get(_CHOICE, "")
    if choice not in {"", "native", "numpy"}:
        raise ImportError(f"{_CHOICE}={choice!r} names no backend: use native or numpy")
    if choice == "numpy":
        return None
    try:
        return import_module("tpsa_core._native")
    except ImportError:
        if choice:
            raise
        return None


NATIVE = _loaded()


def backend() -> Literal["native", "numpy"]:
    """What computes: "native" for the compiled kernels, "numpy" where they could not be built.

    Results agree to rounding. The environment variable `TPSA_CORE_BACKEND` chooses before the
    import: `numpy` leaves the compiled kernels alone, `native` makes it an error to lack them.

    Example:
        >>> backend() in {"native", "numpy"}
        True
    """
    return "numpy" if NATIVE is None else "native"
