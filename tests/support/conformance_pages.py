"""Prompts and resources of the conformance suites."""

import json
import re
from collections.abc import Mapping

from conformance_tools import PIXEL, embedded, text
from mcp.types import (
    BlobResourceContents,
    ImageContent,
    Prompt,
    PromptArgument,
    PromptMessage,
    Resource,
    ResourceTemplate,
    TextResourceContents,
)


def prompt(name: str, *arguments: str) -> Prompt:
    asked = [PromptArgument(name=each, description=f"{each}.", required=True) for each in arguments]
    return Prompt(name=name, description=f"{name}.", arguments=asked)


PROMPTS = {
    each.name: each
    for each in (
        prompt("test_simple_prompt"),
        prompt("test_prompt_with_arguments", "arg1", "arg2"),
        prompt("test_prompt_with_embedded_resource", "resourceUri"),
        prompt("test_prompt_with_image"),
        prompt("test_input_required_result_prompt"),
    )
}

RESOURCES = [
    Resource(uri=uri, name=uri, description=f"{uri}.", mime_type=mime_type)
    for uri, mime_type in (
        ("test://static-text", "text/plain"),
        ("test://static-binary", "image/png"),
        ("test://watched-resource", "text/plain"),
    )
]

TEMPLATE = ResourceTemplate(
    uri_template="test://template/{id}/data",
    name="test template",
    description="Data of an id.",
    mime_type="application/json",
)


def prompt_messages(name: str, arguments: Mapping[str, str]) -> list[PromptMessage]:
    contents: list[object]
    match name:
        case "test_prompt_with_arguments":
            one, two = arguments["arg1"], arguments["arg2"]
            contents = [text(f"Prompt with arguments: arg1='{one}', arg2='{two}'")]
        case "test_prompt_with_embedded_resource":
            words = "Embedded resource content for testing."
            contents = [
                embedded(arguments["resourceUri"], "text/plain", words),
                text("Please process the embedded resource above."),
            ]
        case "test_prompt_with_image":
            contents = [
                ImageContent(type="image", data=PIXEL, mime_type="image/png"),
                text("Please analyze the image above."),
            ]
        case _:
            contents = [text("This is a simple prompt for testing.")]
    return [PromptMessage.model_validate({"role": "user", "content": c}) for c in contents]


def contents_of(uri: str) -> TextResourceContents | BlobResourceContents | None:
    """What a resource holds; None if it is none of these."""
    if found := re.fullmatch(r"test://template/([^/]+)/data", uri):
        data = {"id": found[1], "templateTest": True, "data": f"Data for ID: {found[1]}"}
        return TextResourceContents(uri=uri, mime_type="application/json", text=json.dumps(data))
    match uri:
        case "test://static-text":
            words = "This is the content of the static text resource."
            return TextResourceContents(uri=uri, mime_type="text/plain", text=words)
        case "test://static-binary":
            return BlobResourceContents(uri=uri, mime_type="image/png", blob=PIXEL)
        case "test://watched-resource":
            return TextResourceContents(uri=uri, mime_type="text/plain", text="watched")
        case _:
            return None
