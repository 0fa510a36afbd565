"""Words of what is not ours: an error or an answer of foreign code, short and never a crash."""

from typing import Final

__all__ = ["error_words", "short_words"]

_LONGEST: Final = 500


def error_words(error: BaseException) -> str:
    """An error's type and message, of a bounded length."""
    try:
        words = str(error)
    # The error is foreign, and may fail even at this.
    except Exception:  # noqa: BLE001 -- see above
        words = "an error without words"
    return f"{type(error).__name__}: {words[:_LONGEST]}"


def short_words(value: object) -> str:
    """What foreign code answered, of a bounded length."""
    try:
        words = repr(value)
    # The value is foreign, and may fail even at this.
    except Exception:  # noqa: BLE001 -- see above
        words = f"a {type(value).__name__} without words"
    return words[:_LONGEST]
