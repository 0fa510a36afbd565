"""A server on this machine that speaks two providers' wire formats, and follows a script."""

import json
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from types import ModuleType
from typing import Any, Literal

import pytest
import wire_anthropic
import wire_openai
from mcp_desk import serving
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from wire import Answer, WireFailure, WireReply, WireSilence

Provider = Literal["openai", "anthropic"]
PROVIDERS: list[Provider] = ["openai", "anthropic"]

# One request for each connection, so that no client keeps one open when its loop ends.
_ONCE = {"connection": "close"}


class WireServer:
    """Gives the answers of its script, one for each request, whichever provider's it is."""

    def __init__(self, script: Sequence[Answer]) -> None:
        self.script = list(script)
        self.address = ""
        self.requests: list[dict[str, Any]] = []

    async def answer(self, request: Request, form: ModuleType) -> Response:
        self.requests.append(json.loads(await request.body()))
        answer = self.script.pop(0) if self.script else WireFailure(status=418)
        match answer:
            case WireSilence():
                while (await request.receive())["type"] != "http.disconnect":
                    pass
                return Response()
            case WireFailure(status=status, headers=headers):
                return JSONResponse(form.failure(answer), status, headers={**headers, **_ONCE})
            case WireReply():
                # Ten calls of a reply have ids of their own.
                first_id = len(self.requests) * 10
                if not self.requests[-1].get("stream"):
                    return JSONResponse(form.whole(answer, first_id), headers=_ONCE)
                events = _stream(answer, form, first_id)
                return StreamingResponse(events, headers=_ONCE, media_type="text/event-stream")

    def model(self, provider: Provider, **fields: Any) -> Any:
        """The provider's own client, which asks this server and tries nothing again by itself."""
        library = client_of(provider)
        common = {"api_key": "dummy", "max_retries": 0, **fields}
        if provider == "openai":
            address = f"{self.address}/v1"
            return library.ChatOpenAI(
                model="gpt-wire", base_url=address, stream_usage=True, **common
            )
        return library.ChatAnthropic(model="claude-wire", base_url=self.address, **common)


def client_of(provider: Provider) -> Any:
    """The provider's library; a test that asks for it is skipped where it is not installed.

    To be asked for before a server runs, whose task group would wrap the skip.
    """
    missing = f"langchain-{provider} is not installed: it is the extra agent-runtime[{provider}]"
    return pytest.importorskip(f"langchain_{provider}", reason=missing)


async def _stream(reply: WireReply, form: ModuleType, first_id: int) -> AsyncIterator[str]:
    events = list(form.events(reply, first_id))
    for event in events if reply.after_half is None else events[: len(events) // 2]:
        yield event
    if reply.after_half == "overloaded":
        yield form.overloaded()
    if reply.after_half == "cut":
        # The server drops the connection of an application that failed.
        raise ConnectionAbortedError("cut, as the script says")


@asynccontextmanager
async def wire_server(*script: Answer) -> AsyncGenerator[WireServer]:
    server = WireServer(script)
    forms: list[ModuleType] = [wire_openai, wire_anthropic]
    routes = [
        Route(form.PATH, partial(server.answer, form=form), methods=["POST"]) for form in forms
    ]
    async with serving(Starlette(routes=routes)) as running:
        server.address = running.address
        yield server
