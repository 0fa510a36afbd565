"""The entrance: options in, a result or a typed error out."""

from collections.abc import Sequence
from functools import partial
from typing import Any, TypeVar, Unpack, overload

from anyio.from_thread import start_blocking_portal

from agent_runtime._agent import Agent
from agent_runtime._drive import run_once
from agent_runtime._options import ExtractOptions, checked_options
from agent_runtime._result import ExtractResult
from agent_runtime._state import Conversation
from agent_runtime._targets import Target, resolve_targets

T = TypeVar("T")
Wanted = Target | Sequence[Target]


@overload
async def extract(
    agent: Agent,
    conversation: Conversation,
    *,
    until_tool_success: type[T],
    **options: Unpack[ExtractOptions],
) -> ExtractResult[T]: ...


@overload
async def extract(
    agent: Agent,
    conversation: Conversation,
    *,
    until_tool_success: Wanted | None = None,
    until_tool: Wanted | None = None,
    **options: Unpack[ExtractOptions],
) -> ExtractResult[Any]: ...


async def extract(
    agent: Agent,
    conversation: Conversation,
    *,
    until_tool_success: Wanted | None = None,
    until_tool: Wanted | None = None,
    **options: Unpack[ExtractOptions],
) -> ExtractResult[Any]:
    """Run the agent until it has submitted a value.

    Args:
        agent: The agent.
        conversation: A prompt, messages, or the state of an earlier run.
        until_tool_success: The submit tool: the run ends when it accepts a call; until then its
            errors go back to the model. The name of a tool on the agent, a tool or function, or
            a schema (a pydantic model, dataclass, typed dictionary, any type that pydantic knows,
            or a JSON Schema), for which a tool is made; or a list of these.
        until_tool: The same, but the first call ends the run: by its value, or by a
            `TargetRejectedError` if the tool did not accept it.
        **options: See `ExtractOptions`.

    Raises:
        ExtractError: If the run ends without a value; the subclass, `type` and `trace` say how.
            Cancellation is not an error of the run: it propagates.
    """
    checked = checked_options(until_tool_success, until_tool, options)
    return await run_once(agent, conversation, checked, resolve_targets(agent, checked.wanted))


@overload
def extract_sync(
    agent: Agent,
    conversation: Conversation,
    *,
    until_tool_success: type[T],
    **options: Unpack[ExtractOptions],
) -> ExtractResult[T]: ...


@overload
def extract_sync(
    agent: Agent,
    conversation: Conversation,
    *,
    until_tool_success: Wanted | None = None,
    until_tool: Wanted | None = None,
    **options: Unpack[ExtractOptions],
) -> ExtractResult[Any]: ...


def extract_sync(
    agent: Agent,
    conversation: Conversation,
    *,
    until_tool_success: Wanted | None = None,
    until_tool: Wanted | None = None,
    **options: Unpack[ExtractOptions],
) -> ExtractResult[Any]:
    """`extract`, for code that is not asynchronous.

    It runs in a thread with an event loop of its own, so it also works where a loop is running
    already, such as a notebook; it blocks until the result is there.
    """
    call = partial(
        extract,
        agent,
        conversation,
        until_tool_success=until_tool_success,
        until_tool=until_tool,
        **options,
    )
    with start_blocking_portal() as portal:
        return portal.call(call)


class Extract:
    """`extract`, for callers that want the value alone."""

    @staticmethod
    async def run(
        agent: Agent,
        state: Conversation,
        *,
        until_tool_success: Wanted | None = None,
        until_tool: Wanted | None = None,
        **options: Unpack[ExtractOptions],
    ) -> Any:
        """The value that the agent submitted.

        Raises:
            ExtractError: As `extract`.
        """
        result = await extract(
            agent, state, until_tool_success=until_tool_success, until_tool=until_tool, **options
        )
        return result.value
