"""Multirotors against numbers that others have published of the same vehicles."""

from __future__ import annotations

import json
from functools import cache, partial
from math import pi
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

import pyrfly
from pyrfly import vehicles
from pyrfly.vehicles.multirotor.hover import hover_throttle, steady_rotor_speed

from ...comparison import ROOT, Comparison, Figure, Truth
from ...models.conftest import bare, coefficients, rotors

Array = NDArray[np.float64]


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
    "published numbers",
    ("rfly-models", "rfly-template", "rfly-coptersim", "rfly-exp", "px4", "drone-models"),
    "RflySim's models and SDK have thrust curves, masses and motors, from which the throttle in"
    " hover follows by hand; its experiments name the rotor speed of the model of 2019. The"
    " quadrotor inside PX4 (SIH) has its throttle and the speed it falls with at last. Crazyflies"
    " were identified by others, with thrust over rotor speed. Published numbers have four"
    " digits, which are the tolerance.",
    "flights of RflySim itself, which is not at hand; its ground and the rest of its laws are"
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

# --- beside RotorPy

TURNED = np.array([1.0, -1.0, -1.0])
"""From forward, left, up to forward, right, down, of world and body alike."""
COLUMNS = ("pos", "vel", "att", "rate", "rotor_speed")


@cache
def rotorpy() -> dict[str, Any]:
    path = ROOT / "tests" / "data" / "rotorpy" / "hummingbird.json"
    return dict(json.loads(path.read_text(encoding="utf-8")))


@cache
def recorded(air: str) -> tuple[Array, dict[str, Array]]:
    """Return times and states of a flight of RotorPy, in our axes."""
    rows = np.array(rotorpy()["flights"][air])
    x, y, z, w = (rows[:, 7:11] * [*TURNED, 1.0]).T
    states = (
        *(rows[:, 1:4] * TURNED, rows[:, 4:7] * TURNED, np.stack([w, x, y, z], axis=1)),
        *(rows[:, 11:14] * TURNED, rows[:, 14:18]),
    )
    return rows[:, 0], dict(zip(COLUMNS, states, strict=True))


def hummingbird(air: str) -> pyrfly.Sim:
    """Return RotorPy's vehicle: no moments of rotors, no drag of the frame but with all of air."""
    p = rotorpy()["parameters"]
    sim = bare("quad_plus")
    rotors(
        sim,
        np.array(rotorpy()["rotor_pos"]) * TURNED,
        np.tile([0.0, 0.0, -1.0], (4, 1)),
        np.array(rotorpy()["rotor_directions"]),
    )
    coefficients(sim, (0.0, p["k_eta"]), (0.0, p["k_m"]))
    sim.mass[:], sim.gravity[:], sim.motor_tau[:] = p["mass"], 9.81, p["tau_m"]
    sim.inertia[:] = [p["Ixx"], p["Iyy"], p["Izz"], 0.0, 0.0, 0.0]
    sim.motor_curve[:] = [0.0, p["rotor_speed_max"], 0.0, 0.0]
    sim.wind[:] = np.array(rotorpy()["wind"]) * TURNED
    if air != "none":
        sim.environment.set_rotor_air(p["k_d"], p["k_z"])
    if air == "all":
        sim.drag_quadratic[:] = [p["c_Dx"], p["c_Dy"], p["c_Dz"]]
    return sim


@cache
def beside_rotorpy(air: str) -> dict[str, Array]:
    """Return our states at the times of a flight."""
    times, states = recorded(air)
    sim = hummingbird(air)
    for name in COLUMNS:
        getattr(sim, name)[0] = states[name][0]
    found: dict[str, list[Array]] = {name: [] for name in COLUMNS}
    commands = np.array(rotorpy()["commands"]) / rotorpy()["parameters"]["rotor_speed_max"]
    for i in range(len(times)):
        for name in COLUMNS:
            found[name].append(getattr(sim, name)[0].copy())
        sim.throttle[0] = commands[min(i // 2, len(commands) - 1)]
        sim.step(round(0.05 / sim.dt))
    return {name: np.array(rows) for name, rows in found.items()}


def rotorpy_error(air: str, name: str) -> float:
    """Return the largest error of a column over the flight, of attitudes the angle [deg]."""
    ours, theirs = beside_rotorpy(air)[name], recorded(air)[1][name]
    if name == "att":
        a, b = (Rotation.from_quat(np.roll(one, -1, axis=1)) for one in (ours, theirs))
        return float(np.degrees((a.inv() * b).magnitude()).max())
    return float(np.abs(ours - theirs).max())


def draw_rotorpy(figure: Any) -> None:
    times, theirs = recorded("rotors")
    ours = beside_rotorpy("rotors")
    left, right = figure.subplots(1, 2)
    for i, label in enumerate(("north", "east", "down")):
        (line,) = left.plot(times, ours["vel"][:, i], label=label)
        left.plot(times[::4], theirs["vel"][::4, i], ".", color=line.get_color(), ms=5)
    for i, label in enumerate(("roll", "pitch", "yaw")):
        (line,) = right.plot(times, np.degrees(ours["rate"][:, i]), label=label)
        dots = np.degrees(theirs["rate"][::4, i])
        right.plot(times[::4], dots, ".", color=line.get_color(), ms=5)
    left.set(xlabel="time, s", ylabel="velocity, m/s")
    right.set(xlabel="time, s", ylabel="angular velocity, deg/s")
    for axes in (left, right):
        axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=3, fontsize=8)
    figure.suptitle("lines: pyrfly, dots: RotorPy", fontsize=9)


FLIGHTS = {
    "none": ("without air", (1e-6, 1e-6, 1e-5, 1e-7)),
    "rotors": ("with drag and inflow at the rotors", (1e-6, 1e-6, 1e-5, 1e-7)),
    "all": ("with all of RotorPy's air", (2.0, 2.0, 12.0, 0.15)),
}
"""What flies, and the tolerances of position, velocity, attitude and rates."""
ROTORPY = Truth(
    "RotorPy side by side",
    "another program",
    ("rotorpy",),
    "RotorPy is a simulator of multirotors for education and research. Flights of its Hummingbird"
    " are recorded (`tools/record_rotorpy.py`): 3 s from a tilted, turning start in wind of 2.3"
    " m/s, open loop, with rotor speeds that are commanded anew every 0.1 s, so that it leans"
    " away and drifts by 20 m. pyrfly flies the same vehicle with the same commands. Without air,"
    " and with the drag and inflow of its rotors, both have the same laws, and the same motion."
    " RotorPy's full model has lift by sideward motion (`k_h`), which pyrfly leaves out, and drag"
    " of the frame by the whole airspeed where pyrfly has that of each axis: the last rows say"
    " what that makes after 3 s without control.",
    "its contacts, controllers and sensors, and its batches on PyTorch.",
    tuple(
        Comparison(
            f"rotorpy-{air}-{short}", f"{what} {label}", partial(rotorpy_error, air, name),
            tolerance, unit,
        )
        for air, (label, tolerances) in FLIGHTS.items()
        for (name, short, what, unit), tolerance in zip(
            (
                ("pos", "position", "position", "m"), ("vel", "velocity", "velocity", "m/s"),
                ("att", "attitude", "attitude", "deg"),
                ("rate", "rate", "angular velocity", "rad/s"),
            ),
            tolerances,
            strict=True,
        )
    ),
    "tests/vehicles/multirotor/test_truth.py",
    (Figure("rotorpy", "A fall with air at the rotors, commanded open loop.", draw_rotorpy),),
)  # fmt: skip

TRUTHS = (PUBLISHED, ROTORPY)
