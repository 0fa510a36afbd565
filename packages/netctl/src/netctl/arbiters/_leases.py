"""Ownership of resources for a time."""

from dataclasses import dataclass

from netctl._clock import Clock
from netctl._errors import DeclarationError, NotPermittedError
from netctl._number import is_finite_number
from netctl._outcome import CommandRequest
from netctl._pipeline import CommandRefusedError, Ledger, Plan, Policy, Target

__all__ = ["Lease", "Leases"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lease:
    """A resource that only one app may set for a time.

    Attributes:
        app: The app.
        node_id: The node.
        resource: The resource of the node.
        expires_at_s: When it ends, on the clock that never jumps.
        reason: Why the app has it, for whoever is refused.
    """

    app: str
    node_id: int
    resource: str
    expires_at_s: float
    reason: str


class Leases(Policy):
    """Refuses commands for resources that another app has leased; dry runs too.

    Give the same value to the controller, as a policy, and to whatever takes leases.

    Args:
        clock: Measures the time; the controller's.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._leases: dict[tuple[int, str], Lease] = {}

    def take(
        self, app: str, node_id: int, resource: str, *, ttl_s: float, reason: str = ""
    ) -> Lease:
        """Lease a resource to an app, or renew its lease, for so many seconds from now.

        Raises:
            NotPermittedError: If another app has it.
            DeclarationError: If the time is not above 0.
        """
        if not (is_finite_number(ttl_s) and ttl_s > 0):
            raise DeclarationError(
                f"ttl_s is {ttl_s!r}, not a number above 0", hint="give a number of seconds"
            )
        held = self.held(node_id, resource)
        if held is not None and held.app != app:
            raise NotPermittedError(self._words(held), hint="wait until it ends or is given back")
        lease = Lease(
            app=app,
            node_id=node_id,
            resource=resource,
            expires_at_s=self._clock.monotonic() + ttl_s,
            reason=reason,
        )
        self._leases[node_id, resource] = lease
        return lease

    def give_back(self, lease: Lease) -> None:
        """End a lease before its time; one that has ended already, or was renewed, is let be."""
        key = (lease.node_id, lease.resource)
        if self._leases.get(key) == lease:
            del self._leases[key]

    def held(self, node_id: int, resource: str) -> Lease | None:
        """The lease of a resource now, if there is one."""
        lease = self._leases.get((node_id, resource))
        if lease is None or lease.expires_at_s > self._clock.monotonic():
            return lease
        del self._leases[node_id, resource]
        return None

    async def check(self, request: CommandRequest, target: Target, ledger: Ledger) -> None:
        """Refuse what another app has leased."""
        del ledger
        self._check(request, target)

    async def check_plan(self, plan: Plan, ledger: Ledger) -> None:
        """Refuse what was leased while the command waited."""
        del ledger
        self._check(plan.request, plan.target)

    def _check(self, request: CommandRequest, target: Target) -> None:
        held = self.held(*target.key)
        if held is not None and held.app != request.app:
            raise CommandRefusedError(
                self._words(held),
                code="leased",
                hint="wait until it ends, or ask its owner to give it back",
            )

    def _words(self, lease: Lease) -> str:
        left_s = lease.expires_at_s - self._clock.monotonic()
        why = f" ({lease.reason})" if lease.reason else ""
        return (
            f"{lease.resource} on node {lease.node_id} is leased to app {lease.app!r}{why} "
            f"for {left_s:.3g} s more"
        )
