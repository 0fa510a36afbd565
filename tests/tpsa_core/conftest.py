"""The Taylor tools in a registry of their own."""

import pytest

from tercet import ToolRegistry
from tpsa_core.tools import taylor_registry


@pytest.fixture
def taylor() -> ToolRegistry:
    return taylor_registry()
