"""Plans to write and read."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pyrfly.errors import MissionError
from pyrfly.frames import LocalFrame
from pyrfly.mission import Mission

EXAMPLES = Path(__file__).parents[2] / "examples" / "missions"
HOME = [40.1540302, 116.2593683, 50]
LAT, LON = 40.1542, 116.2595  # some 19 m north and 11 m east of home
NORTH, EAST = LocalFrame(*HOME).to_ned((LAT, LON, 50.0))[:2]

Item = dict[str, Any]


def simple(command: int, *params: Any, frame: int = 3, number: int = 1) -> Item:
    return {
        "autoContinue": True,
        "command": command,
        "doJumpId": number,
        "frame": frame,
        "params": list(params),
        "type": "SimpleItem",
    }


def plan(*items: Any, **mission: Any) -> dict[str, Any]:
    """Return a whole plan around some items; ``mission`` replaces members of its mission."""
    return {
        "fileType": "Plan",
        "geoFence": {"circles": [], "polygons": [], "version": 2},
        "groundStation": "QGroundControl",
        "mission": {
            "cruiseSpeed": 15,
            "firmwareType": 12,
            "globalPlanAltitudeMode": 1,
            "hoverSpeed": 4,
            "items": list(items),
            "plannedHomePosition": HOME,
            "vehicleType": 2,
            "version": 2,
        }
        | mission,
        "rallyPoints": {"points": [], "version": 2},
        "version": 1,
    }


TAKE_OFF = simple(22, 0, 0, 0, None, HOME[0], HOME[1], 10)
WAYPOINT = simple(16, 2, 1.5, 0, 90, LAT, LON, 12, number=2)
RETURN = simple(20, 0, 0, 0, 0, 0, 0, 0, frame=2, number=3)
PLAN = plan(TAKE_OFF, WAYPOINT, RETURN)


def complaint(read: Callable[..., Mission], content: Any, name: str = "test.plan") -> str:
    """Return the one-line message of an invalid file, without its path."""
    with pytest.raises(MissionError) as caught:
        read(content, name)
    path, _, rest = str(caught.value).partition(f"{name}: ")
    assert Path(path).is_absolute()
    assert len(rest.splitlines()) == 1
    assert len(rest) < 400
    return rest


NAVIGATION = [16, 17, 19, 20, 21, 22, 31, 84, 85, 93, 112]
COMMANDS = [80, 177, 178, 179, 195, 196, 197, 201, 3000]


def places(value: Any) -> list[tuple[Any, Any]]:
    """Return container and key of everything inside a JSON value."""
    keys = value if isinstance(value, dict) else range(len(value))
    found = [(value, key) for key in keys]
    for key in keys:
        if isinstance(value[key], (dict, list)):
            found += places(value[key])
    return found


def scanned_plan() -> dict[str, Any]:
    """Return a plan with surveys and scans, a geofence and rally points."""
    area = [[LAT, LON], [LAT, HOME[1]], [HOME[0], HOME[1]]]
    camera = {"AdjustedFootprintSide": 9, "AdjustedFootprintFrontal": 9, "DistanceToSurface": 9}
    transects = {"CameraCalc": camera, "TurnAroundDistance": 2}
    scan = {"type": "ComplexItem", "TransectStyleComplexItem": transects}
    scanned = plan(
        TAKE_OFF,
        scan | {"complexItemType": "survey", "polygon": area, "angle": 30},
        scan | {"complexItemType": "CorridorScan", "polyline": area, "CorridorWidth": 30},
        {"type": "ComplexItem", "complexItemType": "StructureScan", "polygon": area, "Layers": 2}
        | {"CameraCalc": camera},
        {"type": "ComplexItem", "complexItemType": "fwLandingPattern", "loiterRadius": 50}
        | {"altitudesAreRelative": True, "loiterClockwise": True}
        | {"landingApproachCoordinate": [LAT, LON, 30], "landCoordinate": [*HOME[:2], 0]},
        simple(177, 1, 1, 0, 0, 0, 0, 0, frame=2, number=5),
    )
    scanned["geoFence"]["polygons"] = [{"polygon": area, "inclusion": True}]
    scanned["geoFence"]["circles"] = [{"circle": {"center": HOME[:2], "radius": 50}}]
    scanned["rallyPoints"]["points"] = [[LAT, LON, 5]]
    whole: dict[str, Any] = json.loads(json.dumps(scanned))  # no list in two places
    return whole
