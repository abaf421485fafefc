"""Surveys and scans of plans: the stored items, else waypoints from the geometry."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pyrfly.errors import MissionError
from pyrfly.frames import LocalFrame
from pyrfly.mission import Ignored, Mission, Waypoint, read_mission

HOME = (40.1540302, 116.2593683, 50.0)
FRAME = LocalFrame(*HOME)


def geodetic(*points: tuple[float, float]) -> list[list[float]]:
    """Return latitude and longitude of local positions (north, east) [m]."""
    return [[float(v) for v in FRAME.to_lla((n, e, 0.0))[:2]] for n, e in points]


RECTANGLE = geodetic((0, 0), (40, 0), (40, 30), (0, 30))


def camera(**members: Any) -> dict[str, Any]:
    return {
        "AdjustedFootprintSide": 10,
        "AdjustedFootprintFrontal": 8,
        "DistanceToSurface": 20,
        "DistanceToSurfaceRelative": True,
        "version": 1,
    } | members


def survey(transects: dict[str, Any], **members: Any) -> dict[str, Any]:
    return {
        "type": "ComplexItem",
        "complexItemType": "survey",
        "version": 5,
        "angle": 0,
        "entryLocation": 0,
        "polygon": RECTANGLE,
        "TransectStyleComplexItem": {"CameraCalc": camera(), "TurnAroundDistance": 0} | transects,
    } | members


def corridor(**members: Any) -> dict[str, Any]:
    return (
        survey({})
        | {
            "complexItemType": "CorridorScan",
            "CorridorWidth": 20,
            "EntryPoint": 0,
            "polyline": geodetic((0, 0), (30, 0)),
        }
        | members
    )


def structure(**members: Any) -> dict[str, Any]:
    return {
        "type": "ComplexItem",
        "complexItemType": "StructureScan",
        "version": 3,
        "CameraCalc": camera(DistanceToSurface=5),
        "EntranceAltitude": 40,
        "Layers": 2,
        "ScanBottomAlt": 2,
        "StartFromTop": False,
        "StructureHeight": 16,
        "polygon": RECTANGLE,
    } | members


def simple(command: int, *params: Any, number: int) -> dict[str, Any]:
    return {
        "autoContinue": True,
        "command": command,
        "doJumpId": number,
        "frame": 3,
        "params": list(params),
        "type": "SimpleItem",
    }


def read(tmp_path: Path, *items: Any) -> Mission:
    plan = {
        "fileType": "Plan",
        "mission": {"items": items, "plannedHomePosition": HOME, "version": 2},
        "version": 1,
    }
    file = tmp_path / "scan.plan"
    file.write_text(json.dumps(plan))
    return read_mission(file)


def positions(mission: Mission) -> np.ndarray[Any, Any]:
    assert all(isinstance(item, (Waypoint, Ignored)) for item in mission.items)
    return np.array([item.pos for item in mission.items if isinstance(item, Waypoint)])


def test_stored_items_are_flown_as_they_are(tmp_path: Path) -> None:
    stored = [
        simple(16, 0, 0, 0, None, *RECTANGLE[2], 20, number=3),
        simple(206, 10, 0, 1, 0, 0, 0, 0, number=4),
        simple(16, 0, 0, 0, None, *RECTANGLE[0], 20, number=5),
    ]
    with pytest.warns(UserWarning, match=r"206 DO_SET_CAM_TRIGG_DIST \(item 4\)"):
        mission = read(tmp_path, survey({"Items": stored}))
    np.testing.assert_allclose(positions(mission), [(40, 30, -20), (0, 0, -20)], atol=1e-2)
    assert mission.items[1] == Ignored(206, number=4)
    assert [item.number for item in mission.items] == [3, 4, 5]
    assert [item.survey for item in mission.items] == [1, 1, 1]


def test_errors_inside_a_survey_are_named(tmp_path: Path) -> None:
    stored = [simple(c, 0, 0, 0, None, *RECTANGLE[0], 20, number=c) for c in (82, 16, 94)]
    with pytest.raises(MissionError) as caught:
        read(tmp_path, survey({"Items": stored}))
    assert len(caught.value.problems) == 2
    assert "item 94 (command 94" in caught.value.problems[1]


def test_a_survey_without_items_goes_back_and_forth(tmp_path: Path) -> None:
    found = positions(read(tmp_path, survey({})))
    ends = [(0, 5), (40, 5), (40, 15), (0, 15), (0, 25), (40, 25)]
    np.testing.assert_allclose(found, [(n, e, -20) for n, e in ends], atol=1e-2)


@pytest.mark.parametrize(("corner", "first"), [(0, (0, 5)), (1, (0, 25)), (2, (40, 5))])
def test_a_survey_begins_at_its_corner(
    tmp_path: Path, corner: int, first: tuple[float, float]
) -> None:
    found = positions(read(tmp_path, survey({}, entryLocation=corner)))
    np.testing.assert_allclose(found[0, :2], first, atol=1e-2)


def test_a_survey_may_fly_across_a_second_time(tmp_path: Path) -> None:
    found = positions(read(tmp_path, survey({"Refly90Degrees": True})))
    assert len(found) == 6 + 8


def test_alternate_transects_come_at_the_end(tmp_path: Path) -> None:
    found = positions(read(tmp_path, survey({}, flyAlternateTransects=True)))
    np.testing.assert_allclose(found[::2, 1], [5, 25, 15], atol=1e-2)


@pytest.mark.parametrize("above_sea", [{"DistanceMode": 2}, {"DistanceToSurfaceRelative": False}])
def test_an_altitude_above_sea_level_is_one(tmp_path: Path, above_sea: dict[str, Any]) -> None:
    calc = camera(DistanceToSurface=80) | above_sea
    found = positions(read(tmp_path, survey({"CameraCalc": calc})))
    np.testing.assert_allclose(found[:, 2], -30.0)


def test_a_corridor_is_flown_along_its_parallels(tmp_path: Path) -> None:
    found = positions(read(tmp_path, corridor()))
    ends = [(0, -5), (30, -5), (30, 5), (0, 5)]
    np.testing.assert_allclose(found, [(n, e, -20) for n, e in ends], atol=1e-2)


@pytest.mark.parametrize("top", [False, True])
def test_a_structure_is_flown_around_layer_by_layer(tmp_path: Path, top: bool) -> None:
    found = positions(read(tmp_path, structure(StartFromTop=top)))
    assert len(found) == 1 + 2 * 5 + 1
    np.testing.assert_allclose(found[[0, -1], 2], -40.0)
    np.testing.assert_allclose(found[1:6, 2], -14.0 if top else -6.0)
    np.testing.assert_allclose(found[6:11, 2], -6.0 if top else -14.0)
    np.testing.assert_allclose(found[:, 0].min(), -5.0, atol=1e-2)
    np.testing.assert_allclose(found[:, 1].max(), 35.0, atol=1e-2)


@pytest.mark.parametrize(
    ("item", "words"),
    [
        (survey({}, complexItemType="aSurvey"), "complexItemType: expected one of"),
        (survey({}, complexItemType=["survey"]), "complexItemType: expected one of"),
        (survey({}, polygon=RECTANGLE[:2]), "polygon: expected at least 3 entries, got 2"),
        (survey({}, polygon=[[95, 0]] * 3), "polygon: latitude: expected -90..90 deg"),
        (survey({}, angle="north"), "angle: expected a number [deg]"),
        (survey({"CameraCalc": None}), "CameraCalc: expected an object, got null"),
        (
            survey({"CameraCalc": camera(AdjustedFootprintSide=0)}),
            "AdjustedFootprintSide: expected",
        ),
        (survey({}, entryLocation=4), "entryLocation: expected 0..3"),
        (corridor(CorridorWidth=-1), "CorridorWidth: expected 0..50000 m"),
        (structure(Layers=0), "Layers: expected 1..1000 layers, got 0"),
        (structure(polygon=RECTANGLE[:1] * 3), "expected at least 3 different positions, got 1"),
    ],
)
def test_a_broken_scan_is_named(tmp_path: Path, item: dict[str, Any], words: str) -> None:
    with pytest.raises(MissionError) as caught:
        read(tmp_path, item)
    assert "item 1" in str(caught.value)
    assert words in str(caught.value)
