"""What PX4 and MAVLink know of a family of vehicles: `Px4Airframe`."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

__all__ = ["Px4Airframe"]


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
    """

    types: Mapping[int, int] = MappingProxyType({})
    channels: Mapping[str, tuple[int, ...]] = MappingProxyType({})
    defaults: Mapping[str, float] = MappingProxyType({})
