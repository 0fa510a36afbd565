"""Tools of the conformance suites that need several rounds: each asks, and is called again.

Revision 2026-07-28: a server that needs something of the client says so in its result, and the
client repeats the request with the answers, and with the state that the server gave it.
"""

from collections.abc import Callable, Mapping
from typing import Any

from mcp.server import ServerRequestContext
from mcp.types import (
    CallToolResult,
    CreateMessageRequest,
    CreateMessageRequestParams,
    ElicitRequest,
    ElicitRequestFormParams,
    GetPromptResult,
    InputRequiredResult,
    ListRootsRequest,
    PromptMessage,
    SamplingMessage,
    TextContent,
)

Answers = Mapping[str, Any]
Round = Callable[
    [ServerRequestContext[Any, Any], Answers, str | None], CallToolResult | InputRequiredResult
]


def asks_for(words: str, **fields: str) -> ElicitRequest:
    properties = {name: {"type": kind} for name, kind in fields.items()}
    schema = {"type": "object", "properties": properties, "required": list(fields)}
    return ElicitRequest(params=ElicitRequestFormParams(message=words, requested_schema=schema))


def asks_model(words: str, max_tokens: int) -> CreateMessageRequest:
    message = SamplingMessage(role="user", content=TextContent(type="text", text=words))
    params = CreateMessageRequestParams(messages=[message], max_tokens=max_tokens)
    return CreateMessageRequest(params=params)


def said(words: str) -> CallToolResult:
    return CallToolResult(content=[TextContent(type="text", text=words)])


def filled(answers: Answers, key: str, field: str) -> Any:
    """What a person filled in; None if the answer is missing, was declined or is no answer."""
    content = getattr(answers.get(key), "content", None)
    return content.get(field) if isinstance(content, Mapping) else None


NAME = asks_for("What is your name?", name="string")
OK = asks_for("Please confirm", ok="boolean")


def name(_: object, answers: Answers, __: str | None) -> CallToolResult | InputRequiredResult:
    given = filled(answers, "user_name", "name")
    if given is None:
        return InputRequiredResult(input_requests={"user_name": NAME})
    return said(f"Hello, {given}!")


def capital(_: object, answers: Answers, __: str | None) -> CallToolResult | InputRequiredResult:
    answer = answers.get("capital_question")
    if answer is None:
        question = asks_model("What is the capital of France?", 100)
        return InputRequiredResult(input_requests={"capital_question": question})
    return said(f"The model said: {getattr(answer.content, 'text', 'nothing')}")


def roots(_: object, answers: Answers, __: str | None) -> CallToolResult | InputRequiredResult:
    answer = answers.get("client_roots")
    if answer is None:
        return InputRequiredResult(input_requests={"client_roots": ListRootsRequest()})
    return said(f"Roots: {', '.join(str(root.uri) for root in answer.roots)}")


def confirmed(
    _: object, answers: Answers, state: str | None
) -> CallToolResult | InputRequiredResult:
    if state is None or filled(answers, "confirm", "ok") is None:
        return InputRequiredResult(input_requests={"confirm": OK}, request_state="asked")
    return said(f"state-ok: {state}")


def several(_: object, answers: Answers, state: str | None) -> CallToolResult | InputRequiredResult:
    asked: dict[str, Any] = {
        "user_name": NAME,
        "greeting": asks_model("Generate a greeting", 50),
        "client_roots": ListRootsRequest(),
    }
    if state is None or asked.keys() - answers.keys():
        return InputRequiredResult(input_requests=asked, request_state="asked for three")
    return said(f"Hello, {filled(answers, 'user_name', 'name')}!")


def steps(_: object, answers: Answers, state: str | None) -> CallToolResult | InputRequiredResult:
    if state is None:
        step = asks_for("Step 1: What is your name?", name="string")
        return InputRequiredResult(input_requests={"step1": step}, request_state="1")
    if state == "1":
        step = asks_for("Step 2: What is your favorite color?", color="string")
        named = f"2 {filled(answers, 'step1', 'name')}"
        return InputRequiredResult(input_requests={"step2": step}, request_state=named)
    return said(f"{state.removeprefix('2 ')} likes {filled(answers, 'step2', 'color')}")


def whatever_the_client_can(
    ctx: ServerRequestContext[Any, Any], answers: Answers, _: str | None
) -> CallToolResult | InputRequiredResult:
    can = ctx.session.client_capabilities
    asked: dict[str, Any] = {}
    if can is not None and can.elicitation is not None:
        asked["user_name"] = NAME
    if can is not None and can.sampling is not None:
        asked["greeting"] = asks_model("Generate a greeting", 50)
    if not asked or not (asked.keys() - answers.keys()):
        return said("done")
    return InputRequiredResult(input_requests=asked)


ROUNDS: Mapping[str, Round] = {
    "test_input_required_result_elicitation": name,
    "test_input_required_result_sampling": capital,
    "test_input_required_result_list_roots": roots,
    "test_input_required_result_request_state": confirmed,
    "test_input_required_result_tampered_state": confirmed,
    "test_input_required_result_multiple_inputs": several,
    "test_input_required_result_multi_round": steps,
    "test_input_required_result_capabilities": whatever_the_client_can,
}


def prompt_round(answers: Answers) -> GetPromptResult | InputRequiredResult:
    """The prompt that asks before it is given."""
    context = filled(answers, "user_context", "context")
    if context is None:
        asked = asks_for("What context should the prompt use?", context="string")
        return InputRequiredResult(input_requests={"user_context": asked})
    content = TextContent(type="text", text=f"Use this context: {context}")
    return GetPromptResult(messages=[PromptMessage(role="user", content=content)])
