"""Which of ArduPilot's outputs drives which actuator: `FRAMES`, `outputs`.

A frame of ArduCopter (FRAME_CLASS, FRAME_TYPE) says at which angle and in which direction each
output's motor turns. Where a layout of ours (``pyrfly.vehicles.multirotor.layouts``) has a rotor at
each of these angles with these directions, the frame is in the table. Most frames need no
re-ordering, as the layouts are PX4's, and PX4 and ArduPilot number alike.

Sources: [@ardupilot AP_MotorsMatrix.cpp] for the frames, of which outputs 1 to n are the motors by
default; ArduRover's set-up of skid steering for ``differential`` (SERVO1_FUNCTION 73,
SERVO3_FUNCTION 74: throttle of the left and of the right side), and its default for ``ackermann``
(SERVO1_FUNCTION 26, SERVO3_FUNCTION 70: steering and throttle). The coaxial layouts have no
vertical distance between upper and lower rotors, and the frames of four arms differ in nothing
else.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from pyrfly.errors import brief, near_names

__all__ = ["FRAMES", "Frame", "outputs"]


class Frame(NamedTuple):
    """A frame of ArduPilot and the layout that it fits.

    Attributes
    ----------
    layout : str
        Name of the rotor layout, ``"differential"``: a left and a right side, or ``"ackermann"``:
        throttle and steering.
    frame_class : int
        ArduPilot's FRAME_CLASS.
    frame_type : int or None
        ArduPilot's FRAME_TYPE; None: any that is in no other row of the class.
    outputs : tuple of int
        Index of the output of each actuator, from 0, in the order of the layout.
    """

    layout: str
    frame_class: int
    frame_type: int | None
    outputs: tuple[int, ...]


_FOUR, _SIX, _EIGHT = tuple(range(4)), tuple(range(6)), tuple(range(8))

FRAMES: Mapping[str, Frame] = MappingProxyType(
    {
        "quad_x": Frame("quad_x", 1, 1, _FOUR),
        "quad_bf_x": Frame("quad_x", 1, 12, (1, 2, 3, 0)),
        "quad_dji_x": Frame("quad_x", 1, 13, (0, 2, 1, 3)),
        "quad_cw_x": Frame("quad_x", 1, 14, (0, 2, 3, 1)),
        "quad_plus": Frame("quad_plus", 1, 0, _FOUR),
        "hexa_x": Frame("hex_x", 2, 1, _SIX),
        "hexa_dji_x": Frame("hex_x", 2, 13, (5, 2, 1, 4, 0, 3)),
        "hexa_cw_x": Frame("hex_x", 2, 14, (1, 4, 5, 2, 0, 3)),
        "hexa_plus": Frame("hex_plus", 2, 0, _SIX),
        "octa_x": Frame("octo_x", 3, 1, _EIGHT),
        "octa_plus": Frame("octo_plus", 3, 0, _EIGHT),
        "octaquad_x": Frame("octo_coax", 4, 1, _EIGHT),
        "octaquad_h": Frame("octo_coax", 4, 3, (5, 4, 7, 6, 1, 0, 3, 2)),
        "octaquad_bf_x": Frame("octo_coax", 4, 12, (1, 3, 2, 0, 7, 5, 4, 6)),
        "octaquad_cw_x": Frame("octo_coax", 4, 14, (0, 6, 4, 2, 7, 1, 3, 5)),
        "octaquad_bf_x_rev": Frame("octo_coax", 4, 18, (5, 7, 6, 4, 3, 1, 0, 2)),
        "y6b": Frame("hex_coax", 5, 10, _SIX),
        "y6f": Frame("hex_coax", 5, 11, (4, 1, 3, 0, 5, 2)),
        "y6": Frame("hex_coax", 5, None, (4, 0, 3, 5, 1, 2)),
        "skid_steering": Frame("differential", 1, None, (0, 2)),
        "ackermann": Frame("ackermann", 1, None, (2, 0)),
    }
)
"""Frames by name; the first one of a layout is its default."""


def outputs(layout: str | None, count: int, frame: str | None = None) -> tuple[int, ...]:
    """Return which of ArduPilot's outputs drives each actuator of a vehicle.

    Parameters
    ----------
    layout : str or None
        ``layout`` of the vehicle's `pyrfly.vehicles.VehicleParameters`; None for rotors at other
        places.
    count : int
        Number of its actuators.
    frame : str, optional
        A key of `FRAMES`; by default the first one of the layout.

    Returns
    -------
    tuple of int
        Index of the output, from 0, of each actuator. For a layout that is in no frame, the first
        ``count`` outputs in their order.

    Raises
    ------
    ValueError
        The frame is unknown, or is one of another layout.

    Examples
    --------
    >>> outputs("quad_x", 4), outputs("quad_x", 4, "quad_dji_x"), outputs(None, 3)
    ((0, 1, 2, 3), (0, 2, 1, 3), (0, 1, 2))
    """
    if frame is None:
        fitting = (known.outputs for known in FRAMES.values() if known.layout == layout)
        return next(fitting, tuple(range(count)))
    if frame not in FRAMES:
        near = near_names(str(frame)[:80], FRAMES)
        raise ValueError(f"frame: unknown name {brief(frame)}; try {near}")
    if FRAMES[frame].layout != layout:
        raise ValueError(
            f"frame: expected one of the layout {layout}, got {frame} of {FRAMES[frame].layout}"
        )
    return FRAMES[frame].outputs
