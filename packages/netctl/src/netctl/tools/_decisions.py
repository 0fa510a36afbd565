"""The operator's tools: `approve_change`, `reject_change` and `set_read_only`."""

from collections.abc import Iterator
from typing import Any

from netctl._change import Change
from netctl._controller import Controller
from netctl._words import short_words
from netctl.tools._changes import answer_of
from netctl.tools._failures import translated
from netctl.tools._network import APP, CHANGE_ID, KIND, refuse_dry_run
from netctl.tools._outcome import OUTCOME
from netctl.tools._schemas import NULLABLE_TEXT, closed_object
from netctl.tools._scopes import ADMIN, OPERATE
from netctl.tools._write_tool import write_tool
from tercet import AnyTool, CallContext, PermissionDeniedError

__all__ = ["decision_tools"]


def decision_tools(controller: Controller, *, by_person: bool = False) -> Iterator[AnyTool]:
    """The three tools.

    Args:
        controller: The controller.
        by_person: Whether nothing is approved that no person has confirmed; else a person is only
            asked where the caller's client can ask one.
    """

    async def approve(context: CallContext, arguments: dict[str, Any]) -> dict[str, Any]:
        refuse_dry_run(dry_run=context.dry_run, what="an approval")
        change_id = int(arguments["change_id"])
        with translated():
            change = await controller.changes.get(change_id)
            # What cannot be approved, or not by this caller, is refused without a question.
            if _may_be_approved(change, by=context.subject) and (by_person or context.can_ask):
                await _have_confirmed(context, change)
            outcome = await controller.changes.approve(change_id, subject=context.subject)
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
            "Whoever asked for a change cannot approve it. The client asks its user first, if it "
            "can. Refused if the resource was set to something else since the change was planned."
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


def _may_be_approved(change: Change, *, by: str) -> bool:
    return change.outcome.status == "pending_approval" and change.outcome.request.subject != by


async def _have_confirmed(context: CallContext, change: Change) -> None:
    """Go on once the person at the caller says yes to what the change would do.

    Raises:
        PermissionDeniedError: The person does not.
        UnavailableError: There is no way to a person.
    """
    outcome = change.outcome
    unit = outcome.unit or ""
    # Only what this service made or checked: a text of whoever asked could talk a person over.
    message = (
        f"Approve change {change.change_id}? {outcome.request.command} in the name of "
        f"{outcome.request.app} sets {outcome.resource} of node {outcome.node_id} from "
        f"{outcome.before} to {outcome.after} {unit}".rstrip()
        + f", asked for by {short_words(outcome.request.subject)}."
    )
    if not await context.confirm(message):
        raise PermissionDeniedError(
            f"the person who was asked did not approve change {change.change_id}; it still waits",
            hint="call reject_change if it shall never be sent",
        )
