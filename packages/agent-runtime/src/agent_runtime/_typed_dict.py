"""Typed dictionaries that pydantic can read.

Before Python 3.12 pydantic accepts those of typing_extensions only. Goes when 3.12 is the floor.
"""

import sys
import types
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    Required,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from typing_extensions import TypedDict


def readable(hint: Any) -> Any:
    """`hint`, with every `typing.TypedDict` in it replaced by its typing_extensions twin.

    Raises:
        TypeError: If a typed dictionary contains itself, which has no twin (before Python 3.12).
    """
    return hint if sys.version_info >= (3, 12) else _readable(hint, ())


def _readable(hint: Any, inside: tuple[object, ...]) -> Any:
    if is_typeddict(hint) and type(hint).__module__ == "typing":
        return _twin(hint, inside)
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is None or origin is Literal:
        return hint
    if origin is Annotated:
        return Annotated[(_readable(arguments[0], inside), *arguments[1:])]
    replaced = tuple(_readable(argument, inside) for argument in arguments)
    if replaced == arguments:
        return hint
    generic: Any = Union if origin is types.UnionType else origin
    return generic[replaced]


def _twin(typed_dict: Any, inside: tuple[object, ...]) -> Any:
    if typed_dict in inside:
        raise TypeError(
            f"{typed_dict.__name__} contains itself: declare it with typing_extensions.TypedDict"
        )
    required = cast("frozenset[str]", typed_dict.__required_keys__)
    fields: dict[str, Any] = {}
    for name, hint in get_type_hints(typed_dict, include_extras=True).items():
        marker, bare = get_origin(hint), hint
        if marker in (Required, NotRequired):
            bare = get_args(hint)[0]
        elif name not in required:
            marker = NotRequired
        inner = _readable(bare, (*inside, typed_dict))
        fields[name] = NotRequired[inner] if marker is NotRequired else Required[inner]
    # The functional form: names and fields are known only now.
    twin: Any = TypedDict(typed_dict.__name__, fields)  # pyright: ignore[reportArgumentType] -- names are not literal
    twin.__doc__ = typed_dict.__doc__
    return twin
