"""RflySim's UDP port numbers, and that of pages; exceptions of ports and options."""

from __future__ import annotations

import operator
from typing import NamedTuple

from pyrfly.errors import Error, brief

__all__ = [
    "MAXIMUM_PORT",
    "PAGE_PORT",
    "RFLYSIM_PORTS",
    "OptionError",
    "PortError",
    "Ports",
    "is_port",
    "require_whole",
]

MAXIMUM_PORT = 65535

PAGE_PORT = 20190
"""TCP port of pages for browsers."""


def require_whole(name: str, value: int) -> None:
    """Raise a TypeError that names an argument which is no whole number."""
    try:
        operator.index(value)
    except TypeError:
        raise TypeError(f"{name}: expected a whole number, got {brief(value)}") from None


def is_port(number: int) -> bool:
    """Return whether a number is that of a UDP port."""
    require_whole("number", number)
    return 1 <= number <= MAXIMUM_PORT


class Ports(NamedTuple):
    """First port of each series; RflySim's numbers by default.

    Attributes
    ----------
    control : int
        Commands to CopterID 1; its state is sent to the next port; two ports per vehicle.
    model : int
        Model inputs of CopterID 1; its true state is sent to the next port; two ports per vehicle.
    display : int
        First window of RflySim3D.
    configure : int
        Configuration of CopterSim, all vehicles.
    heartbeat : int
        Heartbeats of CopterSim, all vehicles.
    start : int
        Start signals between programs, by multicast.
    custom : int
        Numbers between programs.
    topic : int
        Topics for the PX4 of CopterID 1; those from it are sent to the next port; two ports per
        vehicle.
    display_group : int
        Multicast to RflySim3D on all computers.
    display_reply : int
        Replies of RflySim3D.
    imu : int
        Measurements of the IMU of CopterID 1; one port per vehicle.
    """

    control: int = 20100
    model: int = 30100
    display: int = 20010
    configure: int = 20002
    heartbeat: int = 20005
    start: int = 20007
    custom: int = 50000
    topic: int = 40100
    display_group: int = 20009
    display_reply: int = 20006
    imu: int = 31000

    @classmethod
    def beginning_at(cls, control: int) -> Ports:
        """Return RflySim's port numbers, all moved by as much as the first of the commands.

        Examples
        --------
        >>> from pyrfly.transport import Ports
        >>> Ports.beginning_at(21100).imu
        32000
        """
        require_whole("control", control)
        moved = control - RFLYSIM_PORTS.control
        return cls(*(port + moved for port in RFLYSIM_PORTS))

    def of_control(self, copter_id: int) -> int:
        """Return the port of the commands of a vehicle."""
        return _of_vehicle(self.control, copter_id)

    def of_model(self, copter_id: int) -> int:
        """Return the port of the model inputs of a vehicle."""
        return _of_vehicle(self.model, copter_id)

    def of_imu(self, copter_id: int) -> int:
        """Return the port that the IMU of a vehicle is sent to."""
        require_whole("CopterID", copter_id)
        port = self.imu + copter_id - 1
        if copter_id < 1 or port > MAXIMUM_PORT:
            maximum = MAXIMUM_PORT - self.imu + 1
            raise ValueError(f"CopterID: expected 1 to {maximum}, got {copter_id}")
        return port


RFLYSIM_PORTS = Ports()
"""The port numbers of RflySim."""


def _of_vehicle(first: int, copter_id: int) -> int:
    """Return the even port of a vehicle in a series of two ports per vehicle."""
    require_whole("CopterID", copter_id)
    port = first + 2 * (copter_id - 1)
    if copter_id < 1 or port + 1 > MAXIMUM_PORT:
        maximum = (MAXIMUM_PORT - 1 - first) // 2 + 1
        raise ValueError(f"CopterID: expected 1 to {maximum}, got {copter_id}")
    return port


class OptionError(Error, ValueError):
    """An option of a server is invalid."""


class PortError(Error, OSError):
    """A port cannot be opened, or an address cannot be resolved.

    Attributes
    ----------
    port : int or None
        The UDP port, if there is one.
    """

    port: int | None = None
