"""What a test of an agent wants to be sure of, whatever came of the run."""

from collections.abc import Iterator, Sequence
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, ToolMessage

from agent_runtime._errors import ExtractError
from agent_runtime._result import ExtractResult
from agent_runtime._trace import Attempt, Outcome
from agent_runtime.testing._scripted_model import ScriptedModel

_SHOWN_CHARACTERS = 200


def assert_attempts(ended: ExtractResult[Any] | ExtractError, *outcomes: Outcome) -> None:
    """Make sure that these, in order, became of the submissions of a run.

    Raises:
        AssertionError: If not; it lists what was submitted, and what the model was told.
    """
    if [attempt.outcome for attempt in ended.attempts] == list(outcomes):
        return
    lines = "\n".join(map(_line, ended.attempts)) or "nothing was submitted"
    raise AssertionError(f"expected the attempts {list(outcomes)}, but:\n{lines}")


def assert_calls_answered(conversation: Sequence[BaseMessage]) -> None:
    """Make sure that every tool call has one answer, before the next reply, in call order.

    Providers refuse conversations in which that does not hold.

    Raises:
        AssertionError: If it does not; it names the reply and the ids.
    """
    for index, calls, answers in _rounds(conversation):
        if calls != answers:
            raise AssertionError(
                f"message {index} has the calls {calls}, but the answers after it are to {answers}"
            )


def assert_script_used_up(model: ScriptedModel) -> None:
    """Make sure that every reply of a script was asked for.

    Raises:
        AssertionError: If some are left; it says how many, and what was requested last.
    """
    if model.remaining:
        raise AssertionError(
            f"{model.remaining} replies of the script are left after {len(model.requests)} "
            f"requests; the next is {_short(model.script[0])}"
        )


def _line(attempt: Attempt) -> str:
    told = f", told: {_short(attempt.answer)}" if attempt.answer else ""
    return (
        f"  {attempt.number}. {attempt.outcome}: {attempt.tool_name}({_short(attempt.raw_args)})"
        f"{told}"
    )


def _rounds(messages: Sequence[BaseMessage]) -> Iterator[tuple[int, list[str], list[str]]]:
    """Each reply's place, the ids of its calls, and those that are answered after it."""
    index, calls, answers = -1, list[str](), list[str]()
    for place, message in enumerate(messages):
        match message:
            case AIMessage():
                yield index, calls, answers
                index, answers = place, []
                calls = [
                    str(each["id"]) for each in (*message.tool_calls, *message.invalid_tool_calls)
                ]
            case ToolMessage():
                answers.append(message.tool_call_id)
            case _:
                pass
    yield index, calls, answers


def _short(value: object) -> str:
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= _SHOWN_CHARACTERS else f"{text[:_SHOWN_CHARACTERS]}…"
