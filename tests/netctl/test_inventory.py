"""Inventories that contradict themselves are refused, with what is wrong."""

from typing import Any

import pytest
from pydantic import ValidationError

from netctl import Inventory, UnknownNameError
from netctl.apps.line import line_inventory


def node(node_id: int = 1, **more: Any) -> dict[str, Any]:
    gain = {"name": "gain_db", "unit": "dB", "min": 0, "max": 30}
    return {
        "node_id": node_id,
        "name": "amplifier",
        "kind": "amplifier",
        "resources": [gain],
        "metrics": ["gain_db"],
        **more,
    }


def stage(name: str = "line", resource: str = "gain_db") -> dict[str, Any]:
    return {
        "stage": name,
        "resource": resource,
        "saturation_power_dbm": 17,
        "noise_figure_db": 5,
    }


def gain(**more: Any) -> dict[str, Any]:
    return {"name": "gain_db", "unit": "dB", "min": 0, "max": 30, **more}


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        ({"nodes": [node(), node()]}, "two nodes have the id 1"),
        (
            {"nodes": [node()], "links": [{"source": 1, "target": 2, "loss_db": 1}]},
            "the link 1 to 2 lacks node 2",
        ),
        ({"nodes": [node(resources=[gain(), gain()])]}, "two resources 'gain_db'"),
        ({"nodes": [node(stages=[stage(), stage()])]}, "two stages 'line'"),
        ({"nodes": [node(stages=[stage(resource="gain")])]}, "the resource 'gain'"),
        ({"nodes": [node(metrics=[])]}, "cannot read back 'gain_db'"),
        ({"nodes": [node(resources=[gain(min=31)])]}, r"min 31.0 of 'gain_db' is above its max"),
        ({"nodes": [node(resources=[gain(max=float("inf"))])]}, "finite"),
        ({"nodes": [node(resources=[gain(step=0)])]}, "greater than 0"),
        ({"nodes": [node(node_id=True)]}, "valid integer"),
        ({"nodes": [node(colour="red")]}, "not permitted"),
    ],
)
def test_a_contradiction_is_refused_with_its_words(data: dict[str, Any], fault: str) -> None:
    with pytest.raises(ValidationError, match=fault):
        Inventory.model_validate(data)


def test_unknown_names_are_answered_with_the_known_ones() -> None:
    inventory = line_inventory()

    with pytest.raises(UnknownNameError, match="no node 30") as nodes:
        inventory.node(30)
    with pytest.raises(UnknownNameError, match="no resource 'gain'") as resources:
        inventory.node(3).resource("gain")
    with pytest.raises(UnknownNameError, match="no booster amplifier") as stages:
        inventory.node(3).stage("booster")

    assert nodes.value.hint == "known nodes: 3, 4, 5, 6, 7, 8"
    assert resources.value.hint == "it has ['gain_db', 'tilt_db']"
    assert stages.value.hint == "it has ['line']"


def test_a_large_inventory_names_only_some_of_its_nodes() -> None:
    inventory = Inventory.model_validate({"nodes": [node(number) for number in range(100)]})

    with pytest.raises(UnknownNameError) as caught:
        inventory.node(100)

    assert caught.value.hint is not None
    assert caught.value.hint.endswith("19 and 80 more")


def test_a_resource_may_be_read_back_through_another_metric() -> None:
    data = node(resources=[gain(metric="actual_gain_db")], metrics=["actual_gain_db"])

    inventory = Inventory.model_validate({"nodes": [data]})

    assert inventory.node(1).resource("gain_db").read_back_metric == "actual_gain_db"
