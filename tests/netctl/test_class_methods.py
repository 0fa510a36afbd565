"""Apps written with class methods and tuples run as they are, without sharing their state."""

from typing import Any

import pytest

from netctl import Controller, NetworkApp, agent_controlled, aic_app, command_validator

pytestmark = pytest.mark.anyio


class Counting(NetworkApp):
    count = 0

    @classmethod
    def step(cls) -> int:
        cls.count += 1
        return cls.count


@aic_app(name="Classic")
class Classic(Counting):
    aic_app_id = 1
    read_measurements = dict.fromkeys((8,), ("booster_gain_db",))
    control_functions = dict.fromkeys((8,), ("SET_GAIN",))

    @classmethod
    def process(cls, measurements: Any) -> None:  # pyright: ignore[reportIncompatibleMethodOverride] -- as apps were written
        del measurements
        gain_db = 12.0 + cls.step()
        cls.add_command(("SET_GAIN", {"node_id": 8, "value": {"target_gain": gain_db}}))  # pyright: ignore[reportCallIssue] -- the same

    @classmethod
    @command_validator("SET_GAIN")
    def limit(cls, params: dict[str, Any]) -> tuple[bool, str | None]:
        if params["target_gain"] > 14.0:
            return False, f"too much after {cls.count} cycles"
        return True, None

    @classmethod
    @agent_controlled(name="cycles", description="Count")
    def cycles(cls, arguments: Any, measurements: Any) -> int:
        del arguments, measurements
        return cls.count

    @classmethod
    def make(cls) -> "Classic":
        return cls()


async def test_class_methods_keep_their_state_in_the_instance(benches: Any) -> None:
    one, two = benches(Classic()), benches(Classic.make())
    async with one.controller, two.controller:
        await one.controller.set_state("Classic", "running")
        await one.clock.advance(2.0)
        await two.controller.set_state("Classic", "running")
        await two.clock.settle()

        assert (one.gain_db(), two.gain_db()) == (14.0, 13.0)
        controller: Controller = one.controller
        assert (await controller.call_operation("Classic", "cycles", {})).result == 3
        refused = one.controller.audit.records[-1].outcome
        assert (refused.code, refused.reason) == (
            "rejected_by_validator",
            "too much after 3 cycles",
        )
    assert Classic.count == 0
