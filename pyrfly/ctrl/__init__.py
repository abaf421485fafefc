"""RflySim's control interface, its names and units kept.

In process on a `pyrfly.Sim`, or over RflySim's UDP ports. `PX4MavCtrler` controls one vehicle,
`Swarm` many in one call.
"""

from pyrfly.ctrl.px4_mav_ctrler import PX4MavCtrler
from pyrfly.ctrl.swarm import Swarm
from pyrfly.errors import UnsupportedError

__all__ = ["PX4MavCtrler", "Swarm", "UnsupportedError"]
