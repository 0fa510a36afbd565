"""The tools of any MCP endpoint, for an agent. Needs the extra `agent-runtime[mcp]`."""

from agent_runtime.mcp._connection import Endpoint, Mode
from agent_runtime.mcp._questions import QuestionHandler
from agent_runtime.mcp._tools import mcp_tools

__all__ = ["Endpoint", "Mode", "QuestionHandler", "mcp_tools"]
