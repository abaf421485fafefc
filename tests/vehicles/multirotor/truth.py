"""Multirotors against numbers that others have published of the same vehicles."""

from __future__ import annotations

from functools import partial
from math import pi

import numpy as np

import pyrfly
from pyrfly import vehicles
from pyrfly.vehicles.multirotor.hover import hover_throttle, steady_rotor_speed

from ...comparison import Comparison, Truth


def hovering(name: str, throttle: float) -> pyrfly.Sim:
    """Return a level vehicle in still air, its motors at the steady speed of the throttle."""
    sim = pyrfly.Sim(name)
    sim.controllers = False
    count = sim.groups[0].parameters.actuator_count
    sim.pos[:, 2] = -100
    sim.throttle[:, :count] = throttle
    sim.rotor_speed[:, :count] = steady_rotor_speed(vehicles.load(name), throttle)
    return sim


HOVER_THROTTLES = {
    "cs2019": 0.6085,  # ModelParam_BattHoverThr 0.609; (557.142 + 141.4) / 1148
    "x450": 0.2720,  # 4 (10.3223 u + 1.7118) = 1.8446 * 9.8
    "x200": 0.2771,  # 4 (4.0568 u + 1.3730) = 1.0192 * 9.8
    "x150": 0.5328,  # 4 (1.4874 u - 0.0147) = 0.3175 * 9.8
    "sdk": 0.5309,  # (sqrt(1.515 * 9.8 / 4 / 1.681e-5) - 22.83) / 842.1
    "sih_quad": 0.4903,  # m g / (4 T_max) = 9.80665 / 20
}
"""Of the published models, published or derived by hand."""
HOVER_SPEED = 557.142
"""At which [@rfly-exp e2/e2.3/Init.m] starts its rotors [rad/s], which carries 1.4 kg."""
TERMINAL_SPEED = 9.807
"""Of [@px4 1dfff54d sih_params.yaml]: m g / KDV = 1 kg 9.807 m/s^2 / 1 N s/m."""
CRAZYFLIES = {
    "cf2x_l250": (0.0319, -5.382e-7, 2.4583e-10),
    "cf2x_p250": (0.0318, -3.620e-7, 1.6061e-10),
    "cf2x_t350": (0.0379, -7.167e-7, 2.9401e-10),
    "cf21b_500": (0.04338, -3.133e-7, 4.4074e-10),
}
"""Mass [kg], k1 and k2 of thrust = k1 n + k2 n^2 per motor [N, rpm] of [@drone-models]."""


def throttle_error(name: str) -> float:
    """Return that of the hover throttle; the motors carry the vehicle at the published one."""
    published = HOVER_THROTTLES[name]
    assert abs(hovering(name, published).accel[0, 2]) < 9.81e-3
    return abs(hover_throttle(vehicles.load(name)) - published)


def carried_error() -> float:
    """Return the acceleration of the model of 2019 at the speed of its rotors [m/s^2]."""
    sim = hovering("cs2019", 0.0)
    sim.rotor_speed[:] = HOVER_SPEED
    return float(abs(sim.accel[0, 2]))


def terminal_error() -> float:
    """Return that of the speed that SIH's quadrotor falls with at last [m/s]."""
    sim = pyrfly.Sim("sih_quad")
    sim.controllers = False
    sim.pos[:, 2] = -1000
    sim.step(30_000)
    return float(np.abs(sim.vel[0] - [0, 0, TERMINAL_SPEED]).max())


def crazyflie_error(name: str) -> float:
    """Return the relative error of the rotor speed in hover."""
    mass, k1, k2 = CRAZYFLIES[name]
    weight = mass * 9.81 / 4
    rpm = (-k1 + np.sqrt(k1**2 + 4 * k2 * weight)) / (2 * k2)
    at_that = hovering(name, 0.0)
    at_that.rotor_speed[:] = rpm * pi / 30
    assert abs(at_that.accel[0, 2]) < 9.81 * 2e-4
    sim = hovering(name, hover_throttle(vehicles.load(name)))
    return float(np.abs(sim.rotor_speed[0] * 30 / pi / rpm - 1).max())


PUBLISHED = Truth(
    "Numbers of RflySim, PX4 and Crazyflies",
    ("rfly-models", "rfly-template", "rfly-coptersim", "rfly-exp", "px4", "drone-models"),
    "RflySim's models and SDK have thrust curves, masses and motors, from which the throttle in"
    " hover follows by hand; its experiments name the rotor speed of the model of 2019. The"
    " quadrotor inside PX4 (SIH) has its throttle and the speed it falls with at last. Crazyflies"
    " were identified by others, with thrust over rotor speed. Published numbers have four"
    " digits, which are the tolerance.",
    "Flights of RflySim itself, which is not at hand; its ground and the rest of its laws are"
    " tested by their equations, packets and ports by their layouts"
    " ([rflysim-compat.md](rflysim-compat.md)).",
    (
        *(
            Comparison(
                f"hover-{name.replace('_', '-')}", f"throttle in hover of `{name}`",
                partial(throttle_error, name), 1e-4,
            )
            for name in HOVER_THROTTLES
        ),
        Comparison(
            "hover-speed-cs2019", "acceleration of `cs2019` at the published rotor speed",
            carried_error, 1e-4, "m/s^2",
        ),
        Comparison(
            "terminal-speed-sih-quad", "speed at the end of a fall of `sih_quad`", terminal_error,
            5e-4, "m/s",
        ),
        *(
            Comparison(
                f"hover-{name.replace('_', '-')}",
                f"rotor speed in hover of `{name}`, relative", partial(crazyflie_error, name), 2e-4,
            )
            for name in CRAZYFLIES
        ),
    ),
    "tests/vehicles/multirotor/test_truth.py",
)  # fmt: skip

TRUTHS = (PUBLISHED,)
