"""Questions to the person at a client, in both eras, by the official client."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import pytest
from mcp import Client, MCPError
from mcp.client import ClientRequestContext
from mcp.client.session import ElicitationFnT
from mcp.server import Server
from mcp.types import (
    ElicitRequestFormParams,
    ElicitRequestParams,
    ElicitResult,
    InputRequiredResult,
)

from tercet import (
    CallContext,
    ObjectRegistry,
    PermissionDeniedError,
    Question,
    ToolRegistry,
    program_tool,
    tool,
)
from tercet.mcp import serve

pytestmark = pytest.mark.anyio

NAME = {"name": {"type": "string", "minLength": 2}}


class Desk:
    """Tools that ask, and what they have done."""

    def __init__(self) -> None:
        self.done: list[str] = []
        self.wording = "Delete it?"
        desk = self

        @tool(app="desk", kind="test", effect="write")
        async def delete(context: CallContext, what: str) -> str:
            """Delete something once a person says so."""
            if not await context.confirm(f"{desk.wording} ({what})"):
                raise PermissionDeniedError("the person said no")
            desk.done.append(what)
            return what

        @tool(app="desk", kind="test", effect="write")
        async def greet(context: CallContext) -> str:
            """Ask for a name, then whether to use it."""
            reply = await context.ask(
                Question(key="name", message="Your name?", fields=NAME, required=("name",))
            )
            if not reply.accepted:
                return "nobody"
            name = reply.content["name"]
            return name if await context.confirm(f"Greet {name}?") else "declined"

        self.registry = ToolRegistry([delete, greet], objects=ObjectRegistry())
        self.registry.register_tool(program_tool(self.registry))


@pytest.fixture
def desk() -> Desk:
    return Desk()


class Person:
    """Answers questions, and remembers them."""

    def __init__(self, *answers: ElicitResult | Mapping[str, Any]) -> None:
        self._answers = list(answers)
        self.asked: list[str] = []

    async def __call__(
        self, context: ClientRequestContext, params: ElicitRequestParams
    ) -> ElicitResult:
        del context
        assert isinstance(params, ElicitRequestFormParams)
        self.asked.append(params.message)
        answer = self._answers.pop(0)
        if isinstance(answer, ElicitResult):
            return answer
        return ElicitResult(action="accept", content=dict(answer))


YES, NO = {"confirm": True}, ElicitResult(action="decline")
MODES = ["auto", "legacy"]


@asynccontextmanager
async def asked_by(
    server: Server[Any], person: ElicitationFnT | None, mode: Any = "auto"
) -> AsyncGenerator[Client]:
    async with Client(server, mode=mode, elicitation_callback=person) as client:
        yield client


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("answer", "done"),
    [
        (YES, ["a"]),
        (NO, []),
        (ElicitResult(action="cancel"), []),
        ({"confirm": False}, []),
    ],
    ids=["yes", "no", "put away", "not ticked"],
)
async def test_only_a_yes_is_a_yes(desk: Desk, mode: str, answer: Any, done: list[str]) -> None:
    person = Person(answer)
    async with asked_by(serve(desk.registry), person, mode) as client:
        result = await client.call_tool("delete", {"what": "a"})
    assert person.asked == ["Delete it? (a)"]
    assert desk.done == done
    assert result.is_error == (not done)


@pytest.mark.parametrize("mode", MODES)
async def test_one_question_may_follow_another(desk: Desk, mode: str) -> None:
    person = Person({"name": "Ada"}, YES)
    async with asked_by(serve(desk.registry), person, mode) as client:
        result = await client.call_tool("greet", {})
    assert person.asked == ["Your name?", "Greet Ada?"]
    assert result.structured_content["data"]["result"] == "Ada"


@pytest.mark.parametrize("mode", MODES)
async def test_what_does_not_fit_the_form_is_an_error_of_the_call(desk: Desk, mode: str) -> None:
    async with asked_by(serve(desk.registry), Person({"name": "A"}), mode) as client:
        result = await client.call_tool("greet", {})
    assert result.is_error
    assert result.structured_content["error_code"] == "INVALID_INPUT"
    assert result.structured_content["details"][0]["pointer"] == "/name"


@pytest.mark.parametrize("mode", MODES)
async def test_where_nobody_can_be_asked_the_call_says_so(desk: Desk, mode: str) -> None:
    async with asked_by(serve(desk.registry), None, mode) as client:
        result = await client.call_tool("delete", {"what": "a"})
    assert result.structured_content["error_code"] == "UNAVAILABLE"
    assert desk.done == []


async def test_a_call_in_this_process_has_nobody_to_ask(desk: Desk) -> None:
    assert not CallContext().can_ask
    answer = await desk.registry.call_tool("delete", {"what": "a"})
    assert answer.status == "error"
    assert answer.error_code == "UNAVAILABLE"


async def test_a_program_does_not_ask_so_that_no_step_is_done_twice(desk: Desk) -> None:
    steps = [{"tool": "delete", "arguments": {"what": "a"}}]
    async with asked_by(serve(desk.registry), Person()) as client:
        result = await client.call_tool("run_program", {"steps": steps})
    assert result.structured_content["error_code"] == "UNAVAILABLE"


async def first_round(client: Client, what: str = "a") -> InputRequiredResult:
    asked = await client.session.call_tool("delete", {"what": what}, allow_input_required=True)
    assert isinstance(asked, InputRequiredResult)
    return asked


def accepted(*keys: str) -> Any:
    return {key: ElicitResult(action="accept", content=dict(YES)) for key in keys}


async def again(client: Client, what: str, state: str | None, *keys: str) -> Any:
    return await client.session.call_tool(
        "delete",
        {"what": what},
        input_responses=accepted(*keys),
        request_state=state,
        allow_input_required=True,
    )


async def test_an_answer_to_no_question_is_none(desk: Desk) -> None:
    async with asked_by(serve(desk.registry), Person()) as client:
        result = await again(client, "a", None, "confirm")
        assert isinstance(result, InputRequiredResult)
    assert desk.done == []


@pytest.mark.parametrize("spoil", ["changed", "made up"])
async def test_a_state_that_is_not_the_servers_own_is_refused(desk: Desk, spoil: str) -> None:
    async with asked_by(serve(desk.registry), Person()) as client:
        asked = await first_round(client)
        assert asked.request_state is not None
        changed = f"{asked.request_state[:-4]}AAAA"
        made_up = '{"asked": {"confirm": "made up"}, "answers": {}}'
        state = changed if spoil == "changed" else made_up
        with pytest.raises(MCPError) as caught:
            await again(client, "a", state, "confirm")
        assert caught.value.code == -32602
    assert desk.done == []


async def test_a_yes_to_one_call_is_none_to_another(desk: Desk) -> None:
    async with asked_by(serve(desk.registry), Person()) as client:
        asked = await first_round(client, "a")
        with pytest.raises(MCPError):
            await again(client, "b", asked.request_state, "confirm")
    assert desk.done == []


async def test_a_yes_of_one_caller_is_none_of_another(desk: Desk) -> None:
    name = ["ada"]
    server = serve(desk.registry, context_of=lambda _: CallContext(tenant="lab", subject=name[0]))
    async with asked_by(server, Person()) as client:
        asked = await first_round(client)
        name[0] = "eve"
        with pytest.raises(MCPError):
            await again(client, "a", asked.request_state, "confirm")
    assert desk.done == []


async def test_a_yes_to_what_is_another_question_by_now_is_asked_anew(desk: Desk) -> None:
    async with asked_by(serve(desk.registry), Person()) as client:
        asked = await first_round(client)
        desk.wording = "Delete it, and all its copies?"
        result = await again(client, "a", asked.request_state, "confirm")
        assert isinstance(result, InputRequiredResult)
        assert desk.done == []
        result = await again(client, "a", result.request_state, "confirm")
        assert result.structured_content["data"]["result"] == "a"
    assert desk.done == ["a"]


async def test_processes_with_the_same_key_take_each_others_rounds(desk: Desk) -> None:
    keys = [b"k" * 32]
    async with asked_by(serve(desk.registry, state_keys=keys), Person()) as client:
        asked = await first_round(client)
    async with asked_by(serve(desk.registry, state_keys=[b"n" * 32, *keys]), Person()) as client:
        result = await again(client, "a", asked.request_state, "confirm")
        assert result.structured_content["data"]["result"] == "a"
    async with asked_by(serve(desk.registry), Person()) as client:
        with pytest.raises(MCPError):
            await again(client, "a", asked.request_state, "confirm")
