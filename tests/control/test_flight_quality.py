"""Control performance of all packaged parameter sets with the gains of ``multirotor/tuning.py``.

One flight of several vehicles per set, each with its own task; the tests look at that flight.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import inf, pi

import numpy as np
import pytest
from numpy.typing import NDArray

import pyrfly
from pyrfly import vehicles
from pyrfly.vehicles.multirotor.hover import hover_throttle, steady_rotor_speed

Array = NDArray[np.float64]

SETS = vehicles.names("multirotor")
# Three rotors that all turn one way: the vehicle spins at 8.5 rad/s and has no say in it.
SPINNING = ["tri_y_minus", "tri_y_plus"]
YAWING = [name for name in SETS if name not in SPINNING]

STEP = 5.0  # m
SAMPLE = 5  # integrator steps
DURATION = 10.0  # s
HOME = np.array([0.0, 0.0, -10.0])
TILT, TUMBLE = pi / 3, 3.0  # rad, rad/s

STEPS = {
    "north": (1, 0, 0),
    "west": (0, -1, 0),
    "aslant": (-0.6, 0.8, 0),
    "up": (0, 0, -1),
    "down": (0, 0, 1),
}
YAWS = {"right": pi / 2, "left": -pi / 2, "about": pi}
# Axis of the tilt and axis of the tumble, both FRD.
TUMBLES = {
    "rolling on": ((1, 0, 0), (1, 0, 0)),
    "pitching on": ((0, 1, 0), (0, 1, 0)),
    "pitching back": ((0, -1, 0), (0, 1, 0)),
    "spinning": ((0.6, 0.8, 0), (0, 0, 1)),
    "all at once": ((0.8, -0.6, 0), (3**-0.5, 3**-0.5, -(3**-0.5))),
}


def hovering(name: str, n: int, **options: str) -> pyrfly.Sim:
    """Return armed vehicles at rest in the air, their rotors at hover speed."""
    sim = pyrfly.Sim(name, n, dt=0.002, **options)
    sim.reset(pos=HOME)
    vehicle = vehicles.load(name)
    speed = steady_rotor_speed(vehicle, hover_throttle(vehicle))
    sim.rotor_speed[:, : vehicle.actuator_count] = speed
    sim.arm()
    sim.command_position(HOME, yaw=0.0)
    return sim


def fly(sim: pyrfly.Sim, duration: float = DURATION) -> tuple[Array, Array, Array]:
    """Return time, position (time, vehicle, 3) and attitude (time, vehicle, 4)."""
    count = round(duration / (SAMPLE * sim.dt))
    pos, att = np.empty((count, sim.n, 3)), np.empty((count, sim.n, 4))
    for i in range(count):
        sim.step(SAMPLE)
        pos[i], att[i] = sim.pos, sim.att
    return SAMPLE * sim.dt * np.arange(1, count + 1), pos, att


def heading(att: Array) -> Array:
    w, x, y, z = np.moveaxis(att, -1, 0)
    return np.unwrap(np.arctan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)), axis=0)


def settling_time(time: Array, error: Array, band: float) -> float:
    outside = np.flatnonzero(np.abs(error) > band)
    if outside.size == 0:
        return 0.0
    return float(time[outside[-1] + 1]) if outside[-1] + 1 < len(time) else inf


@dataclass
class Flight:
    """One flight of a set: one vehicle per task."""

    time: Array
    pos: dict[str, Array]
    heading: dict[str, Array]
    ok: bool


@cache
def flight(name: str, precision: str = "float64") -> Flight:
    tasks = ["stay", *STEPS, *YAWS, *TUMBLES]
    sim = hovering(name, len(tasks), precision=precision)
    for i, task in enumerate(tasks):
        if task in STEPS:
            sim.command_position(HOME + STEP * np.array(STEPS[task]), yaw=0.0, ids=i + 1)
        elif task in YAWS:
            sim.command_position(HOME, yaw=YAWS[task], ids=i + 1)
        elif task in TUMBLES:
            tilt, tumble = (np.array(axis) for axis in TUMBLES[task])
            sim.att[i] = [np.cos(TILT / 2), *(np.sin(TILT / 2) * tilt)]
            sim.rate[i] = TUMBLE * tumble
    time, pos, att = fly(sim)
    return Flight(
        time=time,
        pos={task: pos[:, i] for i, task in enumerate(tasks)},
        heading={task: heading(att[:, i]) for i, task in enumerate(tasks)},
        ok=sim.check().ok,
    )


def most_time(name: str) -> float:
    return 3.0 if name.startswith("cf") else 4.0


@pytest.mark.parametrize("name", SETS)
def test_position_steps_settle_on_their_line_without_much_overshoot(name: str) -> None:
    """And their end is held as the start is."""
    f = flight(name)
    for task, axis in STEPS.items():
        direction, moved = np.array(axis), f.pos[task] - HOME
        along = moved @ direction
        assert settling_time(f.time, along - STEP, 0.02 * STEP) <= most_time(name), task
        assert along.max() <= 1.1 * STEP, task
        across = np.linalg.norm(moved - np.outer(along, direction), axis=1)
        assert across.max() < 0.05 * STEP, task
        assert np.linalg.norm(moved[-1] - STEP * direction) < 1e-3, task
    assert np.linalg.norm(f.pos["stay"] - HOME, axis=1).max() < 1e-3


@pytest.mark.parametrize("name", YAWING)
def test_yaw_steps_settle_and_a_turn_about_goes_one_way(name: str) -> None:
    f = flight(name)
    for task in ("right", "left"):
        error = f.heading[task] - YAWS[task]
        assert settling_time(f.time, error, 0.02 * pi / 2) < 2.0, task
        assert np.linalg.norm(f.pos[task] - HOME, axis=1).max() < 0.1, task
    turned = f.heading["about"]
    assert settling_time(f.time, np.abs(turned) - pi, 0.02 * pi) < 4.0


@pytest.mark.parametrize("name", SETS)
def test_tumbling_ends_above_the_ground(name: str) -> None:
    f = flight(name)
    assert f.ok
    for task in TUMBLES:
        assert f.pos[task][:, 2].max() < HOME[2] + 3.0, task
        assert np.linalg.norm(f.pos[task][-1] - HOME) < 0.01, task


@pytest.mark.parametrize("name", SPINNING)
def test_a_vehicle_that_spins_holds_position(name: str) -> None:
    f = flight(name)
    turns = abs(f.heading["stay"][-1]) / (2 * pi)
    assert turns > 5
    assert np.linalg.norm(f.pos["stay"] - HOME, axis=1).max() < 1e-3


@pytest.mark.parametrize("name", SETS)
def test_single_precision_flies_as_well(name: str) -> None:
    double, single = flight(name), flight(name, "float32")
    for task in ["stay", *STEPS]:
        assert np.abs(single.pos[task] - double.pos[task]).max() < 2e-3
    for task in YAWS:
        end = np.array([np.exp(1j * f.heading[task][-1]) for f in (single, double)])
        assert name in SPINNING or abs(end[0] - end[1]) < 2e-3


@pytest.mark.parametrize("name", SETS)
def test_wind_and_a_wrong_mass_leave_no_error(name: str) -> None:
    sim = hovering(name, 2)
    speed = 0.25 * float(sim.speed_limit[0])
    sim.wind[:] = [0.8 * speed, -0.6 * speed, 0.0]
    sim.mass[:] = sim.control_mass * [0.85, 1.15]
    _, pos, _ = fly(sim)
    # Spinning in wind, drag above the centre of mass shakes the vehicle.
    limit = 0.05 if name in SPINNING else 2e-3
    assert np.linalg.norm(pos[-1] - HOME, axis=1).max() < limit


@pytest.mark.parametrize("name", YAWING)
def test_other_inertia_and_motors_do_not_upset_the_loops(name: str) -> None:
    """Gains of the set, on vehicles that differ from it by a third."""
    sim = hovering(name, 8)
    corners = np.array(np.meshgrid(*[[0.7, 1.4]] * 3)).reshape(3, 8)
    sim.inertia[:, :2] *= corners[0][:, None]
    sim.inertia[:, 2] *= corners[1]
    sim.motor_tau[:] *= corners[2][:, None]
    target = HOME + STEP * np.array(STEPS["north"])
    sim.command_position(target, yaw=pi / 2)
    _, pos, _ = fly(sim)
    assert pos[..., 0].max() < 1.15 * STEP
    assert np.linalg.norm(pos[-1] - target, axis=1).max() < 0.01
    assert np.abs(sim.rate).max() < 0.02


@pytest.mark.parametrize("length", [5.0, 10.0, 20.0])
@pytest.mark.slow
def test_a_climbing_diagonal_step_hardly_overshoots(length: float) -> None:
    slopes = np.array([[1, 0, -0.5], [1, 0, -1], [0.6, 0.8, -1], [0.5, 0, -1]])
    directions = slopes / np.linalg.norm(slopes, axis=1, keepdims=True)
    sim = pyrfly.Sim({name: len(slopes) for name in SETS})
    sim.reset(pos=HOME)
    sim.arm()
    sim.command_position(HOME, yaw=0.0)
    sim.step(3000)
    along = np.tile(directions, (len(SETS), 1))
    sim.command_position(HOME + length * along, yaw=0.0)
    beyond = np.zeros(sim.n)
    for _ in range(600):
        sim.step(20)
        beyond = np.maximum(beyond, np.sum((sim.pos - HOME) * along, axis=1) - length)
    assert beyond.max() < 0.05 * length, SETS[beyond.argmax() // len(slopes)]
