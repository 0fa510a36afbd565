"""A prompt: instructions that a client can offer to a person, with blanks to be filled in."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from tercet._errors import InvalidInputError

__all__ = ["Prompt"]


def _none() -> Mapping[str, str]:
    return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """Instructions under a name.

    Attributes:
        name: Unique among a server's prompts.
        title: A name for people.
        description: What it is good for.
        text: Gives the text for the arguments that were filled in.
        arguments: The name of each argument and what it is; all may be left out.
    """

    name: str
    title: str
    description: str
    text: Callable[[Mapping[str, str]], str] = field(repr=False)
    arguments: Mapping[str, str] = field(default_factory=_none)

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
