"""The parts of one run, put together once and handed around."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from agent_runtime._agent import Agent
from agent_runtime._bind import Models
from agent_runtime._budget import Budget
from agent_runtime._ledger import Ledger
from agent_runtime._observers import Observers
from agent_runtime._targets import Targets
from agent_runtime._transport import Backoff
from agent_runtime._usage import CostOf

BatchPolicy = Literal["finish", "require_all_ok"]
"""What an error beside a good submission, in the same reply, means.

`finish`: the run ends with the value, and the error becomes a warning. `require_all_ok`: the other
calls run first, and the submission is made only if none of them failed; else the model is asked
again.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One run."""

    agent: Agent
    targets: Targets
    stop: Literal["on_success", "on_call"]
    """Whether only an accepted submission ends the run, or the first one, whatever came of it."""
    batch_policy: BatchPolicy
    strict: bool
    """Whether arguments are judged as sent, and prose is always prose."""
    budget: Budget
    cost_of: CostOf | None
    ledger: Ledger
    observers: Observers
    models: Models
    backoff: Backoff | None
    streaming: bool
    """Whether replies are read as they are written."""
    outer: "Run | None" = None
    """The run whose call this one is in: it counts the tokens and the cost of this one too."""

    def outers(self) -> Iterator["Run"]:
        """The runs that this one is inside of, the nearest first."""
        outer = self.outer
        while outer is not None:
            yield outer
            outer = outer.outer
