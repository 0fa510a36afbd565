"""The tool of what there is: `get_topology`."""

from collections.abc import Iterator
from typing import Any

from netctl._controller import Controller
from netctl._inventory import Node, Resource
from netctl.tools._network import APP, KIND, optional_object
from netctl.tools._schemas import NULLABLE_INTEGER, NULLABLE_NUMBER, closed_object
from netctl.tools._scopes import READ
from tercet import AnyTool, CallContext, Tool

__all__ = ["topology_tools"]

_MOST = 20
_RESOURCE = closed_object(
    {
        "name": {"type": "string"},
        "unit": {"type": "string"},
        "min": {"type": "number"},
        "max": {"type": "number"},
        "step": NULLABLE_NUMBER,
        "slew_per_minute": NULLABLE_NUMBER,
        "read_only": {"type": "boolean"},
    }
)
_NODE = closed_object(
    {
        "node_id": {"type": "integer"},
        "name": {"type": "string"},
        "kind": {"type": "string"},
        "resources": {"type": "array", "items": _RESOURCE},
        "metrics": {"type": "array", "items": {"type": "string"}},
    }
)
_LINK = closed_object(
    {
        "source": {"type": "integer"},
        "target": {"type": "integer"},
        "loss_db": {"type": "number"},
    }
)


def topology_tools(controller: Controller) -> Iterator[AnyTool]:
    """The tool."""

    async def get(context: CallContext, arguments: dict[str, Any]) -> dict[str, Any]:
        del context
        inventory = controller.inventory
        after, limit = arguments.get("after_node_id", -1), int(arguments.get("limit", _MOST))
        ids = [node_id for node_id in inventory.node_ids if node_id > after]
        page = ids[:limit]
        return {
            "nodes": [_node(inventory.node(node_id)) for node_id in page],
            "links": [
                link.model_dump(include=set(_LINK["properties"]))
                for link in inventory.links
                if link.source in page
            ],
            "total_nodes": len(inventory.node_ids),
            "next_after_node_id": page[-1] if len(ids) > limit else None,
        }

    yield Tool.from_schema(
        name="get_topology",
        description=(
            "List the nodes of the network with what can be set on each (unit and limits) and what "
            "each measures, and the links that leave them, with their loss."
        ),
        input_schema=optional_object(
            {
                "after_node_id": {
                    "type": "integer",
                    "description": "Only nodes with a higher id: next_after_node_id of a page",
                },
                "limit": {
                    "type": "integer",
                    "minimum": 1,
                    "maximum": _MOST,
                    "default": _MOST,
                    "description": "How many nodes at the most",
                },
            }
        ),
        output_schema=closed_object(
            {
                "nodes": {"type": "array", "items": _NODE},
                "links": {"type": "array", "items": _LINK},
                "total_nodes": {"type": "integer"},
                "next_after_node_id": {
                    **NULLABLE_INTEGER,
                    "description": "after_node_id of the next page; null: this is the last one.",
                },
            }
        ),
        app=APP,
        kind=KIND,
        effect="read",
        scopes=READ,
        function=get,
    )


def _node(node: Node) -> dict[str, Any]:
    return {
        "node_id": node.node_id,
        "name": node.name,
        "kind": node.kind,
        "resources": [_resource(resource) for resource in node.resources],
        "metrics": list(node.metrics),
    }


def _resource(resource: Resource) -> dict[str, Any]:
    return resource.model_dump(include=set(_RESOURCE["properties"]))
