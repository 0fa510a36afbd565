r"""How a node's output power answers a change of one of its gains, from what is measured now.

An amplifier with the saturation power $P_s$ (data sheet) that gives the output power $P$
(measured) is $a = (P/P_s) / (1 - P/P_s)$ deep in saturation. With `netctl.optics`' law, a change
of its gain by the factor $r$ changes its output by $r (1 + a) / (1 + a r)$, whatever its input
power is. Behind a loss and another such amplifier of depth $a'$ the same form holds for the node's
output, with $1 + b = (1 + a)(1 + a')$ in the place of $1 + a$. In decibels, for a gain change of
$x$ dB:

$$\Delta P = x - 10 \log_{10} \frac{1 + b\,10^{x/10}}{1 + b}.$$
"""

from dataclasses import dataclass

from netctl._inventory import AmplifierStage, Node
from netctl._measurements import Measurements
from netctl.optics import db_to_ratio, dbm_to_mw, saturation_depth

__all__ = ["PowerModel", "power_model"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerModel:
    """The local model of a node's output power against the gain of one of its amplifiers.

    Attributes:
        operating_gain_db: The gain that is set now.
        output_power_dbm: The node's output power now.
        depth: How deep the amplifier, and those behind it on the node, are in saturation: $b$.
    """

    operating_gain_db: float
    output_power_dbm: float
    depth: float

    @property
    def expression(self) -> str:
        """The change of output power in dB, as a formula in `x1`, the change of gain in dB."""
        depth = repr(self.depth)
        return f"x1 - 10*log((1 + {depth}*exp(x1*log(10)/10))/(1 + {depth}))/log(10)"


def power_model(node: Node, stage_name: str, measurements: Measurements) -> PowerModel:
    """The model of a node's output power against a stage's gain, around what is measured.

    Args:
        node: The node, with its data sheets.
        stage_name: The amplifier whose gain is to change.
        measurements: Fresh readings of the node's powers and gains.

    Raises:
        UnknownNameError: If the node has no such amplifier.
        NoDataError: If a reading is missing or stale.
        ValueError: If the measured powers contradict the data sheets.
    """
    chosen = node.stage(stage_name)
    output_power_dbm = measurements.require(node.node_id, "output_power_dbm")
    # Back through the attenuators, to the output of the last amplifier.
    lost_db = sum(
        measurements.require(node.node_id, node.resource(attenuator.resource).read_back_metric)
        for attenuator in node.attenuators
    )
    power_mw, deeper = dbm_to_mw(output_power_dbm + lost_db), 1.0
    for stage in reversed(node.stages[node.stages.index(chosen) + 1 :]):
        depth = _depth(stage, power_mw)
        deeper *= 1.0 + depth
        # Back through this stage and the loss before it, to the output of the one before.
        gain_db = measurements.require(node.node_id, node.resource(stage.resource).read_back_metric)
        loss_db = measurements.require(node.node_id, "loss_db")
        power_mw *= (1.0 + depth) / db_to_ratio(gain_db) * db_to_ratio(loss_db)
    deeper *= 1.0 + _depth(chosen, power_mw)
    metric = node.resource(chosen.resource).read_back_metric
    return PowerModel(
        operating_gain_db=measurements.require(node.node_id, metric),
        output_power_dbm=output_power_dbm,
        depth=deeper - 1.0,
    )


def _depth(stage: AmplifierStage, output_mw: float) -> float:
    return saturation_depth(output_mw=output_mw, saturation_power_dbm=stage.saturation_power_dbm)
