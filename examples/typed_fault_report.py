"""Extract a typed value from prose, through an agent that is corrected once.

A scripted model stands in for a language model, so the example runs offline: its first answer
breaks a rule of the schema, is told so, and its second is right.
Run with `uv run python examples/typed_fault_report.py`.
"""

from typing import Annotated

import anyio
from pydantic import BaseModel, Field

from agent_runtime import Agent, extract
from agent_runtime.testing import ScriptedModel, call


class Fault(BaseModel):
    """A fault in an optical line."""

    node: str
    excess_loss_db: Annotated[float, Field(ge=0, description="Loss above the planned one, in dB.")]


async def main() -> None:
    """Run the agent and look at what it gave."""
    model = ScriptedModel(
        [
            call("submit_fault", {"node": "roadm-2", "excess_loss_db": -1.0}),
            call("submit_fault", {"node": "roadm-2", "excess_loss_db": 1.0}),
        ]
    )
    result = await extract(
        Agent(model=model),
        "Since noon, roadm-2 shows one dB more loss than planned.",
        until_tool_success=Fault,
        max_runs=3,
    )
    print(result.value)
    assert result.value == Fault(node="roadm-2", excess_loss_db=1.0)
    assert result.model_calls == 2
    for attempt in result.attempts:
        print(attempt)


if __name__ == "__main__":
    anyio.run(main)
