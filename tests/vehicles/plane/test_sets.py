"""All packaged planes: a flight by the navigator, and the published trim of the flying wing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import pyrfly
from pyrfly.protocol.synthesis import BASE, POS, Command, Offboard, inputs
from pyrfly.vehicles import FAMILIES, load
from pyrfly.vehicles.plane.performance import Performance

from .steady import airspeeds

SETS = sorted(path.stem for path in FAMILIES["plane"].sets.glob("[!_]*.toml"))


@pytest.mark.slow
@pytest.mark.parametrize("wind", [(0.0, 0.0, 0.0), (4.0, -3.0, 0.0)], ids=["calm", "wind"])
def test_every_set_takes_off_circles_returns_and_lands(wind: tuple[float, float, float]) -> None:
    sim = pyrfly.Sim(dict.fromkeys(SETS, 1), dt=0.002)
    n = sim.n
    sim.reset(pos=[[0.0, 1000.0 * i, 0.0] for i in range(n)])
    sim.enable_synthesis()
    sim.select().write("wind", np.tile(wind, (n, 1)))
    ints, floats = inputs(n)

    def command(bits: int, offboard: int, seconds: float) -> None:
        ints[:, :2] = BASE | Command.ARMED | bits, offboard
        sim.command_sil(ints, floats)
        sim.sleep(seconds)

    command(Command.TAKEOFF, 0, 25)
    assert (sim.pos[:, 2] < -25).all()
    centre = np.add(sim.home, [400.0, 0.0, -80.0])
    floats[:, POS] = centre
    command(Command.POSITION, Offboard.POSITION, 100)
    distance = np.linalg.norm((sim.pos - centre)[:, :2], axis=1)
    np.testing.assert_allclose(distance, sim.loiter_radius, atol=3)
    np.testing.assert_allclose(sim.pos[:, 2], -80, atol=2)
    np.testing.assert_allclose(airspeeds(sim), sim.cruise_airspeed, atol=1)
    command(Command.RETURN, 0, 80)
    distance = np.linalg.norm((sim.pos - sim.home)[:, :2], axis=1)
    np.testing.assert_allclose(distance, sim.loiter_radius, atol=3)
    floats[:, POS] = sim.home
    command(Command.LAND, Offboard.POSITION, 60)
    while sim.armed.any():
        sim.sleep(5)
        assert sim.time < 450
    sim.sleep(5)
    assert (np.abs(sim.pos[:, 2]) < 0.05).all()
    assert (np.linalg.norm(sim.vel, axis=1) < 0.2).all()
    along = np.linalg.norm((sim.pos - sim.home)[:, :2], axis=1)
    assert (along < 20 + 1.2 * sim.cruise_airspeed**2).all()  # a roll-out without brakes
    assert (sim.sil_refused + sim.sil_bad + sim.sil_unknown == 0).all()
    assert sim.check().ok


def test_the_flying_wing_has_its_published_trim() -> None:
    """At 18 m/s: angle of attack 0.0308 rad, elevator 0.0370 rad [@gryte-2018]."""
    sim = pyrfly.Sim("skywalker_x8")
    sim.reset(pos=[0, 0, -200])
    point = sim.trim(vel=[18.0, 0.0, 0.0])
    _, _, y, _ = point.state["att"][0]
    assert 2 * np.arcsin(y) == pytest.approx(0.0308, abs=3e-4)
    left, right = point.state["surface_angle"][0, :2]
    assert (left + right) / 2 == pytest.approx(0.0370, abs=5e-4)
    assert left == pytest.approx(right, abs=1e-9)


@pytest.mark.parametrize("name", SETS)
def test_performance_is_that_of_the_equilibrium(name: str) -> None:
    """Angle of attack, elevator and throttle of `Performance`, by another way."""
    sim = pyrfly.Sim(name)
    sim.reset(pos=[0, 0, -100])
    of = Performance(sim.groups[0].parameters.columns)
    cruise = of.number("rated_airspeed")
    point = sim.trim(vel=[cruise, 0.0, 0.0])
    _, _, y, _ = point.state["att"][0]
    assert 2 * np.arcsin(y) == pytest.approx(of.level(cruise).alpha, abs=0.01)
    throttle = point.inputs["propeller_throttle"][0, 0]
    assert throttle == pytest.approx(of.throttle(cruise), abs=0.1)


@pytest.mark.parametrize("column", ["rated_airspeed", "propeller_torque", "motor_voltage"])
def test_numbers_that_are_none_are_refused(column: str) -> None:
    base = load("aerosonde")
    unknown = np.full_like(base.columns[column], np.nan)
    vehicle = replace(base, columns={**base.columns, column: unknown})
    with pytest.raises(ValueError, match=f"aerosonde: {column}: expected finite values"):
        pyrfly.Sim(vehicle)


def test_a_search_ends_on_numbers_that_are_none() -> None:
    """Such as a product of large numbers may leave."""
    base = load("aerosonde")
    unknown = np.full_like(base.columns["propeller_torque"], np.nan)
    of = Performance({**base.columns, "propeller_torque": unknown})
    assert of.propeller_speed(0.5, 20.0) == pytest.approx(0.0)
