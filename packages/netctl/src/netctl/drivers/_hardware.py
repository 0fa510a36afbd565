"""What simulated equipment refuses because it has not got it, or cannot go there."""

from netctl._driver import Acknowledgement, Setting
from netctl._errors import UnknownNameError
from netctl._inventory import Inventory

__all__ = ["refused_by_hardware"]


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
