"""What there is to control: nodes, their resources with limits, the links between them."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, model_validator

from netctl._errors import UnknownNameError

__all__ = [
    "AmplifierStage",
    "Attenuator",
    "Cell",
    "Inventory",
    "Link",
    "Node",
    "NodeKind",
    "Resource",
    "Slice",
    "StageName",
]

NodeKind = Literal["amplifier", "roadm", "gnb"]
StageName = Literal["line", "preamp", "booster"]
_Name = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_-]{0,63}$")]
_Finite = Annotated[float, Field(allow_inf_nan=False)]
_NodeId = Annotated[int, Field(ge=0, strict=True)]


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Resource(_Frozen):
    """One thing on a node that can be set, and how far."""

    name: _Name = Field(description="What the driver calls it.")
    aliases: tuple[_Name, ...] = Field(
        default=(), description="Other names that handlers of commands use for it."
    )
    unit: str = Field(description="Unit of its value, of min, max, step and tolerance.")
    min: _Finite
    max: _Finite
    step: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = Field(
        default=None, description="Values are min plus a whole number of steps; None: any value."
    )
    slew_per_minute: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = Field(
        default=None, description="How far it may be moved in a minute; None: as far as it goes."
    )
    read_only: bool = False
    metric: _Name | None = Field(
        default=None, description="The metric that reads it back; None: the resource's name."
    )
    tolerance: Annotated[float, Field(ge=0, allow_inf_nan=False)] = Field(
        default=0.01, description="How far a read-back may lie from what was set."
    )

    @property
    def read_back_metric(self) -> str:
        """The metric that tells what the resource is set to."""
        return self.metric or self.name

    @model_validator(mode="after")
    def _check_range(self) -> "Resource":
        if self.min > self.max:
            raise ValueError(f"min {self.min!r} of {self.name!r} is above its max {self.max!r}")
        return self


class AmplifierStage(_Frozen):
    """The data sheet of one amplifier on a node."""

    stage: StageName
    resource: _Name = Field(description="The resource that holds its target gain, in dB.")
    saturation_power_dbm: _Finite = Field(description="The output power that it approaches.")
    noise_figure_db: _Finite
    tilt_resource: _Name | None = Field(
        default=None, description="The resource that holds its tilt, in dB; None: it has none."
    )


class Attenuator(_Frozen):
    """A variable optical attenuator (VOA) at a node's output."""

    resource: _Name = Field(description="The resource that holds its attenuation, in dB.")
    channel: Annotated[int, Field(ge=1, strict=True)] | None = Field(
        default=None, description="The channel that it attenuates; None: all of them."
    )


class Slice(_Frozen):
    """A share of a cell's resources that some of its users have for themselves."""

    name: _Name = Field(description="What it is called in metrics, as in `embb`.")
    resource: _Name = Field(description="The resource that holds its share of the PRBs, in %.")


class Cell(_Frozen):
    """The data sheet of a base station's cell; both directions have a carrier of this size."""

    frequency_ghz: Annotated[float, Field(ge=0.5, le=100)]
    prbs: Annotated[int, Field(ge=1, le=275, strict=True)] = Field(
        description="How many physical resource blocks its carrier has."
    )
    subcarrier_khz: Literal[15, 30, 60, 120] = 15
    power_resource: _Name = Field(description="The resource that holds its power, in dBm.")
    slices: Annotated[tuple[Slice, ...], Field(min_length=1)]
    antenna_gain_db: _Finite = Field(default=0.0, description="Gain of both antennas together.")
    noise_figure_db: Annotated[float, Field(ge=0, allow_inf_nan=False)] = Field(
        default=7.0, description="Noise figure of its users' receivers."
    )
    receiver_noise_figure_db: Annotated[float, Field(ge=0, allow_inf_nan=False)] = Field(
        default=5.0, description="Noise figure of its own receiver."
    )


