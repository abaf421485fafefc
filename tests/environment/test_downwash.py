"""csrc/models/jet.h and csrc/world/downwash.c: the air that rotors move, at other vehicles.

The profile of a jet, the grid against all pairs and the order of sums: tests/c/test_downwash.c.
"""

from __future__ import annotations

import copy
import pickle
import time
from math import log, pi, sqrt
from typing import Any

import numpy as np
import pytest

import pyrfly
from pyrfly.protocol.bits import Effect

from ..interrupts import Interrupted, interrupting_after, with_timers

DENSITY = 1.225
GROWTH = 0.094 / sqrt(log(2))
SPEED = 500.0
AREA = 0.18


def spinning(pos: Any, name: str = "x450", **options: Any) -> pyrfly.Sim:
    """Return vehicles at places whose rotors keep their speed, without gravity and drag."""
    places = np.atleast_2d(pos).astype(float)
    sim = pyrfly.Sim(name, len(places), **options)
    sim.controllers = False
    for column in ("gravity", "drag_linear", "drag_quadratic"):
        getattr(sim, column)[:] = 0
    sim.motor_tau[:] = 1e30
    sim.reset(pos=places)
    sim.rotor_speed[:] = SPEED
    return sim


def thrust_of(sim: pyrfly.Sim) -> float:
    """Return the thrust of a vehicle of four equal rotors at `SPEED`."""
    linear, quadratic = sim.thrust_coef[0]
    return float(4 * (linear * SPEED + quadratic * SPEED**2))


def jet_speed(thrust: float, area: float, along: Any, across: Any = 0.0) -> Any:
    """Return the closed form of csrc/models/jet.h, before the fade."""
    radius = sqrt(area / pi)
    width = radius + GROWTH * np.asarray(along)
    begin = sqrt(2 * thrust / (DENSITY * area))
    return begin * radius / width * np.exp(-((across / width) ** 2))


def test_air_below_a_vehicle_has_the_closed_form() -> None:
    along, across = np.meshgrid([0.5, 1.0, 3.0, 10.0], [0.0, 0.2, 0.5])
    below = np.stack([across.ravel(), 0 * across.ravel(), along.ravel() - 50], axis=1)
    sim = spinning([[0, 0, -50], *below])
    sim.environment.set_downwash(0, ids=range(2, sim.n + 1))
    sim.environment.set_downwash(AREA, ids=1)
    expected = jet_speed(thrust_of(sim), AREA, along.ravel(), across.ravel())
    np.testing.assert_allclose(sim.downwash[1:, 2], expected, rtol=1e-6)
    assert not sim.downwash[:, :2].any()
    assert not sim.downwash[0].any()
    np.testing.assert_array_equal(sim.environment.wind, sim.downwash)


def test_nothing_is_felt_above_beside_and_far_below() -> None:
    radius = sqrt(AREA / pi)
    reach = 9 / GROWTH * radius
    places = [[0, 0, 0], [0, 0, -1], [3, 0, 0], [0, 3.1 * (radius + GROWTH), 1], [0, 0, reach + 1]]
    sim = spinning(np.array(places) - [0, 0, 60])
    sim.environment.set_downwash(0)
    sim.disk_area[0] = AREA
    sim.step()
    assert not sim.downwash.any()
    assert sim.rotor_jet[0, 2] > 0


def test_jets_add_their_momentum() -> None:
    """Of three vehicles above each other the lowest meets the root of the sum of squares."""
    sim = spinning([[0, 0, -14], [0, 0, -12], [0, 0, -10]])
    sim.environment.set_downwash(AREA)
    sim.rotor_inflow[:] = 0
    sim.environment.refresh()
    single = jet_speed(thrust_of(sim), AREA, np.array([4.0, 2.0]))
    assert sim.downwash[2, 2] == pytest.approx(sqrt((single**2).sum()), rel=1e-6)
    assert sim.downwash[1, 2] == pytest.approx(single[1], rel=1e-6)


