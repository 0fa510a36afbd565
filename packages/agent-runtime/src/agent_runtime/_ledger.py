"""What a run has done so far: the one thing in it that changes."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import anyio
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

from agent_runtime._calls import Call
from agent_runtime._checkpoint import Checkpoint
from agent_runtime._problems import Problem
from agent_runtime._state import State
from agent_runtime._trace import Attempt, Outcome, RunWarning, Trace, WarningKind
from agent_runtime._usage import CostOf, Usage


class Ledger:
    """The record of one run."""

    def __init__(self, state: State, *, elapsed_s: float = 0.0) -> None:
        """A record that starts now, after `elapsed_s` seconds in earlier parts of the run."""
        self._started_s = anyio.current_time() - elapsed_s
        self.state = state
        self.usage = Usage()
        self.attempts: list[Attempt] = []
        self.warnings: list[RunWarning] = []
        self.runs = 0
        self.nudges = 0
        self.tool_errors = 0
        self.last_turn = ""
        self._open: dict[str, tuple[Call, ToolMessage | None]] = {}

    @classmethod
    def of(cls, checkpoint: Checkpoint) -> "Ledger":
        """The record that a checkpoint holds; its calls are to be answered."""
        trace = checkpoint.trace
        ledger = cls(trace.state, elapsed_s=checkpoint.elapsed_s)
        ledger.usage = trace.usage
        ledger.attempts = list(trace.attempts)
        ledger.warnings = list(trace.warnings)
        ledger.runs = trace.model_calls
        ledger.nudges = checkpoint.nudges
        ledger.tool_errors = checkpoint.tool_errors
        ledger.last_turn = checkpoint.last_turn
        answers = {answer.tool_call_id: answer for answer in checkpoint.answers}
        ledger._open = {call.id: (call, answers.get(call.id)) for call in checkpoint.calls}
        return ledger

    @property
    def elapsed_s(self) -> float:
        """Seconds that the run has taken, without those in which it waited for decisions."""
        return anyio.current_time() - self._started_s

    def spend(self, reply: AIMessage, model: object, cost_of: CostOf | None) -> None:
        """Count a reply of the run, and what it took."""
        self.runs += 1
        self.count(reply, model, cost_of)

    def count(self, reply: AIMessage, model: object, cost_of: CostOf | None) -> None:
        """Count what a reply took, which may be one of a run inside a call."""
        self.usage = self.usage.plus(reply, model)
        if cost_of is None:
            return
        try:
            self.usage = self.usage.plus_cost(reply, model, cost_of)
        except ValueError as error:
            unknown = self.usage.replies_without_cost + 1
            self.usage = replace(self.usage, replies_without_cost=unknown)
            self.warn("cost_unknown", f"the cost of reply {self.runs} is not known: {error}")

    def take(self, reply: AIMessage, calls: Iterable[Call]) -> None:
        """Put a reply into the conversation; its calls are now to be answered."""
        self.state = self.state.with_messages([*self.state.messages, reply])
        self._open = {call.id: (call, None) for call in calls}

    def answer(self, call: Call, message: ToolMessage) -> None:
        """Answer one call; the answers join the conversation when the round is closed."""
        self._open[call.id] = (call, message)

    @property
    def answers(self) -> Mapping[str, ToolMessage]:
        """The answers that wait for the round to be closed, by the ids of the calls."""
        return {
            own_id: message for own_id, (_, message) in self._open.items() if message is not None
        }

    def close_round(self, reason: str = "") -> None:
        """Put the answers into the conversation in call order; `reason` answers what is open."""
        answers = [
            message or refusal(call, f"not executed: {reason}")
            for call, message in self._open.values()
        ]
        self._open = {}
        if answers:
            self.state = self.state.with_messages([*self.state.messages, *answers])

    def tell(self, text: str) -> None:
        """Tell the model something that answers no call."""
        self.state = self.state.with_messages([*self.state.messages, HumanMessage(text)])

    def warn(self, kind: WarningKind, message: str, *, path: str | None = None) -> None:
        """Record what went wrong without ending the run."""
        self.warnings.append(RunWarning(kind=kind, message=message, path=path))

    def attempt(
        self,
        call: Call,
        outcome: Outcome,
        *,
        args: Mapping[str, Any] | None = None,
        problems: tuple[Problem, ...] = (),
        answer: str = "",
    ) -> None:
        """Record a submission."""
        self.attempts.append(
            Attempt(
                number=len(self.attempts) + 1,
                run=self.runs,
                tool_name=call.name,
                call_id=call.id,
                raw_args=call.raw_args,
                args=args,
                outcome=outcome,
                problems=problems,
                answer=answer,
            )
        )

    @property
    def submissions(self) -> int:
        """Attempts that count as submit attempts: a cut-off one was never made."""
        return sum(attempt.outcome != "truncated" for attempt in self.attempts)

    def trace(self) -> Trace:
        """The record as it is now."""
        return Trace(
            attempts=tuple(self.attempts),
            state=self.state,
            usage=self.usage,
            warnings=tuple(self.warnings),
            model_calls=self.runs,
        )


def refusal(call: Call, text: str) -> ToolMessage:
    """The answer to a call that brought nothing but an error."""
    return ToolMessage(text, tool_call_id=call.id, name=call.name or None, status="error")
