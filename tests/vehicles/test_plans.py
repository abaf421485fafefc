"""Plans of a ground station on disk, driven and swum by `pyrfly fly`: speeds, reverse, depths."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pyrfly
from pyrfly.cli import main
from pyrfly.frames import LocalFrame
from pyrfly.log import Log
from pyrfly.vehicles import VehicleParameters
from pyrfly.vehicles.abilities import Abilities
from pyrfly.vehicles.kinds import Kind

from ..mission.plan_files import HOME, plan, simple
from .conftest import Array, able, slow_but_one_of_each_type

VEHICLE_TYPES = {Kind.DRIVES: 10, Kind.FLOATS: 11, Kind.DIVES: 12}  # MAV_TYPE
FRAME = LocalFrame(*HOME)
DEPTH = 3.0


def stops(able: Abilities) -> bool:
    """Return whether a vehicle moves on or below a surface, and stops at positions."""
    drifts = able.limits.circle is not None and able.kind is not Kind.DRIVES
    return able.kind in VEHICLE_TYPES and "command_position" in able.commands and not drifts


class Course:
    """A plan for a vehicle: out at a speed, back in reverse if it can, and to its launch."""

    def __init__(self, vehicle: VehicleParameters) -> None:
        self.able, sim = able(vehicle), pyrfly.Sim(vehicle)
        limits = self.able.limits

        def number(name: str | None) -> float:
            return 0.0 if name is None else float(sim.select(1).read(name)[0])

        self.speed = min(0.5 * number(limits.speed), 3.0)
        side = 10.0 * self.speed + 2.0 * number(limits.turning)
        self.depth = DEPTH if self.able.kind.dives else 0.0
        self.places = np.array([[side, 0.0], [0.3 * side, 0.05 * side]])

    def items(self) -> list[dict[str, Any]]:
        """Return the items as QGroundControl stores them."""
        out, back = (self._waypoint(*place) for place in self.places)
        speed = simple(178, 1, self.speed, -1, 0, 0, 0, 0, frame=2)
        turns = [simple(194, on, 0, 0, 0, 0, 0, 0, frame=2) for on in (1, 0)]
        way = [out, turns[0], back, turns[1]] if self.able.backs else [out, back]
        home = simple(20, 0, 0, 0, 0, 0, 0, 0, frame=2)
        return [{**item, "doJumpId": k} for k, item in enumerate([speed, *way, home], start=1)]

    def _waypoint(self, north: float, east: float) -> dict[str, Any]:
        lat, lon, _ = FRAME.to_lla((north, east, 0.0))
        return simple(16, 0, 0, 0, None, float(lat), float(lon), -self.depth)


@slow_but_one_of_each_type(
    stops, soon=lambda able: able.limits.circle is None
)  # others turn on long ways
def test_a_plan_is_followed(vehicle: VehicleParameters, tmp_path: Path) -> None:
    course = Course(vehicle)
    file, out = tmp_path / "course.plan", tmp_path / "logs"
    kind = VEHICLE_TYPES[course.able.kind]
    content = plan(*course.items(), vehicleType=kind, cruiseSpeed=course.speed)
    file.write_text(json.dumps(content), encoding="utf-8")
    name = vehicle.name
    assert main(["fly", str(file), "--vehicle", name, "--no-plot", "--out", str(out)]) == 0
    (path,) = out.iterdir()
    log = Log.load(path)
    pos: Array = np.asarray(log["pos"])[:, 0]
    vel: Array = np.asarray(log["vel"])[:, 0]
    trailer = course.able.trailer
    first: Array = pos if trailer is None else np.asarray(log[trailer.pos])[:, 0]
    for place, there in zip(course.places, (pos, first if course.able.backs else pos), strict=True):
        assert np.linalg.norm(there[:, :2] - place, axis=1).min() < 1.5
    assert pos[:, 2].max() == pytest.approx(course.depth, abs=0.5)
    assert pos[-1, 2] == pytest.approx(0.0, abs=0.5)
    half_way = int(np.argmax(pos[:, 0] > 0.5 * course.places[0, 0]))
    assert vel[half_way, 0] == pytest.approx(course.speed, rel=0.15)
