"""RflySim's module ``PX4MavCtrlV4ROS``, which needs ROS and MAVROS: here it says what to use."""

from __future__ import annotations

from typing import Any

from pyrfly.errors import UnsupportedError

__all__ = ["PX4MavCtrler"]


class PX4MavCtrler:
    """Raises an `UnsupportedError`: there is no ROS here.

    Raises
    ------
    UnsupportedError
        Always.
    """

    def __init__(self, *arguments: Any, **named: Any) -> None:
        raise UnsupportedError(
            "PX4MavCtrlV4ROS.PX4MavCtrler: it needs ROS and MAVROS, for which there is no link "
            "here; use PX4MavCtrlV4.PX4MavCtrler, whose InitMavLoop, initOffboard, SendPosNED and "
            "SendVelNED are the same and reach a PX4 by MAVLink without ROS"
        )
