"""Wheels and skids of a plane on the ground, by hand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import pyrfly
from pyrfly.vehicles import FAMILIES, load, names

from .steady import Array

GRAVITY, MASS, ROLLING, GRIP, STIFFNESS = 9.8, 11.0, 0.04, 0.7, 937.0
NOSE, MAIN, TRACK = 0.5, 0.15, 0.35  # wheels from the centre of mass [m]
HEIGHT, NOSE_LEG, MAIN_LEG = 0.25, 0.277, 0.294  # of the loaded gear, of the unloaded wheels [m]


def standing(
    n: int = 1, air: bool = False, name: str = "aerosonde", **options: object
) -> pyrfly.Sim:
    """Return planes on the ground, by default without air."""
    sim = pyrfly.Sim(name, n, **options)
    sim.controllers = False
    if not air:
        sim.reference_density[:] = 0.0
    sim.reset()
    return sim


def belly_landed(n: int = 1) -> pyrfly.Sim:
    """Return planes on four skids, 0.1 m below them, with their wheels retracted."""
    sim = standing(n)
    points = sim.gear_position.reshape(n, 3, 8)
    points[:, :, :3] = 0.0
    points[:, 0, 3:], points[:, 1, 3:] = [0.5, 0.5, -0.5, -0.5, 0.0], [0.3, -0.3, 0.3, -0.3, 0.0]
    points[:, 2, 3:] = [0.1, 0.1, 0.1, 0.1, -0.3]
    sim.gear_height[:] = 0.1
    sim.reset()
    return sim


def test_a_standing_plane_sags_by_the_load_of_its_wheels() -> None:
    """Loads by the lever rule: the nose wheel has MAIN / (NOSE + MAIN) of the weight."""
    sim = standing()
    sim.sleep(3)
    weight = MASS * GRAVITY
    nose = weight * MAIN / (NOSE + MAIN)
    load = np.array([nose, (weight - nose) / 2])  # of the nose wheel and each other one
    down = load / STIFFNESS - np.array([NOSE_LEG, MAIN_LEG]) + HEIGHT
    pitch = (down[1] - down[0]) / (NOSE + MAIN)
    depth = down[1] - pitch * MAIN  # of the centre of mass
    assert sim.pos[0, 2] == pytest.approx(depth, abs=2e-5)
    assert sim.euler[0, 1] == pytest.approx(pitch, abs=2e-4)
    np.testing.assert_allclose(sim.vel[0], 0.0, atol=1e-6)
    np.testing.assert_allclose(sim.specific_force[0], [0, 0, -GRAVITY], atol=0.02)


@pytest.mark.parametrize("speed", [10.0, -10.0])
def test_a_rolling_plane_decelerates_by_the_rolling_resistance(speed: float) -> None:
    sim = standing()
    sim.sleep(1)
    sim.vel[0, 0] = speed
    sim.sleep(2)
    assert abs(sim.vel[0, 0]) == pytest.approx(abs(speed) - 2 * ROLLING * GRAVITY, rel=2e-3)
    start = float(sim.pos[0, 0])
    distance = (abs(speed) - 2 * ROLLING * GRAVITY) ** 2 / (2 * ROLLING * GRAVITY)
    sim.sleep(27)
    assert abs(sim.pos[0, 0] - start) == pytest.approx(distance, rel=0.01)
    assert abs(sim.vel[0, 0]) < 1e-3


def test_a_belly_slides_as_its_grip_has_it() -> None:
    sim = belly_landed()
    sim.sleep(1)
    sim.vel[0] = [6, 3, 0]
    begin, speed = sim.pos[0].copy(), np.hypot(6, 3)
    sim.sleep(0.5)
    assert np.linalg.norm(sim.vel[0]) == pytest.approx(speed - 0.5 * GRIP * GRAVITY, rel=0.01)
    sim.sleep(3)
    moved = sim.pos[0] - begin
    assert np.linalg.norm(moved[:2]) == pytest.approx(speed**2 / (2 * GRIP * GRAVITY), rel=0.01)
    assert np.arctan2(moved[1], moved[0]) == pytest.approx(np.arctan2(3, 6), abs=0.02)


def test_wheels_do_not_slip_to_the_side() -> None:
    """A push to the side stops at once, one along the wheels rolls."""
    sim = standing(2)
    sim.sleep(1)
    sim.vel[:] = [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]
    sim.sleep(0.5)
    assert abs(sim.pos[0, 1]) < 1.0 / (2 * GRIP * GRAVITY) * 1.2
    assert abs(sim.vel[0, 1]) < 0.05  # it leans on its springs
    assert sim.vel[1, 0] > 0.75


@pytest.mark.parametrize("side", [-1.0, 1.0])
def test_a_turn_has_the_radius_of_the_steered_wheel(side: float) -> None:
    """Wheel base over the tangent of the angle, of the middle of the main wheels."""
    sim = standing()
    sim.sleep(1)
    angle = 0.2
    travel = abs(float(sim.surface_travel[0, 2]))
    sim.surface_command[0, 2] = side * angle / travel  # trailing edge right, the wheel right
    sim.sleep(0.5)
    assert sim.surface_angle[0, 2] == pytest.approx(-side * angle, abs=1e-6)
    sim.vel[0, 0] = 2.0
    sim.sleep(0.3)
    speed, rate = float(np.linalg.norm(sim.vel[0, :2])), float(sim.rate[0, 2])
    base = NOSE + MAIN
    expected = speed / np.hypot(base / np.tan(angle), MAIN)
    assert rate == pytest.approx(side * expected, rel=0.02)


def test_a_plane_that_slides_sideways_is_stopped_by_the_grip() -> None:
    sim = standing()
    sim.sleep(1)
    sim.vel[0] = [0, 5, 0]  # it leans by up to 0.25 rad, and its centre of mass moves by 0.07 m
    start = float(sim.pos[0, 1])
    sim.sleep(0.3)
    assert sim.vel[0, 1] == pytest.approx(5 - 0.3 * GRIP * GRAVITY, rel=0.05)
    sim.sleep(2)
    assert sim.pos[0, 1] - start == pytest.approx(5**2 / (2 * GRIP * GRAVITY), abs=0.1)


@pytest.mark.parametrize("slope", [0.02, 0.1, -0.1])
def test_on_a_slope_a_plane_rolls_by_what_the_rolling_resistance_leaves(slope: float) -> None:
    """It stays where the slope is below the resistance, but for a creep."""
    sim = standing()
    sim.set_ground_plane([slope, 0.0])
    sim.reset()
    sim.sleep(4)
    angle = np.arctan(slope)
    driving = abs(np.sin(angle)) - ROLLING * np.cos(angle)
    rolled = float(np.hypot(sim.vel[0, 0], sim.vel[0, 2]))
    if driving < 0:
        assert rolled < 0.05
    else:
        assert rolled == pytest.approx(4 * GRAVITY * driving, rel=0.05)
        assert np.sign(sim.vel[0, 0]) == np.sign(slope) or slope < 0
        assert sim.vel[0, 2] > 0


def test_across_a_slope_a_plane_stands_and_leans_on_its_springs() -> None:
    sim = standing()
    sim.set_ground_plane([0.0, 0.3])
    sim.reset()
    sim.sleep(3)
    assert np.linalg.norm(sim.vel[0]) < 0.06
    angle = np.arctan(0.3)
    down, across = MASS * GRAVITY * MAIN_LEG * np.array([np.cos(angle), np.sin(angle)])
    lean = across / (2 * STIFFNESS * TRACK**2 - down)
    assert abs(sim.euler[0, 0]) == pytest.approx(angle + lean, abs=0.003)


def test_a_deck_carries_a_plane() -> None:
    """Across by the grip, along by the rolling resistance; one that is put on it rests on it."""
    sim = standing(2)
    sim.set_ground_plane(velocity=[[0.0, 5.0, 0.0], [4.0, 0.0, 0.0]], ids=[1, 2])
    sim.vel[:] = 0.0
    sim.sleep(3)
    assert sim.vel[0, 1] == pytest.approx(5.0, abs=0.02)  # by the grip, in 5 / (mu g)
    assert sim.vel[1, 0] == pytest.approx(3 * ROLLING * GRAVITY, rel=0.02)
    sim.reset()
    sim.sleep(1)
    np.testing.assert_allclose(sim.vel[:, :2], [[0, 5], [4, 0]], atol=1e-3)


def test_a_bank_on_the_ground_ends_on_the_wing_tip_or_upright() -> None:
    """Beyond atan(track / height) the weight tips a plane over, before it comes back."""
    angles = np.radians([10, 20, 30, 40, 60, 90, 130, 180])
    sim = standing(len(angles))
    sim.reset(pos=[0, 0, -1.6])
    turns = Rotation.from_euler("X", angles[:, None])
    sim.att[:] = np.roll(turns.as_quat(), 1, axis=1)
    sim.sleep(8)
    assert sim.check().ok
    assert (np.linalg.norm(sim.vel, axis=1) < 0.1).all()
    height = -np.asarray(sim.pos[:, 2]) + HEIGHT  # of the centre of mass
    assert (height < 0.5).all()
    assert (height > 0.02).all()
    assert np.abs(sim.euler[0, 0]) < 0.01


@pytest.mark.parametrize("direction", range(0, 360, 60))
def test_parked_in_wind_it_creeps_at_most(direction: int) -> None:
    """A fresh breeze of 6 m/s from anywhere; rolling resistance carries 4.3 N, and sides more."""
    sim = standing(air=True)
    angle = np.radians(direction)
    sim.wind[0] = 6 * np.array([np.cos(angle), np.sin(angle), 0])
    sim.sleep(3)
    start, heading = sim.pos[0].copy(), float(sim.euler[0, 2])
    sim.sleep(10)
    assert np.linalg.norm(sim.pos[0] - start) < 10 * 0.05
    assert abs(float(sim.euler[0, 2]) - heading) < 1.0
    assert abs(sim.euler[0, 0]) < np.radians(2)


every_set = pytest.mark.parametrize("name", names("plane"))


@every_set
def test_a_standing_plane_is_level_and_has_the_height_of_the_ground(name: str) -> None:
    sim = pyrfly.Sim(name)
    sim.reset()
    sim.sleep(2)
    assert abs(sim.pos[0, 2]) < 1e-3
    assert np.abs(sim.euler[0]).max() < 2e-3


def peak_load(speed: float, rate: float, damping: float) -> float:
    """Return the largest force per weight of a damped spring that stops a mass without gravity.

    `rate` [rad/s] is that of its oscillation without damping; below a damping ratio of 0.5 the
    force is largest after the touch.
    """
    root = np.sqrt(1 - damping**2)
    angle = np.arctan2(root * (1 - 4 * damping**2), damping * (3 - 4 * damping**2))
    return float(speed * rate * np.exp(-damping * angle / root) / GRAVITY)


@every_set
@pytest.mark.parametrize("height", [0.2315, 1.0])
def test_a_fall_loads_a_plane_as_its_gear_is_a_damped_spring(name: str, height: float) -> None:
    """Level falls of 0.2315 m end at 2.13 m/s, for which the gear is made.

    The weight adds at most what a load does that is put on the spring at once: itself and the
    overshoot.  Where wing tips or a tail touch the ground, they add up to 0.3 of that.
    """
    sim = standing(name=name)
    mass, stiffness, damping = (
        float(column[0]) for column in (sim.mass, sim.gear_stiffness, sim.gear_damping)
    )
    rate = np.sqrt(3 * stiffness / mass)
    ratio = 3 * damping / (2 * rate * mass)
    over_ground = sim.gear_position[0, 16:] - sim.gear_height[0]
    sim.reset(pos=[0, 0, -height - over_ground[:3].max()])
    loads, deepest = [], 0.0
    for _ in range(1500):
        sim.step(1)
        loads.append(-float(sim.specific_force[0, 2]) / GRAVITY)
        deepest = max(deepest, float(sim.pos[0, 2]))
    limit = peak_load(np.sqrt(2 * GRAVITY * height), rate, ratio)
    weight = 1 + np.exp(-np.pi * ratio / np.sqrt(1 - ratio**2))
    skids = deepest + over_ground[3:].max() > 0.0
    assert 0.95 * limit < max(loads) < (limit + weight) * (1.3 if skids else 1.0)
    sim.sleep(2)
    assert abs(sim.pos[0, 2]) < 1e-3
    assert np.abs(sim.euler[0]).max() < 2e-3


@pytest.mark.parametrize(("name", "expected"), [("aerosonde", 3.0), ("my_twin_dream", 6.0)])
def test_a_landing_with_the_least_sink_rate_of_a_design_loads_by(
    name: str, expected: float
) -> None:
    """Three weights on wheels, six on a belly: what the sets say of their springs."""
    found = {q.name: q.value for q in FAMILIES["plane"].plausibility(load(name))}
    assert found["load over weight of a landing with 2.13 m/s"] == pytest.approx(expected, rel=0.01)


def drop(speeds: Array) -> pyrfly.Sim:
    sim = standing(len(speeds))
    sim.reset(pos=[0, 0, -0.05])
    sim.vel[:, 2] = speeds
    return sim


def test_a_hard_landing_is_damped() -> None:
    sim = drop(np.array([0.5, 1.0, 2.0, 4.0]))
    sim.sleep(5)
    assert sim.check().ok
    np.testing.assert_allclose(sim.pos[:, 2], sim.pos[0, 2], atol=1e-4)
    np.testing.assert_allclose(sim.vel, 0.0, atol=1e-3)


def test_contact_never_adds_energy() -> None:
    """Random attitudes and velocities near the ground, without air."""
    random, n = np.random.default_rng(8), 256
    sim = standing(n)
    sim.reset(pos=[0, 0, -2])
    sim.att[:] = np.roll(Rotation.random(n, random_state=8).as_quat(), 1, axis=1)
    sim.vel[:] = random.uniform(-8, 8, (n, 3))
    sim.rate[:] = random.uniform(-3, 3, (n, 3))

    def energy() -> Array:
        xx, yy, zz, _, xz, _ = sim.inertia[0]
        tensor = np.array([[xx, 0, xz], [0, yy, 0], [xz, 0, zz]])
        turning = 0.5 * np.sum(sim.rate * (sim.rate @ tensor), axis=1)
        moving = 0.5 * MASS * np.sum(sim.vel**2, axis=1)
        return np.asarray(turning + moving - MASS * GRAVITY * sim.pos[:, 2])

    before = energy()
    for _ in range(20):
        sim.step(100)
        now = energy()
        stored = 8 * 0.5 * STIFFNESS * 0.1**2  # by the springs, at most
        assert (now < before + stored).all()
    assert sim.check().ok
    assert (now < before).all()
