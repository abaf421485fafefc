"""PX4's filter EKF2 on sensors of pyrfly, recorded [@px4], and our filter on the same samples."""

from __future__ import annotations

from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

import pyrfly
from pyrfly.log import Log
from pyrfly.sim import PROFILES
from pyrfly.sim.sensors import MEASURED

from ..comparison import ROOT, Comparison, Figure, Truth

Array = NDArray[np.float64]

FOLDER = ROOT / "tests" / "data" / "px4_flight"
PROFILE = "px4_sih"


@cache
def flight() -> Log:
    """Return the truth and what PX4 estimated, at common times."""
    return Log.load(FOLDER / "flight.npz")


@cache
def measured() -> dict[str, Array]:
    """Return the columns of the sensors, and their times."""
    with np.load(FOLDER / "sensors.npz") as found:
        steps = {name: found[name] for name in found.files if name.endswith("_step")}
        return {
            name: found[name] * steps.get(f"{name}_step", 1.0)
            for name in found.files
            if name not in steps
        }


def column(name: str) -> Array:
    return flight()[name][:, 0].astype(float)


def rms(vectors: Array) -> float:
    """Return the root of the mean square of the lengths of vectors, or of numbers."""
    return float(np.sqrt(np.mean(np.sum(vectors.reshape(len(vectors), -1) ** 2, axis=1))))


def turned(att: Array, est: Array) -> Array:
    """Return the rotations from estimated to true attitudes [deg, NED]."""
    true, found = (Rotation.from_quat(np.roll(q, -1, axis=1)) for q in (att, est))
    return np.degrees((true * found.inv()).as_rotvec())


def errors_of(pos: Array, vel: Array, att: Array) -> dict[str, Array]:
    """Return what estimates at the times of the flight lack to the truth."""
    turn, place = turned(column("att"), att), column("pos") - pos
    return {
        "tilt": turn[:, :2],
        "heading": turn[:, 2],
        "velocity": column("vel") - vel,
        "position": place[:, :2],
        "height": place[:, 2],
    }


@cache
def errors_of_px4() -> dict[str, Array]:
    return errors_of(column("pos_est"), column("vel_est"), column("att_est"))


def largest_ratio(name: str) -> float:
    """Return the largest test ratio of a measurement, which PX4 does not use from 1 on."""
    return float(column(f"px4_{name}_test_ratio").max())


NOISE = PROFILES[PROFILE]["gps"].columns


def innovation_error(name: str, noise: tuple[float, ...]) -> float:
    """Return how far the RMS of innovations is from the noise of our receiver, relative."""
    innovations = column(f"px4_{name}_innovation").reshape(len(flight()), -1)
    found = np.sqrt(np.mean(innovations**2, axis=0))
    return float(np.abs(found / noise - 1).max())


# --- our filter on the same samples

PERIOD = 0.004  # s, of the sensors
SENSORS = ("imu", "magnetometer", "barometer", "gps")
FIX = {"gps_fix": 3}  # which the receiver had all the time


def on_the_ground() -> pyrfly.Sim:
    """Return a vehicle that rests where the recorded one began, and estimates."""
    sim = pyrfly.Sim("iris", dt=PERIOD)
    sim.sensors.enable(*SENSORS, profile=PROFILE)
    sim.estimator.enable()
    sim.reset(seed=1)
    return sim


@cache
def errors_of_ours() -> dict[str, Array]:
    """Return the errors of our filter, which is given the samples one by one."""
    sim, known = on_the_ground(), measured()
    given = {name: [one for one in MEASURED[name] if one in known] for name in SENSORS}
    rows = {
        name: {round(time / PERIOD): row for row, time in enumerate(known[f"{name}_time"])}
        for name in SENSORS
    }
    found: dict[str, list[Array]] = {"pos_est": [], "vel_est": [], "att_est": []}
    wanted = {round(time / PERIOD) for time in flight().time}
    for update in range(min(rows["imu"]), max(wanted) + 1):
        for name in SENSORS:
            row = rows[name].get(update)
            if row is not None:
                told = FIX if name == "gps" else {}
                sim.sensors.give(name, **{one: known[one][row] for one in given[name]}, **told)
        sim.step()
        if update in wanted:
            for name, values in found.items():
                values.append(getattr(sim, name)[0].copy())
    return errors_of(*(np.array(found[name]) for name in ("pos_est", "vel_est", "att_est")))


