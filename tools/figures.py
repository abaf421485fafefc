"""Draw the pictures of README.md and docs/: flights, simulated as they are drawn.

    python tools/figures.py [FOLDER]

FOLDER is by default docs. It needs the extra ``plot``.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from PIL import Image

from pyrfly import Sim
from pyrfly.log import Recorder, plot_flight
from pyrfly.mission import DEMO, fly_mission, read_mission
from pyrfly.view.portraits import sheet

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "examples"
MISSIONS = EXAMPLES / "missions"

SEEN = (
    *("cf2x_p250", "x450", "hex_coax", "octo_x", "tri_y_servo_plus"),
    *("aerosonde", "my_twin_dream", "skywalker_x8", "gz_standard_vtol", "gz_tailsitter"),
    *("xcell_60", "husky_a200", "turtlebot3_burger", "f1tenth", "vw_vanagon"),
    *("truck_trailer", "otter", "kvlcc2", "bluerov2_heavy", "remus100"),
)
"""Vehicles of a page with a portrait of each."""

DRAWN = (
    *("19_crossing_swarms.py", "20_forest_lidar.py", "21_gate_race.py", "22_car.py"),
    *("24_reach.py", "zoo.py"),
)
"""Examples whose figures are pictures of pages."""


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
    Image.fromarray(sheet(SEEN)).save(folder / "vehicles.png")
    draw_mission(DEMO, "x450", folder / "flight.png")
    draw_mission(MISSIONS / "fixed_wing.plan", "aerosonde", folder / "plane.png", (0.0, 6.0, 0.0))
    draw_mission(MISSIONS / "survey_square.plan", "blade_360", folder / "helicopter.png")
    draw_mission(MISSIONS / "vtol.plan", "gz_standard_vtol", folder / "vtol.png", (0.0, 5.0, 0.0))


if __name__ == "__main__":
    main()
