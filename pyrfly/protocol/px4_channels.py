"""Which channel of PX4's HIL_ACTUATOR_CONTROLS drives which actuator: `channels_of`.

Motors that turn one way are 0 to 1, all other actuators -1 to 1 [@px4 msg HIL_ACTUATOR_CONTROLS].
"""

from __future__ import annotations

from pyrfly.errors import shown

__all__ = ["LATEST", "VERSIONS", "channels_of"]

VERSIONS = ("1.12", "1.13", "1.14", "1.15", "1.16")
"""Versions of PX4 that are known."""

LATEST = VERSIONS[-1]

_LEFT_FIRST, _RIGHT_FIRST = (0, 5), (5, 0)
_ROVER = {
    # mixer rover_diff_sitl: 0, 1 are throttle + yaw, which turns right, 5, 6 throttle - yaw
    "1.12": _LEFT_FIRST,
    "1.13": _LEFT_FIRST,
    # motor 1 (outputs 0, 1) has a yaw moment of +0.5, motor 2 (outputs 5, 6) of -0.5
    "1.14": _LEFT_FIRST,
    # the module rover_differential: motor 1 is throttle - difference, so that it is the right one
    "1.15": _RIGHT_FIRST,
    "1.16": _RIGHT_FIRST,
}
"""Channels of the left and right side, airframes 1061 and its predecessor [@px4]."""


def channels_of(family: str, count: int, version: str = LATEST) -> tuple[int, ...]:
    """Return the channel of each actuator.

    Parameters
    ----------
    family : str
        Family of the vehicle. The rotors of multirotors are numbered as PX4's; those of other
        families without a row in the table are taken in their order.
    count : int
        Number of actuators, at most 16.
    version : str
        Of PX4, one of `VERSIONS`.

    Raises
    ------
    ValueError
        There is no such version.

    Examples
    --------
    >>> channels_of("multirotor", 4)
    (0, 1, 2, 3)
    >>> channels_of("rover", 2, "1.12"), channels_of("rover", 2, "1.16")
    ((0, 5), (5, 0))
    """
    if version not in VERSIONS:
        raise ValueError(f"version: expected one of {', '.join(VERSIONS)}, got {shown(version)}")
    return _ROVER[version] if family == "rover" else tuple(range(count))
