"""Values that an argument of a prompt, or a part of a resource's address, may have."""

from collections.abc import Iterable
from dataclasses import dataclass

from tercet._context import CallContext
from tercet._objects import ObjectRegistry
from tercet._prompt import Prompt

__all__ = ["Completions", "prompt_values", "resource_values"]

_MOST = 100  # as the protocol allows


@dataclass(frozen=True, slots=True, kw_only=True)
class Completions:
    """Values that begin as what was typed.

    Attributes:
        values: The first hundred, in order.
        total: How many there are.
    """

    values: tuple[str, ...]
    total: int


def prompt_values(prompt: Prompt, name: str, typed: str, context: CallContext) -> Completions:
    """Complete an argument of a prompt; nothing for one that takes any text."""
    suggest = prompt.suggestions.get(name)
    return _beginning(typed, suggest(context) if suggest else ())


async def resource_values(
    objects: ObjectRegistry, name: str, typed: str, context: CallContext
) -> Completions:
    """Complete the session, or the ref, in the address of a stored object of the caller."""
    if name == "session":
        return _beginning(typed, [context.session_id])
    handles = await objects.list(context)
    return _beginning(typed, sorted(handle.ref for handle in handles))


def _beginning(typed: str, values: Iterable[str]) -> Completions:
    fitting = [value for value in values if value.casefold().startswith(typed.casefold())]
    return Completions(values=tuple(fitting[:_MOST]), total=len(fitting))
