"""csrc/models/ground.h: vehicles rest, land, slide, tip over and take off."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import pyrfly
from pyrfly import vehicles
from pyrfly.sim.group import LARGEST_PRODUCT

SKIN = 2e-3  # m, RF_GROUND_SKIN
BANDS = "three bands and preload"
SPRING = "spring and damper"
LAWS = pytest.mark.parametrize("law", [BANDS, SPRING])


def grounded(vehicle: str, law: str, n: int = 1, **options: Any) -> pyrfly.Sim:
    """Return vehicles on the ground of [@rfly-collision 3.1], or of [@rfly-model-api 6.4]."""
    sim = pyrfly.Sim(vehicle, n, **options)
    sim.controllers = False
    sim.ground_hardening[:] = sim.ground_preload[:] = law == BANDS
    return sim


def resting_depth(sim: pyrfly.Sim) -> Any:
    return np.where(sim.ground_preload == 1, 0.0, sim.gravity / sim.ground_stiffness)


@LAWS
@pytest.mark.parametrize("integrator", ["rk4", "euler"])
@pytest.mark.parametrize("vehicle", ["sdk", "cf2x_l250"])
@pytest.mark.slow
def test_vehicle_at_rest_stays_at_rest_for_ten_minutes(
    vehicle: str, integrator: str, law: str
) -> None:
    sim = grounded(vehicle, law, integrator=integrator)
    sim.reset(pos=[3, -4, 0], yaw=0.5)
    sim.pos[:, 2] = resting_depth(sim)
    pos, att = sim.pos.copy(), sim.att.copy()
    for _ in range(60):
        sim.step(10_000)
        assert np.abs(sim.pos - pos).max() < 1e-6
        assert np.abs(sim.att - att).max() < 1e-9
        assert np.abs(sim.vel).max() < 1e-6


def test_float32_vehicle_at_rest_stays_at_rest() -> None:
    sim = grounded("cf2x_l250", BANDS, precision="float32")
    sim.step(300_000)
    assert np.abs(sim.pos).max() < 1e-6
    assert sim.att[0, 0] == 1


@LAWS
@pytest.mark.parametrize("vehicle", vehicles.names("multirotor"))
def test_dropped_vehicle_settles_and_never_sinks_deep(vehicle: str, law: str) -> None:
    sim = grounded(vehicle, law, n=4)
    heights = np.array([0.1, 1.0, 3.0, 10.0])
    sim.pos[:, 2] = -heights
    deepest = np.zeros(4)
    highest_again = np.zeros(4)  # after the first touch
    touched = np.zeros(4, dtype=bool)
    for _ in range(1000):
        sim.step(10)
        z = sim.pos[:, 2]
        deepest = np.maximum(deepest, z)
        touched |= z > 0
        highest_again = np.maximum(highest_again, np.where(touched, -z, 0))
    speed = np.sqrt(2 * sim.gravity * heights)
    bound = resting_depth(sim) + 0.5 * speed / sim.ground_damping + 0.05
    assert (deepest < bound).all()
    assert (highest_again < 0.5 * heights).all()
    assert touched.all()
    assert (np.abs(sim.vel) < 1e-4).all()
    np.testing.assert_allclose(sim.pos[:, 2], resting_depth(sim), atol=5e-4)
    assert sim.check().ok


@pytest.mark.parametrize("integrator", LARGEST_PRODUCT)
@pytest.mark.parametrize("vehicle", vehicles.names("multirotor"))
def test_at_the_longest_step_a_landing_does_not_rebound_and_ends(
    vehicle: str, integrator: str
) -> None:
    """The ground is plastic; drops of 0.3 to 8 m, motors off, some with a push along the ground."""
    family = vehicles.FAMILIES["multirotor"]
    rate = family.fastest_rate(vehicles.load(vehicle), "full")
    dt = min(0.999 * LARGEST_PRODUCT[integrator] / rate, family.longest_periods.inner)
    sim = pyrfly.Sim(vehicle, 6, dt=dt, integrator=integrator)
    sim.controllers = False
    height = np.array([0.3, 1.0, 3.0, 8.0, 0.0, 0.0])
    sim.reset(pos=np.outer(-height, [0, 0, 1]))
    sim.vel[4:, :2] = [[0.5, 0.2], [-1, 1.5]]
    sim.wind[:] = 0.3 * np.array([4, 1, 0])
    landed, highest = np.zeros(6, bool), np.full(6, -np.inf)
    for _ in range(int(10 / dt) // 4):
        sim.step(4)
        landed |= sim.pos[:, 2] > -SKIN
        highest = np.where(landed, np.maximum(highest, -sim.pos[:, 2]), highest)
    assert landed.all()
    assert (highest < 0.02 * height + SKIN).all()
    assert np.abs(sim.vel).max() < 1e-4


@LAWS
def test_landing_never_adds_energy(law: str) -> None:
    """Kinetic and potential energy, that of the ground's springs too, landing with side speed."""
    sim = grounded("sdk", law, n=3)
    sim.drag_quadratic[:] = sim.damping_quadratic[:] = 0
    sim.pos[:, 2] = [-0.05, -1.0, -5.0]
    sim.vel[:] = [2.0, -1.0, 0.0]
    below = np.linspace(-SKIN, 2.0, 200_001)
    contact = np.clip(1 + below / SKIN, 0, 1)
    k, depth = sim.ground_stiffness[0], np.maximum(below, 0)
    beyond = 1.5 * np.maximum(depth - 0.05, 0) + 2.5 * np.maximum(depth - 0.1, 0)
    g = sim.gravity[0]
    push = contact * (k * (depth + beyond) + g) if law == BANDS else k * depth
    store = np.concatenate([[0], np.cumsum((push[1:] + push[:-1]) / 2 * np.diff(below))])

    def energy() -> Any:
        z = sim.pos[:, 2]
        along = 2 * np.sum(sim.ground_pull**2, axis=1) / sim.ground_friction**2
        return 0.5 * np.sum(sim.vel**2, axis=1) - g * z + along + np.interp(z, below, store)

    last = energy()
    for _ in range(1500):
        sim.step(2)
        now = energy()
        assert (now < last + 1e-6).all()
        last = now


