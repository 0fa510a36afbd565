"""The app of the base station."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from netctl._app import NetworkApp
from netctl._decorators import agent_controlled, aic_app, command_validator
from netctl._measurements import Measurements, MeasurementsHandler
from netctl._verdict import Accept, Reject

__all__ = ["RanApp"]

_NODE = 21
_SLICES = ("embb", "urllc", "mmtc")
_MOST_POWER_DBM = 24.0
"""What the site is licensed for; its amplifier could do more."""

_LEAST_SHARE_PERCENT = 5.0
"""What every slice keeps, so that its users can still be heard."""


@aic_app(name="RanApp")
class RanApp(NetworkApp):
    """Reads the cell and its users, and sets its power and the shares of its slices."""

    aic_app_id: ClassVar[int] = 21
    control_loop_update_time: ClassVar[float] = 1.0
    read_measurements: ClassVar[Mapping[int, Sequence[str | MeasurementsHandler]]] = {
        _NODE: [MeasurementsHandler.ALL_MEASUREMENTS]
    }
    control_functions: ClassVar[Mapping[int, Sequence[str]]] = {
        _NODE: ["SET_TX_POWER", "SET_PRB_SHARE"]
    }

    @command_validator("SET_TX_POWER")
    def limit_power(self, params: Mapping[str, Any]) -> Accept | Reject:
        """Keep to the power that the site is licensed for."""
        power_dbm = float(params["tx_power_dbm"])
        if power_dbm > _MOST_POWER_DBM:
            return Reject(
                f"{power_dbm} dBm is more than the {_MOST_POWER_DBM} dBm of the site's licence",
                nearest=_MOST_POWER_DBM,
            )
        return Accept()

    @command_validator("SET_PRB_SHARE")
    def keep_every_slice_alive(self, params: Mapping[str, Any]) -> Accept | Reject:
        """Leave each slice enough to be heard; that they have 100 % together is the cell's rule."""
        share_percent = float(params["share_percent"])
        if share_percent < _LEAST_SHARE_PERCENT:
            return Reject(
                f"a share of {share_percent} % would silence the slice; "
                f"{_LEAST_SHARE_PERCENT} % is the least",
                nearest=_LEAST_SHARE_PERCENT,
            )
        return Accept()

    @agent_controlled(
        name="fit_slice",
        description=(
            "Raise or lower the share of one slice, by live readings, so that its users get a "
            "wanted throughput together. The share is taken to be proportional to the "
            "throughput; call it again to come closer. It takes nothing from other slices"
        ),
        schema={
            "properties": {
                "slice": {
                    "type": "string",
                    "enum": list(_SLICES),
                    "description": "The slice",
                },
                "dl_throughput_mbps": {
                    "type": "number",
                    "minimum": 0.1,
                    "maximum": 1000,
                    "description": "What its users shall get together, in Mb/s",
                },
            },
            "required": ["slice", "dl_throughput_mbps"],
        },
    )
    async def fit_slice(
        self, arguments: Mapping[str, Any], measurements: Measurements
    ) -> dict[str, Any]:
        """Send the share that follows from the present throughput; answer what became of it."""
        name, wanted_mbps = str(arguments["slice"]), float(arguments["dl_throughput_mbps"])
        shares = {
            part: measurements.require(_NODE, f"{part}_prb_share_percent") for part in _SLICES
        }
        throughput_mbps = measurements.require(_NODE, f"{name}_dl_throughput_mbps")
        others_percent = sum(share for part, share in shares.items() if part != name)
        free_percent = math.floor(100.0 - others_percent)
        # Without throughput nothing follows from it: all that is free is the best guess.
        needed_percent = (
            float(free_percent)
            if throughput_mbps == 0.0
            else math.ceil(shares[name] * wanted_mbps / throughput_mbps)
        )
        share_percent = float(max(_LEAST_SHARE_PERCENT, min(needed_percent, free_percent)))
        outcome = await self.send_command(
            "SET_PRB_SHARE", {"node_id": _NODE, "slice": name, "share_percent": share_percent}
        )
        return {
            "slice": name,
            "throughput_before_mbps": throughput_mbps,
            "share_before_percent": shares[name],
            "share_percent": outcome.read_back,
            "enough": needed_percent <= free_percent,
            "status": outcome.status,
            "reason": outcome.reason,
        }
