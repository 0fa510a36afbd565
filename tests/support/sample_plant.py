"""A small registry that stands for any domain's."""

from typing import Annotated

from pydantic import BaseModel, Field

from tercet import (
    OBJECT_TOOLS,
    CallContext,
    ComputationError,
    Example,
    ObjectRegistry,
    RejectedError,
    Stored,
    ToolRegistry,
    tool,
)
from tercet.testing import FrozenClock, RecordingObserver


class SqrtDomainError(ValueError):
    """A domain's own exception, with a hint of its own."""

    hint = "pass a number that is not negative"


class Gain(BaseModel):
    node: str
    gain_db: float


class Plant:
    """What the tools act on, so that a test can see whether they did."""

    def __init__(self) -> None:
        self.gains: list[Gain] = []


def plant_registry(
    plant: Plant, clock: FrozenClock, observer: RecordingObserver | None = None
) -> ToolRegistry:
    @tool(app="optics", kind="control", effect="write", scopes=["optics:write"])
    async def set_gain(
        node: Annotated[str, Field(description="The amplifier's name.")],
        gain_db: Annotated[float, Field(ge=0, le=25, description="Target gain, in dB.")] = 10.0,
    ) -> Gain:
        """Set the target gain of one amplifier."""
        if node == "locked":
            raise RejectedError("node 'locked' is locked", hint="unlock it first")
        gain = Gain(node=node, gain_db=gain_db)
        plant.gains.append(gain)
        return gain

    @tool(
        app="maths",
        kind="taylor",
        effect="read",
        errors={SqrtDomainError: ComputationError},
        examples=[Example(arguments={"x": 4}, result=2.0)],
    )
    def square_root(x: Annotated[float, Field(description="A number.")]) -> float:
        """Take a square root.

        Args:
            x: Not for the model to read twice.
        """
        if x < 0:
            raise SqrtDomainError(f"sqrt of {x}")
        return float("nan") if x == 13 else x**0.5

    @tool(app="maths", kind="taylor", effect="read")
    def crash(text: Annotated[str, Field(description="Any text.")]) -> int:
        """Fail for a reason of its own."""
        return int(text)

    @tool(app="maths", kind="taylor", effect="write", session=True)
    async def count_to(
        context: CallContext, n: Annotated[int, Field(ge=0, description="How far.")]
    ) -> list[int]:
        """Count from zero, with progress."""
        await context.report(n, n, "counted")
        return list(range(n))

    @tool(app="maths", kind="taylor", effect="write", session=True)
    async def keep(
        context: CallContext,
        values: Annotated[list[float], Field(description="Numbers.")],
        name: Annotated[str | None, Field(description="A name of your own.")] = None,
    ) -> Stored:
        """Keep some numbers."""
        handle = await context.save(values, prefix="numbers", name=name)
        return Stored.of(handle, f"Kept {len(values)} numbers")

    @tool(app="maths", kind="taylor", effect="read", session=True)
    async def total(
        context: CallContext, ref: Annotated[str, Field(description="Kept numbers.")]
    ) -> float:
        """Add up kept numbers."""
        return await context.compute(sum, await context.load(ref, list))

    return ToolRegistry(
        [set_gain, square_root, crash, count_to, keep, total, *OBJECT_TOOLS],
        objects=ObjectRegistry(clock=clock),
        observers=[observer] if observer else [],
        clock=clock,
    )
