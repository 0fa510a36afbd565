"""Fakes for tests of apps: a clock that the test turns, and equipment that fails on request."""

from netctl.testing._faulty_driver import FaultyDriver
from netctl.testing._manual_clock import ManualClock

__all__ = ["FaultyDriver", "ManualClock"]
