"""What a run may spend. Each budget is separate, exact, and checked before it is spent."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from agent_runtime._errors import BudgetKind
from agent_runtime._ledger import Ledger
from agent_runtime._numbers import is_amount, is_count
from agent_runtime._usage import Usage

_LEAST: Mapping[str, int] = {
    "max_runs": 1,
    "max_nudges": 0,
    "max_submit_attempts": 1,
    "max_tool_errors": 0,
    "max_input_tokens": 1,
    "max_output_tokens": 1,
    "max_total_tokens": 1,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """The limits of one run."""

    max_runs: int = 5
    """Model replies. The last one is used like any other."""
    max_nudges: int = 2
    """Times that the model is told to call the submit tool after it answered in prose."""
    max_submit_attempts: int | None = None
    """Submissions, accepted or not."""
    max_tool_errors: int | None = None
    """Error answers of other tools that are borne; one more ends the run."""
    max_input_tokens: int | None = None
    max_output_tokens: int | None = None
    max_total_tokens: int | None = None
    max_cost_usd: float | None = None

    def faults(self) -> list[str]:
        """What is out of bounds."""
        needed = {"max_runs", "max_nudges"}
        counts: list[tuple[str, Any, int]] = [
            (name, getattr(self, name), least) for name, least in _LEAST.items()
        ]
        faults = [
            f"{name} must be an integer of at least {least}, not {value!r}"
            for name, value, least in counts
            if not (is_count(value, least) or (value is None and name not in needed))
        ]
        cost = self.max_cost_usd
        if cost is not None and not (is_amount(cost) and cost > 0):
            faults.append(f"max_cost_usd must be a finite number above 0, not {cost!r}")
        return faults

    def spent(self, ledger: Ledger) -> BudgetKind | None:
        """The budget that forbids another model call, if one does."""
        if self.max_tool_errors is not None and ledger.tool_errors > self.max_tool_errors:
            return "max_tool_errors"
        if self.attempts_left(ledger) == 0:
            return "max_submit_attempts"
        if ledger.runs >= self.max_runs:
            return "max_runs"
        return self.metered(ledger.usage)

    def attempts_left(self, ledger: Ledger) -> int | None:
        """Submissions that may still be made; None if any number."""
        if self.max_submit_attempts is None:
            return None
        return max(0, self.max_submit_attempts - ledger.submissions)

    def metered(self, usage: Usage) -> BudgetKind | None:
        """The budget that is spent by what replies reported, or that may be: a reply told nothing.

        What a reply takes is known only after it came, so the last one may go past the limit. One
        that tells nothing could be any size: a limit that cannot be watched is taken as spent.
        """
        silent = usage.replies_without_usage
        limits: list[tuple[BudgetKind, float | None, float, int]] = [
            ("max_cost_usd", self.max_cost_usd, usage.cost_usd or 0.0, usage.replies_without_cost),
            ("max_input_tokens", self.max_input_tokens, usage.input_tokens, silent),
            ("max_output_tokens", self.max_output_tokens, usage.output_tokens, silent),
            ("max_total_tokens", self.max_total_tokens, usage.total_tokens, silent),
        ]
        for kind, limit, used, unknown in limits:
            if limit is not None and (used >= limit or unknown):
                return kind
        return None
