"""PX4 parameters of vehicles that hover: `PX4_PARAMETERS`."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from pyrfly.vehicles.px4 import DEGREE, Px4Parameter

__all__ = ["PX4_PARAMETERS"]

PX4_PARAMETERS: Mapping[str, Px4Parameter] = MappingProxyType(
    {
        "MPC_XY_VEL_MAX": Px4Parameter("speed_limit", None, 1.0, 0.1, 20.0, "m/s"),
        "MPC_Z_VEL_MAX_DN": Px4Parameter("descent_limit", None, 1.0, 0.5, 4.0, "m/s"),
        "MPC_Z_VEL_MAX_UP": Px4Parameter("climb_limit", None, 1.0, 0.5, 8.0, "m/s"),
        "MPC_ACC_HOR_MAX": Px4Parameter("accel_limit", None, 1.0, 2.0, 15.0, "m/s^2"),
        "MPC_TILTMAX_AIR": Px4Parameter("tilt_limit", None, DEGREE, 20.0, 89.0, "deg"),
        "MC_ROLLRATE_MAX": Px4Parameter("rate_limit", 0, DEGREE, 1.0, 1800.0, "deg/s"),
        "MC_PITCHRATE_MAX": Px4Parameter("rate_limit", 0, DEGREE, 1.0, 1800.0, "deg/s"),
        "MC_YAWRATE_MAX": Px4Parameter("rate_limit", 1, DEGREE, 1.0, 1800.0, "deg/s"),
        "MC_ROLL_P": Px4Parameter("attitude_p", 0, 1.0, 0.01, 12.0, "1/s"),
        "MC_PITCH_P": Px4Parameter("attitude_p", 0, 1.0, 0.01, 12.0, "1/s"),
        "MC_YAW_P": Px4Parameter("attitude_p", 1, 1.0, 0.01, 5.0, "1/s"),
        "MPC_XY_P": Px4Parameter("position_p", 0, 1.0, 0.05, 2.0, "1/s"),
        "MPC_Z_P": Px4Parameter("position_p", 1, 1.0, 0.05, 1.5, "1/s"),
        "MIS_TAKEOFF_ALT": Px4Parameter("takeoff_height", None, 1.0, 1.0, 80.0, "m"),
        "MPC_TKO_SPEED": Px4Parameter("takeoff_speed", None, 1.0, 0.1, 5.0, "m/s"),
        "MPC_LAND_SPEED": Px4Parameter("landing_speed", None, 1.0, 0.1, 5.0, "m/s"),
    }
)
"""By PX4's names. Roll and pitch share one gain of the attitude and one limit of the rate."""
