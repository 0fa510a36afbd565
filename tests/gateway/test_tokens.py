"""The token file: what is kept, who may read it, and how it changes."""

import errno
import json
import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import anyio
import pytest
from anyio import to_thread
from typer.testing import CliRunner

from gateway import TokenFileError, _token_changes, cli, create_token, revoke_token
from gateway._tokens import TOKEN_PATTERN, TokenFile, read_tokens

runner = CliRunner()
DAY_S = 86_400.0


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "tokens.json"


def run(*arguments: str) -> Any:
    return runner.invoke(cli.app, list(arguments), env={"COLUMNS": "200"})


def test_a_token_names_its_bearer_and_only_its_hash_is_kept(path: Path) -> None:
    made = create_token(path, "alice", tenant="lab", role="operator", apps=("NetworkApp1",))

    assert TOKEN_PATTERN.fullmatch(made)
    assert made.removeprefix("tercet_") not in path.read_text()
    assert path.stat().st_mode & 0o777 == 0o600
    alice = TokenFile(path).look_up(made)
    assert alice is not None
    assert (alice.tenant, alice.subject, alice.role) == ("lab", "lab/alice", "operator")
    assert alice.apps == {"NetworkApp1"}


def test_no_two_tokens_are_alike(path: Path) -> None:
    made = {create_token(path, f"t{n}", tenant="lab", role="viewer") for n in range(20)}
    assert len(made) == 20


@pytest.mark.parametrize("wrong", ["", "tercet_", "x" * 50, "tercet_" + "A" * 43, "tercet_é", "\n"])
def test_what_is_no_token_is_nobodys(path: Path, wrong: str) -> None:
    create_token(path, "alice", tenant="lab", role="viewer")
    assert TokenFile(path).look_up(wrong) is None


def test_a_token_ends_when_it_expires_and_not_before(path: Path) -> None:
    now = 1_000.0
    file = TokenFile(path, clock=lambda: now)
    made = create_token(
        path, "a", tenant="lab", role="viewer", expires_days=1.0, clock=lambda: 1_000.0
    )
    now = 1_000.0 + DAY_S - 1.0
    assert file.look_up(made) is not None
    now = 1_000.0 + DAY_S
    assert file.look_up(made) is None


def test_a_revoked_token_is_nobodys_at_once_and_its_name_stays_taken(path: Path) -> None:
    made = create_token(path, "alice", tenant="lab", role="viewer")
    other = create_token(path, "bob", tenant="lab", role="viewer")
    file = TokenFile(path)
    assert file.look_up(made) is not None
    revoke_token(path, "alice", clock=lambda: 5.0)
    assert file.look_up(made) is None
    assert file.look_up(other) is not None
    with pytest.raises(TokenFileError, match="named 'alice' already"):
        create_token(path, "alice", tenant="lab", role="viewer")
    revoke_token(path, "alice", clock=lambda: 9.0)
    assert read_tokens(path).tokens[0].revoked_at_s == 5.0
    with pytest.raises(TokenFileError, match="no token is named 'eve'"):
        revoke_token(path, "eve")


def test_a_file_that_others_may_read_is_refused(path: Path) -> None:
    made = create_token(path, "alice", tenant="lab", role="viewer")
    file = TokenFile(path)
    path.chmod(0o640)
    with pytest.raises(TokenFileError, match="chmod 600"):
        read_tokens(path)
    with pytest.raises(TokenFileError, match="chmod 600"):
        TokenFile(path).look_up(made)
    path.chmod(0o600)
    assert file.look_up(made) is not None


def test_a_file_that_breaks_or_goes_lets_nobody_in(path: Path) -> None:
    made = create_token(path, "alice", tenant="lab", role="viewer")
    file = TokenFile(path)
    good = path.read_bytes()
    assert file.look_up(made) is not None
    path.write_bytes(b'{"tokens": [{"digest": "s3cret"}]}')
    for _ in range(2):
        with pytest.raises(TokenFileError) as caught:
            file.look_up(made)
        assert "s3cret" not in str(caught.value)
        assert "tokens.0.name" in str(caught.value)
    path.unlink()
    with pytest.raises(TokenFileError, match="tercet token create"):
        file.look_up(made)
    path.write_bytes(good)
    path.chmod(0o600)
    assert file.look_up(made) is not None


@pytest.mark.parametrize("text", [b"", b"[]", b"{", b"\xff", b'{"version": 2}', b"[" * 100_000])
def test_what_is_no_token_file_is_said_to_be_none(path: Path, text: bytes) -> None:
    path.write_bytes(text)
    path.chmod(0o600)
    with pytest.raises(TokenFileError, match="no token file"):
        read_tokens(path)


