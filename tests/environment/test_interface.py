"""`Sim.environment`: what is on, what is refused, and positions."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from datetime import datetime, timezone
from typing import Any

import mpmath  # type: ignore[import-untyped]
import numpy as np
import pytest

import pyrfly
from pyrfly import _core
from pyrfly.columns import fields_of_part
from pyrfly.errors import CommandWarning
from pyrfly.protocol.bits import Effect
from pyrfly.sim.constants import SWITCHES

UTC = timezone.utc
Hanging = Callable[..., pyrfly.Sim]


def test_everything_is_off_until_it_is_enabled() -> None:
    sim = pyrfly.Sim("x450", 2)
    before = sim.nbytes
    assert not sim.environment.enabled
    with pytest.raises(AttributeError, match="environment"):
        _ = sim.air_density
    sim.environment.disable("turbulence")
    assert sim.nbytes == before
    sim.environment.enable("magnetic", ids=2)
    assert sim.environment_effects.tolist() == [0, Effect.MAGNETIC]
    sim.environment.enable("density", "magnetic")
    assert set(sim.environment_effects) == {Effect.MAGNETIC | Effect.DENSITY | Effect.ATMOSPHERE}
    sim.environment.disable("atmosphere", "density", ids=1)
    assert sim.environment_effects[0] == Effect.MAGNETIC


@pytest.mark.parametrize("effect", ["gust", "turbulence"])
def test_wind_that_was_not_set_is_warned_of(effect: str) -> None:
    sim = pyrfly.Sim("x450", 2)
    with pytest.warns(CommandWarning, match=f"^{effect}: calm so far: set_{effect} sets"):
        sim.environment.enable(effect)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sim.environment.set_gust((1, 0, 0), rise=1)
        sim.environment.set_turbulence("light")
        sim.environment.disable(effect)
        sim.environment.enable(effect)


def test_the_column_of_an_effect_that_is_off_names_its_switch() -> None:
    sim = pyrfly.Sim("x450")
    for name, switch in {"air_density": "enable('atmosphere')", "gust": "enable("}.items():
        with pytest.raises(AttributeError, match=re.escape(f"call sim.environment.{switch}")):
            getattr(sim, name)
    part = {field.name for field in fields_of_part("environment")}
    assert set(SWITCHES) - part == set(_core.parts())


@pytest.mark.parametrize("zone", [None, UTC])
def test_a_date_may_have_a_time(zone: Any) -> None:
    sim = pyrfly.Sim("x450")
    sim.environment.set_date(datetime(2026, 7, 2, 12, tzinfo=zone))  # the middle of the year
    assert sim.magnetic_date[0] == 2026.5


def test_effects_that_are_off_change_nothing() -> None:
    """An enabled part without effects: the flight keeps its bits."""
    sims = [pyrfly.Sim("x450", 3) for _ in range(2)]
    sims[1].enable_part("environment")
    for sim in sims:
        sim.wind[:] = (3, -2, 0.5)
        sim.arm()
        sim.command_position((1, 2, -10))
        sim.step(1000)
    for name in ("pos", "vel", "att", "rate", "rotor_speed"):
        np.testing.assert_array_equal(getattr(sims[0], name), getattr(sims[1], name))


def test_switched_off_effects_become_neutral_again(hanging: Hanging) -> None:
    sim = hanging(1, (0, 0, -3000))
    sim.wind[:] = (5, 0, 0)
    effects = [effect.name.lower() for effect in Effect if effect.name]
    sim.environment.set_gust((1, 1, 1), rise=1)
    sim.environment.set_turbulence("light")
    sim.environment.enable(*effects)
    sim.step(9)
    assert sim.wind_variation.all()
    assert sim.magnetic_field.all()
    sim.environment.disable(*effects)
    sim.step(4)
    assert not sim.wind_variation.any()
    assert not sim.magnetic_field.any()
    assert (sim.air_density[0], sim.normal_gravity[0]) == (1.225, 9.80665)


def test_environment_is_updated_at_its_rate(hanging: Hanging) -> None:
    sim = hanging(1, environment_rate=50.0)
    sim.environment.set_turbulence("light")
    changes = []
    last = sim.wind_variation.copy()
    for tick in range(60):
        sim.step()
        if (sim.wind_variation != last).any():
            changes.append(tick)
        last = sim.wind_variation.copy()
    assert changes == [0, 20, 40]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda e: e.enable("wind"), r"effects: .*got 'wind'"),
        (lambda e: e.enable(), r"effects: expected some of .* got none"),
        (lambda e: e.disable("x"), "effects: expected some of"),
        (lambda e: e.set_turbulence("strong"), r"severity: expected 'light'.*got 'strong'"),
        (lambda e: e.set_gust((1, 0, 0), rise=-1), "rise: expected a time of at least 0"),
        (lambda e: e.set_gust((1, 0, 0), rise=1, delay=-0.1), "delay: expected a time"),
        (lambda e: e.set_gust((1, 0), rise=1), "velocity: expected shape"),
        (lambda e: e.set_gust((1, 0, np.inf), rise=1), "velocity: expected finite"),
        (lambda e: e.set_date(10**400), "date: expected a finite decimal year"),
        (lambda e: e.set_gust([1e300, 0, 0], rise=1), "velocity: expected"),
        (lambda e: e.set_gust((0, 0, -201), rise=1), "velocity: expected"),
        (lambda e: e.set_gust((1, 0, 0), rise=1e300), "rise: expected"),
    ],
)
def test_wrong_arguments_are_named(call: Callable[[Any], object], message: str) -> None:
    sim = pyrfly.Sim("x450", 2)
    with pytest.raises(ValueError, match=message):
        call(sim.environment)
    assert not sim.environment.enabled


@pytest.mark.parametrize("rate", [0, -250.0, np.inf, "fast", pytest.param(10**400, id="huge")])
def test_wrong_rate_is_refused(rate: Any) -> None:
    with pytest.raises(ValueError, match="environment_rate: expected"):
        pyrfly.Sim("x450", environment_rate=rate)


@pytest.mark.parametrize("height", [20_100.0, -5100.0, np.nan])
def test_vehicle_outside_of_the_atmosphere_is_named(height: float) -> None:
    sim = pyrfly.Sim("x450", 3)
    sim.pos[1, 2] = -height
    with pytest.raises(ValueError, match="atmosphere: expected"):
        sim.environment.enable("density")
    assert not sim.environment.enabled
    sim.environment.enable("density", ids=[1, 3])


def test_geodetic_positions_are_exact_within_100_km() -> None:
    """Within 1 mm: back to the plane by earth-centred coordinates of 50 digits."""
    mpmath.mp.dps = 50
    a, f = mpmath.mpf(6378137), 1 / mpmath.mpf("298.257223563")
    e2 = f * (2 - f)

    def ecef(lla: Any) -> Any:
        lat, lon, height = mpmath.radians(lla[0]), mpmath.radians(lla[1]), mpmath.mpf(lla[2])
        n = a / mpmath.sqrt(1 - e2 * mpmath.sin(lat) ** 2)
        return mpmath.matrix(
            [
                (n + height) * mpmath.cos(lat) * mpmath.cos(lon),
                (n + height) * mpmath.cos(lat) * mpmath.sin(lon),
                (n * (1 - e2) + height) * mpmath.sin(lat),
            ]
        )

    rng = np.random.default_rng(5)
    sim = pyrfly.Sim("x450", 20)
    sim.reset(pos=rng.uniform((-7e4, -7e4, -1e4), (7e4, 7e4, 100), (20, 3)))
    assert sim.origin == (40.1540302, 116.2593683, 50.0)
    lat, lon = (mpmath.radians(x) for x in sim.origin[:2])
    s, c, sl, cl = mpmath.sin(lat), mpmath.cos(lat), mpmath.sin(lon), mpmath.cos(lon)
    axes = mpmath.matrix([[-s * cl, -s * sl, c], [-sl, cl, 0], [-c * cl, -c * sl, -s]])
    origin = ecef(sim.origin)
    for pos, lla in zip(sim.pos, sim.environment.geodetic, strict=True):
        back = axes * (ecef([float(x) for x in lla]) - origin)
        np.testing.assert_allclose([float(x) for x in back], pos, atol=1e-3)
