"""The air and the magnetic field against official tables."""

from __future__ import annotations

from functools import cache, partial
from typing import Any

import mpmath as mp  # type: ignore[import-untyped]
import numpy as np
from numpy.polynomial import Legendre, Polynomial
from numpy.typing import NDArray

import pyrfly

from ..comparison import ROOT, Comparison, Figure, Truth
from ..models.truth import FOOT, SLUG, rows
from .conftest import hanging

Array = NDArray[np.float64]

# --- air

US76_TABLE = np.array(
    [
        (0, 288.150, 101325.0, 1.22500, 340.294),
        (1000, 281.650, 89874.57, 1.111642, 336.434),
        (3000, 268.650, 70108.55, 0.909121, 328.578),
        (5000, 255.650, 54019.91, 0.736115, 320.530),
        (8000, 236.150, 35599.81, 0.525167, 308.063),
        (11000, 216.650, 22632.06, 0.363918, 295.070),
        (15000, 216.650, 12044.57, 0.193674, 295.070),
        (20000, 216.650, 5474.889, 0.088035, 295.070),
    ]
)
"""Geopotential height [m], K, Pa, kg/m^3, m/s of [@us76], as printed to these digits."""
PX4_AIR = ("px4", 3000.0, 273.15 - 4.5, 70109.0, 0.9091)
"""Geopotential height [m], K, Pa, kg/m^3 of [@px4 04e1406f test_atmosphere.cpp]."""
AIR = ("temperature", "pressure", "density", "speed of sound")
UNITS = ("K", "Pa", "kg/m^3", "m/s")
RANKINE, PSF = 5 / 9, 47.88025898033584
"""[K], [Pa] of a pound per square foot."""


def geometric(geopotential: Array) -> Array:
    return 6356766 * geopotential / (6356766 - geopotential)


def air_at(heights: Array, **options: str) -> pyrfly.Sim:
    """Return vehicles at heights above sea level [m], after an update."""
    sim = hanging(len(heights), [(0, 0, -h) for h in heights], terrain=1e5, **options)
    sim.origin = (45, 7, 0)
    sim.environment.enable("atmosphere")
    return sim


def air(heights: Array) -> Array:
    """Return K, Pa, kg/m^3 and m/s at heights above sea level [m], shape (heights, 4)."""
    sim = air_at(heights)
    sim.step()
    assert not sim.environment_limits.any()
    return np.stack([sim.air_temperature, sim.air_pressure, sim.air_density, sim.sound_speed], 1)


@cache
def of_the_table() -> Array:
    return air(geometric(US76_TABLE[:, 0])) - US76_TABLE[:, 1:]


def table_error(column: int) -> float:
    return float(np.abs(of_the_table()[:, column]).max())


def px4_error(column: int) -> float:
    _, height, *expected = PX4_AIR
    return float(abs(air(geometric(np.array([height])))[0, column] - expected[column]))


@cache
def of_nasa() -> tuple[Array, Array]:
    """Return heights [m] of a fall of 4 km and the relative differences of its air from ours."""
    of = rows("01", "04")
    heights = FOOT * of["altitudeMsl_ft"]
    names = {
        "ambientTemperature_dgR": RANKINE,
        "ambientPressure_lbf_ft2": PSF,
        "airDensity_slug_ft3": SLUG / FOOT**3,
        "speedOfSound_ft_s": FOOT,
    }
    published = np.stack([factor * of[name] for name, factor in names.items()], axis=1)
    return heights, air(heights) / published - 1


def nasa_error(column: int) -> float:
    return float(np.abs(of_nasa()[1][:, column]).max())


def draw_air(figure: Any) -> None:
    heights = np.linspace(0, 20_000, 201)
    ours = air(geometric(heights))
    for i, (axes, name, unit) in enumerate(zip(figure.subplots(1, 4), AIR, UNITS, strict=True)):
        scale = 1000 if unit == "Pa" else 1
        axes.plot(ours[:, i] / scale, heights / 1000)
        axes.plot(US76_TABLE[:, i + 1] / scale, US76_TABLE[:, 0] / 1000, "o", ms=4, mfc="none")
        axes.set(xlabel=f"{name}, {unit if scale == 1 else 'kPa'}")
        if i == 0:
            axes.set_ylabel("geopotential height, km")
        else:
            axes.set_yticklabels([])


ATMOSPHERE = Truth(
    "The standard atmosphere",
    "official table",
    ("us76", "px4", "nesc"),
    "The U.S. Standard Atmosphere of 1976 is a table of temperature, pressure, density and speed of"
    " sound over height, up to 20 km here. Its printed digits are the tolerance. PX4 tests its own"
    " atmosphere by three numbers at 3000 m, and NASA's tools print the air along a fall"
    " from 9144 to 4755 m.",
    "heights above 20 km, where the model ends.",
    (
        *(
            Comparison(
                f"us76-{name.replace(' ', '-')}",
                f"{name} at eight heights from 0 to 20 km",
                partial(table_error, i),
                digit,
                unit,
            )
            for i, (name, unit, digit) in enumerate(
                zip(AIR, UNITS, (1e-3, 1e-2, 1e-6, 1e-3), strict=True)
            )
        ),
        *(
            Comparison(
                f"px4-air-{AIR[i]}",
                f"{AIR[i]} at 3000 m in PX4's test",
                partial(px4_error, i),
                tolerance,
                UNITS[i],
            )
            for i, tolerance in ((0, 0.05), (1, 4.5), (2, 1e-3))
        ),
        *(
            Comparison(
                f"nesc-air-{name.replace(' ', '-')}",
                f"{name} along NASA's fall, tool 04, relative",
                partial(nasa_error, i),
                tolerance,
            )
            for i, (name, tolerance) in enumerate(zip(AIR, (1e-4, 1e-4, 1e-4, 1e-4), strict=True))
        ),
    ),
    "tests/environment/test_truth.py",
    (Figure("atmosphere", "Line: pyrfly, circles: the table.", draw_air, (8.0, 2.8)),),
)

