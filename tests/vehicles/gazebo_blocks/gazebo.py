"""Gazebo's plug-ins as scalar NumPy in Gazebo's own frames, from their published laws and numbers.

World ENU, links FLU, one vehicle at a time, with branches as the plug-ins have them. Written from
the laws of [@gz-classic], independent of the code under test.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import acos, asin, atan2, cos, exp, pi, sin, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

RHO = 1.2041
WING = {"a0": 0.05984281113, "cla": 4.752798721, "cda": 0.6417112299, "cma": 0.0}
STALLED = {"alpha_stall": 0.3391428111, "cla_stall": -3.85, "cda_stall": -0.9233984055}


@dataclass
class Surface:
    """A lift-drag plug-in; `joint` is the position of its control joint [rad]."""

    cp: tuple[float, float, float]
    area: float
    a0: float = WING["a0"]
    cla: float = WING["cla"]
    cda: float = WING["cda"]
    cma: float = 0.0
    alpha_stall: float = STALLED["alpha_stall"]
    cla_stall: float = STALLED["cla_stall"]
    cda_stall: float = STALLED["cda_stall"]
    cma_stall: float = 0.0
    rad_to_cl: float = 0.0
    cm_delta: float = 0.0
    forward: tuple[float, float, float] = (1.0, 0.0, 0.0)
    upward: tuple[float, float, float] = (0.0, 0.0, 1.0)
    sweep: int = 1
    """Power of the cosine of the sweep: 2 in gz-sim."""
    channel: int | None = None
    """Of the control joint, whose scaling is 1 rad."""


@dataclass
class Motor:
    """A motor model plug-in."""

    position: tuple[float, float, float]
    direction: int
    k_t: float
    k_m: float
    c_d: float
    channel: int
    scaling: float
    limit: float
    axis: tuple[float, float, float] = (0.0, 0.0, 1.0)
    c_r: float = 1e-6
    v_max: float = 25.0


@dataclass
class Model:
    """A vehicle: mass, centre of mass in base_link, its inertia about that."""

    mass: float
    com: Array
    motors: list[Motor]
    surfaces: list[Surface] = field(default_factory=list)
    aero: dict[str, Any] | None = None


def unit(vector: Any) -> Array:
    array = np.asarray(vector, float)
    return array / np.linalg.norm(array)


def lift_drag(s: Surface, vel: Array, rot: Array, joint: float) -> tuple[Array, Array]:
    """Force at the centre of pressure and moment, ENU, of its velocity relative to the air, ENU."""
    nothing = np.zeros(3), np.zeros(3)
    if np.linalg.norm(vel) <= 0.01:
        return nothing
    forward, upward = rot @ unit(s.forward), rot @ unit(s.upward)
    if forward @ vel <= 0:
        return nothing
    span = unit(np.cross(forward, upward))
    sweep = asin(float(np.clip(span @ unit(vel), -1, 1)))
    cos_sweep = sqrt(1 - sin(sweep) ** 2)
    in_plane = vel - (vel @ span) * span
    lift_dir, drag_dir = unit(np.cross(span, in_plane)), -unit(in_plane)
    angle = acos(float(np.clip(lift_dir @ upward, -1, 1)))
    alpha = s.a0 + angle if lift_dir @ forward >= 0 else s.a0 - angle
    while abs(alpha) > 0.5 * pi:
        alpha = alpha - pi if alpha > 0 else alpha + pi
    q = 0.5 * RHO * float(in_plane @ in_plane)

    def coefficient(slope: float, stalled: float) -> float:
        if alpha > s.alpha_stall:
            value = slope * s.alpha_stall + stalled * (alpha - s.alpha_stall)
        elif alpha < -s.alpha_stall:
            value = -slope * s.alpha_stall + stalled * (alpha + s.alpha_stall)
        else:
            value = slope * alpha
        return value * cos_sweep**s.sweep

    def kept(value: float) -> float:
        if alpha > s.alpha_stall:
            return max(0.0, value)
        return min(0.0, value) if alpha < -s.alpha_stall else value

    cl = kept(coefficient(s.cla, s.cla_stall)) + s.rad_to_cl * joint
    cd = abs(coefficient(s.cda, s.cda_stall))
    cm = kept(coefficient(s.cma, s.cma_stall)) + s.cm_delta * joint
    force = q * s.area * (cl * lift_dir + cd * drag_dir)
    return force, cm * q * s.area * span


def motor(m: Motor, vel: Array, rot: Array, speed: float) -> tuple[Array, Array]:
    """Force at the hub and moment, ENU; `speed` is that of the filter [rad/s]."""
    axis = rot @ unit(m.axis)
    real = m.direction * speed
    thrust = abs(real * abs(real) * m.k_t)
    along = (vel @ axis) * axis
    factor = float(np.clip(1 - np.linalg.norm(along) / m.v_max, 0, 1))
    across = vel - along
    force = thrust * factor * axis - abs(real) * m.c_d * across
    moment = -m.direction * thrust * m.k_m * axis - abs(real) * m.direction * m.c_r * across
    return force, moment


def advanced(a: dict[str, Any], vel: Array, rate: Array, rot: Array, joints: Array) -> Any:
    """Force at the reference point and moment, ENU; `rate` is the angular velocity, ENU."""
    x, z = rot @ unit(a["forward"]), -(rot @ unit(a["upward"]))
    y = np.cross(z, x)
    in_plane = vel - (vel @ y) * y
    speed = float(np.linalg.norm(in_plane))
    sx = in_plane / speed
    sz = np.cross(sx, y)
    span = sqrt(a["area"] * a["AR"])
    p, q, r = (float(rate @ axis) for axis in (x, y, z))
    alpha, beta = atan2(sx @ z, sx @ x), atan2(vel @ y, vel @ x)
    dyn, half = 0.5 * RHO * speed**2, 0.5 * RHO * speed
    up = 1 + exp(-15 * (alpha - a["alpha_stall"])), 1 + exp(15 * (alpha + a["alpha_stall"]))
    sigma = (up[0] + up[1] - 1) / (up[0] * up[1])
    deflection = np.degrees(joints)
    ctrl = {k: sum(d * s[k] * s["direction"] for d, s in zip(deflection, a["ctrl"], strict=True))
            for k in ("CD", "CY", "CL", "Cell", "Cem", "Cen")}  # fmt: skip

    def rates(name: str) -> float:
        each = (a.get(f"{name}p", 0) * p * span / 2, a.get(f"{name}q", 0) * q * a["mac"] / 2,
                a.get(f"{name}r", 0) * r * span / 2)  # fmt: skip
        return half * sum(each)

    cl = (1 - sigma) * (a["CL0"] + a["CLa"] * alpha)
    cl += sigma * 2 * np.sign(alpha) * sin(alpha) ** 2 * cos(alpha) + ctrl["CL"]
    flat = 2 / (1 + exp(-0.224 - 0.115 * max(a["AR"], 1 / a["AR"])))
    cd = (1 - sigma) * (a["CD0"] + cl**2 / (pi * a["AR"] * a["eff"]))
    cd += sigma * abs(flat * (0.5 - 0.5 * cos(2 * alpha))) + ctrl["CD"]
    within = min(max(alpha, -a["alpha_stall"]), a["alpha_stall"])
    cm = a["Cem0"] + a["Cema"] * within + ctrl["Cem"]
    side = a["CYb"] * beta + ctrl["CY"]
    roll = a["Cellb"] * beta + ctrl["Cell"]
    yaw = a["Cenb"] * beta + ctrl["Cen"]
    force = -a["area"] * ((cl * dyn + rates("CL")) * sz + (cd * dyn + rates("CD")) * sx)
    force = force + a["area"] * (side * dyn + rates("CY")) * y
    moment = a["area"] * (
        (cm * dyn + rates("Cem")) * a["mac"] * y
        + (roll * dyn + rates("Cell")) * span * x
        + (yaw * dyn + rates("Cen")) * span * z
    )
    return force, moment


def total(
    model: Model, vel: Array, rate: Array, rot: Array, wind: Array, speeds: Any, joints: Any
) -> tuple[Array, Array]:
    """Force and moment about the centre of mass, ENU, without gravity.

    `vel` is that of the centre of mass, `rate` the angular velocity, both ENU; `joints` are the
    positions of the joints of the surfaces, in their order.
    """
    force, moment = np.zeros(3), np.zeros(3)

    def place(point: Any) -> tuple[Array, Array]:
        arm = rot @ (np.asarray(point, float) - model.com)
        return arm, vel + np.cross(rate, arm) - wind

    def put(arm: Array, acting: tuple[Array, Array]) -> None:
        nonlocal force, moment
        force = force + acting[0]
        moment = moment + acting[1] + np.cross(arm, acting[0])

    for m, speed in zip(model.motors, speeds, strict=True):
        arm, flow = place(m.position)
        put(arm, motor(m, flow, rot, speed))
    for s, joint in zip(model.surfaces, joints if model.aero is None else [], strict=True):
        arm, flow = place(s.cp)
        put(arm, lift_drag(s, flow, rot, joint))
    if model.aero is not None:
        arm, flow = place(model.aero["ref_pt"])
        put(arm, advanced(model.aero, flow, rate, rot, np.asarray(joints)))
    return force, moment


# --- the models, as published ---------------------------------------------------------------------

TILT = sin(1.57), cos(1.57)
"""Part of a pusher's axis forward and up: its link is pitched by 1.57 rad."""


