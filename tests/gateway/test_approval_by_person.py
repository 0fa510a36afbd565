"""Approvals: a person at the approver's client is shown what would be done, and says yes or no."""

import json
import os
import sys
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import anyio
import pytest
from anyio import open_process, to_thread
from guarded_gateway import Guarded, guarding
from mcp.client import ClientRequestContext
from mcp.types import ElicitRequestFormParams, ElicitRequestParams, ElicitResult

from gateway import NetworkSettings

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(60)]

COMMAND = str(Path(sys.executable).with_name("tercet"))
GAIN = {"node_id": 8, "target_gain": 14.0}
CHANGE = {"change_id": 1}


class Approver:
    """A person with one answer."""

    def __init__(self, answer: str) -> None:
        self._answer = answer
        self.shown: list[str] = []

    async def __call__(
        self, context: ClientRequestContext, params: ElicitRequestParams
    ) -> ElicitResult:
        del context
        assert isinstance(params, ElicitRequestFormParams)
        self.shown.append(params.message)
        if self._answer == "put away":
            return ElicitResult(action="cancel")
        return ElicitResult(action="accept", content={"confirm": self._answer == "yes"})


@pytest.fixture(params=["if possible", "always"])
def asked(request: pytest.FixtureRequest) -> str:
    """When a person is asked."""
    return request.param


@pytest.fixture
async def guarded(tmp_path: Path, asked: str) -> AsyncGenerator[Guarded]:
    network = NetworkSettings(approve_above_db=0.5, approve_by_person=asked == "always")
    async with guarding(tmp_path / "tokens.json", network=network) as made:
        made.token("alice", "operator")
        made.token("bob", "approver")
        async with made.mcp("alice") as client:
            answer = await client.call_tool("NetworkApp1_set_gain", GAIN)
            assert answer.structured_content["data"]["result"]["status"] == "pending_approval"
        yield made


async def approve(guarded: Guarded, person: Approver | None, name: str = "bob") -> Any:
    async with guarded.mcp(name, on_question=person) as client:
        return (await client.call_tool("approve_change", CHANGE)).structured_content


async def gain_db(guarded: Guarded) -> float:
    return guarded.composition.line.state()[8]["booster_gain_db"]


async def test_the_person_is_shown_the_change_and_a_yes_sends_it(guarded: Guarded) -> None:
    before_db, person = await gain_db(guarded), Approver("yes")
    told = await approve(guarded, person)
    assert told["data"]["result"]["status"] == "verified"
    assert await gain_db(guarded) == 14.0
    (shown,) = person.shown
    for part in ("change 1", "node 8", f"from {before_db} to 14.0 dB", "'lab/alice'"):
        assert part in shown


@pytest.mark.parametrize("answer", ["no", "put away"])
async def test_without_a_yes_nothing_is_sent_and_the_change_waits(
    guarded: Guarded, answer: str
) -> None:
    before_db = await gain_db(guarded)
    told = await approve(guarded, Approver(answer))
    assert told["error_code"] == "PERMISSION_DENIED"
    assert await gain_db(guarded) == before_db
    assert (await approve(guarded, Approver("yes")))["status"] == "success"


async def test_where_nobody_can_be_asked_the_operators_setting_decides(
    guarded: Guarded, asked: str
) -> None:
    told = await approve(guarded, None)
    async with guarded.rest("bob") as rest:
        body = {"name": "approve_change", "arguments": CHANGE}
        again = (await rest.post("/mcp/tools/call", json=body)).json()
    if asked == "always":
        assert told["error_code"] == "UNAVAILABLE"
        assert "cannot ask" in again["error"]
    else:
        assert told["data"]["result"]["status"] == "verified"


async def test_who_asked_for_it_is_refused_without_a_question(guarded: Guarded) -> None:
    async with guarded.mcp("root") as client:
        await client.call_tool("reject_change", CHANGE)
        await client.call_tool("NetworkApp1_set_gain", GAIN)
    person = Approver("yes")
    async with guarded.mcp("root", on_question=person) as client:
        told = (await client.call_tool("approve_change", {"change_id": 2})).structured_content
    assert told["error_code"] == "PERMISSION_DENIED"
    assert person.shown == []


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are of POSIX systems")
@pytest.mark.parametrize("typed", ["y", "n"])
async def test_a_person_at_a_terminal_is_asked_there(guarded: Guarded, typed: str) -> None:
    ours, theirs = os.openpty()
    environment = {
        **os.environ,
        "TERCET_TOKEN": guarded.headers["bob"]["authorization"].removeprefix("Bearer "),
    }
    call = [COMMAND, "call", "approve_change", json.dumps(CHANGE)]
    process = await open_process(
        [*call, "--url", f"{guarded.address}/mcp"],
        stdin=theirs,
        stderr=theirs,
        env=environment,
    )
    os.close(theirs)
    seen = b""
    with anyio.fail_after(40):
        while b"[y/N]" not in seen:
            seen += await to_thread.run_sync(os.read, ours, 1024)
        os.write(ours, f"{typed}\n".encode())
        assert process.stdout is not None
        said = b"".join([part async for part in process.stdout])
        code = await process.wait()
    os.close(ours)
    assert b"Approve change 1?" in seen
    answer = json.loads(said)
    if typed == "y":
        assert (code, answer["data"]["result"]["status"]) == (0, "verified")
    else:
        assert (code, answer["error_code"]) == (1, "PERMISSION_DENIED")
