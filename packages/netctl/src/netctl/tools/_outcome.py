"""What a tool that sends a command answers."""

from netctl.tools._schemas import (
    NULLABLE_INTEGER,
    NULLABLE_NUMBER,
    NULLABLE_TEXT,
    closed_object,
)

__all__ = ["OUTCOME"]

OUTCOME = closed_object(
    {
        "app": {"type": "string"},
        "node_id": {"type": "integer"},
        "command": closed_object(
            {"command": {"type": "string"}, "payload": {"type": "object"}},
        ),
        "status": {
            "type": "string",
            "enum": ["planned", "pending_approval", "applied", "verified"],
            "description": "planned: nothing was sent. pending_approval: nothing was sent yet. "
            "applied: the node confirmed it, but reading back shows something else or nothing; see "
            "reason. verified: the node confirmed it, and it was read back equal.",
        },
        "reason": NULLABLE_TEXT,
        "code": NULLABLE_TEXT,
        "resource": NULLABLE_TEXT,
        "unit": NULLABLE_TEXT,
        "before": NULLABLE_NUMBER,
        "after": NULLABLE_NUMBER,
        "read_back": NULLABLE_NUMBER,
        "limits_touched": {
            "type": "array",
            "items": {"type": "string", "enum": ["min", "max"]},
            "description": "The resource's limits that the value lies on.",
        },
        "predicted_effect": {
            "type": ["object", "null"],
            "additionalProperties": {"type": "number"},
            "description": "What the node would measure then, by metric; null: not told.",
        },
        "request_id": {"type": "string"},
        "change_id": NULLABLE_INTEGER,
        "confirm_within_s": {
            **NULLABLE_NUMBER,
            "description": "How many seconds after it was sent it is taken back, unless "
            "confirm_change is called before; null: it is permanent.",
        },
    }
)
