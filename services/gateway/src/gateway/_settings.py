"""How a gateway runs its tools: what is kept, the operator's rules, what a call may take."""

from collections.abc import Iterator
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from netctl import Policy
from netctl.policies import BlastRadius, NeedApproval, RateLimit
from tpsa_core.tools import TaylorLimits

__all__ = ["NetworkSettings", "TaylorSettings"]


class NetworkSettings(BaseModel):
    """The settings of the network controller; without any, the defaults hold."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    store: Path | None = Field(
        default=None,
        description="SQLite file of changes, approvals, the audit trail and the apps' states; "
        "None: they end with the process.",
    )
    read_only: bool = Field(default=False, description="Whether the kill switch is on at first.")
    commands_per_minute: float = Field(
        default=120.0, gt=0, allow_inf_nan=False, description="What one caller may send."
    )
    most_db_per_change: float | None = Field(
        default=None, gt=0, allow_inf_nan=False, description="How far one command may go."
    )
    most_nodes_per_hour: int | None = Field(
        default=None, ge=1, description="How many nodes may be changed in an hour."
    )
    approve_above_db: float | None = Field(
        default=None,
        ge=0,
        allow_inf_nan=False,
        description="From which size on a change waits for a second person's yes.",
    )

    def policies(self) -> Iterator[Policy]:
        """The rules that these settings make."""
        # A burst of half a minute, so that a change of several nodes is not cut in two.
        burst = max(1, round(self.commands_per_minute / 2))
        yield RateLimit(per="subject", burst=burst, per_minute=self.commands_per_minute)
        if self.most_db_per_change is not None or self.most_nodes_per_hour is not None:
            yield BlastRadius(
                most_per_change=self.most_db_per_change,
                most_nodes_per_hour=self.most_nodes_per_hour,
            )
        if self.approve_above_db is not None:
            yield NeedApproval(above=self.approve_above_db)


_TAYLOR = TaylorLimits()


class TaylorSettings(BaseModel):
    """What one call of a Taylor tool may take; without any, the defaults of `TaylorLimits` hold."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    coefficients: int = Field(
        default=_TAYLOR.coefficients, ge=1, description="Of one object, in all its components."
    )
    product: int = Field(
        default=_TAYLOR.product, ge=1, description="Multiplications in a product of two functions."
    )
    multiplications: int = Field(
        default=_TAYLOR.multiplications, ge=1, description="In one call, as estimated."
    )
    memory_bytes: int = Field(
        default=_TAYLOR.memory_bytes, ge=1, description="In one call, as estimated."
    )

    def limits(self) -> TaylorLimits:
        """The same as a setting of a registry."""
        return TaylorLimits(**self.model_dump())
