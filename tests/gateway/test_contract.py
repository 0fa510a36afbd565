"""What the contract asks of every tool, asked of all tools together."""

import pytest

from gateway import Composition
from tercet.testing import contract_suite

pytestmark = pytest.mark.anyio


async def test_every_tool_keeps_the_contract(composition: Composition) -> None:
    async with composition.running():
        await contract_suite(composition.registry)
