"""UDP sockets and RflySim's UDP ports, independent of the simulation."""

from pyrfly.transport.errors import OptionError, PortError
from pyrfly.transport.fleet import (
    FIRST_PORT,
    MAXIMUM_FLEET,
    FleetSockets,
    Packet,
    Sent,
    Series,
    addresses_of,
    rflysim_series,
)
from pyrfly.transport.listener import Listener
from pyrfly.transport.port_map import PortUse, check_ports, span
from pyrfly.transport.ports import RFLYSIM_PORTS, Ports
from pyrfly.transport.sockets import (
    Address,
    bound,
    is_loopback,
    is_own_address,
    join_group,
    local_address,
    resolved,
    sender,
)

__all__ = [
    "FIRST_PORT",
    "MAXIMUM_FLEET",
    "RFLYSIM_PORTS",
    "Address",
    "FleetSockets",
    "Listener",
    "OptionError",
    "Packet",
    "PortError",
    "PortUse",
    "Ports",
    "Sent",
    "Series",
    "addresses_of",
    "bound",
    "check_ports",
    "is_loopback",
    "is_own_address",
    "join_group",
    "local_address",
    "resolved",
    "rflysim_series",
    "sender",
    "span",
]
