"""Who gets in: strangers meet a closed door on every face, and tokens end at once."""

import logging
from pathlib import Path
from typing import Any

import anyio
import pytest
from guarded_gateway import Guarded, guarding
from httpx2 import AsyncClient
from pydantic import ValidationError

from gateway import (
    AccessSettings,
    TokenFileError,
    _door,
    compose,
    create_app,
    create_token,
    revoke_token,
)
from gateway._serving import BindError, listen_on
from gateway._tokens import TokenFile

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(30)]

FACES = [
    ("GET", "/mcp"),
    ("POST", "/mcp"),
    ("POST", "/mcp/"),
    ("DELETE", "/mcp"),
    ("GET", "/mcp/tools"),
    ("GET", "/mcp/tools/taylor"),
    ("GET", "/mcp/schema/evaluate_mtf"),
    ("POST", "/mcp/tools/call"),
    ("POST", "/mcp/message"),
    ("GET", "/mcp/sse"),
    ("GET", "/apps"),
    ("GET", "/apps/NetworkApp1/info"),
    ("GET", "/apps/NetworkApp1/state"),
    ("PUT", "/apps/NetworkApp1/state"),
    ("GET", "/apps/NetworkApp1/measurements"),
    ("POST", "/apps/NetworkApp1/control"),
    ("GET", "/metrics"),
    ("GET", "/openapi.json"),
    ("GET", "/docs"),
    ("GET", "/no/such/path"),
    ("GET", "//health"),
    ("GET", "/health/"),
]


@pytest.mark.parametrize("shown", ["nothing", "unknown", "revoked", "basic", "two", "in the url"])
async def test_a_stranger_is_turned_away_on_every_face(guarded: Guarded, shown: str) -> None:
    old = guarded.token("old", "admin")
    revoke_token(guarded.tokens, "old")
    good = guarded.headers["root"]["authorization"]
    headers: list[tuple[str, str]] = {
        "nothing": [],
        "unknown": [("authorization", f"Bearer tercet_{'A' * 43}")],
        "revoked": [("authorization", f"Bearer {old}")],
        "basic": [("authorization", good.replace("Bearer", "Basic"))],
        "two": [("authorization", good), ("authorization", good)],
        "in the url": [],
    }[shown]
    params = {"access_token": good.split()[1]} if shown == "in the url" else {}
    before = guarded.composition.line.state()
    async with guarded.rest() as http:
        for method, path in FACES:
            answer = await http.request(method, path, headers=headers, params=params)
            assert answer.status_code == 401, path
            assert answer.headers["content-type"] == "application/problem+json"
            challenge = answer.headers["www-authenticate"]
            assert challenge.startswith('Bearer resource_metadata="http://127.0.0.1')
            assert ('error="invalid_token"' in challenge) is bool(headers)
            assert "tercet_A" not in answer.text
            assert old not in answer.text
    assert guarded.composition.line.state() == before
    assert guarded.composition.controller.audit.entries == ()


async def test_every_route_is_behind_the_door(guarded: Guarded) -> None:
    metadata = "/.well-known/oauth-protected-resource"
    for_strangers = {"/health", metadata, f"{metadata}/mcp"}
    async with guarded.rest("root") as http:
        paths = (await http.get("/openapi.json")).json()["paths"]
    async with guarded.rest() as http:
        for path, operations in paths.items():
            for method in operations:
                answer = await http.request(method, path.replace("{", "").replace("}", ""))
                assert answer.status_code == (200 if path in for_strangers else 401), path


async def test_the_challenge_leads_to_the_metadata_of_the_resource(guarded: Guarded) -> None:
    async with guarded.rest() as http:
        challenge = (await http.post("/mcp")).headers["www-authenticate"]
        url = challenge.split('resource_metadata="')[1].split('"')[0]
        metadata = (await http.get(url)).json()
        same = (await http.get("/.well-known/oauth-protected-resource")).json()
    assert metadata == same
    assert metadata["resource"] == f"{guarded.address}/mcp"
    assert metadata["bearer_methods_supported"] == ["header"]