def _centre(*masses: tuple[float, tuple[float, float, float]]) -> Array:
    return np.asarray(sum(m * np.array(at) for m, at in masses) / sum(m for m, _ in masses))


_LIGHT = 1e-8
_PULLER = Motor((0.3, 0, 0), -1, 8.54858e-6, 0.01, 8.06428e-5, 4, 3500, 3500, (TILT[0], 0, TILT[1]))

PLANE = Model(
    1.52 + 6 * _LIGHT,
    _centre(
        (1.515, (0, 0, 0)), (0.005, (0.3, 0, 0)), (_LIGHT, (-0.5, 0, 0)), (_LIGHT, (-0.5, 0, 0.05)),
        (4 * _LIGHT, (0, 0, 0)),
    ),
    [_PULLER],
    [
        Surface((-0.05, 0.45, 0.05), 0.6, rad_to_cl=-0.3, channel=5),
        Surface((-0.05, -0.45, 0.05), 0.6, rad_to_cl=-0.3, channel=6),
        Surface((-0.05, 0.15, 0.05), 0.6, rad_to_cl=-0.1, channel=3),
        Surface((-0.05, -0.15, 0.05), 0.6, rad_to_cl=-0.1, channel=8),
        Surface((-0.5, 0, 0), 0.01, a0=-0.2, rad_to_cl=-4.0, channel=7),
        Surface((-0.5, 0, 0.05), 0.02, a0=0.0, rad_to_cl=0.8, upward=(0, 1, 0), channel=2),
    ],
)  # fmt: skip
"""Flaps have a scaling of -1, which `Surface` does not say."""