def test_a_jet_follows_the_thrust_of_a_tilted_vehicle() -> None:
    angle = np.deg2rad(30)
    axis = np.array([-np.sin(angle), 0, np.cos(angle)])  # pitched down: the air goes backwards
    sim = spinning([[0, 0, -20], 4 * axis - [0, 0, 20]])
    sim.att[0] = [np.cos(angle / 2), 0, -np.sin(angle / 2), 0]
    sim.environment.set_downwash(AREA)
    expected = float(jet_speed(thrust_of(sim), AREA, 4.0)) * axis
    np.testing.assert_allclose(sim.downwash[1], expected, rtol=1e-6, atol=1e-9)


def test_rotors_in_a_jet_lose_thrust_by_their_inflow() -> None:
    """1 m below: less specific force by inflow w V per rotor, and the drag."""
    sim = spinning([[0, 0, -11], [0, 0, -10]])
    sim.environment.set_downwash(AREA, 2e-5)
    sim.drag_quadratic[1, 2] = 0.05
    air = float(jet_speed(thrust_of(sim), AREA, 1.0))
    loss = 4 * 2e-5 * SPEED * air + 0.05 * air**2
    upper, lower = -sim.specific_force[:, 2] * sim.mass
    assert upper == pytest.approx(thrust_of(sim), rel=1e-9)
    assert upper - lower == pytest.approx(loss, rel=1e-6)
    assert 0.1 < loss / upper < 0.9
    sim.environment.refresh()  # the jet of the lower one is that of its thrust now
    assert sim.rotor_jet[1, 2] == pytest.approx(sqrt(2 * lower / (DENSITY * AREA)), rel=1e-6)


def test_rotors_that_brake_the_air_have_no_jet() -> None:
    sim = spinning([0, 0, -10])
    sim.environment.set_downwash(AREA, 2e-5)
    assert sim.rotor_jet[0, 2] > 0
    sim.wind[:] = (0, 0, 1.1 * thrust_of(sim) / (4 * 2e-5 * SPEED))
    sim.environment.refresh()
    assert not sim.rotor_jet.any()


def test_every_vehicle_of_a_stack_gives_the_air_its_weight() -> None:
    """In hover and in steady climb, with the drag of the air that it meets."""
    sim = pyrfly.Sim("x450", 4)
    sim.environment.enable("downwash")
    sim.reset(pos=[[0, 0, -26], [0, 0, -23], [0, 0, -20], [30, 0, -20]], hover=True)
    sim.command_velocity([0, 0, -3], ids=4)
    sim.step(15_000)
    assert sim.vel[3, 2] == pytest.approx(-3, abs=0.01)
    assert (sim.downwash[1:3, 2] > 3).all()
    momentum = DENSITY * sim.disk_area * (sim.rotor_jet**2).sum(axis=1) / 2
    np.testing.assert_allclose(momentum, sim.mass * sim.gravity, rtol=0.01)


def test_a_vehicle_hovers_below_another_with_faster_rotors() -> None:
    """T(w) - 4 inflow w V = m g in the lower one, hand calculation for a quadratic thrust."""
    sim = pyrfly.Sim("sdk", 2)
    sim.drag_linear[:] = sim.drag_quadratic[:] = 0
    sim.environment.enable("downwash")
    sim.reset(pos=[[0, 0, -22], [0, 0, -20]], hover=True)
    sim.step(15_000)
    np.testing.assert_allclose(sim.pos[:, 2], [-22, -20], atol=0.02)
    weight = float(sim.mass[0] * sim.gravity[0])
    area, inflow, coefficient = sim.disk_area[0], sim.rotor_inflow[0], sim.thrust_coef[0, 1]
    air = float(jet_speed(weight, area, 2.0))
    assert sim.thrust_coef[0, 0] == 0
    expected = np.roots([4 * coefficient, -4 * inflow * air, -weight]).max()
    assert float(sim.rotor_speed[1].mean()) == pytest.approx(expected, rel=2e-3)
    assert expected > 1.02 * sim.rotor_speed[0].mean()


