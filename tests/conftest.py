"""What every test shares: one event loop backend, and the law-testing profiles."""

import os

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("brief", max_examples=10, deadline=None)
settings.register_profile("dev", max_examples=50, deadline=None)
settings.register_profile(
    "ci",
    max_examples=50,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("deep", max_examples=50_000, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "dev"))


@pytest.fixture
def anyio_backend() -> str:
    """The backend of every async test."""
    return "asyncio"
