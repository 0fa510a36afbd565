"""One MCP tool as a langchain-core tool."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

from anyio import BrokenResourceError, ClosedResourceError
from langchain_core.tools import StructuredTool, ToolException
from mcp import Client, MCPError
from mcp.types import (
    AudioContent,
    CallToolResult,
    ContentBlock,
    EmbeddedResource,
    ImageContent,
    ResourceLink,
    TextContent,
    TextResourceContents,
    Tool,
)
from pydantic import ValidationError
from pydantic_core import to_json

from agent_runtime._arguments_tool import ArgumentsTool
from agent_runtime._submitted import Submitted

_NAME_CHARACTERS = 64
"""How long the names may be that models accept."""

Block = dict[str, Any]


def to_langchain(client: Client, tool: Tool, prefix: str = "") -> StructuredTool:
    """The tool, to be called over `client`, with its schema to the letter."""

    async def body(arguments: dict[str, Any]) -> tuple[str | list[Block], Any]:
        try:
            result = await client.call_tool(tool.name, arguments)
        except MCPError as error:
            raise ToolException(f"{tool.name} failed: {error.error.message}") from error
        except ValidationError as error:
            # Not the model's mistake, though langchain-core would word it as one.
            raise ToolException(f"{tool.name} gave an answer that is no valid MCP") from error
        except (RuntimeError, BrokenResourceError, ClosedResourceError) as error:
            # So the client says that it is closed, or the answer breaks the declared schema.
            raise ToolException(f"{tool.name} failed: {error or 'connection lost'}") from error
        if result.is_error:
            raise ToolException(_text(result) or f"{tool.name} failed and did not say why")
        return _content(result), artifact_of(result.structured_content)

    annotations = tool.annotations.model_dump(exclude_none=True) if tool.annotations else {}
    return ArgumentsTool(
        name=re.sub(r"[^A-Za-z0-9_-]", "_", prefix + tool.name)[:_NAME_CHARACTERS],
        description=tool.description or tool.title or "",
        args_schema=tool.input_schema,
        coroutine=body,
        response_format="content_and_artifact",
        handle_tool_error=True,
        metadata={"mcp": {"tool": tool.name, "title": tool.title, "annotations": annotations}},
    )


def artifact_of(structured: Any) -> Any:
    """The value in a structured answer: the result, if it is an envelope of success.

    The envelope is `{"status": "success", "data": {"result": …}}`.
    """
    match structured:
        case {"status": "success", "data": {"result": None}}:
            return Submitted(None)
        case {"status": "success", "data": {"result": result}}:
            return result
        case _:
            return structured


def _content(result: CallToolResult) -> str | list[Block]:
    """The answer for the model: text alone as a string, else blocks."""
    match result.content:
        case []:
            return _json(result.structured_content)
        case [TextContent(text=text)]:
            return text
        case blocks:
            return [_block(block) for block in blocks]


def _block(item: ContentBlock) -> Block:
    match item:
        case TextContent():
            return {"type": "text", "text": item.text}
        case ImageContent():
            return {"type": "image", "base64": item.data, "mime_type": item.mime_type}
        case AudioContent():
            # langchain-core's tool messages know no audio block.
            return {"type": "file", "base64": item.data, "mime_type": item.mime_type}
        case ResourceLink():
            kind = f" ({item.mime_type})" if item.mime_type else ""
            return {"type": "text", "text": f"{item.title or item.name}: {item.uri}{kind}"}
        case EmbeddedResource(resource=TextResourceContents(text=text)):
            return {"type": "text", "text": text}
        case _:
            return _blob(cast("Mapping[str, Any]", item.resource.model_dump()))


def _blob(resource: Mapping[str, Any]) -> Block:
    mime_type = resource["mime_type"] or "application/octet-stream"
    return {"type": "file", "base64": resource["blob"], "mime_type": mime_type}


def _text(result: CallToolResult) -> str:
    texts: Sequence[str] = [item.text for item in result.content if isinstance(item, TextContent)]
    if not texts and result.structured_content is not None:
        return _json(result.structured_content)
    return "\n".join(texts)


def _json(value: Any) -> str:
    return "done" if value is None else to_json(value).decode()
