"""The tools that look after stored objects of any kind."""

from typing import Annotated, Any, cast

from pydantic import BaseModel, Field

from tercet._context import CallContext
from tercet._errors import InvalidInputError, UnavailableError
from tercet._json import follow_pointer, to_json_text
from tercet._object import Handle
from tercet._objects import ObjectRegistry
from tercet._tool import Example, tool

__all__ = ["OBJECT_TOOLS"]

Ref = Annotated[str, Field(description="The name of a stored object.", max_length=64)]

_MOST_PART_BYTES = 16 * 1024


class ObjectPage(BaseModel):
    """A page of the objects of a session, oldest first."""

    objects: list[Handle]
    total: int = Field(description="How many objects the session holds.")
    next_offset: int | None = Field(description="Where the next page begins; null: no more.")


class ObjectHistory(BaseModel):
    """How an object came to be."""

    ref: str
    operation: str = Field(description="The tool that made it.")
    arguments: dict[str, Any] = Field(description="With these arguments.")
    parents: list[str] = Field(description="Of these objects.")


class ObjectPart(BaseModel):
    """A part of an object's JSON form."""

    pointer: str
    type: str = Field(description="The JSON type of what the pointer names.")
    length: int | None = Field(description="Elements, members or characters; null for a scalar.")
    value: Any = Field(description="The part itself.")
    next_offset: int | None = Field(description="Where the next part begins; null: no more.")


class Done(BaseModel):
    """What was done, in one sentence."""

    message: str


def _objects(context: CallContext) -> ObjectRegistry:
    if context.objects is None:
        raise UnavailableError(
            "this registry keeps no objects", hint="give ToolRegistry an ObjectRegistry"
        )
    return context.objects


@tool(app="objects", kind="object", effect="read", session=True, examples=[Example(arguments={})])
async def list_objects(
    context: CallContext,
    offset: Annotated[int, Field(description="How many to skip.", ge=0)] = 0,
    limit: Annotated[int, Field(description="How many to give at most.", ge=1, le=100)] = 25,
) -> ObjectPage:
    """List the stored objects of a session, oldest first, with their kinds and summaries."""
    handles = await _objects(context).list(context)
    page = list(handles[offset : offset + limit])
    while len(page) > 1 and len(to_json_text([h.summary for h in page])) > _MOST_PART_BYTES:
        page.pop()
    end = offset + len(page)
    return ObjectPage(
        objects=page, total=len(handles), next_offset=end if end < len(handles) else None
    )


@tool(app="objects", kind="object", effect="read", session=True)
async def describe_object(context: CallContext, ref: Ref) -> Handle:
    """Give the kind, the size, the summary and the lifetime of one stored object."""
    return await _objects(context).describe(context, ref)


@tool(app="objects", kind="object", effect="read", session=True)
async def explain_object(context: CallContext, ref: Ref) -> ObjectHistory:
    """Say how a stored object was made: by which tool, with which arguments, of which objects."""
    history = await _objects(context).explain(context, ref)
    return ObjectHistory(
        ref=ref,
        operation=history.operation,
        arguments=dict(history.arguments),
        parents=list(history.parents),
    )


@tool(app="objects", kind="object", effect="read", session=True)
async def read_object(
    context: CallContext,
    ref: Ref,
    pointer: Annotated[
        str,
        Field(description="JSON pointer to the wanted part, such as '/terms'; '' is the whole."),
    ] = "",
    offset: Annotated[int, Field(description="Elements or characters to skip.", ge=0)] = 0,
    limit: Annotated[int, Field(description="How many to give at most.", ge=1, le=1000)] = 100,
) -> ObjectPart:
    """Read a stored object in parts of at most 16 KiB.

    Arrays and texts are given by offset and limit. What is too large to be shown inside a part is
    replaced by its type and length; point at it to read it.
    """
    value = _follow(await _objects(context).export(context, ref), pointer)
    if not isinstance(value, list | dict | str):
        return ObjectPart(
            pointer=pointer, type=_type_of(value), length=None, value=value, next_offset=None
        )
    whole = cast("list[Any] | dict[str, Any] | str", value)
    part: Any
    if isinstance(whole, str):
        part, taken = whole[offset : offset + limit], min(limit, max(0, len(whole) - offset))
    else:
        members = list(whole.items()) if isinstance(whole, dict) else list(enumerate(whole))
        shown = _fitting(members[offset : offset + limit])
        taken = len(shown)
        part = dict(shown) if isinstance(whole, dict) else [item for _, item in shown]
    end = offset + taken
    return ObjectPart(
        pointer=pointer,
        type=_type_of(whole),
        length=len(whole),
        value=part,
        next_offset=end if end < len(whole) else None,
    )


@tool(app="objects", kind="object", effect="destructive", idempotent=True, session=True)
async def delete_object(context: CallContext, ref: Ref) -> Done:
    """Delete one stored object. It cannot be brought back."""
    await _objects(context).delete(context, ref)
    return Done(message=f"Deleted {ref!r}.")


@tool(app="objects", kind="object", effect="write", session=True)
async def rename_object(
    context: CallContext,
    ref: Ref,
    name: Annotated[str, Field(description="The new name; must be free.", max_length=64)],
) -> Handle:
    """Give a stored object another name. Objects with a chosen name are never evicted."""
    return await _objects(context).rename(context, ref, name)


@tool(app="objects", kind="object", effect="destructive", idempotent=True, session=True)
async def clear_session(context: CallContext) -> Done:
    """Delete all stored objects of a session. They cannot be brought back."""
    count = await _objects(context).clear(context)
    return Done(message=f"Deleted {count} objects of session {context.session_id!r}.")


OBJECT_TOOLS = (
    list_objects,
    describe_object,
    explain_object,
    read_object,
    rename_object,
    delete_object,
    clear_session,
)
"""Tools that look after stored objects of any kind."""


def _follow(whole: Any, pointer: str) -> Any:
    try:
        return follow_pointer(whole, pointer)
    except LookupError as error:
        raise InvalidInputError(
            f"the object cannot be read at {pointer[:80]!r}: {error.args[0]}",
            hint="a pointer is '' or begins with '/'; read the object with pointer '' first",
        ) from error


def _fitting(members: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    shown: list[tuple[Any, Any]] = []
    left = _MOST_PART_BYTES
    for key, item in members:
        size = len(to_json_text(item)) + len(str(key)) + 4
        if size > _MOST_PART_BYTES:
            item = {"type": _type_of(item), "length": len(item), "shown": False}  # noqa: PLW2901 -- the stand-in takes its place
            size = len(to_json_text(item))
        if size > left:
            break
        left -= size
        shown.append((key, item))
    return shown


def _type_of(value: Any) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case int() | float():
            return "number"
        case str():
            return "string"
        case list():
            return "array"
        case _:
            return "object"
