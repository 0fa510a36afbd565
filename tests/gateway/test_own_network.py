"""A gateway that runs an operator's network: an inventory, and apps of installed packages."""

import sys
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from gateway import Composition, NetworkSettings, cli, compose
from netctl import DeclarationError, InventoryError
from netctl.apps.ran import ran_inventory
from netctl.scaffold import new_app

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(30)]

INVENTORY = Path(str(files("netctl.apps.ran") / "inventory.toml"))


@pytest.fixture
def street(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What an installer leaves of a new app for the shipped cell, and the cell's inventory."""
    for path, text in new_app("Street", ran_inventory()).items():
        file = tmp_path / path.removeprefix("src/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    metadata = tmp_path / "street_app-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: street-app\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text("[netctl.apps]\nStreet = street_app:StreetApp\n")
    monkeypatch.syspath_prepend(tmp_path)
    for module in [name for name in sys.modules if name.startswith("street_app")]:
        monkeypatch.delitem(sys.modules, module)
    return INVENTORY


async def result_of(composition: Composition, name: str, **arguments: Any) -> Any:
    answer = (await composition.registry.call_tool(name, arguments)).to_dict()
    assert answer["status"] == "success", answer
    return answer["data"]["result"]


async def test_an_installed_app_commands_the_simulated_plant_of_an_inventory(street: Path) -> None:
    composition = compose(network=NetworkSettings(inventory=street))
    async with composition.running():
        assert [app.name for app in composition.controller.apps] == ["Street"]
        topology = await result_of(composition, "get_topology")
        assert topology["total_nodes"] == 1
        done = await result_of(composition, "Street_set_tx_power", node_id=21, tx_power_dbm=15.0)
        assert done["status"] == "verified"
        read = await result_of(composition, "Street_get_measurements", node_id=21)
        assert "15.0" in str(read)
    await composition.aclose()


async def test_without_installed_apps_the_network_can_still_be_looked_at() -> None:
    composition = compose(network=NetworkSettings(inventory=INVENTORY))
    async with composition.running():
        assert composition.app_statuses() == []
        assert (await result_of(composition, "get_topology"))["total_nodes"] == 1
    with pytest.raises(TypeError, match="not the shipped line"):
        _ = composition.line
    await composition.aclose()


def test_an_inventory_or_an_app_that_cannot_be_used_is_named(street: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.toml"
    broken.write_text("[[nodes]]\nnode_id = 'three'\n")
    with pytest.raises(InventoryError):
        compose(network=NetworkSettings(inventory=broken))
    # The app's node is not in this inventory.
    other = tmp_path / "other.toml"
    other.write_text(street.read_text().replace("node_id = 21", "node_id = 22"))
    with pytest.raises(DeclarationError, match="21"):
        compose(network=NetworkSettings(inventory=other))


def test_the_command_line_says_in_one_line_what_is_wrong_with_an_inventory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    missing = str(tmp_path / "none.toml")
    monkeypatch.setattr("sys.argv", ["tercet", "serve", "--network-inventory", missing])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert "none.toml" in said
    assert "Traceback" not in said
    wide = {"COLUMNS": "200"}
    helped = CliRunner().invoke(cli.app, ["serve", "--help"], env=wide)
    assert "--network-inventory" in helped.output
