"""The fake model is a chat model like any other."""

from collections.abc import Sequence
from typing import Any

import anyio.to_thread
import pytest
from langchain_core.callbacks import AsyncCallbackHandler, BaseCallbackHandler
from langchain_core.language_models import FakeListChatModel
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    BaseMessage,
    HumanMessage,
    ToolMessage,
)
from langchain_core.tools import tool
from typing_extensions import override

from agent_runtime import Agent, ProviderError, extract
from agent_runtime.testing import (
    ModelRequestForbiddenError,
    ScriptedModel,
    ScriptExhaustedError,
    call,
    forbid_model_requests,
)

pytestmark = pytest.mark.anyio


@tool
def search(query: str) -> str:
    """Search."""
    return query


async def test_a_script_is_followed_sync_and_async() -> None:
    model = ScriptedModel(["one", AIMessage("two"), call("search", {"query": "x"}, call_id="1")])
    assert model.invoke("a").content == "one"
    assert (await model.ainvoke("b")).content == "two"
    third = await model.bind_tools([search], tool_choice="search").ainvoke("c")
    assert third.tool_calls == [
        {"name": "search", "args": {"query": "x"}, "id": "1", "type": "tool_call"}
    ]
    assert [request.messages[-1].text for request in model.requests] == ["a", "b", "c"]
    assert [request.tool_choice for request in model.requests] == [None, None, "search"]
    assert model.requests[2].tool_names == ("search",)
    assert model.remaining == 0


async def test_the_same_script_reports_the_same_usage_and_its_name() -> None:
    replies = [await ScriptedModel(["two words"]).ainvoke("three more words") for _ in range(2)]
    assert replies[0].usage_metadata == replies[1].usage_metadata
    assert replies[0].usage_metadata == {"input_tokens": 3, "output_tokens": 3, "total_tokens": 6}
    assert replies[0].response_metadata["model_name"] == "scripted"


async def test_a_function_reacts_to_the_answers_so_far() -> None:
    def react(messages: Sequence[BaseMessage]) -> Any:
        last = messages[-1]
        return f"heard {last.text}" if isinstance(last, ToolMessage) else call("search")

    async def react_later(messages: Sequence[BaseMessage]) -> Any:
        return react(messages)

    model = ScriptedModel([react, react_later])
    assert model.invoke("x").tool_calls[0]["name"] == "search"
    reply = await model.ainvoke([HumanMessage("x"), ToolMessage("a", tool_call_id="1")])
    assert reply.content == "heard a"


async def test_an_exception_in_the_script_is_raised() -> None:
    model = ScriptedModel([ConnectionError("gone"), ConnectionError("gone")])
    with pytest.raises(ConnectionError):
        model.invoke("x")
    with pytest.raises(ConnectionError):
        await model.ainvoke("x")


async def test_what_is_no_reply_is_refused() -> None:
    for nonsense in (3, [call("a"), "b"], []):
        with pytest.raises(TypeError, match="no reply"):
            ScriptedModel([nonsense]).invoke("x")  # pyright: ignore[reportArgumentType] -- that is the point


async def test_a_script_that_has_ended_says_which_request_was_too_many() -> None:
    model = ScriptedModel(["one"])
    model.invoke("a")
    with pytest.raises(ScriptExhaustedError, match="request 2, whose last message is 'b'"):
        model.invoke("b")


class Tokens(AsyncCallbackHandler):
    def __init__(self) -> None:
        self.tokens: list[object] = []

    @override
    async def on_llm_new_token(self, token: object, **kwargs: Any) -> None:
        self.tokens.append(token)


class SyncTokens(BaseCallbackHandler):
    def __init__(self) -> None:
        self.tokens: list[object] = []

    @override
    def on_llm_new_token(self, token: object, **kwargs: Any) -> None:
        self.tokens.append(token)


def chunked() -> ScriptedModel:
    broken = AIMessage(
        "thinking about it",
        tool_calls=[{"name": "search", "args": {"query": "x" * 30}, "id": "1"}],
        invalid_tool_calls=[
            {"name": "search", "args": "oops", "id": "2", "error": "", "type": "invalid_tool_call"}
        ],
    )
    return ScriptedModel([broken, call("finish", {})])


async def test_a_stream_adds_up_to_the_reply() -> None:
    for asynchronous in (True, False):
        handler, later = SyncTokens(), Tokens()
        model = chunked()
        if asynchronous:
            chunks = [c async for c in model.astream("x", {"callbacks": [later]})]
        else:
            chunks = list(model.stream("x", {"callbacks": [handler]}))
        assert len(chunks) > 8
        whole = chunks[0]
        for chunk in chunks[1:]:
            whole += chunk
        assert isinstance(whole, AIMessageChunk)
        assert whole.content == "thinking about it"
        assert whole.tool_calls[0]["args"] == {"query": "x" * 30}
        assert whole.invalid_tool_calls[0]["args"] == "oops"
        assert whole.usage_metadata is not None
        assert whole.response_metadata["model_name"] == "scripted"
        assert "".join(map(str, handler.tokens + later.tokens)) == "thinking about it"
    last = [chunk async for chunk in ScriptedModel([call("finish")]).astream("x")]
    assert last[0].tool_call_chunks[0]["name"] == "finish"


async def test_forbidden_requests_are_refused_and_scripted_ones_are_not() -> None:
    real = FakeListChatModel(responses=["x", "x", "x", "x"])
    with forbid_model_requests():
        assert ScriptedModel(["fine"]).invoke("x").content == "fine"
        with pytest.raises(ModelRequestForbiddenError, match="fake-list-chat-model"):
            real.invoke("x")
        with pytest.raises(ModelRequestForbiddenError):
            await real.ainvoke("x", {"callbacks": [SyncTokens()]})
        with pytest.raises(ModelRequestForbiddenError):
            await anyio.to_thread.run_sync(real.invoke, "x")
    assert real.invoke("x").content == "x"


async def test_a_forbidden_request_in_a_run_is_told_by_its_error() -> None:
    class Bindable(FakeListChatModel):
        @override
        def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
            return self

    agent = Agent(model=Bindable(responses=["x"]), tools=[search])
    with forbid_model_requests(), pytest.raises(ProviderError, match="ScriptedModel"):
        await extract(agent, "go", until_tool="search", callbacks=[SyncTokens()])