async def test_a_stranger_sees_of_the_health_only_whether_and_which_version(
    guarded: Guarded,
) -> None:
    guarded.token("taylor", "viewer", apps=("taylor",))
    async with guarded.rest() as http:
        assert set((await http.get("/health")).json()) == {"status", "version"}
    async with guarded.rest("root") as http:
        apps = (await http.get("/health")).json()["apps"]
        assert apps == {"NetworkApp1": "stopped", "LineTrim": "stopped"}
    async with guarded.rest("taylor") as http:
        assert set((await http.get("/health")).json()) == {"status", "version"}


@pytest.mark.parametrize("port", ["abc", "99999", '1", realm="x', "", ":", "1@evil.example"])
async def test_a_strange_port_in_the_name_is_no_crash(guarded: Guarded, port: str) -> None:
    async with guarded.rest() as http:
        answer = await http.get("/apps", headers={"host": f"127.0.0.1:{port}"})
    assert answer.status_code in (400, 401, 421)
    assert "evil" not in answer.headers.get("www-authenticate", "")
    assert "realm" not in answer.headers.get("www-authenticate", "")


async def test_a_token_is_good_and_bad_without_a_restart(guarded: Guarded) -> None:
    async with guarded.rest() as http:
        late = {"authorization": f"Bearer {guarded.token('late', 'viewer')}"}
        assert (await http.get("/apps", headers=late)).status_code == 200
        revoke_token(guarded.tokens, "late")
        assert (await http.get("/apps", headers=late)).status_code == 401


async def test_a_stream_ends_when_its_token_is_revoked(
    guarded: Guarded, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_door, "_RECHECK_S", 0.01)
    guarded.token("ears", "viewer")
    async with guarded.rest("ears") as http, http.stream("GET", "/mcp/sse") as reply:
        lines = reply.aiter_lines()
        assert "connected" in await anext(lines)
        revoke_token(guarded.tokens, "ears")
        with anyio.fail_after(10):
            async for _ in lines:
                pass
    with anyio.fail_after(10):
        while guarded.composition.controller.events.listeners:
            await anyio.lowlevel.checkpoint()


async def test_the_stream_of_an_older_client_ends_with_its_token_too(
    guarded: Guarded, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_door, "_RECHECK_S", 0.01)
    guarded.token("ears", "viewer")
    accept = {"accept": "text/event-stream"}
    async with (
        guarded.rest("ears") as http,
        http.stream("GET", "/mcp", headers=accept) as reply,
    ):
        assert reply.status_code == 200
        revoke_token(guarded.tokens, "ears")
        with anyio.fail_after(10):
            async for _ in reply.aiter_lines():
                pass


async def test_a_stream_ends_when_tokens_cannot_be_checked(
    guarded: Guarded, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_door, "_RECHECK_S", 0.01)
    async with guarded.rest("root") as http, http.stream("GET", "/mcp/sse") as reply:
        lines = reply.aiter_lines()
        await anext(lines)
        guarded.tokens.unlink()
        with anyio.fail_after(10):
            async for _ in lines:
                pass


async def test_a_listener_of_mcp_hears_of_new_tools_with_a_token(guarded: Guarded) -> None:
    registry = guarded.composition.registry
    async with (
        guarded.mcp("root") as client,
        client.listen(tools_list_changed=True) as changes,
    ):
        tool = registry.get("get_topology")
        registry.unregister_tool(tool.name)
        registry.register_tool(tool)
        with anyio.fail_after(10):
            async for _ in changes:
                break


async def test_a_stream_that_is_refused_is_answered_whole(guarded: Guarded) -> None:
    guarded.token("taylor", "admin", apps=("taylor",))
    async with guarded.rest("taylor") as http:
        refused = await http.get("/mcp/sse")
    assert refused.status_code == 403
    assert refused.json()["detail"] == "this token does not reach the events of the network"


