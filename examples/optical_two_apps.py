"""Two applications on one optical line want the same gain; the line stays safe, the loser knows.

One keeps the power at the line's end, the other one keeps its signal clean. Each has its own idea
of the last ROADM's preamp gain, and both run at the same time. The gain rests for a second after
each change, so that whoever comes second is refused, and told who came first. Then a lease gives
the preamp to one of them for a while. At the end an operator undoes a change.
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import anyio

from netctl import Controller, MeasurementsHandler, NetworkApp, Outcome, aic_app, command_validator
from netctl.apps.line import simulated_line
from netctl.arbiters import Leases, MinGap
from netctl.testing import ManualClock

NODE_ID = 8
PREAMP = "preamp_gain_db"


class GainKeeper(NetworkApp):
    """Asks for its own gain in each cycle, and remembers what became of it."""

    control_loop_update_time: ClassVar[float] = 2.0
    read_measurements: ClassVar[Mapping[int, Sequence[str | MeasurementsHandler]]] = {
        NODE_ID: [PREAMP, "output_power_dbm", "osnr_db"]
    }
    control_functions: ClassVar[Mapping[int, Sequence[str]]] = {NODE_ID: ["SET_GAIN"]}
    wanted_gain_db = 0.0

    def __init__(self) -> None:
        self.outcomes: list[Outcome] = []

    def process(self, measurements: Any) -> None:
        """Ask, whatever the gain is now."""
        del measurements
        value = {"amp_type": "preamp", "target_gain": self.wanted_gain_db}
        queued = self.add_command(("SET_GAIN", {"node_id": NODE_ID, "value": value}))
        assert queued.status == "queued"

    def on_outcome(self, outcome: Outcome) -> None:
        """Remember what became of it."""
        self.outcomes.append(outcome)

    @command_validator("SET_GAIN")
    def limit_gain(self, params: Mapping[str, Any]) -> tuple[bool, str | None]:
        """Bear no more than 25 dB."""
        gain_db = params["target_gain"]
        return (True, None) if gain_db <= 25.0 else (False, f"{gain_db} dB is more than 25.0 dB")


@aic_app(name="PowerKeeper")
class PowerKeeper(GainKeeper):
    """Wants power at the line's end."""

    aic_app_id = 1
    wanted_gain_db = 18.0


@aic_app(name="SignalKeeper")
class SignalKeeper(GainKeeper):
    """Wants a clean signal."""

    aic_app_id = 2
    wanted_gain_db = 15.0


async def main() -> None:
    """Run both, and show what the nodes and the losers were told."""
    clock = ManualClock()
    leases = Leases(clock)
    inventory, line = simulated_line()
    controller = Controller(
        inventory, line, clock=clock, arbiter=MinGap(1.0, clock), policies=[leases]
    )
    power, signal = PowerKeeper(), SignalKeeper()
    for app in (power, signal):
        controller.add(app)

    def preamp_gain_db() -> float:
        return line.state()[NODE_ID][PREAMP]

    async with controller:
        for name in ("PowerKeeper", "SignalKeeper"):
            await controller.set_state(name, "running")
        await clock.advance(7.0)
        # Four cycles of two apps: in each, one sets the gain, and the other one is told who did.
        assert [outcome.status for outcome in power.outcomes] == ["verified"] * 4
        assert [outcome.code for outcome in signal.outcomes] == ["too_soon"] * 4
        print(f"SignalKeeper: {signal.outcomes[-1].status}")
        assert "was set by SET_GAIN of app 'PowerKeeper'" in str(signal.outcomes[-1].reason)
        assert preamp_gain_db() == 18.0

        leases.take("SignalKeeper", NODE_ID, PREAMP, ttl_s=10.0, reason="measuring")
        await clock.advance(2.0)
        print(f"PowerKeeper: {power.outcomes[-1].status}, {power.outcomes[-1].reason}")
        assert power.outcomes[-1].code == "leased"
        assert preamp_gain_db() == 15.0

        # Nobody gets past the limits, neither an app's own nor the node's.
        for gain_db, code in ((30.0, "rejected_by_validator"), (500.0, "out_of_limits")):
            command = {"node_id": NODE_ID, "amp_type": "preamp", "target_gain": gain_db}
            refused = await controller.execute("SignalKeeper", "SET_GAIN", command)
            print(f"{gain_db:g} dB: {refused.status}, {refused.reason}")
            assert refused.code == code

        for name in ("PowerKeeper", "SignalKeeper"):
            await controller.set_state(name, "stopped")
        await clock.advance(10.0)
        last = next(
            change for change in await controller.changes.list() if change.outcome.before == 18.0
        )
        undone = await controller.changes.rollback(last.change_id, subject="operator")
        print(f"change {last.change_id} is undone: {undone.status}, {undone.read_back} dB")
        assert undone.status == "verified"
        assert preamp_gain_db() == 18.0
        assert controller.audit.broken_at() is None


if __name__ == "__main__":
    anyio.run(main)
