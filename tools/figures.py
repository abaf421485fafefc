"""Draw the pictures of README.md and docs/: flights, simulated as they are drawn.

    python tools/figures.py [FOLDER]

FOLDER is by default docs. It needs the extra ``plot``.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pyrfly import Sim
from pyrfly.log import Log, Recorder, plot_flight
from pyrfly.mission import DEMO, fly_mission, read_mission
from pyrfly.protocol import synthesis

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Array = NDArray[np.float64]

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "examples"
MISSIONS = EXAMPLES / "missions"

DRAWN = ("19_crossing_swarms.py", "20_forest_lidar.py", "21_gate_race.py", "22_car.py")
"""Examples whose figures are pictures of pages."""

TICK = 20
"""Steps between two set-points."""

DURATION = 82.0  # s

# Quadrotors: a wedge that follows a circle, after a climb from the ground.
QUADROTORS = 7
ROWS, FILES = (0, -8, -8, -16, -16, -24, -24), (0, -8, 8, -16, 16, -24, 24)  # m, behind and beside
RADIUS, SPEED, HEIGHT, CLIMBED = 55.0, 4.6, 20.0, 10.0  # m, m/s, m, s

PLANE, HELICOPTER = QUADROTORS + 1, QUADROTORS + 2  # CopterIDs
PLANE_CIRCLE, PLANE_RADIUS = (0.0, 0.0, -60.0), 115.0  # m
LOOP, LOOP_TIME, LOOP_HEIGHT = (60.0, 30.0), 66.0, 40.0  # half axes of an eight [m], s, m
LIFTED, LOOPED = 3.0, 15.0  # s, begin of its climb and of its eight

START = 2.0  # s, time constant of the speeds along the paths
LINKS = 12.0  # s between two drawings of the wedge

# Colour-blind safe palette: M. Okabe, K. Ito, "Color Universal Design", 2008.
KINDS = (
    ("quadrotors x450", range(QUADROTORS), "#0072B2"),
    ("plane skywalker_x8", [PLANE - 1], "#D55E00"),
    ("helicopter xcell_60", [HELICOPTER - 1], "#009E73"),
)


def fleet() -> Log:
    """Fly a formation of quadrotors, a plane and a helicopter at once."""
    sim = Sim({"x450": QUADROTORS, "skywalker_x8": 1, "xcell_60": 1})
    places = np.zeros((sim.n, 3))
    places[:QUADROTORS] = wedge(0.0)[0] * (1.0, 1.0, 0.0)
    places[PLANE - 1, :2] = -60.0, -20.0
    sim.reset(pos=places)
    sim.enable_synthesis()
    sim.arm()
    sim.command_sil(*synthesis.take_off(np.nan, np.nan, -30.0, armed=True), ids=PLANE)
    recorder = Recorder(sim, ("pos", "vel"))
    for tick in range(round(DURATION / sim.dt / TICK)):
        if sim.pos[PLANE - 1, 2] < -25.0:
            sim.plane.command_circle(PLANE_CIRCLE, PLANE_RADIUS, ids=PLANE)
        pos, vel, heading = wedge(sim.time)
        sim.command_position(pos, heading, vel=vel, ids=range(1, QUADROTORS + 1))
        pos, vel, course = eight(sim.time)
        sim.command_position(pos, course, vel=vel, ids=HELICOPTER)
        sim.step(TICK)
        if tick % 5 == 0:
            recorder.sample()
    assert sim.check().ok
    return recorder.log()


def climbed(share: float) -> float:
    """Return the part of a climb that is done after a share of its time."""
    share = min(max(share, 0.0), 1.0)
    return share * share * (3.0 - 2.0 * share)


def run_up(time: float) -> tuple[float, float]:
    """Return time along a path and its rate, a while after its begin at rest."""
    rate = 1.0 - np.exp(-max(time, 0.0) / START)
    return max(time, 0.0) - START * rate, float(rate)


def wedge(time: float) -> tuple[Array, Array, Array]:
    """Return positions, velocities [m, m/s, NED] and headings [rad] of the quadrotors."""
    along, rate = run_up(time - CLIMBED)
    phase = SPEED * along / RADIUS
    forward = np.array((-np.sin(phase), np.cos(phase)))
    outward = np.array((np.cos(phase), np.sin(phase)))
    level = RADIUS * outward + np.outer(ROWS, forward) - np.outer(FILES, outward)
    height = HEIGHT * climbed(time / CLIMBED)
    pos = np.column_stack((level, np.full(QUADROTORS, -height)))
    # all turn about the centre of the circle with the first
    turn = rate * SPEED / RADIUS
    vel = turn * np.column_stack((-level[:, 1], level[:, 0], np.zeros(QUADROTORS)))
    heading = np.full(QUADROTORS, np.arctan2(forward[1], forward[0]))
    return pos, vel, heading


def eight(time: float) -> tuple[Array, Array, float]:
    """Return position, velocity [m, m/s, NED] and heading [rad] of the helicopter."""
    along, rate = run_up(time - LOOPED)
    turn = 2.0 * np.pi / LOOP_TIME
    phase = turn * along
    height = LOOP_HEIGHT * climbed((time - LIFTED) / (LOOPED - LIFTED))
    pos = np.array((LOOP[1] * np.sin(2 * phase), LOOP[0] * np.sin(phase), -height))
    course = np.array((2 * LOOP[1] * np.cos(2 * phase), LOOP[0] * np.cos(phase), 0.0))
    return pos, rate * turn * course, float(np.arctan2(course[1], course[0]))


# --- the picture of the fleet

STYLE: dict[Any, Any] = {
    "font.size": 9,
    "axes.titlelocation": "left",
    "axes.titlesize": 9.5,
    "axes.titleweight": "bold",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "#AAAAAA",
    "axes.grid": True,
    "grid.color": "#E6E6E6",
    "legend.frameon": False,
}
SHADOW = "#BBBBBB"


def draw_fleet(log: Log) -> Figure:
    """Return the picture of the fleet: tracks in space, heights and speeds over time."""
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(11, 5.6), layout="constrained")
        grid = figure.add_gridspec(2, 2, width_ratios=(1.75, 1))
        draw_tracks(figure.add_subplot(grid[:, 0], projection="3d", computed_zorder=False), log)
        speed = figure.add_subplot(grid[1, 1])
        height = figure.add_subplot(grid[0, 1], sharex=speed)
        height.tick_params(labelbottom=False)
        draw_over_time(height, "Height above the ground [m]", log, -log["pos"][:, :, 2])
        ground = np.hypot(log["vel"][:, :, 0], log["vel"][:, :, 1])
        draw_over_time(speed, "Ground speed [m/s]", log, ground)
        speed.set_xlabel("time [s]")
        figure.suptitle(
            f"One simulation: {QUADROTORS} quadrotors, a plane and a helicopter",
            x=0.01,
            ha="left",
            fontsize=12,
            fontweight="bold",
        )
    return figure


def draw_tracks(axes: Any, log: Log) -> None:
    """Draw the tracks in space, shadows of two, and where the vehicles are at the end."""
    for kind, rows, colour in KINDS:
        for index, row in enumerate(rows):
            north, east, down = log["pos"][:, row].T
            alone = len(rows) == 1
            if alone:
                axes.plot(east, north, 0 * down, color=SHADOW, lw=0.8, zorder=1)
            width = 1.6 if alone else 0.6
            axes.plot(
                east, north, -down, color=colour, lw=width, zorder=3, label=None if index else kind
            )
            end = east[-1], north[-1], -down[-1]
            axes.plot(*([at, at] for at in end[:2]), [0, end[2]], color=SHADOW, lw=0.6, zorder=2)
            axes.scatter(*end, color=colour, s=22 if alone else 14, zorder=4)
    draw_wedges(axes, log)
    axes.set_xlabel("east [m]")
    axes.set_ylabel("north [m]")
    axes.set_title("Tracks, upwards the height [m]")
    axes.set_box_aspect((1.0, 1.0, 0.42), zoom=1.18)
    axes.set_zlim(bottom=0.0)
    axes.view_init(elev=30.0, azim=-60.0)
    axes.legend(loc="upper left", bbox_to_anchor=(0.0, 1.0))


def draw_wedges(axes: Any, log: Log) -> None:
    """Join the quadrotors at some times, each to the one before it on its side."""
    colour = KINDS[0][2]
    for time in np.arange(DURATION, CLIMBED, -LINKS):
        pos = log["pos"][np.searchsorted(log.time, time) - 1, :QUADROTORS]
        for side in ((0, 1, 3, 5), (0, 2, 4, 6)):
            north, east, down = pos[list(side)].T
            axes.plot(east, north, -down, "o-", color=colour, lw=0.8, ms=2.5, zorder=4)


def draw_over_time(axes: Axes, title: str, log: Log, values: Array) -> None:
    """Draw a number of each vehicle over time."""
    axes.set_title(title)
    for _, rows, colour in KINDS:
        axes.plot(log.time, values[:, list(rows)], color=colour, lw=1.0)


# --- missions


def draw_mission(
    file: Path, vehicle: str, path: Path, wind: tuple[float, float, float] = (0.0, 0.0, 0.0)
) -> None:
    """Fly a mission with a vehicle in wind [m/s, NED], and write the picture of its flight."""
    sim = Sim(vehicle)
    sim.wind[:] = wind
    mission = read_mission(file)
    columns = ["pos", "vel", "att", "pos_sp", "setpoint_mask", "terrain"]
    if sim.groups[0].abilities.kind.circles:
        columns.append("airspeed_before")  # of planes
    recorder = Recorder(sim, columns)
    result = fly_mission(sim, mission, recorder=recorder)
    assert result.completed, result.reason
    plot_flight(recorder.log(), mission, path, f"{mission.name}, flown by {vehicle}")


def main() -> None:
    """Draw all."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs"
    for example in DRAWN:
        subprocess.run([sys.executable, EXAMPLES / example], cwd=folder, check=True)
    draw_fleet(fleet()).savefig(folder / "fleet.png", dpi=110)
    draw_mission(DEMO, "x450", folder / "flight.png")
    draw_mission(MISSIONS / "fixed_wing.plan", "aerosonde", folder / "plane.png", (0.0, 6.0, 0.0))
    draw_mission(MISSIONS / "survey_square.plan", "blade_360", folder / "helicopter.png")
    draw_mission(MISSIONS / "vtol.plan", "gz_standard_vtol", folder / "vtol.png", (0.0, 5.0, 0.0))


if __name__ == "__main__":
    main()
