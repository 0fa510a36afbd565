"""The story of `tercet demo`, and that its verdict is earned."""

from dataclasses import replace

import pytest
from rich.console import Console

from gateway._demo import run_demo
from gateway._report import PowerReport, check_report

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("wanted_dbm", [4.0, 0.0, 6.0])
async def test_the_line_is_brought_to_the_wanted_power_and_the_report_is_true(
    wanted_dbm: float,
) -> None:
    console = Console(record=True, width=160)
    assert await run_demo(wanted_dbm, console) == 0
    told = console.export_text()
    for step in (
        "NetworkApp1_set_state",
        "NetworkApp1_get_measurements",
        "REJECTED: target_gain 30.0 dB exceeds maximum of 25.0 dB",
        "create_taylor_map",
        "invert_taylor_map",
        "evaluate_taylor_map",
        '"dry_run": true',
        '"planned"',
        '"verified"',
        "submit_report",
        "Every figure of the report is true.",
    ):
        assert step in told


async def test_a_power_that_cannot_be_reached_is_no_success() -> None:
    console = Console(record=True, width=160)
    assert await run_demo(20.0, console) == 1
    told = console.export_text()
    assert "The agent did not finish" in told
    assert "Every figure of the report is true" not in told


REPORT = PowerReport(
    node_id=8,
    wanted_dbm=4.0,
    power_before_dbm=2.0,
    gain_before_db=12.0,
    refused_gain_db=30.0,
    refusal="too much",
    gain_set_db=15.0,
    power_after_dbm=4.0,
)
BEFORE = {8: {"output_power_dbm": 2.0, "booster_gain_db": 12.0}, 3: {}}
AFTER = {8: {"output_power_dbm": 4.0, "booster_gain_db": 15.0}, 3: {}}


@pytest.mark.parametrize(
    ("lie", "figure"),
    [
        ({"node_id": 3}, "the line's end is node"),
        ({"power_before_dbm": 2.1}, "power before (dBm)"),
        ({"gain_before_db": 12.1}, "booster gain before (dB)"),
        ({"gain_set_db": 15.1}, "booster gain set (dB)"),
        ({"power_after_dbm": 4.01}, "power after (dBm)"),
        ({"wanted_dbm": 4.1}, "wanted power (dBm)"),
    ],
)
async def test_a_figure_that_is_not_true_is_found(lie: dict[str, float], figure: str) -> None:
    report = REPORT.model_copy(update=lie)
    checks = check_report(report, wanted_dbm=4.0, before=BEFORE, after=AFTER, audited=[])
    wrong = {check.name for check in checks if not check.holds}
    # Nothing was refused here, so those two claims are never true.
    assert wrong == {figure, "refused gain (dB)", "refused because"}


async def test_a_true_report_of_a_wrong_power_is_no_success() -> None:
    off = {8: {**AFTER[8], "output_power_dbm": 4.06}, 3: {}}
    report = REPORT.model_copy(update={"power_after_dbm": 4.06})
    checks = check_report(report, wanted_dbm=4.0, before=BEFORE, after=off, audited=[])
    wanted = {check.name: check for check in checks}["power is the wanted one (dBm)"]
    assert not wanted.holds
    assert replace(wanted, claimed=4.04).holds
