"""Every sentence that the runtime itself says to a model."""

from collections.abc import Iterable, Mapping, Sequence

from agent_runtime._problems import Problem, as_json, list_problems, nearest, quote, shorten

_LISTED_TOOLS = 30
_ERROR_CHARACTERS = 2_000


def nudge(targets: Sequence[str]) -> str:
    """After prose: only a call of the submit tool counts."""
    return (
        f"Your reply did not call {_either(targets)}. The task is complete only when you have "
        f"called it. Call {_either(targets)} now, with the result as its arguments."
    )


def cut_off(targets: Sequence[str]) -> str:
    """After a cut-off reply without calls."""
    return (
        "Your reply was cut off at the token limit. Do not repeat it: "
        f"call {_either(targets)} directly, with shorter text."
    )


def cut_off_call() -> str:
    """The answer to each call of a cut-off reply."""
    return (
        "not executed: your reply was cut off at the token limit, so the arguments may be "
        "incomplete; call it again with shorter arguments"
    )


def invalid(tool_name: str, problems: Sequence[Problem]) -> str:
    """The answer to a call whose arguments do not fit."""
    return (
        f"The arguments of {tool_name} were not accepted and nothing was executed. "
        f"Correct all of these, then call it again:\n{list_problems(problems)}"
    )


def refused(tool_name: str, problems: Sequence[Problem]) -> str:
    """The answer to a call whose tool found problems by itself."""
    return (
        f"{tool_name} did not accept the call. Correct all of these, then call it again:\n"
        f"{list_problems(problems)}"
    )


def unparsable(tool_name: str, text: str) -> str:
    """The answer to a call whose arguments are no JSON object."""
    return (
        f"The arguments of {tool_name} are not a JSON object and nothing was executed: "
        f"got {quote(text)}. Call it again with valid JSON."
    )


def unknown_tool(name: str, known: Iterable[str]) -> str:
    """The answer to the call of a tool that does not exist."""
    names = list(known)
    close = nearest(name, names)
    guess = f"; did you mean {close}?" if close else "."
    listed = ", ".join(names[:_LISTED_TOOLS])
    more = f" and {len(names) - _LISTED_TOOLS} more" if len(names) > _LISTED_TOOLS else ""
    return f"There is no tool {quote(name)}{guess} The tools are: {listed}{more}."


def failed(error: Exception) -> str:
    """The answer to a call whose tool raised: what it raised, never where."""
    detail = shorten(str(error), _ERROR_CHARACTERS)
    return f"{type(error).__name__}: {detail}" if detail else type(error).__name__


def not_parsed(tool_name: str, reason: str) -> str:
    """The answer to a call whose arguments the tool's own parser refused."""
    detail = shorten(reason, _ERROR_CHARACTERS) or "no reason was given"
    return f"The arguments of {tool_name} were refused and nothing was executed: {detail}"


def declined(reason: str) -> str:
    """The answer to a call that a reviewer rejected."""
    detail = shorten(reason, _ERROR_CHARACTERS) or "no reason was given"
    return f"not executed: a reviewer rejected this call: {detail}"


def edited(args: Mapping[str, object]) -> str:
    """What stands before the answer to a call whose arguments a reviewer changed."""
    sent = shorten(as_json(args), _ERROR_CHARACTERS)
    return f"A reviewer changed the arguments to {sent}."


def timed_out(tool_name: str, timeout_s: float) -> str:
    """The answer to a call that took too long."""
    return f"{tool_name} did not finish within {timeout_s:g} s and was stopped."


def said_beside(tool_name: str) -> str:
    """The answer to a call whose tool gave a state with messages."""
    return f"{tool_name} gave a state with messages; a tool says what it has to say in its answer"


def left_waiting() -> str:
    """The answer to a call inside of which a run waits that nobody will resume any more."""
    return "not finished: it was interrupted inside, and the result was submitted already"


def already_submitted() -> str:
    """The answer to a submission after the accepted one, in the same reply."""
    return "not executed: an earlier submission in the same message was accepted"


def attempts_spent() -> str:
    """The answer to a submission beyond the budget."""
    return "not executed: no submission is left"


def sibling_failed(names: Sequence[str]) -> str:
    """The answer to a submission held back because of an error beside it."""
    return (
        f"not executed: {', '.join(names)} failed in the same message. Deal with that first, then "
        "submit again."
    )


def _either(names: Sequence[str]) -> str:
    return " or ".join(f"`{name}`" for name in names)
