"""WGS84 conversions against exact points and their own inverses."""

from __future__ import annotations

import mpmath  # type: ignore[import-untyped]
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyrfly.frames import SEMI_MAJOR, SEMI_MINOR, LocalFrame, ecef_to_lla, lla_to_ecef

HOME = (40.1540302, 116.2593683, 50.0)

latitudes = st.floats(-90.0, 90.0)
longitudes = st.floats(-180.0, 180.0)
heights = st.floats(-10_000.0, 100_000.0)


@pytest.mark.parametrize(
    ("lla", "ecef"),
    [
        ((0.0, 0.0, 0.0), (6378137.0, 0.0, 0.0)),
        ((0.0, 90.0, 0.0), (0.0, 6378137.0, 0.0)),
        ((0.0, -180.0, 0.0), (-6378137.0, 0.0, 0.0)),
        ((90.0, 0.0, 0.0), (0.0, 0.0, 6356752.314245)),
        ((-90.0, 0.0, 100.0), (0.0, 0.0, -6356852.314245)),
    ],
)
def test_points_on_the_axes_are_exact(lla: tuple[float, ...], ecef: tuple[float, ...]) -> None:
    np.testing.assert_allclose(lla_to_ecef(lla), ecef, atol=1e-6)
    back = ecef_to_lla(ecef)
    assert back[0] == pytest.approx(lla[0], abs=1e-12)
    assert back[2] == pytest.approx(lla[2], abs=1e-6)


def test_ecef_agrees_with_fifty_digit_arithmetic() -> None:
    mpmath.mp.dps = 50
    a, f = mpmath.mpf(6378137), 1 / mpmath.mpf("298.257223563")
    e2 = f * (2 - f)
    for lat, lon, height in ((*HOME,), (-33.9, 151.2, 8848.0), (71.0, -8.4, -120.5)):
        phi, lam = mpmath.radians(lat), mpmath.radians(lon)
        normal = a / mpmath.sqrt(1 - e2 * mpmath.sin(phi) ** 2)
        expected = (
            (normal + height) * mpmath.cos(phi) * mpmath.cos(lam),
            (normal + height) * mpmath.cos(phi) * mpmath.sin(lam),
            (normal * (1 - e2) + height) * mpmath.sin(phi),
        )
        np.testing.assert_allclose(
            lla_to_ecef((lat, lon, height)), [float(v) for v in expected], atol=5e-9
        )


@given(latitudes, longitudes, heights)
def test_geodetic_round_trip(lat: float, lon: float, height: float) -> None:
    ecef = lla_to_ecef((lat, lon, height))
    back = ecef_to_lla(ecef)
    # near the poles the longitude is ill-conditioned, the point is not
    np.testing.assert_allclose(lla_to_ecef(back), ecef, atol=1e-8)
    assert back[0] == pytest.approx(lat, abs=1e-13)
    assert back[2] == pytest.approx(height, abs=1e-8)


@given(st.floats(-1e6, 1e7), latitudes)
def test_height_is_right_deep_down_and_far_out(height: float, lat: float) -> None:
    back = ecef_to_lla(lla_to_ecef((lat, 10.0, height)))
    np.testing.assert_allclose(back[[0, 2]], (lat, height), rtol=1e-14, atol=2e-8)


@given(latitudes, longitudes, heights, st.tuples(*[st.floats(-50_000.0, 50_000.0)] * 3))
def test_local_round_trip(lat: float, lon: float, alt: float, ned: tuple[float, ...]) -> None:
    frame = LocalFrame(lat, lon, alt)
    np.testing.assert_allclose(frame.to_ned(frame.to_lla(ned)), ned, atol=2e-8)
    np.testing.assert_allclose(frame.ecef_to_ned(frame.ned_to_ecef(ned)), ned, atol=1e-8)


def test_local_axes_point_north_east_and_down() -> None:
    frame = LocalFrame(*HOME)
    np.testing.assert_allclose(frame.to_ned(HOME), 0.0, atol=1e-9)
    north = frame.to_ned((HOME[0] + 1e-5, HOME[1], HOME[2]))
    east = frame.to_ned((HOME[0], HOME[1] + 1e-5, HOME[2]))
    below = frame.to_ned((HOME[0], HOME[1], HOME[2] - 1.0))
    assert north[0] > 1.0 > abs(north[1])
    assert east[1] > 0.8 > abs(east[0])
    np.testing.assert_allclose(below, (0.0, 0.0, 1.0), atol=1e-9)


def test_short_distances_are_the_radii_of_curvature() -> None:
    # meridian and prime-vertical radii: textbook closed forms, e2 = 1 - (b/a)^2
    lat, step = np.radians(HOME[0]), 1e-5
    e2 = 1.0 - (SEMI_MINOR / SEMI_MAJOR) ** 2
    w2 = 1.0 - e2 * np.sin(lat) ** 2
    meridian = SEMI_MAJOR * (1.0 - e2) / w2**1.5 + HOME[2]
    parallel = (SEMI_MAJOR / np.sqrt(w2) + HOME[2]) * np.cos(lat)
    frame = LocalFrame(*HOME)
    north, south = (frame.to_ned((HOME[0] + s, HOME[1], HOME[2]))[0] for s in (step, -step))
    east, west = (frame.to_ned((HOME[0], HOME[1] + s, HOME[2]))[1] for s in (step, -step))
    assert north - south == pytest.approx(meridian * np.radians(2 * step), abs=1e-7)
    assert east - west == pytest.approx(parallel * np.radians(2 * step), abs=1e-7)


def test_arrays_keep_their_shape() -> None:
    lla = np.broadcast_to(HOME, (4, 5, 3))
    frame = LocalFrame(*HOME)
    assert lla_to_ecef(lla).shape == (4, 5, 3)
    assert frame.to_ned(lla).shape == (4, 5, 3)
    assert frame.to_lla(np.zeros((0, 3))).shape == (0, 3)


def test_nonfinite_input_stays_nan_and_harms_no_neighbour() -> None:
    out = LocalFrame(*HOME).to_ned([[np.nan, 0.0, 0.0], HOME])
    assert np.isnan(out[0]).all()
    np.testing.assert_allclose(out[1], 0.0, atol=1e-9)


@pytest.mark.parametrize(
    "bad", [1.0, [1.0, 2.0], np.zeros((3, 2)), [["a", "b", "c"]], [[1, 2, 3], [4]]]
)
def test_wrong_shapes_name_the_argument(bad: object) -> None:
    with pytest.raises((TypeError, ValueError), match=r"^lla: expected"):
        lla_to_ecef(bad)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("lat", "lon", "alt", "named"),
    [
        (91.0, 0.0, 0.0, "lat"),
        (0.0, -181.0, 0.0, "lon"),
        (0.0, 0.0, np.inf, "alt"),
        (np.nan, 0, 0, "lat"),
    ],
)
def test_an_absurd_origin_names_the_argument(
    lat: float, lon: float, alt: float, named: str
) -> None:
    with pytest.raises(ValueError, match=f"^{named}: expected"):
        LocalFrame(lat, lon, alt)