def _lift(x: float, y: float, direction: int, channel: int) -> Motor:
    return Motor((x, y, 0.07), direction, 2e-5, 0.06, 1.06428e-4, channel, 1500, 1500)


STANDARD_VTOL = Model(
    5.04 + 4 * _LIGHT,
    _centre(
        (5.015, (0, 0, 0)), (0.02, (0, 0, 0.07)), (0.005, (-0.22, 0, 0)),
        (_LIGHT, (0, 0.3, 0)), (_LIGHT, (0, -0.6, 0)), (_LIGHT, (-0.5, 0, 0)),
        (_LIGHT, (-0.5, 0, 0.05)),
    ),
    [
        _lift(0.35, -0.35, 1, 0), _lift(-0.35, 0.35, 1, 1), _lift(0.35, 0.35, -1, 2),
        _lift(-0.35, -0.35, -1, 3),
        Motor((-0.22, 0, 0), -1, 8.54858e-6, 0.01, 1.06428e-4, 4, 5500, 3500,
              (TILT[0], 0, TILT[1]), v_max=30),
    ],
    [
        Surface((-0.05, 0.3, 0.05), 0.5, rad_to_cl=-1.0, channel=5),
        Surface((-0.05, -0.3, 0.05), 0.5, rad_to_cl=-1.0, channel=6),
        Surface((-0.5, 0, 0), 0.01, a0=-0.2, rad_to_cl=-12.0, channel=7),
        Surface((-0.5, 0, 0.05), 0.02, a0=0.0, upward=(0, 1, 0)),
    ],
)  # fmt: skip


def _hover(x: float, y: float, direction: int, channel: int) -> Motor:
    return Motor((x, y, 0), direction, 8.54858e-6, 0.06, 8.06428e-5, channel, 1200, 1200)


def _elevon(y: float, channel: int) -> Surface:
    return Surface(
        (0, y, 0), 0.15, alpha_stall=0.6391428111, rad_to_cl=-0.5, cm_delta=-0.3,
        forward=(0, 0, 1), upward=(-1, 0, 0), channel=channel,
    )  # fmt: skip


