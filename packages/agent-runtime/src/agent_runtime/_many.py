"""Many extractions at a time: each has an outcome of its own, and what is done stays done."""

import inspect
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any, TypeVar, Unpack, overload

import anyio

from agent_runtime._agent import Agent
from agent_runtime._bind import bind
from agent_runtime._codec import ValueCodec, codec_for
from agent_runtime._drive import run_once, state_of
from agent_runtime._errors import ExtractError, InvalidOptionsError, JournalError
from agent_runtime._extract import Wanted
from agent_runtime._journal import Journal, Keys
from agent_runtime._options import ExtractOptions, checked_options
from agent_runtime._outcome import ItemOutcome, OnProgress, Progress
from agent_runtime._result import ExtractResult
from agent_runtime._state import Conversation, State
from agent_runtime._targets import Targets, resolve_targets
from agent_runtime._trace import RunWarning, WarningKind

T = TypeVar("T")


@overload
async def extract_many(
    agent: Agent,
    conversations: Iterable[Conversation],
    *,
    until_tool_success: type[T],
    concurrency: int = 4,
    journal: str | PathLike[str] | None = None,
    codec: ValueCodec | None = None,
    on_progress: OnProgress | None = None,
    **options: Unpack[ExtractOptions],
) -> list[ItemOutcome[T]]: ...


@overload
async def extract_many(
    agent: Agent,
    conversations: Iterable[Conversation],
    *,
    until_tool_success: Wanted | None = None,
    until_tool: Wanted | None = None,
    concurrency: int = 4,
    journal: str | PathLike[str] | None = None,
    codec: ValueCodec | None = None,
    on_progress: OnProgress | None = None,
    **options: Unpack[ExtractOptions],
) -> list[ItemOutcome[Any]]: ...


async def extract_many(
    agent: Agent,
    conversations: Iterable[Conversation],
    *,
    until_tool_success: Wanted | None = None,
    until_tool: Wanted | None = None,
    concurrency: int = 4,
    journal: str | PathLike[str] | None = None,
    codec: ValueCodec | None = None,
    on_progress: OnProgress | None = None,
    **options: Unpack[ExtractOptions],
) -> list[ItemOutcome[Any]]:
    """`extract` for each of many conversations; one that fails does not disturb the others.

    Args:
        agent: The agent.
        conversations: What each run starts from.
        until_tool_success: As for `extract`.
        until_tool: As for `extract`.
        concurrency: How many run at a time.
        journal: A file to which each value is added once it is there. Items whose value is in it
            are not run again; those that failed are. An item is known by its conversation and the
            schemas of the submit tools: use another file if the model or its instructions change,
            and one file for one batch at a time.
        codec: How values are put into the journal. By default as the type that is the target, and
            as plain JSON if that is a tool.
        on_progress: Told of each outcome as it comes, those from the journal first.
        **options: As for `extract`; they hold for each item by itself.

    Returns:
        One outcome per conversation, in their order.

    Raises:
        InvalidOptionsError: If the options cannot be used. Nothing was run.
        TargetNotFoundError: If the submit tool is not on the agent. Nothing was run.
        JournalError: If the journal cannot be opened or read. Nothing was run; a value that
            cannot be written later is a warning of its outcome.
    """
    checked = checked_options(until_tool_success, until_tool, options)
    _check(conversations, concurrency, journal, codec, on_progress)
    targets = resolve_targets(agent, checked.wanted)
    # Once for all items; and a model that takes no tools is found out before anything is run.
    run = partial(run_once, agent, options=checked, targets=targets, binders=bind(agent, targets))
    batch = _Batch(run, targets, list(conversations), on_progress)
    if journal is not None:
        codecs = {name: codec or codec_for(form) for name, form in targets.forms.items()}
        await batch.resume(Journal(Path(journal), codecs))
    waiting = batch.waiting()
    async with anyio.create_task_group() as tasks:
        # No more workers than items, however many are allowed.
        for _ in range(min(concurrency, len(waiting))):
            tasks.start_soon(batch.work, waiting)
    return batch.outcomes()


