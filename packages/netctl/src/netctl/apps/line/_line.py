"""The line: ROADM 6 → amplifiers 3, 4 → ROADM 7 → amplifier 5 → ROADM 8, with its data sheets."""

from netctl._inventory import (
    AmplifierStage,
    Attenuator,
    Inventory,
    Link,
    Node,
    NodeKind,
    Resource,
    StageName,
)
from netctl.drivers import SimulatedLine

__all__ = ["line_inventory", "simulated_line"]

_RESOURCES: dict[StageName, str] = {
    "line": "gain_db",
    "preamp": "preamp_gain_db",
    "booster": "booster_gain_db",
}
# What handlers of commands call them.
_ALIASES: dict[StageName, tuple[str, ...]] = {
    "line": ("target_gain",),
    "preamp": ("preamp_gain",),
    "booster": ("booster_gain",),
}
_TILTS: dict[StageName, str] = {
    "line": "tilt_db",
    "preamp": "preamp_tilt_db",
    "booster": "booster_tilt_db",
}
_POWERS = ("input_power_dbm", "output_power_dbm", "osnr_db")
# What the channel monitor of a ROADM tells: the lowest and the highest channel of the band.
_EDGES = ("channel_1_power_dbm", "channel_8_power_dbm")
_MAX_GAIN_DB = 35.0
_MAX_TILT_DB = 3.0
_MAX_ATTENUATION_DB = 20.0
# The attenuator at the output of each ROADM, for all channels.
_VOA = Resource(
    name="voa_db",
    aliases=("attenuation", "voa"),
    unit="dB",
    min=0.0,
    max=_MAX_ATTENUATION_DB,
    metric="attenuation_db",
)

# Gains that bring each span back to about +8 dBm; node 8 feeds a receiver, so it ends at +2 dBm.
_SETTINGS = {
    (6, "booster_gain_db"): 18.0,
    (3, "gain_db"): 17.0,
    (4, "gain_db"): 17.5,
    (7, "preamp_gain_db"): 15.0,
    (7, "booster_gain_db"): 14.0,
    (5, "gain_db"): 17.0,
    (8, "preamp_gain_db"): 16.0,
    (8, "booster_gain_db"): 12.0,
}


def line_inventory() -> Inventory:
    """The nodes 3 to 8, in a chain."""
    return Inventory(
        nodes=(
            _amplifier(3),
            _amplifier(4),
            _amplifier(5),
            _roadm(6, "add ROADM", 6.0, _stage("booster", 17.0, 5.5)),
            _roadm(
                7, "express ROADM", 10.0, _stage("preamp", 15.0, 5.5), _stage("booster", 17.0, 6.0)
            ),
            _roadm(8, "drop ROADM", 15.0, _stage("preamp", 14.0, 5.5), _stage("booster", 7.0, 6.0)),
        ),
        links=(
            Link(source=6, target=3, loss_db=16.5),
            Link(source=3, target=4, loss_db=17.6),
            Link(source=4, target=7, loss_db=16.5),
            Link(source=7, target=5, loss_db=17.6),
            Link(source=5, target=8, loss_db=15.4),
        ),
    )


def simulated_line(*, noise_db: float = 0.0, seed: int = 0) -> tuple[Inventory, SimulatedLine]:
    """The line's inventory, and a simulator of it.

    Args:
        noise_db: Standard deviation of the error of each power and OSNR reading.
        seed: Where the errors' sequence starts.
    """
    inventory = line_inventory()
    return inventory, SimulatedLine(inventory, settings=_SETTINGS, noise_db=noise_db, seed=seed)


def _stage(stage: StageName, saturation_power_dbm: float, noise_figure_db: float) -> AmplifierStage:
    return AmplifierStage(
        stage=stage,
        resource=_RESOURCES[stage],
        saturation_power_dbm=saturation_power_dbm,
        noise_figure_db=noise_figure_db,
        tilt_resource=_TILTS[stage],
    )


def _amplifier(node_id: int) -> Node:
    return _node(node_id, f"amplifier {node_id}", "amplifier", _stage("line", 17.0, 5.0))


def _roadm(node_id: int, name: str, loss_db: float, *stages: AmplifierStage) -> Node:
    return _node(node_id, name, "roadm", *stages, loss_db=loss_db)


def _node(
    node_id: int,
    name: str,
    kind: NodeKind,
    *stages: AmplifierStage,
    loss_db: float = 0.0,
) -> Node:
    has_booster = any(stage.stage == "booster" for stage in stages)
    voa = (_VOA,) if kind == "roadm" else ()
    resources = (*map(_gain, stages), *map(_tilt, stages), *voa)
    settings = tuple(resource.read_back_metric for resource in resources)
    return Node(
        node_id=node_id,
        name=name,
        kind=kind,
        resources=resources,
        metrics=(*settings, *_POWERS, "loss_db", *_EDGES)
        if kind == "roadm"
        else (*settings, *_POWERS),
        stages=stages,
        attenuators=tuple(Attenuator(resource=resource.name) for resource in voa),
        insertion_loss_db=loss_db,
        defaults={"amp_type": "booster"} if has_booster else {},
    )


def _gain(stage: AmplifierStage) -> Resource:
    return Resource(
        name=stage.resource, aliases=_ALIASES[stage.stage], unit="dB", min=0.0, max=_MAX_GAIN_DB
    )


def _tilt(stage: AmplifierStage) -> Resource:
    return Resource(name=_TILTS[stage.stage], unit="dB", min=-_MAX_TILT_DB, max=_MAX_TILT_DB)