def test_support_is_the_published_law_in_every_band() -> None:
    """Up per mass: g + k z, 2.5 k from 0.05 m, 5 k from 0.1 m, plus c times the descent rate."""
    sim = grounded("sdk", BANDS, n=6)
    k, c, g = 132.0132, 132.0132, 9.8
    sim.pos[:, 2] = [-SKIN, -SKIN / 2, 0.0, 0.02, 0.07, 0.15]
    springs = np.array([0, 0, 0, 0.02, 0.05 + 2.5 * 0.02, 0.05 + 2.5 * 0.05 + 5 * 0.05])
    contact = np.array([0, 0.5, 1, 1, 1, 1])
    np.testing.assert_allclose(-sim.specific_force[:, 2], contact * (g + k * springs), rtol=1e-12)

    drag = 0.055 / 1.515
    sim.vel[:] = [0, 0, 0.5]
    expected = contact * (g + k * springs + c * 0.5) + drag * 0.25
    np.testing.assert_allclose(-sim.specific_force[:, 2], expected, rtol=1e-12)

    sim.vel[:] = [0, 0, -50.0]  # leaving fast: the ground pushes but never holds
    np.testing.assert_allclose(-sim.specific_force[:, 2], -drag * 2500, rtol=1e-12)


def test_ground_height_comes_from_the_terrain_column() -> None:
    sim = grounded("sdk", BANDS, n=3)
    sim.terrain[:] = [0.0, -25.0, 7.5]
    sim.pos[:, 2] = sim.terrain - 0.5
    sim.step(15_000)
    np.testing.assert_allclose(sim.pos[:, 2], sim.terrain, atol=1e-4)


def test_sliding_vehicle_stops_where_friction_says() -> None:
    """|v'| = mu g in any direction: it slides v^2 / (2 mu g)."""
    sim = grounded("sdk", BANDS, n=4)
    sim.drag_quadratic[:] = 0
    sim.ground_grip[:] = [0.8, 0.8, 0.4, 0.4]
    course = np.array([[1, 0, 0], [-0.6, 0.8, 0], [0, -1, 0], [0.8, 0.6, 0]])
    sim.vel[:] = 3 * course
    sim.step(2000)
    expected = course * (9 / (2 * 9.8 * sim.ground_grip))[:, None]
    np.testing.assert_allclose(sim.pos, expected, atol=2e-3)
    assert np.abs(sim.vel).max() < 1e-6


def test_ground_levels_a_tilted_vehicle_and_keeps_its_heading() -> None:
    sim = grounded("sdk", BANDS, n=4)
    tilts = np.array([[2.0, 0.5, 0.0], [2.0, 0.0, 0.5], [2.0, -0.4, -0.4], [2.0, 0.0, 1.5]])
    sim.att[:] = np.roll(Rotation.from_euler("ZYX", tilts).as_quat(), 1, axis=1)
    sim.step(10_000)
    angles = Rotation.from_quat(np.roll(sim.att, -1, axis=1)).as_euler("ZYX")
    np.testing.assert_allclose(angles[:, 1:], 0, atol=1e-6)
    np.testing.assert_allclose(angles[:2, 0], 2.0, atol=0.05)


