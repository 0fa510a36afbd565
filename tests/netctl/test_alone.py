"""The package by itself: what it imports, what it prints, what it ships for tests."""

import subprocess
import sys
from typing import Any

import anyio
import pytest

from netctl.testing import ManualClock

PROGRAM = """
import sys
import anyio
from netctl.apps.line import line_controller
unwanted = {"tercet", "fastapi", "mcp", "langchain_core", "numpy"} & set(sys.modules)
assert not unwanted, unwanted

async def main():
    async with line_controller() as controller:
        await controller.set_state("NetworkApp1", "running")
        await controller.execute("NetworkApp1", "SET_GAIN", {"node_id": 8, "target_gain": 99})

anyio.run(main)
"""


def test_the_package_needs_no_contract_and_writes_nothing_unasked() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True
    )

    assert (done.stdout, done.stderr) == ("", "")


async def passed(clock: ManualClock, delay_s: float, log: list[Any]) -> None:
    with clock.move_on_after(delay_s) as scope:
        await anyio.sleep_forever()
    log.append((delay_s, clock.monotonic(), scope.cancelled_caught))


@pytest.mark.anyio
async def test_the_manual_clock_passes_through_every_timer_in_order() -> None:
    clock, log = ManualClock(start_s=100.0), []
    async with anyio.create_task_group() as group:
        for delay_s in (3.0, 1.0, 0.0, 2.0, 9.0):
            group.start_soon(passed, clock, delay_s, log)

        await clock.advance(5.0)

        assert log == [(0.0, 0.0, True), (1.0, 1.0, True), (2.0, 2.0, True), (3.0, 3.0, True)]
        assert (clock.now(), clock.monotonic()) == (105.0, 5.0)
        await clock.advance(4.0)
    assert log[-1] == (9.0, 9.0, True)
