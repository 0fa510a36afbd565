"""The way of light through one node, step by step; what a change does not touch is not redone."""

from collections.abc import Iterator, Mapping
from typing import Protocol

from netctl._inventory import AmplifierStage, Attenuator, Node
from netctl.optics import Light, amplify, db_to_ratio

__all__ = ["LightPath"]


class _Step(Protocol):
    """One thing that light passes."""

    settings: tuple[str, ...]
    """The resources that decide what it does."""

    def passed(self, light: Light, values: tuple[float, ...]) -> Light:
        """Light behind it, with what those are set to."""
        ...


class LightPath:
    """What light passes on a node: its amplifiers, its loss, and its attenuators.

    The loss comes behind a preamp, or first where there is none.

    Args:
        node: The node, with its data sheets.
    """

    def __init__(self, node: Node) -> None:
        self._steps = tuple(_steps(node))
        # Of each step what entered it last, with which settings, and what left it.
        self._last: list[tuple[Light, tuple[float, ...], Light] | None] = [None] * len(self._steps)

    def passed(self, light: Light, settings: Mapping[str, float]) -> Light:
        """Light behind the node, with what its resources are set to."""
        for place, step in enumerate(self._steps):
            values = tuple([settings[name] for name in step.settings])
            last = self._last[place]
            if last is None or last[0] is not light or last[1] != values:
                last = self._last[place] = light, values, step.passed(light, values)
            light = last[2]
        return light


def _steps(node: Node) -> Iterator[_Step]:
    if all(stage.stage != "preamp" for stage in node.stages):
        yield _Loss(node.insertion_loss_db)
    for stage in node.stages:
        yield _Amplifier(stage)
        if stage.stage == "preamp":
            yield _Loss(node.insertion_loss_db)
    for attenuator in node.attenuators:
        yield _Attenuation(attenuator)


class _Loss:
    settings = ()

    def __init__(self, loss_db: float) -> None:
        self._loss_db = loss_db

    def passed(self, light: Light, values: tuple[float, ...]) -> Light:
        del values
        return light.attenuated(self._loss_db)


class _Amplifier:
    def __init__(self, stage: AmplifierStage) -> None:
        tilt = () if stage.tilt_resource is None else (stage.tilt_resource,)
        self.settings = (stage.resource, *tilt)
        self._stage = stage

    def passed(self, light: Light, values: tuple[float, ...]) -> Light:
        return amplify(
            light,
            gain_db=values[0],
            saturation_power_dbm=self._stage.saturation_power_dbm,
            noise_figure_db=self._stage.noise_figure_db,
            tilt_db=values[1] if len(values) > 1 else 0.0,
        )


class _Attenuation:
    def __init__(self, attenuator: Attenuator) -> None:
        self.settings = (attenuator.resource,)
        self._channel = attenuator.channel

    def passed(self, light: Light, values: tuple[float, ...]) -> Light:
        (loss_db,) = values
        if self._channel is None:
            return light.attenuated(loss_db)
        ratios = [1.0] * light.channels
        ratios[self._channel - 1] = db_to_ratio(-loss_db)
        return light.scaled(tuple(ratios))