async def test_nobody_gets_in_while_tokens_cannot_be_checked(
    guarded: Guarded,
) -> None:
    guarded.tokens.write_text("{")
    async with guarded.rest("root") as http:
        answer = await http.get("/apps")
    assert answer.status_code == 503
    assert str(guarded.tokens) not in answer.text


async def test_a_token_is_in_no_log_no_record_and_no_trail(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    async with guarding(tmp_path / "tokens.json") as guarded:
        secrets = [guarded.token(f"t{n}", "operator") for n in range(2)]
        secrets.append(f"tercet_{'B' * 43}")
        for secret in secrets:
            headers = {"authorization": f"Bearer {secret}"}
            async with AsyncClient(base_url=guarded.address, headers=headers) as http:
                gain = {"node_id": 8, "command": "SET_GAIN", "payload": {"target_gain": 13.0}}
                await http.post("/apps/NetworkApp1/control", json=gain)
                await http.post("/mcp/tools/call", content=b"{")
        entries = guarded.composition.controller.audit.entries
    out, err = capfd.readouterr()
    seen = caplog.text + out + err + "".join(entry.facts for entry in entries)
    assert "lab/t0" in seen
    for secret in secrets:
        assert secret.removeprefix("tercet_") not in seen


async def test_what_is_no_http_does_not_come_past_the_door(tmp_path: Path) -> None:
    async def app(*_: Any) -> None:
        raise AssertionError("it came past the door")

    create_token(tmp_path / "t", "a", tenant="lab", role="viewer")
    for credentials in ([], [TokenFile(tmp_path / "t")]):
        door = _door.Door(app, credentials=credentials)
        await door({"type": "websocket", "path": "/mcp"}, None, None)  # pyright: ignore[reportArgumentType] -- never used


def test_an_address_that_others_reach_needs_tokens() -> None:
    with pytest.raises(BindError, match="tercet token create"):
        listen_on("0.0.0.0", 0)  # noqa: S104 -- what must be refused
    with listen_on("0.0.0.0", 0, authenticated=True) as listener:  # noqa: S104 -- on purpose
        assert listener.getsockname()[1] > 0


def test_a_gateway_with_a_token_file_that_cannot_be_used_does_not_start(tmp_path: Path) -> None:
    with pytest.raises(TokenFileError, match="tercet token create"):
        create_app(compose(), AccessSettings(tokens=tmp_path / "none.json"))


@pytest.mark.parametrize(
    "url",
    [
        "tercet.example.org",
        "ftp://x",
        "https://",
        "https://x/path",
        "https://u:p@x",
        "https://x?q",
        "https://x:0",
        "https://x:99999",
        "https://x#f",
    ],
)
def test_a_public_url_is_a_base_url(url: str) -> None:
    with pytest.raises(ValidationError):
        AccessSettings(public_url=url)


async def test_clients_elsewhere_use_the_public_name_and_no_other(tmp_path: Path) -> None:
    tokens = tmp_path / "tokens.json"
    access = AccessSettings(tokens=tokens, public_url="https://tercet.example.org/")
    async with guarding(tokens, access) as guarded, guarded.rest("root") as http:

        async def ask(**headers: str) -> Any:
            return await http.get("/apps", headers=headers)

        assert (await ask(host="tercet.example.org")).status_code == 200
        assert (await ask(host="evil.example")).status_code == 421
        assert (await ask(host="tercet.example.org.evil.example")).status_code == 421
        assert (await ask(origin="https://tercet.example.org")).status_code == 200
        assert (await ask(origin="https://evil.example")).status_code == 403
        stranger = await http.get("/apps", headers={"authorization": ""})
        assert "https://tercet.example.org/.well-known" in stranger.headers["www-authenticate"]
