"""Who calls, on whose behalf, until when: passed to every tool explicitly."""

import math
import secrets
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, ParamSpec, Protocol, TypeVar

import anyio
from anyio import to_thread

from tercet._asking import Asker, Question, Reply
from tercet._call_time import CallTime
from tercet._errors import ToolCancelledError, ToolTimeoutError, UnavailableError
from tercet._object import Handle, Provenance
from tercet._objects import ObjectRegistry
from tercet._picture import Picture

__all__ = [
    "ALL_SCOPES",
    "CallContext",
    "ComputeRunner",
    "ProgressSink",
    "ToolFacts",
    "ToolFilter",
    "run_in_thread",
]

P = ParamSpec("P")
T = TypeVar("T")

ALL_SCOPES = "*"
"""The scope that stands for every scope; what a caller on an open loopback has."""

ProgressSink = Callable[[float, float | None, str | None], Awaitable[None]]
"""Takes how much is done, of how much in all, and a word on it."""


class ComputeRunner(Protocol):
    """Runs CPU-bound work away from the event loop: `run_in_thread`, or `ProcessWorkers`."""

    async def __call__(self, function: Callable[[], T], *, tenant: str) -> T:
        """Run a function of no arguments and give what it returns; cancelling ends the wait.

        Args:
            function: What is run.
            tenant: For whom, so that no tenant has to wait for all that another wants.
        """
        ...


async def run_in_thread(function: Callable[[], T], *, tenant: str = "") -> T:
    """Run CPU-bound work in a worker thread, whoever it is for.

    A thread cannot be stopped: on cancellation it is left to finish, and its result is dropped.
    Work that can be long should ask `CallContext.check` now and then.
    """
    del tenant
    return await to_thread.run_sync(function, abandon_on_cancel=True)


class ToolFacts(Protocol):
    """What decides whether a caller may use a tool; a `Tool` is one."""

    @property
    def name(self) -> str:
        """Its name."""
        ...

    @property
    def app(self) -> str:
        """The application or library it belongs to."""
        ...

    @property
    def effect(self) -> str:
        """What a call may do."""
        ...

    @property
    def scopes(self) -> frozenset[str]:
        """What a caller must be allowed."""
        ...


ToolFilter = Callable[[ToolFacts], bool]
"""Says whether a caller may use a tool whose scopes it has."""


def _every_tool(_: ToolFacts) -> bool:
    return True


def _no_trace() -> Mapping[str, str]:
    return {}


def _no_settings() -> Mapping[type[Any], Any]:
    return {}


def _new_id() -> str:
    return secrets.token_hex(16)


@dataclass(slots=True)
class _Call:
    """What is noted while one call runs."""

    operation: str = ""
    arguments: Mapping[str, Any] = field(default_factory=dict[str, Any])
    parents: list[str] = field(default_factory=list[str])
    pictures: list[Picture] = field(default_factory=list[Picture])
    # Set once, by one thread, and read by others: no more is needed than that it is one value.
    cancelled: bool = False
    answer_s: float = math.inf


