"""Local frames on WGS84 against geodesics [@geographiclib]."""

from __future__ import annotations

import csv
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly.frames import LocalFrame

from ..comparison import ROOT, Comparison, Figure, Truth

Array = NDArray[np.float64]

STEP = 40_000.0
"""Of a walk along a geodesic, in a local frame [m]."""


def geodesics() -> list[dict[str, float]]:
    path = ROOT / "tests" / "data" / "geodesic" / "wgs84_geodesic_20.csv"
    with path.open(newline="") as file:
        return [{k: float(v) for k, v in row.items()} for row in csv.DictReader(file)]


def wrap(degrees: float) -> float:
    return (degrees + 180.0) % 360.0 - 180.0


def walk(geodesic: dict[str, float]) -> LocalFrame:
    """Follow a geodesic by short steps in local frames: leave each point opposite to the last."""
    azimuth = np.radians(geodesic["azi1_deg"])
    heading = np.array([np.cos(azimuth), np.sin(azimuth), 0.0])
    steps = int(np.ceil(geodesic["s12_m"] / STEP))
    # an arc seen from the tangent plane above it is slightly foreshortened
    tangent = 6371e3 * np.sin(geodesic["s12_m"] / steps / 6371e3)
    frame = LocalFrame(geodesic["lat1_deg"], wrap(geodesic["lon1_deg"]), 0.0)
    for _ in range(steps):
        for _ in range(3):  # drop to the surface along the normal at the start of the step
            lat, lon, height = frame.to_lla(tangent * heading)
            heading[2] += height / tangent
        frame, behind = LocalFrame(lat, lon), frame
        heading = -frame.to_ned((behind.lat, behind.lon, 0.0))
        heading[2] = 0.0
        heading /= np.linalg.norm(heading)
    return frame


@cache
def misses() -> tuple[Array, Array]:
    """Return the lengths of the geodesics, and by how much their ends are missed [m]."""
    found = []
    for one in geodesics():
        end = walk(one).to_ned((one["lat2_deg"], wrap(one["lon2_deg"]), 0.0))
        found.append([one["s12_m"], float(np.linalg.norm(end))])
    return np.array(found)[:, 0], np.array(found)[:, 1]


def miss_error() -> float:
    lengths, missed = misses()
    assert len(lengths) == 20
    return float((missed / lengths).max())


def draw_misses(figure: Any) -> None:
    lengths, missed = misses()
    axes = figure.subplots()
    axes.plot(lengths / 1e6, missed, "o", ms=5)
    axes.plot([0, 20], [0, 20e6 * GEODESICS.comparisons[0].tolerance], "--", label="tolerance")
    axes.set(xlabel="length of the geodesic, 1000 km", ylabel="distance from its end, m")
    axes.legend()


GEODESICS = Truth(
    "Geodesics on WGS84",
    "exact numbers",
    ("geographiclib",),
    "GeographicLib's own tests have 20 geodesics with their ends, to a nanometre, of up to half the"
    " way round the earth. pyrfly has no geodesics, but local frames: a walk of steps of 40 km,"
    " each in the frame of its start and leaving opposite to the last one, has to follow the"
    " geodesic to its end. So the conversions, axes and curvature of frames are tested together.",
    "reduced lengths and areas, which frames have nothing of.",
    (
        Comparison(
            "geodesic-ends",
            "distance from the end over the length, largest of 20",
            miss_error,
            5e-8,
            slow=True,
        ),
    ),
    "tests/frames/test_truth.py",
    (
        Figure(
            "geodesics", "Distances from the ends: at most 0.3 m in 17,000 km.", draw_misses,
            (6.0, 3.0),
        ),
    ),
)  # fmt: skip

TRUTHS = (GEODESICS,)
