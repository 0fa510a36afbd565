"""The names of variables, checked."""

import keyword
from collections.abc import Iterable, Sequence

from tpsa_core._errors import AlgebraError, LimitError
from tpsa_core._numbers import as_natural

MAX_DIMENSION = 1_000
MAX_NAME_LENGTH = 100
# So many names are listed in a message.
_LISTED_NAMES = 10


def checked_names(names: tuple[str | int, ...]) -> tuple[str, ...]:
    """The names of variables, given as such or as their number.

    Raises:
        AlgebraError: If they are no usable names, or there is none.
        LimitError: If there are too many.
    """
    if len(names) > MAX_DIMENSION:
        raise _too_many_variables(len(names))
    texts = tuple(name for name in names if isinstance(name, str))
    if len(texts) < len(names):
        dimension = as_natural(names[0])
        if dimension and len(names) == 1:
            if dimension > MAX_DIMENSION:
                raise _too_many_variables(dimension)
            return default_names(dimension)
        message = f"variables {listed(names)} are neither names nor one number from 1"
        raise AlgebraError(message, hint='write Algebra("x", "y", order=4) or Algebra(2, order=4)')
    if not texts:
        raise AlgebraError("an algebra needs at least one variable", hint="give names or a number")
    _check_each(texts, "variable")
    return texts


def checked_parameters(variables: tuple[str, ...], parameters: Iterable[str]) -> tuple[str, ...]:
    """The names of parameters beside those of variables.

    Raises:
        AlgebraError: If they are no usable names, or one is that of a variable.
        LimitError: If there are too many.
    """
    hint = 'give a tuple of names, parameters=("k1", "k2")'
    if isinstance(parameters, str):
        raise AlgebraError(f"the parameters {parameters!r} are one text", hint=hint)
    try:
        names = tuple(parameters)
    except TypeError as error:
        raise AlgebraError(f"{parameters!r} are no names of parameters", hint=hint) from error
    if len(variables) + len(names) > MAX_DIMENSION:
        raise _too_many_variables(len(variables) + len(names))
    # Callers without a type checker pass anything here.
    if not all(isinstance(name, str) for name in names):  # pyright: ignore[reportUnnecessaryIsInstance] -- see above
        raise AlgebraError(f"the parameters {listed(names)} are not all names", hint=hint)
    _check_each(names, "parameter")
    shared = [name for name in names if name in variables]
    if shared:
        message = f"{listed(shared)} would be a variable and a parameter"
        raise AlgebraError(message, hint="give every parameter a name of its own")
    return names


def default_names(dimension: int) -> tuple[str, ...]:
    """The names of variables that have only a number."""
    return tuple(f"x{position}" for position in range(1, dimension + 1))


def listed(values: Sequence[object]) -> str:
    """Values as a message shows them: not more than ten."""
    shown = ", ".join(repr(value) for value in values[:_LISTED_NAMES])
    return shown if len(values) <= _LISTED_NAMES else f"{shown}, … ({len(values)} in all)"


def _check_each(names: tuple[str, ...], kind: str) -> None:
    for name in names:
        is_name = name.isascii() and name.isidentifier() and not keyword.iskeyword(name)
        if not is_name or len(name) > MAX_NAME_LENGTH:
            message = f"{name[:MAX_NAME_LENGTH]!r} is no name for a {kind}"
            hint = "use letters, digits and underscores, no digit first, and no Python keyword"
            raise AlgebraError(message, hint=hint)
    if len(set(names)) < len(names):
        message = f"the names {listed(names)} are not all different"
        raise AlgebraError(message, hint=f"give every {kind} a name of its own")


def _too_many_variables(dimension: int) -> LimitError:
    message = f"{dimension} variables are more than {MAX_DIMENSION}"
    return LimitError(message, hint="use fewer variables")
