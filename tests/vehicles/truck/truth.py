"""A tractor with a trailer against CommonRoad's kinematic single track with one [@commonroad]."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from importlib import import_module
from math import cos, sin
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly import Sim, vehicles
from pyrfly.sim.model import Model

from ...comparison import Comparison, Figure, Truth

Array = NDArray[np.float64]

ROLLING = replace(
    vehicles.load("truck_trailer"),
    columns={
        **vehicles.load("truck_trailer").columns,
        "blend_speed": np.array([100.0]),
        "drive_damping": np.zeros(1),
        "friction": np.array([10.0]),
    },
)
"""Tyres that do not slip at any speed, and a drive at which nothing brakes."""

# [@commonroad unit_tests/test_derivatives.py KST, vehicle 4], with a steering rate of 0.15 rad/s
# and an acceleration of 0.63 * 9.81 m/s^2: x, y of the rear axle, steering, speed, heading, hitch
STATE = (
    *(3.9579422297936526, 0.0391650102771405, 0.0378491427211811),
    *(16.354695786088357, 0.0294717351052816, 0.0294717351052816),
)
DERIVATIVE = (
    *(16.34759359342502, 0.4819314886013121, 0.15),
    *(5.501539201758522, 0.1720297150523055, -0.23152742969444276),
)
COMMANDS, HELD = (0.5, -0.8, 0.3, 0.0, -0.2), 2.0
"""Of the steering, each for some time [s], beginning in `START`."""
START = (0.0, 0.0, 0.0, 5.0, 0.2, 0.1)
SAMPLED = 0.1
COLUMNS = ("north", "east", "heading", "hitch angle")


def rear_axle_at(sim: Sim, state: Array, rates: Array) -> None:
    """Put a vehicle without slip to a state of CommonRoad's model with its rates."""
    x, y, steering, speed, yaw, hitch = state
    forward, right = np.array([cos(yaw), sin(yaw)]), np.array([-sin(yaw), cos(yaw)])
    rear = float(sim.rear_axle[0])
    sim.reset(pos=[*(np.array([x, y]) + rear * forward), 0.0], yaw=yaw)
    sim.controllers = False
    sim.vel[0, :2] = speed * forward + rear * rates[4] * right
    sim.rate[0, 2] = rates[4]
    sim.steering[:], sim.hitch_angle[:], sim.hitch_rate[:] = steering, hitch, rates[5]


def derivative_error() -> float:
    """Return the relative error of the published derivative.

    Rates are states here: at the published ones there is no slip, which would decay, and the
    accelerations of heading and hitch are the derivatives of those rates.
    """
    sim = Sim(ROLLING)
    rear_axle_at(sim, np.array(STATE), np.array(DERIVATIVE))
    sim.tractive_accel[:] = 0.63 * 9.81
    sim.traction[:] = 0.63 * 9.81 / sim.accel_max
    sim.steer[:] = (STATE[2] + 0.15 * sim.steering_tau) / sim.steering_max
    found = Model(sim.groups[0], np.array([0])).derivative()
    _, _, steering, speed, yaw, hitch = STATE
    forward, right = np.array([cos(yaw), sin(yaw)]), np.array([-sin(yaw), cos(yaw)])
    rear = float(sim.rear_axle[0])
    pos = found["pos"][0, :2] - rear * DERIVATIVE[4] * right
    # v' of the rear axle: without what turns the velocity of the centre of mass
    accel = found["vel"][0, :2] @ forward + rear * DERIVATIVE[4] ** 2
    got = [*pos, found["steering"][0, 0], accel, sim.rate[0, 2], found["hitch_angle"][0, 0]]

    wheelbase, length = 3.6, 8.1
    slope = 1 + np.tan(steering) ** 2
    turning = (DERIVATIVE[3] * np.tan(steering) + speed * 0.15 * slope) / wheelbase
    bend = (DERIVATIVE[3] * sin(hitch) + speed * cos(hitch) * DERIVATIVE[5]) / length
    assert abs(found["rate"][0, 2] - turning) < 1e-12
    assert abs(found["hitch_rate"][0, 0] + turning + bend) < 1e-12
    return float(np.abs(np.divide(got, DERIVATIVE) - 1).max())


