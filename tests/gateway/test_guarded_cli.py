"""The command line of a gateway that asks for tokens."""

import json
import os
import sys
from pathlib import Path

import anyio
import pytest
from guarded_gateway import Guarded
from typer.testing import CliRunner

from gateway import BindError, GatewaySettings, _commands, cli, create_token
from gateway._commands import RemoteError

COMMAND = str(Path(sys.executable).with_name("tercet"))
ANYWHERE = "0.0.0.0"  # noqa: S104 -- what the tests are about


@pytest.mark.anyio
async def test_a_guarded_gateway_is_called_with_the_token_of_the_environment(
    guarded: Guarded,
) -> None:
    secret = guarded.token("ops", "viewer")
    done = await anyio.run_process(
        [COMMAND, "call", "get_topology", "{}", "--url", f"{guarded.address}/mcp"],
        stderr=None,
        env={**os.environ, "TERCET_TOKEN": secret},
    )
    assert json.loads(done.stdout)["data"]["result"]["total_nodes"] > 0


@pytest.mark.anyio
async def test_a_gateway_that_cannot_be_used_is_said_in_one_sentence(
    guarded: Guarded, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"{guarded.address}/mcp"
    wrong = f"tercet_{'C' * 43}"
    for token in (None, wrong):
        if token:
            monkeypatch.setenv("TERCET_TOKEN", token)
        with pytest.raises(RemoteError, match="TERCET_TOKEN") as caught:
            await _commands.call_tool("get_topology", {}, url=url, store=None)
        assert wrong not in str(caught.value)
    monkeypatch.setenv("TERCET_TOKEN", guarded.token("ops", "viewer"))
    assert await _commands.call_tool("get_topology", {}, url=url, store=None)
    with pytest.raises(RemoteError, match="answers 404"):
        await _commands.call_tool("get_topology", {}, url=f"{url}x", store=None)
    for nowhere in ("http://127.0.0.1:9/mcp", "http://[", "no url"):
        with pytest.raises(RemoteError, match="cannot reach"):
            await _commands.list_tools(url=nowhere, as_json=True)


@pytest.mark.anyio
async def test_serving_elsewhere_needs_the_name_that_clients_use(tmp_path: Path) -> None:
    tokens = tmp_path / "tokens.json"
    create_token(tokens, "root", tenant="lab", role="admin")
    settings = GatewaySettings(host=ANYWHERE, port=0, tokens=tokens)
    with pytest.raises(BindError, match="--public-url"):
        await _commands.serve(settings)


@pytest.mark.anyio
async def test_serve_says_how_to_connect_with_a_token_and_never_which(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    tokens = tmp_path / "tokens.json"
    secret = create_token(tokens, "root", tenant="lab", role="admin")
    monkeypatch.setenv("TERCET_TOKEN", secret)
    settings = GatewaySettings(
        host=ANYWHERE, port=0, tokens=tokens, public_url="https://tercet.example.org"
    )
    said = ""
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_commands.serve, settings)
        with anyio.fail_after(20):
            while "Ctrl-C" not in said:
                await anyio.lowlevel.checkpoint()
                said += capsys.readouterr().out
        tasks.cancel_scope.cancel()
    assert "https://tercet.example.org/mcp" in said
    assert "Bearer ${TERCET_TOKEN}" in said
    assert secret not in said


def test_a_public_url_that_is_none_is_a_usage_error() -> None:
    done = CliRunner().invoke(cli.app, ["serve", "--public-url", "x"], env={"COLUMNS": "200"})
    assert done.exit_code == 2
    assert "no base URL" in done.output


def test_a_token_file_that_is_missing_is_said_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(
        "sys.argv", ["tercet", "serve", "--port", "0", "--tokens", str(tmp_path / "none")]
    )
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 2
    assert "tercet token create" in capsys.readouterr().err
