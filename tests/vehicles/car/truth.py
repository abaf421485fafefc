"""Single tracks and the detailed car against CommonRoad's vehicle models [@commonroad]."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from functools import cache, partial
from importlib import import_module
from itertools import pairwise
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

from pyrfly import Sim

from ...comparison import ROOT, Comparison, Figure, Truth
from .tracks import TRUTH, Array, command, derivative, in_state

NUMBERS = {"ford_escort": 1, "bmw_320i": 2, "vw_vanagon": 3}

Inputs = Callable[[float], tuple[float, float]]
Manoeuvres = dict[str, tuple[float, Inputs]]


def package(name: str) -> Any:
    """Return a module of the package `commonroad-vehicle-models`."""
    return import_module(f"vehiclemodels.{name}")


@cache
def parameters(name: str) -> Any:
    module = f"parameters_vehicle{NUMBERS[name]}"
    return getattr(package(module), module)()


# --- derivatives

PUBLISHED_INPUTS = TRUTH["inputs"]["v_delta"], TRUTH["inputs"]["acc"]


def largest(found: Any, expected: Any) -> float:
    """Return the largest difference, but that of the steering angle, whose rate is an input."""
    return float(np.abs(np.delete(found, 2) - np.delete(expected, 2)).max())


def track_error() -> float:
    x, expected = (TRUTH["derivatives"]["st"][key] for key in ("x", "f"))
    sim = in_state("bmw_320i", x)
    command(sim, *PUBLISHED_INPUTS)
    return largest(derivative(sim), expected)


def rolling_track_error() -> float:
    """Return that of the kinematic track, about the rear axle as the source has it.

    The centre of mass is above it here.
    """
    (north, east, steering, speed, yaw), expected = (
        TRUTH["derivatives"]["ks"][key] for key in ("x", "f")
    )
    sim = in_state("bmw_320i", [north, east, steering, speed, yaw, 0.0, 0.0])
    sim.blend_speed[:] = 1e3  # it rolls at any speed
    base = float(sim.axle_distance[0].sum())
    sim.axle_distance[:] = [base, 1e-15]
    sim.rate[0, 2] = speed * math.tan(steering) / base
    command(sim, *PUBLISHED_INPUTS)
    assert abs(sim.accel[0, 1] - speed * expected[4]) < 1e-12
    found = [*sim.vel[0, :2], math.nan, sim.accel[0, 0], sim.rate[0, 2]]
    return largest(found, expected)


def states(count: int, speeds: Sequence[float], seed: int) -> Array:
    """Return random states of ST: the tyres do not slide."""
    random = np.random.default_rng(seed)
    place, steering = random.uniform(-9, 9, (count, 2)), random.uniform(-0.02, 0.02, (count, 1))
    speed, yaw = random.uniform(*speeds, (count, 1)), random.uniform(-3, 3, (count, 1))
    turn, slip = random.uniform(-0.1, 0.1, (count, 1)), random.uniform(-0.01, 0.01, (count, 1))
    return np.hstack([place, steering, speed, yaw, turn, slip])


def track_beside_package(name: str) -> float:
    """Return the largest difference of derivatives in random states, braking and accelerating."""
    st, worst = package("vehicle_dynamics_st").vehicle_dynamics_st, 0.0
    for x in states(6, (10, 35), 1):
        sim = in_state(name, [*x])
        for accel in (-4.0, 2.0):
            command(sim, 0.1, accel)
            expected = st([*x], [0.1, accel], parameters(name))
            worst = max(worst, largest(derivative(sim), expected))
    return worst


def slip_beside_package(name: str) -> float:
    """Return that of the track with slip, also with much slip and spin, relative for the wheels.

    The wheels' accelerations are those of a short explicit step.
    """
    std, p, worst = package("vehicle_dynamics_std").vehicle_dynamics_std, parameters(name), 0.0
    for accel in (-4.0, 2.0):
        random = np.random.default_rng(2)
        for one in states(6, (25, 40), 3):
            x = one * [1, 1, 5, 1, 1, 10, 10]
            full = [*x, *(x[3] / p.R_w * random.uniform(0.7, 1.2, 2))]
            sim = in_state(f"{name}_slip", full, integrator="euler", dt=1e-4)
            command(sim, 0.1, accel)
            expected = std([*full], [0.1, accel], p)
            worst = max(worst, largest(derivative(sim), expected[:7]))
            before = sim.wheel_speed[0].copy()
            sim.step(1)
            spin = (sim.wheel_speed[0] - before) / sim.dt
            worst = max(worst, float(np.abs(spin / expected[7:] - 1).max()))
    return worst


# --- manoeuvres of single tracks

MANOEUVRES: Manoeuvres = {
    "step steer": (20.0, lambda t: (0.2 if t < 0.1 else 0.0, 0.0)),
    "braking in a turn": (20.0, lambda t: (0.15 if t < 0.1 else 0.0, -3.0 if t >= 0.5 else 0.0)),
    "lane change": (25.0, lambda t: (0.06 * (1 if t % 2 < 0.5 or t % 2 >= 1.5 else -1), 0.0)),
}
"""Speed [m/s] and, over time, rate of the steering angle [rad/s] and acceleration [m/s^2]."""
ENDS = np.arange(0.0, 3.01, 0.1)
"""Times between which the inputs do not change [s]."""


def driven(sim: Sim, inputs: Inputs) -> Array:
    """Return place, speed, heading and yaw rate at `ENDS`, shape (times, 5)."""
    found = []
    for _ in ENDS:
        speed = np.linalg.norm(sim.vel[0])
        found.append([*sim.pos[0, :2], speed, sim.euler[0, 2], sim.rate[0, 2]])
        for _ in range(round(0.1 / sim.dt)):
            command(sim, *inputs(sim.time + 0.5 * sim.dt))
            sim.step(1)
    return np.array(found)


def integrated(model: Callable[..., Any], p: Any, x: list[float], inputs: Inputs) -> Array:
    """Return the same by the package, integrated between the changes of the inputs."""
    found = [x]
    for begin, end in pairwise(ENDS):
        u = inputs(0.5 * (begin + end))
        run = solve_ivp(
            lambda _, y, u=u: model([*y], [*u], p), (begin, end), x, rtol=1e-8, atol=1e-10
        )
        x = [*run.y[:, -1]]
        found.append(x)
    return np.array(found)[:, [0, 1, 3, 4, 5]]


@cache
def way(kind: str, manoeuvre: str) -> tuple[Array, Array]:
    """Return our way through a manoeuvre and that of the package, of tracks ``st`` or ``std``."""
    speed, inputs = MANOEUVRES[manoeuvre]
    p, x = parameters("bmw_320i"), [0.0, 0.0, 0.0, speed, 0.0, 0.0, 0.0]
    if kind == "std":
        x += [speed / p.R_w] * 2
        sim = in_state("bmw_320i_slip", x, dt=1e-3)
    else:
        sim = in_state("bmw_320i", x, dt=2e-3)
        sim.slip_tau[:] = 1e-2
    model = getattr(package(f"vehicle_dynamics_{kind}"), f"vehicle_dynamics_{kind}")
    return driven(sim, inputs), integrated(model, p, x, inputs)


def way_error(kind: str, manoeuvre: str) -> float:
    """Return the largest difference, absolute of what is small and relative of what is large."""
    ours, theirs = way(kind, manoeuvre)
    return float((np.abs(ours - theirs) / (1 + np.abs(theirs))).max())


# --- the detailed car beside the multi-body model

DETAILED: Manoeuvres = {
    "step steer": (20.0, lambda t: (0.3 if t < 0.1 else 0.0, 0.0)),
    "braking in a turn": (20.0, lambda t: (0.2 if t < 0.1 else 0.0, -3.0 if t >= 0.8 else 0.0)),
    "lane change": (25.0, lambda t: (0.04 * (1 if t % 2 < 0.5 or t % 2 >= 1.5 else -1), 0.0)),
}
STEP, SAMPLE, SAMPLES = 2e-3, 0.05, 50


def parameters_without_camber() -> Any:
    """Return those of the package without what depends on camber or is that of one tyre."""
    p = package("parameters_vehicle2").parameters_vehicle2()
    names = "p_hx1 p_vx1 p_hy1 p_hy3 p_vy1 p_vy3 p_dy3 r_hx1 r_by3 r_hy1 r_vy1 r_vy3"
    for name in names.split():
        setattr(p.tire, name, 0.0)
    p.K_lt = 0.0
    return p


@cache
def multi_body(manoeuvre: str) -> Array:
    """Return speed, speed to the left, yaw rate and roll angle over time, shape (samples, 4)."""
    speed, inputs = DETAILED[manoeuvre]
    p, mb = parameters_without_camber(), package("vehicle_dynamics_mb").vehicle_dynamics_mb
    x = np.array(package("init_mb").init_mb([0, 0, 0, speed, 0, 0, 0], p), dtype=float)

    def f(t: float, x: Array) -> Array:
        return np.array(mb(list(x), list(inputs(t)), p))

    found = []
    for i in range(SAMPLES * round(SAMPLE / STEP)):
        t, h = i * STEP, STEP
        k1 = f(t + 1e-9, x)
        k2 = f(t + h / 2, x + h / 2 * k1)
        k3 = f(t + h / 2, x + h / 2 * k2)
        k4 = f(t + h - 1e-9, x + h * k3)
        x = x + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        if (i + 1) % round(SAMPLE / STEP) == 0:
            found.append(x[[3, 10, 5, 6]])
    return np.array(found)


@cache
def detailed(manoeuvre: str) -> Array:
    """Return the same of the detailed car."""
    speed, inputs = DETAILED[manoeuvre]
    sim = Sim("bmw_320i_detailed", 1)
    sim.controllers = False
    sim.vel[:, 0] = speed
    sim.wheel_speed[:] = speed / sim.wheel_radius[0]
    sim.air_drag_area[:] = sim.tyre_rolling[:] = sim.camber_gain[:] = sim.ackermann_share[:] = 0
    sim.tyre_side_stiffness[:] = 1e12
    sim.tyre_relaxation[:] = [0.05, 0.05]
    sim.steering_tau[:] = 2e-3
    found, angle = [], 0.0
    for i in range(SAMPLES * round(SAMPLE / sim.dt)):
        rate, accel = inputs((i + 0.5) * sim.dt)
        angle += rate * sim.dt
        sim.steer[:] = -angle / sim.steering_max
        most = sim.brake_torque / (sim.mass * sim.wheel_radius)
        sim.traction[:] = accel / most if accel else 0.0011
        sim.step()
        if (i + 1) % round(SAMPLE / sim.dt) == 0:
            ahead, right = sim.vel_body[0, :2]
            found.append([ahead, -right, -sim.rate[0, 2], sim.euler[0, 0]])
    return np.array(found)


def detailed_error(column: int) -> float:
    """Return the largest difference in the manoeuvres, in the unit of the column."""
    ways = ((detailed(name), multi_body(name)) for name in DETAILED)
    return max(float(np.abs(ours - theirs)[:, column].max()) for ours, theirs in ways)


def roll_error() -> float:
    """Return the largest difference of roll angles over the largest roll angle.

    There the body leans into the curve: a positive roll loads the right wheels, and so does a turn
    to the right (`vehicle_dynamics_mb`, F_z_LF and sumL). Here it leans outwards.
    """
    worst = 0.0
    for name in DETAILED:
        outwards, inwards = detailed(name)[:, 3], -multi_body(name)[:, 3]
        worst = max(worst, float(np.abs(outwards - inwards).max() / np.abs(inwards).max()))
    return worst


# --- figures


def draw_tracks(figure: Any) -> None:
    left, right = figure.subplots(1, 2)
    for manoeuvre in MANOEUVRES:
        ours, theirs = way("std", manoeuvre)
        (line,) = left.plot(ours[:, 0], ours[:, 1], label=manoeuvre)
        left.plot(theirs[::3, 0], theirs[::3, 1], ".", color=line.get_color(), ms=5)
        right.plot(ENDS, np.degrees(ours[:, 4]))
        right.plot(ENDS[::3], np.degrees(theirs[::3, 4]), ".", color=line.get_color(), ms=5)
    left.set(xlabel="north, m", ylabel="east, m")
    left.legend(title="line: pyrfly, dots: CommonRoad", fontsize=8, title_fontsize=8)
    right.set(xlabel="time, s", ylabel="yaw rate, deg/s")


def draw_multi_body(figure: Any) -> None:
    time = SAMPLE * np.arange(1, SAMPLES + 1)
    columns = ((1, "speed to the left, m/s", 1.0), (2, "yaw rate, deg/s", 180 / math.pi))
    for axes, (column, label, factor) in zip(figure.subplots(1, 2), columns, strict=True):
        for manoeuvre in DETAILED:
            (line,) = axes.plot(time, factor * detailed(manoeuvre)[:, column], label=manoeuvre)
            theirs = factor * multi_body(manoeuvre)[:, column]
            axes.plot(time[::3], theirs[::3], ".", color=line.get_color(), ms=5)
        axes.set(xlabel="time, s", ylabel=label)
    handles, labels = axes.get_legend_handles_labels()
    title = "lines: pyrfly, dots: CommonRoad"
    figure.legend(handles, labels, title=title, loc="outside upper center", ncols=3)


def named(manoeuvre: str) -> str:
    return manoeuvre.replace(" ", "-")


COMMONROAD = Truth(
    "CommonRoad's vehicle models: cars",
    "another program",
    ("commonroad",),
    "CommonRoad, a collection for motion planning, has cars as programs: rolling tracks (KS),"
    " single tracks (ST), single tracks whose tyres slip (STD), and 29 states of a body on four"
    " wheels (MB). Derivatives are published to 16 digits, and the programs are a package: states"
    " and manoeuvres go through both side by side. MB is another model than our car on four wheels:"
    " its axles have a mass of their own, its tyres no relaxation length, its wheels no gyroscopic"
    " moments, and its body leans into a curve, where ours leans out of it. What depends on camber"
    " is taken out of both. Yaw rates then agree to a tenth, and of speeds to the side, of 0.3 m/s,"
    " a third is left: what two models of the same car differ by.",
    "MB with camber, and its models with several trailers.",
    (
        Comparison(
            "st-derivative", "derivative of ST as published, m, rad, s", track_error, 2e-14,
            rounding=2e-14,
        ),
        Comparison(
            "ks-derivative", "derivative of KS as published, m, rad, s", rolling_track_error, 2e-14,
            rounding=2e-14,
        ),
        *(
            Comparison(
                f"st-derivative-{name.replace('_', '-')}",
                f"derivative of ST in 6 random states, `{name}`",
                partial(track_beside_package, name), 1e-12, rounding=1e-12,
            )
            for name in NUMBERS
        ),
        *(
            Comparison(
                f"std-derivative-{name.replace('_', '-')}",
                f"derivative of STD in 6 random states, sliding and spinning, `{name}`",
                partial(slip_beside_package, name), 1e-9, rounding=1e-9,
            )
            for name in NUMBERS
        ),
        *(
            Comparison(
                f"{kind}-{named(manoeuvre)}",
                f"{manoeuvre} of 3 s, {kind.upper()}: place, speed, heading, yaw rate; relative",
                partial(way_error, kind, manoeuvre), tolerance, rounding=rounding,
            )
            for kind, tolerance, rounding in (("st", 1e-9, 1e-9), ("std", 1e-5, 1e-8))
            for manoeuvre in MANOEUVRES
        ),
        *(
            Comparison(
                f"mb-{named(name)}", f"{name} of the detailed car, MB, three manoeuvres of 2.5 s",
                partial(detailed_error, column), tolerance, unit, slow=True,
            )
            for column, (name, tolerance, unit) in enumerate(
                (("speed", 0.1, "m/s"), ("side speed", 0.2, "m/s"), ("yaw rate", 0.03, "rad/s"))
            )
        ),
        Comparison(
            "mb-roll-angle", "roll angle of the same over its largest", roll_error, 0.25, slow=True
        ),
    ),
    "tests/vehicles/car/test_truth.py",
    (
        Figure("commonroad-tracks", "Manoeuvres of single tracks with slip (STD).", draw_tracks),
        Figure(
            "commonroad-multi-body", "The detailed car beside the multi-body model (MB).",
            draw_multi_body,
        ),
    ),
)  # fmt: skip

# --- tyres

SLIPS = (5.0, -10.0)
"""Of the forces of the table [%]."""
FINE = np.arange(0.0, 15.0, 0.005)
"""Slips among which the peak is [%]."""


def numbers(name: str) -> Array:
    """Return the rows of a file of tests/data/tyre, which C includes, too."""
    lines = (ROOT / "tests" / "data" / "tyre" / f"{name}.inc").read_text(encoding="utf-8")
    found = [re.findall(r"-?[0-9.]+", line) for line in lines.splitlines()]
    return np.array([[float(number) for number in row] for row in found])


def longitudinal(load: float, slips: Array) -> Array:
    """Return the force along of one of the wheels of cars, with a load [N], at slips [%]."""
    sim = Sim("bmw_320i_detailed", len(slips))
    sim.controllers = False
    for name in ("air_drag_area", "tyre_rolling", "camber_gain", "ackermann_share"):
        getattr(sim, name)[:] = 0.0
    (coefficients,) = numbers("longitudinal")
    sim.magic_longitudinal[:, : len(coefficients)] = coefficients
    sim.axle_distance[:] = sim.axle_distance.mean()  # all wheels alike
    sim.mass[:] = 4 * load / sim.gravity
    sim.spring_stiffness[:] = 4 * load / 0.3
    sim.tyre_damping[:] = 1e6  # so long that the force is that of steady slip
    sim.reset(pos=np.zeros((len(slips), 3)))
    sim.vel[:] = [20.0, 0.0, 0.0]
    sim.wheel_speed[:] = (20.0 * (1 + 0.01 * slips) / sim.wheel_radius)[:, None]
    return np.asarray(sim.mass * sim.accel[:, 0] / 4)


def tyre_error(row: int) -> float:
    load, *expected = numbers("forces")[row, :3]
    return float(np.abs(longitudinal(1000 * load, np.array(SLIPS)) - expected).max())


@cache
def peaks() -> tuple[Array, Array]:
    """Return the largest forces less the published ones [N], and their slips [%]."""
    found = []
    for load, force, slip, *_ in numbers("peaks"):
        forces = longitudinal(1000 * load, FINE)
        found.append([forces.max() - force, FINE[forces.argmax()] - slip])
    return np.array(found)[:, 0], np.array(found)[:, 1]


def draw_tyre(figure: Any) -> None:
    axes, slips = figure.subplots(), np.arange(-15.0, 15.01, 0.1)
    for row, (load, force, slip, *_) in zip(numbers("forces"), numbers("peaks"), strict=True):
        (line,) = axes.plot(slips, longitudinal(1000 * load, slips) / 1000, label=f"{load:.0f} kN")
        points = np.array([*zip(SLIPS, row[1:3], strict=True), (slip, force)])
        axes.plot(points[:, 0], points[:, 1] / 1000, "o", ms=4, color=line.get_color())
    axes.set(xlabel="longitudinal slip, %", ylabel="force, kN")
    axes.legend(title="load of the wheel", fontsize=8, title_fontsize=8)


TYRE = Truth(
    "The tyre formula",
    "another program",
    ("bakker-1989", "genta", "rfly-model-api"),
    "Cars on four wheels have the Magic Formula of 1989. RflySim's document prints a set of"
    " coefficients of it without some signs; the set with all signs is a textbook's. Another"
    " implementation gave forces and peaks of it. Here they are those of a whole car: four equal"
    " wheels with a known load, that turn faster or slower than the road, and the acceleration that"
    " results.",
    "by a whole car, forces across and moments, as the tyres of its sides are mirrored: the formula"
    " alone is compared in C, forces to 6e-5 N and moments to 6e-6 N m (`tests/c/test_tyre.c`).",
    (
        *(
            Comparison(
                f"tyre-force-{load:.0f}-kn", f"force along at 5 and -10 % of slip, {load:.0f} kN",
                partial(tyre_error, row), 6e-5, "N",
            )
            for row, load in enumerate((2.0, 4.0, 6.0, 8.0))
        ),
        Comparison(
            "tyre-peak", "largest force along, of four loads",
            lambda: float(np.abs(peaks()[0]).max()), 6e-3, "N",
        ),
        Comparison(
            "tyre-peak-slip", "its slip, found in steps of 0.005 %",
            lambda: float(np.abs(peaks()[1]).max()), 0.011, "%", rounding=7.5e-3,
        ),
    ),
    "tests/vehicles/car/test_truth.py",
    (
        Figure(
            "tyre", "Lines: force along of a wheel of a car; dots: the other implementation.",
            draw_tyre, (6.0, 3.2),
        ),
    ),
)  # fmt: skip

TRUTHS = (COMMONROAD, TYRE)
