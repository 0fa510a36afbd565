"""One extraction by each library, with models that answer at once from the same script."""

import importlib.util
import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import StructuredTool
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import BaseModel
from typing_extensions import override

from agent_runtime import Agent, extract, extract_many

Way = Callable[[], Awaitable[object]]


class Report(BaseModel):
    """A report."""

    title: str
    score: int


@dataclass(frozen=True)
class Case:
    name: str
    calls: tuple[tuple[str, dict[str, Any]], ...]
    """The call in each reply of the model: a tool, or `submit` for the submission."""


GOOD, BAD = ("submit", {"title": "a", "score": 1}), ("submit", {"title": "a", "score": "many"})
SEARCH = ("search", {"query": "x"})
CASES = [
    Case("one call", (GOOD,)),
    Case("three retries", (BAD, BAD, BAD, GOOD)),
    Case("ten tool rounds", (*[SEARCH] * 10, GOOD)),
]


async def search(query: str) -> str:
    """Search the documents."""
    return f"found {query}"


class Instant(BaseChatModel):
    """Answers at once: its reply is the one that follows those in the conversation."""

    calls: tuple[tuple[str, dict[str, Any]], ...]
    submit: str

    @property
    @override
    def _llm_type(self) -> str:
        return "instant"

    @override
    def bind_tools(self, tools: Any, *, tool_choice: Any = None, **kwargs: Any) -> Any:
        return self.bind(tools=[convert_to_openai_tool(tool) for tool in tools])

    @override
    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        turn = sum(isinstance(message, AIMessage) for message in messages)
        name, args = self.calls[turn]
        tool = self.submit if name == "submit" else name
        message = AIMessage("", tool_calls=[{"name": tool, "args": args, "id": f"call_{turn}"}])
        return ChatResult(generations=[ChatGeneration(message=message)])

    @override
    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return self._generate(messages)


def floor(case: Case) -> Way:
    """As many calls of the model and of the tools, and nothing else."""

    async def submit(title: str, score: int) -> str:
        """Submit the report."""
        return f"accepted {title}, {score}"

    tools = {
        "search": StructuredTool.from_function(coroutine=search),
        "submit": StructuredTool.from_function(coroutine=submit),
    }
    model = Instant(calls=case.calls, submit="submit")
    bound = model.bind_tools([*tools.values()])

    async def run() -> None:
        messages: list[BaseMessage] = [HumanMessage("go")]
        for _ in case.calls:
            reply = await bound.ainvoke(messages)
            (call,) = reply.tool_calls
            # A bad submission would raise here; the floor calls the tool with good arguments.
            args = GOOD[1] if call["name"] == "submit" else call["args"]
            messages += [reply, await tools[call["name"]].ainvoke({**call, "args": args})]

    return run


def ours(case: Case) -> Way:
    agent = Agent(model=Instant(calls=case.calls, submit="submit_report"), tools=[search])

    async def run() -> None:
        result = await extract(agent, "go", until_tool_success=Report, max_runs=12)
        assert result.value.score == 1
        check(case, result.messages)

    return run


async def ours_many(case: Case, items: int, concurrency: int) -> None:
    agent = Agent(model=Instant(calls=case.calls, submit="submit_report"), tools=[search])
    outcomes = await extract_many(
        agent, ["go"] * items, until_tool_success=Report, concurrency=concurrency, max_runs=12
    )
    assert all(outcome.unwrap().score == 1 for outcome in outcomes)


def check(case: Case, messages: Sequence[BaseMessage]) -> None:
    """Make sure that the tools were really run."""
    answers = [message.text for message in messages if message.type == "tool"]
    assert answers.count("found x") == case.calls.count(SEARCH)


def create_agent(case: Case) -> Way:
    from langchain.agents import create_agent  # noqa: PLC0415 -- only where it is installed
    from langchain.agents.structured_output import (  # noqa: PLC0415 -- likewise
        ToolStrategy,
    )

    agent = create_agent(
        Instant(calls=case.calls, submit="Report"),
        [search],
        response_format=ToolStrategy(Report),
    )

    async def run() -> None:
        state = await agent.ainvoke({"messages": [HumanMessage("go")]})
        assert state["structured_response"].score == 1
        check(case, state["messages"])

    return run


def pydantic_ai(case: Case) -> Way:
    from pydantic_ai import Agent as Peer  # noqa: PLC0415 -- only where it is installed
    from pydantic_ai.messages import (  # noqa: PLC0415 -- likewise
        ModelMessage,
        ModelResponse,
        ToolCallPart,
    )
    from pydantic_ai.models.function import AgentInfo, FunctionModel  # noqa: PLC0415 -- likewise

    def reply(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        turn = sum(isinstance(message, ModelResponse) for message in messages)
        name, args = case.calls[turn]
        tool = info.output_tools[0].name if name == "submit" else name
        return ModelResponse(parts=[ToolCallPart(tool, args)])

    agent = Peer(FunctionModel(reply), output_type=Report, tools=[search], retries=5)

    async def run() -> None:
        assert (await agent.run("go")).output.score == 1

    return run


def instructor(case: Case) -> Way:
    """Without tools beside the submission; its model is a bare function, not one of langchain."""
    from instructor import from_litellm  # noqa: PLC0415 -- only where it is installed
    from openai.types.chat import ChatCompletion  # noqa: PLC0415 -- likewise

    replies = [
        ChatCompletion.model_validate(
            {
                "id": "reply",
                "object": "chat.completion",
                "created": 0,
                "model": "instant",
                "choices": [{"index": 0, "finish_reason": "tool_calls", "message": _calls(args)}],
            }
        )
        for _, args in case.calls
    ]

    async def reply(*_: Any, messages: list[dict[str, Any]], **__: Any) -> ChatCompletion:
        return replies[sum(message["role"] == "assistant" for message in messages)]

    client: Any = from_litellm(reply)

    async def run() -> None:
        report = await client.chat.completions.create(
            model="instant",
            messages=[{"role": "user", "content": "go"}],
            response_model=Report,
            max_retries=5,
        )
        assert report.score == 1

    return run


def _calls(args: dict[str, Any]) -> dict[str, Any]:
    """The message of OpenAI's format that submits a report."""
    function = {"name": "Report", "arguments": json.dumps(args)}
    calls = [{"id": "call", "type": "function", "function": function}]
    return {"role": "assistant", "content": None, "tool_calls": calls}


def available(case: Case) -> dict[str, Way]:
    ways = {"floor": floor(case), "agent-runtime": ours(case)}
    if importlib.util.find_spec("langchain") is not None:
        ways["create_agent"] = create_agent(case)
    if importlib.util.find_spec("pydantic_ai") is not None:
        ways["pydantic-ai"] = pydantic_ai(case)
    if importlib.util.find_spec("instructor") is not None and SEARCH not in case.calls:
        ways["instructor"] = instructor(case)
    return ways
