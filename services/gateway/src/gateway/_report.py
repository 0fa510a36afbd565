"""The report that ends the demo's story, and its comparison with the equipment's own truth."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, Field

from netctl import Outcome

__all__ = ["TOLERANCE_DB", "Check", "PowerReport", "check_report"]

TOLERANCE_DB = 0.05
"""How near to the wanted power is near enough, in dB."""

_ROUNDING = 1e-9
"""What writing a figure as JSON and reading it again may cost; far below any instrument's error."""


class PowerReport(BaseModel):
    """What was done to the power at the line's end."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    node_id: int = Field(description="The node at the line's end.")
    wanted_dbm: float = Field(description="The output power wanted, in dBm.")
    power_before_dbm: float = Field(description="The output power measured first, in dBm.")
    gain_before_db: float = Field(description="The booster's gain before, in dB.")
    refused_gain_db: float = Field(description="The gain that was refused, in dB.")
    refusal: str = Field(description="Why it was refused.")
    gain_set_db: float = Field(description="The booster's gain that was set, in dB.")
    power_after_dbm: float = Field(description="The output power measured last, in dBm.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One figure of the report beside the figure it should be.

    Attributes:
        claimed: What the report says.
        true: What the equipment or the audit trail says.
    """

    name: str
    claimed: float | str
    true: float | str
    tolerance: float = _ROUNDING

    @property
    def holds(self) -> bool:
        """Whether both agree."""
        if isinstance(self.claimed, str) or isinstance(self.true, str):
            return self.claimed == self.true
        return abs(self.claimed - self.true) <= self.tolerance


def check_report(
    report: PowerReport,
    *,
    wanted_dbm: float,
    before: Mapping[int, Mapping[str, float]],
    after: Mapping[int, Mapping[str, float]],
    audited: Sequence[Outcome],
) -> list[Check]:
    """Compare every figure of the report with what is true, by other means than the tools.

    Args:
        report: What the agent submitted.
        wanted_dbm: The power that was asked for, in dBm.
        before: The simulator's own state before the story, by node and metric.
        after: Its state after the story.
        audited: What became of each command, from the controller's audit trail.
    """
    end = max(after)
    refused = [outcome for outcome in audited if outcome.status == "rejected"]
    first = refused[0] if refused else None
    return [
        Check(name="the line's end is node", claimed=report.node_id, true=end),
        Check(name="wanted power (dBm)", claimed=report.wanted_dbm, true=wanted_dbm),
        Check(
            name="power before (dBm)",
            claimed=report.power_before_dbm,
            true=before[end]["output_power_dbm"],
        ),
        Check(
            name="booster gain before (dB)",
            claimed=report.gain_before_db,
            true=before[end]["booster_gain_db"],
        ),
        Check(
            name="refused gain (dB)",
            claimed=report.refused_gain_db,
            true=first.command["payload"]["target_gain"] if first else "nothing was refused",
        ),
        Check(
            name="refused because",
            claimed=report.refusal,
            true=(first.reason or "") if first else "nothing was refused",
        ),
        Check(
            name="booster gain set (dB)",
            claimed=report.gain_set_db,
            true=after[end]["booster_gain_db"],
        ),
        Check(
            name="power after (dBm)",
            claimed=report.power_after_dbm,
            true=after[end]["output_power_dbm"],
        ),
        Check(
            name="power is the wanted one (dBm)",
            claimed=after[end]["output_power_dbm"],
            true=wanted_dbm,
            tolerance=TOLERANCE_DB,
        ),
    ]
