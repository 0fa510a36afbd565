"""What a run that reached its target returns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, cast

from langchain_core.messages import BaseMessage, ToolMessage

from agent_runtime._calls import Call
from agent_runtime._data import described, trace_data
from agent_runtime._execute import Executed
from agent_runtime._run import Run
from agent_runtime._state import State
from agent_runtime._submitted import artifact_value
from agent_runtime._targets import Target
from agent_runtime._trace import Attempt, RunWarning, Trace
from agent_runtime._usage import Usage

ValueT_co = TypeVar("ValueT_co", covariant=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractResult(Generic[ValueT_co]):
    """The value, and how it came about. A result is always a success: all else is raised."""

    value: ValueT_co
    """What the submit tool produced (its artifact); if it produced nothing, `args`."""
    tool_name: str
    """The submit tool that was called."""
    target: Target
    """The same, in the form in which the caller asked for it."""
    args: Mapping[str, Any]
    """The arguments after validation and coercion."""
    raw_args: Mapping[str, Any]
    """The arguments as the model sent them."""
    tool_message: ToolMessage
    """The answer to the accepted call."""
    trace: Trace
    """What happened in the run."""

    @property
    def attempts(self) -> Sequence[Attempt]:
        """Every submission, in order; the last that is accepted is the value's."""
        return self.trace.attempts

    @property
    def usage(self) -> Usage:
        """The tokens spent, failed attempts included."""
        return self.trace.usage

    @property
    def messages(self) -> Sequence[BaseMessage]:
        """The conversation, from the caller's first message to the last answer."""
        return self.trace.state.messages

    @property
    def state(self) -> State:
        """The state to go on from."""
        return self.trace.state

    @property
    def warnings(self) -> Sequence[RunWarning]:
        """What went wrong without ending the run."""
        return self.trace.warnings

    @property
    def model_calls(self) -> int:
        """How many replies the model gave."""
        return self.trace.model_calls

    def to_dict(self) -> dict[str, Any]:
        """All of it as JSON data, for a log or a database; `status` is `accepted`.

        What JSON has no form for is described by its `repr`; messages have the form that
        `messages_from_dict` of langchain-core reads.
        """
        return {
            "status": "accepted",
            "value": described(self.value),
            "tool_name": self.tool_name,
            "args": described(self.args),
            "raw_args": described(self.raw_args),
            **trace_data(self.trace),
        }


def result_of(run: Run, call: Call, executed: Executed) -> ExtractResult[Any]:
    """The result of an accepted submission."""
    present, value = artifact_value(executed.message.artifact)
    args = cast("Mapping[str, Any]", executed.args)
    return ExtractResult(
        value=value if present else args,
        tool_name=call.name,
        target=run.targets.forms[call.name],
        args=args,
        raw_args=cast("Mapping[str, Any]", call.raw_args),
        tool_message=executed.message,
        trace=run.ledger.trace(),
    )