def draw_errors(figure: Any) -> None:
    drawn = ("heading", "heading, deg"), ("position", "place north, m"), ("height", "height, m")
    panels = figure.subplots(1, len(drawn), sharex=True)
    for axes, (name, title) in zip(panels, drawn, strict=True):
        for errors, label in ((errors_of_px4(), "PX4"), (errors_of_ours(), "pyrfly")):
            values = errors[name].reshape(len(flight()), -1)
            axes.plot(flight().time, values[:, 0], label=label, lw=0.9)
        axes.set(xlabel="time, s", title=title)
    panels[0].legend(loc="lower right")


ERRORS = {
    "tilt": ("tilt", "deg", 0.3, 0.25),
    "heading": ("heading", "deg", 0.6, 0.3),
    "velocity": ("velocity", "m/s", 0.1, 0.08),
    "position": ("place", "m", 0.2, 0.15),
    "height": ("height", "m", 0.4, 0.2),
}
"""Names, units, and tolerances for PX4's filter and ours."""

RATIOS = {
    "gps_pos": "place by satellites",
    "gps_height": "height by satellites",
    "gps_vel": "velocity by satellites",
    "barometer": "height by the barometer",
    "magnetometer": "magnetic field",
}
INNOVATIONS = {
    "gps_pos": ("place", (NOISE["gps_noise"][0],) * 2),
    "gps_height": ("height", (NOISE["gps_noise"][1],)),
    "gps_vel": ("velocity", (*(NOISE["gps_vel_noise"][0],) * 2, NOISE["gps_vel_noise"][1])),
}


PX4 = Truth(
    "PX4's filter on our sensors",
    "another program, recorded",
    ("px4",),
    "An `iris` was flown by a real PX4, v1.16.1, in lockstep over TCP, once: it took off by itself"
    " in wind of 3 m/s, flew over four way-points 10 and 15 m high, and landed. PX4 knows of the"
    " flight what our sensors of the profile `px4_sih` measure. Its filter, EKF2, was not made for"
    " our sensors: where it follows the truth, they are of one motion, and at the right times. Of"
    " the satellite receiver it finds measurements as far from what it expects as the noise that we"
    " add and the error of its own estimate tell together. Its log has both. Our filter, which is"
    " told the same samples, has to be as good; it knows how large the"
    " noise is, of which PX4 expects more. Errors of estimates are root mean squares over the"
    " flight of a minute, from 4 s before the motors start to the landing.",
    "flights without GPS, with faults of sensors, and of other vehicles; where PX4 is at hand"
    " `tests/server/links/test_px4_real.py` flies some. `tools/record_px4.py` records the flight"
    " anew.",
    (
        *(
            Comparison(
                f"px4-{name}", f"{what} that PX4 estimates, RMS",
                partial(lambda name: rms(errors_of_px4()[name]), name), most, unit,
            )
            for name, (what, unit, most, _) in ERRORS.items()
        ),
        *(
            Comparison(
                f"px4-ratio-{name.replace('_', '-')}",
                f"largest test ratio of PX4, {what}; above 1 it is not used",
                partial(largest_ratio, name), 1,
            )
            for name, what in RATIOS.items()
        ),
        *(
            Comparison(
                f"px4-innovation-{name.replace('_', '-')}",
                f"RMS of innovations of {what} by satellites, from our noise, relative",
                partial(innovation_error, name, noise), 0.2,
            )
            for name, (what, noise) in INNOVATIONS.items()
        ),
        *(
            Comparison(
                f"px4-ours-{name}", f"{what} that our filter estimates of the same samples, RMS",
                partial(lambda name: rms(errors_of_ours()[name]), name), most, unit, slow=True,
            )
            for name, (what, unit, _, most) in ERRORS.items()
        ),
    ),
    "tests/estimator/test_truth.py",
    (Figure("px4", "What the filters lack to the truth.", draw_errors, size=(9.5, 3.0)),),
)  # fmt: skip

TRUTHS = (PX4,)
