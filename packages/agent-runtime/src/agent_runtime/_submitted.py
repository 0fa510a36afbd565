"""How a tool body says what its value is, apart from what the model reads."""

from dataclasses import dataclass
from typing import Any

from langchain_core.messages.tool import ToolOutputMixin


@dataclass(frozen=True, slots=True)
class Submitted(ToolOutputMixin):
    """A tool's value and the text that the model sees instead of it.

    Return it from a tool body, or as the artifact of a `content_and_artifact` tool. It is the way
    to submit an explicit None: a bare None artifact means that the body set no value.

    Example:
        >>> Submitted(None, "nothing was found, which is an answer").value is None
        True
    """

    value: Any
    text: str = "accepted"


def artifact_value(artifact: object) -> tuple[bool, Any]:
    """Whether an artifact holds a value, and the value."""
    if isinstance(artifact, Submitted):
        return True, artifact.value
    return artifact is not None, artifact
