"""Structured extraction through an agent: it always ends, by a value or by a typed error."""

from agent_runtime._agent import Agent
from agent_runtime._checkpoint import Checkpoint, InnerCheckpoint, PendingCall
from agent_runtime._checkpoint_json import dump_checkpoint, load_checkpoint
from agent_runtime._codec import ValueCodec
from agent_runtime._compiled_schema import CompiledSchema, compile_schema
from agent_runtime._decisions import Answer, Approve, Decision, Decisions, Edit, Reject
from agent_runtime._errors import (
    AgentDefinitionError,
    AgentRuntimeError,
    AttemptsExhaustedError,
    BudgetExceededError,
    CheckpointError,
    DeadlineExceededError,
    ExtractError,
    InvalidDecisionsError,
    InvalidOptionsError,
    JournalError,
    McpConnectionError,
    McpToolError,
    MiddlewareError,
    NoResultError,
    ProviderError,
    RefusedError,
    RunInterruptedError,
    RunPausedError,
    SchemaCompilationError,
    TargetNotCalledError,
    TargetNotFoundError,
    TargetRejectedError,
    TruncatedError,
)
from agent_runtime._event_stream import Finished
from agent_runtime._events import (
    Event,
    ModelCalled,
    ModelStarted,
    Nudged,
    PartialValue,
    Retried,
    ToolFinished,
    ToolStarted,
)
from agent_runtime._extract import Extract, extract, extract_sync
from agent_runtime._extract_stream import extract_stream
from agent_runtime._many import extract_many
from agent_runtime._middleware import (
    AddsPrompt,
    AddsTools,
    AfterModel,
    BeforeModel,
    Middleware,
    Observes,
    PausesRuns,
    ReviewsCalls,
)
from agent_runtime._options import ExtractOptions
from agent_runtime._outcome import ItemOutcome, OnProgress, Progress
from agent_runtime._prices import Price, PriceTable
from agent_runtime._problems import Problem
from agent_runtime._readers import processed_content, to_string, tool_arguments, tool_result
from agent_runtime._result import ExtractResult
from agent_runtime._resume import resume, resume_sync
from agent_runtime._resume_stream import resume_stream
from agent_runtime._review import HumanReview
from agent_runtime._schema_family import SchemaFamily
from agent_runtime._state import UNSET, State
from agent_runtime._sub_agent import sub_agent
from agent_runtime._submit_tool import SubmitTool
from agent_runtime._submitted import Submitted
from agent_runtime._trace import Attempt, RunWarning, Trace
from agent_runtime._transport import Backoff
from agent_runtime._usage import CostOf, Usage

__all__ = [
    "UNSET",
    "AddsPrompt",
    "AddsTools",
    "AfterModel",
    "Agent",
    "AgentDefinitionError",
    "AgentRuntimeError",
    "Answer",
    "Approve",
    "Attempt",
    "AttemptsExhaustedError",
    "Backoff",
    "BeforeModel",
    "BudgetExceededError",
    "Checkpoint",
    "CheckpointError",
    "CompiledSchema",
    "CostOf",
    "DeadlineExceededError",
    "Decision",
    "Decisions",
    "Edit",
    "Event",
    "Extract",
    "ExtractError",
    "ExtractOptions",
    "ExtractResult",
    "Finished",
    "HumanReview",
    "InnerCheckpoint",
    "InvalidDecisionsError",
    "InvalidOptionsError",
    "ItemOutcome",
    "JournalError",
    "McpConnectionError",
    "McpToolError",
    "Middleware",
    "MiddlewareError",
    "ModelCalled",
    "ModelStarted",
    "NoResultError",
    "Nudged",
    "Observes",
    "OnProgress",
    "PartialValue",
    "PausesRuns",
    "PendingCall",
    "Price",
    "PriceTable",
    "Problem",
    "Progress",
    "ProviderError",
    "RefusedError",
    "Reject",
    "Retried",
    "ReviewsCalls",
    "RunInterruptedError",
    "RunPausedError",
    "RunWarning",
    "SchemaCompilationError",
    "SchemaFamily",
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
    "compile_schema",
    "dump_checkpoint",
    "extract",
    "extract_many",
    "extract_stream",
    "extract_sync",
    "load_checkpoint",
    "processed_content",
    "resume",
    "resume_stream",
    "resume_sync",
    "sub_agent",
    "to_string",
    "tool_arguments",
    "tool_result",
]
