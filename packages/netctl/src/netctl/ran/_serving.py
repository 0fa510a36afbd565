r"""What the users of a cell get in one direction: the scheduler's steady state.

Each slice has its share of the PRBs for itself, and shares them evenly among its users; what one
does not need goes to the others of its slice. A user whose PRBs could carry $c$ and who is offered
$\rho c$ has a mean queue of $\rho / (1 - \rho)$ packets (M/M/1), and a full one where
$\rho \ge 1$.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from netctl.ran._link import Link, adapt
from netctl.ran._radio import Carrier
from netctl.ran._share import share_out

__all__ = ["BUFFER_BYTES", "PACKET_BYTES", "Request", "Service", "serve"]

PACKET_BYTES = 1500.0
BUFFER_BYTES = 3_000_000.0
"""Where a user's queue ends; what comes then is thrown away."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What one user asks for.

    Attributes:
        slice: The name of its slice.
        snr_db: The signal-to-noise ratio of its link.
        offered_mbps: What is to be carried, >= 0.
    """

    slice: str
    snr_db: float
    offered_mbps: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """What one user gets.

    Attributes:
        link: What its link carries.
        prbs: How many PRBs it has, on average.
        throughput_mbps: What arrives; never more than is offered.
        buffer_bytes: What waits to be sent, on average.
    """

    link: Link
    prbs: float
    throughput_mbps: float
    buffer_bytes: float


def serve(
    carrier: Carrier, slice_prbs: Mapping[str, float], requests: Sequence[Request]
) -> list[Service]:
    """What each user gets, in their order.

    Args:
        carrier: The carrier.
        slice_prbs: How many PRBs each slice has.
        requests: What the users ask for; each names a slice that there is.
    """
    links = [adapt(request.snr_db) for request in requests]
    rates = [carrier.prb_mbps(link) for link in links]
    needs = [
        # A user out of reach is given nothing: it could use nothing.
        request.offered_mbps / rate if rate > 0.0 else 0.0
        for request, rate in zip(requests, rates, strict=True)
    ]
    services: list[Service] = []
    for place, request in enumerate(requests):
        peers = [p for p, other in enumerate(requests) if other.slice == request.slice]
        total, own = slice_prbs[request.slice], peers.index(place)
        prbs = share_out(total, [needs[peer] for peer in peers])[own]
        most = share_out(total, [math.inf if p == place else needs[p] for p in peers])[own]
        services.append(
            Service(
                link=links[place],
                prbs=prbs,
                throughput_mbps=min(prbs * rates[place], request.offered_mbps),
                buffer_bytes=_queue_bytes(request.offered_mbps, most * rates[place]),
            )
        )
    return services


def _queue_bytes(offered_mbps: float, capacity_mbps: float) -> float:
    if offered_mbps == 0.0:
        return 0.0
    if offered_mbps >= capacity_mbps:
        return BUFFER_BYTES
    load = offered_mbps / capacity_mbps
    return min(BUFFER_BYTES, PACKET_BYTES * load / (1.0 - load))
