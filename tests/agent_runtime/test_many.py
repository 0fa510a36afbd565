"""Many extractions: an outcome each, in order, resumable, none disturbing the others."""

import json
import os
from pathlib import Path
from typing import Any

import anyio
import anyio.lowlevel
import pytest
from clerk import Clerk, Visit, values, visit
from typing_extensions import override

from agent_runtime import (
    Agent,
    AttemptsExhaustedError,
    ExtractError,
    InvalidOptionsError,
    ItemOutcome,
    JournalError,
    Progress,
    ProviderError,
    State,
    TargetNotFoundError,
    extract_many,
)
from agent_runtime.testing import ScriptedModel, call

pytestmark = pytest.mark.anyio


async def test_each_item_has_a_value_or_a_typed_error_in_order() -> None:
    outcomes = await Clerk().visits(["Ada", "broken", "vague", "Bo", [], "Cy"], concurrency=2)
    assert [outcome.index for outcome in outcomes] == list(range(6))
    assert values(outcomes) == [visit("Ada"), None, None, visit("Bo"), None, visit("Cy")]
    errors = [type(outcome.error) for outcome in outcomes if outcome.error]
    assert errors == [ProviderError, AttemptsExhaustedError, InvalidOptionsError]
    assert outcomes[0].result is not None
    assert outcomes[0].result.model_calls == 1
    assert outcomes[0].unwrap() == visit("Ada")
    with pytest.raises(ExtractError, match="the line is down"):
        outcomes[1].unwrap()


async def test_no_items_have_no_outcomes() -> None:
    assert await Clerk().visits([]) == []


async def test_any_number_may_be_allowed_to_run_at_a_time() -> None:
    with anyio.fail_after(20):
        outcomes = await Clerk().visits(["Ada", "Bo"], concurrency=10**12)
    assert values(outcomes) == [visit("Ada"), visit("Bo")]


@pytest.mark.parametrize("concurrency", [1, 3, 50])
async def test_at_most_as_many_run_at_a_time_as_declared(concurrency: int) -> None:
    running, most, full = 0, 0, anyio.Event()
    expected = min(concurrency, 7)

    async def submit(name: str, day: str) -> str:
        """Submit."""
        nonlocal running, most
        running += 1
        most = max(most, running)
        if running == expected:
            full.set()
        await full.wait()
        running -= 1
        return name + day

    clerk = Clerk(tools=[submit])
    with anyio.fail_after(10):
        outcomes = await extract_many(
            clerk.agent, map(str, range(7)), until_tool_success="submit", concurrency=concurrency
        )
    assert [outcome.unwrap()["name"] for outcome in outcomes] == list("0123456")
    assert most == expected


@pytest.mark.parametrize(
    ("conversations", "options"),
    [
        (["a"], {}),
        (["a"], {"until_tool_success": "submit", "until_tool": "submit"}),
        (["a"], {"until_tool_success": Visit, "max_runs": 0}),
        (["a"], {"until_tool_success": Visit, "concurrency": 0}),
        (["a"], {"until_tool_success": Visit, "concurrency": True}),
        (["a"], {"until_tool_success": Visit, "concurrency": 1.5}),
        (["a"], {"until_tool_success": Visit, "journal": 3}),
        (["a"], {"until_tool_success": Visit, "codec": json}),
        (["a"], {"until_tool_success": Visit, "on_progress": 3}),
        ("text", {"until_tool_success": Visit}),
        (State(["text"]), {"until_tool_success": Visit}),
        (3, {"until_tool_success": Visit}),
    ],
)
async def test_options_that_cannot_be_used_are_refused_before_anything_is_run(
    conversations: Any, options: Any, tmp_path: Path
) -> None:
    given: dict[str, Any] = {"journal": tmp_path / "j", **options}
    clerk = Clerk()
    with pytest.raises(InvalidOptionsError) as caught:
        await extract_many(clerk.agent, conversations, **given)
    assert caught.value.hint
    assert not clerk.asked
    assert not os.listdir(tmp_path)  # noqa: PTH208 -- one call, not worth a thread


