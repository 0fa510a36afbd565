"""What operators watch, for their Prometheus to read."""

from collections.abc import Iterator

import structlog
from fastapi import APIRouter, HTTPException, Request, Response
from fastapi.responses import PlainTextResponse

from gateway._compose import Composition
from gateway._identity import identity_of
from gateway._metrics import Family, exposition
from gateway._resident import resident_bytes
from tercet import ObjectRegistry, UnavailableError
from tercet.mcp import McpTasks

__all__ = ["metrics_routes"]

_log = structlog.get_logger("gateway")
_MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"


def metrics_routes(composition: Composition, tasks: McpTasks) -> APIRouter:
    """Give the route `/metrics`."""
    routes = APIRouter(tags=["service"])

    @routes.get(
        "/metrics",
        response_class=PlainTextResponse,
        responses={200: {"description": "Text in the format of Prometheus, version 0.0.4."}},
    )
    async def metrics(request: Request) -> Response:
        """Give counts of calls, errors and commands in the text format of Prometheus."""
        caller = identity_of(request.scope)
        if caller.role not in (None, "admin") or caller.apps is not None:
            raise HTTPException(403, "only an admin of all apps may read the metrics")
        families = [
            *composition.metrics.families(),
            *_process(),
            *await _stored(composition.registry.objects),
            *_computations(composition),
            _running(tasks),
            *_network(composition),
        ]
        return Response(exposition(families), media_type=_MEDIA_TYPE)

    return routes


def _process() -> Iterator[Family]:
    taken = resident_bytes()
    if taken is not None:
        yield Family(
            name="tercet_process_resident_bytes",
            kind="gauge",
            help="Memory that the process of the gateway takes, without its workers.",
            samples={"": taken},
        )


async def _stored(objects: ObjectRegistry | None) -> list[Family]:
    """What is stored; nothing, rather than a number that is not true, where it cannot be read."""
    if objects is None:
        return []
    try:
        usage = await objects.usage()
    except UnavailableError as error:
        _log.warning("stored objects cannot be counted", reason=error.message)
        return []
    return [
        Family(
            name="tercet_objects",
            kind="gauge",
            help="Stored objects, of all tenants.",
            samples={"": usage.objects},
        ),
        Family(
            name="tercet_object_bytes",
            kind="gauge",
            help="Bytes of the encoded values of stored objects, of all tenants.",
            samples={"": usage.payload_bytes},
        ),
    ]


def _computations(composition: Composition) -> Iterator[Family]:
    workers = composition.workers
    yield Family(
        name="tercet_computations",
        kind="gauge",
        help="Calls that workers compute, and calls that wait for a worker.",
        samples={'state="computed"': workers.computing, 'state="waiting"': workers.waiting},
    )
    yield Family(
        name="tercet_workers",
        kind="gauge",
        help="Worker processes that there are.",
        samples={"": len(workers.pids)},
    )


def _running(tasks: McpTasks) -> Family:
    return Family(
        name="tercet_tasks",
        kind="gauge",
        help="Calls that go on as tasks.",
        samples={"": tasks.running},
    )


def _network(composition: Composition) -> Iterator[Family]:
    controller = composition.controller
    yield Family(
        name="tercet_event_listeners",
        kind="gauge",
        help="Clients that listen to the events of the network.",
        samples={"": controller.events.listeners},
    )
    yield Family(
        name="tercet_app_crashes_total",
        kind="counter",
        help="Cycles of an app's loop that crashed.",
        samples={f'app="{s.app}"': s.crashes for s in composition.app_statuses()},
    )
    yield Family(
        name="tercet_silent_nodes",
        kind="gauge",
        help="Nodes that tell nothing fresh.",
        samples={"": len(controller.silent_nodes)},
    )
    yield Family(
        name="tercet_read_only",
        kind="gauge",
        help="Whether the kill switch is on.",
        samples={"": int(controller.read_only)},
    )
