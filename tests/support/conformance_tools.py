"""Tools of the conformance suites: what each returns, and what it asks the client for.

The suites call tools, prompts and resources of their own names and look at what comes back. The
names and the texts are theirs.
"""

import json
import warnings
from collections.abc import Awaitable, Callable, Generator, Mapping
from contextlib import contextmanager
from typing import Any

from mcp import MCPError
from mcp.server import ServerRequestContext
from mcp.shared.exceptions import MCPDeprecationWarning
from mcp.types import (
    MISSING_REQUIRED_CLIENT_CAPABILITY,
    AudioContent,
    ClientCapabilities,
    EmbeddedResource,
    ImageContent,
    SamplingCapability,
    SamplingMessage,
    TextContent,
    TextResourceContents,
)

Context = ServerRequestContext[Any, Any]
Body = Callable[[Context, Mapping[str, Any]], Awaitable[list[Any]]]

# One red pixel, and a second of nothing.
PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC"
)
SILENCE = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAAAAA=="

NOTHING: dict[str, Any] = {"type": "object", "properties": {}, "additionalProperties": False}
RICH: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}
NEEDS_PROMPT: dict[str, Any] = {
    "type": "object",
    "properties": {"prompt": {"type": "string"}},
    "required": ["prompt"],
}
NEEDS_MESSAGE: dict[str, Any] = {
    "type": "object",
    "properties": {"message": {"type": "string"}},
    "required": ["message"],
}
PERSON = {
    "username": {"type": "string", "description": "User's response"},
    "email": {"type": "string", "description": "User's email address"},
}
DEFAULTS = {
    "name": {"type": "string", "default": "John Doe"},
    "age": {"type": "integer", "default": 30},
    "score": {"type": "number", "default": 95.5},
    "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
    "verified": {"type": "boolean", "default": True},
}
PLAIN = ["option1", "option2", "option3"]
TITLED = [
    {"const": "value1", "title": "First Option"},
    {"const": "value2", "title": "Second Option"},
    {"const": "value3", "title": "Third Option"},
]
ENUMS = {
    "untitledSingle": {"type": "string", "enum": PLAIN},
    "titledSingle": {"type": "string", "oneOf": TITLED},
    "legacyEnum": {
        "type": "string",
        "enum": ["opt1", "opt2", "opt3"],
        "enumNames": ["Option One", "Option Two", "Option Three"],
    },
    "untitledMulti": {"type": "array", "items": {"type": "string", "enum": PLAIN}},
    "titledMulti": {"type": "array", "items": {"anyOf": TITLED}},
}


@contextmanager
def silenced_deprecation() -> Generator[None]:
    """What is asked for here is what the newest revision deprecates."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MCPDeprecationWarning)
        yield


def text(words: str) -> TextContent:
    return TextContent(type="text", text=words)


def embedded(uri: str, mime_type: str, words: str) -> EmbeddedResource:
    contents = TextResourceContents(uri=uri, mime_type=mime_type, text=words)
    return EmbeddedResource(type="resource", resource=contents)


def returning(*contents: Any) -> Body:
    async def body(_: Context, __: Mapping[str, Any]) -> list[Any]:
        return [*contents]

    return body


PICTURE = ImageContent(type="image", data=PIXEL, mime_type="image/png")
MIXED = embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}')


async def error_handling(_: Context, __: Mapping[str, Any]) -> list[Any]:
    raise ValueError("This tool intentionally returns an error for testing")


async def with_progress(ctx: Context, _: Mapping[str, Any]) -> list[Any]:
    for done in (0, 50, 100):
        await ctx.session.report_progress(done, 100, f"{done} of 100")
    return [text("done")]


async def with_logging(ctx: Context, _: Mapping[str, Any]) -> list[Any]:
    for words in ("Tool execution started", "Tool processing data", "Tool execution completed"):
        with silenced_deprecation():
            await ctx.session.send_log_message(  # pyright: ignore[reportDeprecated] -- as above
                "info", words, related_request_id=ctx.request_id
            )
    return [text("done")]


async def missing_capability(ctx: Context, _: Mapping[str, Any]) -> list[Any]:
    needed = ClientCapabilities(sampling=SamplingCapability())
    if not ctx.session.check_client_capability(needed):
        raise MCPError(
            code=MISSING_REQUIRED_CLIENT_CAPABILITY,
            message="This tool needs a client that can sample",
            data={"requiredCapabilities": {"sampling": {}}},
        )
    return [text("done")]


async def sampling(ctx: Context, arguments: Mapping[str, Any]) -> list[Any]:
    message = SamplingMessage(role="user", content=text(arguments["prompt"]))
    with silenced_deprecation():
        answer = await ctx.session.create_message(  # pyright: ignore[reportDeprecated] -- as above
            [message], max_tokens=100, related_request_id=ctx.request_id
        )
    said = answer.content.text if isinstance(answer.content, TextContent) else "no text"
    return [text(f"LLM response: {said}")]


def asking(words: str, properties: Mapping[str, Any], required: list[str], said: str) -> Body:
    """A tool that asks the person at the client."""
    schema = {"type": "object", "properties": dict(properties), "required": required}

    async def body(ctx: Context, arguments: Mapping[str, Any]) -> list[Any]:
        answer = await ctx.session.elicit_form(
            arguments.get("message", words), schema, related_request_id=ctx.request_id
        )
        content = json.dumps(answer.content)
        return [text(f"{said}: action={answer.action}, content={content}")]

    return body


async def greeting(_: Context, arguments: Mapping[str, Any]) -> list[Any]:
    return [text(f"Hello, {arguments['name']}!")]


TOOLS: dict[str, tuple[Body, dict[str, Any]]] = {
    "test_simple_text": (
        returning(text("This is a simple text response for testing.")),
        NOTHING,
    ),
    "greet": (greeting, {"type": "object", "properties": {"name": {"type": "string"}}}),
    "test_image_content": (returning(PICTURE), NOTHING),
    "test_audio_content": (
        returning(AudioContent(type="audio", data=SILENCE, mime_type="audio/wav")),
        NOTHING,
    ),
    "test_embedded_resource": (
        returning(
            embedded(
                "test://embedded-resource", "text/plain", "This is an embedded resource content."
            )
        ),
        NOTHING,
    ),
    "test_multiple_content_types": (
        returning(text("Multiple content types test:"), PICTURE, MIXED),
        NOTHING,
    ),
    "test_error_handling": (error_handling, NOTHING),
    "test_tool_with_progress": (with_progress, NOTHING),
    "test_tool_with_logging": (with_logging, NOTHING),
    "json_schema_2020_12_tool": (returning(text("done")), RICH),
    "test_logging_tool": (with_logging, NOTHING),
    "test_streaming_elicitation": (with_progress, NOTHING),
    "test_missing_capability": (missing_capability, NOTHING),
    "test_sampling": (sampling, NEEDS_PROMPT),
    "test_elicitation": (
        asking("", PERSON, ["username", "email"], "User response"),
        NEEDS_MESSAGE,
    ),
    "test_elicitation_sep1034_defaults": (
        asking("Check these", DEFAULTS, [], "Elicitation completed"),
        NOTHING,
    ),
    "test_elicitation_sep1330_enums": (
        asking("Choose", ENUMS, [], "Elicitation completed"),
        NOTHING,
    ),
}