TAILSITTER = Model(
    1.635 + 3 * _LIGHT,
    _centre(
        (1.6, (0, 0, 0.05)), (0.015, (0, 0, -0.4)), (0.02, (0, 0, 0)), (2 * _LIGHT, (0, 0, -0.7)),
        (_LIGHT, (0, 0, -0.9)),
    ),  # the IMU is at the origin of the model, 0.4 m below base_link
    [
        _hover(0.3, -0.3, 1, 0), _hover(-0.3, 0.3, 1, 1), _hover(0.3, 0.3, -1, 2),
        _hover(-0.3, -0.3, -1, 3),
    ],
    [
        _elevon(0.3, 5), _elevon(-0.3, 6),
        Surface((-0.1, 0, -0.5), 0.05, a0=0.0, forward=(0, 0, 1), upward=(0, 1, 0)),
    ],
)  # fmt: skip


def _ctrl(direction: int, **values: float) -> dict[str, float]:
    return {**dict.fromkeys(("CD", "CY", "CL", "Cell", "Cem", "Cen"), 0.0),
            "direction": direction, **values}  # fmt: skip


AERO: dict[str, Any] = {
    "CL0": 0.15188, "AR": 6.5, "eff": 0.97, "CLa": 5.015, "CD0": 0.029, "Cem0": 0.075,
    "Cema": -0.463966, "CYb": -0.258244, "Cellb": -0.03925, "Cenb": 0.100826, "CYp": 0.065861,
    "Cellp": -0.487407, "Cenp": -0.040416, "CDq": 0.055166, "CLq": 7.971792, "Cemq": -12.14014,
    "CYr": 0.230299, "Cellr": 0.078165, "Cenr": -0.089947, "alpha_stall": 0.3391428111,
    "mac": 0.22, "ref_pt": (-0.12, 0.0, 0.0), "ctrl": [],
}  # fmt: skip
ADVANCED_PLANE = Model(
    PLANE.mass,
    PLANE.com,
    [_PULLER],
    aero={
        **AERO, "area": 0.34, "forward": (1, 0, 0), "upward": (0, 0, 1),
        "ctrl": [  # rudder, left and right elevon, elevator: channels 2, 5, 6, 7
            _ctrl(1, CY=-0.003913, Cell=-0.000257, Cen=0.001613),
            _ctrl(1, CD=-0.000059, CY=0.000171, CL=-0.01194, Cell=-0.003331, Cem=0.001498,
                  Cen=-0.000057),
            _ctrl(1, CD=-0.000059, CY=-0.000171, CL=-0.01194, Cell=0.003331, Cem=0.001498,
                  Cen=0.000057),
            _ctrl(-1, CD=0.000274, CL=0.010696, Cem=-0.025798),
        ],
    },
)  # fmt: skip


def _tilted(x: float, y: float, roll: float, pitch: float, direction: int, channel: int) -> Motor:
    # z axis of a link turned by roll, then pitch
    axis = (cos(roll) * sin(pitch), -sin(roll), cos(roll) * cos(pitch))
    return Motor((x, y, 0.06), direction, 1.54858e-5, 0.06, 8.06428e-5, channel, 1200, 1200, axis)


QUADTAILSITTER = Model(
    1.635,
    _centre((1.6, (0, 0, 0.05)), (0.015, (0, 0, -0.4)), (0.02, (0, 0, 0.06))),
    [
        _tilted(0.145, -0.23, 0.17, -0.17, 1, 0), _tilted(-0.145, 0.23, -0.17, 0.17, 1, 1),
        _tilted(0.145, 0.23, -0.17, -0.17, -1, 2), _tilted(-0.145, -0.23, 0.17, 0.17, -1, 3),
    ],
    aero={**AERO, "area": 0.15, "forward": (0, 0, 1), "upward": (-1, 0, 0),
          "ref_pt": (-0.12, 0.0, 0.05)},  # of the force: from the centre of mass of base_link
)  # fmt: skip

MODELS = {
    "gz_plane": PLANE,
    "gz_standard_vtol": STANDARD_VTOL,
    "gz_tailsitter": TAILSITTER,
    "gz_advanced_plane": ADVANCED_PLANE,
    "gz_quadtailsitter": QUADTAILSITTER,
}
