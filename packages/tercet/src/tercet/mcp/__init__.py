"""The MCP face: a registry as a low-level MCP server that speaks both protocol eras.

Every tool keeps its schemas to the letter. An answer is the envelope, as `structuredContent` and
as the text block, with `isError` on failure; pictures follow the text as image blocks. An unknown
tool is a protocol error (-32602), as the specification asks. Stored objects can be read as
resources, `tercet://objects/{session}/{ref}`: pictures as PNG files, others as JSON.

Needs the extra `tercet[mcp]`. Specification: Model Context Protocol, revisions 2025-11-25 and
2026-07-28.
"""

from tercet.mcp._caller import ContextSource
from tercet.mcp._server import serve
from tercet.mcp._stdio import run_stdio
from tercet.mcp._task_store import MemoryTaskStore, TaskRecord, TaskStore
from tercet.mcp._tasks import McpTasks, TaskLimits

__all__ = [
    "ContextSource",
    "McpTasks",
    "MemoryTaskStore",
    "TaskLimits",
    "TaskRecord",
    "TaskStore",
    "run_stdio",
    "serve",
]
