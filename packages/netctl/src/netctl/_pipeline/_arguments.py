"""Stage 1, schema: is it a command of this app, for one of its nodes, with arguments that fit?"""

from typing import Any

from netctl._command import CommandSet, CommandSpec
from netctl._nearest import nearest_of
from netctl._outcome import CommandRequest
from netctl._pipeline._issuer import Issuer
from netctl._pipeline._refusal import CommandRefusedError
from netctl._plain import plain_copy
from netctl._ready_schema import ReadySchema
from netctl._violation import Violation, join_violations

__all__ = ["check_arguments", "find_command", "refuse_arguments"]


def find_command(request: CommandRequest, commands: CommandSet, issuer: Issuer) -> CommandSpec:
    """The command that is asked for, if the app may send it."""
    spec = commands.get(request.command)
    if spec is None or spec.name not in issuer.commands:
        own = sorted(issuer.commands)
        raise CommandRefusedError(
            f"app {issuer.name!r} has no command {request.command!r}; it has {own!r}",
            code="unknown_command",
            nearest=nearest_of(request.command, own),
        )
    return spec


def check_arguments(spec: CommandSpec, issuer: Issuer, arguments: Any) -> dict[str, Any]:
    """A copy of the arguments, once they fit the command's schema for the app's nodes."""
    # The same for each command of an app, and made of its schema once.
    schema = issuer.schemas.get(spec.name)
    if schema is None:
        schema = ReadySchema(spec.input_schema(issuer.commands[spec.name]))
        issuer.schemas[spec.name] = schema
    violations = schema.violations(arguments)
    if violations:
        raise refuse_arguments(violations)
    # JSON does not tell 8 from 8.0, dictionaries of nodes should not have to.
    return {**plain_copy(dict(arguments)), "node_id": int(arguments["node_id"])}


def refuse_arguments(violations: tuple[Violation, ...]) -> CommandRefusedError:
    """This stage's refusal, for violations of which there is one at least."""
    return CommandRefusedError(
        join_violations(violations),
        code="invalid_arguments",
        nearest=violations[0].nearest,
        violations=violations,
    )
