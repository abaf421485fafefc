"""csrc/models/gravity.h: normal gravity of WGS84, where the vehicle is."""

from __future__ import annotations

from collections.abc import Callable

import mpmath  # type: ignore[import-untyped]
import numpy as np
import pytest

import pyrfly
from pyrfly.frames import LocalFrame

Hanging = Callable[..., pyrfly.Sim]


def somigliana(latitude: float) -> float:
    """Normal gravity on the ellipsoid [@wgs84 4-1], from its values at equator and poles."""
    a, b = 6378137.0, 6356752.314245
    equator, pole = 9.7803253359, 9.8321849378
    sine2, cosine2 = np.sin(np.radians(latitude)) ** 2, np.cos(np.radians(latitude)) ** 2
    return float(
        (a * equator * cosine2 + b * pole * sine2) / np.sqrt(a**2 * cosine2 + b**2 * sine2)
    )


def gravity_at(hanging: Hanging, origin: tuple[float, float, float], pos: object) -> float:
    sim = hanging(1, pos)
    sim.origin = origin
    sim.environment.enable("gravity")
    sim.step()
    return float(sim.normal_gravity[0])


@pytest.mark.parametrize("latitude", [0.0, 40.1540302, -33.0, 90.0])
def test_on_the_ellipsoid_it_is_somiglianas_formula(hanging: Hanging, latitude: float) -> None:
    got = gravity_at(hanging, (latitude, 20, 0), (0, 0, 0))
    assert got == pytest.approx(somigliana(latitude), abs=2e-9)


@pytest.mark.parametrize("pos", [(1e5, 0, -100), (-5e4, 8e4, -9000), (0, 1e5, 0)])
def test_it_follows_the_position_on_the_map(hanging: Hanging, pos: tuple[float, ...]) -> None:
    """Against latitude and height of the exact transformation."""
    origin = (40.1540302, 116.2593683, 50.0)
    latitude, _, height = LocalFrame(*origin).to_lla(pos)
    surface = gravity_at(hanging, (float(latitude), 0, 0), (0, 0, 0))
    there = gravity_at(hanging, (float(latitude), 0, float(height)), (0, 0, 0))
    assert gravity_at(hanging, origin, pos) == pytest.approx(there, abs=2e-6)
    assert there < surface or height < 0


def test_with_height_it_falls_as_that_of_the_ellipsoids_field(hanging: Hanging) -> None:
    """At the pole: gradient of the potential of the level ellipsoid in closed form [@wgs84 4-2].

    On the axis, with linear eccentricity E: -d/dz of GM/E atan(E/z) + w^2 a^2/2 (2/3) q(z)/q(b),
    by 50-digit arithmetic.
    """
    mpmath.mp.dps = 50
    a, b = mpmath.mpf(6378137), mpmath.mpf("6356752.314245179")
    gm, omega = mpmath.mpf("3.986004418e14"), mpmath.mpf("7.292115e-5")
    e = mpmath.sqrt(a * a - b * b)

    def q(u: object) -> object:
        return ((1 + 3 * (u / e) ** 2) * mpmath.atan(e / u) - 3 * u / e) / 2  # type: ignore[operator]

    def potential(u: object) -> object:
        return gm / e * mpmath.atan(e / u) + omega**2 * a**2 / 3 * q(u) / q(b)  # type: ignore[operator]

    for height, error in ((0.0, 2e-9), (1000.0, 1e-7), (10_000.0, 1e-6), (20_000.0, 1.5e-6)):
        expected = float(-mpmath.diff(potential, b + height))
        got = gravity_at(hanging, (90, 0, height), (0, 0, 0))
        assert got == pytest.approx(expected, abs=error)


def test_a_falling_vehicle_accelerates_by_it(hanging: Hanging) -> None:
    sim = hanging(2, (0, 0, -1000))
    sim.origin = (60, 0, 0)
    sim.environment.enable("gravity", ids=1)
    sim.step(1000)
    assert sim.vel[0, 2] == pytest.approx(sim.normal_gravity[0], rel=2e-6)
    assert sim.vel[1, 2] == 0  # the parameter of these vehicles is 0
    np.testing.assert_allclose(sim.specific_force, 0, atol=1e-9)
