"""The radio of one cell of a mobile network, as plain functions of plain values."""

from netctl.ran._link import (
    CQI_EFFICIENCIES,
    GAP_DB,
    MCS_EFFICIENCIES,
    Link,
    adapt,
    threshold_db,
)
from netctl.ran._path_loss import path_loss_db
from netctl.ran._radio import Carrier
from netctl.ran._serving import BUFFER_BYTES, PACKET_BYTES, Request, Service, serve
from netctl.ran._share import share_out
from netctl.ran._users import User, place_users

__all__ = [
    "BUFFER_BYTES",
    "CQI_EFFICIENCIES",
    "GAP_DB",
    "MCS_EFFICIENCIES",
    "PACKET_BYTES",
    "Carrier",
    "Link",
    "Request",
    "Service",
    "User",
    "adapt",
    "path_loss_db",
    "place_users",
    "serve",
    "share_out",
    "threshold_db",
]
