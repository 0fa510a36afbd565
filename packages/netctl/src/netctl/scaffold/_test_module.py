"""The test of a new app, on the simulated plant of its inventory."""

import math
from collections.abc import Iterator
from typing import Any

from netctl._command import CommandSpec
from netctl._inventory import Resource
from netctl._nearest import nearest_in_range
from netctl.drivers import start_settings
from netctl.scaffold._content import AppContent
from netctl.scaffold._literal import import_line, literal
from netctl.scaffold._names import AppNames

__all__ = ["test_module"]

_MOST_CASES = 50
"""Of each command; what holds for the first nodes of many holds for the rest."""

_READING = '''\
"""The app {app} on its simulated plant."""

{imports}

{own}

APP = "{app}"
READ = {type}.read_measurements
{cases}

def test_every_node_tells_something() -> None:
    async def read() -> dict[int, dict[str, Measurement]]:
        async with simulated_controller() as controller:
            return await controller.measurements(APP)

    readings = anyio.run(read)

    assert set(readings) == set(READ)
    for metrics in readings.values():
        assert any(reading.quality == "good" for reading in metrics.values())
'''

_CONTROL = """

def send(command: str, arguments: dict[str, Any]) -> Outcome:
    async def run() -> Outcome:
        async with simulated_controller() as controller:
            return await controller.execute(APP, command, arguments)

    return anyio.run(run)


@pytest.mark.parametrize(("command", "arguments"), WITHIN)
def test_a_value_within_the_limits_is_set_and_read_back(
    command: str, arguments: dict[str, Any]
) -> None:
    outcome = send(command, arguments)

    assert outcome.status == "verified", outcome.reason
    assert outcome.read_back == pytest.approx(outcome.after)


@pytest.mark.parametrize(("command", "arguments"), BEYOND)
def test_a_value_beyond_the_limits_is_refused_with_the_nearest(
    command: str, arguments: dict[str, Any]
) -> None:
    outcome = send(command, arguments)

    assert outcome.status == "rejected"
    assert outcome.nearest is not None


@pytest.mark.parametrize("node_id", NODES)
def test_the_headroom_of_a_node_is_told_from_live_readings(node_id: int) -> None:
    async def call() -> dict[str, Any]:
        async with simulated_controller() as controller:
            await controller.set_state(APP, "running")
            reply = await controller.call_operation(APP, "headroom", {{"node_id": node_id}})
            return reply.result

    headroom = anyio.run(call)

    assert headroom
    assert all(room["down"] >= 0 and room["up"] >= 0 for room in headroom.values())
"""


def test_module(names: AppNames, content: AppContent) -> str:
    """The test: every node tells something, limits hold, what is set is read back."""
    control = bool(content.control)
    module = _READING.format(
        app=names.app,
        type=names.type,
        own=import_line(names.module, [names.type, "simulated_controller"]),
        imports=_imports(control=control),
        cases=_cases(names, content) if control else "",
    )
    return module + (_CONTROL.format() if control else "")


def _imports(*, control: bool) -> str:
    if not control:
        return "import anyio\nfrom netctl import Measurement"
    return (
        "from typing import Any\n\nimport anyio\nimport pytest\n"
        "from netctl import Measurement, Outcome"
    )


def _cases(names: AppNames, content: AppContent) -> str:
    within = [case for spec in content.commands for case in _within(content, spec)]
    beyond = [case for spec in content.commands for case in _beyond(content, spec)]
    return (
        f"NODES = sorted({names.type}.control_functions)[:10]\n"
        f"WITHIN = {literal(within, lead=9)}\n"
        f"BEYOND = {literal(beyond, lead=9)}\n"
    )


def _within(content: AppContent, spec: CommandSpec) -> Iterator[tuple[str, dict[str, Any]]]:
    starts = start_settings(content.inventory)
    for node, choice, resource in content.targets(spec)[:_MOST_CASES]:
        value = _reachable(resource, starts[node.node_id, resource.name])
        yield spec.name, {"node_id": node.node_id, **choice, spec.value_argument: value}


def _beyond(content: AppContent, spec: CommandSpec) -> Iterator[tuple[str, dict[str, Any]]]:
    for node, choice, resource in content.targets(spec)[:_MOST_CASES]:
        value = resource.max + max(1.0, math.fabs(resource.max))
        if math.isfinite(value):
            yield spec.name, {"node_id": node.node_id, **choice, spec.value_argument: value}


def _reachable(resource: Resource, start: float) -> float:
    """A value within the limits, as near to their middle as one minute's slew allows."""
    half = resource.min / 2.0 + resource.max / 2.0
    slew = math.inf if resource.slew_per_minute is None else resource.slew_per_minute
    wanted = min(max(half, start - slew), start + slew)
    value = nearest_in_range(wanted, minimum=resource.min, maximum=resource.max, step=resource.step)
    return value if abs(value - start) <= slew else start
