"""One tool for each command of an app: `{App}_{command}`."""

from collections.abc import Iterator, Sequence
from typing import Any

from netctl._command import CommandSpec, ResourceChoice
from netctl._controller import Controller
from netctl._declaration import AppDeclaration
from netctl._inventory import Node, Resource
from netctl.tools._failures import translated
from netctl.tools._outcome import OUTCOME
from netctl.tools._refusals import error_of
from netctl.tools._schemas import described
from netctl.tools._scopes import WRITE
from netctl.tools._write_tool import write_tool
from tercet import AnyTool, CallContext

__all__ = ["control_tools"]


def control_tools(controller: Controller, app: AppDeclaration) -> Iterator[AnyTool]:
    """The tools of an app's commands."""
    for spec in controller.commands.of(app.commands):
        yield _control_tool(controller, app, spec)


def _control_tool(controller: Controller, app: AppDeclaration, spec: CommandSpec) -> AnyTool:
    nodes = [controller.inventory.node(node_id) for node_id in app.commands[spec.name]]
    resources = [resource for node in nodes for resource in spec.choices(node).values()]
    unit = " or ".join(dict.fromkeys(resource.unit for resource in resources))

    async def send(context: CallContext, arguments: dict[str, Any]) -> dict[str, Any]:
        dry_run = bool(arguments.pop("dry_run", False)) or context.dry_run
        idempotency_key = arguments.pop("idempotency_key", None)
        confirm_within_s = arguments.pop("confirm_within_s", None)
        with translated():
            outcome = await controller.execute(
                app.name,
                spec.name,
                arguments,
                dry_run=dry_run,
                origin="tool",
                subject=context.subject,
                roles=context.scopes,
                idempotency_key=idempotency_key,
                confirm_within_s=confirm_within_s,
            )
        if outcome.status in ("rejected", "failed"):
            raise error_of(outcome, spec, arguments, unit)
        return outcome.to_report()

    return write_tool(
        controller,
        name=f"{app.name}_{spec.name.lower()}",
        description=(
            f"{spec.description}. App: {app.name}, Nodes: {list(app.commands[spec.name])}. "
            "Checked against the node's limits and the app's own rules before anything is sent, "
            "and verified by reading back. A refusal changes nothing and says why. "
            "With dry_run nothing is sent: the answer is the plan, before and after. "
            "The status pending_approval means that somebody else has to approve it first. "
            "With confirm_within_s it is taken back unless confirm_change is called in time."
        ),
        input_schema=_input_schema(spec, nodes, resources, unit),
        output_schema=OUTCOME,
        app=app.name,
        kind="control",
        idempotent=True,
        scopes=WRITE,
        function=send,
        facts={"command": spec.name},
        command=spec.name,
    )


def _input_schema(
    spec: CommandSpec, nodes: Sequence[Node], resources: Sequence[Resource], unit: str
) -> dict[str, Any]:
    node_ids, value_argument = [node.node_id for node in nodes], spec.value_argument
    descriptions = {
        **spec.descriptions,
        "node_id": f"The node; one of {node_ids}",
    }
    if value_argument:
        named = spec.descriptions.get(value_argument, value_argument)
        descriptions[value_argument] = f"{named}, in {unit}"
    if isinstance(spec.resource, ResourceChoice):
        name = spec.resource.argument
        defaults = {node.node_id: spec.default_choice(node) for node in nodes}
        known = ", ".join(f"{choice} on node {node}" for node, choice in defaults.items() if choice)
        said = f"; by default {known}" if known else "; needed"
        descriptions[name] = descriptions.get(name, name) + said
    schema = described(spec.input_schema(node_ids), descriptions)
    if value_argument:
        value = schema["properties"][value_argument]
        # The widest limits of all nodes: narrower ones, and the app's own, answer with reasons.
        value.setdefault("minimum", min(resource.min for resource in resources))
        value.setdefault("maximum", max(resource.max for resource in resources))
    schema["properties"]["dry_run"] = {
        "type": "boolean",
        "default": False,
        "description": "Plan only: check everything, say what would change, send nothing",
    }
    schema["properties"]["confirm_within_s"] = {
        "type": "number",
        "minimum": 1,
        "maximum": 86_400,
        "description": "Set the resource back by itself so many seconds after the command was "
        "sent, unless confirm_change is called before; left out: the change is permanent",
    }
    schema["properties"]["idempotency_key"] = {
        "type": "string",
        "minLength": 1,
        "maxLength": 128,
        "description": "Your own name for this command: repeated, it is not executed again",
    }
    return schema
