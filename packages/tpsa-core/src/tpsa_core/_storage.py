"""What a series holds, by the kernels in use."""

from typing import TYPE_CHECKING

from tpsa_core._backend import NATIVE

if TYPE_CHECKING or NATIVE is None:
    from tpsa_core._array_storage import SeriesStorage
else:
    from tpsa_core._native_storage import SeriesStorage

__all__ = ["SeriesStorage"]
