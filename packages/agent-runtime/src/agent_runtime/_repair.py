"""Repairs arguments before they are judged, where their schema leaves one reading only.

Only what a validator found wrong is touched: a type that reads text in its own way keeps doing so.
"""

import copy
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from agent_runtime._offer import json_schema_of
from agent_runtime._problems import Problem, pointer, quote, unescaped
from agent_runtime._readings import only_reading
from agent_runtime._schema_forms import SchemaForms
from agent_runtime._toolbox import Entry
from agent_runtime._validate import Checked

_PASSES = 8
"""How deep repairs may lie inside each other: text in a list in text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Repair:
    """One value that was taken for another."""

    path: str
    """JSON pointer (RFC 6901) into the arguments."""
    before: str
    """What came, as JSON, shortened."""
    after: str
    """What it was taken for, likewise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """The verdict on the arguments of a call."""

    sent: Mapping[str, Any]
    """The arguments that were judged: as sent, or repaired."""
    checked: Checked
    repairs: tuple[Repair, ...] = ()


def judge(entry: Entry, args: Mapping[str, Any], *, strict: bool) -> Judged:
    """The verdict on `args`, repaired first unless `strict`; `args` are not changed."""
    checked = entry.validator.check(args)
    if strict or checked.args is not None:
        return Judged(sent=args, checked=checked)
    schema = SchemaForms(json_schema_of(entry.tool))
    sent = copy.deepcopy(dict(args))
    repairs: list[Repair] = []
    for _ in range(_PASSES):
        done = _repair(sent, checked.problems, schema)
        if not done:
            break
        repairs.extend(done)
        checked = entry.validator.check(sent)
    return Judged(sent=sent, checked=checked, repairs=tuple(repairs))


def _repair(args: dict[str, Any], problems: Iterable[Problem], schema: SchemaForms) -> list[Repair]:
    """Repair `args` in place, where there are problems."""
    repairs: list[Repair] = []
    places = {place: None for problem in problems if (place := _place(args, problem.path))}
    for place in places:
        parent: Any = args
        for part in place[:-1]:
            parent = parent[part]
        value = parent[place[-1]]
        forms = schema.at(args, place)
        if not forms:
            continue
        reading = only_reading(value, forms, schema, in_list=isinstance(place[-1], int))
        if reading is not None:
            parent[place[-1]] = reading.value
            repairs.append(
                Repair(path=pointer(place), before=quote(value), after=quote(reading.value))
            )
    return repairs


def _place(args: Mapping[str, Any], path: str) -> tuple[str | int, ...]:
    """The parts of `path`, as far as it leads to a value in `args`."""
    parts: list[str | int] = []
    here: object = args
    for part in unescaped(path):
        if isinstance(here, Mapping) and part in here:
            here = cast("Mapping[str, object]", here)[part]
            parts.append(part)
        elif isinstance(here, list) and part.isdecimal():
            items = cast("list[object]", here)
            if int(part) >= len(items):
                break
            here = items[int(part)]
            parts.append(int(part))
        else:
            break
    return tuple(parts)
