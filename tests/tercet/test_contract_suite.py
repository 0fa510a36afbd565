"""The suite that every registry of tools must pass, on one that does and on one that does not."""

from dataclasses import replace

import pytest

from tercet import (
    CallContext,
    Example,
    Tool,
    ToolRegistry,
    tool,
)
from tercet.testing import contract_suite, contract_violations

pytestmark = pytest.mark.anyio


async def test_the_sample_registry_passes_the_contract_suite(registry: ToolRegistry) -> None:
    await contract_suite(registry)


async def test_the_contract_suite_names_what_a_registry_breaks() -> None:
    async def anything(_: CallContext, __: dict[str, object]) -> int:
        return 1

    sloppy = Tool.from_schema(
        name="sloppy",
        description="Do something.",
        input_schema={
            "type": "object",
            "properties": {"x": {}},
            "additionalProperties": True,
            "anyOf": [{"$ref": "#/$defs/x"}],
            "$defs": {"x": {}},
        },
        function=anything,
        app="a",
        kind="b",
        effect="read",
    )

    @tool(app="a", kind="b", effect="read", examples=[])
    def fine() -> int:
        """Give one."""
        return 1

    violations = "\n".join(
        [text async for text in contract_violations(ToolRegistry([sloppy, fine]))]
    )
    assert "fine" not in violations
    for fault in ("nobody reads", '"$ref"', "anyOf", "does not say", "no description", "no type"):
        assert fault in violations
    assert "accepts an unknown argument" in violations
    with pytest.raises(AssertionError, match="sloppy"):
        await contract_suite(ToolRegistry([sloppy]))


async def test_the_contract_suite_runs_the_examples(registry: ToolRegistry) -> None:
    root = registry.get("square_root")
    wrong = replace(root, examples=(Example(arguments={"x": 4}, result=3.0),))
    broken = replace(root, name="broken", examples=(Example(arguments={"x": -4}),))
    violations = [text async for text in contract_violations(ToolRegistry([wrong, broken]))]
    assert len(violations) == 2
    assert "failed: sqrt of -4.0" in violations[0]
    assert "gave 2.0" in violations[1]
