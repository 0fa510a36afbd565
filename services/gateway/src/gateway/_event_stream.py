"""Server-sent events: what happens in the network, as it happens."""

import json
from collections.abc import Collection, Mapping
from typing import Annotated, Any

import anyio
from fastapi import APIRouter, HTTPException, Query, Response
from starlette.types import Receive, Scope, Send

from gateway._identity import Caller
from gateway._problem import problems
from netctl import Controller, EventKind, EventListener
from tercet import CallContext, ToolRegistry

__all__ = ["MOST_LISTENERS", "event_routes"]

MOST_LISTENERS = 100
_HEARTBEAT_S = 15.0
_MOST_WAITING = 256
_WHOLE_NETWORK = "get_changes"


def event_routes(controller: Controller, registry: ToolRegistry) -> APIRouter:
    """Give the route `/mcp/sse`."""
    routes = APIRouter(prefix="/mcp", tags=["events"])

    @routes.get(
        "/sse",
        # What the framework would say of the class of the response is that it is one string.
        response_class=Response,
        responses={
            200: {
                "description": "Events, until the client leaves.",
                "content": {
                    EventStream.media_type: {
                        "example": 'data: {"type": "connected", "server": "aic-controller"}\n\n'
                    }
                },
            },
            **problems(422, 503),
        },
    )
    async def stream(
        caller: Caller,
        kinds: Annotated[
            list[EventKind] | None,
            Query(alias="type", description="Only events of this type; may be repeated."),
        ] = None,
    ) -> Response:
        """Stream samples, outcomes of commands, states, nodes and changes of the list of tools.

        Each event is one JSON object with a `type`. A client that reads too slowly loses the
        oldest events, and is told how many: `{"type": "lost", "count": …}`. Tools, heartbeats and
        losses are told whichever types it asks for.
        """
        # The events are those of the whole network, like the list of its changes.
        if registry.find(_WHOLE_NETWORK, caller) is None:
            raise HTTPException(403, "this token does not reach the events of the network")
        if controller.events.listeners >= MOST_LISTENERS:
            raise HTTPException(503, f"{MOST_LISTENERS} clients listen already; try again later")
        return EventStream(controller, registry, caller, kinds)

    return routes


class EventStream(Response):
    """A response that lasts until its client leaves; then nothing of it is left."""

    media_type = "text/event-stream"

    def __init__(
        self,
        controller: Controller,
        registry: ToolRegistry,
        caller: CallContext,
        kinds: Collection[EventKind] | None = None,
    ) -> None:
        super().__init__(headers={"Cache-Control": "no-store"})
        del self.headers["content-length"]
        self._controller = controller
        self._registry = registry
        self._caller = caller
        self._kinds = kinds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        del scope
        async with anyio.create_task_group() as group:
            group.start_soon(self._run, send, group.cancel_scope)
            while (await receive())["type"] != "http.disconnect":
                pass
            group.cancel_scope.cancel()

    async def _run(self, send: Send, life: anyio.CancelScope) -> None:
        changed = True

        def note() -> None:
            # Possibly from another thread: told with the next event, or the next heartbeat.
            nonlocal changed
            changed = True

        events = self._controller.events
        unsubscribe = self._registry.subscribe(note)
        try:
            with events.listen(most=_MOST_WAITING, kinds=self._kinds) as listener:
                start = {"type": "http.response.start", "status": 200, "headers": self.raw_headers}
                await send(start)
                event: Mapping[str, Any] = {"type": "connected", "server": "aic-controller"}
                while True:
                    await send(_part(event))
                    if changed:
                        changed = False
                        await send(_part(_tools(self._registry, self._caller)))
                    event = await _next(listener)
        except OSError:
            # The client is gone, and the server says so at a send.
            life.cancel()
        finally:
            unsubscribe()


async def _next(listener: EventListener) -> Mapping[str, Any]:
    """The next event, or a heartbeat when there was none for long."""
    with anyio.move_on_after(_HEARTBEAT_S):
        return (await listener.next()).to_dict()
    return {"type": "heartbeat"}


def _tools(registry: ToolRegistry, caller: CallContext) -> dict[str, Any]:
    tools = registry.list_tools(caller)
    return {"type": "tools", "tools": [tool.to_mcp_format() for tool in tools]}


def _part(event: Mapping[str, Any]) -> dict[str, Any]:
    # JSON has no line break, so that what equipment or a caller says forges no event.
    text = f"data: {json.dumps(event, default=str)}\n\n"
    return {"type": "http.response.body", "body": text.encode(), "more_body": True}
