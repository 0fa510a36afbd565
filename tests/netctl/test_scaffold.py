"""A new app from an inventory: it works as it is, for any nodes, or it is refused in words."""

import importlib.util
import subprocess
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from netctl import Inventory, ScaffoldError, load_inventory
from netctl.apps.line import line_inventory
from netctl.apps.ran import ran_inventory
from netctl.scaffold import folder_name, new_app
from netctl.tools import bind
from tercet import ToolRegistry

pytestmark = pytest.mark.anyio

_numbers = count()


def write(folder: Path, files: Mapping[str, str]) -> Path:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return folder


def load(folder: Path) -> ModuleType:
    """The generated module of the app, imported under a name that no other one has."""
    (path,) = folder.glob("src/*/app.py")
    spec = importlib.util.spec_from_file_location(f"generated_{next(_numbers)}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run(folder: Path, *command: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def node(node_id: int, *resources: str, name: str = "a node", **more: Any) -> dict[str, Any]:
    return {
        "node_id": node_id,
        "name": name,
        "kind": "amplifier",
        "resources": [
            {"name": resource, "unit": "dB", "min": -3.0, "max": 30.0, "step": 0.5}
            for resource in resources
        ],
        "metrics": [*resources, "temperature_c"],
    } | more


def inventory_of(*nodes: dict[str, Any]) -> Inventory:
    return Inventory.model_validate({"nodes": nodes})


STRANGE = inventory_of(
    node(0, "gain_db", name='the "first" § \'n\\o\' | `1` </td> """\n# 二'),
    node(3, "gain_db", "output-power_dBm", "output_power_dbm"),
    node(30, "voa_db", "tilt_db", name="three-zero"),
    node(2**62, "wavelength_of_a_transponder_that_is_called_by_a_very_long_nam_nm"),
)


SLOW = inventory_of(
    node(
        1,
        resources=[
            {"name": "gain_db", "unit": "dB", "min": -3.0, "max": 30.0, "slew_per_minute": 1.5},
            # Not one step is possible in a minute.
            {"name": "voa_db", "unit": "dB", "min": 0, "max": 8, "step": 4, "slew_per_minute": 1},
        ],
        metrics=["gain_db", "voa_db"],
    )
)


ANY_APP = pytest.mark.parametrize(
    ("app", "inventory", "node_ids"),
    [
        ("Leveller", line_inventory(), ()),
        ("Network", line_inventory(), (8, 3)),
        ("Radio", ran_inventory(), ()),
        ("Slow", SLOW, ()),
        ("a-strange_name", STRANGE, ()),
        ("n" * 33, STRANGE, (30, 2**62)),
        ("Watcher", inventory_of(node(7)), (7,)),
        ("n" * 47, inventory_of(node(7, "gain_db")), (7,)),
    ],
)


@ANY_APP
def test_a_new_folder_passes_its_own_test(
    tmp_path: Path, app: str, inventory: Inventory, node_ids: tuple[int, ...]
) -> None:
    folder = write(tmp_path, new_app(app, inventory, node_ids=node_ids))

    assert "passed" in run(folder, "pytest", "-q", "-p", "no:cacheprovider", "-W", "error")


@pytest.mark.skipif(find_spec("ruff") is None, reason="the linter is in the group lint")
@ANY_APP
def test_a_new_folder_passes_the_linter(
    tmp_path: Path, app: str, inventory: Inventory, node_ids: tuple[int, ...]
) -> None:
    folder = write(tmp_path, new_app(app, inventory, node_ids=node_ids))

    run(folder, "ruff", "check", "--no-cache", ".")
    run(folder, "ruff", "format", "--no-cache", "--check", ".")


async def test_a_new_app_has_its_tools_in_a_controller(tmp_path: Path, call: Any) -> None:
    app = load(write(tmp_path, new_app("Leveller", line_inventory(), node_ids=(8, 7))))
    registry = ToolRegistry()

    async with app.simulated_controller(poll_period_s=3600.0) as controller:
        bind(controller, registry, operator=False)
        names = {tool.name for tool in registry}
        done = await call(
            registry, "Leveller_set_gain", node_id=7, target_gain=12.0, amp_type="preamp"
        )
        measured = await call(registry, "Leveller_get_measurements", node_id=7)

    assert {f"Leveller_{name}" for name in ("set_gain", "get_measurements", "headroom")} <= names
    assert done["status"] == "verified"
    assert measured["measurements"]["preamp_gain_db"]["value"] == 12.0


async def test_a_new_app_keeps_to_the_range_that_it_is_given(tmp_path: Path) -> None:
    module = load(write(tmp_path, new_app("Leveller", line_inventory(), node_ids=(8,))))
    module.RANGES["SET_GAIN"] = (5.0, 20.0)

    async with module.simulated_controller(poll_period_s=3600.0) as controller:
        outcome = await controller.execute(
            "Leveller", "SET_GAIN", {"node_id": 8, "target_gain": 25.0}
        )

    assert (outcome.code, outcome.nearest) == ("rejected_by_validator", 20.0)


async def test_a_new_app_notes_which_nodes_are_silent(tmp_path: Path) -> None:
    module = load(write(tmp_path, new_app("Leveller", line_inventory(), node_ids=(3, 8))))
    app = module.LevellerApp()

    class Nothing:
        def latest(self, node_id: int, metric: str) -> Any:
            del metric
            return type("Reading", (), {"quality": "good" if node_id == 8 else "stale"})()

    app.process(Nothing())

    assert app.silent_nodes == (3,)


NODES = st.lists(
    st.integers(0, 2**63) | st.sampled_from([0, 3, 30, 300, 301]), min_size=1, max_size=4
).map(lambda ids: list(dict.fromkeys(ids)))
NAMES = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


@pytest.fixture(scope="module")
def numbered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for the folders of many examples."""
    return tmp_path_factory.mktemp("apps")


@settings(deadline=None, max_examples=40)
@given(ids=NODES, chosen=st.integers(1, 4), names=st.lists(NAMES, min_size=4, max_size=4))
def test_an_app_of_any_nodes_has_exactly_those_nodes(
    numbered: Path, ids: list[int], chosen: int, names: list[str]
) -> None:
    inventory = inventory_of(
        *(
            node(i, "gain_db", "odd-thing_mm", name=name)
            for i, name in zip(ids, names, strict=False)
        )
    )
    wanted = ids[:chosen]
    files = new_app("Any", inventory, node_ids=wanted)
    folder = write(numbered / str(next(_numbers)), files)

    module = load(folder)
    controller = module.simulated_controller()

    (app,) = controller.apps
    assert sorted(app.metrics) == sorted(wanted)
    assert app.commands == {
        name: tuple(sorted(wanted)) for name in ("SET_GAIN", "SET_ODD_THING_MM")
    }
    assert load_inventory(folder / "src/any_app/inventory.toml") == inventory
    assert files == new_app("Any", inventory, node_ids=wanted)


@pytest.mark.parametrize("app", ["", "8", "-a", "a b", "ä", "a.b", "../a", 'a"b', "a" * 48, "a\n"])
def test_a_bad_name_is_refused_with_what_a_name_is(app: str) -> None:
    with pytest.raises(ScaffoldError, match="no app name") as refusal:
        new_app(app, line_inventory())

    assert "letter first" in str(refusal.value.hint)


def test_an_unknown_node_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(ScaffoldError, match="no node 30") as refusal:
        new_app("Leveller", line_inventory(), node_ids=(3, 30))

    assert refusal.value.hint == "its nodes are 3, 4, 5, 6, 7, 8"


def test_a_node_that_is_named_twice_is_refused() -> None:
    with pytest.raises(ScaffoldError, match="node 3 is named twice"):
        new_app("Leveller", line_inventory(), node_ids=(3, 8, 3))


def test_a_node_with_nothing_to_read_or_set_is_refused_when_named_and_else_left_out() -> None:
    inventory = inventory_of(node(1, "gain_db"), node(2, metrics=[]))

    with pytest.raises(ScaffoldError, match="node 2 measures nothing and has nothing to set"):
        new_app("Leveller", inventory, node_ids=(1, 2))
    assert "    2:" not in new_app("Leveller", inventory)["src/leveller_app/app.py"]


def test_an_inventory_with_nothing_to_read_or_set_is_refused() -> None:
    with pytest.raises(ScaffoldError, match="no node of the inventory"):
        new_app("Leveller", inventory_of(node(2, metrics=[])))


def test_a_name_that_leaves_no_room_for_its_tools_is_refused_with_the_room() -> None:
    resource = "a_resource_with_quite_a_long_name_db"
    with pytest.raises(ScaffoldError, match="longer than 64") as refusal:
        new_app("n" * 47, inventory_of(node(1, resource)))

    assert refusal.value.hint == "give the app a name of at most 33 characters"


def test_a_page_of_many_nodes_says_how_many_it_leaves_out() -> None:
    files = new_app("Many", inventory_of(*(node(number, "gain_db") for number in range(120))))

    assert files["README.md"].count("| `SET_GAIN` |") == 50
    assert "| … | 70 more | | | |" in files["README.md"]
    assert "    119: " in files["src/many_app/app.py"]


def test_a_value_beyond_limits_that_nothing_is_beyond_is_not_tried() -> None:
    vast = {"name": "gain_db", "unit": "dB", "min": -1.7e308, "max": 1.7e308}
    files = new_app("Vast", inventory_of(node(1, metrics=["gain_db"], resources=[vast])))

    assert "BEYOND = []" in files["tests/test_vast_app.py"]
    assert '"target_gain": 0.0' in files["tests/test_vast_app.py"]


def test_what_cannot_be_set_becomes_no_command() -> None:
    fixed = {"name": "gain_db", "unit": "dB", "min": 0.0, "max": 1.0, "read_only": True}
    text = new_app("Watcher", inventory_of(node(1, metrics=["gain_db"], resources=[fixed])))

    assert "control_functions" not in text["src/watcher_app/app.py"]


def test_an_apps_folder_and_module_never_hide_a_module_of_pythons() -> None:
    assert folder_name("json") == "json-app"
    assert set(new_app("json", line_inventory())) == {
        "README.md",
        "pyproject.toml",
        "src/json_app/__init__.py",
        "src/json_app/app.py",
        "src/json_app/inventory.toml",
        "tests/test_json_app.py",
    }


def test_the_name_of_a_node_is_text_on_the_page_and_nowhere_in_the_code() -> None:
    files = new_app("Strange", STRANGE)

    assert 'the "first"' not in files["src/strange_app/app.py"] + files["tests/test_strange_app.py"]
    assert "\\</td\\>" in files["README.md"]
    assert "\n# 二" not in files["README.md"]
