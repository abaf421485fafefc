"""Text missions of ground stations, read."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from pymavlink import mavwp

from pyrfly.errors import MissionError
from pyrfly.frames import LocalFrame
from pyrfly.mission import Jump, Land, Mission, TakeOff, Waypoint, read_mission

HOME = (47.397742, 8.545594, 488.0)
HEAD = "QGC WPL 110\n0 1 0 16 0 0 0 0 47.397742 8.545594 488 1\n"


@pytest.fixture
def read(tmp_path: Path):
    def of_text(text: str, name: str = "flight.waypoints", **options) -> Mission:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return read_mission(path, **options)

    return of_text


def test_a_file_of_pymavlink_is_flown_as_its_plan(tmp_path: Path) -> None:
    """Written by another program: home, take-off, two waypoints, landing."""
    frame = LocalFrame(*HOME)
    loader = mavwp.MAVWPLoader()
    loader.add_latlonalt(*HOME)
    for command, place in ((22, (0, 0)), (16, (30, 0)), (16, (30, -40)), (21, (30, -40))):
        lat, lon, _ = frame.to_lla((*place, 0.0))
        loader.add_latlonalt(lat, lon, 0.0 if command == 21 else 12.0)
        item = loader.wp(loader.count() - 1)
        item.command, item.frame = command, 3
    path = tmp_path / "flight.txt"
    loader.save(str(path))
    mission = read_mission(path)
    assert mission.home == pytest.approx(HOME)
    assert [type(item) for item in mission.items] == [TakeOff, Waypoint, Waypoint, Land]
    np.testing.assert_allclose(
        mission.items[2].pos, (30, -40, -12), atol=0.12
    )  # six decimals of a degree
    assert mission.items[2].number == 3
    assert mission.name == "flight"


def test_jumps_name_indices_of_the_file(read) -> None:
    items = "16 0 0 0 0 47.3979 8.5456 9 1", "177 {to} 2 0 0 0 0 0 1"
    first, jump = (f"0 3 {item}" for item in items)
    mission = read(f"{HEAD}1 {first}\n2 {jump.format(to=1)}\n")
    assert mission.items[1] == Jump(1, 2, number=2)
    mission = read(f"QGC WPL 120\n0 {first}\n1 {jump.format(to=0)}\n")
    assert mission.items[1] == Jump(1, 2, number=2)
    np.testing.assert_allclose(mission.items[0].pos, (0, 0, -9), atol=1e-6)  # home is below it


def test_a_home_that_is_given_moves_the_start(read) -> None:
    text = f"{HEAD}1 0 3 16 0 0 0 0 47.397742 8.545594 9 1\n"
    (item,) = read(text, home=(47.397742, 8.545594, 100.0)).items
    np.testing.assert_allclose(item.pos, (0, 0, -9), atol=1e-6)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", '"QGC WPL 110" or 120 in the first line, got'),
        ("QGC WPL 130\n", "got 'QGC WPL 130'"),
        (f"{HEAD}1 0 3 16 0 0 0 0 47 8 9\n", "line 3: expected 12 columns, got 11"),
        (f"{HEAD}1 0 3 16 0 0 0 x 47 8 9 1\n", "line 3: expected numbers"),
        (f"{HEAD}1 0 3 16.5 0 0 0 0 47 8 9 1\n", "line 3: column 4: expected an integer"),
        (f"{HEAD}1 0 3 16 0 0 0 0 97 8 9 1\n", "latitude"),
        (f"{HEAD}1 0 nan 16 0 0 0 0 47 8 9 1\n", "line 3: column 3"),
        (f"{HEAD}1 0 3 177 7 1 0 0 0 0 0 1\n", "expected the number of an item to fly to, got 7"),
    ],
)
def test_what_is_wrong_is_said(read, text: str, said: str) -> None:
    with pytest.raises(MissionError) as caught:
        read(text)
    assert said in str(caught.value)
