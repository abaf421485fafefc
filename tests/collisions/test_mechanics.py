"""Collisions of vehicles against closed forms of mechanics."""

import numpy as np
import pytest

from pyrfly.scene import Box, Scene

from .bodies import bodies, energy, hull, momentum

G = 9.80665


@pytest.mark.parametrize("restitution", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("masses", [(1.0, 1.0), (0.3, 5.0)])
def test_two_bodies_part_by_newtons_law(restitution: float, masses: tuple[float, float]) -> None:
    sim = bodies(2, hull(restitution=restitution))
    sim.mass[:] = masses
    sim.reset(pos=[[0, 0, -50], [1, 0, -50]])
    sim.vel[:, 0] = before = np.array([3.0, -1.0])
    sim.sleep(0.5)
    total = np.sum(masses)
    centre = np.dot(masses, before) / total
    expected = centre - restitution * (before - centre)
    assert sim.vel[:, 0] == pytest.approx(expected, abs=1e-12)
    assert sim.vel[:, 1:] == pytest.approx(0, abs=1e-12)
    assert sim.collision_speed == pytest.approx(4.0)
    touched = 0.2 if restitution else sim.time  # s; without they stay together
    expected = 0.1 + 3.0 * 0.2 + centre * (touched - 0.2)
    assert sim.collision_place[:, 0] == pytest.approx(expected, abs=0.02)
    assert sim.collision_place[:, 1:] == pytest.approx(np.array([[0, -50]] * 2))
    assert sim.collision_place_tick == pytest.approx(touched / sim.dt, abs=4)


@pytest.mark.parametrize("restitution", [0.5, 1.0])
def test_what_carries_a_payload_turns_about_the_centre_of_both(restitution: float) -> None:
    """A ball with a mass of 0.5 kg beside it is hit head-on by another one, of 1 kg, at 3 m/s."""
    sim = bodies(2, hull(restitution=restitution))
    sim.payload.attach(0.5, place=[0, 0.3, 0], inertia=[1e-3, 1e-3, 1e-3], ids=1)
    sim.reset(pos=[[0, 0, -50], [1, 0, -50]])
    sim.vel[0, 0] = 3.0
    sim.sleep(0.4)
    arm = 0.5 * 0.3 / 1.5
    inertia = 0.004 + 1e-3 + 1.0 * 0.5 / 1.5 * 0.3**2
    impulse = (1 + restitution) * 3.0 / (1 / 1.5 + arm**2 / inertia + 1 / 1.0)
    assert sim.vel[1, 0] == pytest.approx(impulse)
    assert sim.rate[0] == pytest.approx([0, 0, -arm * impulse / inertia], abs=1e-9)


@pytest.mark.parametrize(("centre", "tips"), [(0.09, False), (0.11, True)])
def test_a_box_tips_over_with_its_centre_of_mass_beyond_its_edge(centre: float, tips: bool) -> None:
    sim = bodies(1, hull((0.09, 0.09, 0.02), 0.01, friction=0.6, restitution=0.0), G)
    sim.payload.attach(1.0, place=[0, 2 * centre, 0], inertia=[1e-3, 1e-3, 1e-3])
    sim.scene.set(ground())
    sim.reset(pos=[0, 0, -0.03])
    sim.sleep(0.7)
    assert (sim.euler[0, 0] > 0.1) == tips
    if not tips:
        assert sim.collision_force[0] == pytest.approx([0, 0, -2 * G], abs=1e-6)
        assert sim.rate == pytest.approx(0, abs=1e-9)


def test_accelerometers_see_impacts() -> None:
    sim = bodies(2, hull(restitution=0.5))
    sim.sensors.enable("imu", profile="ideal")
    sim.reset(pos=[[0, 0, -50], [1, 0, -50]])
    sim.vel[0, 0] = 3.0
    measured, felt = np.zeros((2, 3)), np.zeros((2, 3))
    while sim.time < 0.5:
        sim.step(1)
        measured += sim.imu_accel * sim.dt
        felt += sim.specific_force * sim.dt
    change = [[-2.25, 0, 0], [2.25, 0, 0]]  # (1 + e) u / 2
    np.testing.assert_allclose(felt, change, atol=1e-9)
    np.testing.assert_allclose(measured, change, atol=1e-9)


def test_a_cloud_keeps_its_momentum_and_gains_no_energy() -> None:
    seed = int(np.random.default_rng().integers(2**31))
    print(f"seed {seed}")
    rng = np.random.default_rng(seed)
    sim = bodies(60, hull((0.1, 0.05, 0.02), 0.05, friction=0.5, restitution=0.7))
    sim.reset(pos=rng.uniform(-1, 1, (60, 3)) * [1, 1, 1] - [0, 0, 50])
    sim.sleep(0.5)  # what overlaps at the start parts
    sim.vel[:] = rng.normal(size=(60, 3)) - (sim.pos - sim.pos.mean(axis=0))
    sim.rate[:] = rng.normal(size=(60, 3))
    before, scale = momentum(sim), np.abs(sim.mass[:, None] * sim.vel).sum()
    whole, count = energy(sim), sim.collision_count.sum()
    for _ in range(10):
        sim.step(100)
        assert momentum(sim)[:3] == pytest.approx(before[:3], abs=1e-12 * scale)
    assert sim.collision_count.sum() > count + 30
    assert momentum(sim)[3:] == pytest.approx(before[3:], abs=2e-2 * scale)
    assert energy(sim) < whole


def ground() -> Scene:
    return Scene([Box((200, 200, 2), (0, 0, 1), friction=0.5, restitution=0.5, name="floor")])


def test_a_ball_bounces_to_the_square_of_the_restitution() -> None:
    sim = bodies(1, hull(restitution=0.5), G)  # with the floor 0.5
    sim.scene.set(ground())
    sim.reset(pos=[0, 0, -2.1])
    fall = np.sqrt(2 * 2.0 / G)
    sim.sleep(fall + np.sqrt(2 * 0.5 / G))
    assert 2.1 + 0.0 > -sim.pos[0, 2] == pytest.approx(0.1 + 0.5**2 * 2.0, abs=0.03)
    assert sim.collisions.met() == ["floor"]


def test_a_sliding_box_stops_by_friction() -> None:
    sim = bodies(1, hull((0.3, 0.3, 0.02), 0.02, friction=0.5, restitution=0.0), G)
    sim.inertia[:] = [0.04, 0.04, 0.06, 0, 0, 0]
    sim.scene.set(ground())
    sim.reset(pos=[0, 0, -0.04])
    sim.vel[:, 0] = 3.0
    sim.sleep(1.0)
    assert sim.vel[0] == pytest.approx(0, abs=1e-6)
    assert sim.pos[0, 0] == pytest.approx(3.0**2 / (2 * 0.5 * G), rel=0.02)


def test_a_sliding_ball_comes_to_roll() -> None:
    sim = bodies(1, hull(friction=0.5, restitution=0.0), G)
    sim.inertia[:] = [0.004, 0.004, 0.004, 0, 0, 0]  # 2/5 m r^2
    sim.scene.set(ground())
    sim.reset(pos=[0, 0, -0.1])
    sim.vel[:, 0] = 3.5
    sim.sleep(1.0)
    assert sim.vel[0, 0] == pytest.approx(3.5 * 5 / 7, rel=0.01)
    assert -sim.rate[0, 1] * 0.1 == pytest.approx(sim.vel[0, 0], rel=1e-3)


@pytest.mark.slow
def test_a_stack_rests() -> None:
    sim = bodies(5, hull((0.2, 0.2, 0.03), 0.02, friction=0.6, restitution=0.3), G)
    sim.inertia[:] = [0.02, 0.02, 0.03, 0, 0, 0]
    sim.scene.set(ground())
    sim.reset(pos=[[0.01 * i, 0, -0.05 - 0.1 * i] for i in range(5)])
    sim.sleep(5.0)
    assert sim.vel == pytest.approx(0, abs=2e-3)
    assert -sim.pos[:, 2] == pytest.approx(0.05 + 0.1 * np.arange(5), abs=2e-3)
    assert sim.pos[:, 0] == pytest.approx(0.01 * np.arange(5), abs=2e-3)
    assert sim.collision_force[0, 2] == pytest.approx(-G, rel=1e-2)  # those above press it down


@pytest.mark.parametrize("slope", [20.0, 35.0])
def test_a_box_on_a_slope_slides_beyond_the_angle_of_friction(slope: float) -> None:
    sim = bodies(1, hull((0.3, 0.3, 0.02), 0.02, friction=0.5, restitution=0.0), G)
    sim.inertia[:] = [0.04, 0.04, 0.06, 0, 0, 0]
    a = np.radians(slope)
    turned = (np.cos(a / 2), 0, -np.sin(a / 2), 0)
    sim.scene.set(Scene([Box((80, 80, 2), attitude=turned, friction=0.5, restitution=0.0)]))
    up = np.array([np.sin(a), 0, -np.cos(a)])
    sim.reset(pos=1.04 * up)
    sim.att[0] = turned
    sim.sleep(1.0)
    way = np.linalg.norm(sim.pos[0] - 1.04 * up)
    slides = max(0.0, G * (np.sin(a) - 0.5 * np.cos(a))) / 2  # tan(20 degrees) < 0.5 < tan(35)
    assert way == pytest.approx(slides, rel=0.02, abs=2e-3)