# --- magnetic field

WMM_DATA = ROOT / "tests" / "data" / "wmm"


def field_at(lla: tuple[float, ...], year: float) -> Array:
    """Return the field [nT] at the origin of the map, north, east, down of the place."""
    sim = hanging(1, (0, 0, 0))
    sim.origin = lla
    sim.environment.set_date(year)
    sim.step()
    return np.asarray(1e9 * sim.magnetic_field[0])


@cache
def of_wmm() -> tuple[Array, Array]:
    """Return the rows of the official table, and the differences of our fields [nT]."""
    rows = np.loadtxt(WMM_DATA / "WMM2025_TEST_VALUES.txt")
    assert len(rows) == 100
    ours = np.array([field_at((row[2], row[3], 1000 * row[1]), row[0]) for row in rows])
    return rows, ours - rows[:, 7:10]


def field_error(component: int) -> float:
    return float(np.abs(of_wmm()[1][:, component]).max())


def north_in_thirty_digits(lat: float, lon: float, height: float, year: float) -> float:
    """Return the north component [nT], by the potential and its slope in 30 digits."""
    mp.mp.dps = 30
    lines = (WMM_DATA / "WMM_2025.COF").read_text(encoding="ascii").splitlines()[1:]
    terms = [line.split() for line in lines if len(line.split()) == 6]
    a, f, sphere = mp.mpf(6378137), 1 / mp.mpf("298.257223563"), mp.mpf(6371200)
    phi, lam, e2 = mp.radians(lat), mp.radians(lon), f * (2 - f)
    normal = a / mp.sqrt(1 - e2 * mp.sin(phi) ** 2)
    across, along = (normal + height) * mp.cos(phi), (normal * (1 - e2) + height) * mp.sin(phi)
    radius, geocentric = mp.hypot(across, along), mp.atan2(along, across)

    def potential(r: Any, latitude: Any) -> Any:
        total = mp.mpf(0)
        for line in terms:
            n, m = int(line[0]), int(line[1])
            g, h, g_rate, h_rate = map(mp.mpf, line[2:])
            schmidt = mp.sqrt((2 if m else 1) * mp.factorial(n - m) / mp.factorial(n + m))
            slope = Legendre.basis(n).convert(kind=Polynomial).deriv(m)  # its numbers are exact
            sine = mp.sin(latitude)
            powers = sum(mp.mpf(float(one)) * sine**k for k, one in enumerate(slope.coef))
            legendre = schmidt * mp.cos(latitude) ** m * powers
            years = mp.mpf(year) - 2025
            of_lon = (g + years * g_rate) * mp.cos(m * lam) + (h + years * h_rate) * mp.sin(m * lam)
            total += sphere * (sphere / r) ** (n + 1) * of_lon * legendre
        return total

    north = -mp.diff(lambda latitude: potential(radius, latitude), geocentric) / radius
    down = mp.diff(lambda r: potential(r, geocentric), radius)
    tilt = geocentric - phi
    return float(north * mp.cos(tilt) - down * mp.sin(tilt))


def north_error() -> float:
    """Return ours less that in 30 digits [nT] where we differ most from the table."""
    rows, difference = of_wmm()
    i = int(np.abs(difference[:, 0]).argmax())
    year, height, lat, lon = rows[i, :4]
    exact = north_in_thirty_digits(lat, lon, 1000 * height, year)
    return float(abs(rows[i, 7] + difference[i, 0] - exact))


def draw_field(figure: Any) -> None:
    rows, difference = of_wmm()
    left, right = figure.subplots(1, 2)
    shown = left.scatter(rows[:, 3], rows[:, 2], c=np.linalg.norm(rows[:, 7:10], axis=1) / 1000)
    figure.colorbar(shown, ax=left, label="field, uT")
    left.set(xlabel="longitude, deg", ylabel="latitude, deg", title="places of the table")
    for i, name in enumerate(("north", "east", "down")):
        right.semilogy(np.abs(difference[:, i]) + 1e-9, ".", label=name)
    right.set(xlabel="row of the table", ylabel="error, nT")
    right.legend(fontsize=8)


WMM = Truth(
    "The World Magnetic Model 2025",
    "official table",
    ("wmm2025",),
    "The official model of the earth's magnetic field comes with 100 test values: date, height,"
    " latitude and longitude, and the field there, of some 20,000 to 60,000 nT. All are compared."
    " They are printed to 1e-6 nT. Components east and down are met to the printed digits, those"
    " north to 7e-4 nT: the harmonics summed in 30 digits give ours, so there the table itself is"
    " rounded.",
    "rates of change, which the model is integrated with, not asked for.",
    (
        *(
            Comparison(
                f"wmm-{name}",
                f"field {name} at 100 places and dates",
                partial(field_error, i),
                1e-3 if name == "north" else 1e-5,
                "nT",
            )
            for i, name in enumerate(("north", "east", "down"))
        ),
        Comparison(
            "wmm-north-thirty-digits",
            "field north in 30 digits, where the table differs most from ours",
            north_error,
            1e-8,
            "nT",
            rounding=1e-9,
        ),
    ),
    "tests/environment/test_truth.py",
    (Figure("wmm", "Where the values are, and what ours differ by.", draw_field),),
)

TRUTHS = (ATMOSPHERE, WMM)
