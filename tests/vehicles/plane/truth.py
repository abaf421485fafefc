"""The plane against the check values of Beard and McLain's Aerosonde [@mavsim].

They are computed without parasitic drag, with 9.81 m/s^2, and with a propeller whose speed is
steady: here without inertia. Its motor brakes, and its coefficients go on beyond zero thrust.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

import pyrfly
from pyrfly.frames import LocalFrame
from pyrfly.vehicles import load
from pyrfly.vehicles.plane.performance import Performance

from ...comparison import ROOT, Comparison, Figure, Truth
from ...models.truth import to_the_axes_of

Array = NDArray[np.float64]

CHECK = json.loads((ROOT / "tests" / "data" / "mavsim_aerosonde" / "check.json").read_text())
LINEAR = CHECK["linear"]
INPUTS = ("elevator", "aileron", "rudder", "throttle")
STEP = 0.01  # of the published forward differences
PROPELLER = (
    (25.0, 0.5, -12.43072534597213, -0.49879620097737787),
    (25.0, 1.0, 37.7794805541605, 1.8098467397878482),
    (27.39323489287441, 1.0, 31.31315544701058, 1.58778287798956),
)
"""Airspeed [m/s], throttle, thrust [N] and torque [N m]."""


def aircraft() -> pyrfly.Sim:
    """Return the aircraft of the check values."""
    base = load("aerosonde")
    source = {"propeller_advance_limit": 2.0, "propeller_drag_area": 0.0, "motor_brake": 1.0}
    columns = {**base.columns, **{name: np.array([x]) for name, x in source.items()}}
    sim = pyrfly.Sim(replace(base, columns=columns))
    sim.controllers = False
    sim.reset(pos=[0, 0, -100])
    sim.gravity[:], sim.drag_coef[0, 0], sim.propeller_inertia[:] = 9.81, 0.0, 1e-12
    return sim


def place(sim: pyrfly.Sim, state: Array, surfaces: Mapping[str, float]) -> None:
    """Put the aircraft into a state: position, velocity [FRD], Euler angles, rates; 12 numbers."""
    rotation = Rotation.from_euler("ZYX", state[[8, 7, 6]])
    sim.pos[0], sim.rate[0] = state[:3], state[9:]
    sim.vel[0] = rotation.apply(state[3:6])
    x, y, z, w = rotation.as_quat()
    sim.att[0] = w, x, y, z
    sim.surface_angle[0, :3] = [surfaces[name] for name in ("aileron", "elevator", "rudder")]
    airspeed = float(np.linalg.norm(sim.vel[0] - sim.wind[0]))
    of = Performance(sim.groups[0].parameters.columns)
    sim.propeller_speed[0] = of.propeller_speed(surfaces["throttle"], airspeed)
    sim.propeller_throttle[0] = surfaces["throttle"]


def derivative(sim: pyrfly.Sim) -> Array:
    """Return the derivative of position, velocity [FRD], Euler angles and rates; 12 numbers."""
    roll, pitch, _ = sim.euler[0]
    p, q, r = sim.rate[0]
    turning = q * np.sin(roll) + r * np.cos(roll)
    angles = [
        p + np.tan(pitch) * turning,
        q * np.cos(roll) - r * np.sin(roll),
        turning / np.cos(pitch),
    ]
    accel = sim.accel[0] - np.cross(sim.rate[0], sim.vel_body[0])
    return np.concatenate([sim.vel[0], accel, angles, sim.angular_accel[0]])


def inertial(sim: pyrfly.Sim) -> Array:
    """Return the moment [N m, FRD] that accounts for the present angular acceleration."""
    xx, yy, zz, xy, xz, yz = sim.inertia[0]
    tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    rate = sim.rate[0]
    return np.asarray(tensor @ sim.angular_accel[0] + np.cross(rate, tensor @ rate))


def trimmed() -> tuple[Array, dict[str, float]]:
    return np.ravel(LINEAR["x_euler"]), dict(LINEAR["trim_input"])


@cache
def propeller_errors() -> tuple[float, float]:
    """Return those of the force [N] and moment [N m] that the propeller adds to the aircraft."""
    found = []
    for airspeed, throttle, thrust, torque in PROPELLER:
        sim, still = aircraft(), np.zeros(12)
        still[2], still[3] = -100.0, airspeed
        place(sim, still, dict.fromkeys(INPUTS, 0.0) | {"throttle": throttle})
        force, moment = sim.mass[0] * sim.accel[0, 0], inertial(sim)[0]
        sim.propeller_thrust[:] = sim.propeller_direction[:] = 0.0
        added = force - sim.mass[0] * sim.accel[0, 0], inertial(sim)[0] - moment
        found.append([abs(added[0] - thrust), abs(added[1] - torque)])
    return tuple(map(float, np.max(found, axis=0)))  # type: ignore[return-value]


def force_errors(case: dict[str, Any]) -> tuple[float, float]:
    """Return those of force [N] and moment [N m], with the weight; one of the cases is in a gust.

    Its published sideslip is asin(v / sqrt(u^2 + w^2)) where the book, and the plane, have
    asin(v / V): 6e-6 rad more. The side force and moments of that are added here. Without
    parasitic drag an elevator would pull, which still air does not do: it is added, and taken away.
    """
    sim = aircraft()
    parasitic = sim.drag_coef[0, 0] = 0.1
    state, gust = case["state"], np.array(case.get("wind_gust_body", [0.0, 0.0, 0.0]))
    euler = np.zeros(12)
    euler[2], euler[3] = -100.0, 25.0
    if not isinstance(state, str):
        w, x, y, z = state[6:10]
        rotation = Rotation.from_quat([x, y, z, w])
        euler = np.concatenate([state[:6], rotation.as_euler("ZYX")[::-1], state[10:]])
        sim.wind[0] = rotation.apply(gust)
    d = case["delta"]
    place(sim, euler, {"elevator": d["e"], "aileron": d["a"], "rudder": d["r"], "throttle": d["t"]})
    air = sim.vel_body[0] - gust
    airspeed = np.linalg.norm(air)
    published = np.arcsin(air[1] / np.hypot(air[0], air[2]))
    data = [airspeed, np.arctan2(air[2], air[0]), published]
    assert np.abs(np.subtract(data, [case["Va"], case["alpha"], case["beta"]])).max() < 1e-9
    more = 0.5 * 1.2682 * airspeed**2 * 0.55 * (published - np.arcsin(air[1] / airspeed))
    force = sim.mass[0] * sim.accel[0] + more * np.array([0.0, -0.98, 0.0])
    level = np.array([air[0], 0.0, air[2]]) / np.hypot(air[0], air[2])
    force += 0.5 * 1.2682 * airspeed**2 * 0.55 * parasitic * level
    moment = inertial(sim) + more * 2.8956 * np.array([-0.13, 0.0, 0.073])
    difference = np.abs(np.concatenate([force, moment]) - case["fm"])
    return float(difference[:3].max()), float(difference[3:].max())


def largest_force_error(part: int) -> float:
    return max(force_errors(case)[part] for case in CHECK["forces"])


def motion_error() -> float:
    """Return that of accelerations, linear and angular, without air, gravity and motor.

    Attitudes are not compared, one is no unit quaternion.
    """
    worst = 0.0
    for case in CHECK["eom"]:
        sim = aircraft()
        w, x, y, z = case["state"][6:10]
        rotation = Rotation.from_quat([x, y, z, w])
        angles = rotation.as_euler("ZYX")[::-1]
        euler = np.concatenate([case["state"][:6], angles, case["state"][10:]])
        sim.gravity[:] = sim.reference_density[:] = sim.propeller_direction[:] = 0.0
        sim.set_load(force=[0.0, 0.0, 0.0], torque=case["fm"][3:])
        place(sim, euler, dict.fromkeys(INPUTS, 0.0))
        sim.set_load(force=rotation.apply(case["fm"][:3]), torque=case["fm"][3:])
        found = derivative(sim)[[3, 4, 5, 9, 10, 11]]
        expected = np.ravel(case["xdot"])[[3, 4, 5, 10, 11, 12]]
        worst = max(worst, float(np.abs(found - expected).max()))
    return worst


def residual_error() -> float:
    """Return that of the published residual, of the rounded state."""
    sim = aircraft()
    place(sim, *trimmed())
    return float(np.abs(derivative(sim) - np.ravel(LINEAR["f_euler"]))[3:].max())


@cache
def trim_errors() -> tuple[float, float, float]:
    """Return those of the pitch angle, of the surfaces [rad] and of the throttle."""
    _, inputs = trimmed()
    sim = aircraft()
    sim.propeller_inertia[:] = 1e-3  # it must be above 0 for a speed to be found
    point = sim.trim(vel=[25.0, 0, 0])
    pitch = Rotation.from_quat(np.roll(point.state["att"][0], -1)).as_euler("ZYX")[1]
    expected = [inputs[name] for name in ("aileron", "elevator", "rudder")]
    angles = point.state["surface_angle"][0][:3]
    throttle = point.inputs["propeller_throttle"][0, 0]
    return (
        float(abs(pitch - LINEAR["theta_trim"])),
        float(np.abs(angles - expected).max()),
        float(abs(throttle - inputs["throttle"])),
    )


@cache
def jacobians() -> tuple[Array, Array]:
    """Return A, 12 by 12, and B, 12 by 4, by forward differences as published."""
    sim = aircraft()
    state, inputs = trimmed()
    place(sim, state, inputs)
    at = derivative(sim)
    a, b = np.empty((12, 12)), np.empty((12, 4))
    for i in range(12):
        moved = state.copy()
        moved[i] += STEP
        place(sim, moved, inputs)
        a[:, i] = (derivative(sim) - at) / STEP
    for i, name in enumerate(INPUTS):
        place(sim, state, inputs | {name: inputs[name] + STEP})
        b[:, i] = (derivative(sim) - at) / STEP
    return a, b


def linear_error(rows: list[int], matrix: str) -> float:
    ours = dict(zip("AB", jacobians(), strict=True))[matrix]
    return float(np.abs(ours - np.array(LINEAR[matrix]))[rows].max())


@cache
def modes() -> tuple[Array, Array]:
    """Return our eigenvalues [1/s] and the published ones.

    Ours by central differences, with the propeller's speed and the servos in equilibrium; the
    published matrix has the truncation error of its forward differences.
    """
    sim = aircraft()
    sim.propeller_inertia[:] = 1e-3
    model = sim.linearize(1, point=sim.trim(1, vel=[25.0, 0, 0]))
    body = [name.split("[")[0] in ("vel", "att", "rate") for name in model.states]
    kept = np.flatnonzero(body)
    rest = [i for i, name in enumerate(model.states) if name[:3] in ("sur", "pro")]
    steady = np.linalg.solve(model.A[np.ix_(rest, rest)], model.A[np.ix_(rest, kept)])
    reduced = model.A[np.ix_(kept, kept)] - model.A[np.ix_(kept, rest)] @ steady
    found = np.sort_complex(np.linalg.eigvals(reduced))
    return found, np.sort_complex(np.linalg.eigvals(np.array(LINEAR["A"])[3:, 3:]))


def mode_error() -> float:
    found, published = modes()
    return float(np.abs(found - published).max())


def draw_modes(figure: Any) -> None:
    found, published = modes()
    for axes, limits in zip(figure.subplots(1, 2), ((-24, 1), (-0.8, 0.3)), strict=True):
        axes.plot(published.real, published.imag, "o", ms=9, mfc="none", label="published")
        axes.plot(found.real, found.imag, "x", ms=6, label="pyrfly")
        axes.axvline(0, color="0.8", lw=1)
        axes.set(xlabel="real part, 1/s", ylabel="imaginary part, 1/s", xlim=limits)
    axes.set(ylim=(-0.8, 0.8), title="slow modes")
    axes.legend(fontsize=8)


DYNAMIC = [3, 4, 5, 9, 10, 11]
AEROSONDE = Truth(
    "The Aerosonde of Beard and McLain",
    "published numbers",
    ("mavsim", "beard-mclain"),
    "The programs to the book *Small Unmanned Aircraft* come with check values of each chapter:"
    " propeller and motor, forces and moments, equations of motion, trim in level flight at 25 m/s,"
    " and the linear model there. They leave out parasitic drag, and so does the aircraft that"
    " is compared. The published trim is rounded, with a residual of 0.01 m/s^2, which bounds what"
    " can be met.",
    "the second case of forces, whose airspeed is not that of its state; attitudes of the second"
    " case of motion, whose quaternion has no unit length; positions of the same.",
    (
        Comparison(
            "aerosonde-thrust", "thrust of three speeds and throttles",
            lambda: propeller_errors()[0], 1e-9, "N", rounding=1e-10,
        ),
        Comparison(
            "aerosonde-torque", "torque of the same", lambda: propeller_errors()[1], 1e-9, "N m",
            rounding=1e-10,
        ),
        Comparison(
            "aerosonde-forces", "forces on the aircraft, one in a gust",
            partial(largest_force_error, 0), 1e-6, "N",
        ),
        Comparison(
            "aerosonde-moments", "moments of the same", partial(largest_force_error, 1), 1e-8,
            "N m",
        ),
        Comparison(
            "aerosonde-motion", "accelerations of rigid bodies, m, rad, s", motion_error, 1e-8,
        ),
        Comparison(
            "aerosonde-residual", "accelerations at the rounded trim, m, rad, s", residual_error,
            1e-8,
        ),
        *(
            Comparison(
                f"aerosonde-trim-{name}", f"{name} at the trim that we find",
                lambda i=i: trim_errors()[i], tolerance, unit,  # type: ignore[misc]
            )
            for i, (name, tolerance, unit) in enumerate(
                (("pitch", 1.2e-4, "rad"), ("surfaces", 5e-4, "rad"), ("throttle", 1e-3, ""))
            )
        ),
        Comparison(
            "aerosonde-a", "rows of A of position, velocity and rates, m, rad, s",
            partial(linear_error, [0, 1, 2, *DYNAMIC], "A"), 1e-6,
        ),
        Comparison(
            "aerosonde-a-angles", "rows of A of Euler angles, rad, s",
            partial(linear_error, [6, 7, 8], "A"), 1e-4,
        ),
        Comparison(
            "aerosonde-b", "rows of B of velocity and rates, m, rad, s",
            partial(linear_error, DYNAMIC, "B"), 1e-6,
        ),
        Comparison(
            "aerosonde-modes", "eigenvalues, by our central differences", mode_error, 0.01, "1/s"
        ),
    ),
    "tests/vehicles/plane/test_truth.py",
    (Figure("aerosonde-modes", "Modes in level flight at 25 m/s.", draw_modes),),
)  # fmt: skip

# --- beside JSBSim

GLIDE_COLUMNS = ("place", "velocity", "attitude", "rate")


@cache
def jsbsim() -> dict[str, Any]:
    path = ROOT / "tests" / "data" / "jsbsim" / "glides.json"
    return dict(json.loads(path.read_text(encoding="utf-8")))


@cache
def recorded_glide(air: str) -> dict[str, Array]:
    """Return times [s] and the columns; places are latitude and longitude [deg], height [m]."""
    rows = np.array(jsbsim()["flights"][air])
    assert jsbsim()["columns"][:2] == ["time_s", "latitude_deg"]
    parts = dict(zip(GLIDE_COLUMNS, np.split(rows[:, 1:], 4, axis=1), strict=True))
    return {"time": rows[:, 0], **parts}


def glider(origin: Array) -> pyrfly.Sim:
    """Return the aircraft without motor and drag of the elevator, over WGS84, in standard air."""
    sim = pyrfly.Sim("aerosonde", environment_rate=1000)
    sim.controllers = False
    sim.origin = tuple(origin)
    sim.reset(pos=[0, 0, 0])
    sim.terrain[:] = 5000.0
    sim.environment.set_earth("ellipsoid")
    sim.environment.enable("atmosphere", "density")
    sim.reference_density[:] = 1.225  # that of the standard air at sea level
    sim.propeller_direction[:] = sim.propeller_thrust[:] = sim.propeller_drag_area[:] = 0.0
    sim.propeller_torque[:] = 0.0
    sim.drag_coef[:] = [0.043, 0.0, 0.0, 0.0, 0.0]
    return sim


@cache
def glide(air: str) -> dict[str, Array]:
    """Return the columns of our glide at the times of JSBSim's."""
    theirs = recorded_glide(air)
    start = {name: theirs[name][0] for name in GLIDE_COLUMNS}
    sim, frame = glider(start["place"]), LocalFrame(*start["place"])
    sim.vel[0], sim.rate[0] = start["velocity"], start["rate"]
    sim.att[0] = np.roll(Rotation.from_euler("ZYX", start["attitude"][::-1]).as_quat(), 1)
    sim.wind[0] = jsbsim()["winds"][air]
    found: dict[str, list[Array]] = {name: [] for name in GLIDE_COLUMNS}
    changes = {round(time / sim.dt): angles for time, angles in jsbsim()["deflections"]}
    steps = [round(time / sim.dt) for time in theirs["time"]]
    for step in sorted({*steps, *changes}):
        if step:
            sim.step(step - round(sim.time / sim.dt))
        if step in changes:
            deflect(sim, *changes[step])
        if step in steps:
            place = frame.to_lla(sim.pos)[0]
            turned = to_the_axes_of(place, frame)
            att = turned * Rotation.from_quat(np.roll(sim.att[0], -1))
            found["place"].append(place)
            found["velocity"].append(turned.apply(sim.vel[0]))
            found["attitude"].append(att.as_euler("ZYX")[::-1])
            found["rate"].append(sim.rate[0].copy())
    return {name: np.array(rows) for name, rows in found.items()}