@LAWS
@pytest.mark.parametrize("vehicle", ["sdk", "cf2x_l250", "octo_x"])
def test_vehicle_that_falls_on_its_back_does_not_explode(vehicle: str, law: str) -> None:
    sim = grounded(vehicle, law, n=16)
    random = np.random.default_rng(1)
    sim.att[:] = [0, 1, 0, 0]
    sim.att[1:] = np.roll(Rotation.random(15, random_state=1).as_quat(), 1, axis=1)
    sim.rate[1:] = random.uniform(-10, 10, (15, 3))
    sim.pos[:, 2] = -2
    sim.throttle[8:] = 1.0
    for _ in range(50):
        sim.step(100)
        assert sim.check().ok, sim.check().text
        assert np.abs(sim.rate[:8]).max() < 20
    assert np.abs(sim.vel[:8]).max() < 0.01
    assert np.abs(sim.rate[:8]).max() < 0.01


@LAWS
@pytest.mark.parametrize("vehicle", vehicles.names("multirotor"))
def test_full_throttle_leaves_the_ground(vehicle: str, law: str) -> None:
    sim = grounded(vehicle, law)
    sim.pos[:, 2] = resting_depth(sim)
    sim.throttle[:] = 1
    sim.step(3000)
    assert sim.pos[0, 2] < -1
    assert sim.vel[0, 2] < -1
    np.testing.assert_allclose(sim.pos[0, :2], 0, atol=1e-6)


def test_motors_at_idle_do_not_lift_or_move_a_vehicle() -> None:
    sim = grounded("sdk", BANDS)
    sim.throttle[:] = 0.2
    sim.step(20_000)
    np.testing.assert_allclose(sim.pos, 0, atol=SKIN)
    np.testing.assert_allclose(sim.rate, 0, atol=1e-9)


def test_light_vehicle_survives_a_hard_landing() -> None:
    """A 32 g Crazyflie at 1 ms hits the ground at 60 m/s."""
    sim = grounded("cf2x_l250", BANDS)
    sim.pos[:, 2] = -0.5
    sim.vel[:, 2] = 60
    sim.step(1)
    for _ in range(100):
        sim.step(20)
        assert -0.6 < sim.pos[0, 2] < 0.6
    np.testing.assert_allclose(sim.pos[0, 2], 0, atol=0.05)
    assert sim.check().ok


def test_plain_vehicles_have_no_ground() -> None:
    sim = grounded("sdk", BANDS, effects="plain")
    sim.step(1000)
    assert sim.pos[0, 2] > 4


