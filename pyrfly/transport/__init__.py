"""UDP sockets and RflySim's UDP ports, independent of the simulation."""

from pyrfly.transport.fan_out import FanOut
from pyrfly.transport.fleet import (
    FIRST_PORT,
    MAXIMUM_FLEET,
    FleetSockets,
    Further,
    Packet,
    Sent,
    Series,
    rflysim_series,
)
from pyrfly.transport.groups import GROUP, group_listener, group_sender
from pyrfly.transport.listener import Listener
from pyrfly.transport.port_map import PortUse, check_ports, span
from pyrfly.transport.ports import RFLYSIM_PORTS, OptionError, PortError, Ports, is_port
from pyrfly.transport.senders import THIS_MACHINE, Senders, addresses_of, without_key
from pyrfly.transport.shared_ports import Datagram, SharedPorts
from pyrfly.transport.sockets import (
    Address,
    bound,
    is_loopback,
    is_own_address,
    join_group,
    local_address,
    resolved,
    sender,
    wake,
)

__all__ = [
    "FIRST_PORT",
    "GROUP",
    "MAXIMUM_FLEET",
    "RFLYSIM_PORTS",
    "THIS_MACHINE",
    "Address",
    "Datagram",
    "FanOut",
    "FleetSockets",
    "Further",
    "Listener",
    "OptionError",
    "Packet",
    "PortError",
    "PortUse",
    "Ports",
    "Senders",
    "Sent",
    "Series",
    "SharedPorts",
    "addresses_of",
    "bound",
    "check_ports",
    "group_listener",
    "group_sender",
    "is_loopback",
    "is_own_address",
    "is_port",
    "join_group",
    "local_address",
    "resolved",
    "rflysim_series",
    "sender",
    "span",
    "wake",
    "without_key",
]
