"""Reads what the last tool call of a conversation brought.

The readers take a result, a state or messages; an error is raised again, that of a run which was
interrupted or paused too. Of a result they read the submission that was accepted, of a conversation
the last round of tool calls; `to_string` reads the last message of either.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, ToolMessage

from agent_runtime._calls import classify
from agent_runtime._errors import ExtractError, NoResultError
from agent_runtime._result import ExtractResult
from agent_runtime._state import State
from agent_runtime._submitted import artifact_value

Readable = ExtractResult[Any] | ExtractError | State | Sequence[BaseMessage]
"""What the readers read."""


def tool_result(result: Readable) -> ToolMessage:
    """The answer to the accepted submission.

    Of a conversation: the first answer in the last round of tool calls that is no error, else the
    last answer of that round.

    Raises:
        NoResultError: If no tool was called (`no_tool_result`).
        ExtractError: If that is what was given.
    """
    if isinstance(result, ExtractResult):
        return result.tool_message
    answers = _last_round(_messages(result))
    if not answers:
        raise NoResultError("no tool call was answered", kind="no_tool_result")
    good = (answer for answer in answers if answer.status != "error")
    return next(good, answers[-1])


def tool_arguments(result: Readable) -> Mapping[str, Any]:
    """The validated arguments of the accepted submission.

    Of a conversation: the arguments, as sent, of the last call in the last reply that has calls.

    Raises:
        NoResultError: If no tool was called (`no_tool_arguments`).
        ExtractError: If that is what was given.
    """
    if isinstance(result, ExtractResult):
        return result.args
    for message in reversed(_messages(result)):
        if isinstance(message, AIMessage) and message.tool_calls:
            return message.tool_calls[-1]["args"]
    raise NoResultError("no tool was called", kind="no_tool_arguments")


def processed_content(result: Readable) -> Any:
    """The value that the tool body produced: what `tool_result` carries beside its text.

    Raises:
        NoResultError: If no tool was called (`no_tool_result`), or its body set no value
            (`no_processed_content`).
        ExtractError: If that is what was given.
    """
    present, value = artifact_value(tool_result(result).artifact)
    if not present:
        raise NoResultError(
            "the tool set no value beside its text",
            kind="no_processed_content",
            hint="read tool_arguments, or return (text, value) from the tool",
        )
    return value


def to_string(result: Readable) -> str:
    """The text of the last message: its parts, joined; empty if it has none.

    That message must be a whole reply of the model. A run that has its value ends with the answer
    to the submission, so of its result there is no such text.

    Raises:
        NoResultError: If there is no message, it is not the model's, or it was cut off or declined
            (`to_string`).
        ExtractError: If that is what was given.
    """
    messages = result.messages if isinstance(result, ExtractResult) else _messages(result)
    last = messages[-1] if messages else None
    if not isinstance(last, AIMessage):
        found = "there is none" if last is None else f"it is a {last.type} message"
        raise NoResultError(
            f"the last message is to be a reply of the model, but {found}",
            kind="to_string",
            hint="read a conversation that ends with a reply of the model",
        )
    kind = classify(last).kind
    if kind in {"truncated", "refused"}:
        raise NoResultError(
            f"the last reply of the model is not complete: it was {kind}",
            kind="to_string",
            hint="read its text from the messages, if a part of it is enough",
        )
    return last.text


def _messages(result: ExtractError | State | Sequence[BaseMessage]) -> Sequence[BaseMessage]:
    if isinstance(result, ExtractError):
        raise result
    return result.messages if isinstance(result, State) else result


def _last_round(messages: Sequence[BaseMessage]) -> list[ToolMessage]:
    """The answers of the last round of tool calls, in order."""
    answers: list[ToolMessage] = []
    for message in reversed(messages):
        if isinstance(message, ToolMessage):
            answers.append(message)
        elif answers:
            break
    return answers[::-1]
