"""RflySim's control interface, its names and units kept, in process on a `pyrfly.Sim`."""

from pyrfly.ctrl.px4_mav_ctrler import PX4MavCtrler

__all__ = ["PX4MavCtrler"]
