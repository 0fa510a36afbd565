"""What a run may spend. Each budget is separate, exact, and checked before it is spent."""

from dataclasses import dataclass

from agent_runtime._errors import BudgetKind
from agent_runtime._ledger import Ledger


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

    def faults(self) -> list[str]:
        """What is out of bounds."""
        checks = [("max_runs", self.max_runs, 1), ("max_nudges", self.max_nudges, 0)]
        if self.max_submit_attempts is not None:
            checks.append(("max_submit_attempts", self.max_submit_attempts, 1))
        if self.max_tool_errors is not None:
            checks.append(("max_tool_errors", self.max_tool_errors, 0))
        return [
            f"{name} must be an integer of at least {least}, not {value!r}"
            for name, value, least in checks
            if isinstance(value, bool) or not isinstance(value, int) or value < least  # pyright: ignore[reportUnnecessaryIsInstance] -- callers may not be type-checked
        ]

    def spent(self, ledger: Ledger) -> BudgetKind | None:
        """The budget that forbids another model call, if one does."""
        if self.max_tool_errors is not None and ledger.tool_errors > self.max_tool_errors:
            return "max_tool_errors"
        if self.attempts_left(ledger) == 0:
            return "max_submit_attempts"
        if ledger.runs >= self.max_runs:
            return "max_runs"
        return None

    def attempts_left(self, ledger: Ledger) -> int | None:
        """Submissions that may still be made; None if any number."""
        if self.max_submit_attempts is None:
            return None
        return max(0, self.max_submit_attempts - ledger.submissions)
