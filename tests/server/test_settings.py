"""Settings that programs on the network ask for: their effect, and what is refused."""

from __future__ import annotations

import logging
import math
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from pyrfly import Sim
from pyrfly.frames import LocalFrame
from pyrfly.server.execution import Executor
from pyrfly.server.link_stats import LinkStats
from pyrfly.server.orders import (
    Action,
    HeartbeatRequest,
    MapChange,
    ModeRequest,
    Origin,
    OriginRequest,
    Place,
    Reset,
)
from pyrfly.server.settings import MOST_MAPS

NAN = math.nan


class World:
    """Two vehicles, and what executes settings."""

    def __init__(self) -> None:
        self.sim = Sim("x450", 2)
        self.sim.enable_synthesis()
        self.sim.reset(pos=[(5, 6), (7, 8)], yaw=[0.5, 1])
        self.stats = LinkStats(2)
        self.executor = Executor(self.sim, self.stats, math.inf, setpoints_arm=False)

    def act(self, action: Action) -> None:
        self.executor.act(action)

    def place(self, copter_id, pos, yaw=NAN, on_globe=False) -> None:
        some = np.array([copter_id])
        self.act(Place(some, np.array([pos], float), np.array([yaw]), np.array([on_globe])))

    def heading(self, row: int) -> float:
        return float(self.sim.euler[row, 2])

    @property
    def refused(self) -> list[int]:
        return self.stats.per_vehicle("refused").tolist()


@pytest.fixture
def world() -> World:
    return World()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder where maps are looked for."""
    monkeypatch.setenv("PYRFLY_MAPS", str(tmp_path))
    monkeypatch.delenv("PSP_PATH", raising=False)
    return tmp_path


def test_a_vehicle_is_put_to_another_start(world):
    world.place(2, (-3, 4, NAN), math.pi / 2)
    assert world.sim.pos.tolist() == [[5, 6, 0], [-3, 4, 0]]
    assert world.heading(1) == pytest.approx(math.pi / 2)
    assert world.heading(0) == pytest.approx(0.5)
    assert world.sim.home[1].tolist() == [-3, 4, 0]


def test_a_restart_is_to_the_new_start(world):
    world.place(1, (10, 20, NAN), -1)
    world.sim.pos[0] = (50, 60, -7)
    world.act(Reset(np.array([1])))
    assert world.sim.pos[0].tolist() == [10, 20, 0]
    assert world.heading(0) == pytest.approx(-1)


def test_what_is_not_given_stays(world):
    world.place(1, (NAN, NAN, -12))
    assert world.sim.pos[0].tolist() == [5, 6, -12]
    assert world.heading(0) == pytest.approx(0.5)


def test_a_start_below_the_ground_is_on_it(world):
    world.place(1, (1, 2, 30), 0)
    assert world.sim.pos[0].tolist() == [1, 2, 0]


def test_a_flying_vehicle_is_reset(world):
    world.sim.arm()
    world.sim.command_position([[5, 6, -5], [7, 8, -5]])
    world.sim.sleep(3)
    world.place(2, (0, 0, NAN), 0)
    assert world.sim.armed.tolist() == [1, 0]
    assert world.sim.vel[1].tolist() == [0, 0, 0]
    assert world.sim.pos[0, 2] < -1


def test_a_start_on_the_earth_is_where_the_map_has_it(world):
    frame = LocalFrame(*world.sim.origin)
    lat, lon, _ = frame.to_lla((120.0, -40.0, 0.0)).tolist()
    world.place(1, (lat, lon, NAN), 0, on_globe=True)
    assert world.sim.pos[0] == pytest.approx((120, -40, 0), abs=0.01)


def test_a_start_on_another_continent_is_refused(world, caplog):
    with caplog.at_level(logging.WARNING, "pyrfly.server"):
        for _ in range(3):
            world.place(2, (0, 0, NAN), 0, on_globe=True)
    assert world.sim.pos[1].tolist() == [7, 8, 0]
    assert world.refused == [0, 3]
    assert len(caplog.records) == 1


def test_the_origin_is_moved_while_nobody_is_armed(world):
    lla = (-33.5, 151.25, 70.0)
    world.act(Origin(np.array([1]), np.array([lla])))
    assert world.sim.origin == lla
    world.sim.arm()
    world.act(Origin(np.array([1]), np.array([(1.0, 2.0, 3.0)])))
    assert world.sim.origin == lla
    assert world.refused == [1, 0]
    world.act(Origin(np.array([1]), np.array([lla])))  # as it is
    assert world.refused == [1, 0]


def write_map(folder: Path, name: str, height: float, origin: str = "") -> None:
    """Write level ground of a height [m] from -10 to 10 m north, 0 to 20 m east."""
    levels = np.full((2, 3), 32768 + round(100 * height), np.uint16)
    Image.fromarray(levels).save(folder / f"{name}.png")
    (folder / f"{name}.txt").write_text(f"1000,2000,0,-1000,0,0,0,0,0{origin}\n")


def change_map(world: World, name: str) -> None:
    world.act(MapChange(np.array([2]), np.array([name.encode()])))


def test_all_vehicles_are_put_on_a_map_by_its_name(world, folder):
    write_map(folder, "Hill", 3, ",-33.5,151.25,70")
    change_map(world, "Hill")
    assert world.sim.environment.terrain_map is not None
    assert world.sim.terrain[0] == world.sim.terrain[1]
    assert world.sim.pos[:, 2].tolist() == world.sim.terrain.tolist()
    assert world.sim.origin == (-33.5, 151.25, 70.0)
    assert world.refused == [0, 0]


def test_maps_that_cannot_be_had_are_refused(world, folder, caplog):
    (folder / "Bad.txt").write_text("1,2,3\n")
    with caplog.at_level(logging.WARNING, "pyrfly.server"):
        change_map(world, "Bad")
        change_map(world, "NoSuchMap")
    assert world.sim.environment.terrain_map is None
    assert world.refused == [0, 2]
    assert len(caplog.records) == 1
    assert "the map 'Bad'" in caplog.text


def test_a_map_is_not_changed_below_a_flying_vehicle(world, folder):
    write_map(folder, "Hill", 3)
    world.sim.arm()
    change_map(world, "Hill")
    assert world.sim.environment.terrain_map is None
    assert world.refused == [0, 1]


def test_the_number_of_maps_is_bounded(world, folder):
    for number in range(MOST_MAPS + 1):
        write_map(folder, f"Hill{number}", number)
        change_map(world, f"Hill{number}")
    assert world.refused == [0, 1]
    change_map(world, "Hill0")
    assert world.refused == [0, 1]


@pytest.mark.parametrize(
    "action",
    [
        ModeRequest(np.array([2]), np.array([1])),
        HeartbeatRequest(np.array([2])),
        OriginRequest(np.array([2])),
    ],
)
def test_what_needs_a_link_of_rflysims_modes_is_refused(world, action):
    world.act(action)
    assert world.refused == [0, 1]
