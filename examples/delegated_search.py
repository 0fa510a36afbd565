"""Give a search to another agent, let a person approve what it found, and go on.

Scripted models stand in for language models, so the example runs offline. The run is kept as text
while it waits, as it would be by a service, and goes on with agents that are made anew.
Run with `uv run python examples/delegated_search.py`.
"""

from collections.abc import Sequence

import anyio
from pydantic import BaseModel

from agent_runtime import (
    Agent,
    Approve,
    HumanReview,
    RunInterruptedError,
    dump_checkpoint,
    extract,
    load_checkpoint,
    resume,
    sub_agent,
)
from agent_runtime.testing import Entry, ScriptedModel, call


class Fault(BaseModel):
    """A fault in an optical line."""

    node: str
    excess_loss_db: float


class WorkOrder(BaseModel):
    """What a technician is sent out for."""

    node: str
    instructions: str


def planner(own: Sequence[Entry], finders: Sequence[Entry]) -> Agent:
    """An agent that plans work, and asks another one where the fault is."""
    finder = Agent(
        model=ScriptedModel(finders, model_name="finder"),
        middleware=[HumanReview(["submit_fault"])],
    )
    find_fault = sub_agent(
        finder,
        name="find_fault",
        description="Finds the node at fault from a description of what was seen.",
        until_tool_success=Fault,
        max_runs=3,
    )
    return Agent(model=ScriptedModel(own, model_name="planner"), tools=[find_fault])


async def main() -> None:
    """Start the run, wait for a decision, and go on."""
    asks = call("find_fault", {"task": "Since noon, one node shows one dB more loss."})
    finds = call("submit_fault", {"node": "roadm-2", "excess_loss_db": 1.0})
    try:
        await extract(planner([asks], [finds]), "Plan the repair.", until_tool_success=WorkOrder)
    except RunInterruptedError as interruption:
        kept = dump_checkpoint(interruption.checkpoint)
    else:
        raise AssertionError("nothing had to be approved")

    checkpoint = load_checkpoint(kept)
    for pending in checkpoint.pending:
        print(f"to be approved: {pending.tool_name} {dict(pending.args)}")
    order = call("submit_work_order", {"node": "roadm-2", "instructions": "Clean the connector."})
    result = await resume(
        planner([order], []),
        checkpoint,
        {pending.call_id: Approve() for pending in checkpoint.pending},
        until_tool_success=WorkOrder,
        max_total_tokens=1_000,
    )
    print(result.value)
    assert result.value.node == "roadm-2"
    # What the other agent took counts.
    assert set(result.usage.by_model) == {"planner", "finder"}


if __name__ == "__main__":
    anyio.run(main)
