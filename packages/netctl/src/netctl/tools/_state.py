"""The tools of an app's state: `{App}_get_state` and `{App}_set_state`."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from netctl._app_loop import APP_STATES
from netctl._controller import Controller
from netctl._declaration import AppDeclaration
from netctl.tools._failures import translated
from netctl.tools._schemas import NULLABLE_NUMBER, NULLABLE_TEXT, closed_object
from netctl.tools._scopes import READ, WRITE
from netctl.tools._write_tool import write_tool
from tercet import AnyTool, CallContext, RejectedError, Tool

__all__ = ["state_tools"]

_STATE = {"type": "string", "enum": list(APP_STATES)}
_COUNT = {"type": "integer"}


def state_tools(controller: Controller, app: AppDeclaration) -> Iterator[AnyTool]:
    """Both tools; every app has them."""

    async def get(context: CallContext, arguments: dict[str, Any]) -> dict[str, Any]:
        del context, arguments
        with translated():
            return asdict(controller.status(app.name))

    async def set_state(context: CallContext, arguments: dict[str, Any]) -> dict[str, Any]:
        if context.dry_run:
            raise RejectedError(
                "a change of state cannot be tried dry", hint="call it without a dry run"
            )
        with translated():
            return {
                **await controller.set_state(app.name, arguments["state"], subject=context.subject)
            }

    yield Tool.from_schema(
        name=f"{app.name}_get_state",
        description=(
            f"Get the state of the app {app.name}, and how its loop fares: cycles, crashes, "
            "overruns, commands that were not verified."
        ),
        input_schema=closed_object({}),
        output_schema=closed_object(
            {
                "app": {"type": "string"},
                "state": _STATE,
                "cycles": _COUNT,
                "crashes": _COUNT,
                "crashes_in_a_row": _COUNT,
                "last_crash": NULLABLE_TEXT,
                "overruns": _COUNT,
                "rejected_commands": _COUNT,
                "next_cycle_in_s": NULLABLE_NUMBER,
            }
        ),
        app=app.name,
        kind="state",
        effect="read",
        idempotent=True,
        scopes=READ,
        function=get,
    )
    yield write_tool(
        controller,
        name=f"{app.name}_set_state",
        description=(
            f"Set the state of the app {app.name}. running: its loop runs, every "
            f"{app.period_s:g} s. paused or stopped: it does nothing, and operations that wait "
            "for its loop are refused."
        ),
        input_schema=closed_object(
            {"state": {**_STATE, "description": "The state that the app shall have"}}
        ),
        output_schema=closed_object(
            {"app": {"type": "string"}, "state": _STATE, "previous_state": _STATE}
        ),
        app=app.name,
        kind="state",
        idempotent=True,
        scopes=WRITE,
        function=set_state,
    )
