"""Fakes for tests, and the checks that every registry must pass."""

import json
from collections.abc import AsyncGenerator, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from tercet._context import CallContext
from tercet._errors import ErrorCode, UnavailableError
from tercet._memory import MemoryStore
from tercet._object import Absence, ObjectDraft, ObjectEntry, ObjectKey
from tercet._record import CallRecord
from tercet._registry import ToolRegistry
from tercet._store import StoreUsage
from tercet._tool import AnyTool

__all__ = [
    "FaultyStore",
    "FrozenClock",
    "RecordingObserver",
    "contract_suite",
    "contract_violations",
]


@dataclass(slots=True)
class FrozenClock:
    """A clock that stands still until it is told to go on; Unix time, in seconds."""

    now_s: float = 1_800_000_000.0

    def __call__(self) -> float:
        """Give the time."""
        return self.now_s

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        self.now_s += seconds


@dataclass(slots=True)
class RecordingObserver:
    """An observer that keeps every record; may be told to fail."""

    records: list[CallRecord] = field(default_factory=list[CallRecord])
    error: Exception | None = None

    async def __call__(self, record: CallRecord) -> None:
        """Keep a record."""
        self.records.append(record)
        if self.error is not None:
            raise self.error


class FaultyStore:
    """An object store whose operations fail where they are told to.

    Args:
        failing: The names of the operations that fail, such as `"put"`.
    """

    def __init__(self, failing: Sequence[str] = ()) -> None:
        self.failing = set(failing)
        self.inner = MemoryStore()

    async def put(self, draft: ObjectDraft) -> ObjectEntry:
        """Keep a draft, or fail."""
        self._fail("put")
        return await self.inner.put(draft)

    async def put_all(self, drafts: Sequence[ObjectDraft]) -> Sequence[ObjectEntry]:
        """Keep several drafts, or fail."""
        self._fail("put_all")
        return await self.inner.put_all(drafts)

    async def reserve(self, tenant: str, session: str, prefix: str) -> str:
        """Give the next name of a prefix, or fail."""
        self._fail("reserve")
        return await self.inner.reserve(tenant, session, prefix)

    async def get(self, key: ObjectKey, now: float) -> tuple[ObjectEntry, bytes] | Absence:
        """Give an object, or fail."""
        self._fail("get")
        return await self.inner.get(key, now)

    async def list(self, tenant: str, session: str, now: float) -> Sequence[ObjectEntry]:
        """Give the entries of a session, or fail."""
        self._fail("list")
        return await self.inner.list(tenant, session, now)

    async def delete(self, key: ObjectKey, now: float) -> bool:
        """Take an object away, or fail."""
        self._fail("delete")
        return await self.inner.delete(key, now)

    async def rename(self, key: ObjectKey, name: str, now: float) -> ObjectEntry | Absence:
        """Give an object another name, or fail."""
        self._fail("rename")
        return await self.inner.rename(key, name, now)

    async def clear(self, tenant: str, session: str, now: float) -> int:
        """Take all objects of a session away, or fail."""
        self._fail("clear")
        return await self.inner.clear(tenant, session, now)

    async def usage(self) -> StoreUsage:
        """Say how much is kept, or fail."""
        self._fail("usage")
        return await self.inner.usage()

    async def aclose(self) -> None:
        """Close the store, or fail."""
        self._fail("aclose")
        await self.inner.aclose()

    def _fail(self, operation: str) -> None:
        if operation in self.failing:
            raise UnavailableError(
                f"the object store cannot {operation}: injected fault", hint="try again later"
            )


async def contract_suite(registry: ToolRegistry, context: CallContext | None = None) -> None:
    """Check what every domain's registry must hold.

    Raises:
        AssertionError: Names every violation.
    """
    violations = [text async for text in contract_violations(registry, context)]
    if violations:
        raise AssertionError("the registry breaks the contract:\n" + "\n".join(violations))


async def contract_violations(
    registry: ToolRegistry, context: CallContext | None = None
) -> AsyncGenerator[str, None]:
    """Find what breaks the contract: in declarations, in refusals, in examples."""
    caller = context or CallContext()
    for tool in registry.list_tools(caller):
        for text in _declaration_faults(tool):
            yield f"{tool.name}: {text}"
        async for text in _refusal_faults(registry, tool, caller):
            yield f"{tool.name}: {text}"
        for example in tool.examples:
            answer = await registry.call_tool(tool.name, example.arguments, caller)
            if answer.status == "error":
                yield f"{tool.name}: the example {dict(example.arguments)} failed: {answer.message}"
            elif example.result is not None and answer.data.result != example.result:
                given = dict(example.arguments)
                yield f"{tool.name}: the example {given} gave {answer.data.result}"


def _declaration_faults(tool: AnyTool) -> Iterator[str]:
    schema = tool.input_schema
    if not tool.description.strip():
        yield "has no description"
    if schema.get("additionalProperties") is not False:
        yield "accepts arguments that nobody reads"
    text = json.dumps([schema, tool.output_schema])
    for keyword in ('"$ref"', '"$schema"', '"$defs"'):
        if keyword in text:
            yield f"its schemas use {keyword}, which several clients do not follow"
    for keyword in ("anyOf", "oneOf", "allOf"):
        if keyword in schema:
            yield f"its input schema has {keyword} at the root"
    if not tool.output_schema:
        yield "does not say what it gives"
    yield from _argument_faults(cast("dict[str, dict[str, Any]]", schema.get("properties", {})))


def _argument_faults(properties: dict[str, dict[str, Any]]) -> Iterator[str]:
    for name, rules in properties.items():
        if not rules.get("description"):
            yield f"its argument {name!r} has no description"
        if not ({"type", "enum", "anyOf"} & rules.keys()):
            yield f"its argument {name!r} has no type"


async def _refusal_faults(
    registry: ToolRegistry, tool: AnyTool, caller: CallContext
) -> AsyncGenerator[str, None]:
    answer = await registry.call_tool(tool.name, {"no_such_argument": 1}, caller)
    if answer.status != "error" or answer.error_code != ErrorCode.INVALID_INPUT:
        yield "accepts an unknown argument"
        return
    pointers = {detail.pointer for detail in answer.details}
    expected = {f"/{name}" for name in tool.input_schema.get("required", [])}
    missing = ({"/no_such_argument"} | expected) - pointers
    if missing:
        yield f"does not name {', '.join(sorted(missing))} when refusing"
