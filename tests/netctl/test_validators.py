"""What validators answer, and what comes of it."""

from typing import Any

import pytest

from netctl import (
    Accept,
    Modify,
    Reject,
)

pytestmark = pytest.mark.anyio


APP = "NetworkApp1"


async def accept_later(_params: Any) -> Accept:
    return Accept()


async def reject_later(_params: Any) -> tuple[bool, str]:
    return False, "too bright"


@pytest.mark.parametrize(
    "answer",
    [True, (True, None), Accept(), accept_later],
    ids=["True", "(True, None)", "Accept", "async"],
)
async def test_a_validators_yes_lets_the_command_pass(
    benches: Any, answer: Any, set_gain: Any, guarded: Any
) -> None:
    bench = benches(guarded(answer))
    async with bench.controller:
        assert (await set_gain(bench.controller, 20, app="Guarded")).status == "verified"


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (Reject("too bright"), "too bright"),
        ((False, "too bright"), "too bright"),
        (reject_later, "too bright"),
        (False, "the app's validator rejects it, without a reason"),
        ((False,), "the app's validator answered (False,), which is no verdict"),
        (1, "the app's validator answered 1, which is no verdict"),
        (0, "the app's validator answered 0, which is no verdict"),
        ("yes", "the app's validator answered 'yes', which is no verdict"),
        ((True, {"target_gain": 1}), "no verdict"),
        (None, "the app's validator answered None, which is no verdict"),
        ([True, None], "the app's validator answered [True, None], which is no verdict"),
        ((1, None), "no verdict"),
        ({}, "no verdict"),
        (Reject(""), "no verdict"),
        (Modify(5.0, ""), "no verdict"),
        (RuntimeError("secret"), "the validator of 'SET_GAIN' crashed (correlation id "),
    ],
    ids=lambda value: getattr(value, "__name__", None) or repr(value),
)
async def test_any_other_answer_of_a_validator_rejects(
    benches: Any, answer: Any, reason: str, set_gain: Any, guarded: Any
) -> None:
    bench = benches(guarded(answer))
    async with bench.controller:
        outcome = await set_gain(bench.controller, 20, app="Guarded")

    assert outcome.status == "rejected"
    assert outcome.code in ("rejected_by_validator", "validator_crashed")
    assert reason in (outcome.reason or "")
    assert "secret" not in (outcome.reason or "")
    assert bench.driver.applied == []


async def test_a_crashed_validator_is_in_the_log_under_its_correlation_id(
    benches: Any, logs: Any, set_gain: Any, guarded: Any
) -> None:
    bench = benches(guarded(RuntimeError("secret")))
    async with bench.controller:
        outcome = await set_gain(bench.controller, 20, app="Guarded")

    (crash,) = [log for log in logs if log.get("exc_info")]
    assert (crash["event"], crash["request_id"]) == ("validator crashed", outcome.request_id)
    assert outcome.request_id in (outcome.reason or "")


@pytest.mark.parametrize(
    ("nearest", "told"),
    [(18.0, 18.0), ("booster", "booster"), (float("nan"), None), ([18.0], None)],
    ids=repr,
)
async def test_a_rejection_carries_the_nearest_acceptable_value_if_it_is_one(
    benches: Any, set_gain: Any, guarded: Any, nearest: Any, told: Any
) -> None:
    bench = benches(guarded(Reject("too bright", nearest=nearest)))
    async with bench.controller:
        outcome = await set_gain(bench.controller, 20, app="Guarded")

    assert (outcome.reason, outcome.nearest) == ("too bright", told)


async def test_a_validator_sees_the_nodes_defaults_and_cannot_change_the_command(
    benches: Any, set_gain: Any, guarded: Any
) -> None:
    seen: list[dict[str, Any]] = []

    def look(params: dict[str, Any]) -> Accept:
        seen.append(dict(params))
        params["target_gain"] = 1.0
        return Accept()

    bench = benches(guarded(look))
    async with bench.controller:
        outcome = await set_gain(bench.controller, 20, app="Guarded", node_id=3)

    assert seen == [{"node_id": 3, "amp_type": "line", "target_gain": 20}]
    assert outcome.after == 20.0
    assert outcome.command == {"command": "SET_GAIN", "payload": {"target_gain": 20}}


@pytest.mark.parametrize(
    "value", [18.0, {"target_gain": 18.0}, {"target_gain": 18, "node_id": 8}], ids=repr
)
async def test_a_modified_value_is_applied_and_said(
    benches: Any, value: Any, set_gain: Any, guarded: Any
) -> None:
    bench = benches(guarded(Modify(value, "kept below 18 dB")))
    async with bench.controller:
        outcome = await set_gain(bench.controller, 20, app="Guarded")

    assert (outcome.status, outcome.after) == ("verified", 18.0)
    assert outcome.reason == "kept below 18 dB"
    assert bench.gain_db() == 18.0


@pytest.mark.parametrize(
    ("value", "code"),
    [
        (40.0, "out_of_limits"),
        ("much", "invalid_arguments"),
        (float("nan"), "invalid_arguments"),
        ({"colour": 1}, "invalid_arguments"),
        ({"node_id": 3}, "rejected_by_validator"),
        ({"amp_type": "line"}, "not_settable"),
    ],
    ids=repr,
)
async def test_a_modified_command_passes_schema_and_limits_again(
    benches: Any, value: Any, code: str, set_gain: Any, guarded: Any
) -> None:
    bench = benches(guarded(Modify(value, "because")))
    async with bench.controller:
        outcome = await set_gain(bench.controller, 20, app="Guarded")

    assert (outcome.status, outcome.code) == ("rejected", code)
    assert bench.driver.applied == []
