"""Planes of a `Sim` in steady flight, in gliding flight, and without engine or air."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.spatial.transform import Rotation

import pyrfly

Array = NDArray[np.float64]

AILERON, ELEVATOR, RUDDER = 0, 1, 2
"""The servos of the Aerosonde."""


def cruising(
    name: str = "aerosonde",
    n: int = 1,
    *,
    height: float = 300.0,
    course: float = 0.0,
    airspeed: float | None = None,
    wind: ArrayLike = (0.0, 0.0, 0.0),
    dt: float = 0.002,
    **options: Any,
) -> pyrfly.Sim:
    """Return armed planes in trimmed level flight on a course, in a steady wind."""
    sim = pyrfly.Sim(name, n, dt=dt, **options)
    speed = float(sim.cruise_airspeed[0]) if airspeed is None else airspeed
    sim.reset(pos=[0.0, 0.0, -height])
    through = speed * np.array([np.cos(course), np.sin(course), 0.0])
    point = sim.trim(vel=through + np.asarray(wind), wind=wind, yaw=course)
    sim.wind[:] = wind
    for columns in (point.state, point.inputs):
        for column, values in columns.items():
            if column not in ("pos", "ground", "wind", "terrain"):
                getattr(sim, column)[:] = values.reshape(getattr(sim, column).shape)
    sim.arm()
    return sim


def airspeeds(sim: pyrfly.Sim) -> Array:
    """Return the airspeeds [m/s]."""
    return np.linalg.norm(np.asarray(sim.vel - sim.wind, np.float64), axis=1)


def flow_angles(sim: pyrfly.Sim) -> tuple[Array, Array]:
    """Return angles of attack and of sideslip [rad]."""
    turns = Rotation.from_quat(np.roll(np.asarray(sim.att, np.float64), -1, axis=1))
    u, v, w = turns.inv().apply(sim.vel - sim.wind).T
    return np.arctan2(w, u), np.arctan2(v, np.hypot(u, w))


def remove_propeller(sim: pyrfly.Sim) -> None:
    """Take away thrust and torque of the propeller, and its momentum."""
    sim.propeller_thrust[:] = sim.propeller_torque[:] = sim.propeller_direction[:] = 0.0
    sim.propeller_drag_area[:] = 0.0


def remove_wing(sim: pyrfly.Sim) -> None:
    """Take away all forces of the air but those of the propeller."""
    for column in ("lift", "drag", "pitch", "side", "roll", "yaw"):
        getattr(sim, f"{column}_coef")[:] = 0.0
    sim.induced_drag[:] = sim.stalled_pitch[:] = 0.0
    sim.stall_angle[:] = 100.0  # no flat plate either


def inertia_of(sim: pyrfly.Sim) -> Array:
    """Return the inertia tensor of the first vehicle [kg m^2, FRD]."""
    xx, yy, zz, xy, xz, yz = sim.inertia[0]
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def moments(sim: pyrfly.Sim) -> Array:
    """Return the moments that account for the angular accelerations [N m, FRD], shape (n, 3)."""
    tensor, rate = inertia_of(sim), np.asarray(sim.rate, np.float64)
    return sim.angular_accel @ tensor + np.cross(rate, rate @ tensor)
