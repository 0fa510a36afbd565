"""Whether the service works: in words that are true."""

from typing import Literal

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field

from gateway._compose import Composition
from gateway._identity import identity_of, is_known

__all__ = ["health_routes"]

_MOST_LISTED = 20
_WHOLE_NETWORK = "get_topology"


class BriefHealth(BaseModel):
    """How the service is, for whoever does not reach the network."""

    status: Literal["healthy", "degraded"] = Field(
        description="healthy, or degraded: something does not work."
    )
    version: str


class Health(BriefHealth):
    """How the service is."""

    apps: dict[str, str] = Field(description="The state of each app.")
    total_tools: int
    crashing_apps: list[str] = Field(description="Apps whose last cycle crashed.")
    silent_nodes: list[int] = Field(
        description=f"Nodes that tell nothing fresh: the first {_MOST_LISTED}."
    )
    unhealthy_plugins: list[str] = Field(description="Plugins of the network that do not work.")
    overdue_changes: list[int] = Field(
        description="Changes that nobody confirmed in time, and that could not be taken back so "
        f"far: the first {_MOST_LISTED}."
    )
    read_only: bool = Field(description="Whether the kill switch is on.")
    store_fault: str | None = Field(
        description="Why changes cannot be written down; null: they can."
    )
    network_fault: str | None = Field(
        description="Why what runs is not what the network's file and the installed apps say; "
        "null: it is."
    )


def health_routes(composition: Composition, *, version: str) -> APIRouter:
    """Give the route `/health`."""
    routes = APIRouter(tags=["service"])

    @routes.get("/health")
    async def health(request: Request) -> Health | BriefHealth:
        """Say whether the service works, and what it serves to who reaches the network."""
        controller, statuses = composition.controller, composition.app_statuses()
        crashing = [status.app for status in statuses if status.crashes_in_a_row]
        silent, fault = controller.silent_nodes, controller.store_fault
        unhealthy, overdue = controller.unhealthy_plugins, controller.overdue_changes
        reloading = composition.reloading
        network_fault = None if reloading is None else reloading.fault
        troubles = (crashing, silent, fault, unhealthy, overdue, network_fault)
        state: Literal["healthy", "degraded"] = "degraded" if any(troubles) else "healthy"
        caller = identity_of(request.scope).context() if is_known(request.scope) else None
        if caller is None or composition.registry.find(_WHOLE_NETWORK, caller) is None:
            return BriefHealth(status=state, version=version)
        return Health(
            status=state,
            version=version,
            apps={status.app: status.state for status in statuses},
            total_tools=composition.registry.get_stats(caller)["total_tools"],
            crashing_apps=crashing,
            silent_nodes=list(silent[:_MOST_LISTED]),
            unhealthy_plugins=list(unhealthy),
            overdue_changes=list(overdue[:_MOST_LISTED]),
            read_only=controller.read_only,
            store_fault=fault,
            network_fault=network_fault,
        )

    return routes
