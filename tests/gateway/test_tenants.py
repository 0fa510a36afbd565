"""What is another tenant's is not there, and what was asked is on record in the asker's name."""

import json
from pathlib import Path
from typing import Any

import pytest
from guarded_gateway import Guarded, guarding
from mcp import MCPError
from mcp.types import ResourceTemplateReference

from gateway import NetworkSettings

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(30)]

OBJECT = ResourceTemplateReference(uri="tercet://objects/{session}/{ref}")
WAVE = {"expression": "sin(x1)", "dimension": 1, "max_order": 3, "name": "wave"}


async def call(guarded: Guarded, who: str, name: str, arguments: dict[str, Any]) -> Any:
    async with guarded.rest(who) as http:
        body = {"name": name, "arguments": arguments}
        return (await http.post("/mcp/tools/call", json=body)).json()


async def test_objects_of_another_tenant_do_not_exist(guarded: Guarded) -> None:
    guarded.token("ann", "operator", tenant="north")
    guarded.token("ben", "operator", tenant="north")
    guarded.token("eve", "admin", tenant="south")
    assert (await call(guarded, "ann", "parse_expression_to_mtf", WAVE))["success"]

    value = {"mtf_ref": "wave", "point": [0.0]}
    assert (await call(guarded, "ben", "evaluate_mtf", value))["result"] == 0.0
    guessed = await call(guarded, "eve", "evaluate_mtf", value)
    never = await call(guarded, "eve", "evaluate_mtf", {**value, "mtf_ref": "wavf"})
    assert guessed["error"].startswith("NOT_FOUND")
    assert guessed["error"].replace("wave", "x") == never["error"].replace("wavf", "x")
    assert (await call(guarded, "eve", "list_objects", {}))["result"]["total"] == 0
    assert not (await call(guarded, "eve", "delete_object", {"ref": "wave"}))["success"]
    await call(guarded, "eve", "clear_session", {})

    async with guarded.mcp("eve") as client:
        assert (await client.list_resources()).resources == []
        typed = await client.complete(OBJECT, {"name": "ref", "value": "w"})
        assert typed.completion.values == []
        with pytest.raises(MCPError, match="not found"):
            await client.read_resource("tercet://objects/default/wave")
    async with guarded.mcp("ben") as client:
        (resource,) = (await client.list_resources()).resources
        assert (await client.read_resource(str(resource.uri))).contents
        typed = await client.complete(OBJECT, {"name": "ref", "value": "w"})
        assert typed.completion.values == ["wave"]


async def test_a_token_of_one_app_reaches_nothing_else(guarded: Guarded) -> None:
    guarded.token("line", "operator", apps=("NetworkApp1",))
    await call(guarded, "root", "parse_expression_to_mtf", WAVE)
    async with guarded.rest("line") as http:
        tools = (await http.get("/mcp/tools")).json()["tools"]
        assert {tool["name"].split("_")[0] for tool in tools} == {"NetworkApp1"}
        assert [app["name"] for app in (await http.get("/apps")).json()["apps"]] == ["NetworkApp1"]
        assert (await http.get("/mcp/tools/taylor")).status_code == 404
        assert (await http.get("/mcp/sse")).status_code == 403
    async with guarded.mcp("line") as client:
        with pytest.raises(MCPError):
            await client.list_resources()
        with pytest.raises(MCPError):
            await client.read_resource("tercet://objects/default/wave")
        with pytest.raises(MCPError):
            await client.complete(OBJECT, {"name": "ref", "value": "w"})


async def test_an_app_that_a_token_does_not_reach_does_not_exist(guarded: Guarded) -> None:
    guarded.token("taylor", "admin", apps=("taylor", "objects"))
    async with guarded.rest("taylor") as http:
        assert (await http.get("/apps")).json() == {"apps": [], "total": 0}
        for what in ("info", "state", "measurements"):
            hidden = await http.get(f"/apps/NetworkApp1/{what}")
            missing = await http.get(f"/apps/NetworkApp9/{what}")
            assert hidden.status_code == missing.status_code == 404
            assert hidden.json()["detail"].replace("App1", "App9") == missing.json()["detail"]


async def test_the_asker_is_on_record_and_cannot_approve(tmp_path: Path) -> None:
    network = NetworkSettings(approve_above_db=0.5)
    async with guarding(tmp_path / "tokens.json", network=network) as guarded:
        guarded.token("bob", "approver")
        gain = {"node_id": 8, "target_gain": 14.0}
        change = {"change_id": 1}

        asked = await call(guarded, "root", "NetworkApp1_set_gain", gain)
        assert asked["result"]["status"] == "pending_approval"
        own = await call(guarded, "root", "approve_change", change)
        assert "'lab/root' asked for change 1 and cannot approve it" in json.dumps(own)
        approved = await call(guarded, "bob", "approve_change", change)

        assert approved["result"]["status"] == "verified"
        assert guarded.composition.line.state()[8]["booster_gain_db"] == 14.0
        (told,) = (await call(guarded, "bob", "get_changes", {}))["result"]["changes"]
        assert (told["subject"], told["decided_by"]) == ("lab/root", "lab/bob")
        facts = [json.loads(entry.facts) for entry in guarded.composition.controller.audit.entries]
        assert {fact["subject"] for fact in facts} >= {"lab/root"}


async def test_nobody_commands_in_the_name_of_somebody_else(guarded: Guarded) -> None:
    guarded.token("eve", "operator")
    async with guarded.rest("eve") as http:
        payload: dict[str, Any] = {"target_gain": 13.0}
        gain = {"node_id": 8, "command": "SET_GAIN", "payload": payload}
        for name in ("subject", "tenant", "role", "scopes"):
            forged = {**gain, "payload": {**payload, name: "lab/root"}}
            assert (await http.post("/apps/NetworkApp1/control", json=forged)).status_code == 422
        headers = {"x-forwarded-user": "root", "x-tenant": "north"}
        await http.post("/apps/NetworkApp1/control", json=gain, headers=headers)
    (sent,) = guarded.composition.controller.audit.records
    # What policies of the network decide by.
    assert sent.outcome.request.roles == {"role:operator", "taylor", "network", "network:write"}
    trail = guarded.composition.controller.audit.entries
    assert {json.loads(entry.facts)["subject"] for entry in trail} == {"lab/eve"}
