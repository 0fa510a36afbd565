"""The commands of a base station of a mobile network."""

from netctl._command import CommandSpec, ResourceChoice

__all__ = ["RAN_COMMANDS", "SET_PRB_SHARE", "SET_TX_POWER"]

SET_TX_POWER = CommandSpec(
    name="SET_TX_POWER",
    description="Set transmit power of a cell",
    schema={
        "properties": {"node_id": {"type": "integer"}, "tx_power_dbm": {"type": "number"}},
        "required": ["node_id", "tx_power_dbm"],
    },
    value_argument="tx_power_dbm",
    resource="tx_power_dbm",
    descriptions={"tx_power_dbm": "The power that the cell sends in its whole band"},
)

SET_PRB_SHARE = CommandSpec(
    name="SET_PRB_SHARE",
    description="Set a slice's share of the resource blocks of a cell",
    schema={
        "properties": {
            "node_id": {"type": "integer"},
            "slice": {"type": "string", "enum": ["embb", "urllc", "mmtc"]},
            "share_percent": {"type": "number"},
        },
        "required": ["node_id", "share_percent"],
    },
    value_argument="share_percent",
    resource=ResourceChoice(
        argument="slice",
        resources={name: f"{name}_prb_share_percent" for name in ("embb", "urllc", "mmtc")},
    ),
    descriptions={
        "slice": "Which slice of the cell",
        "share_percent": "Its share of the blocks; all slices together have 100 % at the most",
    },
)

RAN_COMMANDS = (SET_TX_POWER, SET_PRB_SHARE)
"""What a controller of base stations has to know: `Controller(…, commands=RAN_COMMANDS)`."""
