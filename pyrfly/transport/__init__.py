"""UDP sockets and RflySim's UDP ports, independent of the simulation."""

from pyrfly.transport.errors import OptionError, PortError
from pyrfly.transport.fleet import FIRST_PORT, MAXIMUM_FLEET, Packet, UdpLink, addresses_of
from pyrfly.transport.groups import GROUP, group_listener, group_sender
from pyrfly.transport.listener import Listener
from pyrfly.transport.ports import MAXIMUM_PORT, RFLYSIM_PORTS, Ports
from pyrfly.transport.shared_ports import Datagram, SharedPorts
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
    "GROUP",
    "MAXIMUM_FLEET",
    "MAXIMUM_PORT",
    "RFLYSIM_PORTS",
    "Address",
    "Datagram",
    "Listener",
    "OptionError",
    "Packet",
    "PortError",
    "Ports",
    "SharedPorts",
    "UdpLink",
    "addresses_of",
    "bound",
    "group_listener",
    "group_sender",
    "is_loopback",
    "join_group",
    "local_address",
    "sender",
]