def deflect(sim: pyrfly.Sim, elevator: float, aileron: float, rudder: float) -> None:
    """Deflect the surfaces at once, and hold them there."""
    sim.surface_angle[0, :3] = angles = np.array([aileron, elevator, rudder])
    sim.surface_command[0, :3] = angles / sim.surface_travel[0, :3]


def glide_error(air: str, name: str) -> float:
    """Return the largest error over the glide: distances [m], velocities, angles [deg], rates."""
    ours, theirs = glide(air)[name], recorded_glide(air)[name]
    if name == "place":
        away = [LocalFrame(*a).to_ned(b) for a, b in zip(theirs, ours, strict=True)]
        return float(np.linalg.norm(away, axis=1).max())
    if name == "attitude":
        a, b = (Rotation.from_euler("ZYX", one[:, ::-1]) for one in (ours, theirs))
        return float(np.degrees((a.inv() * b).magnitude()).max())
    return float(np.abs(ours - theirs).max())


def draw_glide(figure: Any) -> None:
    ours, theirs = glide("wind"), recorded_glide("wind")
    left, right = figure.subplots(1, 2)
    for i, label in enumerate(("roll", "pitch")):
        (line,) = left.plot(theirs["time"], np.degrees(ours["attitude"][:, i]), label=label)
        dots = np.degrees(theirs["attitude"][::5, i])
        left.plot(theirs["time"][::5], dots, ".", color=line.get_color(), ms=5)
    for i, label in enumerate(("north", "east", "down")):
        (line,) = right.plot(theirs["time"], ours["velocity"][:, i], label=label)
        dots = theirs["velocity"][::5, i]
        right.plot(theirs["time"][::5], dots, ".", color=line.get_color(), ms=5)
    left.set(xlabel="time, s", ylabel="angle, deg")
    right.set(xlabel="time, s", ylabel="velocity, m/s")
    for axes in (left, right):
        axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=3, fontsize=8)
    figure.suptitle("lines: pyrfly, dots: JSBSim", fontsize=9)


