"""The tools of one composition, by name: an owned value, never a global."""

import difflib
import logging
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

import anyio

from tercet._context import CallContext, ComputeRunner, run_in_thread
from tercet._envelope import Envelope, ToolErrorResponse
from tercet._errors import (
    NotFoundError,
    ToolCancelledError,
    ToolDefinitionError,
    ToolError,
)
from tercet._objects import ObjectRegistry
from tercet._pipeline import CallLimits, Pipeline, correlate
from tercet._record import CallRecord, Observer
from tercet._tool import AnyTool

__all__ = ["ToolRegistry"]

_log = logging.getLogger("tercet")
# For questions that are not asked for any caller.
_ANYBODY = CallContext()


class ToolRegistry:
    """Holds tools and calls them.

    Safe to share: the set of tools is replaced whole at each change, so that listing and calling
    go on undisturbed while others register.

    Args:
        tools: The first tools.
        objects: Where large values are kept.
        limits: How much one call may take.
        observers: Told of every call, refused ones included.
        runner: Runs CPU-bound work; a worker thread by default.
        settings: What the operator sets for the tools of a domain: at most one value of a type.
        clock: Unix time, in seconds, for the records.
    """

    def __init__(
        self,
        tools: Iterable[AnyTool] = (),
        *,
        objects: ObjectRegistry | None = None,
        limits: CallLimits | None = None,
        observers: Iterable[Observer] = (),
        runner: ComputeRunner = run_in_thread,
        settings: Iterable[Any] = (),
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._pipeline = Pipeline(
            limits=limits or CallLimits(),
            objects=objects,
            runner=runner,
            settings={type(value): value for value in settings},
        )
        self._observers = tuple(observers)
        self._clock = clock
        self._lock = threading.Lock()
        self._tools: Mapping[str, AnyTool] = {}
        self._subscribers: tuple[Callable[[], None], ...] = ()
        self.register_tools(tools)

    def __len__(self) -> int:
        return len(self._tools)

    def __iter__(self) -> Iterator[AnyTool]:
        return iter(self._tools.values())

    def __contains__(self, name: object) -> bool:
        return name in self._tools

    def __or__(self, other: "ToolRegistry") -> "ToolRegistry":
        """Give a new registry with the tools of both, and the settings of the left one."""
        return ToolRegistry(
            [*self, *other],
            objects=self.objects or other.objects,
            limits=self._pipeline.limits,
            observers=(*self._observers, *other._observers),
            runner=self._pipeline.runner,
            # Of two values of a type the later counts: the left one's.
            settings=(*other._pipeline.settings.values(), *self._pipeline.settings.values()),
            clock=self._clock,
        )

    def with_objects(self, objects: ObjectRegistry) -> "ToolRegistry":
        """Give a registry of the tools as they are now, that keeps its objects elsewhere."""
        return ToolRegistry(
            self,
            objects=objects,
            limits=self._pipeline.limits,
            observers=self._observers,
            runner=self._pipeline.runner,
            settings=self._pipeline.settings.values(),
            clock=self._clock,
        )

    @property
    def objects(self) -> ObjectRegistry | None:
        """Where large values are kept."""
        return self._pipeline.objects

    def register_tool(self, tool: AnyTool) -> None:
        """Add a tool.

        Raises:
            ToolDefinitionError: Another tool has its name.
        """
        self.register_tools([tool])

    def register_tools(self, tools: Iterable[AnyTool]) -> None:
        """Add several tools, all or none.

        Raises:
            ToolDefinitionError: Two tools have the same name.
        """
        self.replace_tools((), tools)

    def replace_tools(self, going: Iterable[str], coming: Iterable[AnyTool]) -> None:
        """Take tools away and add others in one step, all or none; subscribers are told once.

        Args:
            going: The names of those that go; where there is none of a name, nothing goes.
            coming: Those that come; they may have the names of those that go.

        Raises:
            ToolDefinitionError: Two tools would have the same name.
        """
        gone, added = set(going), list(coming)
        with self._lock:
            merged = {name: tool for name, tool in self._tools.items() if name not in gone}
            if not added and len(merged) == len(self._tools):
                return
            for tool in added:
                if tool.name in merged:
                    raise ToolDefinitionError(
                        f"two tools are named {tool.name!r}: one of {merged[tool.name].app!r}, "
                        f"one of {tool.app!r}"
                    )
                merged[tool.name] = tool
            self._tools = dict(sorted(merged.items()))
        self._announce()

    def unregister_tool(self, name: str) -> bool:
        """Take a tool away; false where there was none."""
        return self.unregister_tools([name]) == 1

    def unregister_tools(self, names: Iterable[str]) -> int:
        """Take several tools away at once and say how many there were."""
        going = set(names)
        with self._lock:
            left = {name: tool for name, tool in self._tools.items() if name not in going}
            count = len(self._tools) - len(left)
            self._tools = left
        if count:
            self._announce()
        return count

    def find(self, name: str, context: CallContext | None = None) -> AnyTool | None:
        """Find a tool that the caller may see; `None` where there is none."""
        tool = self._tools.get(name)
        return tool if tool and (context or _ANYBODY).may_use(tool) else None

    def get(self, name: str, context: CallContext | None = None) -> AnyTool:
        """Find a tool that the caller may see.

        Raises:
            NotFoundError: There is none, or the caller may not see it; the answer is the same.
        """
        caller = context or CallContext()
        tool = self.find(name, caller)
        if tool is None:
            visible = [other.name for other in self.list_tools(caller)]
            near = difflib.get_close_matches(str(name)[:80], visible, n=3)
            hint = (
                f"did you mean {' or '.join(near)}?" if near else "list the tools for their names"
            )
            raise NotFoundError(f"no tool is named {str(name)[:80]!r}", hint=hint)
        return tool

    def list_tools(self, context: CallContext | None = None) -> list[AnyTool]:
        """List the tools that the caller may see, by name."""
        caller = context or CallContext()
        return [tool for tool in self._tools.values() if caller.may_use(tool)]

    def list_tools_by_app(self, app: str, context: CallContext | None = None) -> list[AnyTool]:
        """List the tools of one app that the caller may see, by name."""
        return [tool for tool in self.list_tools(context) if tool.app == app]

    def get_stats(self, context: CallContext | None = None) -> dict[str, Any]:
        """Count the tools that the caller may see: in all, by app and by type."""
        tools = self.list_tools(context)
        apps = sorted({tool.app for tool in tools})
        return {
            "total_tools": len(tools),
            "total_apps": len(apps),
            "apps": apps,
            "tools_by_type": dict(sorted(Counter(tool.kind for tool in tools).items())),
        }

    def subscribe(self, changed: Callable[[], None]) -> Callable[[], None]:
        """Have a function called after each change of the list; gives what ends that.

        The function is called in the thread that made the change and must not block.
        """
        with self._lock:
            self._subscribers = (*self._subscribers, changed)

        def unsubscribe() -> None:
            with self._lock:
                self._subscribers = tuple(s for s in self._subscribers if s is not changed)

        return unsubscribe

    async def call_tool(
        self,
        name: str,
        arguments: Mapping[str, Any] | None = None,
        context: CallContext | None = None,
    ) -> Envelope:
        """Call a tool; whatever goes wrong, the answer is an envelope.

        Only cancellation from outside is raised, after it was recorded.
        """
        caller = context or CallContext()
        tool = self.find(name, caller)
        note = partial(
            CallRecord.of,
            tool=tool,
            name=name,
            arguments=arguments,
            caller=caller,
            started_at=self._clock(),
            start=time.perf_counter(),
        )
        correlation_id: str | None = None
        answer: Envelope
        try:
            # To get what was not found gives the reason.
            answer = await self._pipeline.run(tool or self.get(name, caller), arguments, caller)
        except ToolError as error:
            answer = ToolErrorResponse.of(error)
        except anyio.get_cancelled_exc_class():
            withdrawn = ToolCancelledError(f"the call of {name!r} was withdrawn")
            with anyio.CancelScope(shield=True):
                await self._tell(lambda: note(answer=ToolErrorResponse.of(withdrawn)))
            raise
        except Exception as error:  # noqa: BLE001 -- the top handler: a tool's defect ends one call
            defect, correlation_id = correlate(name, error)
            answer = ToolErrorResponse.of(defect)
        await self._tell(lambda: note(answer=answer, correlation_id=correlation_id))
        return answer

    async def _tell(self, note: Callable[[], CallRecord]) -> None:
        if not self._observers:
            return
        record = note()
        for observer in self._observers:
            try:
                await observer(record)
            except Exception:  # noqa: BLE001 -- what was done must not look undone
                _log.exception("an observer failed on request %s", record.request_id)

    def _announce(self) -> None:
        for changed in self._subscribers:
            changed()
