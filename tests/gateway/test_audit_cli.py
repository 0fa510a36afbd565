"""`tercet audit`: the trail of a network, checked and exported."""

import hashlib
import json
import sqlite3
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from gateway import NetworkSettings, cli
from gateway._compose import compose

pytestmark = pytest.mark.anyio


@pytest.fixture
async def store(tmp_path: Path, anyio_backend: str) -> Path:
    """The file of a network with two commands."""
    del anyio_backend
    file = tmp_path / "network.db"
    composition = compose(network=NetworkSettings(store=file))
    async with composition.running():
        call = composition.registry.call_tool
        for gain_db in (12.0, 13.0):
            answer = await call("NetworkApp1_set_gain", {"node_id": 8, "target_gain": gain_db})
            assert not answer.is_error
    await composition.aclose()
    return file


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli.app, ["audit", *arguments])


async def test_a_whole_trail_ends_with_success_and_the_digest_to_note(store: Path) -> None:
    done = run("verify", "--network-store", str(store))
    assert done.exit_code == 0
    head = done.stdout.split("Last digest: ")[1].strip()

    noted = run("verify", "--network-store", str(store), "--noted", head)
    assert noted.exit_code == 0
    assert "is of entry" in noted.stdout


async def test_a_broken_trail_and_a_foreign_one_end_with_failure(store: Path) -> None:
    foreign = run("verify", "--network-store", str(store), "--noted", "f" * 64)
    assert foreign.exit_code == 1
    assert "no entry has the digest" in foreign.stderr

    with sqlite3.connect(store) as forger:
        forger.execute("UPDATE audit SET timestamp_s = 0 WHERE sequence = 1")
    forger.close()
    broken = run("verify", "--network-store", str(store))
    assert broken.exit_code == 1
    assert "Broken at entry 1" in broken.stderr


async def test_exported_lines_can_be_checked_without_this_project(store: Path) -> None:
    lines = run("export", "--network-store", str(store)).stdout.splitlines()
    previous = "0" * 64
    for line in lines:
        entry = json.loads(line)
        facts = json.dumps(entry["facts"], sort_keys=True, separators=(",", ":"))
        whole = [entry["sequence"], entry["timestamp_s"], entry["kind"], facts, previous]
        text = json.dumps(whole, separators=(",", ":"))
        assert entry["previous"] == previous
        assert entry["digest"] == hashlib.sha256(text.encode()).hexdigest()
        previous = entry["digest"]

    assert len(lines) == 2
    later = run("export", "--network-store", str(store), "--after", "1").stdout.splitlines()
    assert later == lines[1:]


async def test_a_store_that_is_not_there_is_said_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    missing = tmp_path / "missing.db"
    monkeypatch.setattr("sys.argv", ["tercet", "audit", "verify", "--network-store", str(missing)])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 2
    assert "'missing.db' cannot be read" in capsys.readouterr().err
    assert not missing.exists()
