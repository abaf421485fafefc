"""EarthModel: closed forms of the ellipsoid, axes of the local frames, round trips."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyrfly.rflysim.EarthModel import Coordinate, EarthModel

A, F = 6378137.0, 1 / 298.257223563  # [@wgs84 table 3.1]
B = A * (1 - F)
E2 = 1 - (B / A) ** 2

earth = EarthModel()

positions = st.tuples(
    st.floats(-89.9, 89.9), st.floats(-179.9, 179.9), st.floats(-1000.0, 30_000.0)
)
offsets = st.tuples(*3 * [st.floats(-20_000.0, 20_000.0)])


@pytest.mark.parametrize(
    ("lla", "ecef"),
    [
        ((0, 0, 0), (A, 0, 0)),
        ((0, 90, 100), (0, A + 100, 0)),
        ((0, -90, 0), (0, -A, 0)),
        ((0, 180, 0), (-A, 0, 0)),
        ((90, 0, 0), (0, 0, B)),
        ((-90, 0, 25), (0, 0, -B - 25)),
    ],
)
def test_axes_of_the_ellipsoid(lla: tuple[float, ...], ecef: tuple[float, ...]) -> None:
    assert earth.lla2ecef(*lla) == pytest.approx(ecef, abs=1e-6)


def test_45_degrees_north() -> None:
    # N = a / sqrt(1 - e^2 / 2); z = N (1 - e^2) sin 45
    n = A / math.sqrt(1 - E2 / 2)
    x, y, z = earth.lla2ecef(45, 0, 0)
    assert (x, y) == pytest.approx((n / math.sqrt(2), 0), abs=1e-6)
    assert z == pytest.approx(n * (1 - E2) / math.sqrt(2), abs=1e-6)


@pytest.mark.parametrize("lat", [90.0, -90.0])
def test_the_poles_come_back_where_the_vendors_formula_divides_by_zero(lat: float) -> None:
    back = earth.ecef2lla(0.0, 0.0, math.copysign(B + 3, lat))
    assert back[0] == pytest.approx(lat)
    assert back[2] == pytest.approx(3, abs=1e-6)


def test_axes_of_the_local_frames() -> None:
    # at latitude 0, longitude 0: east is +y, north +z, up +x
    assert earth.ecef2enu(A + 3, 1, 2, 0, 0, 0) == pytest.approx((1, 2, 3), abs=1e-6)
    assert earth.enu2ecef(1, 2, 3, 0, 0, 0) == pytest.approx((A + 3, 1, 2), abs=1e-6)
    # at the origin's own height 7: up from there
    assert earth.lla2enu(0, 0, 17, 0, 0, 7) == pytest.approx((0, 0, 10), abs=1e-6)


def test_ned_is_enu_turned() -> None:
    lla, origin = [40.16, 116.27, 80.0], [40.1540302, 116.2593683, 50.0]
    east, north, up = earth.lla2enu(*lla, *origin)
    assert earth.lla2ned(lla, origin) == pytest.approx([north, east, -up], abs=1e-6)


def test_a_step_north_along_the_meridian() -> None:
    # meridian radius of curvature M = a (1 - e^2) / (1 - e^2 sin^2)^1.5
    lat, step = 40.0, 1e-4
    m = A * (1 - E2) / (1 - E2 * math.sin(math.radians(lat)) ** 2) ** 1.5
    north, east, _ = earth.lla2ned([lat + step, 116.0, 0.0], [lat, 116.0, 0.0])
    assert north == pytest.approx(m * math.radians(step), rel=2e-6)
    assert east == pytest.approx(0, abs=1e-6)


@given(positions)
def test_ecef_round_trip(lla: tuple[float, float, float]) -> None:
    back = earth.ecef2lla(*earth.lla2ecef(*lla))
    assert back[:2] == pytest.approx(lla[:2], abs=1e-9)
    assert back[2] == pytest.approx(lla[2], abs=1e-6)


@given(offsets, positions)
def test_local_round_trips(
    offset: tuple[float, float, float], origin: tuple[float, float, float]
) -> None:
    enu = earth.lla2enu(*earth.enu2lla(*offset, *origin), *origin)
    assert enu == pytest.approx(offset, abs=1e-5)
    ned = earth.lla2ned(earth.ned2lla(offset, origin), origin)
    assert ned == pytest.approx(list(offset), abs=1e-5)


def test_types_are_the_vendors() -> None:
    assert isinstance(earth.lla2ned([1, 2, 3], [1, 2, 3]), list)
    assert isinstance(earth.ned2lla([1, 2, 3], [1, 2, 3]), tuple)
    assert all(type(v) is float for v in earth.lla2ecef(1, 2, 3))


def test_the_vendors_attributes_to_its_digits() -> None:
    assert earth.wgs84_a == 6378137
    assert earth.wgs84_b == pytest.approx(6356752.3142, abs=1e-4)
    assert earth.pow_e_2 == pytest.approx(6.69437999014e-3, rel=1e-11)  # [@wgs84 table 3.3]
    assert earth.wgs84_f == pytest.approx((6378137 - 6356752.3142) / 6378137, rel=1e-8)
    assert (Coordinate.LOCAL_NED, Coordinate.GLOBAL_INT, Coordinate.NED_BODY) == (1, 5, 8)


def test_a_bad_origin_is_named() -> None:
    with pytest.raises(ValueError, match=r"lat: .*91"):
        earth.lla2ned([0, 0, 0], [91, 0, 0])
    with pytest.raises(ValueError, match="lon"):
        earth.enu2ecef(0, 0, 0, 0, math.nan, 0)