JSBSIM = Truth(
    "JSBSim side by side",
    "another program",
    ("jsbsim", "beard-mclain"),
    "JSBSim is the flight dynamics of FlightGear and of many others. The Aerosonde, without its"
    " motor and written as an aircraft of JSBSim, glides for 20 s in calm air and in wind, with"
    " doublets of aileron, elevator and rudder; its flights are recorded"
    " (`tools/record_jsbsim.py`). pyrfly flies the same: coefficients, rotating earth with J2 and"
    " standard atmosphere, open loop. So equations of motion, aerodynamics, air and earth are"
    " compared together. JSBSim's forces are those of the step before: what the angles and rates"
    " differ by shrinks with its step, which is 0.05 ms in the record; with 0.25 ms it is five"
    " times as much.",
    "its engines, propellers, landing gears, flight control and autopilots.",
    tuple(
        Comparison(
            f"jsbsim-{air}-{name}", f"{what} in a glide, {label}", partial(glide_error, air, name),
            tolerance, unit, slow=True,
        )
        for air, label in (("calm", "calm air"), ("wind", "wind of 5 m/s"))
        for name, what, tolerance, unit in (
            ("place", "place", 0.02, "m"), ("velocity", "velocity", 2e-3, "m/s"),
            ("attitude", "attitude", 5e-3, "deg"), ("rate", "angular velocity", 3e-4, "rad/s"),
        )
    ),
    "tests/vehicles/plane/test_truth.py",
    (Figure("jsbsim", "A glide in wind, with doublets of the surfaces.", draw_glide),),
)  # fmt: skip

TRUTHS = (AEROSONDE, JSBSIM)
