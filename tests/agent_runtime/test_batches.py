"""Several calls in one reply: each is answered, in order, and executed as declared."""

from collections.abc import Sequence

import pytest
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.tools import ToolException

from agent_runtime import Agent, ExtractResult, extract
from agent_runtime.testing import Entry, ScriptedCall, ScriptedModel, call

pytestmark = pytest.mark.anyio

GOOD = call("submit_result", {"title": "good"})
BAD = call("submit_result", {"title": "bad"})


class Desk:
    """Two tools that write down in which order they ran."""

    def __init__(self) -> None:
        self.log: list[str] = []

    def submit_result(self, title: str) -> tuple[str, str]:
        """Submit the result."""
        self.log.append(f"submit {title}")
        if title == "bad":
            raise ToolException("the title is bad")
        return f"saved {title}", title.upper()

    def search(self, query: str) -> str:
        """Search the documents."""
        self.log.append(f"search {query}")
        if query == "fail":
            raise ToolException("the index is down")
        return f"found {query}"


async def run(desk: Desk, *script: Entry, **options: object) -> ExtractResult[str]:
    agent = Agent(model=ScriptedModel(script), tools=[desk.search, desk.submit_result])
    return await extract(agent, "go", until_tool_success="submit_result", **options)  # pyright: ignore[reportCallIssue, reportArgumentType] -- options vary


def answers(result: ExtractResult[str]) -> list[str]:
    return [str(m.text) for m in result.messages if isinstance(m, ToolMessage)]


async def test_a_bad_submission_beside_another_call_is_corrected() -> None:
    desk = Desk()
    result = await run(desk, [call("search", {"query": "x"}), BAD], GOOD)
    assert result.value == "GOOD"
    assert answers(result) == ["found x", "the title is bad", "saved good"]


@pytest.mark.parametrize(
    ("batch", "log"),
    [([BAD, GOOD], ["submit bad", "submit good"]), ([GOOD, BAD], ["submit good"])],
)
async def test_the_first_good_submission_wins_and_each_call_is_answered(
    batch: Sequence[ScriptedCall], log: list[str]
) -> None:
    desk = Desk()
    result = await run(desk, batch)
    assert (result.value, desk.log) == ("GOOD", log)
    reply = result.messages[1]
    assert isinstance(reply, AIMessage)
    ids = [m.tool_call_id for m in result.messages if isinstance(m, ToolMessage)]
    assert ids == [c["id"] for c in reply.tool_calls]


async def test_a_submission_after_the_accepted_one_is_not_executed() -> None:
    desk = Desk()
    result = await run(desk, [GOOD, GOOD])
    assert desk.log == ["submit good"]
    assert "not executed" in answers(result)[1]
    assert [w.kind for w in result.warnings] == ["duplicate_target_call"]
    assert len(result.attempts) == 1


async def test_a_failing_sibling_does_not_undo_the_value_and_is_not_lost() -> None:
    desk = Desk()
    result = await run(desk, [GOOD, call("search", {"query": "fail"})])
    assert result.value == "GOOD"
    assert desk.log == ["submit good", "search fail"]
    assert [str(w) for w in result.warnings] == ["search failed: the index is down"]
    assert result.warnings[0].kind == "sibling_error"


async def test_an_unknown_tool_beside_a_submission_is_a_warning_like_any_failing_sibling() -> None:
    result = await run(Desk(), [call("serach"), GOOD])
    assert result.value == "GOOD"
    assert [w.kind for w in result.warnings] == ["sibling_error"]


async def test_under_require_all_ok_a_failing_sibling_holds_the_submission_back() -> None:
    desk = Desk()
    batch = [GOOD, call("search", {"query": "fail"})]
    result = await run(desk, batch, GOOD, batch_policy="require_all_ok")
    # Held back, not made and undone: the body ran once.
    assert desk.log == ["search fail", "submit good"]
    assert answers(result)[0].startswith("not executed: search failed")
    assert answers(result)[1:] == ["the index is down", "saved good"]
    assert result.model_calls == 2


