"""The app that trims the line: the tilt of every amplifier, the attenuator of every ROADM."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from netctl._app import NetworkApp
from netctl._decorators import aic_app, command_validator
from netctl._measurements import MeasurementsHandler
from netctl._verdict import Accept, Reject

__all__ = ["LineTrimApp"]

_AMPLIFIERS, _ROADMS, _LAST = (3, 4, 5), (6, 7, 8), 8
_ALL = (MeasurementsHandler.ALL_MEASUREMENTS,)
_MOST_ATTENUATION_DB = 6.0
"""At the line's end; with more, the receiver behind it may see nothing."""


@aic_app(name="LineTrim")
class LineTrimApp(NetworkApp):
    """Reads the whole line, and sets its tilts and attenuators."""

    aic_app_id: ClassVar[int] = 3
    control_loop_update_time: ClassVar[float] = 2.0
    read_measurements: ClassVar[Mapping[int, Sequence[str | MeasurementsHandler]]] = dict.fromkeys(
        (*_AMPLIFIERS, *_ROADMS), _ALL
    )
    control_functions: ClassVar[Mapping[int, Sequence[str]]] = {
        **dict.fromkeys(_AMPLIFIERS, ("SET_TILT",)),
        **dict.fromkeys(_ROADMS, ("SET_TILT", "SET_VOA")),
    }

    @command_validator("SET_VOA")
    def keep_the_receiver_lit(self, params: Mapping[str, Any]) -> Accept | Reject:
        """Leave the receiver behind the last ROADM some light."""
        attenuation_db = float(params["attenuation"])
        if params["node_id"] == _LAST and attenuation_db > _MOST_ATTENUATION_DB:
            return Reject(
                f"{attenuation_db} dB at the line's end would leave its receiver dark; "
                f"{_MOST_ATTENUATION_DB} dB is the most",
                nearest=_MOST_ATTENUATION_DB,
            )
        return Accept()
