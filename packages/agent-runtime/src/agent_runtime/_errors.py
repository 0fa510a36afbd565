"""Everything this package raises.

::

    AgentRuntimeError
    ├── AgentDefinitionError (ValueError)      the agent cannot be built as described
    ├── NoResultError (LookupError)            a reader found no result, arguments, content or text
    ├── SchemaCompilationError (ValueError)    a schema cannot be said in a provider's form
    ├── JournalError (OSError)                 a journal cannot be read or written
    ├── CheckpointError (ValueError)           a checkpoint cannot be written as JSON, or read
    ├── McpConnectionError (ConnectionError)   an MCP endpoint could not be reached
    ├── McpToolError (LookupError)             an MCP endpoint has no tool of that name
    └── ExtractError                           a run ended without a value
        ├── InvalidOptionsError (ValueError)   before any model call
        ├── TargetNotFoundError (LookupError)  before any model call
        ├── TargetNotCalledError               prose instead of the submit tool
        ├── TargetRejectedError                stop on call, and the call was rejected
        ├── TruncatedError                     replies cut off by the token limit
        ├── RefusedError                       the model or its provider declined
        ├── BudgetExceededError                a budget was spent; `kind` says which
        │   └── AttemptsExhaustedError         … on attempts that were all rejected
        ├── DeadlineExceededError (TimeoutError)
        ├── RunInterruptedError                calls wait for a decision; resumable
        │   └── RunPausedError                 … for nothing but to be resumed
        ├── InvalidDecisionsError (ValueError) the decisions on them cannot be used
        ├── MiddlewareError                    a hook of the agent's own middleware failed
        └── ProviderError                      the model call itself failed

Catch `ExtractError` for any run that ended without a value: it carries what happened until then.
`type` is a stable string for programs; `hint` is a sentence that says what to do.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from langchain_core.messages import BaseMessage

from agent_runtime._checkpoint import Checkpoint
from agent_runtime._data import trace_data
from agent_runtime._state import State
from agent_runtime._trace import Attempt, RunWarning, Trace
from agent_runtime._usage import Usage

BudgetKind = Literal[
    "max_cost_usd",
    "max_input_tokens",
    "max_output_tokens",
    "max_runs",
    "max_submit_attempts",
    "max_tool_errors",
    "max_total_tokens",
]
"""The budgets that a run can spend."""

_SPENT: Mapping[BudgetKind, str] = {
    "max_cost_usd": "exceeded_cost",
    "max_input_tokens": "exceeded_tokens",
    "max_output_tokens": "exceeded_tokens",
    "max_runs": "exceeded_max_runs",
    "max_submit_attempts": "exceeded_failure_count",
    "max_tool_errors": "exceeded_failure_count",
    "max_total_tokens": "exceeded_tokens",
}


class AgentRuntimeError(Exception):
    """Any error of this package.

    Attributes:
        type: A stable string for programs.
        hint: What to do about it, in one sentence; empty if there is nothing to add.
    """

    type: str = "agent_runtime_error"

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class AgentDefinitionError(AgentRuntimeError, ValueError):
    """The agent cannot be built as described."""

    type = "invalid_agent"


class SchemaCompilationError(AgentRuntimeError, ValueError):
    """A schema cannot be said in the form of a family of providers."""

    type = "schema_not_supported"


class NoResultError(AgentRuntimeError, LookupError):
    """A reader found nothing to read; `type` says what was missing, or the reader's name."""

    def __init__(
        self,
        message: str,
        *,
        kind: Literal["no_tool_result", "no_tool_arguments", "no_processed_content", "to_string"],
        hint: str = "",
    ) -> None:
        super().__init__(message, hint=hint)
        self.type = kind


class JournalError(AgentRuntimeError, OSError):
    """The journal of a batch cannot be opened, read or written."""

    type = "journal_failed"


class CheckpointError(AgentRuntimeError, ValueError):
    """A checkpoint cannot be written as JSON, or what was read is none."""

    type = "invalid_checkpoint"


class McpConnectionError(AgentRuntimeError, ConnectionError):
    """An MCP endpoint could not be reached or did not speak the protocol."""

    type = "mcp_connection_failed"


class McpToolError(AgentRuntimeError, LookupError):
    """The tools of an MCP endpoint are not those that were asked for."""

    type = "mcp_tool_not_found"


