"""A tool whose body is a run of its own, inside the run that calls it."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from agent_runtime._arguments_tool import ArgumentsTool
from agent_runtime._checkpoint import Checkpoint
from agent_runtime._decisions import Decisions
from agent_runtime._run import Run


@dataclass(frozen=True, slots=True, kw_only=True)
class Inside:
    """What the run inside a call goes on from, and how it was decided."""

    checkpoint: Checkpoint
    decisions: Decisions


Body = Callable[[], Awaitable[Any]]

Begin = Callable[[Run | None, Mapping[str, Any], Inside | None], Body]
"""From the run outside, the arguments, and what to go on from, to the body.

It raises an `InvalidOptionsError` or an `InvalidDecisionsError` if the body cannot go on from that.
"""


class InnerTool(ArgumentsTool):
    """A tool whose body runs inside the run that calls it; by itself, it runs alone."""

    begin: Begin

    def within(self, outer: Run, inside: Inside | None) -> "InnerTool":
        """The tool, to be called once, inside a run."""

        async def body(arguments: dict[str, Any]) -> Any:
            return await self.begin(outer, arguments, inside)()

        return self.model_copy(update={"coroutine": body})
