"""Mission files: paths, shipped ones, and a mission or a message for any content."""

from __future__ import annotations

import copy
import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pyrfly.errors import MissionError
from pyrfly.mission import DEMO, Land, ReturnToLaunch, TakeOff, read_mission

from .plan_files import (
    COMMANDS,
    EXAMPLES,
    HOME,
    LAT,
    LON,
    NAVIGATION,
    PLAN,
    TAKE_OFF,
    places,
    plan,
    scanned_plan,
    simple,
)

# --- files ------------------------------------------------------------------------------------


def test_paths_that_are_no_mission_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "folder.plan").mkdir()
    for name, words in (
        ("none.plan", "cannot be read: No such file or directory"),
        ("folder.plan", "expected a regular file"),
        ("plan.kml", "expected a .plan, .waypoints, .txt or .csv file"),
        ("plan", "expected a .plan, .waypoints, .txt or .csv file"),
    ):
        with pytest.raises(MissionError) as caught:
            read_mission(tmp_path / name)
        assert str(caught.value) == f"{tmp_path / name}: {words}"


@pytest.mark.parametrize("name", ["two\nlines.plan", "null\0.plan", "\udcff.plan"])
def test_a_strange_path_still_makes_one_line(name: str) -> None:
    with pytest.raises(MissionError) as caught:
        read_mission(name)
    assert len(str(caught.value).splitlines()) == 1
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("path", [DEMO, *sorted(EXAMPLES.glob("*.plan"))], ids=lambda p: p.stem)
def test_shipped_plans_hold_what_ground_stations_write(path: Path) -> None:
    mission = read_mission(path)
    assert mission.home == tuple(HOME)
    assert isinstance(mission.items[0], TakeOff)
    assert isinstance(mission.items[-1], (ReturnToLaunch, Land))
    numbers = [item.number for item in mission.items]
    assert list(dict.fromkeys(numbers)) == list(range(1, numbers[-1] + 1))
    raw = json.loads(path.read_text())
    assert set(raw) == set(PLAN)
    assert set(raw["mission"]) == set(PLAN["mission"])


# --- fuzzing: a mission or a message of a line per error --------------------------------------

fuzz = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
# As the default alphabet, which takes two seconds to be made.
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)
scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | texts
    | st.sampled_from([LAT, LON, *HOME, 16, 22, "Plan", "SimpleItem", 10**400])
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=8) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)


def mission_or_message(file: Path) -> None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            mission = read_mission(file)
    except MissionError as error:
        problems = error.problems  # the message shows the first ones of many
    else:
        points = [item.pos for item in mission.items if getattr(item, "pos", None) is not None]
        assert np.isfinite(points).all()
        return
    assert problems
    for problem in problems:
        assert problem.startswith(f"{file}: ")
        assert len(problem.splitlines()) == 1


@fuzz
@given(st.data())
def test_fuzz_a_plan_with_one_member_replaced_or_removed(tmp_path: Path, data: Any) -> None:
    broken = copy.deepcopy(PLAN)
    container, key = data.draw(st.sampled_from(places(broken)))
    if data.draw(st.booleans()):
        container[key] = data.draw(values)
    else:
        del container[key]
    file = tmp_path / "fuzz.plan"
    file.write_text(json.dumps(broken))
    mission_or_message(file)


@fuzz
@given(st.data())
def test_fuzz_scans_and_geofences_with_one_member_replaced(tmp_path: Path, data: Any) -> None:
    broken = scanned_plan()
    container, key = data.draw(st.sampled_from(places(broken)))
    container[key] = data.draw(values)
    file = tmp_path / "fuzz.plan"
    file.write_text(json.dumps(broken))
    mission_or_message(file)


@fuzz
@given(st.integers(0, 300), st.lists(scalars, min_size=7, max_size=7), st.integers(0, 12))
def test_fuzz_any_command_with_any_parameters(
    tmp_path: Path, command: int, params: list[Any], frame: int
) -> None:
    file = tmp_path / "fuzz.plan"
    file.write_text(json.dumps(plan(TAKE_OFF, simple(command, *params, frame=frame))))
    mission_or_message(file)


@fuzz
@given(st.data())
def test_fuzz_a_supported_command_with_any_parameters(tmp_path: Path, data: Any) -> None:
    command = data.draw(st.sampled_from(NAVIGATION + COMMANDS))
    near = st.sampled_from([LAT, LON, 5, 1, 0, None]) | scalars
    params = data.draw(st.lists(near, min_size=7, max_size=7))
    file = tmp_path / "fuzz.plan"
    file.write_text(json.dumps(plan(TAKE_OFF, simple(command, *params))))
    mission_or_message(file)


@fuzz
@given(st.binary(max_size=200), st.sampled_from(["fuzz.plan", "fuzz.csv"]))
def test_fuzz_any_bytes(tmp_path: Path, content: bytes, name: str) -> None:
    (tmp_path / name).write_bytes(content)
    mission_or_message(tmp_path / name)


@fuzz
@given(
    st.sampled_from(["x,y,z", "x,y,z,yaw,hold,speed", "lat,lon,alt", "lat,lon,alt,yaw_deg"]),
    st.lists(st.text(alphabet='0123456789.,-+einfa"#\n\r \t_', max_size=30), max_size=5),
)
def test_fuzz_any_table(tmp_path: Path, header: str, lines: list[str]) -> None:
    (tmp_path / "fuzz.csv").write_text("\n".join([header, *lines]))
    mission_or_message(tmp_path / "fuzz.csv")


@pytest.mark.parametrize("name", ["geoFence", "rallyPoints"])
def test_a_part_of_a_plan_that_is_none_is_told_once(name: str, tmp_path: Path) -> None:
    path = tmp_path / "a.plan"
    path.write_text(json.dumps(json.loads(DEMO.read_text()) | {name: "hello"}))
    with pytest.raises(MissionError) as caught:
        read_mission(path)
    assert len(caught.value.problems) == 1
