"""An operator's folder: an inventory, and what an installer leaves of apps."""

from pathlib import Path

NODE = """
[[nodes]]
node_id = {node_id}
name = "amplifier {node_id}"
kind = "amplifier"
metrics = ["booster_gain_db"]

[[nodes.resources]]
name = "booster_gain_db"
unit = "dB"
min = 0.0
max = {max_db}
"""

APP = """
from netctl import NetworkApp, aic_app


@aic_app(name="{name}")
class Street(NetworkApp):
    aic_app_id = {app_id}
    read_measurements = dict.fromkeys({nodes}, ("booster_gain_db",))
    control_functions = dict.fromkeys({nodes}, ("SET_GAIN",))

    def __init__(self):
        self.inventories = 0
"""


class Town:
    """The folder of an operator: an inventory, and what an installer leaves of apps."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / "town.toml"
        self.write({7: 30.0, 8: 30.0})
        self.install("street_app", "Street", nodes=(7, 8))

    def write(self, max_db: dict[int, float]) -> None:
        nodes = [NODE.format(node_id=node_id, max_db=most) for node_id, most in max_db.items()]
        whole = self.folder / "town.toml.new"
        whole.write_text("".join(nodes))
        whole.replace(self.file)

    def install(self, package: str, name: str, *, nodes: tuple[int, ...], app_id: int = 1) -> None:
        """Leave a package with an app, in place of an older one."""
        metadata = self.folder / f"{package}-1.0.dist-info"
        metadata.mkdir(exist_ok=True)
        (metadata / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n"
        )
        (metadata / "entry_points.txt").write_text(f"[netctl.apps]\n{name} = {package}:Street\n")
        (self.folder / package).mkdir(exist_ok=True)
        self.source(package, "__init__").write_text(f"from {package}.app import Street\n")
        text = APP.format(name=name, app_id=app_id, nodes=nodes)
        self.source(package, "app").write_text(text)

    def source(self, package: str, module: str) -> Path:
        return self.folder / package / f"{module}.py"

    def uninstall(self, package: str) -> None:
        for folder in (self.folder / package, self.folder / f"{package}-1.0.dist-info"):
            for file in folder.glob("*.*"):
                file.unlink()
