"""Packages of apps whose files change: imported again whole, or as they were before."""

import sys
from pathlib import Path
from typing import Any

import pytest

from netctl import DeclarationError, InstalledApps

APP = """
from netctl import NetworkApp, aic_app
from some_house.shared import KEPT


@aic_app(name="Street")
class Street(NetworkApp):
    aic_app_id = {app_id}
"""


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What an installer leaves of a package with an app in a package below it."""
    metadata = tmp_path / "some_house-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: some-house\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(
        "[netctl.apps]\nStreet = some_house.apps.street:Street\n"
    )
    below = tmp_path / "some_house" / "apps"
    below.mkdir(parents=True)
    (below.parent / "__init__.py").write_text("")
    (below.parent / "shared.py").write_text("KEPT = object()\n")
    (below / "__init__.py").write_text("")
    (below / "street.py").write_text(APP.format(app_id=1))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    for module in [name for name in sys.modules if name.startswith("some_house")]:
        monkeypatch.delitem(sys.modules, module)
    return below / "street.py"


def module(name: str) -> Any:
    return sys.modules[f"some_house.{name}"]


def test_only_the_package_that_the_app_is_in_is_imported_again(house: Path) -> None:
    installed = InstalledApps()
    with installed.found() as first:
        pass
    with installed.found() as again:
        pass
    assert again == first
    before, shared = module("apps"), module("shared")

    house.write_text(APP.format(app_id=22))
    with installed.found() as newer:
        pass

    assert (first["Street"].aic_app_id, newer["Street"].aic_app_id) == (1, 22)
    assert module("apps") is not before
    assert module("shared") is shared
    assert sys.modules["some_house"].apps is module("apps")
    with installed.found() as last:
        pass
    assert last == newer


@pytest.mark.parametrize("source", ["import nowhere\n", "", APP.format(app_id=333)])
def test_what_cannot_be_taken_up_leaves_the_modules_of_before(house: Path, source: str) -> None:
    installed = InstalledApps()
    with installed.found() as first:
        pass
    before = {name: found for name, found in sys.modules.items() if name.startswith("some_house")}

    house.write_text(source)
    with pytest.raises((DeclarationError, RuntimeError)), installed.found():
        raise RuntimeError("it does not fit")

    after = {name: found for name, found in sys.modules.items() if name.startswith("some_house")}
    assert after == before
    assert sys.modules["some_house"].apps.street.Street is first["Street"]
    house.write_text(APP.format(app_id=4444))
    with installed.found() as mended:
        assert mended["Street"].aic_app_id == 4444


def test_a_file_that_changes_while_apps_are_taken_up_is_noticed_the_next_time(house: Path) -> None:
    installed = InstalledApps()
    with installed.found():
        house.write_text(APP.format(app_id=22))
    with installed.found() as newer:
        assert newer["Street"].aic_app_id == 22
