"""PX4's parameters of vehicles that fly by wings."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from pyrfly.vehicles.px4 import DEGREE, Px4Parameter

__all__ = ["FIXED_WING_DEFAULTS", "px4_parameters"]

FIXED_WING_DEFAULTS: Mapping[str, float] = MappingProxyType(
    {
        "COM_DISARM_PRFLT": -1.0,
        "MIS_TAKEOFF_ALT": 30.0,
        "MIS_TKO_LAND_REQ": 2,
        "NAV_DLL_ACT": 2,
        "RTL_RETURN_ALT": 100.0,
        "RTL_DESCEND_ALT": 100.0,
        "RTL_LAND_DELAY": -1.0,
        "RTL_TYPE": 1,
        "RWTO_TKOFF": 1,
        "SYS_HAS_NUM_ASPD": 1,
    }
)
"""What PX4's start scripts set of fixed wings [@px4 v1.16.1 rc.fw_defaults,
ROMFS/px4fmu_common/init.d-posix/airframes/1030_gazebo-classic_plane]."""

_GAINS = {
    "FW_AIRSPD_TRIM": Px4Parameter("cruise_airspeed", None, 1.0, 0.5, 100.0, "m/s"),
    "FW_AIRSPD_MIN": Px4Parameter("minimum_airspeed", None, 1.0, 0.5, 100.0, "m/s"),
    "FW_AIRSPD_MAX": Px4Parameter("speed_limit", None, 1.0, 0.5, 100.0, "m/s"),
    "NAV_LOITER_RAD": Px4Parameter("loiter_radius", None, 1.0, 5.0, 1000.0, "m"),
    # PX4's from 35 deg on; a tailsitter without joints has 27
    "FW_R_LIM": Px4Parameter("tilt_limit", None, DEGREE, 15.0, 65.0, "deg"),
    "FW_P_LIM_MAX": Px4Parameter("pitch_limit", 1, DEGREE, 1.0, 60.0, "deg"),
    "FW_T_CLMB_MAX": Px4Parameter("climb_limit", None, 1.0, 1.0, 15.0, "m/s"),
    "FW_T_SINK_MAX": Px4Parameter("descent_limit", None, 1.0, 1.0, 15.0, "m/s"),
    "FW_T_SINK_MIN": Px4Parameter("gliding_sink", None, 1.0, 1.0, 5.0, "m/s"),
    "NPFG_PERIOD": Px4Parameter("path_period", None, 1.0, 1.0, 100.0, "s"),
    "NPFG_DAMPING": Px4Parameter("path_damping", None, 1.0, 0.1, 1.0, "1"),
}

_GROUND_SPEED = Px4Parameter("cruise_airspeed", None, 1.0, 0.01, 100.0, "m/s")

_TAKE_OFF = Px4Parameter("takeoff_height", None, 1.0, 1.0, 80.0, "m")


def px4_parameters(prefix: str = "", *, alone: bool = False) -> Mapping[str, Px4Parameter]:
    """Return the parameters by PX4's names.

    RflySim's SendCruiseSpeed sets FW_AIRSPD_TRIM, SendCruiseRadius NAV_LOITER_RAD.

    Parameters
    ----------
    prefix : str
        What the names of the gains begin with.
    alone : bool
        Whether they fly by wings alone: then GND_SPEED_TRIM, which RflySim's SendGroundSpeed sets,
        is the airspeed of their cruise, too. PX4 has it for rovers, and planes that ignore it.

    Examples
    --------
    >>> px4_parameters("wing_")["FW_AIRSPD_TRIM"].column
    'wing_cruise_airspeed'
    """
    own = {**_GAINS, "GND_SPEED_TRIM": _GROUND_SPEED} if alone else _GAINS
    gains = {k: known._replace(column=prefix + known.column) for k, known in own.items()}
    return MappingProxyType({**gains, "MIS_TAKEOFF_ALT": _TAKE_OFF})
