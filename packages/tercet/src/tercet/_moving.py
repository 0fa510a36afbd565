"""Objects on their way between this process and its workers, and nowhere else.

They are pickled, as `multiprocessing` moves them. Both ends are processes of ours: what a caller
sends is data in these objects, and never a pickle that is read.
"""

from collections.abc import Callable
from multiprocessing.reduction import ForkingPickler
from typing import Any, Protocol, cast

__all__ = ["error_of", "moved", "pack", "pack_error", "pack_function"]

# Arrays are written without being copied first.
_PROTOCOL = 5


class _Pickler(Protocol):
    def dumps(self, obj: Any, protocol: int) -> memoryview: ...
    def loads(self, data: bytes, /) -> Any: ...


_pickler = cast("_Pickler", ForkingPickler)


def pack(value: Any) -> bytes:
    """Give the bytes of a value."""
    # A copy: the view of an `io.BytesIO` that is given here must not be kept. Where it is part of a
    # cycle, as of an error and its frames, CPython (to 3.13 at least) may clear the buffer before
    # the view, and crash.
    return bytes(_pickler.dumps(value, _PROTOCOL))


def moved(packed: bytes) -> Any:
    """Give the value that was packed."""
    return _pickler.loads(packed)


def pack_function(function: Callable[[], Any]) -> bytes:
    """Give the bytes of what is to be run.

    Raises:
        TypeError: It cannot be moved.
    """
    try:
        return pack(function)
    except Exception as error:
        raise TypeError(
            f"{repr(function)[:200]} cannot be moved to another process: {error}; use a function "
            "of a module, and arguments that can be pickled"
        ) from error


def pack_error(error: BaseException, note: str) -> bytes:
    """Give the bytes of an error: its class, arguments and attributes, and a note for the log.

    One that cannot be moved, or would end more than a call, becomes a RuntimeError in its words.
    """
    told = RuntimeError(f"{type(error).__name__}: {error}")
    for moving in (error, told):
        if not isinstance(moving, Exception):
            continue
        moving.add_note(note)
        try:
            packed = pack((type(moving), moving.args, vars(moving)))
            error_of(packed)
        except Exception:  # noqa: BLE001, S112 -- whatever is wrong with it, the words can be moved
            continue
        return packed
    raise AssertionError("an error in words cannot be moved")  # pragma: no cover -- it can


def error_of(packed: bytes) -> Exception:
    """Give the error that was packed."""
    kind, arguments, attributes = moved(packed)
    # Not by calling the class, which may ask for other arguments than it keeps.
    error: Exception = kind.__new__(kind, *arguments)
    vars(error).update(attributes)
    return error
