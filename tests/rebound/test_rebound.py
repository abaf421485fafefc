"""RflySim's rules for collisions against the numbers of their publication."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import pyrfly
from pyrfly.errors import ParameterError, ShapeError
from pyrfly.sim.crashes import crash_ids

from ..extended import EXTENDED

Array = NDArray[np.float64]

FLOAT32 = {"precision": "float32"}
MASS = 1.515  # kg, of the set sdk


def report(**inputs: float) -> Array:
    """Return the 20 numbers, the scenery far away; ``u10=-1`` is the tenth of them."""
    values = np.zeros(20)
    values[0], values[9:15] = 12345, 100
    for name, value in inputs.items():
        values[int(name[1:]) - 1] = value
    return values


def flying(name: str = "sdk", n: int = 1, **options: Any) -> pyrfly.Sim:
    """Return vehicles far above the ground, controllers off."""
    sim = pyrfly.Sim(name, n, **options)
    sim.controllers = False
    sim.reset(pos=np.broadcast_to((0, 0, -100), (n, 3)))
    return sim


def force(vel: Any, **inputs: float) -> list[float]:
    """Return the force [N, NED] on a vehicle with a velocity [m/s, NED] after a report."""
    sim = flying()
    sim.vel = vel
    sim.rebound.put(report(**inputs))
    sim.step()
    found: list[float] = sim.rebound_force[0].tolist()
    return found


NEAR, MIDDLE, DEEP = (-0.005, 0.0, 10.0), (-0.02, 200.0, 20.0), (-0.05, 500.0, 50.0)
SIDES = [(10, 0, 1), (11, 0, -1), (12, 1, -1), (13, 1, 1), (14, 2, -1)]


@pytest.mark.parametrize("band", [NEAR, MIDDLE, DEEP, (-0.01, 200, 20), (-0.04, 500, 50)])
@pytest.mark.parametrize(("place", "axis", "side"), SIDES)
@pytest.mark.parametrize("speed", [-1.0, 0.0, 2.0])
def test_a_wall_pushes_by_the_band_of_the_overlap(
    place: int, axis: int, side: int, band: tuple[float, float, float], speed: float
) -> None:
    overlap, stiffness, damping = band
    vel, expected = np.zeros(3), np.zeros(3)
    vel[axis] = speed
    expected[axis] = side * stiffness * overlap - damping * speed
    assert force(vel, **{f"u{place}": overlap}) == pytest.approx(expected.tolist(), abs=1e-12)


def test_the_walls_have_the_published_forces() -> None:
    assert force([1, 0, 0], u10=-0.05) == pytest.approx([-75, 0, 0])
    assert force([0, 0, -1], u14=-0.02) == pytest.approx([0, 0, 24])


def test_of_two_walls_on_an_axis_the_later_counts() -> None:
    assert force([1, 0, 0], u10=-0.05, u11=-0.02) == pytest.approx([4 - 20, 0, 0])
    assert force([0, 1, 0], u12=-0.05, u13=-0.02) == pytest.approx([0, -4 - 20, 0])
    assert force([1, 0, -1], u11=-0.05, u14=-0.05) == pytest.approx([25 - 50, 0, 25 + 50])


@pytest.mark.parametrize("marker", [0, 12344, 12346, 1e5])
def test_numbers_without_the_mark_do_not_count(marker: float) -> None:
    assert force([1, 0, 0], u1=marker, u2=5, u10=-0.05) == [0, 0, 0]
    assert force([1, 0, 0], u1=12345.5, u10=-0.05)[0] == pytest.approx(-75)


def test_a_wall_counts_for_the_hold() -> None:
    sim = flying()
    sim.rebound.put(report(u10=-0.05), hold=0.02)
    sim.step(20)
    assert sim.rebound_force[0, 0] < -10
    sim.step()
    assert not sim.rebound_force.any()


def test_a_wall_never_turns_a_light_vehicle_around() -> None:
    """50 N s/m on 28 g in 1 ms is 1.8 times its velocity; in 10 ms 18 times."""
    sim = flying("cf2x_l250", dt=0.01)
    sim.vel = [1, 0, 0]
    sim.rebound.put(report(u13=-0.05, u10=-0.0401))
    sim.step(5)
    assert abs(sim.vel[0, 0]) < 10


OTHER = [3.0, -1.0, 0.5]


def impulse(**inputs: float) -> Array:
    sim = flying()
    sim.vel = [10, -4, 2]
    sim.rebound.put(report(u2=7, **inputs))
    sim.step()
    return np.array(sim.rebound_impulse[0])


@pytest.mark.parametrize("size", [0.5, 1.0, 2.0])
def test_momentum_is_kept_with_what_moves(size: float) -> None:
    found = impulse(u3=size, u7=OTHER[0], u8=OTHER[1], u9=OTHER[2])
    vel, other, mass = np.array([10, -4, 2]), np.array(OTHER), MASS * size**2
    together = (MASS * vel + mass * other) / (MASS + mass)
    assert found == pytest.approx(MASS * (together - vel), rel=1e-12)
    assert found == pytest.approx(-mass * (together - other), rel=1e-12)  # what the other gets


def test_a_house_throws_back_at_a_tenth() -> None:
    assert impulse() == pytest.approx(MASS * -1.1 * np.array([10, -4, 2]), rel=1e-12)


@pytest.mark.parametrize("options", [{}, FLOAT32, {"dt": 0.004}, {"dt": 0.003}])
def test_impulses_are_0_7_to_1_of_it_and_0_85_on_average(options: Any) -> None:
    """Of each axis of the body; the mean of 256 x 50 numbers deviates by less than 0.004."""
    n = 256
    sim = flying("sdk", n, **options)
    sim.rebound.put(report(u2=1, u3=1, u7=5, u8=-5, u9=2))
    steps, delivered = int(np.ceil(0.06 / sim.dt)), np.zeros((n, 3))
    for _ in range(steps):
        sim.step()
        delivered += sim.rebound_force * sim.dt
    share = delivered / (MASS * np.array([2.5, -2.5, 1]))
    assert share.mean(axis=0) == pytest.approx([0.85] * 3, abs=0.004)
    assert share.min() > 0.75
    assert share.max() < 0.95


def test_torque_is_a_uniform_share_of_the_mass_for_0_05_s() -> None:
    sim = flying("sdk", 2000)
    sim.rebound.put(report(u2=1))
    sim.step(25)
    share = sim.rebound_torque / MASS
    assert share.min() > 0
    assert share.max() < 1
    assert share.mean(axis=0) == pytest.approx([0.5] * 3, abs=0.04)
    assert share.std(axis=0) == pytest.approx([12**-0.5] * 3, abs=0.02)
    sim.step(26)
    assert not sim.rebound_torque.any()


def test_a_vehicle_is_thrown_back_off_a_house() -> None:
    """It keeps 1 - 1.1 * 0.85 of its speed on average."""
    sim = flying("sdk", 200)
    sim.vel = [10, 0, 0]
    sim.rebound.put(report(u2=3))
    sim.step(51)
    assert sim.vel[:, 0].mean() == pytest.approx(10 * (1 - 1.1 * 0.85), abs=0.15)


def test_a_message_acts_once() -> None:
    sim = flying()
    sim.vel = [5, 0, 0]
    sim.rebound.put(report(u2=3))
    sim.step(60)
    assert not sim.rebound_force.any()
    sim.rebound.put(report(u2=3))
    sim.step()
    assert sim.rebound_force.any()


def test_a_hit_is_not_lost_to_distances_that_follow_before_a_step() -> None:
    sim = flying("sdk", 2)
    sim.vel = [5, 0, 0]
    sim.rebound.put(report(u2=3, u10=-0.05))
    sim.rebound.put(report(u10=7), ids=1)
    sim.rebound.put(np.zeros(20), ids=2)
    sim.step()
    assert sim.crash_id.tolist() == [3, 0]
    assert sim.rebound_impulse[0, 0] == pytest.approx(-5.5 * MASS)
    assert sim.rebound_inputs[0, 9] == 7


def test_a_crash_lasts_until_a_reset() -> None:
    sim = flying("sdk", 3)
    sim.rebound.put(report(u2=9), ids=2)
    sim.step()
    sim.rebound.put(report())
    sim.step(100)
    assert sim.crash_id.tolist() == [0, 9, 0]
    assert crash_ids(sim).tolist() == [-1, 9, -1]
    assert repr(sim.rebound) == "<Rebound of 3 vehicles: reports, crashed (1 of 3)>"
    sim.reset(ids=[2])
    assert sim.crash_id.tolist() == [0, 0, 0]
    sim.step()
    assert not sim.rebound_force.any()


def test_a_crash_replaces_two_commands_and_changes_the_third() -> None:
    """u1 <- r/2, u2 <- r/5, u3 <- 0.9 u3 + r/10, by motors whose lag is the step."""
    sim = flying("sdk", 500)
    sim.motor_curve = (0, 1000, 0, 0)
    sim.motor_dead_zone, sim.motor_max, sim.motor_tau = 0, 1, sim.dt
    sim.throttle = 0.6
    sim.rebound.put(report(u2=1))
    kept = 1 - 1 + 1 / 2 - 1 / 6 + 1 / 24  # of a Runge-Kutta step
    commands = []
    for _ in range(20):
        before = sim.rotor_speed.copy()
        sim.step()
        commands.append((sim.rotor_speed - kept * before) / (1 - kept) / 1000)
    found = np.array(commands)
    assert found[..., 3] == pytest.approx(0.6)
    for motor, least, most in ((0, 0, 0.5), (1, 0, 0.2), (2, 0.54, 0.64)):
        own = found[..., motor]
        assert own.min() >= least - 1e-9
        assert own.max() <= most + 1e-9
        assert own.mean() == pytest.approx((least + most) / 2, abs=0.005 * (most - least) / 0.1)
        assert own.std() == pytest.approx((most - least) / 12**0.5, rel=0.02)


def test_draws_are_new_at_each_step_and_those_of_the_seed() -> None:
    def drawn(seed: int, threads: int = 1) -> Array:
        sim = pyrfly.Sim("sdk", 300, threads=threads)
        sim.reset(pos=np.broadcast_to((0, 0, -100), (300, 3)), seed=seed)
        sim.rebound.put(report(u2=1))
        found = []
        for _ in range(3):
            sim.step()
            found.append(np.concatenate([sim.rebound_damage, sim.rebound_torque], axis=1))
        return np.array(found)

    first = drawn(1)
    assert (first == drawn(1, threads=2)).all()
    assert np.unique(first).size == first.size
    assert not (first == drawn(2)).any()


def test_the_ray_downwards_is_the_ground_while_it_counts() -> None:
    sim = flying("sdk", 2)
    sim.terrain = [1, 2]
    sim.rebound.put(report(u6=-30, u15=12), ids=1)
    sim.step()
    assert sim.terrain.tolist() == [-18, 2]
    sim.rebound.put(report(u6=-30, u15=99.5), ids=1)
    sim.step()
    assert sim.terrain.tolist() == [1, 2]


@pytest.mark.parametrize("ends", ["hit", "hold", "reset", "user"])
def test_the_ground_comes_back(ends: str) -> None:
    sim = flying()
    sim.terrain = 1
    sim.rebound.put(report(u6=-30, u15=99), hold=0.1)
    sim.step()
    assert sim.terrain[0] == 69
    if ends == "hit":
        sim.rebound.put(report(u2=1, u15=5))
    elif ends == "reset":
        sim.reset(pos=[0, 0, -100])
    elif ends == "user":
        sim.terrain = 4
    sim.step(1 if ends != "hold" else 101)
    assert sim.terrain[0] == (69 if ends == "user" else 1)
    sim.step(101)
    assert sim.terrain[0] == (4 if ends == "user" else 1)


def test_a_vehicle_lands_on_what_the_ray_sees() -> None:
    sim = pyrfly.Sim("sdk")
    sim.controllers = False
    sim.reset(pos=[0, 0, -11])
    sim.rebound.put(report(u6=-11, u15=1), hold=10)
    sim.sleep(3)
    assert sim.pos[0, 2] == pytest.approx(-10, abs=0.1)


@pytest.mark.parametrize("vehicle", EXTENDED)
def test_the_rules_act_on_every_family(vehicle: str) -> None:
    sim = flying(vehicle)
    sim.vel = [5, 0, 0]
    sim.rebound.put(report(u2=1))
    sim.step(51)
    assert sim.vel[0, 0] < 4.5
    assert sim.status[0] == 0


def test_nothing_happens_without_reports() -> None:
    alone, ready = flying(n=3), flying(n=3)
    for sim in (alone, ready):
        sim.vel = [3, 1, 0]
    ready.set_load([0, 0, 0])  # both run the extended model
    alone.set_load([0, 0, 0])
    ready.rebound.put(report(u2=1), ids=2)
    for sim in (alone, ready):
        sim.step(200)
    rows = [0, 2]
    assert (alone.pos[rows] == ready.pos[rows]).all()
    assert (alone.pos[1] != ready.pos[1]).any()


def test_a_snapshot_has_all_of_it() -> None:
    sim = flying(n=2)
    sim.rebound.put(report(u2=1, u3=1, u7=2))
    sim.step(20)
    saved = sim.snapshot()
    sim.step(40)
    after = sim.hash()
    sim.restore(saved)
    sim.step(40)
    assert sim.hash() == after


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"values": [1.0] * 19}, ShapeError, r"values: expected shape .*20"),
        ({"values": report(u5=np.nan)}, ValueError, "values: expected finite"),
        ({"values": report(u3=1e7)}, ValueError, r"values: expected magnitudes up to 1e\+06"),
        ({"values": report(), "hold": -1}, ValueError, "hold: expected at least 0"),
        ({"values": report(), "ids": [1, 1]}, ValueError, "ids: expected each CopterID once"),
        ({"values": "wall"}, TypeError, "values: expected"),
    ],
)
def test_bad_input_changes_nothing(arguments: Any, error: type[Exception], message: str) -> None:
    sim = flying(n=2)
    before = sim.hash()
    with pytest.raises(error, match=message):
        sim.rebound.put(**arguments)
    assert sim.hash() == before
    assert not sim.rebound.enabled


def test_plain_effects_are_refused() -> None:
    sim = pyrfly.Sim("sdk", effects="plain")
    with pytest.raises(ParameterError, match="rebound: no rule acts on 'sdk'"):
        sim.rebound.put(report())
