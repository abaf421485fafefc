"""Parameters of PX4 v1.16.1 that vehicles have for ground stations and SDKs: `PARAMETERS`.

The table has those of all vehicles; ``px4`` of `pyrfly.vehicles.Abilities` adds those that are
columns of vehicles of a kind, which have no row here.

Types, defaults, limits and units are those of the definitions of the parameters [@px4 v1.16.1
src/**/*_params.c, module.yaml]. Where nothing is said there, any number is allowed. A parameter of
some that all vehicles list, because modes or stations read it, has its default here, and its
limits and unit there.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple, TypeAlias

from pyrfly.protocol.timeouts import TIMEOUTS
from pyrfly.vehicles import FAMILIES, Abilities
from pyrfly.vehicles.px4 import Px4Parameter

__all__ = ["PARAMETERS", "SET_DEFAULTS", "Effect", "Kind", "Parameter", "parameters_of"]

Kind: TypeAlias = Literal["INT32", "REAL32"]
Effect: TypeAlias = Literal["vehicle", "autopilot", ""]

_INT32 = (-(2**31), 2**31 - 1)


class Parameter(NamedTuple):
    """A parameter of PX4.

    Attributes
    ----------
    name : str
        Its name, of at most 16 characters.
    kind : str
        ``"INT32"`` or ``"REAL32"``.
    default : float
        Default value; NaN where it is that of the column.
    low, high : float
        Closed range of values.
    unit : str
        PX4's unit.
    effect : str
        ``"vehicle"``: a column of some vehicles, given by ``px4`` of
        `pyrfly.vehicles.Abilities`, and stored without effect for others; ``"autopilot"``: a number
        that modes and failsafes use; empty: stored without effect, because stations read it.
    """

    name: str
    kind: Kind
    default: float
    low: float
    high: float
    unit: str
    effect: Effect


def _real(
    name: str,
    default: float,
    low: float = -math.inf,
    high: float = math.inf,
    unit: str = "",
    effect: Effect = "",
) -> Parameter:
    return Parameter(name, "REAL32", default, low, high, unit, effect)


def _int(
    name: str,
    default: int,
    low: int = _INT32[0],
    high: int = _INT32[1],
    unit: str = "",
    effect: Effect = "",
) -> Parameter:
    return Parameter(name, "INT32", default, low, high, unit, effect)


_ROWS = (
    # modes and missions
    _real("MIS_TAKEOFF_ALT", 2.5),
    _real("MIS_DIST_1WP", 10000.0, -1.0, 100000.0, "m"),
    _int("MIS_TKO_LAND_REQ", 0, 0, 5),
    _real("MIS_YAW_ERR", 12.0, 0.0, 90.0, "deg"),
    _real("MIS_YAW_TMT", -1.0, -1.0, 20.0, "s"),
    _real("NAV_ACC_RAD", 10.0, 0.05, 200.0, "m", "autopilot"),
    _real("NAV_LOITER_RAD", 80.0, 25.0, 1000.0, "m"),
    _real("NAV_MC_ALT_RAD", 0.8, 0.05, 200.0, "m"),
    _real("RTL_RETURN_ALT", 60.0, 0.0, math.inf, "m", "autopilot"),
    _real("RTL_DESCEND_ALT", 30.0, 0.0, math.inf, "m", "autopilot"),
    _real("RTL_LAND_DELAY", 0.0, -1.0, math.inf, "s", "autopilot"),
    _real("RTL_MIN_DIST", 10.0, 0.5, math.inf, "m", "autopilot"),
    _int("RTL_TYPE", 0, 0, 4, effect="autopilot"),
    _real("FLW_TGT_HT", 8.0, 8.0, unit="m", effect="autopilot"),
    _real("FLW_TGT_DST", 8.0, 1.0, unit="m", effect="autopilot"),
    _real("FLW_TGT_FA", 180.0, -180.0, 180.0, effect="autopilot"),
    _real("FLW_TGT_RS", 0.1, 0.0, 1.0, effect="autopilot"),
    _int("FLW_TGT_ALT_M", 0, 0, 2, effect="autopilot"),
    _real("FLW_TGT_MAX_VEL", 5.0, 0.0, 20.0, effect="autopilot"),
    _int("RTL_CONE_ANG", 45, 0, 90, "deg", "autopilot"),
    _real("RTL_TIME_FACTOR", 1.1, 1.0, 2.0, effect="autopilot"),
    _int("RTL_TIME_MARGIN", 100, 0, 3600, "s", "autopilot"),
    # arming, losses and failsafes
    _real("COM_DISARM_LAND", 2.0, unit="s", effect="autopilot"),
    _real("COM_DISARM_PRFLT", 10.0, unit="s", effect="autopilot"),
    _real("COM_OF_LOSS_T", TIMEOUTS["offboard"].seconds, 0.0, 60.0, "s", "autopilot"),
    _int("COM_OBL_RC_ACT", 0, 0, 7, effect="autopilot"),
    _int("COM_RCL_EXCEPT", 0, 0, 7, effect="autopilot"),
    _int("COM_RC_IN_MODE", 3, 0, 4, effect="autopilot"),
    _real("COM_RC_LOSS_T", TIMEOUTS["sticks"].seconds, 0.0, 35.0, "s", "autopilot"),
    _int("COM_RC_OVERRIDE", 1, 0, 3, effect="autopilot"),
    _real("COM_RC_STICK_OV", 30.0, 5.0, 80.0, "%", "autopilot"),
    _int("COM_DL_LOSS_T", int(TIMEOUTS["station"].seconds), 5, 300, "s", "autopilot"),
    _int("COM_DLL_EXCEPT", 0, 0, 7, effect="autopilot"),
    _real("COM_FAIL_ACT_T", 5.0, 0.0, 25.0, "s", "autopilot"),
    _int("COM_LOW_BAT_ACT", 0, 0, 3, effect="autopilot"),
    _int("COM_QC_ACT", 0, -1, 2, effect="autopilot"),
    _int("COM_TAKEOFF_ACT", 0, 0, 1, effect="autopilot"),
    _int("COM_ARM_MIS_REQ", 0, 0, 1, effect="autopilot"),
    _int("COM_ARM_WO_GPS", 1, 0, 2),
    _int("COM_ARM_AUTH_REQ", 0, 0, 1),
    _real("COM_ARM_IMU_ACC", 0.7, 0.1, 1.0, "m/s^2"),
    _real("COM_ARM_IMU_GYR", 0.25, 0.02, 0.3, "rad/s"),
    _int("COM_ARM_MAG_ANG", 60, 3, 180, "deg"),
    _int("COM_ARM_MAG_STR", 2, 0, 2),
    _int("COM_ARM_CHK_ESCS", 0, 0, 1),
    _int("COM_ARM_SDCARD", 1, 0, 2),
    _int("COM_ARM_HFLT_CHK", 1, 0, 1),
    _int("COM_ARM_ODID", 0, 0, 2),
    _int("COM_ARM_SWISBTN", 0, 0, 1),
    _int("COM_ACT_FAIL_ACT", 0, 0, 4, effect="autopilot"),
    _int("COM_DISARM_MAN", 1, 0, 1),
    *(_int(f"COM_FLTMODE{slot}", -1) for slot in range(1, 7)),
    _int("COM_FLTT_LOW_ACT", 3, 0, 3, effect="autopilot"),
    _int("COM_FLT_TIME_MAX", -1, -1, unit="s", effect="autopilot"),
    _int("COM_HLDL_LOSS_T", 120, 60, 3600, "s"),
    _int("COM_HOME_EN", 1, 0, 1),
    _int("COM_HOME_IN_AIR", 0, 0, 1),
    _int("COM_IMB_PROP_ACT", 0, -1, 1),
    _real("COM_KILL_DISARM", 5.0, 0.0, 30.0, "s"),
    _real("COM_LKDOWN_TKO", 3.0, -1.0, 5.0, "s", "autopilot"),
    _int("COM_MOT_TEST_EN", 1, 0, 1),
    _real("COM_OBC_LOSS_T", 5.0, 0.0, 60.0, "s"),
    _int("COM_PARACHUTE", 0, 0, 1),
    _real("COM_POS_FS_EPH", 5.0, -1.0, 400.0, "m", "autopilot"),
    _int("COM_POS_LOW_ACT", 3, 0, 5, effect="autopilot"),
    _real("COM_POS_LOW_EPH", -1.0, -1.0, 1000.0, "m", "autopilot"),
    _int("COM_POWER_COUNT", 1, 0, 4),
    _int("COM_PREARM_MODE", 0, 0, 2),
    _int("COM_RC_ARM_HYST", 1000, 100, 1500, "ms"),
    _real("COM_SPOOLUP_TIME", 1.0, 0.0, 30.0, "s", "autopilot"),
    _real("COM_VEL_FS_EVH", 1.0, unit="m/s"),
    _real("COM_WIND_MAX", -1.0, -1.0, unit="m/s", effect="autopilot"),
    _int("COM_WIND_MAX_ACT", 0, 0, 5, effect="autopilot"),
    _real("COM_WIND_WARN", -1.0, -1.0, unit="m/s", effect="autopilot"),
    _int("COM_POSCTL_NAVL", 0, 0, 1, effect="autopilot"),
    _int("NAV_RCL_ACT", 2, 1, 6, effect="autopilot"),
    _int("NAV_DLL_ACT", 0, 0, 6, effect="autopilot"),
    _int("GF_ACTION", 2, 0, 5, effect="autopilot"),
    _real("GF_MAX_HOR_DIST", 0.0, 0.0, 10000.0, "m", "autopilot"),
    _real("GF_MAX_VER_DIST", 0.0, 0.0, 10000.0, "m", "autopilot"),
    _int("GF_SOURCE", 0, 0, 1),
    _int("GF_PREDICT", 0, 0, 1),
    # battery
    _real("BAT1_V_EMPTY", 3.6, unit="V"),
    _real("BAT1_V_CHARGED", 4.05, unit="V"),
    _real("BAT1_R_INTERNAL", -1.0, -1.0, 0.2, "Ohm"),
    _int("BAT1_N_CELLS", 0, 0, 16),
    _real("BAT1_CAPACITY", -1.0, -1.0, 100000.0, "mAh", "autopilot"),
    _int("BAT1_SOURCE", 0, -1, 2),
    _real("BAT_LOW_THR", 0.15, 0.12, 0.5, "norm", "autopilot"),
    _real("BAT_CRIT_THR", 0.07, 0.05, 0.5, "norm", "autopilot"),
    _real("BAT_EMERGEN_THR", 0.05, 0.03, 0.5, "norm", "autopilot"),
    _real("BAT_AVRG_CURRENT", 15.0, 0.0, 500.0, "A", "autopilot"),
    # failure detector
    _int("FD_ACT_EN", 1, 0, 1, effect="autopilot"),
    _real("FD_ACT_MOT_THR", 0.2, 0.0, 1.0, "norm", "autopilot"),
    _int("FD_ACT_MOT_TOUT", 100, 10, 10000, "ms", "autopilot"),
    _int("FD_FAIL_P", 60, 0, 180, "deg", "autopilot"),
    _real("FD_FAIL_P_TTRI", 0.3, 0.02, 5.0, "s", "autopilot"),
    _int("FD_FAIL_R", 60, 0, 180, "deg", "autopilot"),
    _real("FD_FAIL_R_TTRI", 0.3, 0.02, 5.0, "s", "autopilot"),
    # multirotors: speeds and accelerations
    _real("MPC_XY_VEL_MAX", 12.0),
    _real("MPC_XY_CRUISE", 5.0, 3.0, 20.0, "m/s", "autopilot"),
    _real("MPC_Z_VEL_MAX_UP", 3.0),
    _real("MPC_Z_VEL_MAX_DN", 1.5),
    _real("MPC_Z_V_AUTO_UP", 3.0, 0.5, 8.0, "m/s", "autopilot"),
    _real("MPC_Z_V_AUTO_DN", 1.5, 0.5, 4.0, "m/s", "autopilot"),
    _real("MPC_TKO_SPEED", 1.5),
    _real("MPC_LAND_SPEED", 0.7),
    _real("MPC_ACC_HOR", 3.0, 2.0, 15.0, "m/s^2"),
    _real("MPC_ACC_UP_MAX", 4.0, 2.0, 15.0, "m/s^2"),
    _real("MPC_ACC_DOWN_MAX", 3.0, 2.0, 15.0, "m/s^2"),
    _real("MPC_JERK_AUTO", 4.0, 1.0, 80.0, "m/s^3"),
    _real("MPC_VEL_MANUAL", 10.0, 3.0, 20.0, "m/s", "autopilot"),
    _real("MPC_MAN_Y_MAX", 150.0, 0.0, 400.0, "deg/s", "autopilot"),
    _real("MPC_MAN_TILT_MAX", 35.0, 1.0, 70.0, "deg", "autopilot"),
    *(
        _real(f"MC_ACRO_{axis}_MAX", 100.0, 0.0, 1800.0, "deg/s", "autopilot")
        for axis in ("R", "P", "Y")
    ),
    _int("MPC_POS_MODE", 4, 0, 4),
    _int("MPC_YAW_MODE", 0, 0, 5),
    _real("MPC_THR_HOVER", 0.5, 0.1, 0.8, "norm", "autopilot"),
    _real("MPC_THR_MIN", 0.12, 0.05, 0.5, "norm"),
    _real("MPC_THR_MAX", 1.0, 0.0, 1.0, "norm"),
    # multirotors: limits of the loops
    _real("MPC_TILTMAX_LND", 12.0, 5.0, 89.0, "deg"),
    _int("MC_AIRMODE", 0, 0, 2),
    _real("MC_ROLLRATE_P", 0.15, 0.01, 0.5),
    _real("MC_PITCHRATE_P", 0.15, 0.01, 0.6),
    _real("MC_YAWRATE_P", 0.2, 0.0, 0.6),
    _real("MC_ROLLRATE_I", 0.2, 0.0),
    _real("MC_PITCHRATE_I", 0.2, 0.0),
    _real("MC_YAWRATE_I", 0.1, 0.0),
    _real("MC_ROLLRATE_D", 0.003, 0.0, 0.01),
    _real("MC_PITCHRATE_D", 0.003, 0.0),
    _real("MC_YAWRATE_D", 0.0, 0.0),
    _real("MC_ROLLRATE_K", 1.0, 0.01, 5.0),
    _real("MC_PITCHRATE_K", 1.0, 0.01, 5.0),
    _real("MC_YAWRATE_K", 1.0, 0.0, 5.0),
    _real("MC_YAW_WEIGHT", 0.4, 0.0, 1.0),
    # the filter, which has its own data here: estimator.md
    _int("EKF2_EN", 1, 0, 1),
    _int("EKF2_HGT_REF", 1, 0, 3),
    _int("EKF2_IMU_CTRL", 7, 0, 7),
    _int("EKF2_MULTI_IMU", 0, 0, 4),
    _real("EKF2_GYR_NOISE", 0.015, 0.0001, 0.1, "rad/s"),
    _real("EKF2_ACC_NOISE", 0.35, 0.01, 1.0, "m/s^2"),
    _int("EKF2_NOAID_TOUT", 5000000, 500000, 10000000, "us", "autopilot"),
    _int("EKF2_GPS_CTRL", 7, 0, 15),
    _real("EKF2_GPS_DELAY", 110.0, 0.0, 300.0, "ms"),
    _real("EKF2_GPS_P_NOISE", 0.5, 0.01, 10.0, "m"),
    _real("EKF2_GPS_V_NOISE", 0.3, 0.01, 5.0, "m/s"),
    _real("EKF2_REQ_EPH", 3.0, 2.0, 100.0, "m"),
    _real("EKF2_REQ_EPV", 5.0, 2.0, 100.0, "m"),
    _real("EKF2_REQ_SACC", 0.5, 0.5, 5.0, "m/s"),
    _int("EKF2_REQ_NSATS", 6, 4, 12),
    _real("EKF2_REQ_PDOP", 2.5, 1.5, 5.0),
    _real("EKF2_REQ_HDRIFT", 0.1, 0.1, 1.0, "m/s"),
    _real("EKF2_REQ_VDRIFT", 0.2, 0.1, 1.5, "m/s"),
    _real("EKF2_REQ_GPS_H", 10.0, 0.1, unit="s"),
    _int("EKF2_BARO_CTRL", 1, 0, 1),
    _real("EKF2_BARO_NOISE", 3.5, 0.01, 15.0, "m"),
    _int("EKF2_MAG_TYPE", 0),
    _int("EKF2_RNG_CTRL", 1, 0, 2),
    _int("EKF2_EV_CTRL", 0, 0, 15),
    _real("EKF2_EV_DELAY", 0.0, 0.0, 300.0, "ms"),
    _int("EKF2_EV_NOISE_MD", 0, 0, 1),
    _real("EKF2_EVP_NOISE", 0.1, 0.01, unit="m"),
    _real("EKF2_EVV_NOISE", 0.1, 0.01, unit="m/s"),
    _real("EKF2_EVA_NOISE", 0.1, 0.05, unit="rad"),
    *(
        _real(f"EKF2_{what}_POS_{axis}", 0.0, unit="m")
        for what in ("IMU", "GPS", "EV")
        for axis in "XYZ"
    ),
    # fixed wings and VTOLs
    _real("FW_AIRSPD_MIN", 10.0, 0.5, math.inf, "m/s"),
    _real("FW_AIRSPD_MAX", 20.0, 0.5, math.inf, "m/s"),
    _real("FW_AIRSPD_TRIM", 15.0, 0.5, math.inf, "m/s"),
    _real("FW_AIRSPD_STALL", 7.0, 0.5, math.inf, "m/s"),
    _real("FW_LND_ANG", 5.0, 1.0, 15.0, "deg"),
    _int("RWTO_TKOFF", 0, 0, 1),
    _int("VT_TYPE", 0, 0, 2),
    # rovers
    _real("GND_SPEED_MAX", 10.0, 0.0, 40.0, "m/s"),
    # identity and set-up
    _int("MAV_SYS_ID", 1, 1, 250),
    _int("MAV_COMP_ID", 1, 1, 250),
    _int("MAV_TYPE", 0, 0, 23),
    _int("MAV_PROTO_VER", 0, 0, 2),
    _int("SYS_AUTOSTART", 0, 0, 9999999),
    _int("SYS_AUTOCONFIG", 0, 0, 1),
    _int("SYS_HITL", 0, -1, 2),
    _int("SYS_HAS_GPS", 1, 0, 1),
    _int("SYS_HAS_MAG", 1),
    _int("SYS_HAS_BARO", 1, 0, 1),
    _int("SYS_HAS_NUM_ASPD", 0, 0, 1),
    _int("SYS_PARAM_VER", 1, 0),
    _int("SYS_FAILURE_EN", 0, 0, 1, effect="autopilot"),
    # calibration: stations take an ID of 0 for a sensor that is not calibrated
    _int("CAL_ACC0_ID", 0),
    _int("CAL_GYRO0_ID", 0),
    _int("CAL_MAG0_ID", 0),
    _int("CAL_MAG0_ROT", -1, -1, 100),
    _int("CAL_MAG1_ID", 0),
    _int("CAL_MAG1_ROT", -1, -1, 100),
    _int("CAL_MAG2_ID", 0),
    _int("CAL_MAG2_ROT", -1, -1, 100),
    _int("CAL_MAG3_ID", 0),
    _int("CAL_MAG3_ROT", -1, -1, 100),
    _int("SENS_BOARD_ROT", 0, -1, 40),
    _real("SENS_BOARD_X_OFF", 0.0, unit="deg"),
    _real("SENS_BOARD_Y_OFF", 0.0, unit="deg"),
    _real("SENS_BOARD_Z_OFF", 0.0, unit="deg"),
    _int("TRIG_MODE", 0, 0, 4),
    _int("UAVCAN_ENABLE", 0, 0, 3),
    # circuit breakers
    _int("CBRK_SUPPLY_CHK", 0, 0, 894281),
    _int("CBRK_IO_SAFETY", 22027, 0, 22027),
    _int("CBRK_USB_CHK", 197848, 0, 197848),
    _int("CBRK_FLIGHTTERM", 121212, 0, 121212, effect="autopilot"),
    # remote control
    _int("RC_CHAN_CNT", 0, 0, 18),
    _int("RC_MAP_ROLL", 0, 0, 18),
    _int("RC_MAP_PITCH", 0, 0, 18),
    _int("RC_MAP_YAW", 0, 0, 18),
    _int("RC_MAP_THROTTLE", 0, 0, 18),
    _int("RC_MAP_FLTMODE", 0, 0, 18),
)

_OF_ALL = {row.name: row for row in _ROWS}


def _with_effect(name: str, known: Px4Parameter) -> Parameter:
    """Return the row of a parameter that is a column."""
    row = _OF_ALL.get(name, _real(name, math.nan))
    return row._replace(low=known.low, high=known.high, unit=known.unit, effect="vehicle")


_OF_FAMILIES = {
    name: _with_effect(name, known)
    for family in FAMILIES.values()
    for name, known in family.abilities.px4.items()
}

PARAMETERS: Mapping[str, Parameter] = MappingProxyType(
    dict(sorted({**_OF_ALL, **_OF_FAMILIES}.items()))
)
"""Parameters of any packaged vehicle by name, in PX4's order, which is that of the names."""


