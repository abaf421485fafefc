"""PX4's parameters that planes have, and what PX4 and MAVLink know of them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from pyrfly.protocol.px4_airframe import Px4Airframe
from pyrfly.vehicles.px4 import DEGREE, Px4Parameter

__all__ = ["AIRFRAME", "PX4_PARAMETERS"]

PX4_PARAMETERS: Mapping[str, Px4Parameter] = MappingProxyType(
    {
        "FW_AIRSPD_TRIM": Px4Parameter("cruise_airspeed", None, 1.0, 0.5, 100.0, "m/s"),
        "FW_AIRSPD_MIN": Px4Parameter("minimum_airspeed", None, 1.0, 0.5, 100.0, "m/s"),
        "FW_AIRSPD_MAX": Px4Parameter("speed_limit", None, 1.0, 0.5, 100.0, "m/s"),
        "NAV_LOITER_RAD": Px4Parameter("loiter_radius", None, 1.0, 5.0, 1000.0, "m"),
        "FW_R_LIM": Px4Parameter("tilt_limit", None, DEGREE, 35.0, 65.0, "deg"),
        "FW_P_LIM_MAX": Px4Parameter("pitch_limit", 1, DEGREE, 1.0, 60.0, "deg"),
        "FW_T_CLMB_MAX": Px4Parameter("climb_limit", None, 1.0, 1.0, 15.0, "m/s"),
        "FW_T_SINK_MAX": Px4Parameter("descent_limit", None, 1.0, 1.0, 15.0, "m/s"),
        "FW_T_SINK_MIN": Px4Parameter("gliding_sink", None, 1.0, 1.0, 5.0, "m/s"),
        "NPFG_PERIOD": Px4Parameter("path_period", None, 1.0, 1.0, 100.0, "s"),
        "NPFG_DAMPING": Px4Parameter("path_damping", None, 1.0, 0.1, 1.0, "1"),
    }
)
"""By PX4's names. RflySim's SendCruiseSpeed sets the first, SendCruiseRadius NAV_LOITER_RAD."""

AIRFRAME = Px4Airframe(types={5: 1})  # FIXED_WING
