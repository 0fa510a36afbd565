"""A changed copy of a frozen value, for where each command pays for it."""

from typing import Any, TypeVar, cast

__all__ = ["replaced"]

T = TypeVar("T")


def replaced(value: T, **changes: Any) -> T:
    """What `dataclasses.replace` gives, in half the time.

    Args:
        value: A frozen dataclass with slots, without slots of a base and without `__post_init__`.
        changes: The fields that differ.

    Raises:
        TypeError: If it has no such field.
    """
    kind = type(value)
    names = cast("tuple[str, ...]", getattr(kind, "__slots__"))  # noqa: B009 -- not every type has
    if not changes.keys() <= set(names):
        raise TypeError(f"{kind.__name__} has not all of the fields {sorted(changes)!r}")
    copy = object.__new__(kind)
    for name in names:
        object.__setattr__(copy, name, changes[name] if name in changes else getattr(value, name))
    return copy