def parameters_of(able: Abilities) -> dict[str, Parameter]:
    """Return the parameters that vehicles with some abilities have, in PX4's order.

    Examples
    --------
    >>> parameters_of(FAMILIES["multirotor"].abilities)["MC_YAWRATE_MAX"].unit
    'deg/s'
    """
    own = {name: _with_effect(name, known) for name, known in able.px4.items()}
    return dict(sorted({**{name: PARAMETERS[name] for name in _OF_ALL}, **own}.items()))


SET_DEFAULTS: Mapping[str, float] = MappingProxyType(
    {
        "BAT1_N_CELLS": 4,
        "CAL_ACC0_ID": 1310988,
        "CAL_GYRO0_ID": 1310988,
        "CAL_MAG0_ID": 197388,
        "CAL_MAG1_ID": 197644,
        "COM_LOW_BAT_ACT": 3,
        "COM_RC_IN_MODE": 1,
        "EKF2_GPS_DELAY": 10,
        "EKF2_MULTI_IMU": 3,
        "EKF2_REQ_GPS_H": 0.5,
        "MAV_PROTO_VER": 2,
    }
)
"""Values that PX4's start script of every simulated vehicle sets instead of the defaults
[@px4 v1.16.1 ROMFS/px4fmu_common/init.d-posix/rcS, px4-rc.mavlinksim]; families have more,
``px4_airframe`` of `pyrfly.vehicles.Family`."""
