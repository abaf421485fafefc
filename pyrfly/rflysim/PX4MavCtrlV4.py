"""RflySim's module ``PX4MavCtrlV4``: its classes, here of `pyrfly.ctrl`."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from pyrfly.ctrl import px4_mav_ctrler
from pyrfly.ctrl.earth_model import EarthModel
from pyrfly.ctrl.vendor_types import (
    PX4_CUSTOM_MAIN_MODE,
    PX4_CUSTOM_SUB_MODE_AUTO,
    AttTypeMask,
    PosTypeMask,
    PX4ExtMsg,
    fifo,
)
from pyrfly.rflysim.UE4CtrlAPI import UE4CtrlAPI

__all__ = [
    "PX4_CUSTOM_MAIN_MODE",
    "PX4_CUSTOM_SUB_MODE_AUTO",
    "AttTypeMask",
    "EarthModel",
    "PX4ExtMsg",
    "PX4MavCtrler",
    "PosTypeMask",
    "fifo",
]

_OF_DISPLAY = (
    *("sendUE4Cmd", "sendUE4CmdNet", "sendUE4LabelID", "sendUE4LabelMsg", "sendUE4Attatch"),
    *("sendUE4Pos", "sendUE4Pos2Ground", "sendUE4PosScale", "sendUE4PosScale2Ground"),
    *("sendUE4PosFull", "sendUE4PosSimple", "sendUE4PosScale100", "sendUE4PosScalePwm20"),
    *("sendUE4ExtAct", "sendUE4Destroy", "initUE4MsgRec", "endUE4MsgRec"),
    *("getUE4Pos", "getUE4Data"),
)
"""Methods of `UE4CtrlAPI` that the vehicle had before RflySim split the module."""


class PX4MavCtrler(px4_mav_ctrler.PX4MavCtrler):
    """`pyrfly.ctrl.PX4MavCtrler` with the methods of `UE4CtrlAPI`, as older scripts call them."""

    @functools.cached_property
    def _display(self) -> UE4CtrlAPI:
        return UE4CtrlAPI(self.ip)


def _of_display(name: str) -> Callable[..., Any]:
    """Return a method of the vehicle that calls one of its display."""
    function = getattr(UE4CtrlAPI, name)

    @functools.wraps(function)
    def call(self: PX4MavCtrler, *arguments: Any, **named: Any) -> Any:
        return function(self._display, *arguments, **named)

    return call


for _name in _OF_DISPLAY:
    setattr(PX4MavCtrler, _name, _of_display(_name))
