"""Geometries of multirotors in mixer files: `GEOMETRIES`.

PX4 computes these rows when it is built, from positions, axes and rotation directions of the
motors: the pseudo-inverse of the matrix of their forces and moments, whose columns are then
normalized, and printed with six decimals [@px4 v1.12.3 px_generate_mixers.py]. These decimals are
what flies, so they are written here: a pseudo-inverse has other last bits on other processors.
"""

from __future__ import annotations

from collections.abc import Mapping

from pyrfly.errors import table_of

__all__ = ["GEOMETRIES", "Row"]

Row = tuple[float, float, float, float]
"""Gains of a motor: roll, pitch, yaw, thrust."""

_ROWS: dict[str, tuple[Row, ...]] = {
    "2-": (
        (-0.707107, 0.0, 0.0, 1.0),  # right, CW
        (0.707107, 0.0, 0.0, 1.0),  # left, CW
    ),
    "3y": (
        (-0.866025, 0.5, 0.0, 1.0),  # front right, CW
        (0.866025, 0.5, 0.0, 1.0),  # front left, CW
        (0.0, -1.0, 0.0, 1.0),  # rear, CW
    ),
    "4+": (
        (-1.0, 0.0, 1.0, 1.0),  # right, CCW
        (1.0, 0.0, 1.0, 1.0),  # left, CCW
        (0.0, 1.0, -1.0, 1.0),  # front, CW
        (0.0, -1.0, -1.0, 1.0),  # rear, CW
    ),
    "4dc": (
        (-0.495383, 0.707107, 0.765306, 1.237624),  # front right, CCW
        (0.495383, -0.707107, 1.0, 0.762376),  # rear left, CCW
        (0.495383, 0.707107, -0.765306, 1.237624),  # front left, CW
        (-0.495383, -0.707107, -1.0, 0.762376),  # rear right, CW
    ),
    "4h": (
        (-0.707107, 0.707107, -1.0, 1.0),  # front right, CW
        (0.707107, -0.707107, -1.0, 1.0),  # rear left, CW
        (0.707107, 0.707107, 1.0, 1.0),  # front left, CCW
        (-0.707107, -0.707107, 1.0, 1.0),  # rear right, CCW
    ),
    "4s": (
        (-0.707107, 0.623601, 0.424615, 1.0),  # front right, CCW
        (0.707107, -0.623601, 1.0, 1.0),  # rear left, CCW
        (0.707107, 0.623601, -0.424615, 1.0),  # front left, CW
        (-0.707107, -0.623601, -1.0, 1.0),  # rear right, CW
    ),
    "4vt": (
        (-0.999692, 0.476462, -1.0, 0.938363),  # front right, CW
        (0.024803, -0.673818, -0.34284, 1.061637),  # rear left, CW
        (0.999692, 0.476462, 1.0, 0.938363),  # front left, CCW
        (-0.024803, -0.673818, 0.34284, 1.061637),  # rear right, CCW
    ),
    "4w": (
        (-0.495383, 0.707107, 0.765306, 1.0),  # front right, CCW
        (0.495383, -0.707107, 1.0, 1.0),  # rear left, CCW
        (0.495383, 0.707107, -0.765306, 1.0),  # front left, CW
        (-0.495383, -0.707107, -1.0, 1.0),  # rear right, CW
    ),
    "4x": (
        (-0.707107, 0.707107, 1.0, 1.0),  # front right, CCW
        (0.707107, -0.707107, 1.0, 1.0),  # rear left, CCW
        (0.707107, 0.707107, -1.0, 1.0),  # front left, CW
        (-0.707107, -0.707107, -1.0, 1.0),  # rear right, CW
    ),
    "4x1p": (
        (-0.790569, 0.790569, 1.0, 1.0),  # front right, CCW
        (0.790569, -0.790569, 1.0, 1.0),  # rear left, CCW
        (0.790569, 0.790569, -1.0, 1.0),  # front left, CW
        (-0.790569, -0.790569, -1.0, 1.0),  # rear right, CW
        (0.0, 0.0, 0.0, 0.0),  # pusher, CW
    ),
    "4xcw": (
        (-0.707107, 0.707107, 1.0, 1.0),  # front right, CCW
        (-0.707107, -0.707107, -1.0, 1.0),  # rear right, CW
        (0.707107, -0.707107, 1.0, 1.0),  # rear left, CCW
        (0.707107, 0.707107, -1.0, 1.0),  # front left, CW
    ),
    "4y": (
        (-0.707107, 0.353553, 0.0, 1.0),  # front right, CCW
        (0.707107, -0.353553, 1.0, 1.0),  # rear top, CCW
        (0.707107, 0.353553, 0.0, 1.0),  # front left, CW
        (-0.707107, -0.353553, -1.0, 1.0),  # rear bottom, CW
    ),
    "6+": (
        (0.0, 1.0, -1.0, 1.0),  # front, CW
        (0.0, -1.0, 1.0, 1.0),  # rear, CCW
        (0.866025, -0.5, -1.0, 1.0),  # rear left, CW
        (-0.866025, 0.5, 1.0, 1.0),  # front right, CCW
        (0.866025, 0.5, 1.0, 1.0),  # front left, CCW
        (-0.866025, -0.5, -1.0, 1.0),  # rear right, CW
    ),
    "6a": (
        (-1.0, 0.0, 1.0, 1.0),  # mid right bottom, CCW
        (1.0, 0.0, -1.0, 1.0),  # mid left bottom, CW
        (0.5, 0.866025, 1.0, 1.0),  # front left bottom, CCW
        (-0.5, -0.866025, -1.0, 1.0),  # rear right bottom, CW
        (-0.5, 0.866025, -1.0, 1.0),  # front right bottom, CW
        (0.5, -0.866025, 1.0, 1.0),  # rear left bottom, CCW
    ),
    "6c": (
        (-0.866025, 0.499985, -1.0, 1.0),  # front right top, CW
        (-0.866025, 0.499985, 1.0, 1.0),  # front right bottom, CCW
        (0.0, -0.999971, -1.0, 1.0),  # rear top, CW
        (0.0, -0.999971, 1.0, 1.0),  # rear bottom, CCW
        (0.866025, 0.499985, -1.0, 1.0),  # front left top, CW
        (0.866025, 0.499985, 1.0, 1.0),  # front left bottom, CCW
    ),
    "6m": (
        (-1.0, 0.0, -1.0, 1.0),  # mid right top, CW
        (1.0, 0.0, 1.0, 1.0),  # mid left top, CCW
        (0.5, 0.866025, -1.0, 1.0),  # front left top, CW
        (-0.5, -0.866025, 1.0, 1.0),  # rear right top, CCW
        (-0.5, 0.866025, 1.0, 1.0),  # front right top, CCW
        (0.5, -0.866025, -1.0, 1.0),  # rear left top, CW
    ),
    "6t": (
        (-0.866025, 0.342603, -1.0, 0.867553),  # front right top, CW
        (-0.866025, 0.342603, 1.0, 0.867553),  # front right bottom, CCW
        (0.0, -0.685207, -1.0, 1.264893),  # rear top, CW
        (0.0, -0.685207, 1.0, 1.264893),  # rear bottom, CCW
        (0.866025, 0.342603, -1.0, 0.867553),  # front left top, CW
        (0.866025, 0.342603, 1.0, 0.867553),  # front left bottom, CCW
    ),
    "6x": (
        (-1.0, 0.0, -1.0, 1.0),  # mid right, CW
        (1.0, 0.0, 1.0, 1.0),  # mid left, CCW
        (0.5, 0.866025, -1.0, 1.0),  # front left, CW
        (-0.5, -0.866025, 1.0, 1.0),  # rear right, CCW
        (-0.5, 0.866025, 1.0, 1.0),  # front right, CCW
        (0.5, -0.866025, -1.0, 1.0),  # rear left, CW
    ),
    "8+": (
        (0.0, 1.0, -1.0, 1.0),  # front, CW
        (0.0, -1.0, -1.0, 1.0),  # rear, CW
        (-0.707107, 0.707107, 1.0, 1.0),  # front right, CCW
        (-0.707107, -0.707107, 1.0, 1.0),  # rear right, CCW
        (0.707107, 0.707107, 1.0, 1.0),  # front left, CCW
        (0.707107, -0.707107, 1.0, 1.0),  # rear left, CCW
        (1.0, 0.0, -1.0, 1.0),  # left, CW
        (-1.0, 0.0, -1.0, 1.0),  # right, CW
    ),
    "8c": (
        (-0.707107, 0.707107, 1.0, 1.0),  # front right top, CCW
        (0.707107, 0.707107, -1.0, 1.0),  # front left top, CW
        (0.707107, -0.707107, 1.0, 1.0),  # rear left top, CCW
        (-0.707107, -0.707107, -1.0, 1.0),  # rear right top, CW
        (0.707107, 0.707107, 1.0, 1.0),  # front left bottom, CCW
        (-0.707107, 0.707107, -1.0, 1.0),  # front right bottom, CW
        (-0.707107, -0.707107, 1.0, 1.0),  # rear right bottom, CCW
        (0.707107, -0.707107, -1.0, 1.0),  # rear left bottom, CW
    ),
    "8cw": (
        (-0.4497, 0.707107, 1.0, 1.253717),  # front right top, CCW
        (0.4497, 0.707107, -1.0, 1.253717),  # front left top, CW
        (0.376929, -0.707107, 1.0, 0.746283),  # rear left top, CCW
        (-0.376929, -0.707107, -1.0, 0.746283),  # rear right top, CW
        (0.4497, 0.707107, 1.0, 1.253717),  # front left bottom, CCW
        (-0.4497, 0.707107, -1.0, 1.253717),  # front right bottom, CW
        (-0.376929, -0.707107, 1.0, 0.746283),  # rear right bottom, CCW
        (0.376929, -0.707107, -1.0, 0.746283),  # rear left bottom, CW
    ),
    "8x": (
        (-0.382683, 0.92388, -1.0, 1.0),  # front right, CW
        (0.382683, -0.92388, -1.0, 1.0),  # rear left, CW
        (-0.92388, 0.382683, 1.0, 1.0),  # mid front right, CCW
        (-0.382683, -0.92388, 1.0, 1.0),  # rear right, CCW
        (0.382683, 0.92388, 1.0, 1.0),  # front left, CCW
        (0.92388, -0.382683, 1.0, 1.0),  # mid rear left, CCW
        (0.92388, 0.382683, -1.0, 1.0),  # mid front left, CW
        (-0.92388, -0.382683, -1.0, 1.0),  # mid rear right, CW
    ),
}

GEOMETRIES: Mapping[str, tuple[Row, ...]] = table_of(_ROWS)
"""Rows of the motors in their order, by key [@px4 v1.12.3 MultirotorMixer/geometries].

CW and CCW are the rotation directions seen from above. A tricopter has no yaw here: its servo is a
mixer of its own.
"""
