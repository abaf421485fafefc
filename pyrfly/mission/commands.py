"""Commands of MAVLink that ground stations write into plans or send as missions [@mavlink]."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["COMMAND_NAMES", "SKIPPED", "skipped_text"]

# Names of MAV_CMD.
COMMAND_NAMES = {
    16: "NAV_WAYPOINT",
    17: "NAV_LOITER_UNLIM",
    18: "NAV_LOITER_TURNS",
    19: "NAV_LOITER_TIME",
    20: "NAV_RETURN_TO_LAUNCH",
    21: "NAV_LAND",
    22: "NAV_TAKEOFF",
    23: "NAV_LAND_LOCAL",
    24: "NAV_TAKEOFF_LOCAL",
    30: "NAV_CONTINUE_AND_CHANGE_ALT",
    31: "NAV_LOITER_TO_ALT",
    80: "NAV_ROI",
    82: "NAV_SPLINE_WAYPOINT",
    84: "NAV_VTOL_TAKEOFF",
    85: "NAV_VTOL_LAND",
    92: "NAV_GUIDED_ENABLE",
    93: "NAV_DELAY",
    94: "NAV_PAYLOAD_PLACE",
    112: "CONDITION_DELAY",
    113: "CONDITION_CHANGE_ALT",
    114: "CONDITION_DISTANCE",
    115: "CONDITION_YAW",
    176: "DO_SET_MODE",
    177: "DO_JUMP",
    178: "DO_CHANGE_SPEED",
    179: "DO_SET_HOME",
    181: "DO_SET_RELAY",
    182: "DO_REPEAT_RELAY",
    183: "DO_SET_SERVO",
    184: "DO_REPEAT_SERVO",
    187: "DO_SET_ACTUATOR",
    189: "DO_LAND_START",
    194: "DO_SET_REVERSE",
    195: "DO_SET_ROI_LOCATION",
    196: "DO_SET_ROI_WPNEXT_OFFSET",
    197: "DO_SET_ROI_NONE",
    200: "DO_CONTROL_VIDEO",
    201: "DO_SET_ROI",
    203: "DO_DIGICAM_CONTROL",
    204: "DO_MOUNT_CONFIGURE",
    205: "DO_MOUNT_CONTROL",
    206: "DO_SET_CAM_TRIGG_DIST",
    207: "DO_FENCE_ENABLE",
    208: "DO_PARACHUTE",
    211: "DO_GRIPPER",
    212: "DO_AUTOTUNE_ENABLE",
    214: "DO_SET_CAM_TRIGG_INTERVAL",
    260: "OBLIQUE_SURVEY",
    530: "SET_CAMERA_MODE",
    531: "SET_CAMERA_ZOOM",
    532: "SET_CAMERA_FOCUS",
    534: "SET_CAMERA_SOURCE",
    1000: "DO_GIMBAL_MANAGER_PITCHYAW",
    1001: "DO_GIMBAL_MANAGER_CONFIGURE",
    2000: "IMAGE_START_CAPTURE",
    2001: "IMAGE_STOP_CAPTURE",
    2003: "DO_TRIGGER_CONTROL",
    2500: "VIDEO_START_CAPTURE",
    2501: "VIDEO_STOP_CAPTURE",
    3000: "DO_VTOL_TRANSITION",
    4501: "CONDITION_GATE",
    5000: "NAV_FENCE_RETURN_POINT",
    5001: "NAV_FENCE_POLYGON_VERTEX_INCLUSION",
    5002: "NAV_FENCE_POLYGON_VERTEX_EXCLUSION",
    5003: "NAV_FENCE_CIRCLE_INCLUSION",
    5004: "NAV_FENCE_CIRCLE_EXCLUSION",
    5100: "NAV_RALLY_POINT",
    42600: "DO_WINCH",
}

# Commands that PX4 accepts in missions and that do not move a multirotor or a rover: payload,
# conditions on commands of the payload.
SKIPPED = (
    *(114, 187, 200, 203, 204, 205, 206, 214, 260, 530, 531, 532, 534, 1000, 1001),
    *(2000, 2001, 2003, 2500, 2501, 4501, 42600),
)


def skipped_text(entries: Iterable[tuple[int, int]]) -> tuple[str, ...]:
    """Return a description per command of skipped items, given as (command, number)."""
    numbers: dict[int, list[str]] = {}
    for command, number in entries:
        numbers.setdefault(command, []).append(str(number))
    return tuple(
        f"{command} {COMMAND_NAMES[command]} (item{'s' * (len(where) > 1)} {', '.join(where)})"
        for command, where in sorted(numbers.items())
    )
