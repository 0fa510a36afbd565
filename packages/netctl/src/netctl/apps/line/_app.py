"""The app of the line's end."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from netctl._app import NetworkApp
from netctl._decorators import agent_controlled, aic_app, command_validator
from netctl._errors import NoDataError
from netctl._measurements import Measurements, MeasurementsHandler
from netctl._verdict import Accept, Reject
from netctl.apps.line._power_model import power_model

__all__ = ["LineApp"]

_MIN_GAIN_DB, _MAX_GAIN_DB = 0.0, 25.0
_AMPLIFIER = ("gain_db", "input_power_dbm", "output_power_dbm", "osnr_db")


@aic_app(name="NetworkApp1")
class LineApp(NetworkApp):
    """Reads the whole line, and sets the gains of the ROADM at its end."""

    aic_app_id: ClassVar[int] = 1
    control_loop_update_time: ClassVar[float] = 2.0
    read_measurements: ClassVar[Mapping[int, Sequence[str | MeasurementsHandler]]] = {
        3: _AMPLIFIER,
        4: _AMPLIFIER,
        5: _AMPLIFIER,
        6: [MeasurementsHandler.ALL_MEASUREMENTS],
        7: [MeasurementsHandler.ALL_MEASUREMENTS],
        8: [MeasurementsHandler.ALL_MEASUREMENTS],
    }
    control_functions: ClassVar[Mapping[int, Sequence[str]]] = {8: ["SET_GAIN"]}

    @command_validator("SET_GAIN")
    def limit_gain(self, params: Mapping[str, Any]) -> Accept | Reject:
        """Keep gains within 0 to 25 dB."""
        gain_db = float(params["target_gain"])
        if gain_db > _MAX_GAIN_DB:
            return Reject(
                f"target_gain {gain_db} dB exceeds maximum of {_MAX_GAIN_DB} dB",
                nearest=_MAX_GAIN_DB,
            )
        if gain_db < _MIN_GAIN_DB:
            return Reject(
                f"target_gain {gain_db} dB is below minimum of {_MIN_GAIN_DB} dB",
                nearest=_MIN_GAIN_DB,
            )
        return Accept()

    @agent_controlled(
        name="power_model",
        description=(
            "Local physical model of a node's output power against the gain of one of its "
            "amplifiers, around the present operating point, from live readings and the "
            "amplifiers' data sheets. The expression gives the change of output power in dB "
            "against x1, the change of gain in dB; it is 0 at x1 = 0"
        ),
        schema={
            "properties": {
                "node_id": {
                    "type": "integer",
                    "enum": [3, 4, 5, 6, 7, 8],
                    "description": "The node",
                },
                "amp_type": {
                    "type": "string",
                    "enum": ["line", "preamp", "booster"],
                    "description": "The amplifier whose gain is to change; by default the "
                    "booster of a ROADM, the line amplifier of an amplifier node",
                },
            },
            "required": ["node_id"],
        },
        read_only=True,
    )
    def power_model(
        self, arguments: Mapping[str, Any], measurements: Measurements
    ) -> dict[str, Any]:
        """Answer the model with the range of gains that it may be used for."""
        node = self.inventory.node(int(arguments["node_id"]))
        default = "line" if node.kind == "amplifier" else "booster"
        stage = node.stage(arguments.get("amp_type", default))
        resource = node.resource(stage.resource)
        try:
            model = power_model(node, stage.stage, measurements)
        except ValueError as error:
            raise NoDataError(
                f"the readings of node {node.node_id} contradict its data sheets: {error}",
                hint="read the measurements again; the node may be faulty",
            ) from error
        lowest_db = max(resource.min, _MIN_GAIN_DB)
        highest_db = min(resource.max, _MAX_GAIN_DB)
        return {
            "node_id": node.node_id,
            "amp_type": stage.stage,
            "expression": model.expression,
            "variable": "x1 = gain change in dB",
            "value": "change of the node's output power in dB",
            "operating_gain_db": model.operating_gain_db,
            "output_power_dbm": model.output_power_dbm,
            "gain_range_db": [lowest_db, highest_db],
            "valid": (
                f"for x1 from {lowest_db - model.operating_gain_db!r} to "
                f"{highest_db - model.operating_gain_db!r}, "
                f"as long as the input power of node {node.node_id} stays as it is"
            ),
        }
