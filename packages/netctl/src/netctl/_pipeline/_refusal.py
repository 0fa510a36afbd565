"""How a stage of the pipeline says no."""

from typing import Any

from netctl._errors import NetctlError
from netctl._outcome import OutcomeCode
from netctl._violation import Violation

__all__ = ["ApprovalNeededError", "CommandRefusedError", "InterruptedDeliveryError"]


class CommandRefusedError(NetctlError):
    """A stage refuses a command before anything was sent; the pipeline makes it an outcome.

    Attributes:
        code: Why.
        nearest: The acceptable value nearest to the one asked for.
        violations: Every way in which the arguments do not fit.
    """

    def __init__(
        self,
        reason: str,
        *,
        code: OutcomeCode,
        nearest: Any = None,
        violations: tuple[Violation, ...] = (),
        hint: str | None = None,
    ) -> None:
        super().__init__(reason, hint=hint)
        self.code: OutcomeCode = code
        self.nearest = nearest
        self.violations = violations


class ApprovalNeededError(NetctlError):
    """A policy wants somebody else's yes before a command is sent.

    Attributes:
        expires_after_s: How long the command may wait for it.
    """

    def __init__(self, reason: str, *, expires_after_s: float) -> None:
        super().__init__(reason, hint="somebody else than who asked has to approve it")
        self.expires_after_s = expires_after_s


class InterruptedDeliveryError(BaseException):
    """A change was cancelled after it may have been sent, and is on record as such already.

    Attributes:
        cancellation: What its caller's task was cancelled with.
    """

    def __init__(self, cancellation: BaseException) -> None:
        super().__init__(cancellation)
        self.cancellation = cancellation
