"""What is sent to the simulator of one vehicle: `PacketSender`."""

from __future__ import annotations

import contextlib
import socket
import threading
import time

import numpy as np
from numpy.typing import ArrayLike

from pyrfly import wire
from pyrfly.ctrl.link.targets import MaskedTarget
from pyrfly.protocol import full_message, synthesis
from pyrfly.protocol.masks import MavFrame, PositionIgnore
from pyrfly.protocol.short_message import Message
from pyrfly.protocol.synthesis import Inputs
from pyrfly.transport import RFLYSIM_PORTS

__all__ = ["SIL_SERIES", "PacketSender"]

SIL_SERIES = RFLYSIM_PORTS.model - RFLYSIM_PORTS.control
"""How far the ports of the model's inputs are above those of the commands."""


class PacketSender:
    """Packs and sends RflySim's messages to one vehicle; from any thread.

    Parameters
    ----------
    ip : str
        Address of the simulator.
    port : int
        Port of the vehicle's commands.
    copter_id : int
        Its CopterID.

    Attributes
    ----------
    ip : str
        As given; can be set.
    """

    def __init__(self, ip: str, port: int, copter_id: int) -> None:
        self.ip = ip
        self._port = port
        self._copter_id = copter_id
        self._socket: socket.socket | None = None
        self._lock = threading.Lock()  # of the socket
        self._began = time.monotonic()

    def short(self, message: Message) -> None:
        """Send the message of 24 bytes."""
        packet = wire.blank("inOffboardShortData")
        packet["ctrlMode"], packet["ctrls"] = message.mode, message.controls
        self.raw(packet[0].tobytes(), 0)

    def position(self, target: MaskedTarget) -> None:
        """Send a set-point of position, velocity and acceleration in the message of 120 bytes."""
        vectors = (target.pos[0], target.vel[0], target.acc[0])
        numbers = [*np.concatenate(vectors), target.yaw[0], target.yaw_rate[0]]
        mask = full_message.position_mask_of(target.type_mask)
        self.long(mask, target.frame, [*numbers, *[0.0] * (16 - len(numbers))])

    def long(self, mask: int, frame: MavFrame, numbers: ArrayLike) -> None:
        """Send the message of 120 bytes, with 16 numbers."""
        packet = wire.blank("inHILCMDData")
        packet["time_boot_ms"] = int(1000 * (time.monotonic() - self._began))
        packet["copterID"] = self._copter_id
        packet["modes"], packet["flags"] = mask, frame
        packet["ctrls"][0] = numbers
        self.raw(packet[0].tobytes(), 0)

    def no_set_point(self) -> None:
        """Send the message of 120 bytes with nothing that counts."""
        self.long(int(PositionIgnore.ALL), MavFrame.LOCAL_NED, 0.0)

    def hold(self) -> None:
        """Send that no set-point counts; on both ports, as there is no order between them."""
        self.no_set_point()
        self.inputs(synthesis.inputs(1))

    def inputs(self, inputs: Inputs, copter_id: int | None = None) -> None:
        """Send inputs of the synthesis model, to another vehicle where ``copter_id`` says so."""
        number = self._copter_id if copter_id is None else copter_id
        packet = wire.blank("PX4SILIntFloat")
        packet["CopterID"] = number
        packet["inSILInts"], packet["inSILFLoats"] = inputs
        self.raw(packet[0].tobytes(), SIL_SERIES + 2 * (number - self._copter_id))

    def reboot(self, copter_id: int, delay: int) -> None:
        """Send the restart of a vehicle."""
        packet = wire.blank("reboot")
        packet["delay"] = delay
        self.raw(packet[0].tobytes(), 2 * (copter_id - self._copter_id))

    def raw(self, packet: bytes, offset: int) -> None:
        """Send bytes to the vehicle's port plus ``offset``."""
        with self._lock:
            if self._socket is None:
                self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            # Nobody receives yet, or not any more: the next set-point is sent anyway.
            with contextlib.suppress(ConnectionRefusedError):
                self._socket.sendto(packet, (self.ip, self._port + offset))

    def close(self) -> None:
        """Close the socket; the next message opens another."""
        with self._lock:
            if self._socket is not None:
                self._socket.close()
                self._socket = None
