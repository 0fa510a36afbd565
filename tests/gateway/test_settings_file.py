"""The settings file: one more way to the options of the command line, checked as a whole."""

import os
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from gateway import (
    GatewaySettings,
    JwtSettings,
    SessionSettings,
    TaylorSettings,
    TraceSettings,
    WorkerSettings,
    _commands,
    cli,
    compose,
    create_token,
)
from gateway._config_command import defaults_of
from gateway._settings_file import SettingsError, read_settings, setting_names, variable_of
from tercet.mcp import TaskLimits
from tpsa_core.tools import TaylorLimits, TaylorWork


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, in which the command runs without settings of ours."""
    for name in [*os.environ]:
        if name.startswith("TERCET_"):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[GatewaySettings]:
    """What `tercet serve` would have served with."""
    calls: list[GatewaySettings] = []

    async def serve(settings: GatewaySettings) -> None:
        calls.append(settings)

    monkeypatch.setattr(_commands, "serve", serve)
    return calls


def write(folder: Path, text: str, name: str = "tercet.toml") -> Path:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return file


def run(*arguments: str, **environment: str) -> Result:
    return CliRunner().invoke(cli.app, arguments, env=environment, catch_exceptions=True)


def test_every_setting_of_a_file_is_an_option_wherever_it_matters() -> None:
    group = typer.main.get_command(cli.app)
    options = defaults_of(group, {variable_of(name): name for name in setting_names()})

    assert sorted(options["serve"].values()) == sorted(setting_names())
    # One client on standard streams: nobody listens, and there are no tenants.
    others = {"host", "port", "tokens", "public_url"}
    assert set(options["mcp"].values()) == {
        name
        for name in setting_names()
        if name not in others and not name.startswith(("tenant.", "jwt."))
    }
    assert options["token"]["create"] == {"tokens": "tokens"}
    assert options["audit"]["verify"] == {"network_store": "network.store"}


def test_serve_takes_what_the_file_of_its_folder_says(
    folder: Path, served: list[GatewaySettings]
) -> None:
    write(
        folder,
        """
        port = 9123
        tokens = "secret/tokens.json"
        public_url = "https://Lab.example.org/"
        [network]
        read_only = true
        store = "/var/lib/tercet/network.db"
        approve_above_db = 1
        [tenant]
        wait_s = 0.5
        [taylor]
        product = 1000
        inline = 5
        [task]
        timeout_s = 90
        [workers]
        count = 3
        deadline_s = 5
        [session]
        bytes = 1000000
        [jwt]
        issuer = "https://issuer.example.org"
        keys = "keys.json"
        algorithms = ["ES256"]
        [trace]
        endpoint = "http://127.0.0.1:4318/"
        """,
    )
    done = run("serve")

    assert done.exit_code == 0, done.output
    settings = served[0]
    network, access = settings.network, settings.access()
    assert (settings.host, settings.port, settings.store) == ("127.0.0.1", 9123, None)
    assert (network.read_only, network.approve_above_db) == (True, 1.0)
    assert network.store == Path("/var/lib/tercet/network.db")
    assert access.tokens == folder / "secret" / "tokens.json"
    assert access.public_url == "https://lab.example.org"
    assert access.limits.wait_s == 0.5
    assert settings.taylor.limits() == TaylorLimits(product=1000)
    assert settings.taylor.work() == TaylorWork(inline=5)
    assert settings.task.limits() == TaskLimits(timeout_s=90.0)
    assert settings.workers == WorkerSettings(count=3, deadline_s=5.0)
    assert settings.session == SessionSettings(bytes=1_000_000)
    assert access.jwt == JwtSettings(
        issuer="https://issuer.example.org",
        keys=str(folder / "keys.json"),
        algorithms=("ES256",),
    )
    assert settings.trace == TraceSettings(endpoint="http://127.0.0.1:4318")
    assert "Settings: tercet.toml" in done.stderr


def test_the_environment_comes_before_the_file_and_an_option_before_both(
    folder: Path, served: list[GatewaySettings]
) -> None:
    file = write(folder, "port = 9001", "other.toml")

    assert run("--config", str(file), "serve").exit_code == 0
    assert run("serve", TERCET_CONFIG=str(file)).exit_code == 0
    assert run("serve", TERCET_CONFIG=str(file), TERCET_PORT="9002").exit_code == 0
    arguments = ("serve", "--port", "9003")
    assert run(*arguments, TERCET_CONFIG=str(file), TERCET_PORT="9002").exit_code == 0
    assert run("serve").exit_code == 0

    assert [given.port for given in served] == [9001, 9001, 9002, 9003, 8000]


@pytest.mark.anyio
async def test_what_a_call_of_a_taylor_tool_may_take_is_a_setting() -> None:
    six_variables = {"dimension": 6, "max_order": 12}
    for taylor, code in ((TaylorSettings(product=100_000), "LIMIT_EXCEEDED"), (None, None)):
        composition = compose(taylor=taylor)
        async with composition.running():
            answer = await composition.registry.call_tool("identity_map", six_variables)
        assert answer.to_dict().get("error_code") == code
        await composition.aclose()


def test_a_command_below_another_takes_its_settings_too(folder: Path) -> None:
    (folder / "far").mkdir()
    write(folder / "far", 'tokens = "tokens.json"')
    create_token(folder / "far" / "tokens.json", "root", tenant="lab", role="admin")

    done = run("--config", str(folder / "far" / "tercet.toml"), "token", "list", "--json")

    assert done.exit_code == 0, done.output
    assert '"root"' in done.stdout


def test_all_faults_of_a_file_are_told_at_once_and_by_name(
    folder: Path, served: list[GatewaySettings]
) -> None:
    write(
        folder,
        """
        port = "eighty"
        tokns = "x"
        public_url = "https://lab.example.org/path"
        store = 7
        [network]
        stor = "x.db"
        commands_per_minute = nan
        read_only = 1
        approve_above_db = 1979-05-27
        """,
    )
    done = run("serve")

    assert isinstance(done.exception, SettingsError)
    faults = str(done.exception).splitlines()[1:]
    assert served == []
    assert [fault.split(":")[0].strip() for fault in faults] == [
        "port",
        "store",
        "public_url",
        "network.read_only",
        "network.commands_per_minute",
        "network.approve_above_db",
        "network.stor",
        "tokns",
    ]
    assert "did you mean network.store?" in faults[6]
    assert "did you mean tokens?" in faults[7]
    assert 'got "eighty"' in faults[0]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"port = ", "no TOML"),
        (b"\xff\xfe", "no TOML"),
        (b"x = " + b"[" * 20_000, "no TOML"),
        (b"#" * (1 << 20) + b"\n", "more than a MiB"),
    ],
)
def test_a_file_that_is_no_settings_file_is_refused(
    folder: Path, content: bytes, told: str
) -> None:
    file = folder / "tercet.toml"
    file.write_bytes(content)
    with pytest.raises(SettingsError, match=told):
        read_settings(file)
    with pytest.raises(SettingsError, match="cannot be read"):
        read_settings(folder)


def test_the_check_shows_what_holds_and_where_it_comes_from(folder: Path) -> None:
    write(folder, "port = 9001\n[network]\nread_only = true")
    done = run("config", "check", TERCET_PORT="9002")

    assert done.exit_code == 0, done.output
    lines = {line.split()[0]: line.split()[1:] for line in done.stdout.splitlines()[1:]}
    assert lines["port"] == ["9002", "TERCET_PORT"]
    assert lines["network.read_only"] == ["True", "tercet.toml"]
    assert lines["tenant.calls_at_once"] == ["16", "default"]
    assert set(lines) == set(setting_names())


def test_the_check_lists_the_faults_of_the_environment_and_of_the_token_file(folder: Path) -> None:
    write(folder, 'tokens = "missing.json"')
    done = run(
        "config", "check", TERCET_PORT="-1", TERCET_NETWRK_STORE="x", TERCET_TENANT_WAIT_S="soon"
    )

    told = str(done.exception)
    assert isinstance(done.exception, SettingsError)
    for fault in (
        "TERCET_PORT: ",
        "TERCET_NETWRK_STORE: ",
        "TERCET_TENANT_WAIT_S: ",
        "missing.json",
    ):
        assert fault in told


def test_a_fault_ends_the_command_with_two_and_no_traceback(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write(folder, "prot = 80")
    monkeypatch.setattr("sys.argv", ["tercet", "config", "check"])
    with pytest.raises(SystemExit) as ended:
        cli.main()

    assert ended.value.code == 2
    assert "prot: there is no such setting; did you mean port?" in capsys.readouterr().err


@pytest.mark.anyio
async def test_how_the_work_of_taylor_tools_is_shared_out_is_a_setting() -> None:
    started: list[int] = []
    for inline in (TaylorSettings().inline, 0):
        composition = compose(taylor=TaylorSettings(inline=inline))
        async with composition.running():
            await composition.registry.call_tool("identity_map", {"dimension": 1, "max_order": 1})
            started.append(len(composition.workers.pids))
        await composition.aclose()
    assert started == [0, 1]
