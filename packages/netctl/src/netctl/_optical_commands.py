"""The commands of an optical line."""

from netctl._command import CommandSpec, ResourceChoice

__all__ = ["OPTICAL_COMMANDS", "SET_GAIN"]

SET_GAIN = CommandSpec(
    name="SET_GAIN",
    description="Set amplifier gain",
    schema={
        "properties": {
            "node_id": {"type": "integer"},
            "amp_type": {"type": "string", "enum": ["line", "preamp", "booster"]},
            "target_gain": {"type": "number"},
        },
        "required": ["node_id", "target_gain"],
    },
    value_argument="target_gain",
    resource=ResourceChoice(
        argument="amp_type",
        resources={
            "line": "gain_db",
            "preamp": "preamp_gain_db",
            "booster": "booster_gain_db",
        },
    ),
    descriptions={
        "amp_type": "Which amplifier of the node",
        "target_gain": "The gain that the amplifier is set to",
    },
)

OPTICAL_COMMANDS = (SET_GAIN,)
"""What a controller knows unless it is told otherwise."""
