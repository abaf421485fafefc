"""Marine craft against other programs, and against tests of a model ship.

The programs are T. I. Fossen's Python Vehicle Simulator [@pvs] and shipmmg [@shipmmg]. What shipmmg
has otherwise is taken out of both: its wake is a law of its own, and it takes the drift at the
centre of mass, which is midship here.
"""

from __future__ import annotations

import math
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

import pyrfly

from ...comparison import Comparison, Figure, Truth
from .conftest import through_water, under_way

Array = NDArray[np.float64]

# --- the Python Vehicle Simulator

REMUS = {
    "yaw-rate": ("turn with rudders at 5 degrees, yaw rate", (5.0, 0.0), 0.0630, 0.07),
    "side-speed": ("the same, side speed", (5.0, 0.0), -0.1849, 0.06),
    "turn-speed": ("the same, speed ahead", (5.0, 0.0), 2.5375, 0.005),
    "pitch": ("dive with stern planes at 5 degrees, pitch angle", (0.0, -5.0), 0.3640, 0.01),
    "dive-speed": ("the same, speed ahead", (0.0, -5.0), 2.5495, 0.001),
}
"""What, rudders and stern planes [deg], published after 20 s at 1525 1/min, relative tolerance."""
DESIGN_SPEED, DESIGN_ROLL = 2.5536, 0.0178
"""Of the Remus at 1525 1/min [m/s], and its roll by the propeller [rad]."""
OTTER_SPEED = 3.0864
"""Six knots [m/s]: where drag_linear is thrust, 24.4 g N over 24.4 g / 3.0864 s/m."""
OTTER_TURN = 1.935, -0.206, 0.2726
"""u, v [m/s] and r [rad/s] at 100 and 60 rad/s."""
PAYLOAD_PULL = 7.6 / 77.55
"""There the payload has weight along the trimmed axis (7.6 N ahead) without the buoyancy that
carries it: 0.1 m/s of u, and so of v and r."""


@cache
def remus(fins: tuple[float, float], depth: float, seconds: float) -> dict[str, float]:
    """Return the steady motion at 1525 1/min with rudders and stern planes [deg]."""
    sim = under_way("remus100", depth=depth, dt=0.002)
    sim.thruster_command[:, 0] = 1.0
    sim.fin_command[:, :2] = np.array(fins) / 15.0
    sim.sleep(seconds)
    ahead, aside, _ = map(float, through_water(sim)[0])
    roll, pitch, _ = map(float, sim.euler[0])
    return {
        "yaw-rate": float(sim.rate[0, 2]),
        "side-speed": aside,
        "roll": roll,
        "pitch": pitch,
        "turn-speed": ahead,
        "dive-speed": ahead,
    }


def remus_error(name: str) -> float:
    _, fins, expected, _ = REMUS[name]
    return abs(remus(fins, 50.0, 20.0)[name] / expected - 1)


def design_error(name: str, expected: float) -> float:
    return abs(remus((0.0, 0.0), 20.0, 30.0)[name] / expected - 1)


def otter_speed_error() -> float:
    """Return that of the settled speed; soon it turns, as in pvs."""
    sim = under_way("otter")
    sim.wind_drag[:] = 0.0
    sim.thruster_command[:, :2] = 1.0
    sim.sleep(12)
    return float(abs(through_water(sim)[0, 0] / OTTER_SPEED - 1))


@cache
def otter_turn() -> tuple[float, float, float]:
    sim = under_way("otter")
    sim.thruster_command[0, :2] = np.array([100.0, 60.0]) / sim.thruster_rated[0]
    sim.sleep(20)
    ahead, aside, _ = through_water(sim)[0]
    return float(ahead), float(aside), float(sim.rate[0, 2])


def otter_turn_error(i: int) -> float:
    """Return that of the speed ahead without the payload's pull, or of others over that speed."""
    found, published = otter_turn(), OTTER_TURN
    if i == 0:
        return abs(found[0] / (published[0] - PAYLOAD_PULL) - 1)
    return abs((found[i] / found[0]) / (published[i] / published[0]) - 1)


PVS = Truth(
    "Fossen's Python Vehicle Simulator",
    "another program",
    ("pvs", "fossen"),
    "T. I. Fossen's programs to his handbook have the Otter, a catamaran of two propellers, and"
    " the Remus 100, a torpedo with fins. Runs of both were recorded: full ahead, turns and"
    " dives, after 20 or 30 s in steady motion. Errors are relative. The Remus turns more tightly"
    " there: its cross-flow drag is a sum over strips with other weights. The Otter's payload"
    " pulls it ahead there without a reason, which is taken out.",
    "motions on the way to the steady ones; other craft of that program.",
    (
        Comparison(
            "pvs-remus-speed", "speed of the Remus at 1525 1/min",
            partial(design_error, "turn-speed", DESIGN_SPEED), 2e-4,
        ),
        Comparison(
            "pvs-remus-roll", "its roll by the torque of the propeller",
            partial(design_error, "roll", DESIGN_ROLL), 0.1,
        ),
        *(
            Comparison(f"pvs-remus-{name}", f"Remus, {what}", partial(remus_error, name), tolerance)
            for name, (what, _, _, tolerance) in REMUS.items()
        ),
        Comparison("pvs-otter-speed", "Otter, full ahead, speed", otter_speed_error, 5e-3),
        *(
            Comparison(f"pvs-otter-{name}", what, partial(otter_turn_error, i), tolerance)
            for i, (name, what, tolerance) in enumerate(
                (
                    ("turn-speed", "Otter, turn, speed ahead", 0.005),
                    ("turn-side-speed", "Otter, turn, side speed over that ahead", 0.06),
                    ("turn-yaw-rate", "Otter, turn, yaw rate over speed ahead", 0.03),
                )
            )
        ),
    ),
    "tests/vehicles/marine/test_truth.py",
)  # fmt: skip

