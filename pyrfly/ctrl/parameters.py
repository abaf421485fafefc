"""PX4's parameters that a multirotor of this simulator has, by PX4's names and in PX4's units.

RflySim's methods that set parameters of PX4 act on the columns of the vehicle itself. Bounds are
those of PX4's parameter reference, but above 0.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from pyrfly.ctrl.unsupported import UnsupportedError
from pyrfly.errors import near_names

__all__ = ["PARAMETERS", "STORED", "Parameter", "of_name"]

_DEG = math.pi / 180.0


class Parameter(NamedTuple):
    """Where a parameter of PX4 is.

    Attributes
    ----------
    column : str
        Column of the vehicle.
    component : int or None
        Which of the column's values; None where it has one.
    factor : float
        The column's value is that of PX4 times this.
    low, high : float
        Range, in PX4's unit.
    unit : str
        PX4's unit.
    """

    column: str
    component: int | None
    factor: float
    low: float
    high: float
    unit: str


PARAMETERS = {
    "MPC_XY_VEL_MAX": Parameter("speed_limit", None, 1.0, 0.1, 20.0, "m/s"),
    "MPC_Z_VEL_MAX_DN": Parameter("descent_limit", None, 1.0, 0.5, 4.0, "m/s"),
    "MPC_Z_VEL_MAX_UP": Parameter("climb_limit", None, 1.0, 0.5, 8.0, "m/s"),
    "MPC_ACC_HOR_MAX": Parameter("accel_limit", None, 1.0, 2.0, 15.0, "m/s^2"),
    "MPC_TILTMAX_AIR": Parameter("tilt_limit", None, _DEG, 20.0, 89.0, "deg"),
    "MC_ROLLRATE_MAX": Parameter("rate_limit", 0, _DEG, 1.0, 1800.0, "deg/s"),
    "MC_PITCHRATE_MAX": Parameter("rate_limit", 0, _DEG, 1.0, 1800.0, "deg/s"),
    "MC_YAWRATE_MAX": Parameter("rate_limit", 1, _DEG, 1.0, 1800.0, "deg/s"),
    "MPC_XY_P": Parameter("position_p", 0, 1.0, 0.05, 2.0, "1/s"),
    "MPC_Z_P": Parameter("position_p", 1, 1.0, 0.05, 1.5, "1/s"),
    "MIS_TAKEOFF_ALT": Parameter("takeoff_height", None, 1.0, 1.0, 80.0, "m"),
    "MPC_TKO_SPEED": Parameter("takeoff_speed", None, 1.0, 0.1, 5.0, "m/s"),
    "MPC_LAND_SPEED": Parameter("landing_speed", None, 1.0, 0.1, 5.0, "m/s"),
}
"""Parameters with an effect. Roll and pitch rates have one limit together."""

STORED = ("NAV_LOITER_RAD", "NAV_RCL_ACT", "NAV_DLL_ACT", "COM_RCL_EXCEPT")
"""Parameters that are kept without effect: a multirotor does not circle, and there is no failsafe
for a lost remote control or data link."""


def of_name(name: str) -> Parameter | None:
    """Return where a parameter is; None for one that is only `STORED`.

    Raises
    ------
    UnsupportedError
        When a vehicle has no such parameter.
    """
    if name in STORED:
        return None
    if name not in PARAMETERS:
        known = [*PARAMETERS, *STORED]
        raise UnsupportedError(
            f"param_id: no vehicle here has {name!r}; near: {near_names(name, known)}; there are "
            f"{', '.join(known)}"
        )
    return PARAMETERS[name]
