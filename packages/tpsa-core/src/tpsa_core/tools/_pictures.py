"""What the tools that draw have in common."""

from typing import Any

from tercet import CallContext, Picture

__all__ = ["LARGEST_DRAWN", "show", "shown_name"]

# Beyond this, coordinates overflow while they are drawn.
LARGEST_DRAWN = 1e100
_SHOWN_CHARACTERS = 30


async def show(
    context: CallContext, png: bytes, description: str, name: str | None
) -> dict[str, Any]:
    """Keep a picture, show it beside the answer, and give the fields of `Shown`."""
    picture = Picture(png, description)
    handle = await context.save(picture, prefix="picture", name=name)
    context.show(picture)
    return {"ref": handle.ref, **handle.summary}


def shown_name(name: str) -> str:
    """Give a name as a label: a long one is cut."""
    return name if len(name) <= _SHOWN_CHARACTERS else f"{name[: _SHOWN_CHARACTERS - 1]}…"
