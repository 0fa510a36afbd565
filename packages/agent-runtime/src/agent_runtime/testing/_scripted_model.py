"""A chat model that follows a script, and records what it was asked."""

import inspect
import json
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, UsageMetadata
from langchain_core.messages.tool import tool_call_chunk
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import PrivateAttr
from typing_extensions import override

from agent_runtime.testing._script import Entry, Reply, message_of

_CHUNK_CHARACTERS = 8


class ScriptExhaustedError(AssertionError):
    """The model was called more often than the script has replies."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRequest:
    """One request that a `ScriptedModel` got."""

    messages: tuple[BaseMessage, ...]
    tools: tuple[dict[str, Any], ...]
    """The tools that were bound, in the form of OpenAI's interface."""
    tool_choice: str | None

    @property
    def tool_names(self) -> tuple[str, ...]:
        """The names of the tools that were bound."""
        return tuple(tool["function"]["name"] for tool in self.tools)


class ScriptedModel(BaseChatModel):
    """A chat model for tests: it gives the replies of its script, one for each request.

    It works sync and async, and streams in small chunks; token counts are the words read and
    written, the same in every run.

    Example:
        >>> from agent_runtime.testing import call
        >>> model = ScriptedModel(["hello", call("submit_result", {"title": "a"})])
        >>> model.invoke("hi").content
        'hello'
        >>> len(model.requests), model.remaining
        (1, 1)
    """

    model_name: str = "scripted"
    """The name that replies carry; empty for a model that does not give its name."""
    report_usage: bool = True
    """Whether replies carry token counts."""
    script: list[Any]
    """What is left of the script."""
    _requests: list[ModelRequest] = PrivateAttr(default_factory=list[ModelRequest])

    def __init__(self, script: Iterable[Entry], **fields: Any) -> None:
        """A model that follows `script`."""
        everything: dict[str, Any] = {**fields, "script": list(script)}
        super().__init__(**everything)

    @property
    def requests(self) -> Sequence[ModelRequest]:
        """Every request, in order."""
        return tuple(self._requests)

    @property
    def remaining(self) -> int:
        """How many replies the script has left."""
        return len(self.script)

    @property
    @override
    def _llm_type(self) -> str:
        return "scripted"

    @override
    def bind_tools(
        self,
        tools: Sequence[dict[str, Any] | type | Callable[..., Any] | BaseTool],
        *,
        tool_choice: str | None = None,
        **kwargs: Any,
    ) -> Runnable[LanguageModelInput, AIMessage]:
        # The annotation matters: without it `with_fallbacks` would lose the fallbacks on binding.
        described = [convert_to_openai_tool(tool) for tool in tools]
        return self.bind(tools=described, tool_choice=tool_choice, **kwargs)

    @override
    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return _result(self._reply(messages, self._next(messages, kwargs)))

    @override
    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return _result(await self._areply(messages, kwargs))

    @override
    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        # The caller in langchain-core tells the handlers of each token.
        yield from _chunks(self._reply(messages, self._next(messages, kwargs)))

    @override
    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[ChatGenerationChunk]:
        for chunk in _chunks(await self._areply(messages, kwargs)):
            yield chunk

    def _next(self, messages: list[BaseMessage], bound: dict[str, Any]) -> Any:
        """Record the request and take the next reply from the script."""
        self._requests.append(
            ModelRequest(
                messages=tuple(messages),
                tools=tuple(bound.get("tools", ())),
                tool_choice=bound.get("tool_choice"),
            )
        )
        if not self.script:
            last = str(messages[-1].text)[:200] if messages else ""
            raise ScriptExhaustedError(
                f"the script has no reply left for request {len(self._requests)}, "
                f"whose last message is {last!r}"
            )
        entry = self.script.pop(0)
        return entry(tuple(messages)) if callable(entry) else entry

    async def _areply(self, messages: list[BaseMessage], bound: dict[str, Any]) -> AIMessage:
        reply = self._next(messages, bound)
        return self._reply(messages, await reply if inspect.isawaitable(reply) else reply)

    def _reply(self, messages: list[BaseMessage], reply: Reply) -> AIMessage:
        message = message_of(reply)
        if self.model_name:
            message.response_metadata = {
                "model_name": self.model_name,
                **message.response_metadata,
            }
        if self.report_usage and message.usage_metadata is None:
            message.usage_metadata = _usage(messages, message)
        return message


def _result(message: AIMessage) -> ChatResult:
    return ChatResult(generations=[ChatGeneration(message=message)])


def _usage(messages: Sequence[BaseMessage], reply: AIMessage) -> UsageMetadata:
    read = sum(_words(message) for message in messages)
    written = _words(reply)
    return UsageMetadata(input_tokens=read, output_tokens=written, total_tokens=read + written)


def _words(message: BaseMessage) -> int:
    calls = json.dumps(message.tool_calls) if isinstance(message, AIMessage) else ""
    return max(1, len(f"{message.text} {calls}".split()))


def _chunks(message: AIMessage) -> Iterator[ChatGenerationChunk]:
    """The message in small pieces; the last one carries usage and metadata."""
    text = str(message.text)
    for piece in _pieces(text):
        yield ChatGenerationChunk(message=AIMessageChunk(content=piece, id=message.id))
    calls = [
        *((each["name"], json.dumps(each["args"]), each["id"]) for each in message.tool_calls),
        *((each["name"], each["args"] or "", each["id"]) for each in message.invalid_tool_calls),
    ]
    for index, (name, args, own_id) in enumerate(calls):
        for number, piece in enumerate(_pieces(args) or [""]):
            first = number == 0
            chunk = tool_call_chunk(
                name=name if first else None, args=piece, id=own_id if first else None, index=index
            )
            yield ChatGenerationChunk(
                message=AIMessageChunk(content="", id=message.id, tool_call_chunks=[chunk])
            )
    yield ChatGenerationChunk(
        message=AIMessageChunk(
            content="",
            id=message.id,
            usage_metadata=message.usage_metadata,
            response_metadata=cast("dict[str, Any]", message.response_metadata),
            additional_kwargs=message.additional_kwargs,
            chunk_position="last",
        )
    )


def _pieces(text: str) -> list[str]:
    return [text[at : at + _CHUNK_CHARACTERS] for at in range(0, len(text), _CHUNK_CHARACTERS)]
