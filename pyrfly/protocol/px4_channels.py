"""PX4's HIL_ACTUATOR_CONTROLS: which channel drives which actuator, `channels_of`; in which scale.

Motors that turn one way are 0 to 1, all other actuators -1 to 1 [@px4 msg HIL_ACTUATOR_CONTROLS].
In hardware in the loop the versions before 1.14 have other scales for some vehicles:
`hitl_scales`.
"""

from __future__ import annotations

from typing import NamedTuple

from pyrfly.errors import shown

__all__ = ["LATEST", "VERSIONS", "Scale", "channels_of", "hitl_scales"]

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


class Scale(NamedTuple):
    """What to make of a channel: ``gain`` times its value, plus ``offset``."""

    gain: float
    offset: float


_AS_IS, _TO_UNIT, _FROM_UNIT = Scale(1.0, 0.0), Scale(0.5, 0.5), Scale(2.0, -1.0)

_MIXER_VERSIONS = ("1.12", "1.13")
_MIXER_ROTORS = (4, 6, 8)
_THROTTLE = 3


def hitl_scales(family: str, count: int, version: str = LATEST) -> tuple[Scale, ...]:
    """Return how the channels of hardware in the loop become those of software in the loop.

    Versions 1.12 and 1.13 send the first 4, 6 or 8 channels of a multirotor with as many rotors as
    0 to 1, of any other vehicle only channel 3, and all others as -1 to 1
    [@px4 v1.12.3 HIL_ACTUATOR_CONTROLS.hpp]. Later versions send what they do in software.

    Parameters
    ----------
    family : str
        Family of the vehicle.
    count : int
        Number of actuators, at most 16.
    version : str
        Of PX4, one of `VERSIONS`.

    Returns
    -------
    tuple of Scale
        One for each actuator, of the channel of `channels_of`.

    Raises
    ------
    ValueError
        There is no such version.

    Examples
    --------
    >>> hitl_scales("multirotor", 4, "1.12")[0], hitl_scales("multirotor", 3, "1.12")[0]
    (Scale(gain=1.0, offset=0.0), Scale(gain=0.5, offset=0.5))
    """
    channels = channels_of(family, count, version)
    if version not in _MIXER_VERSIONS:
        return (_AS_IS,) * len(channels)
    one_way = family == "multirotor"
    units = range(count) if one_way and count in _MIXER_ROTORS else (_THROTTLE,)
    scale = _TO_UNIT if one_way else _FROM_UNIT
    return tuple(_AS_IS if one_way == (channel in units) else scale for channel in channels)