def _check(
    conversations: object, concurrency: object, journal: object, codec: object, on_progress: object
) -> None:
    faults: list[str] = []
    kind = type(conversations).__name__
    single = isinstance(conversations, str | State | Mapping)
    if single or not isinstance(conversations, Iterable):
        faults.append(f"conversations must be a list of conversations, not a {kind}")
    if isinstance(concurrency, bool) or not isinstance(concurrency, int) or concurrency < 1:
        faults.append(f"concurrency must be an integer of at least 1, not {concurrency!r}")
    if not isinstance(journal, str | PathLike | None):
        faults.append(f"journal must be a path, not {journal!r}")
    if not isinstance(codec, ValueCodec | None):
        faults.append(f"codec must be a ValueCodec, not {codec!r}")
    if on_progress is not None and not callable(on_progress):
        faults.append(f"on_progress must be a function, not {on_progress!r}")
    if faults:
        raise InvalidOptionsError(
            f"the batch cannot be run: {'; '.join(faults)}",
            hint="put a single conversation into a list, or use extract for it",
        )


class _Batch:
    """The items of one batch and what became of them."""

    def __init__(
        self,
        run: Callable[[State], Awaitable[ExtractResult[Any]]],
        targets: Targets,
        conversations: Sequence[Conversation],
        on_progress: OnProgress | None,
    ) -> None:
        self._run_once = run
        self._targets = targets
        self._on_progress = on_progress
        self._states = [_state(conversation) for conversation in conversations]
        self._outcomes: dict[int, ItemOutcome[Any]] = {}
        self._failed = 0
        self._journal: Journal | None = None
        self._keys: list[str] = []

    async def resume(self, journal: Journal) -> None:
        """Take from the journal what is in it, and write to it from now on."""
        await journal.load()
        self._journal = journal
        keys = Keys(self._targets)
        self._keys = [
            "" if isinstance(state, ExtractError) else keys.next(state) for state in self._states
        ]
        found = [(index, journal.stored(key)) for index, key in enumerate(self._keys)]
        for index, stored in found:
            if stored is not None:
                await self._finish(ItemOutcome(index=index, value=stored.value, from_journal=True))

    def waiting(self) -> deque[int]:
        """The items that are still to be run; the workers share it."""
        return deque(index for index in range(len(self._states)) if index not in self._outcomes)

    async def work(self, waiting: deque[int]) -> None:
        """Run items, one after the other, while there are any."""
        while waiting:
            await self._finish(await self._run(waiting.popleft()))

    def outcomes(self) -> list[ItemOutcome[Any]]:
        """All outcomes, in order."""
        return [self._outcomes[index] for index in range(len(self._states))]

    async def _run(self, index: int) -> ItemOutcome[Any]:
        state = self._states[index]
        if isinstance(state, ExtractError):
            return ItemOutcome(index=index, error=state)
        try:
            result = await self._run_once(state)
        except ExtractError as error:
            return ItemOutcome(index=index, error=error)
        outcome = ItemOutcome(index=index, value=result.value, result=result)
        if self._journal is not None:
            try:
                key = self._keys[index]
                await self._journal.record(key, index, result.tool_name, result.value)
            except JournalError as error:
                return _warned(outcome, "journal_failed", str(error))
        return outcome

    async def _finish(self, outcome: ItemOutcome[Any]) -> None:
        self._outcomes[outcome.index] = outcome
        self._failed += outcome.error is not None
        if self._on_progress is None:
            return
        progress = Progress(
            done=len(self._outcomes),
            failed=self._failed,
            total=len(self._states),
            outcome=outcome,
        )
        try:
            answer = self._on_progress(progress)
            if inspect.isawaitable(answer):
                await answer
        except Exception as error:  # noqa: BLE001 -- whatever an observer does, the batch goes on
            text = f"on_progress failed: {type(error).__name__}: {error}"
            self._outcomes[outcome.index] = _warned(outcome, "observer_failed", text)


def _state(conversation: Conversation) -> State | ExtractError:
    try:
        return state_of(conversation)
    except ExtractError as error:
        return error


def _warned(outcome: ItemOutcome[Any], kind: WarningKind, text: str) -> ItemOutcome[Any]:
    warning = RunWarning(kind=kind, message=text)
    return replace(outcome, warnings=(*outcome.warnings, warning))
