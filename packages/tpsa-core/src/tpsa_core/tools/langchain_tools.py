"""The Taylor tools as langchain-core tools, by name.

`from tpsa_core.tools.langchain_tools import evaluate_taylor_map, invert_taylor_map` gives tools
that `llm.bind_tools` takes. The tools of this module share one registry, made when the first of
them is asked for, so that what one stores another finds; `all_tools(registry)` gives your own.

Needs `tpsa-core[tools]` and `tercet[langchain]`.
"""

from collections.abc import Sequence
from functools import cache

from tercet import ToolRegistry
from tercet.langchain import LangchainTool, to_langchain
from tpsa_core.tools import taylor_registry

__all__ = ["all_tools"]


def all_tools(registry: ToolRegistry | None = None) -> Sequence[LangchainTool]:
    """Give every tool of a registry, or of the one that this module's tools share."""
    return to_langchain(registry) if registry is not None else [*_shared().values()]


@cache
def _shared() -> dict[str, LangchainTool]:
    return {tool.name: tool for tool in to_langchain(taylor_registry())}


def __getattr__(name: str) -> LangchainTool:
    tool = None if name.startswith("__") else _shared().get(name)
    if tool is None:
        raise AttributeError(f"module {__name__!r} has no tool {name!r}")
    return tool