# --- the KVLCC2

LENGTH, SPEED = 7.0, 1.179
"""Of the model [m], and its speed in free-running tests [m/s]."""
DESIGN = 1.0 / 1.2
"""Command at the speed of the free-running tests, of a propeller that turns 1.2 times as fast."""


def at_speed(n: int = 1, dt: float = 0.005) -> pyrfly.Sim:
    """Return ships that go straight ahead at their design speed, without the wind of their way."""
    sim = under_way("kvlcc2", n, dt=dt)
    sim.wind_drag[:] = 0.0
    sim.vel[:, 0] = SPEED
    sim.thruster_speed[:, 0] = sim.thruster_rated
    sim.thruster_command[:, 0] = DESIGN
    return sim


def speed_error() -> float:
    """Return the relative error of the speed at 0.83 of full ahead, 15.5 knots of the tanker."""
    sim = at_speed()
    sim.vel[:, 0] = 0.8
    sim.sleep(300)
    assert np.abs(sim.euler).max() < 1e-9
    return float(abs(sim.vel[0, 0] / SPEED - 1))


TIMES = (20.0, 60.0, 160.0)
OF_SHIPMMG = {
    1.0: [
        [0.693476, -0.213771, 0.072323, 17.332335, 6.324091],
        [0.388302, -0.135300, 0.053439, 8.412755, 19.798937],
        [0.347230, -0.121884, 0.051512, 15.323176, 17.191994],
    ],
    0.6: [
        [0.846132, -0.206025, 0.065599, 19.529748, 5.615462],
        [0.532013, -0.145999, 0.048720, 12.939292, 26.126791],
        [0.480689, -0.132631, 0.046029, 21.708754, 13.023992],
    ],
    -0.3: [
        [0.961713, 0.184110, -0.058801, 21.287396, -4.066506],
        [0.620909, 0.146703, -0.045402, 21.279568, -29.436799],
        [0.565825, 0.131713, -0.041943, 22.248276, -6.006848],
    ],
    -1.0: [
        [0.654000, 0.214984, -0.074735, 16.866111, -6.368837],
        [0.352799, 0.130864, -0.055076, 7.862442, -18.052947],
        [0.317697, 0.118063, -0.053468, 13.257834, -17.186800],
    ],
}
"""u, v, r, x, y at these times by the share of the rudder; `test_truth.py` runs the program."""


def shipmmg_error(share: float) -> float:
    """Return the largest difference of speeds, yaw rate and place from shipmmg, m, rad, s."""
    sim = at_speed()
    sim.flow_position[:] = 0.0
    sim.fin_position[:, 0] = -0.5 * LENGTH
    sim.ship_wake[:] = [0.0, 0.0, 1.0, 1.0]
    sim.fin_command[:, 0] = share
    sim.fin_angle[:, 0] = share * math.radians(35.0)
    found = []
    for time in TIMES:
        sim.sleep(time - sim.time)
        found.append([*sim.vel_body[0, :2], sim.rate[0, 2], *sim.pos[0, :2]])
    return float(np.abs(np.subtract(found, OF_SHIPMMG[share])).max())


@cache
def turns() -> tuple[Array, Array]:
    """Return places over the length, (times, 2, 2), and headings of hard turns to both sides."""
    sim = at_speed(2)
    sim.fin_command[:, 0] = [1.0, -1.0]
    start = sim.pos[:, 0].copy()
    places, yaws = [], []
    for _ in range(300):
        sim.sleep(0.5)
        places.append(sim.pos[:, :2] - np.stack([start, 0 * start], axis=-1))
        yaws.append(sim.euler[:, 2].copy())
    return np.array(places) / LENGTH, np.abs(np.unwrap(np.array(yaws), axis=0))


def turning_circles() -> tuple[Array, Array, Array]:
    """Return advance, transfer and tactical diameter over the length, to starboard and port."""
    path, yaw = turns()
    found = []
    for turn, component in ((0.5 * math.pi, 0), (0.5 * math.pi, 1), (math.pi, 1)):
        found.append(np.abs([np.interp(turn, yaw[:, i], path[:, i, component]) for i in range(2)]))
    return found[0], found[1], found[2]


MEASURED_TURNS = {
    ("advance", "starboard"): (3.25, 0.01),
    ("tactical diameter", "starboard"): (3.34, 0.01),
    ("advance", "port"): (3.12, 0.06),
    ("tactical diameter", "port"): (3.07, 0.09),
}
"""Over the length, of MARIN's model [@simman-2008], and the relative tolerance."""