async def test_under_require_all_ok_good_siblings_let_the_submission_pass() -> None:
    desk = Desk()
    batch = [GOOD, call("search", {"query": "x"})]
    result = await run(desk, batch, batch_policy="require_all_ok")
    assert desk.log == ["search x", "submit good"]
    assert answers(result) == ["saved good", "found x"]


async def test_an_unknown_tool_is_answered_with_the_nearest_name() -> None:
    desk = Desk()
    result = await run(desk, call("serach", {"query": "x"}), GOOD)
    assert 'did you mean "search"?' in answers(result)[0]
    assert "search, submit_result" in answers(result)[0]
    assert result.value == "GOOD"


async def test_an_unknown_tool_that_resembles_nothing_is_answered_with_a_bounded_list() -> None:
    def tool_named(name: str) -> object:
        def tool(text: str) -> str:
            """Do something."""
            return text

        tool.__name__ = name
        return tool

    tools = [tool_named(f"tool_{n}") for n in range(40)]
    model = ScriptedModel([call("xyz"), call("tool_3", {"text": "a"})])
    agent = Agent(model=model, tools=tools)  # pyright: ignore[reportArgumentType] -- functions made above
    result = await extract(agent, "go", until_tool_success="tool_3")
    answer = result.messages[2].text
    assert "did you mean" not in answer
    assert "tool_29 and 10 more" in answer


async def test_arguments_that_are_no_json_are_answered_and_recorded() -> None:
    desk = Desk()
    result = await run(desk, [call("submit_result", '{"title": '), call("search", "x")], GOOD)
    assert desk.log == ["submit good"]
    assert [a.outcome for a in result.attempts] == ["unparsable", "accepted"]
    assert result.attempts[0].raw_args == '{"title": '
    assert "not a JSON object" in answers(result)[0]
    assert result.value == "GOOD"


async def test_a_call_without_arguments_has_empty_arguments() -> None:
    def finish(note: str = "none") -> str:
        """Finish."""
        return note

    for args in ({}, "", "null"):
        model = ScriptedModel([call("finish", args)])
        result = await extract(Agent(model=model, tools=[finish]), "go", until_tool="finish")
        assert (result.value, result.raw_args) == ({"note": "none"}, {})
        assert result.messages[1].invalid_tool_calls == []  # pyright: ignore[reportAttributeAccessIssue] -- a reply


async def test_ids_used_again_in_a_later_turn_lead_to_the_arguments_of_that_turn() -> None:
    first = call("submit_result", {"title": "bad"}, call_id="call_0")
    second = call("submit_result", {"title": "good"}, call_id="call_0")
    result = await run(Desk(), first, second)
    assert (result.value, result.args) == ("GOOD", {"title": "good"})


async def test_calls_without_an_id_of_their_own_get_one() -> None:
    calls = [
        {"name": "search", "args": {"query": "x"}, "id": "same"},
        {"name": "search", "args": {"query": "y"}, "id": "same"},
        {"name": "submit_result", "args": {"title": "good"}, "id": None},
    ]
    result = await run(Desk(), AIMessage("", tool_calls=calls))
    ids = [m.tool_call_id for m in result.messages if isinstance(m, ToolMessage)]
    assert len(set(ids)) == 3
    assert answers(result) == ["found x", "found y", "saved good"]


async def test_of_two_targets_in_one_reply_the_first_in_call_order_is_the_value() -> None:
    def submit_other(title: str) -> str:
        """Submit another result."""
        desk.log.append(f"other {title}")
        return title

    desk = Desk()
    model = ScriptedModel([[call("submit_other", {"title": "first"}), GOOD]])
    agent = Agent(model=model, tools=[desk.submit_result, submit_other])
    result = await extract(agent, "go", until_tool_success=["submit_result", "submit_other"])
    assert (result.tool_name, result.value) == ("submit_other", {"title": "first"})
    assert desk.log == ["other first"]
