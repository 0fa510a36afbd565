"""A prompt: instructions that a client can offer to a person, with blanks to be filled in."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from tercet._context import CallContext
from tercet._errors import InvalidInputError

__all__ = ["Prompt", "Suggest"]


Suggest = Callable[[CallContext], Iterable[str]]
"""Gives values that an argument may have, best first, as far as the caller may know of them."""


def _none() -> Mapping[str, str]:
    return {}


def _no_suggestions() -> Mapping[str, Suggest]:
    return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """Instructions under a name.

    Attributes:
        name: Unique among a server's prompts.
        title: A name for people.
        description: What it is good for.
        app: The app whose tools it is about, which only their callers see; None: everybody's.
        text: Gives the text for the arguments that were filled in.
        arguments: The name of each argument and what it is; all may be left out.
        suggestions: By the name of an argument, what a client can offer for it.
    """

    name: str
    title: str
    description: str
    app: str | None = None
    text: Callable[[Mapping[str, str]], str] = field(repr=False)
    arguments: Mapping[str, str] = field(default_factory=_none)
    suggestions: Mapping[str, Suggest] = field(default_factory=_no_suggestions, repr=False)

    def render(self, arguments: Mapping[str, str] | None = None) -> str:
        """Give the text.

        Raises:
            InvalidInputError: An argument is not one of the prompt's.
        """
        given = dict(arguments or {})
        unknown = sorted(given.keys() - self.arguments.keys())
        if unknown:
            raise InvalidInputError(
                f"the prompt {self.name!r} has no argument {unknown[0]!r}",
                hint=f"its arguments are {', '.join(self.arguments) or 'none'}",
            )
        return self.text(given)
