"""PX4's parameters of transitions: `PX4_TRANSITIONS`."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from pyrfly.vehicles.px4 import DEGREE, Px4Parameter

__all__ = ["PX4_TRANSITIONS"]

PX4_TRANSITIONS: Mapping[str, Px4Parameter] = MappingProxyType(
    {
        "VT_ARSP_BLEND": Px4Parameter("transition_airspeed", 0, 1.0, 0.0, 30.0, "m/s"),
        "VT_ARSP_TRANS": Px4Parameter("transition_airspeed", 1, 1.0, 0.0, 30.0, "m/s"),
        "VT_F_TRANS_THR": Px4Parameter("transition_throttle", None, 1.0, 0.0, 1.0, "1"),
        "VT_TRANS_TIMEOUT": Px4Parameter("transition_timeout", None, 1.0, 0.1, 30.0, "s"),
        "VT_FW_MIN_ALT": Px4Parameter("quadchute_height", None, 1.0, 0.0, 200.0, "m"),
        "VT_QC_ALT_LOSS": Px4Parameter("quadchute_loss", 0, 1.0, 0.0, 200.0, "m"),
        "VT_QC_T_ALT_LOSS": Px4Parameter("quadchute_loss", 1, 1.0, 0.0, 50.0, "m"),
        "VT_FW_QC_P": Px4Parameter("quadchute_tilt", 0, DEGREE, 0.0, 180.0, "deg"),
        "VT_FW_QC_R": Px4Parameter("quadchute_tilt", 1, DEGREE, 0.0, 180.0, "deg"),
    }
)
"""By PX4's names [@px4-guide]; those of vehicles that both hover and fly by wings."""
