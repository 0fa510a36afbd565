"""Whatever is done to a controller, in whatever order: the invariants hold after each step."""

from contextlib import AbstractContextManager, ExitStack
from typing import Any

import anyio
from anyio.from_thread import BlockingPortal, start_blocking_portal
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from netctl import (
    Batch,
    ChangeStateError,
    Controller,
    Inventory,
    NetworkApp,
    NotPermittedError,
    Outcome,
    Saved,
    UnknownNameError,
    aic_app,
)
from netctl.apps.line import simulated_line
from netctl.policies import NeedApproval
from netctl.testing import FaultyDriver, ManualClock

# Mostly what goes through at once, so that there is something to undo, to repeat and to stop.
GAINS = st.one_of(
    st.floats(9.0, 15.0), st.floats(9.0, 15.0), st.floats(0.0, 35.0), st.sampled_from([-1.0, 500.0])
)
SELDOM = st.sampled_from([False, False, False, True])
KEYS = st.sampled_from([None, None, None, "key"])
PEOPLE = st.sampled_from(["alice", "bob"])
NUMBERS = st.integers(0, 12)


class Notebook:
    """A store that outlives its controllers."""

    def __init__(self) -> None:
        self.changes: dict[int, Any] = {}
        self.entries: list[Any] = []
        self.states: dict[str, str] = {}
        self.read_only = False

    async def load(self) -> Saved:
        return Saved(
            changes=tuple(self.changes.values()),
            entries=tuple(self.entries),
            states=dict(self.states),
            read_only=self.read_only,
        )

    async def save(self, batch: Batch) -> None:
        await anyio.lowlevel.checkpoint()
        self.changes.update({change.change_id: change for change in batch.changes})
        self.entries.extend(batch.entries)
        self.states.update(batch.states)
        self.read_only = self.read_only if batch.read_only is None else batch.read_only


@aic_app(name="Wild")
class Wild(NetworkApp):
    aic_app_id = 1
    control_loop_update_time = 2.0
    control_functions = dict.fromkeys((8,), ("SET_GAIN",))

    def __init__(self) -> None:
        self.inside = self.overlaps = 0
        self.crashing = False

    async def process(self, measurements: Any) -> None:
        del measurements
        self.overlaps += self.inside
        self.inside += 1
        try:
            await anyio.lowlevel.checkpoint()
            if self.crashing:
                raise ValueError
            self.add_command(("SET_GAIN", {"node_id": 8, "value": {"target_gain": 13.0}}))
        finally:
            self.inside -= 1


def up_to(inventory: Inventory, max_db: float) -> Inventory:
    """The same nodes, where the gain that the app sets ends sooner or later."""
    document = inventory.model_dump(mode="json", exclude_defaults=True)
    for node in document["nodes"]:
        for resource in node["resources"]:
            if (node["node_id"], resource["name"]) == (8, "booster_gain_db"):
                resource["max"] = max_db
    return Inventory.model_validate(document)


