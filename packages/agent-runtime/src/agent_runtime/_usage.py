"""Tokens, summed per model over every reply of a run, failed attempts included."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, cast

from langchain_core.messages import AIMessage
from langchain_core.messages.ai import UsageMetadata, add_usage

from agent_runtime._numbers import is_amount

CostOf = Callable[[str, UsageMetadata], float]
"""From a model's name and the tokens of one reply to what it cost, in US dollars.

It raises for a model whose price it does not know; the cost of the reply is then unknown.
"""


def _nothing() -> Mapping[str, UsageMetadata]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens per model name."""

    by_model: Mapping[str, UsageMetadata] = field(default_factory=_nothing)
    replies_without_usage: int = 0
    """Replies whose model reported no tokens: all sums here are then a lower bound."""
    cost_usd: float | None = None
    """What the replies cost by the caller's prices, in US dollars; None if none was priced."""
    replies_without_cost: int = 0
    """Replies that prices were asked for and had none: `cost_usd` is then a lower bound."""

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
            return replace(self, replies_without_usage=self.replies_without_usage + 1)
        name = model_name(reply, model)
        total = add_usage(self.by_model.get(name), reply.usage_metadata)
        return replace(self, by_model=MappingProxyType({**self.by_model, name: total}))

    def plus_cost(self, reply: AIMessage, model: object, cost_of: CostOf) -> "Usage":
        """The usage with the cost of one more reply.

        Raises:
            ValueError: If the reply has no price; the message says why.
        """
        if reply.usage_metadata is None:
            raise ValueError("the reply reported no tokens")
        try:
            cost_usd = cost_of(model_name(reply, model), reply.usage_metadata)
        except Exception as error:
            # The border to the caller's own function.
            raise ValueError(f"{type(error).__name__}: {error}") from error
        if not is_amount(cost_usd):
            raise ValueError(f"a cost must be a finite number of at least 0, not {cost_usd!r}")
        return replace(self, cost_usd=(self.cost_usd or 0.0) + cost_usd)


def model_name(reply: AIMessage, model: object) -> str:
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
