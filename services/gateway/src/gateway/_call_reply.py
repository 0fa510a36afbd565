"""How the REST route `/mcp/tools/call` words an envelope.

Its shape is older than the envelope and part of the controller's documented interface: `success`
says that the tool was reached, and refusals of a control command or of an operation in the loop
are results. Nothing is decided here; the same envelope is reworded.
"""

from collections.abc import Mapping
from typing import Any

from tercet import AnyTool, Envelope, ErrorCode

__all__ = ["reply_of"]

_REFUSALS_IN_THE_LOOP = frozenset({ErrorCode.CONFLICT, ErrorCode.TIMEOUT, ErrorCode.REJECTED})

_NOT_PAYLOAD = frozenset({"node_id", "dry_run", "idempotency_key"})


def reply_of(
    name: str, tool: AnyTool | None, arguments: Mapping[str, Any], answer: Envelope
) -> dict[str, Any]:
    """Word an envelope as `{"success": …, "result": …}` or `{"success": false, "error": …}`."""
    if answer.status == "success":
        return {"success": True, "result": answer.data.result}
    if tool is None:
        return {"success": False, "error": f"Tool {name!r} not found"}
    if tool.kind == "control" and answer.error_code is ErrorCode.REJECTED:
        payload = {key: value for key, value in arguments.items() if key not in _NOT_PAYLOAD}
        return {
            "success": True,
            "result": {
                "app": tool.app,
                "node_id": arguments.get("node_id"),
                "command": {"command": tool.facts.get("command"), "payload": payload},
                "status": "rejected",
                "reason": answer.message,
            },
        }
    if tool.kind == "agent_controlled" and answer.error_code in _REFUSALS_IN_THE_LOOP:
        return {"success": True, "result": {"error": answer.message}}
    # Exactly the documented keys: existing clients are strict. The message names every fault.
    hint = f" ({answer.hint})" if answer.hint else ""
    return {"success": False, "error": f"{answer.error_code}: {answer.message}{hint}"}
