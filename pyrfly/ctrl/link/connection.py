"""Where a vehicle is, and which link its controller gets: `world_of`, `connect`, `remote_link`."""

from __future__ import annotations

import errno
import socket
import time
from typing import NamedTuple

from pyrfly.ctrl import background
from pyrfly.ctrl.background import World
from pyrfly.ctrl.link.com import Com, Kind
from pyrfly.ctrl.link.in_process import InProcessLink
from pyrfly.ctrl.link.mavlink import MavlinkLink
from pyrfly.ctrl.link.mavlink_transports import DirectTransport
from pyrfly.ctrl.link.protocols import Link
from pyrfly.ctrl.link.serial_transport import SerialTransport
from pyrfly.ctrl.link.simulator_mavlink import SimulatorMavlinkLink
from pyrfly.ctrl.link.udp import UDP_FULL, UDP_SIMPLE, UdpLink
from pyrfly.errors import UnsupportedError
from pyrfly.sim import Sim
from pyrfly.transport import is_loopback

__all__ = ["Connection", "Place", "connect", "remote_link", "world_of"]

PROBE_TIME = 0.02  # s between two probes whether a port is taken

UDP_MODES, MAVLINK_MODES = (UDP_FULL, UDP_SIMPLE), (2, 3, 4, 5, 6)


class Place(NamedTuple):
    """Where a vehicle is that is not in this process.

    Attributes
    ----------
    com : Com
        How it is reached.
    ip : str
        Address of its simulator, or its own; not of a serial port.
    port : int
        Its UDP port.
    copter_id : int
        Its CopterID.
    """

    com: Com
    ip: str
    port: int
    copter_id: int


class Connection(NamedTuple):
    """A link, and where the vehicle is.

    Attributes
    ----------
    link : Link
        The link.
    sim : Sim or None
        The simulation that the vehicle is in, if it is in this process.
    world : World or None
        The background simulations that it belongs to.
    """

    link: Link
    sim: Sim | None = None
    world: World | None = None


def connect(sim: Sim | None, place: Place) -> Connection:
    """Return the link to a vehicle.

    In ``sim``; at the end of a serial port or a direct link; without these in a selected `World`;
    behind RflySim's UDP ports, where ``ip`` is another machine or a program has the vehicle's port
    here; or else in the background simulation of this process.
    """
    if sim is not None:
        return Connection(InProcessLink(sim, [place.copter_id]), sim)
    if place.com.kind is not Kind.UDP:
        return Connection(_mavlink_link(place))
    world = world_of(place.ip, place.port)
    if world is None:
        return Connection(UdpLink(place.ip, place.port, place.copter_id))
    found = world.vehicle(place.copter_id)
    return Connection(InProcessLink(found, [1], world.lock, world.find), found, world)


def remote_link(place: Place, mode: int, before: Link) -> Link:
    """Return the link to a vehicle of a simulator or a real one for RflySim's number of a mode.

    Parameters
    ----------
    place : Place
        Where the vehicle is.
    mode : int
        UDPMode.
    before : Link
        The link so far, which is returned where it has that mode.

    Raises
    ------
    UnsupportedError
        There is no such mode on that kind of link.
    MissingExtraError
        It needs a library that is not installed.
    """
    is_udp = place.com.kind is Kind.UDP
    if mode not in (*(UDP_MODES if is_udp else ()), *MAVLINK_MODES):
        expected = "0 (UDP_Full), 1 (UDP_Simple) and " if is_udp else ""
        raise UnsupportedError(
            f"UDPMode: by Com={place.com.kind.value!r} there are {expected}2 to 6 (MAVLink), got "
            f"{mode}; the Redis modes do not exist here"
        )
    wanted = UdpLink if mode in UDP_MODES else MavlinkLink
    if isinstance(before, wanted):
        return before
    link: Link
    if mode in UDP_MODES:
        link = UdpLink(place.ip, place.port, place.copter_id)
    else:
        link = _mavlink_link(place)
    frame = before.origin
    link.set_origin((frame.lat, frame.lon, frame.alt))
    return link


def _mavlink_link(place: Place) -> MavlinkLink:
    com, ip, port, copter_id = place
    if com.kind is Kind.UDP:
        return SimulatorMavlinkLink(ip, port, copter_id)
    if com.kind is Kind.SERIAL:
        return MavlinkLink(SerialTransport(com.device, com.number), copter_id, com.device)
    return MavlinkLink(DirectTransport(ip, port), copter_id, f"{ip}:{port}")


def world_of(ip: str, port: int) -> World | None:
    """Return the simulations of this process with the vehicle of a UDP port, None: it is elsewhere.

    A selected `World` precedes; else a vehicle of another machine, or whose port some program has
    here, is not in this process.
    """
    world = background.chosen()
    if world is None and is_loopback(ip) and not _is_taken(port):
        world = background.real_time()
    return world


def _is_taken(port: int) -> bool:
    """Return whether some program listens on a UDP port of this machine."""
    if not _is_bound(port):
        return False
    time.sleep(PROBE_TIME)  # it may have been the probe of a program that began just now
    return _is_bound(port)


def _is_bound(port: int) -> bool:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as error:
            return error.errno == errno.EADDRINUSE
    return False
