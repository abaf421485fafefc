"""Where a vehicle is, and which link its controller gets: `world_of`, `connect`."""

from __future__ import annotations

import errno
import socket
import time
from typing import NamedTuple

from pyrfly.ctrl import background
from pyrfly.ctrl.background import World
from pyrfly.ctrl.link.in_process import InProcessLink
from pyrfly.ctrl.link.protocols import Link
from pyrfly.ctrl.link.udp import UdpLink
from pyrfly.sim import Sim
from pyrfly.transport import is_loopback

__all__ = ["Connection", "connect", "world_of"]

PROBE_TIME = 0.02  # s between two probes whether a port is taken


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


def connect(sim: Sim | None, ip: str, port: int, copter_id: int) -> Connection:
    """Return the link to a vehicle.

    In ``sim``; without one in a selected `World`; behind RflySim's UDP ports, where ``ip`` is
    another machine or a program has the vehicle's port here; or else in the background simulation
    of this process.
    """
    if sim is not None:
        return Connection(InProcessLink(sim, [copter_id]), sim)
    world = world_of(ip, port)
    if world is None:
        return Connection(UdpLink(ip, port, copter_id))
    found = world.vehicle(copter_id)
    return Connection(InProcessLink(found, [1], world.lock, world.find), found, world)


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
