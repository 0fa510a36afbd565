"""Whatever an arbiter does, what is said of a command is true."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from typing import Any

import pytest

from netctl import Accept, DriverError, SerialArbiter

pytestmark = pytest.mark.anyio


class Forgetful(SerialArbiter):
    """An arbiter with a bug that shows once a command was sent."""

    def sent(self, request: Any, target: Any) -> None:
        del request, target
        raise RuntimeError("a bug of the arbiter")


async def test_an_arbiter_that_crashes_afterwards_does_not_hide_what_was_done(
    benches: Any, guarded: Any, set_gain: Any
) -> None:
    bench = benches(guarded(Accept()), arbiter=Forgetful())
    async with bench.controller as controller:
        outcome = await set_gain(controller, 15, app="Guarded")
        (change,) = await controller.changes.list()

    assert outcome.status == change.outcome.status == "verified"
    assert bench.gain_db() == 15.0


class Mute:
    """An arbiter that swallows what goes wrong inside it."""

    @asynccontextmanager
    async def claim(self, request: Any, target: Any) -> AsyncGenerator[None, None]:
        del request, target
        with suppress(DriverError):
            yield


async def test_an_arbiter_that_swallows_a_refusal_is_an_error_not_a_success(
    benches: Any, guarded: Any, set_gain: Any, logs: Any
) -> None:
    bench = benches(guarded(Accept()), arbiter=Mute())
    bench.driver.read_fault = "unreachable"
    async with bench.controller as controller:
        outcome = await set_gain(controller, 15, app="Guarded")

    assert (outcome.status, outcome.code) == ("failed", "internal_error")
    assert "command crashed" in [log["event"] for log in logs]
