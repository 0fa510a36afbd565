"""The sample registry, as fixtures."""

import pytest
from sample_plant import Plant, plant_registry

from tercet import ToolRegistry
from tercet.testing import FrozenClock, RecordingObserver


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock()


@pytest.fixture
def plant() -> Plant:
    return Plant()


@pytest.fixture
def observer() -> RecordingObserver:
    return RecordingObserver()


@pytest.fixture
def registry(plant: Plant, clock: FrozenClock, observer: RecordingObserver) -> ToolRegistry:
    return plant_registry(plant, clock, observer)
