"""Trajectories near the limits, joined from a standing start, by all packaged parameter sets."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

import pyrfly
from pyrfly import vehicles

Array = NDArray[np.float64]

SETS = vehicles.names("multirotor")
RADIUS = 6.0  # m
HOME = np.array([0.0, 0.0, -100.0])
STREAM = 10  # ms between set-points
JOINED = 15.0  # s
DURATION = 22.0  # s
FRACTIONS = [0.5, 0.7, 0.9]  # of the limits

# Not yet within 0.2 m: drag takes two thirds of its tilt, and in a descent part of its lift.
SHORT = {"sih_quad descent 0.9": 1.0}


def circle(a: Array) -> tuple[Array, Array, Array]:
    """Return position and its first and second derivatives by the angle, shape (2, n)."""
    c, s = RADIUS * np.cos(a), RADIUS * np.sin(a)
    return np.array([c - RADIUS, s]), np.array([-s, c]), np.array([-c, -s])


def eight(a: Array) -> tuple[Array, Array, Array]:
    c, s, c2, s2 = np.cos(a), np.sin(a), np.cos(2 * a), np.sin(2 * a)
    return (
        RADIUS * np.array([s, s2 / 2]),
        RADIUS * np.array([c, c2]),
        RADIUS * np.array([-s, -2 * s2]),
    )


Shape = Callable[[Array], tuple[Array, Array, Array]]
SHAPES: dict[str, Shape] = {"circle": circle, "eight": eight, "climb": circle, "descent": circle}


def drag(sim: pyrfly.Sim, vel: Array, up: Array) -> Array:
    """Return the drag [N, NED] of one vehicle; ``up`` is the direction of its thrust, heading 0."""
    down = -up
    right = np.cross(down, [[1.0], [0.0], [0.0]], axis=0)
    right = right / np.linalg.norm(right, axis=0)
    axes = np.array([np.cross(right, down, axis=0), right, down])
    body = np.einsum("bnk,nk->bk", axes, vel)
    linear, quadratic = sim.drag_linear[0][:, None], sim.drag_quadratic[0][:, None]
    return -np.einsum("bnk,bk->nk", axes, body * (linear + quadratic * np.abs(body)))


def load(sim: pyrfly.Sim, shape: Shape, rate: float, climb: float) -> float:
    """Return the largest of speed, acceleration, tilt and excess thrust, each per its limit."""
    a = np.linspace(0.0, 2 * np.pi, 181)
    _, first, second = shape(a)
    vel = np.array([*(rate * first), np.full_like(a, climb)])
    weight = sim.mass[0] * sim.gravity[0]
    inertial = sim.mass[0] * np.array([*(rate**2 * second), np.full_like(a, -sim.gravity[0])])
    thrust = inertial
    for _ in range(20):  # drag and the direction of the thrust depend on each other
        before = thrust
        thrust = inertial - drag(sim, vel, thrust / np.linalg.norm(thrust, axis=0))
        if np.abs(thrust - before).max() < 1e-4 * weight:
            break
    horizontal, lift = np.hypot(*thrust[:2]), -thrust[2]
    most = sim.thrust_limit[0, 1]
    return max(
        float(np.hypot(*vel[:2]).max() / sim.speed_limit[0]),
        float(horizontal.max() / (sim.mass[0] * sim.accel_limit[0])),
        float((horizontal / (np.tan(sim.tilt_limit[0]) * lift)).max()),
        float(((np.linalg.norm(thrust, axis=0) - weight) / (most - weight)).max()),
        float(((lift - weight) / (0.9 * most - weight)).max()),
    )


def rate_at(sim: pyrfly.Sim, shape: Shape, fraction: float, climb: float) -> float:
    """Return the rate [rad/s] of a shape that loads the vehicle to a fraction of its limits."""
    low, high = 0.0, 5.0
    for _ in range(13):  # to 0.001 rad/s
        rate = (low + high) / 2
        if load(sim, shape, rate, climb) < fraction:
            low = rate
        else:
            high = rate
    return low


def plan() -> tuple[Array, Array]:
    """Return rate [rad/s] and climb [m/s, down] of each set, shape and fraction."""
    rates, climbs = [], []
    for name in SETS:
        sim = pyrfly.Sim(name)
        for (task, shape), fraction in itertools.product(SHAPES.items(), FRACTIONS):
            limit = {"climb": -sim.climb_limit[0], "descent": sim.descent_limit[0]}.get(task, 0.0)
            climbs.append(fraction * limit)
            while load(sim, shape, 0.1, climbs[-1]) > fraction:
                climbs[-1] *= 0.9  # drag leaves nothing for the circle
            rates.append(rate_at(sim, shape, fraction, climbs[-1]))
    return np.array(rates), np.array(climbs)


@pytest.mark.slow
def test_a_feasible_trajectory_is_joined_from_a_standing_start() -> None:
    rates, climbs = plan()
    tasks = list(itertools.product(SHAPES, FRACTIONS))
    sim = pyrfly.Sim({name: len(tasks) for name in SETS})
    sim.reset(pos=HOME)
    sim.arm()
    sim.command_position(HOME, yaw=0)
    sim.step(2000)
    start = sim.time
    pos, vel, acc = (np.zeros((sim.n, 3)) for _ in range(3))
    vel[:, 2] = climbs
    late = np.zeros(sim.n)
    while sim.time - start < DURATION:
        t = sim.time - start
        for i, (task, _) in enumerate(tasks):
            rows = slice(i, None, len(tasks))
            at, first, second = SHAPES[task](rates[rows] * t)
            pos[rows, :2] = at.T
            vel[rows, :2] = (rates[rows] * first).T
            acc[rows, :2] = (rates[rows] ** 2 * second).T
        pos[:, 2] = HOME[2] + climbs * t
        if t > JOINED:
            late = np.maximum(late, np.linalg.norm(sim.pos - pos, axis=1))
        sim.command_position(pos, yaw=0, vel=vel, acc=acc)
        sim.step(STREAM)
    names = [f"{name} {task} {fraction}" for name in SETS for task, fraction in tasks]
    limit = [SHORT.get(name, 0.2) for name in names]
    assert {n: e for n, e, m in zip(names, late, limit, strict=True) if not e < m} == {}