@dataclass(frozen=True, slots=True, kw_only=True)
class CallContext:
    """The circumstances of one call.

    Attributes:
        tenant: Who is charged and whose objects are reachable; from credentials alone.
        subject: Who calls, for the record.
        scopes: What the caller may do; `"*"` is everything.
        tool_filter: What narrows that further, tool by tool, such as a role or a list of apps.
        session_id: The caller's own name for a set of objects inside the tenant.
        request_id: Names the call in logs and records.
        deadline: When the call must have ended, on anyio's clock, in seconds; `None`: the
            registry's default applies. A deadline that the caller sets is the last word.
        time: Moves the end that the registry sets, while the call runs; for faces.
        dry_run: Work everything out, change nothing.
        progress: Where to report how far a long call is.
        trace: W3C trace context of the caller.
        asker: The way to the person on whose behalf the call is made, if there is one.
        objects: Where large values are kept; set by the registry that runs the call.
        runner: How CPU-bound work is run; set by the registry that runs the call.
        settings: What the operator set for the tools of a domain, by type; set by the registry
            that runs the call.
    """

    tenant: str = "local"
    subject: str = "local"
    scopes: frozenset[str] = frozenset({ALL_SCOPES})
    tool_filter: ToolFilter = field(default=_every_tool, repr=False)
    session_id: str = "default"
    request_id: str = field(default_factory=_new_id)
    deadline: float | None = None
    time: CallTime | None = field(default=None, repr=False)
    dry_run: bool = False
    progress: ProgressSink | None = field(default=None, repr=False)
    trace: Mapping[str, str] = field(default_factory=_no_trace)
    asker: Asker | None = field(default=None, repr=False)
    objects: ObjectRegistry | None = field(default=None, repr=False)
    runner: ComputeRunner = field(default=run_in_thread, repr=False)
    settings: Mapping[type[Any], Any] = field(default_factory=_no_settings, repr=False)
    _call: _Call = field(default_factory=_Call, repr=False)

    def allows(self, scopes: frozenset[str]) -> bool:
        """Say whether the caller has all of these scopes."""
        return ALL_SCOPES in self.scopes or scopes <= self.scopes

    def may_use(self, tool: ToolFacts) -> bool:
        """Say whether the caller may see and call a tool."""
        return self.allows(tool.scopes) and self.tool_filter(tool)

    def within(self, timeout_s: float) -> "CallContext":
        """Give the same context, ending at the latest in so many seconds from now."""
        deadline = anyio.current_time() + timeout_s
        return replace(
            self, deadline=deadline if self.deadline is None else min(deadline, self.deadline)
        )

    @property
    def cancelled(self) -> bool:
        """Whether the call was withdrawn or its deadline passed; safe to ask from any thread."""
        return self._call.cancelled

    def check(self) -> None:
        """Stop long work in a worker thread once nobody waits for it.

        Raises:
            ToolCancelledError: The call was withdrawn or its deadline passed.
        """
        if self.cancelled:
            raise ToolCancelledError("the call was withdrawn while it was running")

    def setting(self, kind: type[T]) -> T:
        """Give the settings of a type: the registry's, else those of its own defaults."""
        return self.settings[kind] if kind in self.settings else kind()

    async def compute(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run CPU-bound work away from the event loop and give what it returns.

        It may be run in another process: give it a function of a module, and arguments that can be
        pickled. What takes less than some milliseconds is better done where it is.
        """
        return await self.runner(partial(function, *args, **kwargs), tenant=self.tenant)

    async def report(
        self, done: float, total: float | None = None, message: str | None = None
    ) -> None:
        """Tell the caller how far the call is."""
        if self.progress is not None:
            await self.progress(done, total, message)

    @property
    def can_ask(self) -> bool:
        """Whether there is a way to the person on whose behalf the call is made."""
        return self.asker is not None

    async def ask(self, question: Question) -> Reply:
        """Put a question to the person on whose behalf the call is made.

        Ask before anything is changed: once the answer is there, the call may be made again from
        its start. The time that a person takes does not count as the call's.

        Raises:
            UnavailableError: There is no way to a person at this caller (`can_ask`).
            ToolTimeoutError: Nobody has answered for as long as the registry waits.
        """
        if self.asker is None:
            raise UnavailableError(
                "a person has to answer a question, and this client cannot ask one",
                hint="use a client that can show its user a form (elicitation)",
            )
        if self.time is None:
            return await self.asker(question)
        with self.time.paused(), anyio.move_on_after(self._call.answer_s):
            return await self.asker(question)
        raise ToolTimeoutError(
            f"nobody answered a question within {self._call.answer_s:g} s: {question.message}",
            hint="call again when there is somebody to answer",
        )

    async def confirm(self, message: str, *, key: str = "confirm") -> bool:
        """Have the person confirm something, and say whether that was done.

        Raises:
            UnavailableError: See `ask`.
        """
        yes = {"type": "boolean", "title": "Confirm", "description": "Yes, do this."}
        reply = await self.ask(
            Question(key=key, message=message, fields={"confirm": yes}, required=("confirm",))
        )
        return reply.accepted and reply.content["confirm"] is True

    async def load(self, ref: str, expected: type[T]) -> T:
        """Give the object behind a reference, and note it as a parent of what is saved next.

        Raises:
            NotFoundError: Nothing has that name in this session.
            TypeMismatchError: The object is of another kind.
        """
        value = await self._registry.get(self, ref, expected)
        if ref not in self._call.parents:
            self._call.parents.append(ref)
        return value

    async def save(self, value: Any, *, prefix: str = "object", name: str | None = None) -> Handle:
        """Keep a value, or an `EncodedObject`, with this call as its provenance.

        Raises:
            ConflictError: The chosen name is taken.
            LimitExceededError: The caller's limits leave no room.
        """
        provenance = Provenance(
            operation=self._call.operation,
            arguments=dict(self._call.arguments),
            parents=tuple(self._call.parents),
        )
        return await self._registry.put(
            self, value, provenance=provenance, prefix=prefix, name=name
        )

    def show(self, picture: Picture) -> None:
        """Show a picture beside the answer; `save` keeps it as well."""
        self._call.pictures.append(picture)

    @property
    def shown(self) -> tuple[Picture, ...]:
        """The pictures that were shown so far; for registries."""
        return tuple(self._call.pictures)

    def starting(
        self,
        *,
        operation: str,
        arguments: Mapping[str, Any],
        session_id: str,
        objects: ObjectRegistry | None,
        runner: ComputeRunner,
        settings: Mapping[type[Any], Any],
        timeout_s: float,
        answer_s: float,
    ) -> "CallContext":
        """Give the context in which one tool runs; for registries.

        It ends after `timeout_s` seconds, unless the caller said when; a person has `answer_s` for
        each question.
        """
        time, deadline = self.time, self.deadline
        if deadline is None:
            time, deadline = time or CallTime(), anyio.current_time() + timeout_s
            time.begin(deadline)
        elif time is not None and not time.is_of(deadline):
            time = None
        return replace(
            self,
            deadline=deadline,
            time=time,
            session_id=session_id,
            objects=objects,
            runner=runner,
            settings=settings,
            _call=_Call(operation=operation, arguments=arguments, answer_s=answer_s),
        )

    def withdraw(self) -> None:
        """Tell running work that nobody waits for it any more; for registries."""
        self._call.cancelled = True

    @property
    def _registry(self) -> ObjectRegistry:
        if self.objects is None:
            raise UnavailableError(
                "this registry keeps no objects", hint="give ToolRegistry an ObjectRegistry"
            )
        return self.objects
