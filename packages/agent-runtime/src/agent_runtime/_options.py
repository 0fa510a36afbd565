"""The options of a run, checked before anything is spent."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypedDict, cast, get_args

from langchain_core.callbacks import BaseCallbackHandler

from agent_runtime._budget import Budget
from agent_runtime._errors import InvalidOptionsError
from agent_runtime._events import Observer
from agent_runtime._numbers import is_amount
from agent_runtime._problems import nearest
from agent_runtime._run import BatchPolicy
from agent_runtime._targets import Target
from agent_runtime._transport import Backoff
from agent_runtime._usage import CostOf

Callback = BaseCallbackHandler | Observer
"""A handler of langchain-core, or a function that is told of each `Event`."""


class ExtractOptions(TypedDict, total=False):
    """The options of `extract`, besides the submit tool. All budgets are separate and exact."""

    max_runs: int
    """Model replies that may be used (default 5); the last is used like any other."""
    max_nudges: int
    """Times that the model is told to call the submit tool after prose (default 2)."""
    max_submit_attempts: int | None
    """Submissions that may be made (default: any number)."""
    max_tool_errors: int | None
    """Error answers of other tools that are borne; one more ends the run (default: any number)."""
    max_input_tokens: int | None
    """Tokens that may be read by the models (default: any number). No call is made once a limit
    of tokens or cost is reached, or once a reply did not report what it took; what a reply takes
    is known only afterwards, so the last one may go past the limit, and it is used."""
    max_output_tokens: int | None
    """Tokens that may be written by the models (default: any number)."""
    max_total_tokens: int | None
    """Tokens that may be read and written, as the models total them (default: any number)."""
    max_cost_usd: float | None
    """US dollars that the replies may cost by `cost_of` (default: any amount)."""
    cost_of: CostOf | None
    """What a reply costs, such as a `PriceTable` (default: costs are not counted)."""
    deadline_s: float | None
    """Seconds that the whole run may take (default: no limit)."""
    backoff: Backoff | None
    """Tries again what failed on its way to the model (default: nothing; the clients of most
    providers do so themselves)."""
    batch_policy: BatchPolicy
    """What an error beside a good submission means (default `finish`)."""
    strict: bool
    """Judge arguments as they were sent: repair nothing, and never take prose for a submission
    (default False)."""
    callbacks: Sequence[Callback]
    """Handlers of langchain-core, and functions that are told of each event; the middleware's own
    observers come after them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The options of one run, complete and within bounds."""

    wanted: Target | Sequence[Target]
    stop: Literal["on_success", "on_call"]
    budget: Budget
    deadline_s: float | None = None
    cost_of: CostOf | None = None
    backoff: Backoff | None = None
    batch_policy: BatchPolicy = "finish"
    strict: bool = False
    callbacks: Sequence[Callback] = field(default=())


def checked_options(
    until_tool_success: Target | Sequence[Target] | None,
    until_tool: Target | Sequence[Target] | None,
    options: ExtractOptions,
) -> Options:
    """The options, complete.

    Raises:
        InvalidOptionsError: If not exactly one stop option is given, an option is not known or is
            out of bounds. All that is wrong is named at once.
    """
    given = cast("Mapping[str, Any]", options)
    limits = {name: value for name, value in given.items() if name in Budget.__annotations__}
    budget = Budget(**limits)
    faults = [
        *_unknown(given),
        *budget.faults(),
        *_deadline_faults(given.get("deadline_s")),
        *_cost_faults(given.get("cost_of"), budget),
        *_backoff_faults(given.get("backoff")),
        *_policy_faults(given.get("batch_policy", "finish")),
        *_strict_faults(given.get("strict", False)),
        *_callback_faults(given.get("callbacks", ())),
    ]
    if (until_tool_success is None) == (until_tool is None):
        neither = until_tool is None
        faults.insert(0, f"{'neither' if neither else 'both'} of until_tool_success and until_tool")
    if faults:
        raise InvalidOptionsError(
            f"the options cannot be used: {'; '.join(faults)}",
            hint="give exactly one of until_tool_success (stop when the tool accepts) and "
            "until_tool (stop when it is called), and keep the limits within their bounds",
        )
    rest = {name: value for name, value in given.items() if name not in limits}
    return Options(
        wanted=cast("Target", until_tool if until_tool_success is None else until_tool_success),
        stop="on_call" if until_tool_success is None else "on_success",
        budget=budget,
        **rest,
    )


def _unknown(given: Mapping[str, Any]) -> list[str]:
    known = ExtractOptions.__annotations__
    guesses = {name: nearest(name, known) for name in given if name not in known}
    return [
        f"no option {name!r}" + (f", did you mean {guess}?" if guess else "")
        for name, guess in guesses.items()
    ]


def _deadline_faults(deadline_s: Any) -> list[str]:
    if deadline_s is None or (is_amount(deadline_s) and deadline_s > 0):
        return []
    return [f"deadline_s must be a number above 0, not {deadline_s!r}"]


def _cost_faults(cost_of: Any, budget: Budget) -> list[str]:
    if cost_of is None:
        return [] if budget.max_cost_usd is None else ["max_cost_usd needs cost_of"]
    return [] if callable(cost_of) else [f"cost_of must be a function, not {cost_of!r}"]


def _backoff_faults(backoff: Any) -> list[str]:
    if isinstance(backoff, Backoff | None):
        return []
    return [f"backoff must be a Backoff, not {backoff!r}"]


def _policy_faults(policy: Any) -> list[str]:
    known = get_args(BatchPolicy)
    return [] if policy in known else [f"batch_policy must be one of {known}, not {policy!r}"]


def _strict_faults(strict: Any) -> list[str]:
    return [] if isinstance(strict, bool) else [f"strict must be True or False, not {strict!r}"]


def _callback_faults(callbacks: Any) -> list[str]:
    if not isinstance(callbacks, Sequence):
        return [f"callbacks must be a list, not {callbacks!r}"]
    return [
        f"callbacks hold {callback!r}, which is neither a callback handler nor a function"
        for callback in cast("Sequence[object]", callbacks)
        if not (isinstance(callback, BaseCallbackHandler) or callable(callback))
    ]
