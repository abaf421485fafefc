"""Vehicles of blocks against Gazebo's plug-ins [@gz-classic]."""

from __future__ import annotations

import secrets
from dataclasses import replace
from functools import cache, partial
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

import pyrfly
from pyrfly.vehicles import load

from ...comparison import Comparison, Figure, Truth
from . import gazebo
from .forces import wrench_of
from .gazebo import MODELS, Model, Surface

Array = NDArray[np.float64]

TO_ENU = np.array([[0.0, 1, 0], [1, 0, 0], [0, 0, -1]])  # of NED
TO_FLU = np.diag([1.0, -1, -1])  # of FRD
ANYWHERE = 60
"""Vehicles in random motion of each model."""


def anywhere(name: str, n: int, seed: int, speed: float = 20.0) -> pyrfly.Sim:
    """Return armed vehicles in random motion, with random channels, in wind."""
    random = np.random.default_rng(seed)
    sim = pyrfly.Sim(name, n)
    sim.reset(pos=np.tile([0.0, 0, -500], (n, 1)))
    sim.arm()
    sim.vel[:] = random.uniform(-speed, speed, (n, 3))
    sim.att[:] = np.roll(Rotation.random(n, random_state=seed).as_quat(), 1, axis=1)
    sim.rate[:] = random.uniform(-3, 3, (n, 3))
    sim.wind[:] = random.uniform(-5, 5, (n, 3))
    sim.channel[:] = random.uniform(-1, 1, (n, 16))
    motors = int(sim.motor_count[0])
    sim.motor_speed[:, :motors] = random.uniform(0, 1500, (n, motors))
    return sim


def expected(model: Model, sim: pyrfly.Sim, i: int) -> tuple[Array, Array]:
    """Return force and moment of vehicle i by Gazebo's plug-ins, FRD."""
    ned = Rotation.from_quat(np.roll(sim.att[i], -1)).as_matrix()
    rot = TO_ENU @ ned @ TO_FLU
    rate = rot @ TO_FLU @ sim.rate[i]
    sign = {3: -1.0, 8: -1.0}  # the flaps of the plane
    if model.aero is None:
        channels = [s.channel for s in model.surfaces]
    else:
        channels = [2, 5, 6, 7][: len(model.aero["ctrl"])]
    joints = [
        0.0 if c is None else float(np.clip(sign.get(c, 1.0) * sim.channel[i, c], -0.53, 0.53))
        for c in channels
    ]
    back = TO_FLU @ rot.T

    def total(speeds: Array) -> tuple[Array, Array]:
        place = TO_ENU @ sim.vel[i], rate, rot, TO_ENU @ sim.wind[i]
        force, moment = gazebo.total(model, *place, speeds, joints)
        return back @ force, back @ moment

    speeds = np.asarray(sim.motor_speed[i, : len(model.motors)])
    still, whole = total(0.0 * speeds), total(speeds)
    air = ned.T @ (sim.vel[i] - sim.wind[i])
    linear, angular = excess(sim, i, air, still)
    return whole[0] - linear, whole[1] - angular


def excess(sim: pyrfly.Sim, i: int, air: Array, still: tuple[Array, Array]) -> tuple[Array, Array]:
    """Return what is taken back of forces that would give energy out of still air."""
    xx, yy, zz, xy, xz, yz = sim.inertia[i]
    linear = float(sim.mass[i]) * air
    angular = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ sim.rate[i]
    power = max(float(still[0] @ air + still[1] @ sim.rate[i]), 0.0)
    share = power / float(linear @ air + angular @ sim.rate[i])
    return share * linear, share * angular


def wrench_error(name: str) -> float:
    """Return the largest error of forces and moments over their size, in flight of any kind.

    Stalled, backwards, turning, in wind. What is below 10 N or N m counts as 10.
    """
    seed = secrets.randbits(31)
    print(f"seed {seed}")
    sim, worst = anywhere(name, ANYWHERE, seed), 0.0
    for i, found in enumerate(zip(*wrench_of(sim), strict=True)):
        for ours, theirs in zip(found, expected(MODELS[name], sim, i), strict=True):
            worst = max(worst, float((np.abs(ours - theirs) / (10 + np.abs(theirs))).max()))
    return worst


def one_surface(surface: Surface) -> pyrfly.Sim:
    """Return a vehicle of 1 kg with one surface at its centre of mass."""
    plane = load("gz_plane")
    columns = {name: column.copy() for name, column in plane.columns.items()}
    columns["motor_count"][:] = columns["joint_count"][:] = 0
    columns["surface_count"][:] = 1
    columns["mass"][:] = 1
    columns["surface_position"].reshape(3, 8)[:, 0] = 0
    columns["surface_area"][0] = surface.area
    columns["surface_joint"][0] = -1
    for mine, theirs in (
        ("zero_lift", surface.a0), ("lift", surface.cla), ("drag", surface.cda),
        ("moment", surface.cma), ("stall", surface.alpha_stall),
        ("lift_stalled", surface.cla_stall),
        ("drag_stalled", surface.cda_stall), ("moment_stalled", surface.cma_stall),
    ):  # fmt: skip
        columns[f"surface_{mine}"][0] = theirs
    sim = pyrfly.Sim(replace(plane, columns=columns))
    sim.reset(pos=[[0, 0, -100]])
    return sim