class Node(_Frozen):
    """One piece of equipment."""

    node_id: _NodeId
    name: str
    kind: NodeKind
    resources: tuple[Resource, ...] = ()
    metrics: tuple[_Name, ...] = Field(
        default=(), description="What it measures, each with its unit in its name."
    )
    stages: tuple[AmplifierStage, ...] = Field(
        default=(), description="Its amplifiers, in the order in which light passes them."
    )
    attenuators: tuple[Attenuator, ...] = Field(
        default=(), description="Its variable attenuators, behind its last amplifier."
    )
    cell: Cell | None = Field(
        default=None, description="Its radio, if it is a base station of a mobile network."
    )
    insertion_loss_db: Annotated[float, Field(ge=0, allow_inf_nan=False)] = Field(
        default=0.0, description="Loss between its preamp (or input) and its booster (or output)."
    )
    defaults: Mapping[str, str] = Field(
        default_factory=dict[str, str],
        description="What a command's argument means on this node when it is left out.",
    )

    def resource(self, name: str) -> Resource:
        """The resource of that name.

        Raises:
            UnknownNameError: If the node has none of that name.
        """
        for resource in self.resources:
            if resource.name == name:
                return resource
        names = [resource.name for resource in self.resources]
        raise UnknownNameError(
            f"node {self.node_id} has no resource {name!r}", hint=f"it has {names!r}"
        )

    def stage(self, name: str) -> AmplifierStage:
        """The amplifier stage of that name.

        Raises:
            UnknownNameError: If the node has none of that name.
        """
        for stage in self.stages:
            if stage.stage == name:
                return stage
        names = [stage.stage for stage in self.stages]
        raise UnknownNameError(
            f"node {self.node_id} has no {name} amplifier", hint=f"it has {names!r}"
        )

    @model_validator(mode="after")
    def _check_names(self) -> "Node":
        names = [resource.name for resource in self.resources]
        aliases = [alias for resource in self.resources for alias in resource.aliases]
        if repeated := _repeated([*names, *aliases]):
            raise ValueError(f"node {self.node_id} has two resources {repeated!r}")
        if repeated := _repeated([stage.stage for stage in self.stages]):
            raise ValueError(f"node {self.node_id} has two stages {repeated!r}")
        named = [(f"the {stage.stage} stage", stage.resource) for stage in self.stages]
        named += [
            (f"the {stage.stage} stage", stage.tilt_resource)
            for stage in self.stages
            if stage.tilt_resource is not None
        ]
        named += [("an attenuator", attenuator.resource) for attenuator in self.attenuators]
        if self.cell is not None:
            named.append(("the cell", self.cell.power_resource))
            named += [(f"the slice {part.name}", part.resource) for part in self.cell.slices]
            if repeated := _repeated([part.name for part in self.cell.slices]):
                raise ValueError(f"node {self.node_id} has two slices {repeated!r}")
        for what, resource in named:
            if resource not in names:
                raise ValueError(
                    f"{what} of node {self.node_id} names the resource {resource!r}, "
                    "which the node does not have"
                )
        for resource in self.resources:
            if resource.read_back_metric not in self.metrics:
                raise ValueError(
                    f"node {self.node_id} cannot read back {resource.name!r}: "
                    f"{resource.read_back_metric!r} is not among its metrics"
                )
        return self


class Link(_Frozen):
    """A fibre from one node to the next."""

    source: _NodeId
    target: _NodeId
    loss_db: Annotated[float, Field(ge=0, allow_inf_nan=False)]
    length_km: Annotated[float, Field(ge=0, allow_inf_nan=False)] = Field(
        default=0.0, description="Length of its fibre, for what is not linear in it; 0: nothing is."
    )


class Inventory(_Frozen):
    """Everything that a controller may touch."""

    nodes: tuple[Node, ...]
    links: tuple[Link, ...] = ()
    _by_id: dict[int, Node] = PrivateAttr(default_factory=dict[int, Node])

    def node(self, node_id: int) -> Node:
        """The node of that id.

        Raises:
            UnknownNameError: If there is none; the ids that exist are in the hint.
        """
        node = self._by_id.get(node_id)
        if node is None:
            raise UnknownNameError(
                f"there is no node {node_id!r}", hint=f"known nodes: {_some(self.node_ids)}"
            )
        return node

    @property
    def node_ids(self) -> tuple[int, ...]:
        """The ids of all nodes, in ascending order."""
        return tuple(sorted(self._by_id))

    def model_post_init(self, context: Any, /) -> None:
        """Index the nodes."""
        del context
        self._by_id.update((node.node_id, node) for node in self.nodes)

    @model_validator(mode="after")
    def _check_references(self) -> "Inventory":
        if repeated := _repeated([node.node_id for node in self.nodes]):
            raise ValueError(f"two nodes have the id {repeated!r}")
        for link in self.links:
            for end in (link.source, link.target):
                if end not in self._by_id:
                    raise ValueError(f"the link {link.source} to {link.target} lacks node {end}")
        return self


def _repeated(names: list[Any]) -> Any:
    seen: set[Any] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None


def _some(ids: tuple[int, ...], limit: int = 20) -> str:
    shown = ", ".join(str(node_id) for node_id in ids[:limit])
    return shown if len(ids) <= limit else f"{shown} and {len(ids) - limit} more"
