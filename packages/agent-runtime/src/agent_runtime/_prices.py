"""What replies cost, by the caller's own prices."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType

from langchain_core.messages.ai import UsageMetadata

from agent_runtime._errors import InvalidOptionsError
from agent_runtime._numbers import is_amount

_TOKENS_PER_PRICE = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """The price of one model's tokens, in US dollars per million.

    Raises:
        InvalidOptionsError: If an amount is no finite number of at least 0.
    """

    input_usd: float
    output_usd: float
    cache_read_usd: float | None = None
    """For input that was read from the provider's cache; None if it costs as any other."""

    def __post_init__(self) -> None:
        amounts = {field.name: getattr(self, field.name) for field in fields(self)}
        wrong = [
            f"{name} must be a finite number of at least 0, not {amount!r}"
            for name, amount in amounts.items()
            if not is_amount(amount) and not (name == "cache_read_usd" and amount is None)
        ]
        if wrong:
            raise InvalidOptionsError(
                f"the price cannot be used: {'; '.join(wrong)}",
                hint="give US dollars per million tokens",
            )

    def cost_usd(self, usage: UsageMetadata) -> float:
        """What these tokens cost, in US dollars."""
        cached = 0
        if self.cache_read_usd is not None:
            cached = usage.get("input_token_details", {}).get("cache_read", 0)
        fresh = max(0, usage["input_tokens"] - cached)
        amount = fresh * self.input_usd + usage["output_tokens"] * self.output_usd
        return (amount + cached * (self.cache_read_usd or 0.0)) / _TOKENS_PER_PRICE


class PriceTable:
    """A `CostOf` with a price for each model, by the name that the model reports.

    Example:
        >>> prices = PriceTable({"small": Price(input_usd=1.0, output_usd=4.0)})
        >>> prices("small", {"input_tokens": 1000, "output_tokens": 500, "total_tokens": 1500})
        0.003
    """

    def __init__(self, prices: Mapping[str, Price]) -> None:
        """`prices` by model name."""
        self._prices: Mapping[str, Price] = MappingProxyType(dict(prices))

    def __call__(self, model_name: str, usage: UsageMetadata, /) -> float:
        """The cost of one reply, in US dollars.

        Raises:
            LookupError: If the model has no price.
        """
        if model_name not in self._prices:
            raise LookupError(f"there is no price for the model {model_name!r}")
        return self._prices[model_name].cost_usd(usage)
