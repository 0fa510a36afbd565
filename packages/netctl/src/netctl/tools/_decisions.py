"""The operator's tools: `approve_change`, `reject_change` and `set_read_only`."""

from collections.abc import Iterator
from typing import Any

from netctl._controller import Controller
from netctl.tools._changes import answer_of
from netctl.tools._failures import translated
from netctl.tools._network import APP, CHANGE_ID, KIND, refuse_dry_run
from netctl.tools._outcome import OUTCOME
from netctl.tools._schemas import NULLABLE_TEXT, closed_object
from netctl.tools._scopes import ADMIN, OPERATE
from netctl.tools._write_tool import write_tool
from tercet import AnyTool, CallContext

__all__ = ["decision_tools"]


def decision_tools(controller: Controller) -> Iterator[AnyTool]:
    """The three tools."""

    async def approve(context: CallContext, arguments: dict[str, Any]) -> dict[str, Any]:
        refuse_dry_run(dry_run=context.dry_run, what="an approval")
        with translated():
            outcome = await controller.changes.approve(
                int(arguments["change_id"]), subject=context.subject
            )
        return answer_of(controller, outcome)

    async def reject(context: CallContext, arguments: dict[str, Any]) -> dict[str, Any]:
        refuse_dry_run(dry_run=context.dry_run, what="a rejection")
        with translated():
            outcome = await controller.changes.reject(
                int(arguments["change_id"]),
                subject=context.subject,
                reason=arguments.get("reason", ""),
            )
        return {
            "change_id": outcome.change_id,
            "status": outcome.status,
            "reason": outcome.reason,
        }

    async def switch(context: CallContext, arguments: dict[str, Any]) -> dict[str, Any]:
        refuse_dry_run(dry_run=context.dry_run, what="the read-only switch")
        previous = controller.read_only
        await controller.set_read_only(arguments["read_only"], subject=context.subject)
        return {"read_only": controller.read_only, "previous": previous}

    yield write_tool(
        controller,
        name="approve_change",
        description=(
            "Approve a change that waits (status pending_approval); it is checked again and sent. "
            "Whoever asked for a change cannot approve it. Refused if the resource was set to "
            "something else since the change was planned."
        ),
        input_schema=closed_object({"change_id": CHANGE_ID}),
        output_schema=OUTCOME,
        app=APP,
        kind=KIND,
        scopes=OPERATE,
        function=approve,
    )
    yield write_tool(
        controller,
        name="reject_change",
        description="Reject a change that waits (status pending_approval); it is never sent.",
        input_schema={
            **closed_object(
                {
                    "change_id": CHANGE_ID,
                    "reason": {
                        "type": "string",
                        "maxLength": 500,
                        "default": "",
                        "description": "Why, for whoever asked for it",
                    },
                }
            ),
            "required": ["change_id"],
        },
        output_schema=closed_object(
            {
                "change_id": {"type": "integer"},
                "status": {"type": "string", "enum": ["rejected"]},
                "reason": NULLABLE_TEXT,
            }
        ),
        app=APP,
        kind=KIND,
        scopes=OPERATE,
        function=reject,
    )
    yield write_tool(
        controller,
        name="set_read_only",
        description=(
            "The network's kill switch. read_only true: from now on every change is refused, also "
            "those that wait; measurements and dry runs go on. read_only false: changes are "
            "allowed again."
        ),
        input_schema=closed_object(
            {"read_only": {"type": "boolean", "description": "Whether changes are refused"}}
        ),
        output_schema=closed_object(
            {"read_only": {"type": "boolean"}, "previous": {"type": "boolean"}}
        ),
        app=APP,
        kind=KIND,
        idempotent=True,
        scopes=ADMIN,
        function=switch,
    )
