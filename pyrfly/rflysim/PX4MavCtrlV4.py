"""RflySim's module ``PX4MavCtrlV4``: its classes, here of `pyrfly.ctrl`."""

from pyrfly.ctrl.px4_mav_ctrler import PX4MavCtrler
from pyrfly.ctrl.vendor_types import (
    PX4_CUSTOM_MAIN_MODE,
    PX4_CUSTOM_SUB_MODE_AUTO,
    AttTypeMask,
    PosTypeMask,
    PX4ExtMsg,
    fifo,
)

__all__ = [
    "PX4_CUSTOM_MAIN_MODE",
    "PX4_CUSTOM_SUB_MODE_AUTO",
    "AttTypeMask",
    "PX4ExtMsg",
    "PX4MavCtrler",
    "PosTypeMask",
    "fifo",
]
