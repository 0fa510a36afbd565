"""The LangChain face: a registry's tools as langchain-core tools, in process.

The content of a tool message is the envelope's JSON text, its artifact the envelope's result; an
error envelope gives a message with `status="error"`. An answer with pictures has content blocks:
the text, then one standard image block for each picture. Needs the extra `tercet[langchain]`.
"""

from typing import Any, TypeAlias

from anyio.from_thread import start_blocking_portal
from langchain_core.messages.content import ImageContentBlock, TextContentBlock
from langchain_core.tools import StructuredTool, ToolException

from tercet._context import CallContext
from tercet._envelope import ToolSuccessResponse
from tercet._registry import ToolRegistry
from tercet._tool import AnyTool

__all__ = ["LangchainTool", "to_langchain"]

LangchainTool = StructuredTool
"""What `to_langchain` gives, for packages that do not import langchain-core themselves."""


_Content: TypeAlias = str | list[TextContentBlock | ImageContentBlock]


def to_langchain(
    registry: ToolRegistry, context: CallContext | None = None
) -> list[StructuredTool]:
    """Give the tools that a caller may see, as they are now.

    `ainvoke` calls on the running event loop. `invoke` opens a loop of its own for the call, so
    tools of a service that runs in another loop need `ainvoke`.
    """
    caller = context or CallContext()
    return [_structured(registry, tool, caller) for tool in registry.list_tools(caller)]


class _RegistryTool(StructuredTool):
    """A `StructuredTool` whose arguments may have any name.

    `StructuredTool` passes arguments by keyword, beside its own `config` and `run_manager`; here
    they go to the body as one dictionary.
    """

    def _to_args_and_kwargs(
        self,
        tool_input: str | dict[str, Any],
        tool_call_id: str | None,  # noqa: ARG002 -- langchain-core's signature
    ) -> tuple[tuple[str, ...], dict[str, Any]]:
        return (), {"arguments": tool_input}


def _structured(registry: ToolRegistry, tool: AnyTool, caller: CallContext) -> StructuredTool:
    async def call(arguments: Any) -> tuple[_Content, Any]:
        answer = await registry.call_tool(tool.name, arguments, caller)
        if answer.status == "error":
            raise ToolException(answer.to_json())
        return _content_of(answer), answer.data.result

    def call_in_own_loop(arguments: Any) -> tuple[_Content, Any]:
        with start_blocking_portal() as portal:
            return portal.call(call, arguments)

    return _RegistryTool(
        name=tool.name,
        description=tool.description,
        # A schema given as a dict is passed on to the letter; the registry validates.
        args_schema=tool.to_mcp_format()["inputSchema"],
        func=call_in_own_loop,
        coroutine=call,
        response_format="content_and_artifact",
        handle_tool_error=True,
        metadata={"app": tool.app, "kind": tool.kind, "effect": tool.effect},
    )


def _content_of(answer: ToolSuccessResponse[Any]) -> _Content:
    text = answer.to_json()
    if not answer.pictures:
        return text
    blocks: list[TextContentBlock | ImageContentBlock] = [TextContentBlock(type="text", text=text)]
    blocks += [
        ImageContentBlock(type="image", base64=picture.base64, mime_type="image/png")
        for picture in answer.pictures
    ]
    return blocks