def test_a_file_without_end_is_not_read_whole(path: Path) -> None:
    path.write_bytes(b" " * (4 * 1024 * 1024 + 1))
    path.chmod(0o600)
    with pytest.raises(TokenFileError, match="larger than"):
        read_tokens(path)


def test_two_tokens_of_one_name_are_a_fault_of_the_file(path: Path) -> None:
    create_token(path, "alice", tenant="lab", role="viewer")
    kept = json.loads(path.read_text())
    path.write_text(json.dumps({**kept, "tokens": kept["tokens"] * 2}))
    with pytest.raises(TokenFileError, match="same name"):
        read_tokens(path)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"name": "a b"}, "name"),
        ({"name": "a\n"}, "name"),
        ({"name": "-x"}, "name"),
        ({"name": "x" * 65}, "name"),
        ({"tenant": ""}, "tenant"),
        ({"tenant": "../etc"}, "tenant"),
        ({"role": "root"}, "role"),
        ({"expires_days": float("nan")}, "expires_at_s"),
        ({"expires_days": float("inf")}, "expires_at_s"),
        ({"apps": ("",)}, "apps"),
    ],
)
def test_a_token_that_makes_no_sense_is_not_made(
    path: Path, values: dict[str, Any], words: str
) -> None:
    made: dict[str, Any] = {"name": "a", "tenant": "lab", "role": "viewer"}
    with pytest.raises(TokenFileError, match=words):
        create_token(path, **{**made, **values})
    assert not path.exists()


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    with pytest.raises(TokenFileError, match="cannot change the token file"):
        create_token(tmp_path / "none" / "tokens.json", "a", tenant="lab", role="viewer")
    # The token file's place is taken by a folder: nothing is left behind.
    (tmp_path / "folder" / "x").mkdir(parents=True)
    with pytest.raises(TokenFileError):
        create_token(tmp_path / "folder", "a", tenant="lab", role="viewer")
    assert sorted(child.name for child in tmp_path.iterdir()) == ["folder", "folder.lock"]


def test_a_full_disk_leaves_the_tokens_as_they_were(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = create_token(path, "alice", tenant="lab", role="viewer")

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(TokenFileError, match="No space left"):
        revoke_token(path, "alice")
    assert TokenFile(path).look_up(made) is not None
    assert sorted(child.name for child in path.parent.iterdir()) == [path.name, f"{path.name}.lock"]


def test_a_lock_that_others_hold_is_not_waited_for_without_end(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_token_changes, "_PATIENCE_S", 0.01)
    create_token(path, "alice", tenant="lab", role="viewer")
    before = path.read_bytes()
    with closing(sqlite3.connect(f"{path}.lock", isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(TokenFileError, match="locked"):
            revoke_token(path, "alice")
    assert path.read_bytes() == before


@pytest.mark.anyio
async def test_changes_at_the_same_time_lose_no_token(path: Path) -> None:
    def make(number: int) -> None:
        create_token(path, f"t{number}", tenant="lab", role="viewer")

    async with anyio.create_task_group() as tasks:
        for number in range(12):
            tasks.start_soon(to_thread.run_sync, make, number)

    assert {token.name for token in read_tokens(path).tokens} == {f"t{n}" for n in range(12)}
    assert sorted(child.name for child in path.parent.iterdir()) == [path.name, f"{path.name}.lock"]


def test_the_command_makes_lists_and_revokes(path: Path) -> None:
    file = ("--tokens", str(path))
    made = run("token", "create", "alice", "--tenant", "lab", "--role", "viewer", *file)
    assert made.exit_code == 0
    secret = made.stdout.strip()
    assert TOKEN_PATTERN.fullmatch(secret)
    assert "not shown again" in made.stderr
    limited = ("--app", "taylor", "--app", "objects", "--expires-days", "30")
    run("token", "create", "bob", "--tenant", "lab", "--role", "operator", *limited, *file)
    assert run("token", "revoke", "alice", *file).exit_code == 0

    told = run("token", "list", *file).stdout
    listed = json.loads(run("token", "list", "--json", *file).stdout)

    assert [(t["name"], t["state"], t["apps"]) for t in listed] == [
        ("alice", "revoked", None),
        ("bob", "valid", ["taylor", "objects"]),
    ]
    assert "taylor, objects" in told
    assert "never" in told
    digest = read_tokens(path).tokens[0].digest
    for text in (told, json.dumps(listed)):
        assert secret not in text
        assert digest not in text


def test_the_command_says_a_fault_in_one_line(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["tercet", "token", "list", "--tokens", str(path)])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 2
