"""ArduPilot's outputs of marine craft: `outputs`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pyrfly.protocol.ardupilot_frames import FRAMES
from pyrfly.vehicles.marine.parameters import FINS, THRUSTERS
from pyrfly.vehicles.parameters import VehicleParameters

__all__ = ["outputs"]

Array = NDArray[np.float64]

OUTPUTS = 16

FULL = 500.0 / 400.0
"""Command of a pulse that is 500 us off the middle: ArduSub's are full at 1100 and 1900 us."""

_HORIZONTAL = (
    (-1, 1, 0, 0, 0, 1),
    (-1, -1, 0, 0, 0, -1),
    (1, 1, 0, 0, 0, -1),
    (1, -1, 0, 0, 0, 1),
)
_SUB_FRAMES = (
    np.array(  # SUB_FRAME_VECTORED_6DOF
        [
            *_HORIZONTAL,
            *((0, 0, 1, 1, -1, 0), (0, 0, 1, -1, -1, 0), (0, 0, 1, 1, 1, 0), (0, 0, 1, -1, 1, 0)),
        ],
        np.float64,
    ),
    np.array([*_HORIZONTAL, (0, 0, 1, 1, 0, 0), (0, 0, 1, -1, 0, 0)], np.float64),  # ..._VECTORED
)
"""What a pulse above the middle does of each motor of ArduSub: signs of the force and the moment
along the axes of the body, FRD [@ardupilot AP_Motors6DOF.cpp, SIM_Submarine.cpp]."""

_PARALLEL = 0.9
"""Cosine between the axes of a thruster and of a motor of a frame, at least."""


def outputs(parameters: VehicleParameters) -> Array | None:
    """Return the command of each actuator per output of ArduPilot, shape (12, 16).

    Those of ArduRover for a boat with a thruster on each side, steered as with skid steering, and
    for what has one propeller and one rudder, steered as a car; those of ArduSub for an underwater
    vehicle with thrusters as its vectored frames have. None of others. Other outputs, such as of
    lights and a gripper, move nothing.
    """
    axes, places = _parts(parameters, ("thruster_axis", "thruster_position"), THRUSTERS)
    normals, arms = _parts(parameters, ("fin_normal", "fin_position"), FINS)
    used, fins = (np.flatnonzero(of.any(axis=0)) for of in (axes, normals))
    axes, places = axes[:, used], places[:, used]
    if len(fins):
        found = _of_rudder(axes, (arms[0] * normals[1])[fins])
    else:
        found = _of_sides(axes, places)
        found = _of_sub(axes, places) if found is None else found
    if found is None:
        return None
    mix = np.zeros((THRUSTERS + FINS, OUTPUTS))
    mix[[*used, *THRUSTERS + fins]] = found
    return mix


def _parts(parameters: VehicleParameters, names: tuple[str, ...], count: int) -> list[Array]:
    """Return columns of vectors, one per part, of shape (3, count)."""
    return [parameters.columns[name].reshape(3, count) for name in names]


def _of_sides(axes: Array, places: Array) -> Array | None:
    """Return the commands of two thrusters ahead, left and right, per output of ArduRover."""
    sides = np.argsort(places[1], kind="stable")
    if len(sides) != 2 or not (axes[0] > _PARALLEL).all():
        return None
    if not places[1, sides[0]] < 0.0 < places[1, sides[1]]:
        return None
    mix = np.zeros((2, OUTPUTS))
    mix[sides, FRAMES["skid_steering"].outputs] = 1.0
    return mix


def _of_rudder(axes: Array, turning: Array) -> Array | None:
    """Return the commands of a propeller ahead and a rudder per output of ArduRover.

    Of each fin the yaw moment at a positive angle is given; steering is to the right.
    """
    if axes.shape[1] != 1 or len(turning) != 1 or not turning[0]:
        return None
    if axes[0, 0] < _PARALLEL * np.linalg.norm(axes):
        return None
    mix = np.zeros((2, OUTPUTS))
    mix[[0, 1], FRAMES["ackermann"].outputs] = 1.0, np.sign(turning[0])
    return mix


def _of_sub(axes: Array, places: Array) -> Array | None:
    """Return the commands of thrusters per output of the frame of ArduSub that has as many."""
    frame = next((some for some in _SUB_FRAMES if len(some) == axes.shape[1]), None)
    if frame is None:
        return None
    moments = np.cross(places, axes, axis=0)
    mix = np.zeros((len(frame), OUTPUTS))
    for output, motor in enumerate(frame):
        force, moment = motor[:3], motor[3:]
        along = force @ axes / (np.linalg.norm(force) * np.linalg.norm(axes, axis=0))
        sense = np.sign(along)
        turning = np.where(np.abs(along) > _PARALLEL, sense * (moment @ moments), 0.0)
        best = int(np.argmax(turning))
        if turning[best] <= 0.0 or mix[best].any():
            return None
        mix[best, output] = FULL * sense[best]
    return mix
