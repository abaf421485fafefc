"""How a PX4 is brought into offboard, in the order and with the pauses of RflySim [@rfly-sdk]."""

from __future__ import annotations

import time

from pyrfly.ctrl.link.mavlink_messages import (
    Message,
    arm,
    parameter_bits,
    parameter_set,
    set_mode,
)
from pyrfly.ctrl.link.protocols import Link, MavlinkMessages
from pyrfly.ctrl.vendor_types import PX4_CUSTOM_MAIN_MODE as MAIN
from pyrfly.ctrl.vendor_types import PX4_CUSTOM_SUB_MODE_AUTO as AUTO
from pyrfly.mavlink.constants import ParamType

__all__ = ["enter_offboard", "loiter"]

SETTLED = 0.5  # s after the change to AUTO.LOITER
STREAM = 0.2  # s of set-points before the vehicle is armed: PX4 wants some before the change
PAUSE = 0.1  # s between the requests
REMOTE_CONTROL_IN_OFFBOARD = 4  # bit 2 of COM_RCL_EXCEPT: its loss has no effect in offboard


def loiter(link: MavlinkMessages) -> None:
    """Change to AUTO.LOITER, in which a PX4 holds its position, and wait until it has."""
    main, sub = MAIN.PX4_CUSTOM_MAIN_MODE_AUTO, AUTO.PX4_CUSTOM_SUB_MODE_AUTO_LOITER
    link.send_message(set_mode(main, sub))
    time.sleep(SETTLED)


def enter_offboard(link: Link, requests: int = 2) -> None:
    """Stream set-points, arm if disarmed, and change to OFFBOARD.

    Parameters
    ----------
    link : Link
        A link with `MavlinkMessages`, which has a set-point.
    requests : int
        How often to request OFFBOARD.
    """
    assert isinstance(link, MavlinkMessages)
    link.track(True)
    for message in _without_failsafes():
        link.send_message(message)
    time.sleep(STREAM)
    if not link.estimate.armed.all():
        link.send_message(arm(True))
    for _ in range(requests):
        time.sleep(PAUSE)
        link.send_message(set_mode(MAIN.PX4_CUSTOM_MAIN_MODE_OFFBOARD))


def _without_failsafes() -> list[Message]:
    """Return what sets PX4 to stay in offboard without remote control and ground station."""
    values = {
        b"NAV_RCL_ACT": 0,
        b"NAV_DLL_ACT": 0,
        b"COM_RCL_EXCEPT": REMOTE_CONTROL_IN_OFFBOARD,
    }
    kind = ParamType.INT32
    return [parameter_set(name, parameter_bits(v, kind), kind) for name, v in values.items()]
