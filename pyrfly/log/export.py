"""Logs for other programs, with geodetic positions: `export_log`."""

from __future__ import annotations

import csv
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple
from xml.etree import ElementTree

import numpy as np
from numpy.typing import NDArray

from pyrfly.errors import brief, require_kind
from pyrfly.files import path_of, readable, replacing
from pyrfly.frames import LocalFrame
from pyrfly.log.log import Log
from pyrfly.log.tables import columns_of_table, parts_of_table
from pyrfly.log.ulog import write_ulog

__all__ = ["EXPORTS", "export_log"]

_KML = "http://www.opengis.net/kml/2.2"
_FARTHEST = 1e9  # m
_LONGEST = 1e12  # s; ULog counts microseconds in 64 bits
_KML_POINTS = 20_000  # maximum of a line; programs for maps draw longer ones slowly


def export_log(
    log: Log,
    path: str | os.PathLike[str],
    *,
    origin: Sequence[float] | None = None,
    copter_id: int | None = None,
) -> None:
    """Write a log for other programs; an existing file is replaced.

    Parameters
    ----------
    log : Log
        With the column ``pos``; a ``.csv`` without it has no ``lat``, ``lon`` and ``alt``.
    path : str or path-like
        The suffix determines the format. ``.csv``: a table of ``time`` [s], ``copter_id``, ``lat``,
        ``lon`` [deg], ``alt`` [m above the ellipsoid] and the columns of `component_names`.
        ``.kml``: the tracks, for programs with maps, which take the heights above the ellipsoid for
        heights above the geoid. ``.ulg``: ULog, the log format of PX4, of one vehicle, with PX4's
        names of topics; the columns that PX4 does not have are topics ``pyrfly_...``.
    origin : sequence of 3 floats, optional
        Latitude [deg], longitude [deg] and height [m above the ellipsoid] of the local frame; by
        default that of the log. With its height above sea level, those that are written are, too:
        less `pyrfly.terrain.geoid_height`.
    copter_id : int, optional
        CopterID of the vehicle of a ULog file; the first of the log by default.

    Raises
    ------
    ValueError
        The suffix is none of these, the origin is unknown or invalid, the log does not have the
        vehicle, a position is farther from the origin than 10^9 m, or a time is below 0 or above
        10^12 s where ULog is written.
    KeyError
        The log does not have positions.
    """
    require_kind("log", log, Log)
    file = path_of("path", path)
    export = EXPORTS.get(file.suffix.lower().lstrip("."))
    if export is None:
        raise ValueError(f"path: expected {', '.join(EXPORTS)} as suffix, got {str(file)!r}")
    flight = _Flight(log, _frame(log, origin), log.row_of(copter_id), file.stem)
    with replacing(file) as temporary:
        export.write(flight, temporary)


class _Flight(NamedTuple):
    """A log, its frame, the row of the vehicle of a file of one, and a title."""

    log: Log
    frame: LocalFrame
    row: int
    title: str


class Export(NamedTuple):
    """A format of `export_log`.

    Attributes
    ----------
    contents : str
        What its files are.
    write : callable
        Writes a flight to a path.
    """

    contents: str
    write: Callable[[_Flight, Path], None]


def _geodetic(flight: _Flight) -> NDArray[np.float64]:
    """Return latitude, longitude and height of the positions; NaN stays."""
    pos = flight.log["pos"].astype(np.float64)
    far = np.argwhere(np.abs(pos) > _FARTHEST)
    if len(far):
        value = pos[tuple(far[0])]
        raise ValueError(f"pos: expected positions up to {_FARTHEST:g} m, got {value:g}")
    return np.asarray(flight.frame.to_lla(pos))


def _frame(log: Log, origin: Sequence[float] | None) -> LocalFrame:
    given = log.metadata.get("origin") if origin is None else origin
    if given is None:
        raise ValueError(
            "origin: expected latitude, longitude and altitude of the local frame, which the log "
            "does not have, got None"
        )
    try:
        lat, lon, alt = given
        return LocalFrame(lat, lon, alt)
    except (TypeError, ValueError) as error:
        raise ValueError(
            "origin: expected latitude, longitude and altitude of the local frame,"
            f" got {brief(given)} ({error})"
        ) from None


def _write_csv(flight: _Flight, file: Path) -> None:
    log = flight.log
    lla = _geodetic(flight) if "pos" in log.columns else None
    with file.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        for part in parts_of_table(log):
            columns: dict[str, NDArray[Any]] = columns_of_table(log, part)
            table = {"time": columns.pop("time"), "copter_id": columns.pop("copter_id")}
            if lla is not None:
                table |= zip(("lat", "lon", "alt"), lla[part].reshape(-1, 3).T, strict=True)
            table |= columns
            if part.start == 0:
                writer.writerow(table)
            writer.writerows(zip(*(column.tolist() for column in table.values()), strict=True))


def _write_kml(flight: _Flight, file: Path) -> None:
    log, lla = flight.log, _geodetic(flight)
    root = ElementTree.Element("kml", xmlns=_KML)
    document = ElementTree.SubElement(root, "Document")
    ElementTree.SubElement(document, "name").text = readable(flight.title)
    stride = max(1, -(-len(log) // _KML_POINTS))
    for row, copter_id in enumerate(log.copter_ids):
        mark = ElementTree.SubElement(document, "Placemark")
        ElementTree.SubElement(mark, "name").text = f"vehicle {copter_id}"
        line = ElementTree.SubElement(mark, "LineString")
        ElementTree.SubElement(line, "altitudeMode").text = "absolute"
        ElementTree.SubElement(line, "coordinates").text = " ".join(
            f"{lon:.9f},{lat:.9f},{alt:.3f}" for lat, lon, alt in lla[::stride, row].tolist()
        )
    ElementTree.ElementTree(root).write(file, encoding="utf-8", xml_declaration=True)


def _write_ulog(flight: _Flight, file: Path) -> None:
    _geodetic(flight)  # raises where a position is too far
    time = flight.log.time
    if time.size and not 0.0 <= time[0] <= time[-1] <= _LONGEST:
        raise ValueError(
            f"time: expected 0 to {_LONGEST:g} s for ULog, got {time[0]:g} to {time[-1]:g} s"
        )
    # what is too large for PX4's types is infinite in them
    with np.errstate(over="ignore", invalid="ignore"):
        write_ulog(flight.log, flight.row, flight.frame, file)


EXPORTS: Mapping[str, Export] = MappingProxyType(
    {
        "csv": Export("a table with latitude and longitude", _write_csv),
        "kml": Export("tracks for maps", _write_kml),
        "ulg": Export("PX4's ULog, a file per vehicle", _write_ulog),
    }
)
"""Formats of `export_log` by the suffixes of their files."""
