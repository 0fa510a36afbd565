"""What a simulated cell measures: of itself, its slices and its users, each by its name."""

from collections.abc import Iterator, Mapping, Sequence

from netctl._inventory import Cell, Node
from netctl.ran import Carrier, Request, Service, User, path_loss_db, serve

__all__ = ["measure_cell"]

_USER_POWER_DBM = 23.0
"""What a user sends with (TS 38.101-1, power class 3), spread over the whole band."""


def measure_cell(
    node: Node, cell: Cell, settings: Mapping[str, float], users: Sequence[User]
) -> dict[str, float]:
    """Every metric that the node declares and its cell can tell, by name.

    What there is not, as the MCS of a user out of reach, is left out.
    """
    carrier = Carrier(
        frequency_ghz=cell.frequency_ghz, prbs=cell.prbs, subcarrier_khz=cell.subcarrier_khz
    )
    slice_prbs = {part.name: carrier.prbs * settings[part.resource] / 100.0 for part in cell.slices}
    down_dbm = settings[cell.power_resource] - carrier.noise_dbm(cell.noise_figure_db)
    up_dbm = _USER_POWER_DBM - carrier.noise_dbm(cell.receiver_noise_figure_db)
    losses_db = [_loss_db(cell, user) for user in users]
    down = [
        Request(slice=user.slice, snr_db=down_dbm - loss_db, offered_mbps=user.offered_dl_mbps)
        for user, loss_db in zip(users, losses_db, strict=True)
    ]
    up = [
        Request(slice=user.slice, snr_db=up_dbm - loss_db, offered_mbps=user.offered_ul_mbps)
        for user, loss_db in zip(users, losses_db, strict=True)
    ]
    served_down, served_up = serve(carrier, slice_prbs, down), serve(carrier, slice_prbs, up)
    told = {resource.read_back_metric: settings[resource.name] for resource in node.resources}
    told["prb_use_percent"] = 100.0 * sum(s.prbs for s in served_down) / carrier.prbs
    for part in cell.slices:
        told[f"{part.name}_dl_throughput_mbps"] = sum(
            service.throughput_mbps
            for user, service in zip(users, served_down, strict=True)
            if user.slice == part.name
        )
    for place, user in enumerate(users):
        of_user = _of_user(
            user,
            losses_db[place],
            down=(down[place], served_down[place]),
            up=(up[place], served_up[place]),
        )
        told |= {f"ue_{user.number}_{name}": value for name, value in of_user}
    return {metric: told[metric] for metric in node.metrics if metric in told}


def _loss_db(cell: Cell, user: User) -> float:
    way_db = path_loss_db(distance_m=user.distance_m, carrier_ghz=cell.frequency_ghz)
    return way_db + user.shadowing_db - cell.antenna_gain_db


def _of_user(
    user: User, loss_db: float, *, down: tuple[Request, Service], up: tuple[Request, Service]
) -> Iterator[tuple[str, float]]:
    (down_request, got), (up_request, gave) = down, up
    yield "rnti", float(user.rnti)
    yield "coupling_loss_db", loss_db
    yield "snr_db", down_request.snr_db
    yield "ul_snr_db", up_request.snr_db
    yield "cqi", float(got.link.cqi)
    if got.link.mcs is not None and got.link.bler_ratio is not None:
        yield "mcs", float(got.link.mcs)
        yield "bler_ratio", got.link.bler_ratio
    yield "dl_prbs", got.prbs
    yield "dl_throughput_mbps", got.throughput_mbps
    yield "dl_buffer_bytes", got.buffer_bytes
    yield "ul_throughput_mbps", gave.throughput_mbps
    yield "ul_buffer_bytes", gave.buffer_bytes