def turn_error(what: str, side: str) -> float:
    advance, _, tactical = turning_circles()
    found = {"advance": advance, "tactical diameter": tactical}[what][int(side == "port")]
    return float(abs(found / MEASURED_TURNS[what, side][0] - 1))


@cache
def zigzag(angle: float) -> Array:
    """Return headings [deg] over time of zigzags that begin to starboard and to port."""
    sim = at_speed(2)
    side = np.array([1.0, -1.0])
    headings = []
    for _ in range(1300):
        sim.fin_command[:, 0] = side * angle / 35.0
        sim.sleep(0.1)
        headings.append(np.degrees(sim.euler[:, 2]))
        side = np.where(headings[-1] * side > angle, -side, side)
    return np.array(headings)


def overshoots(angle: float) -> Array:
    """Return the first two overshoots [deg] of zigzags that begin to starboard and to port."""
    size = np.abs(zigzag(angle))
    peaks = (size[1:-1] > angle) & (size[1:-1] >= size[:-2]) & (size[1:-1] > size[2:])
    return np.array([size[1:-1, i][peaks[:, i]][:2] - angle for i in range(2)])


MEASURED_OVERSHOOTS = {
    10.0: ([[8.2, 21.9], [9.5, 15.0]], 6.2),
    20.0: ([[13.7, 14.9], [15.1, 13.3]], 3.0),
}
"""Of MARIN's model [deg] [@simman-2008], and the tolerance."""


def overshoot_error(angle: float) -> float:
    return float(np.abs(overshoots(angle) - MEASURED_OVERSHOOTS[angle][0]).max())


def draw_turns(figure: Any) -> None:
    left, right = figure.subplots(1, 2)
    path, _ = turns()
    for i, side in enumerate(("starboard", "port")):
        (line,) = left.plot(path[:, i, 1], path[:, i, 0], label=f"to {side}")
        color, sign = line.get_color(), 1 - 2 * i
        left.axhline(MEASURED_TURNS["advance", side][0], color=color, ls=":", lw=1)
        wide = MEASURED_TURNS["tactical diameter", side][0]
        left.axvline(sign * wide, color=color, ls=":", lw=1)
    left.set(xlabel="east, lengths", ylabel="north, lengths", aspect="equal")
    time = 0.1 * np.arange(1, 1301)
    for angle, (measured, _) in MEASURED_OVERSHOOTS.items():
        (line,) = right.plot(time, zigzag(angle)[:, 0], label=f"zigzag {angle:.0f} degrees")
        for sign, more in zip((1, -1), measured[0], strict=True):
            right.axhline(sign * (angle + more), color=line.get_color(), ls=":", lw=1)
    right.set(xlabel="time, s", ylabel="heading, deg", ylim=(-45, 45))
    title = "lines: pyrfly, dotted: measured"
    figure.legend(title=title, loc="outside upper center", ncols=4)


KVLCC2 = Truth(
    "The tanker KVLCC2: a model ship, and another program",
    "measured; another program",
    ("mmg", "shipmmg", "simman-2008"),
    "A model of 7 m of a tanker is the benchmark of ship manoeuvring: several towing tanks have"
    " steered it, and its derivatives by the standard method (MMG) are published. shipmmg"
    " integrates the same equations; recorded once, its turns of 160 s are met to the digits."
    " MARIN's model in water is another matter: to starboard ours turns as it does, to port it is"
    " tighter than ours, and its first overshoots are larger. That is the error of the method and"
    " its derivatives, not of their arithmetic. Errors of turns are relative.",
    "zigzags and turns of other tanks; waves.",
    (
        Comparison(
            "kvlcc2-speed", "speed at the revolutions of the free-running tests, relative",
            speed_error, 2e-3,
        ),
        *(
            Comparison(
                f"shipmmg-rudder-{35 * share:.0f}".replace("--", "-minus-"),
                f"turn, rudder at {35 * share:.4g} degrees, shipmmg, m, rad, s",
                partial(shipmmg_error, share), 5e-5,
            )
            for share in OF_SHIPMMG
        ),
        *(
            Comparison(
                f"kvlcc2-{what.replace(' ', '-')}-{side}",
                f"{what} of a hard turn to {side}, MARIN",
                partial(turn_error, what, side), tolerance,
            )
            for (what, side), (_, tolerance) in MEASURED_TURNS.items()
        ),
        *(
            Comparison(
                f"kvlcc2-zigzag-{angle:.0f}",
                f"first two overshoots of zigzags of {angle:.0f} degrees, both ways, MARIN",
                partial(overshoot_error, angle), tolerance, "deg",
            )
            for angle, (_, tolerance) in MEASURED_OVERSHOOTS.items()
        ),
    ),
    "tests/vehicles/marine/test_truth.py",
    (
        Figure(
            "kvlcc2", "Hard turns and zigzags; dotted, what MARIN measured of its model.",
            draw_turns, (8.0, 3.6),
        ),
    ),
)  # fmt: skip

TRUTHS = (PVS, KVLCC2)
