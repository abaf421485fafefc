"""Helpers of RflySim's class: lists, angles, masks."""

from __future__ import annotations

import math
import socket
from collections.abc import Sequence
from typing import Any

from pyrfly.ctrl.arguments import fill_list, single, vectors
from pyrfly.frames import quaternion_of_euler
from pyrfly.protocol.masks import position_mask

__all__ = ["Helpers"]


class Helpers:
    """RflySim's static helpers."""

    @staticmethod
    def fillList(data: Any, inLen: int, fill: Any = 0) -> list[Any]:
        """Return a list of ``inLen`` values, up to 65536: cut, or filled up with ``fill``."""
        return fill_list(data, inLen, fill)

    @staticmethod
    def yawSat(yaw: float) -> float:
        """Return an angle within -pi to pi [rad]."""
        return math.remainder(single("yaw", yaw, "rad", nan=True), math.tau)

    @staticmethod
    def sat(inPwm: float = 0, thres: float = 1) -> float:
        """Return ``inPwm`` limited to plus and minus ``thres``."""
        limit = single("thres", thres, "1")
        return min(max(single("inPwm", inPwm, "1", nan=True), -limit), limit)

    @staticmethod
    def EulerToQuat(Euler: Sequence[float]) -> list[float]:
        """Return the attitude, scalar first and FRD to NED, of roll, pitch and yaw [rad]."""
        angles = vectors("Euler", Euler, "rad", None, (3,))
        quaternion: list[float] = quaternion_of_euler(angles)[0].tolist()
        return quaternion

    @staticmethod
    def TypeMask(EnList: Sequence[float]) -> int:
        """Return MAVLink's type mask that ignores all but what counts.

        Parameters
        ----------
        EnList : sequence of 6
            Whether position, velocity, acceleration, force, yaw, yaw rate count.
        """
        counts = vectors("EnList", EnList, "0 or 1", None, (6,))[0].tolist()
        return position_mask(*counts)

    @staticmethod
    def GetUDPRedisBuf(sock: socket.socket) -> bytes:
        """Return the next datagram of a socket."""
        if not isinstance(sock, socket.socket):
            raise TypeError(f"sock: expected a socket, got {sock!r:.80}")
        return sock.recv(65535)
