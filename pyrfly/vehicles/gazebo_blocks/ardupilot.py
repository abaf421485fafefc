"""ArduPlane's default outputs, as vehicles of blocks get them: `outputs`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pyrfly.vehicles.gazebo_blocks.parts import rows
from pyrfly.vehicles.gazebo_blocks.tuning import gains, kind_of
from pyrfly.vehicles.parameters import VehicleParameters
from pyrfly.vehicles.winged import ARDUPILOT_OUTPUTS, ARDUPILOT_SURFACES, ARDUPILOT_THROTTLE

__all__ = ["outputs"]

Array = NDArray[np.float64]

_FIRST_LIFT = 4
"""Output of the first motor that lifts, of as many as Q_FRAME_CLASS has
[@ardupilot ArduPlane/quadplane.cpp setup_default_channels]."""

_QUAD_X = ((1, 1, 1), (-1, -1, 1), (1, -1, -1), (-1, 1, -1))
"""Of the motors of Q_FRAME_CLASS 1, Q_FRAME_TYPE 1, which are the defaults: whether in front, on
the right, and counter-clockwise [@ardupilot AP_MotorsMatrix.cpp]."""

_ALONG = 0.7  # share of an axis by which a motor is one that pulls, or one that lifts
_MOVES = 0.5  # share of the strongest joint of an axis from which a joint moves with it


def outputs(parameters: VehicleParameters) -> Array | None:
    """Return the command of each channel per output of ArduPlane.

    Planes have 1 ailerons, 2 elevator, 3 throttle, 4 rudder; quadplanes four motors that lift at 5
    to 8. A joint gets those of the axes that it moves at least half as well as the best one.

    Parameters
    ----------
    parameters : VehicleParameters
        A vehicle of blocks.

    Returns
    -------
    ndarray, shape (channels, 16), or None
        None of tailsitters, of what does not fly by wings, and of motors at other places.
    """
    columns = parameters.columns
    kind = kind_of(columns)
    if not kind.flies or kind.turned:
        return None
    lifts = _lifts(parameters)
    if lifts is None or (kind.hovers and not lifts):
        return None
    found = np.zeros((parameters.actuator_count, ARDUPILOT_OUTPUTS))
    channel = rows(columns, "motor", "channel")[:, 0].astype(int)
    for motor, output in enumerate(lifts):
        found[channel[motor], ARDUPILOT_THROTTLE if output is None else _FIRST_LIFT + output] = 1.0
    allocation = gains(columns, parameters.c_type)["wing_allocation"].reshape(3, -1)
    scaling = rows(columns, "joint", "scaling")[:, 0]
    joints = rows(columns, "joint", "channel")[:, 0].astype(int)
    for output, of_axis in zip(ARDUPILOT_SURFACES, allocation[:, : len(joints)], strict=True):
        share = np.abs(of_axis)
        moves = (share > 0.0) & (share >= _MOVES * share.max(initial=0.0))
        found[joints[moves], output] = np.sign(of_axis * scaling)[moves]
    return found


def _lifts(parameters: VehicleParameters) -> list[int | None] | None:
    """Return the number that each motor has among those that lift, None of one that pulls.

    None at all: they are not those of a quadplane, or they tilt.
    """
    columns = parameters.columns
    axis, place = rows(columns, "motor", "axis"), rows(columns, "motor", "position")
    turns = rows(columns, "motor", "direction")[:, 0]
    if (rows(columns, "motor", "joint") >= 0).any():
        return None
    found: list[int | None] = []
    for k in range(len(axis)):
        if axis[k, 0] > _ALONG:
            found.append(None)
        else:
            where = tuple(np.sign([place[k, 0], place[k, 1], turns[k]]).astype(int).tolist())
            if axis[k, 2] > -_ALONG or where not in _QUAD_X:
                return None
            found.append(_QUAD_X.index(where))
    numbers = [number for number in found if number is not None]
    return found if len(numbers) in (0, 4) and len(set(numbers)) == len(numbers) else None