LEFT_WING = {"drag": (0, -3.121, 0.038402), "lift": (2, -23.117, 0.284421)}
"""Axis, force [N, FRD] and coefficient of the left wing of the plane at 15 m/s, alpha 0, by hand:
alpha .0598428 at the wing, dynamic pressure 135.461 Pa."""


def wing_error(which: str, coefficient: bool) -> float:
    """Return that of a force of the left wing [N], or of its coefficient."""
    axis, force, published = LEFT_WING[which]
    wing = one_surface(gazebo.PLANE.surfaces[0])
    wing.vel[0] = [15, 0, 0]
    found = float(wing.mass[0] * wing.specific_force[0, axis])
    if coefficient:
        return abs(-found / (0.5 * gazebo.RHO * 15**2 * 0.6) - published)
    return abs(found - force)


HOVER = {"gz_standard_vtol": 786.0, "gz_tailsitter": 684.8}
"""Speed of four motors in hover [rad/s], by mass and thrust of the model files."""


def hover_error(name: str) -> float:
    """Return the acceleration at the derived speed [m/s^2]."""
    sim = pyrfly.Sim(name)
    sim.reset(pos=[[0, 0, -50]])
    sim.motor_speed[0, :4] = HOVER[name]
    assert abs(sqrt(sim.mass[0] * sim.gravity[0] / 4 / sim.motor_thrust[0, 0]) - HOVER[name]) < 0.1
    return float(abs(sim.accel[0, 2]))


@cache
def polar() -> tuple[Array, Array, Array]:
    """Return angles of attack [deg], and lift and drag coefficients, ours and theirs."""
    surface = gazebo.PLANE.surfaces[0]
    sim, angles = one_surface(surface), np.arange(-60.0, 61.0, 1.0)
    ours, theirs = [], []
    for angle in np.radians(angles):
        ahead, down = np.cos(angle), np.sin(angle)
        sim.vel[0] = flow = 15 * np.array([ahead, 0, down])
        axes = np.array([[down, 0, -ahead], [-ahead, 0, -down]])  # of lift and drag, FRD
        size = 0.5 * gazebo.RHO * 15**2 * surface.area
        ours.append(axes @ sim.specific_force[0] / size)
        force, _ = gazebo.lift_drag(surface, TO_FLU @ flow, np.eye(3), 0.0)
        theirs.append(axes @ TO_FLU @ force / size)
    return angles, np.array(ours), np.array(theirs)


def draw_polar(figure: Any) -> None:
    angles, ours, theirs = polar()
    for i, (axes, name) in enumerate(zip(figure.subplots(1, 2), ("lift", "drag"), strict=True)):
        axes.plot(angles, ours[:, i], label="pyrfly")
        axes.plot(angles[::6], theirs[::6, i], "o", ms=4, mfc="none", label="law of the plug-in")
        axes.set(xlabel="angle of attack of the body, deg", ylabel=f"{name} coefficient")
    axes.legend(fontsize=8)


GAZEBO = Truth(
    "Gazebo's plug-ins",
    "published laws",
    ("gz-classic",),
    "The vehicles that PX4 flies in Gazebo Classic are models of its plug-ins for motors and for"
    " lift and drag. Gazebo itself is not run: the laws of the plug-ins are written once more, in"
    " Gazebo's frames, one vehicle at a time and with its branches, independent of the core."
    f" {ANYWHERE} vehicles of each model in random motion, other ones each time, have the same"
    " forces and moments. Where such laws would give energy out of still air, pyrfly takes it"
    " back ([gazebo-blocks.md](gazebo-blocks.md)), and so does the comparison. The left wing of"
    " the plane and the hover speeds have numbers that were computed by hand.",
    "runs of Gazebo itself, its contacts and its integrator; the newer Gazebo, whose laws are the"
    " same but for the sweep of a surface (`test_laws.py`).",
    (
        *(
            Comparison(
                f"gazebo-{name.removeprefix('gz_').replace('_', '-')}",
                f"forces and moments on `{name}` over their size",
                partial(wrench_error, name), 1e-7, rounding=1e-8,
            )
            for name in MODELS
        ),
        *(
            Comparison(
                f"gazebo-wing-{which}", f"{which} of the left wing at 15 m/s",
                partial(wing_error, which, coefficient=False), 5e-4, "N",
            )
            for which in LEFT_WING
        ),
        *(
            Comparison(
                f"gazebo-wing-c-{which}", f"its coefficient of {which}",
                partial(wing_error, which, coefficient=True), 1e-6,
            )
            for which in LEFT_WING
        ),
        *(
            Comparison(
                f"gazebo-hover-{name.removeprefix('gz_').replace('_', '-')}",
                f"acceleration of `{name}` at the hover speed", partial(hover_error, name), 2e-3,
                "m/s^2",
            )
            for name in HOVER
        ),
    ),
    "tests/vehicles/gazebo_blocks/test_truth.py",
    (Figure("gazebo-wing", "The left wing of the plane, attached and stalled.", draw_polar),),
)  # fmt: skip

TRUTHS = (GAZEBO,)
