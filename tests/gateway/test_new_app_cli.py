"""`tercet new-app`: the folder of a new app, whole or not at all."""

import importlib
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from gateway import Composition, cli
from netctl import ScaffoldError, write_inventory
from netctl.apps.line import line_inventory


@pytest.fixture
def inventory(tmp_path: Path) -> Path:
    file = tmp_path / "line.toml"
    write_inventory(line_inventory(), file)
    return file


@pytest.fixture
def where(tmp_path: Path) -> Path:
    folder = tmp_path / "where"
    folder.mkdir()
    return folder


def new_app(name: str, inventory: Path, where: Path, *more: str) -> Result:
    arguments = ["new-app", name, "--inventory", str(inventory), "--directory", str(where), *more]
    return CliRunner().invoke(cli.app, arguments)


def test_the_folder_that_is_written_passes_its_own_test(inventory: Path, where: Path) -> None:
    done = new_app("Leveller", inventory, where, "--node", "8", "--node", "3")

    assert done.exit_code == 0, done.output
    assert "python -m pytest" in done.stdout
    assert [path.name for path in where.iterdir()] == ["leveller-app"]
    tested = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"],
        cwd=where / "leveller-app",
        capture_output=True,
        text=True,
        check=False,
    )
    assert tested.returncode == 0, tested.stdout


@pytest.mark.anyio
async def test_a_new_app_that_is_added_to_the_gateways_controller_is_served(
    inventory: Path, where: Path, composition: Composition, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert new_app("Leveller", inventory, where, "--node", "7").exit_code == 0
    monkeypatch.syspath_prepend(where / "leveller-app/src")
    app = importlib.import_module("leveller_app").LevellerApp()

    call = composition.registry.call_tool
    async with composition.running():
        composition.controller.add(app)
        done = await call("Leveller_set_voa", {"node_id": 7, "attenuation": 2.0})
        refused = await call("Leveller_set_gain", {"node_id": 8, "target_gain": 10.0})

    assert done.to_dict()["data"]["result"]["status"] == "verified"
    assert composition.line.state()[7]["attenuation_db"] == 2.0
    assert refused.to_dict()["error_code"] == "INVALID_INPUT"


def test_a_folder_that_is_there_is_left_as_it_is(inventory: Path, where: Path) -> None:
    (where / "leveller-app").mkdir()
    mine = where / "leveller-app/mine.txt"
    mine.write_text("mine")

    done = new_app("Leveller", inventory, where)

    assert isinstance(done.exception, ScaffoldError)
    assert "is there already; nothing was written" in str(done.exception)
    assert [*where.rglob("*")] == [where / "leveller-app", mine]


def test_a_link_that_leads_nowhere_is_not_written_through(inventory: Path, where: Path) -> None:
    (where / "leveller-app").symlink_to(where / "elsewhere")

    done = new_app("Leveller", inventory, where)

    assert isinstance(done.exception, ScaffoldError)
    assert not (where / "elsewhere").exists()


@pytest.mark.parametrize("more", [("--node", "30"), ("--node", "3", "--node", "3")])
def test_what_is_refused_leaves_nothing_behind(
    inventory: Path, where: Path, more: tuple[str, ...]
) -> None:
    done = new_app("Leveller", inventory, where, *more)

    assert isinstance(done.exception, ScaffoldError)
    assert [*where.iterdir()] == []


def test_a_disk_that_fails_halfway_leaves_nothing_behind(
    inventory: Path, where: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_text = Path.write_text

    def fail_at_the_test(path: Path, *args: str, **options: str) -> int:
        if path.name.startswith("test_"):
            raise OSError(28, "No space left on device")
        return write_text(path, *args, **options)

    monkeypatch.setattr(Path, "write_text", fail_at_the_test)
    done = new_app("Leveller", inventory, where)

    assert isinstance(done.exception, ScaffoldError)
    assert "No space left on device; nothing is left of it" in str(done.exception)
    assert [*where.iterdir()] == []


def test_a_directory_that_is_not_there_is_named(inventory: Path, where: Path) -> None:
    done = new_app("Leveller", inventory, where / "lacking")

    assert isinstance(done.exception, ScaffoldError)
    assert "No such file or directory" in str(done.exception)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["8"], "'8' is no app name; use up to 47 letters"),
        (["Leveller", "--node", "30"], "no node 30; its nodes are 3, 4, 5, 6, 7, 8"),
    ],
)
def test_a_refusal_is_one_line_with_what_to_do(
    inventory: Path, where: Path, arguments: list[str], said: str
) -> None:
    program = "from gateway.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", program, "new-app", "--inventory", str(inventory), *arguments],
        cwd=where,
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("tercet: ")
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def test_an_inventory_that_cannot_be_used_is_told_with_its_faults(where: Path) -> None:
    broken = where / "broken.toml"
    broken.write_text("nodes = 3\n")

    done = new_app("Leveller", broken, where)

    assert "broken.toml" in str(done.exception)
    assert [*where.iterdir()] == [broken]
