import json
import os
import signal
import socket
import sys
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from typer.testing import CliRunner

from gateway import cli
from gateway._serving import BindError, address_of, listen_on

COMMAND = str(Path(sys.executable).with_name("tercet"))
runner = CliRunner()


def run(*arguments: str) -> Any:
    return runner.invoke(cli.app, list(arguments), catch_exceptions=False, env={"COLUMNS": "200"})


def test_tools_are_listed_for_people() -> None:
    done = run("tools")
    assert done.exit_code == 0
    assert "parse_expression_to_mtf" in done.stdout
    assert "NetworkApp1_set_gain" in done.stdout


def test_tools_are_listed_for_programs() -> None:
    listed = json.loads(run("tools", "--json").stdout)
    by_name = {tool["name"]: tool for tool in listed}
    assert by_name["evaluate_mtf"]["annotations"]["readOnlyHint"] is True
    assert by_name["NetworkApp1_set_gain"]["annotations"]["readOnlyHint"] is False


def test_a_tool_is_called_and_its_answer_printed() -> None:
    done = run(
        "call",
        "parse_expression_to_mtf",
        '{"expression": "1/(1-x1)", "dimension": 1, "max_order": 3}',
    )
    assert done.exit_code == 0
    assert json.loads(done.stdout)["data"]["result"]["ref"] == "mtf_0"


def test_an_error_is_printed_and_is_the_exit_code() -> None:
    done = run("call", "NetworkApp1_set_gain", '{"node_id": 8, "target_gain": 30}')
    assert done.exit_code == 1
    assert json.loads(done.stdout)["error_code"] == "REJECTED"


@pytest.mark.parametrize("arguments", ["{", "[1]", "[" * 100_000])
def test_arguments_that_are_no_object_are_a_usage_error(arguments: str) -> None:
    assert run("call", "evaluate_mtf", arguments).exit_code == 2


def test_objects_outlive_the_process_in_a_store(tmp_path: Path) -> None:
    store = str(tmp_path / "objects.db")
    made = run(
        "call",
        "parse_expression_to_mtf",
        '{"expression": "x1^2", "dimension": 1, "max_order": 2, "name": "square"}',
        "--store",
        store,
    )
    assert made.exit_code == 0
    value = run("call", "evaluate_mtf", '{"mtf_ref": "square", "point": [3]}', "--store", store)
    assert json.loads(value.stdout)["data"]["result"] == 9.0


def test_only_loopback_is_listened_on() -> None:
    for host in ("0.0.0.0", "192.0.2.1", "::"):  # noqa: S104 -- what must be refused
        with pytest.raises(BindError, match="no authentication"):
            listen_on(host, 0)
    with pytest.raises(BindError, match="is no IP address"):
        listen_on("example.org", 0)


def test_a_taken_port_is_said_to_be_taken() -> None:
    with listen_on("localhost", 0) as taken, pytest.raises(BindError, match="another --port"):
        listen_on("127.0.0.1", taken.getsockname()[1])


def test_an_ipv6_address_is_written_in_brackets() -> None:
    if not socket.has_ipv6:
        pytest.skip("this Python has no IPv6")
    try:
        listener = listen_on("::1", 0)
    except BindError:
        pytest.skip("this machine has no IPv6 loopback")
    with listener:
        assert address_of(listener).startswith("http://[::1]:")


@pytest.mark.anyio
async def test_serve_says_what_it_serves_and_stops_when_told() -> None:
    with anyio.fail_after(50):
        process = await anyio.open_process(
            [COMMAND, "serve", "--port", "0"],
            stderr=None,
            env={**os.environ, "COLUMNS": "200"},
        )
        async with process:
            assert process.stdout is not None
            said = b""
            while b"Ctrl-C" not in said:
                said += await process.stdout.receive()
            text = said.decode()
            address = text.split(" at ")[1].split("/mcp")[0]
            assert "NetworkApp1_set_gain" in text
            assert '"mcpServers"' in text
            async with httpx2.AsyncClient() as http:
                assert (await http.get(f"{address}/health")).json()["status"] == "healthy"
            process.send_signal(signal.SIGTERM)
            await process.wait()


@pytest.mark.anyio
async def test_a_running_gateway_is_listed_and_called(address: str) -> None:
    async def tercet(*arguments: str) -> tuple[int, str]:
        done = await anyio.run_process(
            [COMMAND, *arguments, "--url", f"{address}/mcp"], check=False, stderr=None
        )
        return done.returncode, done.stdout.decode()

    listed = json.loads((await tercet("tools", "--json"))[1])
    assert "NetworkApp1_get_state" in {tool["name"] for tool in listed}
    code, text = await tercet("call", "NetworkApp1_get_state", "{}")
    assert code == 0
    assert json.loads(text)["data"]["result"]["state"] == "stopped"
    code, text = await tercet("call", "NetworkApp1_set_state", '{"state": "on"}')
    assert code == 1
    assert json.loads(text)["error_code"] == "INVALID_INPUT"


@pytest.mark.anyio
async def test_the_command_says_a_bind_error_in_one_line() -> None:
    done = await anyio.run_process([COMMAND, "serve", "--host", "0.0.0.0"], check=False)  # noqa: S104 -- what must be refused
    assert done.returncode == 2
    assert done.stdout == b""
    assert b"no authentication" in done.stderr
    assert b"Traceback" not in done.stderr
