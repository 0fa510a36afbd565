"""What simulated equipment is set to, and what it refuses because it cannot go there."""

from collections.abc import Mapping

from netctl._driver import Acknowledgement, Setting
from netctl._errors import UnknownNameError
from netctl._inventory import Inventory

__all__ = ["flat_settings", "refused_by_hardware"]


def flat_settings(settings: Mapping[int, Mapping[str, float]]) -> dict[tuple[int, str], float]:
    """What each resource is set to, by node id and name, of what each node has by name."""
    return {
        (node_id, name): value for node_id, own in settings.items() for name, value in own.items()
    }


def refused_by_hardware(
    inventory: Inventory, node_id: int, setting: Setting
) -> Acknowledgement | None:
    """What a node answers to a setting that is beyond its hardware; None: it is not."""
    try:
        resource = inventory.node(node_id).resource(setting.resource)
    except UnknownNameError as error:
        return Acknowledgement(accepted=False, message=str(error))
    if resource.read_only or not resource.min <= setting.value <= resource.max:
        return Acknowledgement(
            accepted=False,
            message=f"{setting.resource} cannot be set to {setting.value!r} {resource.unit}",
        )
    return None
