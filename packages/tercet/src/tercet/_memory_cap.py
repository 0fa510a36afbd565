"""How much memory a worker process may take: what would take more fails, and the call with it."""

from pathlib import Path
from typing import Final

try:
    import resource
except ImportError:  # pragma: no cover -- Windows has no such limits
    resource = None

__all__ = ["MemoryCap"]

_USE: Final = Path("/proc/self/statm")
_DATA = 5
# A worker that keeps more than this share of what calls may take would leave too little to others.
_MOST_KEPT = 0.5


class MemoryCap:
    """Holds this process to so many bytes beside what it takes when the first call begins.

    What counts is private memory that can be written, as the kernel counts it for `RLIMIT_DATA`:
    address space that is only reserved costs nothing. Only Linux says how much a process takes and
    keeps to such a limit; elsewhere nothing is held.

    Args:
        memory_bytes: What calls may take.
    """

    def __init__(self, memory_bytes: int) -> None:
        self._memory_bytes = memory_bytes
        self._base: int | None = None

    def hold(self) -> None:
        """Hold from now on; once it holds, nothing changes."""
        if self._base is not None or resource is None or (taken := _taken()) is None:
            return
        self._base = taken
        _, highest = resource.getrlimit(resource.RLIMIT_DATA)
        limit = taken + self._memory_bytes
        if highest != resource.RLIM_INFINITY:
            limit = min(limit, highest)
        resource.setrlimit(resource.RLIMIT_DATA, (limit, highest))

    @property
    def spent(self) -> bool:
        """Whether so much is kept for later, such as tables, that too little is left for a call."""
        if self._base is None or (taken := _taken()) is None:
            return False
        return taken - self._base > _MOST_KEPT * self._memory_bytes


def _taken() -> int | None:
    """Give the bytes of data that this process has, where the system says so."""
    if resource is None:
        return None
    try:
        pages = int(_USE.read_text(encoding="ascii").split()[_DATA])
    except OSError:
        return None
    return pages * resource.getpagesize()
