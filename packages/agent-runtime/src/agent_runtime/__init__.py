"""Structured extraction through an agent: it always ends, by a value or by a typed error."""

from agent_runtime._agent import Agent
from agent_runtime._codec import ValueCodec
from agent_runtime._errors import (
    AgentDefinitionError,
    AgentRuntimeError,
    AttemptsExhaustedError,
    BudgetExceededError,
    DeadlineExceededError,
    ExtractError,
    InvalidOptionsError,
    JournalError,
    McpConnectionError,
    McpToolError,
    MiddlewareError,
    NoResultError,
    ProviderError,
    RefusedError,
    TargetNotCalledError,
    TargetNotFoundError,
    TargetRejectedError,
    TruncatedError,
)
from agent_runtime._events import Event, ModelCalled, Nudged, ToolFinished, ToolStarted
from agent_runtime._extract import Extract, extract, extract_sync
from agent_runtime._many import extract_many
from agent_runtime._middleware import (
    AddsPrompt,
    AddsTools,
    AfterModel,
    BeforeModel,
    Middleware,
    Observes,
)
from agent_runtime._options import ExtractOptions
from agent_runtime._outcome import ItemOutcome, Progress
from agent_runtime._problems import Problem
from agent_runtime._readers import processed_content, tool_arguments, tool_result
from agent_runtime._result import ExtractResult
from agent_runtime._state import State
from agent_runtime._submit_tool import SubmitTool
from agent_runtime._submitted import Submitted
from agent_runtime._trace import Attempt, RunWarning, Trace
from agent_runtime._usage import Usage

__all__ = [
    "AddsPrompt",
    "AddsTools",
    "AfterModel",
    "Agent",
    "AgentDefinitionError",
    "AgentRuntimeError",
    "Attempt",
    "AttemptsExhaustedError",
    "BeforeModel",
    "BudgetExceededError",
    "DeadlineExceededError",
    "Event",
    "Extract",
    "ExtractError",
    "ExtractOptions",
    "ExtractResult",
    "InvalidOptionsError",
    "ItemOutcome",
    "JournalError",
    "McpConnectionError",
    "McpToolError",
    "Middleware",
    "MiddlewareError",
    "ModelCalled",
    "NoResultError",
    "Nudged",
    "Observes",
    "Problem",
    "Progress",
    "ProviderError",
    "RefusedError",
    "RunWarning",
    "State",
    "SubmitTool",
    "Submitted",
    "TargetNotCalledError",
    "TargetNotFoundError",
    "TargetRejectedError",
    "ToolFinished",
    "ToolStarted",
    "Trace",
    "TruncatedError",
    "Usage",
    "ValueCodec",
    "extract",
    "extract_many",
    "extract_sync",
    "processed_content",
    "tool_arguments",
    "tool_result",
]
