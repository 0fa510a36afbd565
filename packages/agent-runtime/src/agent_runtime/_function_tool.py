"""Plain typed functions as tools."""

import functools
import inspect
from collections.abc import Callable
from typing import Any, get_args, get_origin, get_type_hints

from langchain_core.messages.tool import ToolOutputMixin
from langchain_core.tools import BaseTool, StructuredTool
from pydantic_core import to_json

from agent_runtime._errors import AgentDefinitionError
from agent_runtime._state import State
from agent_runtime._submitted import Submitted

ToolLike = BaseTool | Callable[..., Any]
"""A langchain-core tool, or a typed function with a docstring."""

_PAIR = 2


def as_tool(tool: ToolLike) -> BaseTool:
    """The tool itself, or a tool made of a function.

    The function's name, docstring and annotations become name, description and schema. What it
    returns is shared between the model and the program:

    - a string, or None: text for the model, no value;
    - annotated `-> tuple[str, X]`: text for the model, and a value;
    - a `Submitted`: its text, and its value;
    - a `State`: the value, of which the model sees nothing;
    - anything else: the value, and its JSON as text for the model.

    Raises:
        AgentDefinitionError: If it is neither, or the function has no docstring or no usable
            signature.
    """
    if isinstance(tool, BaseTool):
        return tool
    if isinstance(tool, type) or not callable(tool):
        raise AgentDefinitionError(
            f"{tool!r} is neither a tool nor a function",
            hint="pass a langchain-core tool, or a typed function with a docstring",
        )
    try:
        return _from_function(tool)
    except (ValueError, TypeError, NameError, AttributeError) as error:
        # What langchain-core raises for a function that it cannot describe.
        raise AgentDefinitionError(
            f"{tool!r} cannot be made a tool: {error}",
            hint="give the function a name, a docstring and annotations that can be resolved",
        ) from error


def _from_function(function: Callable[..., Any]) -> BaseTool:
    pair = _returns_text_and_value(function)
    if inspect.iscoroutinefunction(function):

        @functools.wraps(function)
        async def body(*args: Any, **kwargs: Any) -> tuple[Any, Any]:
            return _share(await function(*args, **kwargs), pair=pair)

        described = StructuredTool.from_function(coroutine=function, parse_docstring=True)
        bodies = {"coroutine": body}
    else:

        @functools.wraps(function)
        def sync_body(*args: Any, **kwargs: Any) -> tuple[Any, Any]:
            return _share(function(*args, **kwargs), pair=pair)

        described = StructuredTool.from_function(func=function, parse_docstring=True)
        bodies = {"func": sync_body}
    return described.model_copy(update={**bodies, "response_format": "content_and_artifact"})


def _returns_text_and_value(function: Callable[..., Any]) -> bool:
    returned = get_type_hints(function).get("return")
    arguments = get_args(returned)
    return get_origin(returned) is tuple and len(arguments) == _PAIR and arguments[0] is str


def _share(result: Any, *, pair: bool) -> tuple[Any, Any]:
    """What a function returned, as content for the model and artifact for the program."""
    if isinstance(result, Submitted):
        return result.text, result
    if pair:
        text, value = result
        return text, value
    if result is None or isinstance(result, State):
        return "done", result
    if isinstance(result, str | ToolOutputMixin):
        return result, None
    return to_json(result, fallback=str).decode(), result