def test_default_inflow_is_a_quarter_of_the_thrust_per_induced_velocity() -> None:
    sim = pyrfly.Sim({"sdk": 1, "x450": 1, "octo_coax": 1})
    sim.environment.set_ground_effect()
    sim.environment.enable("downwash")
    disks = np.array([4, 4, 4])  # of coaxial rotors one
    np.testing.assert_allclose(sim.disk_area, disks * pi * sim.rotor_radius**2, rtol=1e-6)
    for k, group in enumerate(sim.groups):
        thrust = float(group.mass[0] * group.gravity[0])
        induced = sqrt(thrust / (2 * DENSITY * sim.disk_area[k]))
        hover = pyrfly.Sim(group.name)
        hover.reset(pos=[0, 0, -10], hover=True)
        rotors = group.parameters.actuator_count
        loss = rotors * sim.rotor_inflow[k] * float(hover.rotor_speed[0, :rotors].mean())
        loss += float(group.drag_linear[0, 2])
        assert loss == pytest.approx(0.25 * thrust / induced, rel=0.02)


def test_air_density_counts() -> None:
    sim = spinning([[0, 0, -4002], [0, 0, -4000]])
    sim.environment.enable("density")
    sim.environment.set_downwash(AREA)
    sim.step()
    ratio = sim.air_density[0] / DENSITY
    assert ratio < 0.7
    begin = sqrt(2 * thrust_of(sim) / (DENSITY * AREA))  # thrust and density fall alike
    assert sim.rotor_jet[0, 2] == pytest.approx(begin, rel=1e-6)


def test_only_vehicles_with_the_effect_take_part() -> None:
    sim = spinning([[0, 0, -13], [0, 0, -12], [0, 0, -11], [0, 0, -10]])
    sim.environment.set_downwash(AREA, ids=[1, 3])
    alone = float(jet_speed(thrust_of(sim), AREA, 2.0))
    np.testing.assert_allclose(sim.downwash[:, 2], [0, 0, alone, 0], rtol=1e-6)
    assert sim.environment_effects.tolist() == [Effect.DOWNWASH, 0, Effect.DOWNWASH, 0]
    sim.environment.disable("downwash", ids=1)
    assert not sim.downwash.any()
    assert not sim.environment.wind.any()


def test_plain_vehicles_feel_the_drag_only() -> None:
    sim = spinning([[0, 0, -11], [0, 0, -10]], "sdk", effects="plain")
    sim.environment.set_downwash(AREA)
    sim.drag_quadratic[1, 2] = 0.05
    upper, lower = -sim.specific_force[:, 2] * sim.mass
    assert upper - lower == pytest.approx(0.05 * sim.downwash[1, 2] ** 2, rel=1e-6)
    assert not sim.rotor_inflow.any()


def swarm(threads: int = 1, **options: Any) -> pyrfly.Sim:
    """Return vehicles of two sets that hover near each other."""
    sim = pyrfly.Sim({"x450": 20, "iris": 15}, threads=threads, **options)
    sim.environment.enable("downwash")
    places = np.random.default_rng(5).uniform(-4, 4, (sim.n, 3)) - [0, 0, 30]
    sim.reset(pos=places, hover=True)
    return sim


def test_bits_do_not_depend_on_threads_and_calls() -> None:
    hashes = []
    for threads, calls in ((1, [500]), (2, [1, 2, 3, 494]), (2, [1] * 500)):
        sim = swarm(threads)
        for steps in calls:
            sim.step(steps)
        hashes.append(sim.hash())
    assert len(set(hashes)) == 1
    assert (sim.downwash[:, 2] > 1).any()


def test_bits_do_not_depend_on_the_order_of_groups() -> None:
    first, second = swarm(), pyrfly.Sim({"iris": 15, "x450": 20}, threads=1)
    second.environment.enable("downwash")
    for k, group in enumerate(second.groups):
        same = first.groups[1 - k]
        for field in same.fields:
            if field.role != "output":
                group.view(field.name)[:] = same.view(field.name)
    for sim in (first, second):
        sim.controllers = False
        sim.step(100)
    for k, group in enumerate(second.groups):
        for name in ("downwash", "pos", "vel"):
            np.testing.assert_array_equal(group.view(name), first.groups[1 - k].view(name))


