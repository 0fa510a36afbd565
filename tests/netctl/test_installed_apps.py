"""The apps of installed packages: found by their entry point, and named when they are none."""

import sys
from pathlib import Path

import pytest

from netctl import DeclarationError, installed_apps
from netctl.apps.line import line_inventory
from netctl.scaffold import new_app


def install(folder: Path, monkeypatch: pytest.MonkeyPatch, entry: str, source: str = "") -> None:
    """What an installer leaves: a package's metadata with its entry point, and its module."""
    metadata = folder / "some_app-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: some-app\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(f"[netctl.apps]\n{entry}\n")
    (folder / "somebodys_module.py").write_text(source)
    monkeypatch.syspath_prepend(folder)
    monkeypatch.delitem(sys.modules, "somebodys_module", raising=False)


def test_a_new_app_is_found_under_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for path, text in new_app("Found", line_inventory(), node_ids=(8,)).items():
        file = tmp_path / path.removeprefix("src/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    install(tmp_path, monkeypatch, "Found = found_app:FoundApp")

    app = installed_apps()["Found"]

    assert app.__name__ == "FoundApp"
    assert app.control_functions == {8: ("SET_GAIN", "SET_TILT", "SET_VOA")}


@pytest.mark.parametrize(
    ("entry", "source", "said"),
    [
        ("Lost = somebodys_module:Lost", "", "'Lost' cannot be imported from 'somebodys_module"),
        ("Bad = somebodys_module:Bad", "raise KeyError('why')", "KeyError: 'why'"),
        ("No = somebodys_module:No", "class No: ...", "'No' names .* which is no NetworkApp"),
    ],
)
def test_what_cannot_be_used_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, entry: str, source: str, said: str
) -> None:
    install(tmp_path, monkeypatch, entry, source)

    with pytest.raises(DeclarationError, match=said):
        installed_apps()
