"""UDP sockets and RflySim's UDP ports, independent of the simulation."""

from pyrfly.transport.errors import OptionError, PortError
from pyrfly.transport.fleet import FIRST_PORT, MAXIMUM_FLEET, Packet, UdpLink, addresses_of
from pyrfly.transport.listener import Listener
from pyrfly.transport.ports import RFLYSIM_PORTS, Ports
from pyrfly.transport.sockets import (
    Address,
    bound,
    is_loopback,
    join_group,
    local_address,
    sender,
)

__all__ = [
    "FIRST_PORT",
    "MAXIMUM_FLEET",
    "RFLYSIM_PORTS",
    "Address",
    "Listener",
    "OptionError",
    "Packet",
    "PortError",
    "Ports",
    "UdpLink",
    "addresses_of",
    "bound",
    "is_loopback",
    "join_group",
    "local_address",
    "sender",
]
