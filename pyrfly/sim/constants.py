"""What Python repeats of the core, or derives from its tables, until the core gives it."""

from __future__ import annotations

import hashlib

from pyrfly.columns import fields_of_type

__all__ = [
    "HASHED_ROLES",
    "HAS_HOME",
    "NAVIGATOR_KEPT",
    "NAVIGATOR_ROLES",
    "NAVIGATOR_SETTINGS",
    "RESET_ROLES",
    "STATUS_TEXT",
    "layout_version",
]

STATUS_TEXT = {
    1 << 0: "not finite",
    1 << 1: "too far away",
    1 << 2: "too fast",
    1 << 3: "spinning too fast",
    1 << 4: "rotor overspeed",
    1 << 5: "attitude not a unit quaternion",
}
"""What the bits of the ``status`` column mean (``csrc/base/status.h``)."""

HAS_HOME = 1 << 1
"""Bit of ``navigator_flags``: ``home`` is known (``csrc/control/navigator.h``)."""

HASHED_ROLES = ("state", "controller", "flag", "navigator", "navigator word")
"""Roles of columns that are part of `Sim.hash`."""

RESET_ROLES = ("state", "setpoint", "controller", "flag")
"""Roles of columns that are 0 after a reset; so are the actuators' commands, the first input."""

NAVIGATOR_ROLES = ("navigator", "navigator word")
NAVIGATOR_SETTINGS = {"takeoff_height": 10.0, "takeoff_speed": 1.5, "landing_speed": 0.7}
"""Height of seed 000 section 9.2.1.2 [m]; PX4's MPC_TKO_SPEED and MPC_LAND_SPEED [m/s]."""

NAVIGATOR_KEPT = {*NAVIGATOR_SETTINGS, "sil_frame"}
"""Columns of the navigator that are settings."""


def layout_version(c_type: str) -> str:
    """Return a digest of the columns of a vehicle type of the core: names, widths and roles.

    Vehicles of one version hold the same numbers in the same order.
    """
    rows = [(field.name, field.width, field.role) for field in fields_of_type(c_type)]
    return hashlib.blake2b(repr(rows).encode(), digest_size=8).hexdigest()
