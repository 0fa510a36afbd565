"""How the value of each item is written to the journal, and what is refused there."""

from datetime import date
from pathlib import Path
from typing import Any

import pytest
from clerk import Clerk, Visit, values, visit
from pydantic import BaseModel, SecretStr

from agent_runtime import (
    Agent,
    ItemOutcome,
    JournalError,
    Submitted,
    ValueCodec,
    extract_many,
)
from agent_runtime.testing import ScriptedModel, call

pytestmark = pytest.mark.anyio

VISIT = {"name": "Ada", "day": "2026-11-30"}


def shaped(name: str, day: str) -> Submitted:
    """Submit."""
    return Submitted((name, date.fromisoformat(day)))


async def shaped_many(journal: Path, **options: Any) -> tuple[ItemOutcome[Any], Clerk]:
    clerk = Clerk(tools=[shaped])
    [outcome] = await extract_many(
        clerk.agent, ["Ada"], until_tool_success="shaped", journal=journal, **options
    )
    return outcome, clerk


async def test_a_tools_own_value_needs_a_codec_that_can_write_it(tmp_path: Path) -> None:
    value = ("Ada", date(2026, 11, 30))
    outcome, _ = await shaped_many(tmp_path / "plain")
    assert outcome.value == value
    assert [w.kind for w in outcome.warnings] == ["journal_failed"]
    assert "cannot be encoded" in outcome.warnings[0].message
    codec = ValueCodec.of(tuple[str, date])
    for asked in ([["Ada"]], [[]]):
        outcome, clerk = await shaped_many(tmp_path / "typed", codec=codec)
        assert (outcome.value, [clerk.asked]) == (value, asked)
        assert not outcome.warnings
    with pytest.raises(JournalError, match="cannot be decoded"):
        await shaped_many(tmp_path / "typed", codec=ValueCodec.of(int))


async def test_plain_json_is_refused_where_it_would_change_the_value(tmp_path: Path) -> None:
    def pair(name: str, day: str) -> Submitted:
        """Submit."""
        return Submitted((name, day))

    for attempt in range(2):
        clerk = Clerk(tools=[pair])
        [outcome] = await extract_many(
            clerk.agent, ["Ada"], until_tool_success=pair, journal=tmp_path / "j"
        )
        assert outcome.value == ("Ada", "2026-11-30"), attempt
        assert "does not come back" in outcome.warnings[0].message


async def test_a_type_that_hides_a_part_of_itself_is_not_written(tmp_path: Path) -> None:
    class Login(BaseModel):
        name: str
        password: SecretStr

    for _ in range(2):
        model = ScriptedModel([call("submit_login", {"name": "Ada", "password": "x"})])
        [outcome] = await extract_many(
            Agent(model=model), ["Ada"], until_tool_success=Login, journal=tmp_path / "j"
        )
        assert outcome.unwrap().password.get_secret_value() == "x"
        assert [w.kind for w in outcome.warnings] == ["journal_failed"]


async def test_several_targets_are_each_stored_in_their_own_way(tmp_path: Path) -> None:
    note = {"title": "Note", "type": "object", "properties": {"text": {"type": "string"}}}
    for model in (
        ScriptedModel([call("submit_note", {"text": "a"}), call("submit_visit", VISIT)]),
        ScriptedModel([]),
    ):
        outcomes = await extract_many(
            Agent(model=model),
            ["a", "b"],
            until_tool_success=[Visit, note],
            journal=tmp_path / "j",
            concurrency=1,
        )
        assert values(outcomes) == [{"text": "a"}, visit("Ada")]
