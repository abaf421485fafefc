"""Mission files: `read_mission`."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from pyrfly.errors import MissionError
from pyrfly.files import printable, read_regular
from pyrfly.mission.items import Mission
from pyrfly.mission.plan import read_plan
from pyrfly.mission.table import read_table

__all__ = ["DEMO", "read_mission"]

DEMO = Path(__file__).parent / "plans" / "demo.plan"
"""The packaged default mission."""

_MAX_BYTES = 10_000_000


def read_mission(path: str | os.PathLike[str]) -> Mission:
    """Read a mission from a QGroundControl plan or a table of waypoints.

    Parameters
    ----------
    path : str or path-like
        A ``.plan`` or a ``.csv`` file of at most 10 MB.

    Returns
    -------
    Mission
        The mission, with the name of the file.

    Raises
    ------
    MissionError
        The file cannot be read, is invalid, or uses an unsupported item: one line with the path,
        the expected and the received value.

    Notes
    -----
    Plans: ``plannedHomePosition``, the simple items and a speed are used, geofences and rally
    points are ignored. The speed is ``cruiseSpeed`` in a plan for a fixed wing, car or boat
    (``vehicleType`` 1, 10 or 11), and ``hoverSpeed`` in any other. Commands [@mavlink]: 16
    waypoint, 19 loiter for a time, 20 return to launch, 21 land, 22 take-off, 178 change speed;
    frames 0 and 5 (altitude above sea level), 3 and 6 (height above home). A null or NaN parameter
    is not set.

    Tables: the header has either ``x,y,z`` (local north, east, down [m]; home is RflySim's default)
    or ``lat,lon,alt`` ([deg], [deg], [m above home]; home is below the first point); then
    optionally ``yaw`` [rad] or ``yaw_deg``, ``hold`` [s], ``speed`` [m/s]. An empty cell is not
    set; empty lines and lines that begin with ``#`` are skipped. The vehicle takes off to the
    height of the first waypoint and lands at the last.

    Examples
    --------
    >>> read_mission(DEMO).home
    (40.1540302, 116.2593683, 50.0)
    """
    file = Path(path)
    readers: dict[str, Callable[[str], Mission]] = {".plan": read_plan, ".csv": read_table}
    try:
        reader = readers.get(file.suffix.lower())
        if reader is None:
            raise MissionError("expected a .plan or a .csv file")
        return replace(reader(_read_text(file)), name=file.stem)
    except MissionError as error:
        raise MissionError(f"{printable(file)}: {error}") from None


def _read_text(file: Path) -> str:
    try:
        data = read_regular(file, _MAX_BYTES)
    except ValueError as error:
        raise MissionError(str(error)) from None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise MissionError(f"expected UTF-8 text, got another byte at {error.start}") from None
