"""Where a call is computed: what takes a moment in the event loop, the rest in a worker.

Effort is counted in multiplications, the unit of the estimates, at five nanoseconds each: what
they take on numpy; the compiled kernels take a fraction of it.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ParamSpec, Protocol, TypeVar, cast

from tercet import CallContext, Codec, EncodedObject, Stored
from tpsa_core._algebra import MultivariateTaylorFunction
from tpsa_core._map import TaylorMap
from tpsa_core.tools._codecs import TAYLOR_CODECS
from tpsa_core.tools._cost import Cost
from tpsa_core.tools._failures import quietly, require_finite

__all__ = [
    "ENDLESS",
    "TaylorWork",
    "coefficients_of",
    "compute",
    "effort_of",
    "encoded",
    "make",
    "portions",
]


class Sliceable(Protocol):
    """A sequence, or an array."""

    def __len__(self) -> int: ...
    def __getitem__(self, part: slice, /) -> Any: ...


P = ParamSpec("P")
T = TypeVar("T")
SequenceT = TypeVar("SequenceT", bound=Sliceable)

# Of each coefficient of what is made: it is looked through for the summary, and encoded.
_KEEPING = 25
# Of each product of two functions, however small, beside its multiplications.
_CALLING = 4_000

ENDLESS = 10**18
"""More effort than is ever made in the event loop."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TaylorWork:
    """How the work of a call is shared out; a setting of the registry.

    Attributes:
        inline: Up to this effort, in multiplications, a call is computed in the event loop. Those
            of the default take up to five milliseconds on numpy, and less than one with the
            compiled kernels, which is about what it takes to ask a worker.
        portion: A longer call is computed in portions of about this effort: it reports progress
            after each, and other calls come in between. Those of the default take at most half a
            second.
    """

    inline: int = 1_000_000
    portion: int = 100_000_000


async def compute(
    context: CallContext, effort: int, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs
) -> T:
    """Compute something, of which numpy's warnings say nothing that is not found in the result.

    Args:
        context: The call that it is for.
        effort: What it takes, as estimated, in multiplications.
        function: A function of a module, which can be moved to a worker; so can the arguments.
        args: Its arguments.
        kwargs: Its named arguments.
    """
    if effort <= context.setting(TaylorWork).inline:
        return quietly(function, *args, **kwargs)
    return await context.compute(quietly, function, *args, **kwargs)


async def make(
    context: CallContext,
    effort: int,
    done: str,
    name: str | None,
    function: Callable[..., MultivariateTaylorFunction | TaylorMap],
    *args: Any,
) -> Stored:
    """Compute a new function or map, keep it, and say what was done.

    Raises:
        ComputationError: A coefficient is not finite.
    """
    made = await compute(context, effort, _made, function, args)
    prefix = "map" if made.kind == "taylor_map" else "mtf"
    return Stored.of(await context.save(made, prefix=prefix, name=name), done)


def effort_of(cost: Cost) -> int:
    """Give the effort of an estimate, with that of keeping what is made."""
    return cost.multiplications + _CALLING * cost.products + _KEEPING * cost.coefficients


def coefficients_of(*values: MultivariateTaylorFunction | TaylorMap) -> int:
    """Count the coefficients of functions and maps, in all their components."""
    return sum(
        value.algebra.tables.size * (len(value) if isinstance(value, TaylorMap) else 1)
        for value in values
    )


def portions(whole: SequenceT, size: int) -> Iterator[SequenceT]:
    """Give a sequence in parts of a size, the last of which may be smaller; an empty one whole."""
    for start in range(0, max(1, len(whole)), size):
        yield cast("SequenceT", whole[start : start + size])


def encoded(value: Any) -> EncodedObject:
    """Encode what is to be kept, where it was computed."""
    codec: Codec = next(codec for codec in TAYLOR_CODECS if codec.type is type(value))
    return EncodedObject.of(codec, value)


def _made(
    function: Callable[..., MultivariateTaylorFunction | TaylorMap], args: tuple[Any, ...]
) -> EncodedObject:
    value = function(*args)
    is_map = isinstance(value, TaylorMap)
    require_finite(value.components if is_map else (value,), "the result")
    return encoded(value)
