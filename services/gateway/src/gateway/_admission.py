"""Each tenant's share of the gateway, as the web sees it: 429 and when to come back."""

from starlette.types import ASGIApp, Receive, Scope, Send

from gateway._door import is_stream
from gateway._identity import identity_of, is_known
from gateway._problem import problem
from gateway._tenant_limits import TenantGate, TooMuchError

__all__ = ["Admission"]


class Admission:
    """Lets requests of known callers in within their tenant's limits.

    Args:
        app: What is behind it.
        gate: Counts what tenants use.
    """

    def __init__(self, app: ASGIApp, *, gate: TenantGate) -> None:
        self._app = app
        self._gate = gate

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not is_known(scope):
            await self._app(scope, receive, send)
            return
        tenant = identity_of(scope).tenant
        try:
            if is_stream(scope):
                with self._gate.stream(tenant):
                    await self._app(scope, receive, send)
            else:
                async with self._gate.call(tenant):
                    await self._app(scope, receive, send)
        except TooMuchError as error:
            detail = f"{error}; try again in {error.retry_after_s} s"
            answer = problem(429, detail, code="LIMIT_EXCEEDED")
            answer.headers["retry-after"] = str(error.retry_after_s)
            await answer(scope, receive, send)
