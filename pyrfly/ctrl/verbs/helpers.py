"""Helpers of RflySim's class: lists, angles, masks."""

from __future__ import annotations

import math
import socket
from collections.abc import Sequence
from typing import Any

import numpy as np

from pyrfly.ctrl.arguments import fill_list
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
        return math.remainder(yaw, math.tau)

    @staticmethod
    def sat(inPwm: float = 0, thres: float = 1) -> float:
        """Return ``inPwm`` limited to plus and minus ``thres``."""
        return min(max(inPwm, -thres), thres)

    @staticmethod
    def EulerToQuat(Euler: Sequence[float]) -> list[float]:
        """Return the attitude, scalar first and FRD to NED, of roll, pitch and yaw [rad]."""
        quaternion: list[float] = quaternion_of_euler(np.array([Euler], np.float64))[0].tolist()
        return quaternion

    @staticmethod
    def TypeMask(EnList: Sequence[float]) -> int:
        """Return MAVLink's type mask that ignores all but what counts.

        Parameters
        ----------
        EnList : sequence of 6
            Whether position, velocity, acceleration, force, yaw, yaw rate count.
        """
        position, velocity, acceleration, force, yaw, yaw_rate = EnList
        return position_mask(position, velocity, acceleration, force, yaw, yaw_rate)

    @staticmethod
    def GetUDPRedisBuf(sock: socket.socket) -> bytes:
        """Return the next datagram of a socket."""
        return sock.recv(65535)
