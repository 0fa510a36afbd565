"""How a gateway runs its tools: what is kept, the operator's rules, what a call may take."""

from collections.abc import Iterator
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from netctl import Policy
from netctl.policies import BlastRadius, NeedApproval, RateLimit
from tercet import ObjectLimits, ProcessWorkers
from tercet.mcp import TaskLimits
from tpsa_core.tools import TaylorLimits, TaylorWork

__all__ = [
    "NetworkSettings",
    "SessionSettings",
    "TaskSettings",
    "TaylorSettings",
    "WorkerSettings",
]


class NetworkSettings(BaseModel):
    """The settings of the network controller; without any, the defaults hold."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    inventory: Path | None = Field(
        default=None,
        description="The TOML file with the nodes, which are simulated; None: the shipped line.",
    )
    watch: bool = Field(
        default=True, description="Whether that file is taken up again when it has changed."
    )
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
    approve_by_person: bool = Field(
        default=False,
        description="Whether an approval needs a person at a client that can ask one.",
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


_TAYLOR, _WORK = TaylorLimits(), TaylorWork()


class TaylorSettings(BaseModel):
    """What one call of a Taylor tool may take, and how its work is shared out.

    Without any, the defaults of `TaylorLimits` and `TaylorWork` hold.
    """

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
    inline: int = Field(
        default=_WORK.inline,
        ge=0,
        description="Up to so many multiplications are done at once; more, by a worker.",
    )
    portion: int = Field(
        default=_WORK.portion, ge=1, description="Multiplications between two reports of progress."
    )

    def limits(self) -> TaylorLimits:
        """Those that bound a call, as a setting of a registry."""
        return TaylorLimits(
            coefficients=self.coefficients,
            product=self.product,
            multiplications=self.multiplications,
            memory_bytes=self.memory_bytes,
        )

    def work(self) -> TaylorWork:
        """Those that share out its work, likewise."""
        return TaylorWork(inline=self.inline, portion=self.portion)


_MEBIBYTE = 1024 * 1024
# A tenant has more sessions than may all be full.
_FULL_SESSIONS = 8


class WorkerSettings(BaseModel):
    """The processes that compute what takes longer than a moment."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    count: int | None = Field(
        default=None, ge=1, description="How many at most; None: as many as there are processors."
    )
    # With less, numpy and the drawing of a picture would not fit.
    memory_bytes: int = Field(
        default=1024 * _MEBIBYTE,
        ge=256 * _MEBIBYTE,
        description="What each may take beside its own code and data.",
    )
    deadline_s: float = Field(
        default=60.0, gt=0, allow_inf_nan=False, description="How long one call may be computed."
    )

    def workers(self) -> ProcessWorkers:
        """Processes of these settings, of which none is started yet."""
        return ProcessWorkers(
            self.count, memory_bytes=self.memory_bytes, deadline_s=self.deadline_s
        )


class SessionSettings(BaseModel):
    """How much a session may keep."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    objects: int = Field(default=1_000, ge=1, description="How many objects.")
    bytes: int = Field(
        default=512 * _MEBIBYTE, ge=1, description="How much they take together, encoded."
    )

    def limits(self) -> ObjectLimits:
        """The same as limits of an object registry."""
        return ObjectLimits(
            objects_per_session=self.objects,
            bytes_per_session=self.bytes,
            bytes_per_tenant=_FULL_SESSIONS * self.bytes,
        )


_TASKS = TaskLimits()


class TaskSettings(BaseModel):
    """When a long call goes on as a task; without any, the defaults of `TaskLimits` hold."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    after_s: float = Field(
        default=_TASKS.after_s, ge=0, allow_inf_nan=False, description="How long a client waits."
    )
    timeout_s: float = Field(
        default=_TASKS.timeout_s, gt=0, allow_inf_nan=False, description="How long it may run."
    )
    keep_s: float = Field(
        default=_TASKS.keep_s,
        ge=0,
        allow_inf_nan=False,
        description="How long what became of it can be asked for.",
    )
    running: int = Field(default=_TASKS.running, ge=0, description="Of one tenant, at once.")
    kept: int = Field(default=_TASKS.kept, ge=0, description="Of one tenant, in all.")

    def limits(self) -> TaskLimits:
        """The same as limits of tasks."""
        return TaskLimits(**self.model_dump())