class ExtractError(AgentRuntimeError):
    """A run ended without a value.

    Attributes:
        trace: What happened until then: attempts, messages, usage, warnings.
    """

    type = "extract_error"

    def __init__(self, message: str, *, hint: str = "", trace: Trace | None = None) -> None:
        super().__init__(message, hint=hint)
        self.trace = trace or Trace()

    @property
    def attempts(self) -> Sequence[Attempt]:
        """Every submission, in order."""
        return self.trace.attempts

    @property
    def messages(self) -> Sequence[BaseMessage]:
        """The conversation; every tool call in it is answered."""
        return self.trace.state.messages

    @property
    def state(self) -> State:
        """The state to go on from."""
        return self.trace.state

    @property
    def usage(self) -> Usage:
        """The tokens spent."""
        return self.trace.usage

    @property
    def warnings(self) -> Sequence[RunWarning]:
        """What went wrong without ending the run."""
        return self.trace.warnings

    @property
    def model_calls(self) -> int:
        """How many replies the model gave."""
        return self.trace.model_calls

    def to_dict(self) -> dict[str, Any]:
        """All of it as JSON data, for a log or a database; `status` is the error's `type`.

        The rest has the form of `ExtractResult.to_dict`.
        """
        return {
            "status": self.type,
            "error": type(self).__name__,
            "message": str(self),
            "hint": self.hint,
            **trace_data(self.trace),
        }


class InvalidOptionsError(ExtractError, ValueError):
    """The options contradict each other or are out of bounds; the model was not called."""

    type = "extract_invalid_opts"


class TargetNotFoundError(ExtractError, LookupError):
    """The named submit tool is not on the agent; the model was not called."""

    type = "extract_tool_not_found"


class TargetNotCalledError(ExtractError):
    """The model answered in prose and did not call the submit tool, also after being told to."""

    type = "until_tool_not_called"


class TargetRejectedError(ExtractError):
    """The run was to stop on the call of the submit tool, and that call was rejected."""

    type = "until_tool_rejected"


class TruncatedError(ExtractError):
    """The model's replies were cut off by its token limit; no cut-off call was executed."""

    type = "truncated"


class RefusedError(ExtractError):
    """The model, or its provider's filter, declined to answer."""

    type = "refused"


class BudgetExceededError(ExtractError):
    """A budget was spent before the submit tool succeeded.

    Attributes:
        kind: The option that named the budget.
    """

    def __init__(
        self, message: str, *, kind: BudgetKind, hint: str = "", trace: Trace | None = None
    ) -> None:
        super().__init__(message, hint=hint, trace=trace)
        self.kind: BudgetKind = kind
        self.type = _SPENT[kind]


class AttemptsExhaustedError(BudgetExceededError):
    """A budget was spent on submissions that were all rejected."""


class DeadlineExceededError(ExtractError, TimeoutError):
    """The run did not end before its deadline."""

    type = "timeout"


class RunInterruptedError(ExtractError):
    """Calls wait for a decision.

    They are calls of the last reply, of which nothing was executed then; or calls of a sub-agent
    that the last reply called.

    Attributes:
        checkpoint: What `resume` goes on from, with decisions on `checkpoint.pending`.
    """

    type = "interrupted"

    def __init__(self, message: str, *, checkpoint: Checkpoint, hint: str = "") -> None:
        super().__init__(message, hint=hint, trace=checkpoint.trace)
        self.checkpoint = checkpoint


class RunPausedError(RunInterruptedError):
    """Middleware paused the run: nothing waits for a decision, and `resume` needs none.

    It is an interruption like others: what keeps checkpoints keeps these too.

    Attributes:
        reason: What the middleware said.
    """

    type = "paused"

    def __init__(
        self, message: str, *, reason: str, checkpoint: Checkpoint, hint: str = ""
    ) -> None:
        super().__init__(message, checkpoint=checkpoint, hint=hint)
        self.reason = reason


class InvalidDecisionsError(ExtractError, ValueError):
    """The decisions are not complete or cannot be carried out; nothing was executed."""

    type = "invalid_decisions"


class MiddlewareError(ExtractError):
    """A hook of the agent's own middleware failed; the cause is chained."""

    type = "middleware_error"


class ProviderError(ExtractError):
    """The model call failed; the cause is chained.

    `type` is `rate_limited`, `overloaded` or `timeout` where the cause says so,
    `unexpected_response` if the answer was no model message, else `provider_error`.
    """

    def __init__(
        self,
        message: str,
        *,
        kind: Literal[
            "rate_limited", "overloaded", "timeout", "unexpected_response", "provider_error"
        ] = "provider_error",
        hint: str = "",
        trace: Trace | None = None,
    ) -> None:
        super().__init__(message, hint=hint, trace=trace)
        self.type = kind
