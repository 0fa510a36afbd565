"""Tokens, summed per model over every reply of a run, failed attempts included."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, cast

from langchain_core.messages import AIMessage
from langchain_core.messages.ai import UsageMetadata, add_usage


def _nothing() -> Mapping[str, UsageMetadata]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens per model name."""

    by_model: Mapping[str, UsageMetadata] = field(default_factory=_nothing)
    replies_without_usage: int = 0
    """Replies whose model reported no tokens: the sums below are then a lower bound."""

    @property
    def input_tokens(self) -> int:
        """Tokens read by all models."""
        return sum(usage["input_tokens"] for usage in self.by_model.values())

    @property
    def output_tokens(self) -> int:
        """Tokens written by all models."""
        return sum(usage["output_tokens"] for usage in self.by_model.values())

    @property
    def total_tokens(self) -> int:
        """Tokens of all models as the models themselves total them."""
        return sum(usage["total_tokens"] for usage in self.by_model.values())

    def plus(self, reply: AIMessage, model: object) -> "Usage":
        """The usage with one more reply, which came from `model` unless it names another."""
        if reply.usage_metadata is None:
            return Usage(
                by_model=self.by_model, replies_without_usage=self.replies_without_usage + 1
            )
        name = _model_name(reply, model)
        total = add_usage(self.by_model.get(name), reply.usage_metadata)
        return Usage(
            by_model=MappingProxyType({**self.by_model, name: total}),
            replies_without_usage=self.replies_without_usage,
        )


def _model_name(reply: AIMessage, model: object) -> str:
    """The name the reply gives, else the one the model is configured with, else its class."""
    reported = cast("dict[str, Any]", reply.response_metadata)
    names = (
        reported.get("model_name"),
        reported.get("model"),
        getattr(model, "model_name", None),
        getattr(model, "model", None),
    )
    named = (name for name in names if isinstance(name, str) and name)
    return next(named, type(model).__name__)
