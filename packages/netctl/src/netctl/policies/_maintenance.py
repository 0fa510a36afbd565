"""When something may be changed."""

from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta

from netctl._errors import DeclarationError
from netctl._outcome import CommandRequest
from netctl._pipeline import CommandRefusedError, Ledger, Plan, Policy, Target
from netctl.policies._where import EVERYWHERE, Where

__all__ = ["MaintenanceWindow", "WeeklyWindow"]

_DAYS_OF_A_WEEK = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class WeeklyWindow:
    """A time of the week, in UTC.

    Attributes:
        weekday: The day on which it begins; 0 is Monday.
        start: When it begins.
        duration: How long it is, at most a week.

    Raises:
        DeclarationError: If there is no such time.
    """

    weekday: int
    start: time
    duration: timedelta

    def __post_init__(self) -> None:
        if self.weekday not in range(_DAYS_OF_A_WEEK) or self.start.tzinfo is not None:
            raise DeclarationError(
                f"{self.weekday!r}, {self.start!r} is no time of the week",
                hint="give a weekday from 0 (Monday) to 6, and a time in UTC without a zone",
            )
        if not timedelta(0) < self.duration <= timedelta(days=_DAYS_OF_A_WEEK):
            raise DeclarationError(
                f"a window of {self.duration!r} is none", hint="give at most a week"
            )

    def last_start(self, now: datetime) -> datetime:
        """When it last began, at the latest now."""
        day = now.date() - timedelta(days=(now.weekday() - self.weekday) % _DAYS_OF_A_WEEK)
        began = datetime.combine(day, self.start, tzinfo=UTC)
        return began if began <= now else began - timedelta(days=_DAYS_OF_A_WEEK)

    def is_open(self, now: datetime) -> bool:
        """Whether it is that time."""
        return now < self.last_start(now) + self.duration

    def next_start(self, now: datetime) -> datetime:
        """When it begins next."""
        return self.last_start(now) + timedelta(days=_DAYS_OF_A_WEEK)


@dataclass(frozen=True, slots=True, kw_only=True)
class MaintenanceWindow(Policy):
    """Refuses changes outside its windows; dry runs may be made at any time.

    Attributes:
        windows: When changes are allowed.
        where: Which commands.

    Raises:
        DeclarationError: If there is no window: use `Forbid` or the read-only switch.
    """

    windows: tuple[WeeklyWindow, ...]
    where: Where = EVERYWHERE

    def __post_init__(self) -> None:
        if not self.windows:
            raise DeclarationError("there is no window", hint="give at least one, or use Forbid")

    async def check(self, request: CommandRequest, target: Target, ledger: Ledger) -> None:
        """Refuse outside the windows."""
        self._check(request, target, ledger)

    async def check_plan(self, plan: Plan, ledger: Ledger) -> None:
        """Refuse if the window closed meanwhile."""
        self._check(plan.request, plan.target, ledger)

    def _check(self, request: CommandRequest, target: Target, ledger: Ledger) -> None:
        if request.dry_run or not self.where.matches(request, target):
            return
        now = datetime.fromtimestamp(ledger.now_s(), UTC)
        if any(window.is_open(now) for window in self.windows):
            return
        opens = min(window.next_start(now) for window in self.windows)
        raise CommandRefusedError(
            f"node {target.node.node_id} is changed only in maintenance windows; the next one "
            f"opens at {opens.isoformat()}",
            code="outside_window",
            nearest=opens.isoformat(),
            hint="try again then, or try it dry now",
        )
