"""Plugins: connected before the apps run, let go of after them, and for those who ask alone."""

from collections.abc import Mapping
from typing import Any, ClassVar

import anyio
import pytest

from netctl import (
    Controller,
    DeclarationError,
    Measurements,
    NetworkApp,
    PluginError,
    aic_app,
    installed_plugins,
)
from netctl.apps.line import simulated_line

pytestmark = pytest.mark.anyio


class Storage:
    """A plugin that writes down what is done with it."""

    def __init__(self, log: list[str], name: str = "storage", fault: str = "") -> None:
        self.log, self.name, self.fault = log, name, fault
        self.health: Any = True

    async def connect(self) -> None:
        self.log.append(f"connect {self.name}")
        if self.fault == "connect":
            raise ConnectionRefusedError("nobody listens")
        if self.fault == "connect never":
            await anyio.sleep_forever()

    async def disconnect(self) -> None:
        self.log.append(f"disconnect {self.name}")
        if self.fault == "disconnect":
            raise OSError("gone")

    def is_healthy(self) -> bool:
        if isinstance(self.health, Exception):
            raise self.health
        return self.health


@aic_app(name="Writer")
class Writer(NetworkApp):
    aic_app_id = 51
    read_measurements: ClassVar[Mapping[int, Any]] = {8: ["output_power_dbm"]}
    required_plugins = ("storage",)

    def __init__(self) -> None:
        self.wrote = anyio.Event()

    def process(self, measurements: Measurements) -> None:
        del measurements
        storage: Any = self.plugins["storage"]
        storage.log.append("write")
        self.wrote.set()


@aic_app(name="Alone")
class Alone(NetworkApp):
    aic_app_id = 52


async def test_apps_use_plugins_that_are_connected_before_and_let_go_of_after_them() -> None:
    log: list[str] = []
    storage, other = Storage(log), Storage(log, "other")
    controller = Controller(*simulated_line(), plugins=[storage, other])
    writer, alone = Writer(), Alone()
    controller.add(writer)
    controller.add(alone)
    assert writer.plugins == {"storage": storage}
    assert alone.plugins == {}
    async with controller:
        await controller.set_state("Writer", "running")
        with anyio.fail_after(5):
            await writer.wrote.wait()
    assert log[:2] == ["connect storage", "connect other"]
    assert log[-2:] == ["disconnect other", "disconnect storage"]
    assert set(log[2:-2]) == {"write"}


async def test_an_app_whose_plugin_is_missing_is_refused_with_the_nearest() -> None:
    with pytest.raises(DeclarationError, match=r"'Writer' needs the plugin 'storage'") as caught:
        Controller(*simulated_line(), plugins=[Storage([], "strage")]).add(Writer())
    assert caught.value.hint == "did you mean 'strage'?"
    with pytest.raises(DeclarationError, match="has none"):
        Controller(*simulated_line()).add(Writer())


async def test_a_plugin_that_cannot_be_connected_keeps_the_controller_from_starting() -> None:
    log: list[str] = []
    first, broken = Storage(log), Storage(log, "broken", "connect")
    controller = Controller(*simulated_line(), plugins=[first, broken])
    with pytest.raises(PluginError, match=r"'broken' cannot be connected: .*nobody listens"):
        async with controller:
            pytest.fail("it started")
    # What was connected is let go of, and it can be tried again.
    assert log == ["connect storage", "connect broken", "disconnect storage"]
    broken.fault = ""
    async with controller:
        pass
    assert log[-2:] == ["disconnect broken", "disconnect storage"]


async def test_a_start_that_is_given_up_lets_go_of_what_is_connected() -> None:
    log: list[str] = []
    slow = Storage(log, "slow", "connect never")
    controller = Controller(*simulated_line(), plugins=[Storage(log), slow])
    with anyio.move_on_after(0.1):
        await controller.__aenter__()
    assert log == ["connect storage", "connect slow", "disconnect slow", "disconnect storage"]


async def test_one_that_fails_at_the_end_keeps_none_of_the_others() -> None:
    log: list[str] = []
    plugins = [Storage(log), Storage(log, "bad", "disconnect")]
    async with Controller(*simulated_line(), plugins=plugins):
        pass
    assert log[-2:] == ["disconnect bad", "disconnect storage"]


async def test_plugins_that_do_not_work_are_named() -> None:
    well, ill, mute, odd = (Storage([], name) for name in ("well", "ill", "mute", "odd"))
    ill.health, mute.health, odd.health = False, RuntimeError("?"), "yes"
    controller = Controller(*simulated_line(), plugins=[well, ill, mute, odd])
    assert controller.unhealthy_plugins == ()
    async with controller:
        assert controller.unhealthy_plugins == ("ill", "mute", "odd")


@pytest.mark.parametrize(
    ("plugins", "said"),
    [
        ([Storage([]), Storage([])], "two plugins are named 'storage'"),
        ([Storage([], "")], "a plugin is named ''"),
        ([object()], "is no plugin"),
    ],
)
def test_what_is_no_plugin_is_refused(plugins: Any, said: str) -> None:
    with pytest.raises(DeclarationError, match=said):
        Controller(*simulated_line(), plugins=plugins)


@pytest.mark.parametrize("required", ["storage", 3, [1]])
def test_requirements_that_are_no_names_are_refused_when_the_app_is_declared(required: Any) -> None:
    with pytest.raises(DeclarationError, match="required_plugins"):
        aic_app(name="Wrong")(
            type("Wrong", (NetworkApp,), {"aic_app_id": 53, "required_plugins": required})
        )


def test_plugins_of_installed_packages_are_found_by_their_entry_point(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    metadata = tmp_path / "some_plugin-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: some-plugin\nVersion: 1.0\n")
    points = metadata / "entry_points.txt"
    points.write_text("[netctl.plugins]\nstorage = some_plugin:Storage\n")
    (tmp_path / "some_plugin.py").write_text("class Storage: ...\nvalue = 3\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert installed_plugins()["storage"].__name__ == "Storage"
    points.write_text("[netctl.plugins]\nstorage = some_plugin:value\n")
    with pytest.raises(DeclarationError, match="no class"):
        installed_plugins()
