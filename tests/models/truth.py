"""The motion of a body, and its fall, against NASA's check cases [@nesc]."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline
from scipy.spatial.transform import Rotation

import pyrfly
from pyrfly.frames import LocalFrame

from ..comparison import ROOT, Comparison, Figure, Truth
from ..environment.conftest import EARTH_RATE, body
from .conftest import bare

Array = NDArray[np.float64]

FOOT = 0.3048
SLUG = 14.59390293720636
TIMES = 0.1 * np.arange(301)
"""Times of the rows [s]."""


@cache
def rows(case: str, tool: str) -> Array:
    """Return the rows of a check case by one of the tools of NASA, with names."""
    name = f"Atmos_{case}_sim_{tool}.csv"
    return np.genfromtxt(ROOT / "tests" / "data" / "nesc" / name, delimiter=",", names=True)


# --- bricks

BRICK_INERTIA = np.array([0.001894220, 0.006211019, 0.007194665]) * SLUG * FOOT**2
BRICK_RATE = np.radians([10, 20, 30])
BRICK_AREA = 2 / 9 * FOOT**2
BRICK_SPAN = 1 / 3 * FOOT
BRICK_CHORD = {"01": 0.67 * FOOT, "04": 2 / 3 * FOOT, "06": 2 / 3 * FOOT}  # 01 by its own moments
MINIMUM_SPEED = 0.5 * FOOT
SAMPLED_LATE = {"06": 5e-4}  # s, after the time of the row


def published_rates(case: str, tool: str) -> Array:
    """Return angular velocities over time [rad/s]."""
    axes = ("Roll", "Pitch", "Yaw")
    found = [rows(case, tool)[f"bodyAngularRateWrtEi_deg_s_{axis}"] for axis in axes]
    return np.radians(np.stack(found, axis=1))


def damping_flow(tool: str) -> Array:
    """Return the factor of damping of case 3 over time, rho V [kg/m^2/s]."""
    of = rows("03", tool)
    density = of["airDensity_slug_ft3"] * SLUG / FOOT**3
    speed = FOOT * np.sqrt(2 * of["dynamicPressure_lbf_ft2"] / of["airDensity_slug_ft3"])
    # V^2 / max(V, minimum): dynamic pressure over the reference speed of dimensionless rates
    return np.asarray(density * speed**2 / np.maximum(speed, MINIMUM_SPEED))


def brick(**options: Any) -> pyrfly.Sim:
    sim = bare(**options)
    sim.inertia[:] = [*BRICK_INERTIA, 0, 0, 0]
    sim.gravity[:] = 0
    sim.rate[:] = BRICK_RATE
    return sim


def rates_over_time(sim: pyrfly.Sim) -> Array:
    """Step and return the angular velocities of the first vehicle at the times [rad/s]."""
    rates = [sim.rate[0].copy()]
    for _ in TIMES[1:]:
        sim.step(round(0.1 / sim.dt))
        rates.append(sim.rate[0].copy())
    return np.array(rates)


def shifted(rates: Array, inertia: Array, lag: float) -> Array:
    """Return torque-free angular velocities ``lag`` later, to second order."""
    first = np.cross(inertia * rates, rates) / inertia
    second = np.cross(inertia * first, rates) + np.cross(inertia * rates, first)
    return rates + lag * first + lag**2 / 2 * second / inertia


def largest_degrees(difference: Array) -> float:
    return float(np.degrees(np.abs(difference)).max())


@cache
def tumbled(effects: str) -> Array:
    return rates_over_time(brick(effects=effects))


def tumbling_error(tool: str, effects: str) -> float:
    """Return the error of the angular velocities of case 2 [deg/s]."""
    rates = tumbled(effects).copy()
    rates[1:] = shifted(rates[1:], BRICK_INERTIA, SAMPLED_LATE.get(tool, 0.0))
    return largest_degrees(rates - published_rates("02", tool))


def skew_tumbling_error() -> float:
    """Return the same with the full tensor: body axes that are not the principal ones."""
    skew = Rotation.from_euler("ZYX", [0.7, -0.4, 1.1]).as_matrix()  # principal to body axes
    tensor = skew @ np.diag(BRICK_INERTIA) @ skew.T
    assert np.abs(tensor[np.triu_indices(3, 1)]).min() > 0.1 * BRICK_INERTIA.min()
    sim = brick()
    sim.inertia[:] = tensor[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
    sim.rate[:] = skew @ BRICK_RATE
    return largest_degrees(rates_over_time(sim) @ skew - published_rates("02", "04"))


@cache
def damped(tool: str) -> tuple[Array, Array]:
    """Return times [s] and the angular velocities of case 3 less those of a tool [rad/s].

    Aerodynamic damping q S L (L / 2V) C w is linear in the rate with a factor that grows with V, so
    `damping_linear` stands for it when it follows the tool's own speed and density.
    """
    expected, along = published_rates("03", tool), CubicSpline(TIMES, damping_flow(tool))
    length = np.array([BRICK_SPAN, BRICK_CHORD[tool], BRICK_SPAN])
    sim, steps = brick(), 10
    rates = [sim.rate[0].copy()]
    for time in TIMES[:-1]:
        for middle in time + 0.1 * (np.arange(steps) + 0.5) / steps:
            sim.damping_linear[:] = along(middle) * BRICK_AREA * length**2 / 4
            sim.step(round(0.1 / steps / sim.dt))
        rates.append(sim.rate[0] + SAMPLED_LATE.get(tool, 0.0) * sim.angular_accel[0])
    return np.array(rates), np.array(rates) - expected


def damping_error(tool: str) -> float:
    return largest_degrees(damped(tool)[1])


def damped_rate_at_the_end() -> float:
    return largest_degrees(damped("04")[0][-1])


# --- falls

START = 30000 * FOOT
SPHERE_DRAG = 0.5 * 1.225 * 0.1 * 0.1963495 * FOOT**2
"""Of the falling spheres [N s^2/m^2], at the standard density."""


@dataclass(frozen=True)
class Fall:
    """A sphere of a check case, at the equator: how it begins, and what it falls through."""

    what: str
    second: tuple[float, float, float, float]
    """Height [m] and velocity [m/s, NED] at 30 s of tool 06."""
    height: float = START
    velocity: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """[m/s, NED]"""
    earth: str = "ellipsoid"
    drags: bool = True
    winds: tuple[float, float] = (0.0, 0.0)
    """To the east [m/s], at sea level and at `START`."""
    spread: float = 1e-3
    """Tolerance of the velocity at 30 s beside tool 06 [m/s], of which tool 04 is as far."""


THROWN = 1000 * FOOT
FALLS = {
    "01": Fall("a fall without drag", (4754.546, 0.0, 0.64039, 292.6973), drags=False),
    "04": Fall(
        "a fall in air over a sphere that does not rotate",
        (4947.305, 0.0, 0.0, 264.2932),
        earth="sphere",
    ),
    "06": Fall("a fall in air over WGS84", (4963.502, 0.0, 0.56172, 263.3501)),
    "07": Fall(
        "a fall over WGS84 in steady wind",
        (4963.720, 0.0, 1.435124, 263.3368),
        winds=(20 * FOOT, 20 * FOOT),
    ),
    "08": Fall(
        "a fall over WGS84 in wind that grows with height",
        (4965.499, 0.0, 2.66132, 263.2536),
        winds=(-20 * FOOT, 70 * FOOT),
    ),
    "09": Fall(
        "a throw to the east",
        (3096.969, 0.0, 186.1529, 55.39952),
        height=0.0,
        velocity=(0.0, THROWN, -THROWN),
        spread=5e-3,
    ),
    "10": Fall(
        "a throw to the north",
        (3082.867, 186.393, -0.324226, 56.22329),
        height=0.0,
        velocity=(THROWN, 0.0, -THROWN),
        spread=5e-3,
    ),
}


def published_fall(case: str) -> Array:
    """Return height [m] and velocity [m/s, NED] over time of tool 04, shape (301, 4)."""
    of = rows(case, "04")
    names = ("altitudeMsl_ft", *(f"feVelocity_ft_s_{axis}" for axis in "XYZ"))
    return FOOT * np.stack([of[name] for name in names], axis=1)


def resist(sim: pyrfly.Sim, duration: float) -> None:
    """Give the body the drag of the sphere, quadratic in its speed through the air, for a while.

    The speed is that in the middle of the duration.
    """
    accel = Rotation.from_quat(np.roll(sim.att, -1, axis=1)).apply(sim.accel)
    air_speed = np.linalg.norm(sim.vel + accel * (duration / 2) - sim.wind, axis=1)
    sim.drag_linear[:] = (SPHERE_DRAG * air_speed)[:, None]


def to_the_axes_of(place: Array, frame: LocalFrame) -> Rotation:
    """Return the rotation from north, east and down of a frame to those of a place."""
    there, points = LocalFrame(*place), frame.ned_to_ecef(np.vstack([np.zeros(3), np.eye(3)]))
    axes = there.ecef_to_ned(points)
    return Rotation.from_matrix((axes[1:] - axes[0]).T)


@cache
def fallen(case: str) -> Array:
    """Return height [m] and velocity [m/s, NED] over time of our fall, shape (301, 4)."""
    steps, fall = 20, FALLS[case]
    origin = (0.0, 0.0, fall.height)
    sim = body(fall.earth, origin, dt=0.0005, environment_rate=2000)  # the density lags
    sim.mass[:], sim.vel[:] = SLUG, fall.velocity
    sim.environment.enable("atmosphere", "density")
    frame, found = LocalFrame(*origin), []
    ground, top = fall.winds
    for _ in TIMES:
        place = frame.to_lla(sim.pos)[0]
        height = float(place[2])
        found.append([height, *to_the_axes_of(place, frame).apply(sim.vel[0])])
        for _ in range(10):
            sim.wind[:, 1] = ground + (top - ground) * height / START
            height += -0.01 * sim.vel[0, 2]
            if fall.drags:
                resist(sim, steps * sim.dt)
            sim.step(steps)
    return np.array(found)


def height_error(case: str) -> float:
    return float(np.abs(fallen(case) - published_fall(case))[:, 0].max())


def velocity_error(case: str) -> float:
    return float(np.abs(fallen(case) - published_fall(case))[:, 1:].max())


def last_error(case: str) -> float:
    """Return the error of the velocity at 30 s, beside the second tool."""
    return float(np.abs(fallen(case)[-1] - FALLS[case].second)[1:].max())


def attitude_error() -> float:
    """Return the error of Euler angles [deg] of a body at rest among the stars, after 30 s."""
    of = rows("01", "04")
    sim = body("ellipsoid", (0, 0, START))
    sim.rate[:] = (-EARTH_RATE, 0, 0)  # nose to the north
    sim.step(6000)
    frame = LocalFrame(0, 0, START)
    turned = to_the_axes_of(frame.to_lla(sim.pos)[0], frame)
    found = (turned * Rotation.from_quat(np.roll(sim.att[0], -1))).as_euler("ZYX", degrees=True)
    expected = [of[f"eulerAngle_deg_{axis}"][-1] for axis in ("Yaw", "Pitch", "Roll")]
    return float(np.abs(found - expected).max())


# --- figures


def draw_bricks(figure: Any) -> None:
    left, right = figure.subplots(1, 2)
    names = ("roll", "pitch", "yaw")
    cases = (("2, no damping", tumbled("full"), "02"), ("3, damped", damped("04")[0], "03"))
    for axes, (title, ours, case) in zip((left, right), cases, strict=True):
        published = np.degrees(published_rates(case, "04"))
        for i, name in enumerate(names):
            (line,) = axes.plot(TIMES, np.degrees(ours[:, i]), label=name)
            axes.plot(TIMES[::10], published[::10, i], ".", color=line.get_color(), ms=4)
        axes.set(title=f"Case {title}", xlabel="time, s", ylabel="angular velocity, deg/s")
    handles, labels = left.get_legend_handles_labels()
    title = "lines: pyrfly, dots: NASA"
    figure.legend(handles, labels, title=title, loc="outside upper center", ncols=3)


def draw_falls(figure: Any) -> None:
    labels = {"01": "1, no drag", "04": "4, sphere", "06": "6, ellipsoid", "07": "7, wind"}
    labels |= {"08": "8, wind shear", "09": "9, thrown east", "10": "10, thrown north"}
    left, right = figure.subplots(1, 2)
    for case, label in labels.items():
        error = np.abs(fallen(case) - published_fall(case))
        style = "--" if case in ("07", "10") else "-"  # over another one
        left.plot(TIMES, 1000 * error[:, 0], style, label=f"case {label}")
        right.plot(TIMES, 1000 * error[:, 1:].max(axis=1), style)
    left.set(xlabel="time, s", ylabel="error of the height, mm")
    right.set(xlabel="time, s", ylabel="error of the velocity, mm/s")
    left.legend(fontsize=8)


NESC = Truth(
    "NASA's check cases for six degrees of freedom",
    "other programs",
    ("nesc", "simupy-flight"),
    "NASA let several of its flight simulators compute the same simple flights until they agreed."
    " Their trajectories are published so that others can be checked: a brick that tumbles, a"
    " sphere that falls 4 km in 30 s, from 30,000 ft at the equator, and one that is thrown up at"
    " 430 m/s. Ours start from the same states and are compared at every row of 0.1 s. Tools are"
    " numbered as NASA numbers them; 04 and 06 agree best. What the tools differ by is a sensible"
    " tolerance: in case 3 tool 06 damps the rate relative to the air, which rotates with the"
    " earth at 0.0042 deg/s, and thrown spheres of 06 are 0.1 m below those of 04. The axes of"
    " velocities and Euler angles are north, east and down of where the body is.",
    "case 5, a sphere that rotates and has no flattening, and 11 to 17, which need the tables of"
    " an F-16 or a rocket of two stages.",
    (
        *(
            Comparison(
                f"nesc-2-{effects}-tool-{tool}",
                f"angular velocity of a tumbling brick, effects {effects}, tool {tool}",
                partial(tumbling_error, tool, effects),
                1e-6,
                "deg/s",
            )
            for tool in ("01", "04", "06")
            for effects in ("plain", "full")
        ),
        Comparison(
            "nesc-2-skew-axes",
            "the same in body axes that are not the principal ones, tool 04",
            skew_tumbling_error,
            1e-6,
            "deg/s",
        ),
        *(
            Comparison(
                f"nesc-3-tool-{tool}",
                f"angular velocity of a brick that air damps, tool {tool}",
                partial(damping_error, tool),
                tolerance,
                "deg/s",
            )
            for tool, tolerance in (("01", 5e-4), ("04", 1e-5), ("06", 4.2e-3))
        ),
        Comparison(
            "nesc-3-at-the-end",
            "angular velocity that is left after 30 s, tool 04 has 2e-5",
            damped_rate_at_the_end,
            1e-4,
            "deg/s",
        ),
        Comparison(
            "nesc-1-attitude",
            "Euler angles of a body at rest among the stars after 30 s, tool 04",
            attitude_error,
            1e-9,
            "deg",
            rounding=1e-10,
        ),
        *(
            comparison
            for case, fall in FALLS.items()
            for comparison in (
                Comparison(
                    f"nesc-{int(case)}-height",
                    f"height in {fall.what}, tool 04",
                    partial(height_error, case),
                    1e-2,
                    "m",
                    rounding=1e-6,
                    slow=True,
                ),
                Comparison(
                    f"nesc-{int(case)}-velocity",
                    f"velocity in {fall.what}, tool 04",
                    partial(velocity_error, case),
                    5e-4,
                    "m/s",
                    rounding=1e-8,
                    slow=True,
                ),
                Comparison(
                    f"nesc-{int(case)}-tool-06",
                    f"velocity after 30 s in {fall.what}, tool 06",
                    partial(last_error, case),
                    fall.spread,
                    "m/s",
                    slow=True,
                ),
            )
        ),
    ),
    "tests/models/test_truth.py",
    (
        Figure("nesc-bricks", "Angular velocities of the bricks, beside tool 04.", draw_bricks),
        Figure(
            "nesc-falls",
            "What falls and throws differ by from tool 04: millimetres, of kilometres.",
            draw_falls,
        ),
    ),
)

TRUTHS = (NESC,)