# --- friction -------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("integrator", ["rk4", "euler"])
@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_a_parked_vehicle_keeps_its_place_in_wind(precision: str, integrator: str) -> None:
    """All sets, also with idling motors, in 10 m/s from four sides for 60 s: below 1.5 mm."""
    sets = dict.fromkeys(vehicles.names("multirotor"), 8)
    sim = pyrfly.Sim(sets, precision=precision, integrator=integrator)
    sim.reset(pos=[0, 0, 0])
    course = np.arange(sim.n) * np.pi / 2
    sim.wind = 10 * np.stack([np.cos(course), np.sin(course), 0 * course], axis=1)
    sim.controllers = False
    for group in sim.groups:
        group.throttle[4:] = 0.05
    for _ in range(30):
        sim.step(2000)
        moved = np.linalg.norm(sim.pos, axis=1)
        assert moved.max() < 1.5e-3, (sim.groups[int(moved.argmax()) // 8].name, moved.max())
    assert np.abs(sim.vel).max() < 1e-5


def test_more_wind_than_friction_holds_moves_a_vehicle() -> None:
    """With c V^2 > mu m g: m v' = c (V - v)^2 - mu m g."""
    sim = grounded("sdk", BANDS, n=2)
    sim.drag_offset[:] = 0
    sim.ground_grip[:] = [0.2, 0.4]
    sim.wind[:] = [10, 0, 0]
    sim.step(500)
    speed = 0.0
    for _ in range(500):
        speed += 1e-3 * (0.055 / 1.515 * (10 - speed) ** 2 - 0.2 * 9.8)
    assert sim.vel[0, 0] == pytest.approx(speed, rel=0.01)
    assert sim.pos[1, 0] < 1e-3


def test_nothing_pulls_at_lift_off() -> None:
    """The spring is loaded by wind; in the air a vehicle moves as one that was never parked."""
    sim = grounded("sdk", BANDS, n=2)
    sim.wind[0] = [6, -8, 0]
    sim.step(2000)
    np.testing.assert_allclose(sim.ground_pull[0] * 1.515, [0.055 * 36, -0.055 * 64], rtol=0.01)
    sim.throttle[:] = 1
    while (sim.pos[:, 2] > -SKIN).any():
        sim.step()
        assert np.linalg.norm(sim.vel[0, :2]) < 0.2
    assert (sim.ground_pull == 0).all()
    force = sim.specific_force.copy()
    sim.ground_grip[:] = sim.ground_friction[:] = 0
    np.testing.assert_array_equal(sim.specific_force, force)


# --- ground that moves ----------------------------------------------------------------------------


@pytest.mark.parametrize("precision", ["float64", "float32"])
@pytest.mark.parametrize("vehicle", ["sdk", "cf2x_l250", "octo_x"])
def test_a_standing_vehicle_goes_with_its_ground(vehicle: str, precision: str) -> None:
    heights = [-1000.0, -40.0, -0.3, -0.01, 0.01, 0.7, 500.0, 9000.0]
    sim = pyrfly.Sim(vehicle, len(heights), precision=precision)
    sim.wind[:] = [3, 0, 0]
    sim.step(1000)
    before = sim.pos.copy()
    for ground in (heights, heights[::-1], np.zeros(len(heights))):
        sim.terrain[:] = ground
        for _ in range(20):
            sim.step(50)
            assert np.abs(sim.vel).max() < 0.05
        np.testing.assert_allclose(sim.pos[:, 2], ground, atol=2e-3)
        np.testing.assert_allclose(sim.pos[:, :2], before[:, :2], atol=1e-4)
    assert sim.check().ok


def test_a_flying_vehicle_does_not_notice_ground_below_it() -> None:
    sim, same = (grounded("sdk", BANDS, n=3) for _ in range(2))
    for each in (sim, same):
        each.pos[:] = [0, 0, -60]
        each.vel[:] = [[1, 2, 3], [0, 0, 0], [0, 0, -4]]
        each.throttle[:] = 0.5
        each.step(10)
    for ground in (-20.0, 30.0, -50.0):
        sim.terrain[:] = ground
        for each in (sim, same):
            each.step(300)
        np.testing.assert_array_equal(sim.pos, same.pos)


@pytest.mark.parametrize("vehicle", vehicles.names("multirotor"))
def test_ground_that_rises_above_a_flying_vehicle_lifts_it_slowly(vehicle: str) -> None:
    sim = grounded(vehicle, BANDS, n=3)
    sim.pos[:, 2] = -10
    sim.step()
    sim.terrain[:] = [-10.4, -15.0, -1000.0]
    for _ in range(300):
        sim.step(10)
        assert (sim.vel[:, 2] > -2.5).all()
    assert sim.check().ok
    np.testing.assert_allclose(sim.pos[0], [0, 0, -10.4], atol=0.02)
    assert (sim.pos[1:, 2] < -13).all()
    sim.terrain[:] = 0  # it falls, and lands
    sim.step(10_000)
    np.testing.assert_allclose(sim.pos[:, 2], 0, atol=1e-3)


# --- the published law ----------------------------------------------------------------------------


def test_published_ground_is_the_printed_one() -> None:
    """-mg - k z - k v with k = 200, 500, 1000 and edges at 0.05 and 0.1 m [N]; -50 v along."""
    sim = pyrfly.Sim("sdk", 7, compatibility="rflysim")
    sim.drag_quadratic[:] = 0
    sim.pos[:, 2] = [0.08, 0.2, 0.08, 0.2, 0.02, -1e-6, 0.03]
    sim.vel[:, 2] = [0, 0, 0.5, 0.5, 0.1, 0.5, -2]
    sim.vel[:, :2] = [3, -4]
    down = [-54.847, -214.847, -304.847, -714.847, -38.847, 0, 379.153]
    force = sim.specific_force * 1.515
    np.testing.assert_allclose(force[:, 2], down, atol=2e-3)
    along = np.outer(np.array(down) != 0, [-150, 200])
    np.testing.assert_allclose(force[:, :2], along, atol=1e-9)
    light = pyrfly.Sim("cf2x_l250", dt=1e-5, compatibility="rflysim")
    light.pos[:, 2] = 0.02
    assert light.specific_force[0, 2] * light.mass[0] == pytest.approx(-4 - 9.81 * light.mass[0])
