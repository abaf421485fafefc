"""Mission files: `read_mission`."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from pyrfly.errors import MissionError, warn
from pyrfly.files import decoded, path_of, printable, read_regular, readable
from pyrfly.mission.checks import Point
from pyrfly.mission.mission import Mission, checked_home
from pyrfly.mission.plan import read_plan
from pyrfly.mission.table import read_table
from pyrfly.mission.waypoint_list import read_waypoint_list
from pyrfly.terrain import TerrainMap

__all__ = ["DEMO", "read_mission"]

DEMO = Path(__file__).parent / "plans" / "demo.plan"
"""The packaged default mission."""

_MAX_BYTES = 10_000_000


def read_mission(
    path: str | os.PathLike[str],
    home: Point | None = None,
    *,
    terrain: TerrainMap | None = None,
) -> Mission:
    """Read a mission from a QGroundControl plan, a text mission, or a table of waypoints.

    Parameters
    ----------
    path : str or path-like
        A ``.plan``, ``.waypoints``, ``.txt`` or ``.csv`` file of at most 10 MB.
    home : tuple of 3 floats, optional
        Latitude [deg], longitude [deg], altitude [m above sea level] of the local origin, instead
        of that of the file. Geodetic positions stay where they are, heights are above this home.
    terrain : TerrainMap, optional
        The ground in the local frame of home, for heights above it (frames 10 and 11).

    Returns
    -------
    Mission
        The mission, with the name of the file.

    Raises
    ------
    MissionError
        The file cannot be read, is invalid, or uses an unsupported item: the path, and a line per
        error with the expected and the received value.

    Warns
    -----
    UserWarning
        Once, if items are skipped: all that do not move the vehicle, such as camera commands.

    Notes
    -----
    Plans: ``plannedHomePosition``, items, a speed, geofence and rally points are used. The speed is
    ``cruiseSpeed`` in a plan for a fixed wing, car or boat (``vehicleType`` 1, 10 or 11), and
    ``hoverSpeed`` in any other; by wings all fly at the airspeed ``cruiseSpeed``. Commands
    [@mavlink]: 16 waypoint, 17 loiter for ever, 18 for turns, 19 for a time, 31 to an altitude, 20
    return, 189 mark of a landing, 21 and 85 land, 22 and 84 take-off, 93 and 112 delay, 177 jump,
    178 change speed, 179 set home, 80, 195, 196, 197 and 201 region of interest; frames 0 and 5
    (altitude above sea level), 3 and 6 (height above home), with ``terrain`` 10 and 11 (height
    above the ground at the item; legs between them are straight). A null or NaN parameter is not
    set. The other commands that PX4 1.16 accepts in missions are skipped. Surveys and corridor
    scans are flown as stored in the file, or expanded from their geometry, as structure scans and
    landing patterns are.

    Text missions (``.waypoints``, ``.txt``) begin with ``QGC WPL 110``, where the first item is
    home, or ``120``, where home is below the first position. Their commands are those of plans;
    jumps name indices of the file.

    Tables: the header has either ``x,y,z`` (local north, east, down [m]; home is RflySim's default)
    or ``lat,lon,alt`` ([deg], [deg], [m above home]; home is below the first point); then
    optionally ``yaw`` [rad] or ``yaw_deg``, ``hold`` [s], ``speed`` [m/s]. An empty cell is not
    set; empty lines and lines that begin with ``#`` are skipped. The vehicle takes off to the
    height of the first waypoint and lands at the last; one with points below home is for vehicles
    that dive. A table has at most 100 000 waypoints.

    Examples
    --------
    >>> read_mission(DEMO).home
    (40.1540302, 116.2593683, 50.0)
    """
    file = path_of("path", path)
    readers: dict[str, Callable[[str, Point | None], Mission]] = {
        ".plan": functools.partial(read_plan, terrain=terrain),
        ".csv": read_table,
        **dict.fromkeys(
            (".waypoints", ".txt"), functools.partial(read_waypoint_list, terrain=terrain)
        ),
    }
    if home is not None:
        home = checked_home("home", home)
    try:
        reader = readers.get(file.suffix.lower())
        if reader is None:
            raise MissionError("expected a .plan, .waypoints, .txt or .csv file")
        mission = replace(reader(_read_text(file), home), name=readable(file.stem))
    except MissionError as error:
        if len(error.problems) == 1:
            raise MissionError(f"{printable(file)}: {error}") from None
        raise MissionError(*(f"{printable(file)}: {p}" for p in error.problems)) from None
    if mission.skipped:
        skipped = "; ".join(mission.skipped)
        warn(f"{printable(file)}: skipped: {skipped}", UserWarning)
    return mission


def _read_text(file: Path) -> str:
    try:
        data = read_regular(file, _MAX_BYTES)
    except ValueError as error:
        raise MissionError(str(error)) from None
    try:
        return decoded(data)
    except UnicodeDecodeError as error:
        raise MissionError(f"expected UTF-8 text, got another byte at {error.start}") from None