async def test_a_target_or_a_model_that_cannot_serve_any_item_is_refused_once() -> None:
    with pytest.raises(TargetNotFoundError):
        await extract_many(Clerk().agent, ["a"], until_tool_success="nowhere")

    class NoTools(ScriptedModel):
        @override
        def bind_tools(self, *_: Any, **__: Any) -> Any:
            raise NotImplementedError

    with pytest.raises(InvalidOptionsError, match="cannot be given the tools"):
        await extract_many(Agent(model=NoTools(script=[])), ["a"], until_tool_success=Visit)


async def test_what_is_in_the_journal_is_not_run_again_and_what_failed_is(tmp_path: Path) -> None:
    journal = tmp_path / "visits.jsonl"
    names = ["Ada", "broken", "Ada", "Bo"]
    first = Clerk()
    await first.visits(names, journal=str(journal))
    assert first.asked == names
    second = Clerk()
    second.broken.clear()
    outcomes = await second.visits([*names, "Cy"], journal=journal)
    assert sorted(second.asked) == ["Cy", "broken"]
    assert values(outcomes) == [visit(name) for name in [*names, "Cy"]]
    assert [o.from_journal for o in outcomes] == [True, False, True, True, False]
    assert outcomes[0].result is None
    third = Clerk()
    # An item is known by what it asks, not by its place; one more of the same is one more.
    await third.visits(["Cy", "Bo", "Ada", "Ada", "Ada"], journal=journal)
    assert third.asked == ["Ada"]


async def test_another_schema_is_another_item(tmp_path: Path) -> None:
    class Other(Visit):
        note: str = ""

    await Clerk().visits(["Ada"], journal=tmp_path / "j")
    clerk = Clerk()
    clerk.agent = Agent(
        model=ScriptedModel([call("submit_other", visit("Ada").model_dump(mode="json"))])
    )
    [outcome] = await extract_many(
        clerk.agent, ["Ada"], until_tool_success=Other, journal=tmp_path / "j"
    )
    assert (type(outcome.value), outcome.from_journal) == (Other, False)


@pytest.mark.parametrize("kept", [0, 1, 20])
async def test_a_line_that_a_crash_cut_off_loses_that_item_only(tmp_path: Path, kept: int) -> None:
    journal = tmp_path / "j"
    await Clerk().visits(["Ada", "Bo"], journal=journal, concurrency=1)
    first, second = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(first + second[:kept])
    clerk = Clerk()
    assert values(await clerk.visits(["Ada", "Bo"], journal=journal)) == [visit("Ada"), visit("Bo")]
    assert clerk.asked == ["Bo"]
    assert journal.read_bytes() == first + second


async def test_a_cancelled_batch_keeps_what_was_done_and_leaves_nothing_running(
    tmp_path: Path,
) -> None:
    stuck, ended = anyio.Event(), anyio.Event()

    async def submit(name: str, day: str) -> str:
        """Submit."""
        if name == "Bo":
            stuck.set()
            try:
                await anyio.sleep_forever()
            finally:
                ended.set()
        return name + day

    async def run(clerk: Clerk) -> list[ItemOutcome[Any]]:
        return await extract_many(
            clerk.agent,
            ["Ada", "Bo", "Cy"],
            until_tool_success="submit",
            journal=tmp_path / "j",
            concurrency=1,
        )

    with anyio.fail_after(10):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(run, Clerk(tools=[submit]))
            await stuck.wait()
            tasks.cancel_scope.cancel()
    assert ended.is_set()
    lines = (tmp_path / "j").read_text().splitlines()
    assert [json.loads(line)["index"] for line in lines] == [0]

    def resubmit(name: str, day: str) -> str:
        """Submit."""
        return name + day

    resubmit.__name__ = "submit"
    clerk = Clerk(tools=[resubmit])
    outcomes = await run(clerk)
    assert clerk.asked == ["Bo", "Cy"]
    assert [outcome.unwrap()["name"] for outcome in outcomes] == ["Ada", "Bo", "Cy"]


