"""The command that undoes another one: the same one, with the value of before."""

from typing import Any

from netctl._command import CommandSet, ResourceChoice
from netctl._errors import ChangeStateError, UnknownNameError
from netctl._outcome import Outcome
from netctl._translation import Translation

__all__ = ["undoing_arguments"]


def undoing_arguments(outcome: Outcome, commands: CommandSet) -> dict[str, Any]:
    """The arguments of the command that undoes one, given what it sets or has set.

    Raises:
        UnknownNameError: If there is no such command any more.
        ChangeStateError: If no argument is surely the value.
    """
    request = outcome.request
    spec = commands.get(request.command)
    if spec is None:
        raise UnknownNameError(
            f"there is no command {request.command!r} any more",
            hint="give it to the controller again",
        )
    if isinstance(spec.resource, Translation):
        return _undone_by_handler(outcome)
    arguments = {**request.arguments, spec.value_argument: outcome.before}
    if isinstance(spec.resource, ResourceChoice):
        # A validator may have chosen another resource than the one that was asked for.
        resources = spec.resource.resources
        choices = [name for name, meant in resources.items() if meant == outcome.resource]
        if not choices:
            raise ChangeStateError(
                f"{request.command} cannot set {outcome.resource} any more",
                hint="send another command that sets it",
            )
        arguments[spec.resource.argument] = choices[0]
    return arguments


def _undone_by_handler(outcome: Outcome) -> dict[str, Any]:
    """The same arguments with the one that held the value replaced, if there is only one."""
    arguments = outcome.request.arguments
    holders = [
        name
        for name, value in arguments.items()
        if name != "node_id" and value is not True and value == outcome.after
    ]
    if len(holders) != 1:
        which = "the change" if outcome.change_id is None else f"change {outcome.change_id}"
        raise ChangeStateError(
            f"{which} was translated by a handler, and none of its arguments is surely the value",
            hint="send the command that sets the former value",
        )
    return {**arguments, holders[0]: outcome.before}
