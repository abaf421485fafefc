"""RflySim's module ``PX4MavCtrlV4ROS``: its methods by the links of `PX4MavCtrlV4`, without ROS."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from pyrfly.ctrl.vendor_types import PX4_CUSTOM_MAIN_MODE as MAIN
from pyrfly.ctrl.vendor_types import PX4_CUSTOM_SUB_MODE_AUTO as AUTO
from pyrfly.ctrl.vendor_types import fifo
from pyrfly.mavlink.constants import ParamType
from pyrfly.protocol.masks import MavFrame
from pyrfly.rflysim import PX4MavCtrlV4

__all__ = ["PX4MavCtrler", "fifo"]


class PX4MavCtrler(PX4MavCtrlV4.PX4MavCtrler):
    """`PX4MavCtrlV4.PX4MavCtrler` with the names of RflySim's class for MAVROS.

    RflySim's starts MAVROS and sends by it; here the vehicle is where that of `PX4MavCtrlV4` is,
    and ROS is neither needed nor used. As RflySim's it is connected from the beginning, as by
    ``InitMavLoop()``; its parameters are those of `PX4MavCtrlV4.PX4MavCtrler`.
    """

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.InitMavLoop()

    def arm(self) -> bool:
        """Arm; return True."""
        self.SendMavArm(1)
        return True

    def disarm(self) -> bool:
        """Disarm; return True."""
        self.SendMavArm(0)
        return True

    def offboard(self) -> bool:
        """Change to offboard; return True."""
        self.SendSetMode(MAIN.PX4_CUSTOM_MAIN_MODE_OFFBOARD)
        return True

    def land(self) -> bool:
        """Land at the present position; return True."""
        self.SendSetMode(MAIN.PX4_CUSTOM_MAIN_MODE_AUTO, AUTO.PX4_CUSTOM_SUB_MODE_AUTO_LAND)
        return True

    def SendPosVelNED(
        self,
        PosE: Sequence[float] = (math.nan,) * 3,
        VelE: Sequence[float] = (math.nan,) * 3,
        yaw: float = math.nan,
        yawrate: float = math.nan,
    ) -> None:
        """Fly to a position with a velocity, both by axes.

        Parameters
        ----------
        PosE, VelE : sequence of float
            Position relative to the take-off point [m, NED], velocity [m/s, NED]; NaN: that axis is
            not controlled by it.
        yaw, yawrate : float
            Heading [rad, NED] and its rate [rad/s]; NaN: not controlled.
        """
        pos, vel = (self.fillList(values, 3, math.nan) for values in (PosE, VelE))
        fields = {
            "pos": self._triple("x y z", (*pos,), "m"),
            "vel": self._triple("vx vy vz", (*vel,), "m/s"),
            "yaw": self._numbers("yaw", yaw, "rad"),
            "yaw_rate": self._numbers("yawrate", yawrate, "rad/s"),
        }
        given = {name: values for name, values in fields.items() if not np.isnan(values).all()}
        self._fly(MavFrame.LOCAL_NED, None, **given)

    def sendMavSetParam(self, param_id_str: Any, param_value: Any, param_type: Any) -> None:
        """Set PX4's parameter.

        Parameters
        ----------
        param_id_str : str or bytes
            Its name.
        param_value : float or int
            Its value.
        param_type : str or int
            ``"INT"`` or another text for a real number, as MAVROS has it; or MAV_PARAM_TYPE.
        """
        name = param_id_str.encode() if isinstance(param_id_str, str) else param_id_str
        if isinstance(param_type, str):
            param_type = ParamType.INT32 if param_type == "INT" else ParamType.REAL32
        super().sendMavSetParam(name, param_value, param_type)
