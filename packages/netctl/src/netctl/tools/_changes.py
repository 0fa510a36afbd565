"""The tools of changes: `get_changes`, `rollback_change` and `confirm_change`."""

from collections.abc import Iterator
from typing import Any

from netctl._change import Change
from netctl._command import CommandSpec
from netctl._controller import Controller
from netctl._outcome import Outcome
from netctl.tools._failures import translated
from netctl.tools._network import APP, CHANGE_ID, KIND, optional_object, refuse_dry_run
from netctl.tools._outcome import OUTCOME
from netctl.tools._refusals import error_of
from netctl.tools._schemas import NULLABLE_INTEGER, NULLABLE_NUMBER, NULLABLE_TEXT, closed_object
from netctl.tools._scopes import READ, WRITE
from netctl.tools._write_tool import write_tool
from tercet import AnyTool, CallContext, Tool

__all__ = ["answer_of", "change_tools"]

_MOST = 20
_STATUSES = ["queued", "pending_approval", "applied", "verified", "failed", "rejected"]
_CHANGE = closed_object(
    {
        **OUTCOME["properties"],
        "status": {"type": "string", "enum": _STATUSES},
        "change_id": {"type": "integer"},
        "subject": {"type": "string", "description": "Who asked for it."},
        "origin": {"type": "string"},
        "opened_at_s": {"type": "number"},
        "updated_at_s": {"type": "number"},
        "expires_at_s": NULLABLE_NUMBER,
        "decided_by": NULLABLE_TEXT,
        "rollback_of": NULLABLE_INTEGER,
        "confirm_by_s": {
            **NULLABLE_NUMBER,
            "description": "Until when it has to be confirmed, in seconds since 1970 (UTC).",
        },
        "confirmation": {
            "type": ["string", "null"],
            "enum": ["waiting", "confirmed", "taken_back", "superseded", None],
            "description": "waiting: it is taken back at confirm_by_s. confirmed: it is permanent. "
            "taken_back: the resource is what it was before. superseded: a later change has set "
            "the resource. null: there is nothing to confirm.",
        },
        "confirmed_by": NULLABLE_TEXT,
        "confirmation_fault": {
            **NULLABLE_TEXT,
            "description": "Why it could not be taken back so far, though its time is over.",
        },
    }
)


def change_tools(controller: Controller) -> Iterator[AnyTool]:
    """The three tools."""

    async def get(context: CallContext, arguments: dict[str, Any]) -> dict[str, Any]:
        del context
        limit = int(arguments.get("limit", _MOST))
        wanted = {
            name: arguments[name] for name in ("app", "node_id", "status") if name in arguments
        }

        def accept(change: Change) -> bool:
            return all(getattr(change.outcome, name) == value for name, value in wanted.items())

        page = await controller.changes.list(
            limit=limit + 1, before_id=arguments.get("before_id"), accept=accept
        )
        return {
            "changes": [change.to_dict() for change in page[:limit]],
            "next_before_id": page[limit - 1].change_id if len(page) > limit else None,
            "read_only": controller.read_only,
        }

    async def rollback(context: CallContext, arguments: dict[str, Any]) -> dict[str, Any]:
        with translated():
            outcome = await controller.changes.rollback(
                int(arguments["change_id"]),
                dry_run=bool(arguments.get("dry_run", False)) or context.dry_run,
                origin="tool",
                subject=context.subject,
                roles=context.scopes,
            )
        return answer_of(controller, outcome)

    async def confirm(context: CallContext, arguments: dict[str, Any]) -> dict[str, Any]:
        refuse_dry_run(dry_run=context.dry_run, what="a confirmation")
        with translated():
            change = await controller.changes.confirm(
                int(arguments["change_id"]), subject=context.subject
            )
        return {
            "change_id": change.change_id,
            "confirmation": change.confirmation,
            "confirmed_by": change.confirmed_by,
        }

    yield Tool.from_schema(
        name="get_changes",
        description=(
            "List the accepted commands of the network, newest first: what each changed, before "
            "and after, who asked, and what became of it. Changes with the status "
            "pending_approval wait for approve_change or reject_change; those whose confirmation "
            "is waiting are taken back unless confirm_change is called in time."
        ),
        input_schema=optional_object(
            {
                "limit": {
                    "type": "integer",
                    "minimum": 1,
                    "maximum": _MOST,
                    "default": _MOST,
                    "description": "How many at the most",
                },
                "before_id": {
                    "type": "integer",
                    "minimum": 1,
                    "description": "Only changes with a lower number: next_before_id of a page",
                },
                "app": {"type": "string", "description": "Only changes in this app's name"},
                "node_id": {"type": "integer", "description": "Only changes on this node"},
                "status": {
                    "type": "string",
                    "enum": _STATUSES,
                    "description": "Only changes with this status",
                },
            }
        ),
        output_schema=closed_object(
            {
                "changes": {"type": "array", "items": _CHANGE},
                "next_before_id": {
                    **NULLABLE_INTEGER,
                    "description": "before_id of the next page; null: this is the last one.",
                },
                "read_only": {"type": "boolean"},
            }
        ),
        app=APP,
        kind=KIND,
        effect="read",
        scopes=READ,
        function=get,
    )
    yield write_tool(
        controller,
        name="rollback_change",
        description=(
            "Set a resource back to what it was before a change. This is a command like any "
            "other, with a number of its own: limits, rules and approvals apply. Refused if a "
            "later change has set the resource. With dry_run nothing is sent."
        ),
        input_schema={
            **closed_object(
                {
                    "change_id": CHANGE_ID,
                    "dry_run": {
                        "type": "boolean",
                        "default": False,
                        "description": "Plan only: say what would change, send nothing",
                    },
                }
            ),
            "required": ["change_id"],
        },
        output_schema=OUTCOME,
        app=APP,
        kind=KIND,
        scopes=WRITE,
        function=rollback,
    )
    yield write_tool(
        controller,
        name="confirm_change",
        description=(
            "Keep a change that was sent with confirm_within_s: without this, the resource is set "
            "back to what it was before once that time is over. Look at the measurements first. "
            "Refused if the change waits for no confirmation (any more), or its time is over."
        ),
        input_schema=closed_object({"change_id": CHANGE_ID}),
        output_schema=closed_object(
            {
                "change_id": {"type": "integer"},
                "confirmation": {"type": "string", "enum": ["confirmed"]},
                "confirmed_by": {"type": "string"},
            }
        ),
        app=APP,
        kind=KIND,
        scopes=WRITE,
        function=confirm,
    )


def answer_of(controller: Controller, outcome: Outcome) -> dict[str, Any]:
    """The answer to a command that was not asked for by its own tool.

    Raises:
        ToolError: If it was rejected or failed.
    """
    if outcome.status in ("rejected", "failed"):
        spec: CommandSpec | None = controller.commands.get(outcome.request.command)
        raise error_of(outcome, spec, outcome.request.arguments, outcome.unit or "")
    return outcome.to_report()
