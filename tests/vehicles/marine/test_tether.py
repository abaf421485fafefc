"""Tethers of vehicles in water, as ``csrc/models/tether.h`` says, against closed forms."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import brentq

import pyrfly
from pyrfly import ParameterError

from .conftest import under_way, without_resistance

Array = NDArray[np.float64]


def moored(pos: Any, length: float, n: int = 1, **cable: Any) -> pyrfly.Sim:
    """Return vehicles at rest whose centre of mass is at places, on cables to the origin."""
    sim = under_way("bluerov2_heavy", n)
    sim.tether.attach(length, **cable)
    offset = np.array([0.0, 0.0, sim.rest_height[0]])
    sim.reset(pos=np.broadcast_to(pos, (n, 3)) + offset)
    return sim


def test_a_taut_cable_pulls_by_its_strain() -> None:
    sim = moored([0, 0, 50.5], 50.0, stiffness=20e3)
    np.testing.assert_allclose(sim.tether_force, [[0, 0, -200.0]], rtol=1e-5, atol=1e-9)
    assert sim.tether_tension[0] == pytest.approx(200.0, rel=1e-5)


def test_a_slack_cable_without_load_does_nothing() -> None:
    sim = moored([20, 0, 30], 50.0)
    np.testing.assert_allclose(sim.tether_force, 0, atol=1e-4)


@pytest.mark.parametrize("weight", [3.0, -0.5])
def test_a_vertical_cable_loads_its_lower_end_by_half_of_its_weight(weight: float) -> None:
    """Slack; taut the stretch of its middle holds the other half."""
    sim = moored([0, 0, 40], 50.0, weight=weight)
    np.testing.assert_allclose(sim.tether_force[0], [0, 0, 25 * weight], atol=1e-3)


@pytest.mark.parametrize(("slack", "within"), [(0.02, 0.005), (0.1, 0.02), (1.0, 0.12)])
def test_a_heavy_cable_hangs_as_a_catenary(slack: float, within: float) -> None:
    """Between ends of one height H = w c / (2 x) with sinh x = (1 + slack) x, and V = w L / 2."""
    span, weight = 30.0, 2.0
    length = span * (1 + slack)
    sim = moored([span, 0, 5], length, anchor=[0, 0, 5], weight=weight, stiffness=1e8)
    x = brentq(lambda x: np.sinh(x) - (1 + slack) * x, 1e-3, 10)
    tension = weight * span / (2 * x)
    force = sim.tether_force[0]
    assert -force[0] == pytest.approx(tension, rel=within)
    assert force[2] == pytest.approx(weight * length / 2, rel=1e-9)


@pytest.mark.parametrize("angle", [90, 60, 20])
def test_a_straight_cable_has_the_drag_of_a_cylinder_in_a_uniform_current(angle: float) -> None:
    """Half of it at each end: of the flow across, and of that along the cable."""
    speed, chord, normal, axial = 0.8, 40.0, 1.1, 0.02
    along = np.array([np.cos(np.radians(angle)), 0, np.sin(np.radians(angle))])
    sim = moored(chord * along, 40.0, drag=(normal, axial), diameter=0.01)
    sim.environment.set_current([speed, 0, 0])
    sim.reset(pos=sim.pos)
    u = np.array([speed, 0, 0])
    u_t = (u @ along) * along
    u_n = u - u_t
    half = 0.5 * sim.water_density[0] * 0.01 * chord / 2
    drag = half * (normal * np.linalg.norm(u_n) * u_n + np.pi * axial * np.linalg.norm(u_t) * u_t)
    force = sim.tether_force[0]
    rest = force - drag
    np.testing.assert_allclose(np.cross(rest, along), 0, atol=1e-2)  # tension, along the chord
    assert rest @ along < 0


@pytest.mark.parametrize("stretch", [-0.2, -0.01, 0.0, 0.002])
@pytest.mark.parametrize("stiffness", [5e3, 1e7])
def test_tension_is_that_of_stretch_and_sag_together(stretch: float, stiffness: float) -> None:
    chord, weight = 30.0, 1.5
    length = chord / (1 + stretch)
    sim = moored([chord, 0, 5], length, anchor=[0, 0, 5], weight=weight, stiffness=stiffness)
    tension = brentq(
        lambda t: length * (1 + t / stiffness) - chord - weight**2 * chord**3 / (24 * t * t),
        1e-2,
        1e7,
    )
    assert -sim.tether_force[0, 0] == pytest.approx(tension, rel=1e-4)


def test_a_vehicle_that_drifts_comes_to_rest_downstream_of_its_anchor() -> None:
    """The cable holds the drag of the hull, and half of its own along it."""
    sim = under_way("bluerov2_heavy", dt=0.002)
    sim.environment.set_water(0.0, depth=100.0)
    sim.environment.set_current([0.5, 0.0, 0.0])
    sim.buoyancy_height[:] = sim.mass / sim.water_density / sim.buoyancy_area  # neutral
    sim.tether.attach(20.0, anchor=[0, 0, 30])
    sim.reset(pos=[19.0, 0, 30])
    sim.sleep(60)
    assert np.linalg.norm(sim.vel) < 0.02
    across = np.linalg.norm(sim.pos[0, 1:] - [0, 30])
    assert sim.pos[0, 0] == pytest.approx(20.0, abs=0.2)
    assert across < 2.0
    hull = sim.drag_linear[0] * 0.5 + sim.drag_quadratic[0] * 0.25
    assert hull.min() * 0.9 < -sim.tether_force[0, 0] < hull.max() * 1.1


def test_a_tether_keeps_a_vehicle_within_its_length_and_ends_its_motion() -> None:
    sim = under_way("bluerov2_heavy", dt=0.002)
    sim.tether.attach(10.0, anchor=[0, 0, 20])
    sim.reset(pos=[0, 0, 20])
    sim.vel[:] = (2.0, 0, 0)
    farthest = 0.0
    for _ in range(100):
        sim.sleep(0.2)
        farthest = max(farthest, float(np.linalg.norm(sim.pos[0] - [0, 0, 20])))
    assert farthest < 10.5
    assert np.linalg.norm(sim.vel) < 1.0


def test_a_cable_beside_the_centre_turns_the_vehicle() -> None:
    place = np.array([-0.3, 0.1, 0.2])
    sim = moored([50.2, 0, 20], 50.0, anchor=[0, 0, 20], place=place)
    sim.att[:] = (np.cos(0.3), 0, 0, np.sin(0.3))
    sim.step(1)
    turn = np.array([[np.cos(0.6), -np.sin(0.6), 0], [np.sin(0.6), np.cos(0.6), 0], [0, 0, 1]])
    expected = np.cross(place, turn.T @ sim.tether_force[0])
    np.testing.assert_allclose(sim.tether_torque[0], expected, rtol=1e-9)


def test_vehicles_without_a_tether_move_as_before() -> None:
    sims = [under_way("bluerov2_heavy", 2, depth=5.0) for _ in range(2)]
    sims[1].tether.attach(3.0, anchor=[0, 0, 0], ids=2)
    for sim in sims:
        sim.thruster_command[:] = 0.3
        sim.sleep(1)
    np.testing.assert_array_equal(sims[0].pos[0], sims[1].pos[0])
    assert (sims[0].pos[1] != sims[1].pos[1]).any()
    sims[1].tether.detach(2)
    assert not sims[1].tether_force.any()
    assert not sims[1].tether.enabled or sims[1].tether_length.tolist() == [0, 0]


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"length": 0.0}, ValueError, "length: expected 0.1"),
        ({"length": 1e-30}, ValueError, "length: expected 0.1"),
        ({"length": np.nan}, ValueError, "length"),
        ({"length": 5.0, "stiffness": 0.0}, ValueError, "stiffness: expected more than 0"),
        ({"length": 5.0, "diameter": -1.0}, ValueError, "diameter"),
        ({"length": 5.0, "anchor": [0, 0]}, ValueError, "anchor"),
        ({"length": 5.0, "drag": [1.0, -1.0]}, ValueError, "drag"),
        ({"length": 5.0, "damping": 2.0}, ValueError, "damping"),
        ({"length": 5.0, "ids": 2}, ParameterError, "expected vehicles in water"),
    ],
)
def test_nonsense_is_refused_and_changes_nothing(
    arguments: dict[str, Any], error: type[Exception], message: str
) -> None:
    sim = pyrfly.Sim({"bluerov2_heavy": 1, "x450": 1})
    with pytest.raises(error, match=message):
        sim.tether.attach(**arguments)
    assert not sim.tether.present


def towed(speed: float, *, steams: bool) -> pyrfly.Sim:
    """Return a vehicle on a cable that goes east through water, or lies in water that goes west."""
    sim = under_way("bluerov2_heavy", dt=0.002)
    sim.tether.attach(62.0, anchor_vel=[0, speed if steams else 0, 0])
    if not steams:
        sim.environment.set_current([0, -speed, 0])
    sim.buoyancy_height[:] = sim.mass / sim.water_density / sim.buoyancy_area  # neutral
    sim.reset(pos=[0, 0, 60])
    sim.vel[:, 1] = speed if steams else 0
    if steams:
        sim.add_listener(lambda: sim.tether_anchor.__setitem__((0, 1), speed * sim.time), 0.004)
    sim.sleep(8)
    return sim


def test_a_ship_under_way_tows_as_one_at_anchor_in_a_current() -> None:
    """Galilei's invariance: of what is towed through still water, and what lies in a current."""
    steaming, lying = (towed(1.5, steams=steams) for steams in (True, False))
    np.testing.assert_allclose(steaming.pos - [0, 1.5 * steaming.time, 0], lying.pos, atol=1e-6)
    np.testing.assert_allclose(steaming.tether_force, lying.tether_force, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(steaming.vel - [0, 1.5, 0], lying.vel, atol=1e-6)
    assert lying.tether_tension[0] > 10


@pytest.mark.parametrize("relative", [-0.4, 0.4])
def test_what_stretches_a_taut_cable_is_damped_by_the_motion_of_both_ends(relative: float) -> None:
    """Without drag: EA (strain + tau strain') where it grows."""
    sim = moored([0, 0, 50.5], 50.0, drag=(0, 0), anchor_vel=[0, 0, 1.0 - relative])
    sim.vel[:, 2] = 1.0
    sim.step(1)
    strain, rate = 0.01, relative / 50.0
    expected = 20e3 * (strain + 0.05 * max(rate, 0.0))
    assert -sim.tether_force[0, 2] == pytest.approx(expected, rel=1e-2)


def without_water(name: str, rate: float) -> pyrfly.Sim:
    """Return a vehicle on which the cable alone acts, without the water that moves with it."""
    sim = without_resistance(pyrfly.Sim(name, dt=0.002, environment_rate=rate))
    sim.controllers = False
    for column in ("added_mass", "added_inertia", "buoyancy_position"):
        getattr(sim, column)[:] = 0.0
    sim.buoyancy_area[:] = sim.mass / sim.water_density / sim.buoyancy_height  # neutral
    return sim


def kinetic_energy(sim: pyrfly.Sim) -> float:
    xx, yy, zz, xy, xz, yz = sim.inertia[0]
    inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    rate = sim.rate[0]
    return float(sim.mass[0] * sim.vel[0] @ sim.vel[0] + rate @ inertia @ rate) / 2


@pytest.mark.parametrize("name", ["bluerov2_heavy", "remus100"])
@pytest.mark.parametrize("rate", [250, 50])
@pytest.mark.parametrize("stiffness", [2e4, 1e9])
@pytest.mark.parametrize("place", [(0, 0, 0), (-0.5, 0.1, 0.1)])
@pytest.mark.parametrize("length", [0.1, 0.5, 5.0])
def test_a_cable_never_gives_energy(
    name: str, rate: float, stiffness: float, place: Any, length: float
) -> None:
    """Whatever the period for which its force holds, also where it is taut within one."""
    sim = without_water(name, rate)
    sim.tether.attach(length, anchor=[0, 0, 30], stiffness=stiffness, place=place)
    sim.reset(pos=[length / 2 - place[0], -place[1], 30 + sim.rest_height[0] - place[2]])
    sim.vel[:] = (2.0, 0.7, 0.3)
    energies = [kinetic_energy(sim)]
    for _ in range(40):
        sim.sleep(0.04 * length**0.5)
        energies.append(kinetic_energy(sim))
    assert max(energies) <= energies[0] * (1 + 1e-9)


@pytest.mark.parametrize("name", ["bluerov2_heavy", "remus100"])
@pytest.mark.parametrize("stiffness", [2e4, 1e9])
def test_a_cable_beside_the_centre_gives_no_energy_to_what_turns_within_a_period(
    name: str, stiffness: float
) -> None:
    sim = without_water(name, 20)
    sim.tether.attach(2.0, anchor=[0, 0, 30], stiffness=stiffness, place=[0.3, 0.3, 0.3])
    sim.reset(pos=[0.7, -0.3, 29.7 + sim.rest_height[0]])
    sim.vel[:] = (-3.0, 0.5, 1.0)
    energies = [kinetic_energy(sim)]
    for _ in range(160):
        sim.sleep(0.05)
        energies.append(kinetic_energy(sim))
    assert max(energies) <= energies[0] * (1 + 1e-9)


@pytest.mark.parametrize(("length", "speed"), [(1e3, 1.5), (1e4, 0.5), (1e4, 1.5)])
def test_a_long_cable_takes_its_vehicle_along_as_it_turns_about_its_anchor(
    length: float, speed: float
) -> None:
    """Its middle has the speed of the water where its end has twice that, and not more."""
    sim = pyrfly.Sim("bluerov2", dt=0.002, environment_rate=50)
    sim.controllers = False
    sim.environment.set_current([0, speed, 0])
    sim.tether.attach(length, anchor=[0, 0, 20])
    sim.reset(pos=[0.8 * length, 0, 20])
    fastest = 0.0
    for _ in range(50):
        sim.sleep(0.1)
        fastest = max(fastest, float(np.abs(sim.vel).max()))
    assert fastest < 2.15 * speed


@pytest.mark.parametrize("rate", [250, 50])
def test_a_stretched_cable_has_the_period_and_the_pull_of_its_spring(rate: float) -> None:
    """T = 2 pi sqrt(m L / EA) about the place where it bears a load."""
    sim = without_water("bluerov2_heavy", rate)
    sim.tether.attach(50.0, anchor=[0, 0, 30], stiffness=5e3, damping=0.0, drag=(0, 0))
    load = 20.0
    stretch = load * 50.0 / 5e3
    sim.reset(pos=[50.0 + 1.5 * stretch, 0, 30 + sim.rest_height[0]])
    sim.set_load(force=[load, 0, 0])
    period = 2 * np.pi * float(np.sqrt(sim.mass[0] * 50.0 / 5e3))
    places, tensions = [], []
    for _ in range(round(2 * period / 0.004)):
        sim.step(2)
        places.append(sim.pos[0, 0])
        tensions.append(sim.tether_tension[0])
    off = np.array(places) - (50.0 + stretch)
    crossings = np.flatnonzero((off[:-1] < 0) != (off[1:] < 0))
    assert np.diff(crossings).mean() * 0.004 == pytest.approx(period / 2, rel=0.01)
    assert np.mean(tensions) == pytest.approx(load, rel=0.01)
