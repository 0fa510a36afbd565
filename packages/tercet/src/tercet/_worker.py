"""The worker's end of the pipe: one call after the other, each computed and answered.

`ProcessWorkers` starts this module in processes of its own, and nobody else does. A worker ends the
moment its pipe is closed, whatever it is computing.
"""

import os
import signal
import struct
import sys
import threading
import traceback
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any, BinaryIO

from tercet._memory_cap import MemoryCap
from tercet._moving import moved, pack, pack_error

__all__ = ["ERROR", "HEADER", "HEARD", "LENGTH", "MEMORY", "VALUE", "main"]

LENGTH = struct.Struct("!Q")
"""Before each call: how many bytes it takes."""

HEADER = struct.Struct("!c?Q")
"""Before each answer: what it is, whether the worker ends with it, and how many bytes it takes."""

HEARD = b"h"
"""The call has arrived whole; from now on it may have been computed in part."""
VALUE = b"v"
ERROR = b"e"
MEMORY = b"m"


def main(memory_bytes: int) -> None:
    """Answer calls until standard input is closed.

    Args:
        memory_bytes: What calls may take beside what the worker takes itself.
    """
    # The process that started this one decides when it ends, and says so by the pipe: a Ctrl-C, or
    # a service manager that signals the whole group, must not cut calls off that are let finish.
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, signal.SIG_IGN)
    calls, answers = _take_streams()
    cap, waiting = MemoryCap(memory_bytes), SimpleQueue[bytes | None]()
    threading.Thread(target=_listen, args=(calls, waiting), daemon=True).start()
    while True:
        call = waiting.get()
        _send(answers, HEARD, b"")
        kind, payload = (MEMORY, b"") if call is None else _answer(call, cap)
        # Freed before memory is looked at, and not held until the next call comes.
        del call
        spent = kind == MEMORY or cap.spent
        _send(answers, kind, payload, spent=spent)
        del payload
        if spent:
            return


def _take_streams() -> tuple[BinaryIO, BinaryIO]:
    """Take both pipes for the protocol; whatever is printed goes to standard error."""
    calls, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return calls, answers


def _listen(calls: BinaryIO, waiting: "SimpleQueue[bytes | None]") -> None:
    """Pass calls on as they come; at the end of the stream the process ends at once."""
    while True:
        try:
            length = calls.read(LENGTH.size)
            if len(length) < LENGTH.size:
                break
            size = LENGTH.unpack(length)[0]
            call = calls.read(size)
        except MemoryError:
            waiting.put(None)
            return
        if len(call) < size:
            break
        waiting.put(call)
        del call
    os._exit(0)


def _send(answers: BinaryIO, kind: bytes, payload: bytes, *, spent: bool = False) -> None:
    answers.write(HEADER.pack(kind, spent, len(payload)))
    answers.write(payload)
    answers.flush()


def _function(call: bytes) -> Callable[[], Any]:
    try:
        return moved(call)
    except (AttributeError, ImportError) as error:
        raise TypeError(
            f"a worker process does not find what it is to run: {error}; use functions and classes "
            "of modules, and none of the program that is run itself"
        ) from error


def _answer(call: bytes, cap: MemoryCap) -> tuple[bytes, bytes]:
    try:
        function = _function(call)
        # By now everything is imported that the call needs.
        cap.hold()
        return VALUE, pack(function())
    except MemoryError:
        return MEMORY, b""
    except BaseException as error:  # noqa: BLE001 -- it is raised where the call came from
        trace = "".join(traceback.format_exception(error)).rstrip()
        return ERROR, pack_error(error, f"in a worker process:\n{trace}")


def command(memory_bytes: int) -> list[str]:
    """Give the command that starts a worker, which finds modules where this process does."""
    places = [str(place) for place in sys.path]
    program = (
        f"import sys; sys.path[:] = {places!r}; from tercet._worker import main; "
        f"main({memory_bytes})"
    )
    return [sys.executable, "-c", program]
