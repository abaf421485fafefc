"""Outputs of sums and helicopters for many vehicles: `sum_output`, `helicopter_outputs`.

As PX4 computes them [@px4 v1.12.3 SimpleMixer.cpp, HelicopterMixer.cpp], in 64 bits. Only
elementwise additions, multiplications and divisions in a fixed order, and sines of `pyrfly.exact`:
results have the same bits on every processor.
"""

from __future__ import annotations

import math

import numpy as np

from pyrfly import exact
from pyrfly.mixers.controls import Array
from pyrfly.mixers.definitions import Helicopter, Scaler, Sum

__all__ = ["ROLL_PITCH_YAW_THRUST", "helicopter_outputs", "scaled", "sum_output"]

ROLL_PITCH_YAW_THRUST = (0, 1, 2, 3)
"""Indices in group 0."""

_POINTS = 5
_SPACING = 0.25
_MAXIMUM_PITCH = 0.5


def scaled(scaler: Scaler, values: Array) -> Array:
    """Return values scaled by sign, with the offset, within the limits."""
    gains = np.where(values < 0.0, scaler.negative, scaler.positive)
    return np.clip(values * gains + scaler.offset, scaler.minimum, scaler.maximum)


def sum_output(definition: Sum, controls: Array) -> Array:
    """Return the output of a sum, shape (n, 1), without its limit of the rate."""
    total = np.zeros(len(controls))
    for control in definition.controls:
        total = total + scaled(control.scaler, controls[:, control.group, control.index])
    return scaled(definition.scaler, total)[:, None]


def helicopter_outputs(definition: Helicopter, controls: Array) -> Array:
    """Return the outputs of a helicopter: throttle -1 to 1, then the servos; shape (n, 1 + servos).

    The collective pitch is limited to plus and minus 0.5. A longer arm multiplies the cyclic
    commands, although PX4's guide says that it reduces the deflection.
    """
    roll, pitch, _, thrust = (controls[:, 0, i] for i in ROLL_PITCH_YAW_THRUST)
    throttle = np.clip(2.0 * _curve(definition.throttle, thrust) - 1.0, -1.0, 1.0)
    collective = np.clip(_curve(definition.pitch, thrust), -_MAXIMUM_PITCH, _MAXIMUM_PITCH)
    outputs = [throttle]
    for servo in definition.servos:
        sine, cosine = exact.sincos(math.radians(servo.angle))
        cyclic = cosine * pitch * servo.arm - sine * roll * servo.arm
        deflection = (collective + cyclic) * servo.scale + servo.offset
        outputs.append(np.clip(deflection, servo.minimum, servo.maximum))
    return np.stack(outputs, axis=-1)


def _curve(points: tuple[float, ...], thrust: Array) -> Array:
    """Return a curve through points at equal distances of the thrust, straight on below 0."""
    index = np.clip(np.floor(thrust / _SPACING), 0, _POINTS - 2).astype(np.intp)
    low, high = np.asarray(points)[index], np.asarray(points)[index + 1]
    return np.asarray(low + (high - low) * (thrust / _SPACING - index))
