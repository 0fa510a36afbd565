"""The tool of what an app reads: `{App}_get_measurements`."""

from collections.abc import Iterator
from typing import Any

from netctl._controller import Controller
from netctl._declaration import AppDeclaration
from netctl.tools._failures import translated
from netctl.tools._schemas import READING, closed_object
from netctl.tools._scopes import READ
from tercet import AnyTool, CallContext, Tool

__all__ = ["measurement_tools"]

_OUTPUT = {
    "type": "object",
    "properties": {
        "app": {"type": "string"},
        "node_id": {"type": "integer", "description": "Only there when one node was asked for."},
        "measurements": {
            "type": "object",
            "description": "By metric where one node was asked for, else by node, then by metric.",
            "additionalProperties": {
                "anyOf": [READING, {"type": "object", "additionalProperties": READING}]
            },
        },
    },
    "required": ["app", "measurements"],
    "additionalProperties": False,
}


def measurement_tools(controller: Controller, app: AppDeclaration) -> Iterator[AnyTool]:
    """The tool, if the app reads anything."""
    node_ids = list(app.metrics)
    if not node_ids:
        return

    async def get(context: CallContext, arguments: dict[str, Any]) -> dict[str, Any]:
        del context
        asked = arguments.get("node_id")
        # JSON does not tell 8 from 8.0.
        node_id = None if asked is None else int(asked)
        with translated():
            measured = await controller.measurements(app.name, node_id)
        by_node = {
            str(node): {name: reading.to_dict() for name, reading in readings.items()}
            for node, readings in measured.items()
        }
        if node_id is None:
            return {"app": app.name, "measurements": by_node}
        return {"app": app.name, "node_id": node_id, "measurements": by_node[str(node_id)]}

    schema = closed_object(
        {
            "node_id": {
                "type": "integer",
                "enum": node_ids,
                "description": f"Only this node; one of {node_ids}. All of them if left out",
            }
        }
    )
    yield Tool.from_schema(
        name=f"{app.name}_get_measurements",
        description=(
            f"Get the latest measurements, read anew from the nodes. App: {app.name}, "
            f"Nodes: {node_ids}. The unit is at the end of each metric's name. quality says "
            "whether a value is fresh (good), too old (stale), or was never read (no_data); "
            "age_s is its age in seconds."
        ),
        input_schema={**schema, "required": []},
        output_schema=_OUTPUT,
        app=app.name,
        kind="measurement",
        effect="read",
        idempotent=True,
        scopes=READ,
        function=get,
    )