class Network(RuleBasedStateMachine):
    """A controller whose process starts anew, with an app that crashes and nodes that fail."""

    portal: BlockingPortal
    controller: Controller
    app: Wild

    def __init__(self) -> None:
        super().__init__()
        self.stack = ExitStack()
        self.running: AbstractContextManager[Any] | None = None
        self.clock, self.store = ManualClock(), Notebook()
        self.inventory, self.line = simulated_line()
        self.now = self.inventory
        self.driver = FaultyDriver(self.line)

    @initialize()
    def begin(self) -> None:
        self.portal = self.stack.enter_context(start_blocking_portal())
        self._enter()

    def _enter(self) -> None:
        self.app = Wild()
        self.controller = Controller(
            self.now,
            self.driver,
            clock=self.clock,
            store=self.store,
            restore_states=True,
            poll_period_s=1000.0,
            policies=[NeedApproval(above=5.0, expires_after_s=30.0)],
        )
        self.controller.add(self.app)
        self.running = self.portal.wrap_async_context_manager(self.controller)
        self.running.__enter__()

    def _leave(self) -> None:
        if self.running is not None:
            self.running.__exit__(None, None, None)
        assert self.app.overlaps == 0

    def teardown(self) -> None:
        self._leave()
        self.stack.close()

    def _decide(self, what: Any, change_id: int, subject: str) -> None:
        sent = len(self.driver.applied)

        async def decide() -> Outcome:
            return await what(change_id, subject=subject)

        try:
            self._check(self.portal.call(decide), sent)
        except (ChangeStateError, UnknownNameError, NotPermittedError):
            assert len(self.driver.applied) == sent

    def _check(self, outcome: Outcome, sent: int) -> None:
        if outcome.status in ("rejected", "planned", "pending_approval"):
            assert len(self.driver.applied) == sent
        if outcome.status == "verified":
            assert outcome.read_back == outcome.after

    @rule(state=st.sampled_from(["running", "paused", "stopped"]))
    def set_state(self, state: str) -> None:
        self.portal.call(self.controller.set_state, "Wild", state)
        assert self.controller.status("Wild").state == state

    @rule(gain_db=GAINS, subject=PEOPLE, dry_run=SELDOM, key=KEYS)
    def command(self, gain_db: float, subject: str, dry_run: Any, key: str | None) -> None:
        # A loop that runs may send in the same moment, so only a resting one is counted.
        resting = self.controller.status("Wild").state != "running"
        sent = len(self.driver.applied)

        async def send() -> Outcome:
            return await self.controller.execute(
                "Wild",
                "SET_GAIN",
                {"node_id": 8, "target_gain": gain_db},
                subject=subject,
                dry_run=dry_run,
                idempotency_key=key,
            )

        outcome = self.portal.call(send)
        if resting:
            self._check(outcome, sent)
        if key is None and outcome.status == "verified":
            assert gain_db <= self._limit_db()
        if resting and self.controller.read_only:
            assert len(self.driver.applied) == sent

    @rule(change_id=NUMBERS, subject=PEOPLE)
    def approve(self, change_id: int, subject: str) -> None:
        self.set_state("paused")
        self._decide(self.controller.changes.approve, change_id, subject)

    @rule(change_id=NUMBERS, subject=PEOPLE)
    def reject(self, change_id: int, subject: str) -> None:
        self.set_state("paused")
        self._decide(self.controller.changes.reject, change_id, subject)

    @rule(change_id=NUMBERS, subject=PEOPLE)
    def rollback(self, change_id: int, subject: str) -> None:
        self.set_state("paused")
        self._decide(self.controller.changes.rollback, change_id, subject)

    @rule(on=st.booleans())
    def switch(self, on: Any) -> None:
        self.portal.call(self.controller.set_read_only, on)

    @rule(crashing=st.booleans())
    def crash(self, crashing: Any) -> None:
        self.app.crashing = crashing

    @rule(
        fault=st.sampled_from([None, "unreachable", "crash", "refuse", "ignore"]),
        of_reads=st.booleans(),
    )
    def fail(self, fault: Any, of_reads: Any) -> None:
        self.driver.read_fault = fault if of_reads else None
        self.driver.apply_fault = None if of_reads else fault

    @rule(seconds=st.sampled_from([0.5, 2.0, 31.0]))
    def wait(self, seconds: float) -> None:
        self.portal.call(self.clock.advance, seconds)

    def _limit_db(self) -> float:
        return self.controller.inventory.node(8).resource("booster_gain_db").max

    @rule(max_db=st.sampled_from([12.0, 14.0, 35.0]))
    def reload(self, max_db: float) -> None:
        state, entries = self.controller.status("Wild").state, len(self.store.entries)
        self.now = up_to(self.inventory, max_db)
        report = self.portal.call(self.controller.reload, self.now)
        assert self.controller.inventory == self.now
        assert self._limit_db() == max_db
        assert self.controller.status("Wild").state == state
        assert self.app.inventory is self.controller.inventory
        if report.nodes_changed:
            assert "reload" in {entry.kind for entry in self.store.entries[entries:]}

    @rule()
    def restart(self) -> None:
        state, switch = self.store.states.get("Wild", "stopped"), self.store.read_only
        self._leave()
        self._enter()
        self.portal.call(self.clock.settle)
        assert self.controller.status("Wild").state == state
        assert self.controller.read_only is switch

    @invariant()
    def what_is_set_is_within_the_limits(self) -> None:
        for node in self.inventory.nodes:
            for resource in node.resources:
                value = self.line.state()[node.node_id][resource.read_back_metric]
                assert resource.min <= value <= resource.max

    @invariant()
    def the_books_are_in_order(self) -> None:
        if self.running is not None:
            assert self.controller.audit.broken_at() is None
            assert list(self.store.changes) == list(range(1, len(self.store.changes) + 1))


Network.TestCase.settings = settings(
    max_examples=max(20, settings.default.max_examples // 4) if settings.default else 20,
    stateful_step_count=40,
    deadline=None,
)


class TestNetwork(Network.TestCase):
    """The machine as a test."""
