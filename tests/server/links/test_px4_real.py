"""Flights of a real PX4 SITL: PYRFLY_PX4_DIR names its sources or the folder it was built in.

``PYRFLY_PX4_DIR=~/PX4-Autopilot pytest -n 0 -m realtime tests/server/links/test_px4_real.py``
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from pymavlink.dialects.v20 import common

from pyrfly import Sim
from pyrfly.commands.px4_build import Px4Build, find_build

from .px4_flight import AUTO, MISSION, OFFBOARD, Station, flight, vehicle

pytestmark = [
    pytest.mark.slow,
    pytest.mark.realtime,
    pytest.mark.skipif("PYRFLY_PX4_DIR" not in os.environ, reason="PYRFLY_PX4_DIR is not set"),
]

# Of a position [m]: about what the receiver says of itself, 0.9 m and vertically 1.78 m, by which
# PX4 weighs it.
HORIZONTAL, VERTICAL = 1.0, 2.0
ACCURACY = (HORIZONTAL, HORIZONTAL, VERTICAL)


def build() -> Px4Build:
    return find_build(Path(os.environ["PYRFLY_PX4_DIR"]).expanduser())


@pytest.fixture
def flying(tmp_path: Path) -> Iterator[tuple[Sim, Station]]:
    """Start a flight of a quadrotor."""
    sim = vehicle("iris")
    with flight(build(), sim, tmp_path) as station:
        yield sim, station


def test_px4_takes_off_flies_a_square_a_mission_and_lands(flying: tuple[Sim, Station]) -> None:
    sim, station = flying
    home = station.wait("HOME_POSITION", lambda m: True, 10)
    station.command(common.MAV_CMD_NAV_TAKEOFF, -1, 0, 0, *[math.nan] * 4)
    station.command(common.MAV_CMD_COMPONENT_ARM_DISARM, 1)
    station.wait("LOCAL_POSITION_NED", lambda m: m.z < home.z - 2, 30)
    assert sim.armed[0] == 1
    assert sim.pos[0, 2] < -0.5

    station.target = np.array([0.0, 0, -4])
    time.sleep(0.5)
    station.switch(OFFBOARD)
    for corner in ((0, 0, -4), (5, 0, -4), (5, 5, -4), (0, 5, -4), (0, 0, -4)):
        station.reach(corner)
        assert (np.abs(sim.pos[0] - corner) < ACCURACY).all(), (sim.pos[0], corner)

    degree = 6378137.0 * math.pi / 180
    lat, lon = home.latitude * 1e-7, home.longitude * 1e-7
    east = 1 / (degree * math.cos(math.radians(lat)))
    points = [(8.0, 0.0), (8.0, 8.0), (0.0, 0.0)]
    items = [(16, lat + x / degree, lon + y * east, 6.0) for x, y in points]
    station.upload([*items, (21, lat, lon, 0.0)])
    station.switch(AUTO, MISSION)
    station.target = None
    for seq, point in enumerate(points):
        station.wait("MISSION_ITEM_REACHED", lambda m, seq=seq: m.seq == seq, 40)
        np.testing.assert_allclose(sim.pos[0, :2], point, atol=HORIZONTAL + 2)  # acceptance radius
    station.until_armed(False, 60)
    assert sim.armed[0] == 0
    assert (np.abs(sim.pos[0]) < ACCURACY).all(), sim.pos[0]
    assert sim.check().ok


FAILS, LASTS = 40.0, 10.0  # s


def hover(sim: Sim, station: Station) -> None:
    """Hover 15 m above the start, by set-points, before the fault begins."""
    station.command(common.MAV_CMD_NAV_TAKEOFF, -1, 0, 0, *[math.nan] * 4)
    station.command(common.MAV_CMD_COMPONENT_ARM_DISARM, 1)
    station.wait("LOCAL_POSITION_NED", lambda m: m.z < -2, 60)
    station.target = np.array([0.0, 0, -15])
    time.sleep(0.5)
    station.switch(OFFBOARD)
    station.reach((0, 0, -15), 60)
    assert sim.time < FAILS


def until(sim: Sim, station: Station, end: float) -> None:
    station.wait("HEARTBEAT", lambda _: sim.time > end, 300)


@pytest.mark.parametrize("mode", ["0", "1"])
def test_px4_flies_a_hexarotor_on_without_a_motor_if_told_and_set_to(
    tmp_path: Path, mode: str
) -> None:
    sim = vehicle("hex_x")
    sim.faults.add("motor", actuator=1, at=FAILS)
    with flight(build(), sim, tmp_path, "6011", FD_ACT_EN="1", CA_FAILURE_MODE=mode) as station:
        hover(sim, station)
        until(sim, station, FAILS + 12)
        assert any("Motor failure detected" in text for text in station.texts)
        assert (sim.pos[0, 2] < -10) == (mode == "1"), sim.pos


def test_px4_without_gps_descends_until_it_is_back(tmp_path: Path) -> None:
    sim = vehicle("iris")
    sim.faults.add("sensor_dropout", sensor="gps", at=FAILS, duration=LASTS)
    with flight(build(), sim, tmp_path) as station:
        hover(sim, station)
        until(sim, station, FAILS + LASTS)
        assert any("Failsafe activated" in text for text in station.texts)
        assert -14 < sim.pos[0, 2] < -2
        until(sim, station, FAILS + LASTS + 12)
        assert sim.pos[0] == pytest.approx([0, 0, -15], abs=3)
