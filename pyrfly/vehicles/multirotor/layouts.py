"""Rotor layouts of RflySim's ``uavType`` 1 to 10.

A layout defines positions and rotation directions of the rotors; a parameter set
(`pyrfly.vehicles`) adds size, mass and coefficients. Rotor i of a layout is at
``(arm cos psi, arm sin psi, 0)`` in the body frame (x forward, y right, z down), psi from x towards
y; all thrusts are along -z. Rotation directions seen from above: -1 counter-clockwise,
+1 clockwise.

Source: the tables of RflySim's control effectiveness model in [@rfly-models FEISI-X150]. The
numbering is that of PX4's mixers, so PX4's outputs need no re-ordering, but for the Y layouts:
PX4's 3y has the left rotor second, the tail last. For ``octo_coax`` older models have all eight
directions reversed; this is the newer table, which agrees with PX4's octa_cox mixer. The coaxial
layouts have no vertical distance between upper and lower rotors. The three
rotors of the Y layouts have equal rotation directions: the model has no servo for yaw, and the
reaction torques add up.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import pi
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from pyrfly import exact
from pyrfly.errors import ParameterError, brief, near_names

__all__ = ["LAYOUTS", "Layout", "find"]

CCW = -1
CW = 1


@dataclass(frozen=True)
class Layout:
    """Positions and rotation directions of the rotors of a vehicle.

    Attributes
    ----------
    name : str
        Name in parameter files.
    uav_type : int
        RflySim's ``ModelParam_uavType``.
    psi : tuple of float
        Angle of each arm from the body x axis towards y [rad].
    direction : tuple of int
        -1 counter-clockwise, +1 clockwise, seen from above.
    """

    name: str
    uav_type: int
    psi: tuple[float, ...]
    direction: tuple[int, ...]

    @property
    def rotor_count(self) -> int:
        """Number of rotors."""
        return len(self.psi)

    def positions(self, arm: float) -> NDArray[np.float64]:
        """Return the positions of the rotor hubs for an arm length.

        Parameters
        ----------
        arm : float
            Distance of every hub from the centre [m].

        Returns
        -------
        ndarray, shape (rotor_count, 3), float64
            Hubs [m] in the body frame, forward-right-down.
        """
        sine, cosine = exact.sincos(self.psi)
        return np.column_stack([arm * cosine, arm * sine, np.zeros(len(sine))])

    def axes(self) -> NDArray[np.float64]:
        """Return the unit vectors of the thrusts.

        Returns
        -------
        ndarray, shape (rotor_count, 3), float64
            ``(0, 0, -1)`` for every rotor: up, in the forward-right-down body frame.
        """
        return np.tile([0.0, 0.0, -1.0], (self.rotor_count, 1))

    def directions(self) -> NDArray[np.float64]:
        """Return the rotation directions.

        Returns
        -------
        ndarray, shape (rotor_count,), float64
            -1 counter-clockwise, +1 clockwise, seen from above.
        """
        return np.array(self.direction, dtype=np.float64)


_TABLE = (
    Layout("tri_y_plus", 1, (pi / 3, pi, -pi / 3), (CCW, CCW, CCW)),
    Layout("tri_y_minus", 2, (pi / 3, pi, -pi / 3), (CW, CW, CW)),
    Layout("quad_x", 3, (pi / 4, 5 * pi / 4, 7 * pi / 4, 3 * pi / 4), (CCW, CCW, CW, CW)),
    Layout("quad_plus", 4, (pi / 2, 3 * pi / 2, 0.0, pi), (CCW, CCW, CW, CW)),
    Layout(
        "hex_x",
        5,
        (pi / 2, 3 * pi / 2, 11 * pi / 6, 5 * pi / 6, pi / 6, 7 * pi / 6),
        (CW, CCW, CW, CCW, CCW, CW),
    ),
    Layout(
        "hex_plus",
        6,
        (0.0, pi, 4 * pi / 3, pi / 3, -pi / 3, 2 * pi / 3),
        (CW, CCW, CW, CCW, CCW, CW),
    ),
    Layout(
        "hex_coax",
        7,
        (pi / 3, pi / 3, pi, pi, -pi / 3, -pi / 3),
        (CW, CCW, CW, CCW, CW, CCW),
    ),
    Layout(
        "octo_x",
        8,
        (
            pi / 8,
            9 * pi / 8,
            3 * pi / 8,
            7 * pi / 8,
            -pi / 8,
            11 * pi / 8,
            13 * pi / 8,
            5 * pi / 8,
        ),
        (CW, CW, CCW, CCW, CCW, CCW, CW, CW),
    ),
    Layout(
        "octo_plus",
        9,
        (0.0, pi, pi / 4, 3 * pi / 4, -pi / 4, 5 * pi / 4, 3 * pi / 2, pi / 2),
        (CW, CW, CCW, CCW, CCW, CCW, CW, CW),
    ),
    Layout(
        "octo_coax",
        10,
        (pi / 4, -pi / 4, 5 * pi / 4, 3 * pi / 4, -pi / 4, pi / 4, 3 * pi / 4, 5 * pi / 4),
        (CCW, CW, CCW, CW, CCW, CW, CCW, CW),
    ),
)

LAYOUTS: Mapping[str, Layout] = MappingProxyType({layout.name: layout for layout in _TABLE})
"""All layouts by name, in the order of ``uavType``."""


def find(name: str, what: str = "layout") -> Layout:
    """Return the layout of a name.

    Parameters
    ----------
    name : str
        One of the keys of `LAYOUTS`.
    what : str
        The entry that has the name, for the message.

    Returns
    -------
    Layout
        The layout.

    Raises
    ------
    ParameterError
        The name is unknown; the message lists similar ones.
    """
    if name in LAYOUTS:
        return LAYOUTS[name]
    near = near_names(name[:80], LAYOUTS)
    raise ParameterError(f"{what}: unknown name {brief(name)}; try {near}")
