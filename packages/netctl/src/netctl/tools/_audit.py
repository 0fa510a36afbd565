"""The tool of the audit trail: `get_audit`."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

from netctl._audit import AuditEntry
from netctl._controller import Controller
from netctl.tools._network import APP, KIND, optional_object
from netctl.tools._schemas import NULLABLE_INTEGER, NULLABLE_TEXT, closed_object
from netctl.tools._scopes import OPERATE
from tercet import AnyTool, CallContext, Tool

__all__ = ["audit_tools"]

_MOST = 50
_LONGEST_REASON = 200
_SWITCH = {True: "on", False: "off"}
_TOLD = ("subject", "app", "tool", "node_id", "status", "code", "reason", "change_id", "decided_by")
_ENTRY = closed_object(
    {
        "sequence": {"type": "integer"},
        "timestamp_s": {"type": "number"},
        "kind": {
            "type": "string",
            "enum": ["command", "read_only", "state", "call", "confirmation", "reload"],
        },
        "subject": NULLABLE_TEXT,
        "app": NULLABLE_TEXT,
        "node_id": NULLABLE_INTEGER,
        "command": NULLABLE_TEXT,
        "tool": {**NULLABLE_TEXT, "description": "What was called, of an entry of the kind call."},
        "status": {
            **NULLABLE_TEXT,
            "description": "What became of the command; or the state that was set; or on or off.",
        },
        "code": NULLABLE_TEXT,
        "reason": NULLABLE_TEXT,
        "change_id": NULLABLE_INTEGER,
        "decided_by": NULLABLE_TEXT,
        "digest": {"type": "string"},
    }
)


def audit_tools(controller: Controller) -> Iterator[AnyTool]:
    """The tool."""

    async def get(context: CallContext, arguments: dict[str, Any]) -> dict[str, Any]:
        del context
        limit, before = int(arguments.get("limit", _MOST)), arguments.get("before_sequence")
        trail = controller.audit
        older = (
            entry for entry in reversed(trail.entries) if before is None or entry.sequence < before
        )
        page = list(islice(older, limit + 1))
        verify = arguments.get("verify", False)
        return {
            "entries": [_told(entry) for entry in page[:limit]],
            "next_before_sequence": page[limit - 1].sequence if len(page) > limit else None,
            "verified": verify,
            "broken_at": trail.broken_at() if verify else None,
        }

    yield Tool.from_schema(
        name="get_audit",
        description=(
            "List what was asked of the network and what became of it, newest first: commands, "
            "refused ones too, changes of state, the read-only switch, confirmations, reloads, and "
            "calls of other tools that were refused for their arguments. Each entry's digest "
            "covers the one before it; with verify, the whole remembered chain is checked."
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
                "before_sequence": {
                    "type": "integer",
                    "minimum": 1,
                    "description": "Only older entries: next_before_sequence of a page",
                },
                "verify": {
                    "type": "boolean",
                    "default": False,
                    "description": "Whether to check the chain",
                },
            }
        ),
        output_schema=closed_object(
            {
                "entries": {"type": "array", "items": _ENTRY},
                "next_before_sequence": {
                    **NULLABLE_INTEGER,
                    "description": "before_sequence of the next page; null: this is the last one.",
                },
                "verified": {"type": "boolean", "description": "Whether the chain was checked."},
                "broken_at": {
                    **NULLABLE_INTEGER,
                    "description": "The first entry that was altered; null: none, if verified.",
                },
            }
        ),
        app=APP,
        kind=KIND,
        effect="read",
        scopes=OPERATE,
        function=get,
    )


def _told(entry: AuditEntry) -> dict[str, Any]:
    facts: dict[str, Any] = entry.to_dict()["facts"]
    command: dict[str, Any] | None = facts.get("command")
    told = {name: facts.get(name) for name in _TOLD}
    if told["reason"] is not None:
        told["reason"] = told["reason"][:_LONGEST_REASON]
    return {
        "sequence": entry.sequence,
        "timestamp_s": entry.timestamp_s,
        "kind": entry.kind,
        **told,
        "command": None if command is None else command["command"],
        "status": _SWITCH[facts["on"]]
        if entry.kind == "read_only"
        else facts.get("status", facts.get("state")),
        "digest": entry.digest,
    }
