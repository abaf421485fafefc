"""What is fed with inputs, and what has to hold: `TARGETS`."""

from __future__ import annotations

from collections.abc import Callable

from file_targets import (
    LogTarget,
    MixerTarget,
    PlanTarget,
    SceneTarget,
    ScriptTarget,
    ViewTarget,
    WaypointTarget,
)
from link_targets import (
    ArduPilotTarget,
    ConfigurationTarget,
    EventTarget,
    Px4Target,
    TcpTarget,
    WebSocketTarget,
)
from mavlink_targets import FramesTarget, MavlinkTarget, UdpMavlinkTarget
from rflysim_targets import RflySimTarget, StructuresTarget
from serial_targets import Px4HitlTarget, SerialLinkTarget, SerialTarget
from target import Target

__all__ = ["TARGETS", "Target"]

TARGETS: dict[str, Callable[[], Target]] = {
    "rflysim": RflySimTarget,
    "structures": StructuresTarget,
    "frames": FramesTarget,
    "mavlink": MavlinkTarget,
    "mavlink_link": UdpMavlinkTarget,
    "px4": Px4Target,
    "ardupilot": ArduPilotTarget,
    "configuration": ConfigurationTarget,
    "events": EventTarget,
    "tcp": TcpTarget,
    "websocket": WebSocketTarget,
    "serial": SerialTarget,
    "serial_link": SerialLinkTarget,
    "px4_hitl": Px4HitlTarget,
    "scripts": ScriptTarget,
    "plans": PlanTarget,
    "waypoints": WaypointTarget,
    "logs": LogTarget,
    "mixers": MixerTarget,
    "scenes": SceneTarget,
    "view": ViewTarget,
}
"""Targets by name."""