def test_snapshots_copies_and_pickles_continue_alike() -> None:
    sim = swarm()
    sim.step(101)
    copies = [pickle.loads(pickle.dumps(sim)), copy.copy(sim), copy.deepcopy(sim)]
    saved = sim.snapshot()
    sim.step(150)
    for other in copies:
        assert other.hash() != sim.hash()
        other.step(150)
        assert other.hash() == sim.hash()
    after = sim.hash()
    sim.restore(saved)
    sim.step(150)
    assert sim.hash() == after


def test_a_reset_repeats_a_flight() -> None:
    hashes = []
    sim = swarm()
    start = sim.pos.copy()
    for steps in (333, 500):
        sim.reset(pos=start, hover=True)
        assert (sim.downwash[:, 2] > 1).any()
        assert (sim.environment.wind == sim.downwash).all()
        sim.step(steps)
        sim.step(500 - steps)
        hashes.append(sim.hash())
    assert hashes[0] == hashes[1]


def test_float32_has_the_rounded_result() -> None:
    places = [[0, 0, -11], [0.25, 0.125, -10]]
    results = []
    for precision in ("float64", "float32"):
        sim = spinning(places, precision=precision)
        sim.environment.set_downwash(AREA)
        results.append(sim.downwash[1])
    assert results[1].dtype == np.float32
    np.testing.assert_allclose(results[1], results[0], rtol=1e-5)


def test_sensors_and_linear_models_take_the_air() -> None:
    sim = pyrfly.Sim("sdk", 2)
    sim.environment.enable("downwash")
    sim.reset(pos=[[0, 0, -22], [0, 0, -20]], hover=True)
    sim.step(15_000)
    point = sim.trim(ids=2)
    wind = sim.environment.wind[1]
    assert wind[2] > 3
    np.testing.assert_allclose(point.inputs["wind"][0], wind, rtol=1e-12)
    sped_up = sim.throttle[1].mean()
    assert float(np.mean(point.inputs["throttle"])) == pytest.approx(sped_up, rel=0.01)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((-0.1,), r"disk_area: .*got -0.1"),
        ((0.1, np.inf), "inflow: expected finite"),
        (([0.1, 0.2, 0.3],), r"disk_area: expected shape \(2,\)"),
    ],
)
def test_wrong_arguments_are_named(arguments: tuple[Any, ...], message: str) -> None:
    sim = pyrfly.Sim("x450", 2)
    with pytest.raises(ValueError, match=message):
        sim.environment.set_downwash(*arguments)
    assert not sim.environment.enabled
    with pytest.raises(AttributeError, match=r"environment.enable\('downwash'\)"):
        sim.downwash  # noqa: B018


def step_until_alarm(sim: pyrfly.Sim, seconds: float) -> float:
    """Step until a signal handler raises an exception, and return the time that took [s]."""
    begin = time.monotonic()
    with pytest.raises(Interrupted), interrupting_after(seconds):
        sim.step(1_000_000)
    return time.monotonic() - begin


def in_one_jet(n: int) -> pyrfly.Sim:
    """Return vehicles that all meet each other at the first step: the worst case."""
    sim = spinning(np.linspace([0, 0, -100], [0, 10 * n, -100], n), threads=1)
    sim.environment.set_downwash(AREA)
    sim.pos[:] = np.linspace([0, 0, -30], [0, 0, -20], n)
    return sim


@pytest.mark.slow
@with_timers
def test_a_signal_interrupts_an_update_of_minutes() -> None:
    sim = in_one_jet(100_000)  # 5e9 pairs
    assert step_until_alarm(sim, 0.2) < 5
    assert sim.time == 0


@with_timers
def test_an_interrupted_update_is_made_anew() -> None:
    sim, other = in_one_jet(2000), in_one_jet(2000)
    step_until_alarm(sim, 0.03)
    taken = round(sim.time / sim.dt)
    sim.step(5)
    other.step(taken + 5)
    assert sim.hash() == other.hash()
