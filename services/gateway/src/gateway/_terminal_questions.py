"""Questions of a gateway that a person at a terminal answers."""

import sys
from typing import Any

import typer
from anyio import to_thread
from mcp.client import ClientRequestContext
from mcp.client.session import ElicitationFnT
from mcp.types import (
    INVALID_REQUEST,
    ElicitRequestFormParams,
    ElicitRequestParams,
    ElicitResult,
    ErrorData,
)

__all__ = ["terminal_questions"]


def terminal_questions() -> ElicitationFnT | None:
    """Give what puts questions to the person at this terminal; None: there is nobody."""
    return _ask if sys.stdin.isatty() and sys.stderr.isatty() else None


async def _ask(
    context: ClientRequestContext, params: ElicitRequestParams
) -> ElicitResult | ErrorData:
    del context
    if not isinstance(params, ElicitRequestFormParams):
        return ErrorData(code=INVALID_REQUEST, message="a terminal shows forms only")
    # Who gives up with Ctrl-C must not wait for a line that nobody will type.
    return await to_thread.run_sync(_fill_in, params, abandon_on_cancel=True)


def _fill_in(params: ElicitRequestFormParams) -> ElicitResult:
    typer.echo(_printable(params.message), err=True)
    content: dict[str, Any] = {}
    fields: dict[str, dict[str, Any]] = params.requested_schema.get("properties", {})
    try:
        for name, field in fields.items():
            said = _printable(str(field.get("description") or field.get("title") or name))
            if field.get("type") == "boolean":
                content[name] = typer.confirm(said, err=True)
            else:
                kinds = {"integer": int, "number": float}
                kind = kinds.get(str(field.get("type")), str)
                content[name] = typer.prompt(said, type=kind, err=True)
    except typer.Abort:
        return ElicitResult(action="cancel")
    return ElicitResult(action="accept", content=content)


def _printable(text: str) -> str:
    """The text without what would steer a terminal."""
    return "".join(c if c.isprintable() or c == "\n" else "\ufffd" for c in text)
