"""What a simulated node measures: each metric by its name, from the light in and out."""

import re
from collections.abc import Callable, Iterator, Mapping

from netctl._inventory import Node
from netctl.optics import Light

__all__ = ["Meter", "meters_of"]

Meter = Callable[[Light, Light, Mapping[str, float]], float]
"""Given the light that enters, the light that leaves and the node's settings."""

_CHANNEL = re.compile(r"channel_([1-9]\d*)_(power_dbm|osnr_db|gsnr_db)")
_WHOLE: dict[str, Meter] = {
    "input_power_dbm": lambda entering, _, __: entering.total_dbm,
    "output_power_dbm": lambda _, leaving, __: leaving.total_dbm,
    "osnr_db": lambda _, leaving, __: leaving.osnr_db,
    "gsnr_db": lambda _, leaving, __: leaving.gsnr_db,
}
_OF_CHANNEL: dict[str, Callable[[Light, int], float]] = {
    "power_dbm": Light.channel_dbm,
    "osnr_db": Light.channel_osnr_db,
    "gsnr_db": Light.channel_gsnr_db,
}


def meters_of(node: Node, *, channels: int) -> Iterator[tuple[str, Meter]]:
    """The metrics of a node that a line with so many channels can measure, with how."""
    settings = {resource.read_back_metric: resource.name for resource in node.resources}
    for metric in node.metrics:
        channel = _CHANNEL.fullmatch(metric)
        if metric in settings:
            yield metric, _setting(settings[metric])
        elif metric in _WHOLE:
            yield metric, _WHOLE[metric]
        elif metric == "loss_db":
            yield metric, _constant(node.insertion_loss_db)
        elif channel is not None and int(channel[1]) <= channels:
            yield metric, _of_channel(_OF_CHANNEL[channel[2]], int(channel[1]) - 1)


def _setting(resource: str) -> Meter:
    return lambda _, __, settings: settings[resource]


def _constant(value: float) -> Meter:
    return lambda _, __, ___: value


def _of_channel(measure: Callable[[Light, int], float], channel: int) -> Meter:
    return lambda _, leaving, __: measure(leaving, channel)
