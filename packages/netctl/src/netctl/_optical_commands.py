"""The commands of an optical line."""

from netctl._command import CommandSpec, ResourceChoice

__all__ = ["OPTICAL_COMMANDS", "SET_GAIN", "SET_TILT", "SET_VOA"]

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

SET_TILT = CommandSpec(
    name="SET_TILT",
    description="Set amplifier gain tilt",
    schema={
        "properties": {
            "node_id": {"type": "integer"},
            "amp_type": {"type": "string", "enum": ["line", "preamp", "booster"]},
            "tilt_value": {"type": "number"},
        },
        "required": ["node_id", "tilt_value"],
    },
    value_argument="tilt_value",
    resource=ResourceChoice(
        argument="amp_type",
        resources={
            "line": "tilt_db",
            "preamp": "preamp_tilt_db",
            "booster": "booster_tilt_db",
        },
    ),
    descriptions={
        "amp_type": "Which amplifier of the node",
        "tilt_value": "How much more gain the upper edge of the band gets than the lower one",
    },
)

SET_VOA = CommandSpec(
    name="SET_VOA",
    description="Set variable optical attenuator",
    schema={
        "properties": {"node_id": {"type": "integer"}, "attenuation": {"type": "number"}},
        "required": ["node_id", "attenuation"],
    },
    value_argument="attenuation",
    resource="voa_db",
    descriptions={"attenuation": "The attenuation at the node's output"},
)

OPTICAL_COMMANDS = (SET_GAIN, SET_TILT, SET_VOA)
"""What a controller knows unless it is told otherwise."""
