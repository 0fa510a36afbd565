"""How much memory this process takes."""

import os
from pathlib import Path
from typing import Final

__all__ = ["resident_bytes"]

_USE: Final = Path("/proc/self/statm")
_RESIDENT = 1


def resident_bytes() -> int | None:
    """Give the bytes of this process that are in memory; None where the system does not say."""
    try:
        pages = int(_USE.read_text(encoding="ascii").split()[_RESIDENT])
    except OSError:
        # Only Linux has this file; what other systems tell is the most there ever was.
        return None
    return pages * os.sysconf("SC_PAGE_SIZE")
