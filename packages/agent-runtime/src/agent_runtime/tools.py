"""The tools of a Tercet registry, in this process, for an agent. Needs `agent-runtime[tools]`.

`tercet.langchain` makes the tools; this module chooses among them. A tool's artifact is the
envelope's result; an error envelope becomes a tool message with `status="error"`.
"""

from collections.abc import Collection

from langchain_core.tools import StructuredTool

from agent_runtime._errors import AgentDefinitionError
from agent_runtime._problems import nearest
from tercet import CallContext, ToolRegistry
from tercet.langchain import to_langchain

__all__ = ["toolset"]


def toolset(
    registry: ToolRegistry,
    context: CallContext | None = None,
    *,
    only: Collection[str] | None = None,
) -> list[StructuredTool]:
    """The tools that a caller may see, as they are now; each call is made for that caller.

    Args:
        registry: Where the tools are.
        context: Who calls; the local user if None.
        only: The names of the tools to take; all if None. A model chooses best among few.

    Raises:
        AgentDefinitionError: If a name in `only` is not there, or not visible to the caller.
    """
    tools = to_langchain(registry, context)
    if only is None:
        return tools
    names = [tool.name for tool in tools]
    for name in only:
        if name not in names:
            close = nearest(name, names)
            raise AgentDefinitionError(
                f"the registry has no tool {name!r} for this caller",
                hint=f"did you mean {close}?" if close else "list the registry's tools",
            )
    return [tool for tool in tools if tool.name in only]
