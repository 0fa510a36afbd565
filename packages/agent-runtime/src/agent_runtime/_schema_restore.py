"""The way back: from values in a provider's form to the values that they stand for.

What is not in the form is left as it is, for validation to refuse by its own words.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, cast

Restore = Callable[[Any], Any]


def restore_one_of(
    forms: Sequence[tuple[object, Restore | None]], is_valid: Callable[[object, object], bool]
) -> Restore | None:
    """For a value of several forms: the way that leads to a valid one; None if none changes it.

    `is_valid(schema, value)` judges under the original schema.
    """
    if all(restore is None for _, restore in forms):
        return None

    def restore_fitting(value: Any) -> Any:
        for schema, restore in forms:
            restored = value if restore is None else restore(value)
            if is_valid(schema, restored):
                return restored
        return value

    return restore_fitting


def restore_items(restores: Sequence[Restore | None]) -> Restore | None:
    """For a list; the last way is that of all further items. None if none changes them."""
    if all(restore is None for restore in restores):
        return None

    def restore_each(value: Any) -> Any:
        if not isinstance(value, list):
            return value
        restored: list[Any] = []
        for at, item in enumerate(cast("list[Any]", value)):
            restore = restores[min(at, len(restores) - 1)]
            restored.append(item if restore is None else restore(item))
        return restored

    return restore_each


def restore_fields(restores: Mapping[str, Restore], absent: Collection[str]) -> Restore | None:
    """For an object; null in a field of `absent` means that it was not sent."""
    if not restores and not absent:
        return None

    def restore_each(value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        return {
            name: restores[name](field) if name in restores else field
            for name, field in cast("dict[str, Any]", value).items()
            if not (field is None and name in absent)
        }

    return restore_each


def restore_pairs(restore: Restore | None) -> Restore:
    """For an object that is a list of pairs; a name that comes twice is left for validation."""

    def restore_all(value: Any) -> Any:
        if not isinstance(value, list):
            return value
        pairs = cast("list[Any]", value)
        if not all(isinstance(pair, dict) and pair.keys() == {"key", "value"} for pair in pairs):
            return pairs
        names = [pair["key"] for pair in pairs]
        if not all(isinstance(name, str) for name in names) or len({*names}) < len(names):
            return pairs
        values = (pair["value"] if restore is None else restore(pair["value"]) for pair in pairs)
        return dict(zip(names, values, strict=True))

    return restore_all
