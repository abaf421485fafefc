"""PX4's HIL_ACTUATOR_CONTROLS: which channel drives which actuator, `channels_of`; in which scale.

Motors that turn one way are 0 to 1, all other actuators -1 to 1 [@px4 msg HIL_ACTUATOR_CONTROLS].
In hardware in the loop the versions before 1.14 have other scales for some vehicles:
`hitl_scales`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from pyrfly.errors import brief

__all__ = ["CHANNELS", "LATEST", "VERSIONS", "Px4Airframe", "Scale", "channels_of", "hitl_scales"]


CHANNELS = 16
"""Number of channels of HIL_ACTUATOR_CONTROLS, as of outputs of an autopilot."""


class Px4Airframe(NamedTuple):
    """A family of vehicles as PX4 has it; by default one that PX4 does not know.

    Attributes
    ----------
    types : mapping of int to int
        MAV_TYPE [@mavlink] by number of actuators; GENERIC (0) for other numbers.
    channels : mapping of str to tuple of int
        Channel of each actuator, from 0, by version of PX4, which are
        `pyrfly.protocol.px4_channels.VERSIONS`; for other versions the channels in their order.
    defaults : mapping of str to float
        Parameters that PX4's start scripts of a simulated vehicle set.
    unscaled : bool
        Whether actuators get channels as they come, whatever an autopilot means by them.
    """

    types: Mapping[int, int] = MappingProxyType({})
    channels: Mapping[str, tuple[int, ...]] = MappingProxyType({})
    defaults: Mapping[str, float] = MappingProxyType({})
    unscaled: bool = False


VERSIONS = ("1.12", "1.13", "1.14", "1.15", "1.16")
"""Versions of PX4 that are known."""

LATEST = VERSIONS[-1]
"""The newest of them."""


def channels_of(airframe: Px4Airframe, count: int, version: str = LATEST) -> tuple[int, ...]:
    """Return the channel of each actuator.

    Parameters
    ----------
    airframe : Px4Airframe
        ``px4_airframe`` of the family of the vehicle.
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
    >>> channels_of(Px4Airframe(), 4)
    (0, 1, 2, 3)
    >>> channels_of(Px4Airframe(channels={"1.12": (0, 5)}), 2, "1.12")
    (0, 5)
    """
    if version not in VERSIONS:
        raise ValueError(f"version: expected one of {', '.join(VERSIONS)}, got {brief(version)}")
    return airframe.channels.get(version, tuple(range(count)))


class Scale(NamedTuple):
    """What to make of a channel: ``gain`` times its value, plus ``offset``."""

    gain: float
    offset: float


_AS_IS, _TO_UNIT, _FROM_UNIT = Scale(1.0, 0.0), Scale(0.5, 0.5), Scale(2.0, -1.0)

_MIXER_VERSIONS = ("1.12", "1.13")
_MIXER_ROTORS = (4, 6, 8)
_THROTTLE = 3


def hitl_scales(
    airframe: Px4Airframe, one_way: Sequence[bool], version: str = LATEST
) -> tuple[Scale, ...]:
    """Return how the channels of hardware in the loop become those of software in the loop.

    Versions 1.12 and 1.13 send the first 4, 6 or 8 channels of a vehicle with as many rotors as
    0 to 1, of any other vehicle only channel 3, and all others as -1 to 1
    [@px4 v1.12.3 HIL_ACTUATOR_CONTROLS.hpp]. Later versions send what they do in software.

    Parameters
    ----------
    airframe : Px4Airframe
        ``px4_airframe`` of the family of the vehicle.
    one_way : sequence of bool
        Which of its actuators, at most 16, are motors that turn one way, 0 to 1.
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
    >>> quad, tricopter = ((True,) * count for count in (4, 3))
    >>> [hitl_scales(Px4Airframe(), motors, "1.12")[0] for motors in (quad, tricopter)]
    [Scale(gain=1.0, offset=0.0), Scale(gain=0.5, offset=0.5)]
    """
    count = len(one_way)
    channels = channels_of(airframe, count, version)
    if version not in _MIXER_VERSIONS or airframe.unscaled:
        return (_AS_IS,) * len(channels)
    units = range(count) if all(one_way) and count in _MIXER_ROTORS else (_THROTTLE,)
    return tuple(
        _AS_IS if unit == (channel in units) else _TO_UNIT if unit else _FROM_UNIT
        for unit, channel in zip(one_way, channels, strict=True)
    )
