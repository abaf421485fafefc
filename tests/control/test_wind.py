"""Air speed up to nine tenths of what a set can hold: no oscillation, in wind and in flight."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import pyrfly
from pyrfly import vehicles

Array = NDArray[np.float64]

SETS = vehicles.names("multirotor")
# Three rotors that all turn one way: drag above the centre of mass shakes a vehicle that spins.
SPINNING = ["tri_y_minus", "tri_y_plus"]
HOME = np.array([0.0, 0.0, -500.0])
FRACTIONS = np.array([0.0, 0.3, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9])
DIRECTION = np.array([np.cos(0.3), np.sin(0.3), 0.0])
RISE, SETTLE, TAIL = 6.0, 10.0, 4.0  # s
ESTIMATE = 0.05  # N s^2/m^2 per kg, quadratic drag of a set that has none


def simulation() -> pyrfly.Sim:
    """Return a vehicle per set and fraction, all with drag, in hover."""
    sim = pyrfly.Sim({name: len(FRACTIONS) for name in SETS})
    for group in sim.groups:
        if not (group.view("drag_linear").any() or group.view("drag_quadratic").any()):
            group.view("drag_quadratic")[:] = ESTIMATE * group.view("mass")[:, None]
    sim.reset(pos=HOME)
    sim.arm()
    sim.command_position(HOME, yaw=0)
    sim.step(1000)
    return sim


def most_air_speed(group: pyrfly.Group) -> float:
    """Return the air speed [m/s] at which drag takes the tilt, acceleration or thrust limit."""

    def value(name: str) -> Array:
        return np.atleast_1d(np.asarray(group.view(name)[0], dtype=np.float64))

    weight = value("mass")[0] * value("gravity")[0]
    linear, quadratic = value("drag_linear"), value("drag_quadratic")
    most = value("thrust_limit")[1]

    def held(speed: float) -> bool:
        tilt = 0.0
        for _ in range(60):
            u, w = speed * np.cos(tilt), speed * np.sin(tilt)  # along the body, and across it
            along = max(linear[:2]) * u + max(quadratic[:2]) * u * u
            across = linear[2] * w + quadratic[2] * w * w
            drag = along * np.cos(tilt) + across * np.sin(tilt)
            lift = weight - along * np.sin(tilt) + across * np.cos(tilt)
            tilt = 0.5 * (tilt + np.arctan2(drag, max(lift, 1e-3 * weight)))
        return bool(
            tilt <= value("tilt_limit")[0]
            and drag <= value("mass")[0] * value("accel_limit")[0]
            and lift <= 0.9 * most
            and np.hypot(drag, lift) <= most
        )

    low, high = 0.0, 200.0
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if held(middle) else (low, middle)
    return low


def tilt(sim: pyrfly.Sim) -> Array:
    x, y = sim.att[:, 1], sim.att[:, 2]
    return np.degrees(np.arccos(np.clip(1 - 2 * (x * x + y * y), -1, 1)))


@pytest.mark.slow
@pytest.mark.parametrize("motion", ["in wind", "in flight"])
def test_tilt_does_not_oscillate_at_any_air_speed(motion: str) -> None:
    sim = simulation()
    speed = np.concatenate([most_air_speed(group) * FRACTIONS for group in sim.groups])
    tilts = []
    start = sim.time
    while (t := sim.time - start) < RISE + SETTLE + TAIL:
        vel = min(t / RISE, 1.0) * speed[:, None] * DIRECTION
        if motion == "in wind":
            sim.select().write("wind", -vel)
        else:
            sim.select().write("speed_limit", np.full(sim.n, 1e3))
            sim.command_velocity(vel, yaw=0)
        sim.step(20)
        if t > RISE + SETTLE:
            tilts.append(tilt(sim))
    assert sim.check().ok
    swing = np.ptp(tilts, axis=0).reshape(len(SETS), -1)
    limit = np.array([2.5 if name in SPINNING else 0.5 for name in SETS])
    assert {n: s for n, s, m in zip(SETS, swing, limit, strict=True) if not (s < m).all()} == {}
    if motion == "in wind":
        error = np.linalg.norm(sim.pos - HOME, axis=1).reshape(len(SETS), -1)
        near = np.array([0.3 if name in SPINNING else 0.02 for name in SETS])
        late = {n: e for n, e, m in zip(SETS, error, near, strict=True) if not (e < m).all()}
        assert late == {}