@pytest.mark.parametrize(
    "content",
    [
        "my diary",
        "my diary\n",
        "[]\n",
        '{"key": "a"}\n',
        '{"key":"a","tool_name":3,"value":0}\n{\n',
        '{"key":[],"tool_name":3,"value":0}\n',
    ],
)
async def test_a_file_that_is_no_journal_is_refused_and_left_as_it_is(
    tmp_path: Path, content: str
) -> None:
    path = tmp_path / "diary"
    path.write_text(content)
    clerk = Clerk()
    with pytest.raises(JournalError, match="is no line of a journal") as caught:
        await clerk.visits(["Ada"], journal=path)
    assert caught.value.hint
    assert isinstance(caught.value, OSError)
    assert not clerk.asked
    assert path.read_text() == content


async def test_a_journal_that_cannot_be_opened_is_refused_before_anything_is_run(
    tmp_path: Path,
) -> None:
    clerk = Clerk()
    for path in (tmp_path / "nowhere" / "j", tmp_path, "zero\0"):
        with pytest.raises(JournalError, match="cannot be opened"):
            await clerk.visits(["Ada"], journal=path)
    assert not clerk.asked


async def test_a_value_that_cannot_be_written_is_there_with_a_warning(tmp_path: Path) -> None:
    journal = tmp_path / "j"

    def remove(progress: Progress) -> None:
        if progress.done == 1:
            os.remove(journal)  # noqa: PTH107 -- in one call, as another program would

    outcomes = await Clerk().visits(
        ["Ada", "Bo"], journal=journal, on_progress=remove, concurrency=1
    )
    assert values(outcomes) == [visit("Ada"), visit("Bo")]
    [warning] = outcomes[1].warnings
    assert warning.kind == "journal_failed"
    assert "cannot be written" in warning.message


async def test_progress_is_told_of_each_outcome_those_of_the_journal_first(tmp_path: Path) -> None:
    journal = tmp_path / "j"
    await Clerk().visits(["Bo"], journal=journal)
    told: list[tuple[int, int, int, int]] = []

    async def on_progress(progress: Progress) -> None:
        await anyio.lowlevel.checkpoint()
        told.append((progress.done, progress.failed, progress.total, progress.outcome.index))

    await Clerk().visits(
        ["Ada", "broken", "Bo"], journal=journal, on_progress=on_progress, concurrency=1
    )
    assert told == [(1, 0, 3, 2), (2, 0, 3, 0), (3, 1, 3, 1)]


async def test_a_progress_callback_that_raises_is_a_warning_of_its_item() -> None:
    def on_progress(progress: Progress) -> None:
        raise ValueError(f"no bar at {progress.done}")

    outcomes = await Clerk().visits(["Ada", "Bo"], on_progress=on_progress, concurrency=1)
    assert values(outcomes) == [visit("Ada"), visit("Bo")]
    [warning] = outcomes[0].warnings
    assert (warning.kind, str(warning)) == (
        "observer_failed",
        "on_progress failed: ValueError: no bar at 1",
    )


async def test_a_conversation_that_is_an_iterator_is_read_once(tmp_path: Path) -> None:
    outcomes = await Clerk().visits([iter(["Ada"]), State(["Bo"])], journal=tmp_path / "j")
    assert values(outcomes) == [visit("Ada"), visit("Bo")]


async def test_half_of_a_surrogate_pair_in_a_conversation_has_a_place_in_the_journal(
    tmp_path: Path,
) -> None:
    clerk = Clerk()
    prompt = [("human", "Ada"), ("human", "\ud83d")]
    for from_journal in (False, True):
        (outcome,) = await clerk.visits([prompt], journal=tmp_path / "visits.jsonl")
        assert outcome.unwrap() == visit("Ada")
        assert outcome.from_journal is from_journal
