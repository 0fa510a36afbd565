"""What the schemas of each family of providers can say."""

from dataclasses import dataclass
from typing import Any, Literal, cast, get_args

SchemaFamily = Literal["openai", "anthropic", "gemini", "generic"]
"""A form of schemas that some providers have in common.

`openai`: its strict mode, in which every field is required and nothing else may be sent.
`anthropic`: JSON Schema, but the root has to be a plain object.
`gemini`: a part of OpenAPI's schemas, without references.
`generic`: JSON Schema, the root an object.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What a family that knows less than JSON Schema can say."""

    references: bool
    """Whether a schema may refer to its definitions, and so contain itself."""
    closed: bool
    """Whether every field is required, and no other may be sent."""
    keywords: frozenset[str]
    """The constraints that it knows."""
    formats: frozenset[str]
    text_choices_only: bool
    """Whether only texts may be listed as choices."""
    null_is_keyword: bool
    """Whether null is allowed by `nullable` instead of a type."""


RULES = {
    "openai": Rules(
        references=True,
        closed=True,
        keywords=frozenset({
            "exclusiveMaximum",
            "exclusiveMinimum",
            "format",
            "maxItems",
            "maximum",
            "minItems",
            "minimum",
            "multipleOf",
            "pattern",
        }),
        formats=frozenset({
            "date",
            "date-time",
            "duration",
            "email",
            "hostname",
            "ipv4",
            "ipv6",
            "time",
            "uuid",
        }),
        text_choices_only=False,
        null_is_keyword=False,
    ),
    "gemini": Rules(
        references=False,
        closed=False,
        keywords=frozenset({
            "format",
            "maxItems",
            "maxLength",
            "maximum",
            "minItems",
            "minLength",
            "minimum",
            "pattern",
        }),
        formats=frozenset({"date-time"}),
        text_choices_only=True,
        null_is_keyword=True,
    ),
}  # fmt: skip


def family_of(model: Any) -> SchemaFamily:
    """The family of a model, by what its class says of itself; `generic` if it is not known.

    A client of OpenAI that talks to another address is `generic`: servers that speak the same
    protocol do not all know the strict mode.
    """
    # A model may say it by itself, as one does that stands in for another.
    if (said := getattr(model, "schema_family", None)) in get_args(SchemaFamily):
        return cast("SchemaFamily", said)
    # What langchain-core wraps around a model keeps it under one of these names.
    for wrapped in ("bound", "runnable"):
        inner = getattr(model, wrapped, None)
        if inner is not None:
            return family_of(inner)
    kind = str(getattr(model, "_llm_type", ""))
    if kind in {"openai-chat", "azure-openai-chat"}:
        address = getattr(model, "openai_api_base", None)
        elsewhere = kind == "openai-chat" and address and "api.openai.com" not in str(address)
        return "generic" if elsewhere else "openai"
    if kind.startswith("anthropic"):
        return "anthropic"
    return "gemini" if kind in {"chat-google-generative-ai", "vertexai"} else "generic"