@cache
def ours() -> Array:
    """Return the rear axle, heading and hitch angle every `SAMPLED` s, shape (times, 4)."""
    sim = Sim(ROLLING, dt=1e-3)
    rear_axle_at(sim, np.array(START), np.array([*np.zeros(5), -5.0 * sin(0.1) / 8.1]))
    sim.tractive_accel[:] = 0.0
    sim.accel_max[:] = 1e-9  # rolls
    found = []
    for command in COMMANDS:
        sim.traction[:], sim.steer[:] = sim.drive_dead_zone, command
        for _ in range(round(HELD / SAMPLED)):
            sim.step(round(SAMPLED / sim.dt))
            yaw = float(sim.euler[0, 2])
            rear = sim.pos[0, :2] - float(sim.rear_axle[0]) * np.array([cos(yaw), sin(yaw)])
            found.append([*rear, yaw, float(sim.hitch_angle[0])])
    return np.array(found)


@cache
def theirs() -> Array:
    """Return the same by the package."""
    package = import_module("vehiclemodels.vehicle_dynamics_kst").vehicle_dynamics_kst
    numbers = import_module("vehiclemodels.parameters_vehicle4").parameters_vehicle4()
    sim = Sim(ROLLING)
    tau, limit = float(sim.steering_tau[0]), float(sim.steering_max[0])

    def slope(x: Array, command: float) -> Array:
        rate = float(np.clip((command * limit - x[2]) / tau, -0.7103, 0.7103))
        return np.array(package(list(x), [rate, 0.0], numbers))

    state, found, h = np.array(START), [], 1e-3
    for command in COMMANDS:
        for i in range(round(HELD / h)):
            k1 = slope(state, command)
            k2 = slope(state + h / 2 * k1, command)
            k3 = slope(state + h / 2 * k2, command)
            k4 = slope(state + h * k3, command)
            state = state + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
            if (i + 1) % round(SAMPLED / h) == 0:
                found.append(state[[0, 1, 4, 5]])
    return np.array(found)


def way_error(columns: slice) -> float:
    return float(np.abs(ours() - theirs())[:, columns].max())


def draw_way(figure: Any) -> None:
    left, right = figure.subplots(1, 2)
    left.plot(ours()[:, 0], ours()[:, 1], label="pyrfly")
    left.plot(theirs()[::5, 0], theirs()[::5, 1], "o", ms=4, mfc="none", label="CommonRoad")
    left.set(xlabel="north, m", ylabel="east, m", aspect="equal")
    left.legend(fontsize=8)
    time = SAMPLED * np.arange(1, len(ours()) + 1)
    for i in (2, 3):
        (line,) = right.plot(time, np.degrees(ours()[:, i]), label=COLUMNS[i])
        dots = np.degrees(theirs()[::5, i])
        right.plot(time[::5], dots, "o", ms=4, mfc="none", color=line.get_color())
    right.set(xlabel="time, s", ylabel="angle, deg")
    right.legend(fontsize=8)


TRAILER = Truth(
    "CommonRoad's vehicle models: a trailer",
    "another program",
    ("commonroad",),
    "CommonRoad's kinematic track with a trailer (KST) is a truck that rolls and a trailer that"
    " follows. Its derivative is published to 16 digits, and the program goes side by side with our"
    " truck, whose tyres are kept from slipping, through 10 s of steering to and fro.",
    "trailers that slip, of which there is no program.",
    (
        Comparison(
            "kst-derivative", "derivative of KST as published, relative", derivative_error, 2e-14,
            rounding=2e-14,
        ),
        Comparison(
            "kst-place", "place of the rear axle on the way", lambda: way_error(slice(0, 2)), 1e-8,
            "m", rounding=1e-9, slow=True,
        ),
        Comparison(
            "kst-angles", "heading and hitch angle on the way", lambda: way_error(slice(2, 4)),
            1e-10, "rad", rounding=1e-11, slow=True,
        ),
    ),
    "tests/vehicles/truck/test_truth.py",
    (Figure("commonroad-trailer", "The way of the rear axle.", draw_way),),
)  # fmt: skip

TRUTHS = (TRAILER,)
