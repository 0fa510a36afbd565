"""Typed tools, one envelope, handles instead of tables.

Declare a tool once with `@tool`; call it through a `ToolRegistry`; keep what is large in an
`ObjectRegistry` and pass its name. The faces are `tercet.mcp` and `tercet.langchain`, the fakes
for tests are in `tercet.testing`.
"""

from tercet._asking import AnswerNeededError, Asker, Question, Reply
from tercet._codec import Codec, EncodedObject, JsonCodec
from tercet._context import (
    ALL_SCOPES,
    CallContext,
    ComputeRunner,
    ProgressSink,
    ToolFacts,
    ToolFilter,
    run_in_thread,
)
from tercet._envelope import (
    Envelope,
    ResultMetadata,
    ToolErrorResponse,
    ToolResult,
    ToolSuccessResponse,
)
from tercet._errors import (
    ComputationError,
    ConflictError,
    ErrorCode,
    ErrorDetail,
    InternalError,
    InvalidInputError,
    LimitExceededError,
    NotFoundError,
    PermissionDeniedError,
    RejectedError,
    TercetError,
    ToolCancelledError,
    ToolDefinitionError,
    ToolError,
    ToolTimeoutError,
    TypeMismatchError,
    UnavailableError,
)
from tercet._memory import MemoryStore
from tercet._object import (
    Absence,
    Handle,
    ObjectDraft,
    ObjectEntry,
    ObjectKey,
    ObjectLimits,
    Provenance,
    Stored,
)
from tercet._object_tools import OBJECT_TOOLS
from tercet._objects import ObjectOwner, ObjectRegistry
from tercet._picture import Picture, Shown
from tercet._pipeline import CallLimits
from tercet._processes import ProcessWorkers, WorkerCrashError
from tercet._program import program_tool
from tercet._prompt import Prompt
from tercet._record import CallRecord, Observer
from tercet._registry import ToolRegistry
from tercet._sqlite import SqliteStore
from tercet._store import ObjectStore, StoreUsage
from tercet._tool import AnyTool, Effect, ErrorMap, Example, Tool, tool

__all__ = [
    "ALL_SCOPES",
    "OBJECT_TOOLS",
    "Absence",
    "AnswerNeededError",
    "AnyTool",
    "Asker",
    "CallContext",
    "CallLimits",
    "CallRecord",
    "Codec",
    "ComputationError",
    "ComputeRunner",
    "ConflictError",
    "Effect",
    "EncodedObject",
    "Envelope",
    "ErrorCode",
    "ErrorDetail",
    "ErrorMap",
    "Example",
    "Handle",
    "InternalError",
    "InvalidInputError",
    "JsonCodec",
    "LimitExceededError",
    "MemoryStore",
    "NotFoundError",
    "ObjectDraft",
    "ObjectEntry",
    "ObjectKey",
    "ObjectLimits",
    "ObjectOwner",
    "ObjectRegistry",
    "ObjectStore",
    "Observer",
    "PermissionDeniedError",
    "Picture",
    "ProcessWorkers",
    "ProgressSink",
    "Prompt",
    "Provenance",
    "Question",
    "RejectedError",
    "Reply",
    "ResultMetadata",
    "Shown",
    "SqliteStore",
    "StoreUsage",
    "Stored",
    "TercetError",
    "Tool",
    "ToolCancelledError",
    "ToolDefinitionError",
    "ToolError",
    "ToolErrorResponse",
    "ToolFacts",
    "ToolFilter",
    "ToolRegistry",
    "ToolResult",
    "ToolSuccessResponse",
    "ToolTimeoutError",
    "TypeMismatchError",
    "UnavailableError",
    "WorkerCrashError",
    "program_tool",
    "run_in_thread",
    "tool",
]
