"""RflySim's module ``RflyRosStart``, which starts MAVROS; there is no ROS here, and it says so."""

from __future__ import annotations

import platform
import sys

__all__ = ["RflyRosStart", "isLinux", "isRosOk", "is_use_ros1"]

isLinux = platform.system() == "Linux"
"""Whether this is Linux."""

isRosOk = False
"""Whether there is a ROS: scripts ask before they use it."""

is_use_ros1 = False
"""Whether it is ROS 1."""


class RflyRosStart:
    """Starts nothing; a line on stderr says so.

    Parameters
    ----------
    ID, ip, Com, port, simulinkDLL
        As of RflySim's class; without effect.
    """

    def __init__(
        self,
        ID: int | str = 1,
        ip: str = "127.0.0.1",
        Com: str = "udp",
        port: int = 0,
        simulinkDLL: bool = False,
    ) -> None:
        print(
            "pyrfly: RflyRosStart: MAVROS is not started; docs/ros.md says how it is",
            file=sys.stderr,
        )

    def InitRosLoop(self) -> None:
        """Do nothing."""

    def EndRosLoop(self) -> None:
        """Do nothing."""
