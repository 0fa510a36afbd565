"""A chat model that records another one, and one that replays what was recorded."""

from collections.abc import Callable, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable, RunnableConfig
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import PrivateAttr
from typing_extensions import override

from agent_runtime._bind import thinks
from agent_runtime._schema_family import family_of
from agent_runtime.testing._cassette import Header, Player, Recorder, request_of

_SILENT: RunnableConfig = {"callbacks": []}
"""Tracers see the request to the outer model; to show the inner one too would count it twice."""

Tools = Sequence[dict[str, Any] | type | Callable[..., Any] | BaseTool]


class RecordingModel(BaseChatModel):
    """Passes requests on to a model, and keeps them and its replies in a cassette.

    A cassette holds messages, tools and replies: no addresses, headers or keys. What the model
    raises is passed on and not recorded. Replies come as a whole, also to one who streams.

    Raises:
        CassetteError: If there is a file at the path already, or it cannot be written.
    """

    bound: Any
    """The model that is recorded."""
    tools: tuple[dict[str, Any], ...] = ()
    tool_choice: Any = None
    _recorder: Recorder = PrivateAttr()

    def __init__(self, model: BaseChatModel, path: str | PathLike[str]) -> None:
        """Record `model` in a new file at `path`."""
        fields: dict[str, Any] = {"bound": model}
        super().__init__(**fields)
        header = Header(schema_family=family_of(model), thinking=thinks(model))
        self._recorder = Recorder(Path(path), header)

    @property
    def thinking(self) -> Any:
        """What the model says of its thinking, which decides whether a tool may be forced."""
        return getattr(self.bound, "thinking", None)

    @property
    @override
    def _llm_type(self) -> str:
        return "recording"

    @override
    def bind_tools(
        self, tools: Tools, *, tool_choice: str | None = None, **kwargs: Any
    ) -> Runnable[LanguageModelInput, AIMessage]:
        chosen = {} if tool_choice is None else {"tool_choice": tool_choice}
        bound = self.bound.bind_tools(tools, **chosen, **kwargs)
        described = tuple(convert_to_openai_tool(tool) for tool in tools)
        return self.model_copy(
            update={"bound": bound, "tools": described, "tool_choice": tool_choice}
        )

    @override
    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        reply = self.bound.invoke(messages, _SILENT, stop=stop, **kwargs)
        return self._recorded(messages, stop, reply)

    @override
    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        reply = await self.bound.ainvoke(messages, _SILENT, stop=stop, **kwargs)
        return self._recorded(messages, stop, reply)

    def _recorded(
        self, messages: list[BaseMessage], stop: list[str] | None, reply: AIMessage
    ) -> ChatResult:
        request = request_of(messages, self.tools, self.tool_choice, stop)
        self._recorder.record(request, reply)
        return _result(reply)


class ReplayModel(BaseChatModel):
    """Gives the replies of a cassette to the requests that they were given to, each once.

    A request is known by its messages, tools and choice of a tool, not by the ids of calls; so a
    run may be replayed in another order, as `extract_many` does.

    Raises:
        CassetteError: If there is no cassette at the path.
    """

    tools: tuple[dict[str, Any], ...] = ()
    tool_choice: Any = None
    _player: Player = PrivateAttr()

    def __init__(self, path: str | PathLike[str]) -> None:
        """Replay the file at `path`."""
        super().__init__()
        self._player = Player(Path(path))

    @property
    def schema_family(self) -> str:
        """The family of the model that was recorded: its tools are offered in the same form."""
        return self._player.header.schema_family

    @property
    def thinking(self) -> dict[str, Any] | None:
        """Whether the model that was recorded was thinking, and so was never forced."""
        return {"type": "enabled"} if self._player.header.thinking else None

    @property
    def remaining(self) -> int:
        """How many recorded replies were not given yet."""
        return self._player.remaining

    @property
    @override
    def _llm_type(self) -> str:
        return "replay"

    @override
    def bind_tools(
        self, tools: Tools, *, tool_choice: str | None = None, **kwargs: Any
    ) -> Runnable[LanguageModelInput, AIMessage]:
        described = tuple(convert_to_openai_tool(tool) for tool in tools)
        return self.model_copy(update={"tools": described, "tool_choice": tool_choice})

    @override
    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        request = request_of(messages, self.tools, self.tool_choice, stop)
        return _result(self._player.play(request))

    @override
    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return self._generate(messages, stop, **kwargs)


def _result(message: AIMessage) -> ChatResult:
    return ChatResult(generations=[ChatGeneration(message=message)])
