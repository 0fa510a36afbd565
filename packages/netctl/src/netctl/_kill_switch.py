"""The kill switch: it acts at once, and ends once that is on record."""

from netctl._pipeline import ReadOnlySwitch
from netctl._records import Records

__all__ = ["KillSwitch"]


class KillSwitch:
    """Sets a controller to read-only, and back.

    Args:
        switch: What every command asks.
        records: Where each change of the switch is written down.
    """

    def __init__(self, switch: ReadOnlySwitch, records: Records) -> None:
        self._switch = switch
        self._records = records
        self._kills = 0

    @property
    def on(self) -> bool:
        """Whether every change is refused."""
        return self._switch.on

    def restore(self, *, on: bool) -> None:
        """Take up what a store knows; what is on stays on."""
        self._switch.on = self._switch.on or on

    async def set(self, *, on: bool, subject: str) -> None:
        """Switch it on at once, or off once that is written down.

        Raises:
            StoreError: If it cannot be written down; on, it is on nevertheless.
        """
        if on:
            self._kills += 1
            self._switch.on = True
        kills = self._kills
        await self._records.note_read_only(on=on, subject=subject)
        # Somebody may have pulled it while it was being released: that one wins.
        if kills == self._kills:
            self._switch.on = on
