"""An inventory in one TOML file."""

import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from netctl._errors import InventoryError
from netctl._inventory import Inventory

__all__ = ["inventory_text", "load_inventory", "write_inventory"]

_MOST_FAULTS = 20


def load_inventory(path: Path | str) -> Inventory:
    """The inventory in a TOML file, with a table for each node and each link.

    Raises:
        InventoryError: If it cannot be read, is no TOML, or is no sound inventory; every fault is
            named, with where it is.
    """
    path = Path(path)
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InventoryError(
            f"the inventory {path.name!r} cannot be read: {error.strerror}",
            hint="check its path and its rights",
        ) from error
    except UnicodeDecodeError as error:
        raise InventoryError(
            f"the inventory {path.name!r} is no text in UTF-8: {error.reason} at byte "
            f"{error.start}",
            hint="save it as UTF-8",
        ) from error
    except tomllib.TOMLDecodeError as error:
        raise InventoryError(
            f"the inventory {path.name!r} is no TOML: {error}", hint="see https://toml.io"
        ) from error
    try:
        return Inventory.model_validate(document)
    except ValidationError as error:
        faults = error.errors(include_url=False)
        told = "; ".join(_told(fault) for fault in faults[:_MOST_FAULTS])
        more = f"; and {len(faults) - _MOST_FAULTS} more" if len(faults) > _MOST_FAULTS else ""
        raise InventoryError(
            f"the inventory {path.name!r} has {len(faults)} faults: {told}{more}",
            hint="correct each of them; nothing of it is used until then",
        ) from error


def inventory_text(inventory: Inventory) -> str:
    """An inventory as TOML, of which `load_inventory` makes an equal one."""
    lines = _table(inventory.model_dump(mode="json", exclude_defaults=True), ())
    return "\n".join(lines).strip() + "\n"


def write_inventory(inventory: Inventory, path: Path | str) -> None:
    """Write an inventory so that `load_inventory` gives an equal one.

    Raises:
        InventoryError: If the file cannot be written.
    """
    path = Path(path)
    try:
        path.write_text(inventory_text(inventory), encoding="utf-8")
    except OSError as error:
        raise InventoryError(
            f"the inventory {path.name!r} cannot be written: {error.strerror}",
            hint="check its folder, its rights and the space on its disk",
        ) from error


def _told(fault: ErrorDetails) -> str:
    """One fault, with where it is, as `nodes[2].resources[0].max: …`."""
    where = ""
    for part in fault["loc"]:
        where += f"[{part}]" if isinstance(part, int) else f".{part}" if where else str(part)
    message = fault["msg"].removeprefix("Value error, ")
    got = "" if isinstance(fault["input"], Mapping) else f", got {fault['input']!r:.60}"
    return f"{where or 'the whole'}: {message}{got}"


def _table(table: Mapping[str, Any], path: Sequence[str]) -> Iterator[str]:
    """A table's own values first, then the tables inside it."""
    for name, value in table.items():
        if not _is_tables(value):
            yield f"{name} = {_value(value)}"
    for name, value in table.items():
        if _is_tables(value):
            header = ".".join((*path, name))
            for inner in cast("list[Mapping[str, Any]]", value):
                yield ""
                yield f"[[{header}]]"
                yield from _table(inner, (*path, name))


def _is_tables(value: Any) -> bool:
    return isinstance(value, list) and any(
        isinstance(part, Mapping) for part in cast("list[Any]", value)
    )


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        parts = cast("Mapping[str, Any]", value).items()
        return "{ " + ", ".join(f"{_value(name)} = {_value(part)}" for name, part in parts) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(_value(part) for part in cast("list[Any]", value)) + "]"
    # JSON's numbers, truth values and texts are TOML's, but for one character.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
