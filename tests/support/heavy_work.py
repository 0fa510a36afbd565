"""Work for worker processes: functions of a module, for no others can be moved to one."""

import os
import signal
import sys
from pathlib import Path
from typing import Any, NoReturn


def whoami() -> int:
    return os.getpid()


def run_for_ever(pipe: str) -> NoReturn:
    """Compute for ever, once the number of the process is written to a named pipe."""
    Path(pipe).write_text(str(os.getpid()), encoding="ascii")
    while True:
        pass


def take_memory(size_bytes: int) -> int:
    return len(bytearray(size_bytes))


_kept: list[bytearray] = []


def keep_memory(size_bytes: int) -> int:
    """Take memory for good, as tables do that are made once."""
    _kept.append(bytearray(size_bytes))
    return os.getpid()


def die_by(number: int) -> None:
    os.kill(os.getpid(), number)


def leave_quietly() -> NoReturn:
    os._exit(0)


def ask_to_leave() -> NoReturn:
    raise SystemExit(3)


def say(text: str) -> str:
    """Print, in Python and past it, and read what is there to be read."""
    print(text)  # noqa: T201 -- what is printed must not reach the protocol
    os.write(1, text.encode())
    return sys.stdin.read()


def ignores(number: int) -> bool:
    return signal.getsignal(number) is signal.SIG_IGN


class PickyError(Exception):
    """An error that cannot be made of its message alone, as many a domain's are."""

    def __init__(self, message: str, *, column: int) -> None:
        super().__init__(f"{message} (column {column})")
        self.column = column


class StuckError(Exception):
    """An error that holds what cannot be moved."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.function = lambda: message


def fail(kind: type[Exception], *arguments: Any, **named: Any) -> NoReturn:
    raise kind(*arguments, **named)


def give_function() -> Any:
    return lambda: 0


def of_the_program_itself() -> None:
    """What a program that is run would define itself."""


of_the_program_itself.__module__ = "__main__"
