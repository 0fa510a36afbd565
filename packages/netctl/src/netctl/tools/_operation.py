"""One tool for each in-loop operation of an app: `{App}_{operation}`."""

from collections.abc import Iterator
from typing import Any

from netctl._controller import Controller
from netctl._declaration import AppDeclaration, OperationDeclaration
from netctl.tools._failures import translated
from netctl.tools._schemas import closed_object, described
from netctl.tools._scopes import READ, WRITE
from netctl.tools._write_tool import write_tool
from tercet import AnyTool, CallContext, RejectedError, Tool

__all__ = ["operation_tools"]

_OUTPUT = closed_object(
    {
        "result": {"description": "What the operation answers."},
        "request_id": {"type": "string", "description": "The name of this call, also in the log."},
    }
)


def operation_tools(controller: Controller, app: AppDeclaration) -> Iterator[AnyTool]:
    """The tools of an app's operations."""
    for operation in app.operations.values():
        yield _operation_tool(controller, app, operation)


def _operation_tool(
    controller: Controller, app: AppDeclaration, operation: OperationDeclaration
) -> AnyTool:
    async def call(context: CallContext, arguments: dict[str, Any]) -> dict[str, Any]:
        if context.dry_run and not operation.read_only:
            raise RejectedError(
                f"operation {operation.name!r} cannot be tried dry",
                hint="call it without a dry run",
            )
        with translated():
            reply = await controller.call_operation(app.name, operation.name, arguments)
        return reply.to_dict()

    declared: dict[str, Any] = {
        "name": f"{app.name}_{operation.name}",
        "description": (
            f"{operation.description.rstrip('.')}. App: {app.name} (runs inside process loop). "
            f"The app must be running. Answers within {app.timeout_s:g} s, or is withdrawn and "
            "never executes."
        ),
        "input_schema": described(operation.schema, {}),
        "output_schema": _OUTPUT,
        "app": app.name,
        "kind": "agent_controlled",
        "function": call,
        "facts": {"operation": operation.name},
    }
    if operation.read_only:
        return Tool.from_schema(**declared, effect="read", scopes=READ)
    return write_tool(controller, **declared, scopes=WRITE)
