"""What PX4 knows of marine craft.

Its outputs are in the order of the thrusters: of the boat (airframe 1070) left and right, of the
BlueROV2 (60002) four horizontal and four vertical ones [@px4 ROMFS/px4fmu_common/init.d-posix].
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from pyrfly.vehicles.driving import PX4_PARAMETERS as DRIVING
from pyrfly.vehicles.px4 import Px4Parameter

__all__ = ["BOAT_DEFAULTS", "PX4_PARAMETERS", "SUBMARINE_DEFAULTS"]

_COLUMNS = "speed_limit accel_limit decel_limit yaw_rate_limit yaw_accel_limit heading_p".split()

PX4_PARAMETERS: Mapping[str, Px4Parameter] = MappingProxyType(
    {name: one for name, one in DRIVING.items() if one.column in _COLUMNS}
)
"""Those of rovers that are limits and gains of boats, which PX4 drives as rovers."""

BOAT_DEFAULTS: Mapping[str, float] = MappingProxyType({"SYS_AUTOSTART": 1070})
SUBMARINE_DEFAULTS: Mapping[str, float] = MappingProxyType({"SYS_AUTOSTART": 60002})
