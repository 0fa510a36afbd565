"""Structured extraction through an agent: it always ends, by a value or by a typed error."""

from agent_runtime._agent import Agent
from agent_runtime._errors import (
    AgentDefinitionError,
    AgentRuntimeError,
    AttemptsExhaustedError,
    BudgetExceededError,
    DeadlineExceededError,
    ExtractError,
    InvalidOptionsError,
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
from agent_runtime._middleware import (
    AddsPrompt,
    AddsTools,
    AfterModel,
    BeforeModel,
    Middleware,
    Observes,
)
from agent_runtime._options import ExtractOptions
from agent_runtime._problems import Problem
from agent_runtime._readers import processed_content, tool_arguments, tool_result
from agent_runtime._result import ExtractResult
from agent_runtime._state import State
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
    "McpConnectionError",
    "McpToolError",
    "Middleware",
    "MiddlewareError",
    "ModelCalled",
    "NoResultError",
    "Nudged",
    "Observes",
    "Problem",
    "ProviderError",
    "RefusedError",
    "RunWarning",
    "State",
    "Submitted",
    "TargetNotCalledError",
    "TargetNotFoundError",
    "TargetRejectedError",
    "ToolFinished",
    "ToolStarted",
    "Trace",
    "TruncatedError",
    "Usage",
    "extract",
    "extract_sync",
    "processed_content",
    "tool_arguments",
    "tool_result",
]
