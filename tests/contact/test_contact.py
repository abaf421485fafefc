"""Contact points: statics on several feet, tipping over, sliding, decks, landing on one foot."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

import pyrfly
from pyrfly import vehicles
from pyrfly.errors import ParameterError, ShapeError
from pyrfly.protocol import synthesis
from pyrfly.sim.contact import MAXIMUM_POINTS
from pyrfly.sim.group import LARGEST_PRODUCT

from ..models.slopes import by_arithmetic, down_axis, gradient

Array = NDArray[np.float64]

SETS = ["sdk", "x450", "cf2x_l250", "octo_x"]  # equal rotors, and geometry in columns
HALF, HEIGHT = 0.15, 0.2
FEET = np.array([[1, 1, 0], [-1, -1, 0], [1, -1, 0], [-1, 1, 0]]) * HALF + [0, 0, HEIGHT]


def standing(vehicle: Any, points: Any = None, n: int | None = None, **options: Any) -> pyrfly.Sim:
    """Return vehicles on their contact points, motors off."""
    sim = pyrfly.Sim(vehicle, n, **options)
    sim.controllers = False
    sim.set_contact_points(points)
    sim.reset()
    return sim


def weight(sim: pyrfly.Sim) -> Array:
    found: Array = (sim.mass * sim.gravity).astype(np.float64)
    return found


def stiff(sim: pyrfly.Sim) -> dict[str, Array]:
    """Return a law with which vehicles sink by 2 mm."""
    return {"stiffness": weight(sim) / 4 / 2e-3, "damping": 60 * sim.mass.astype(float)}


# --- statics --------------------------------------------------------------------------------------


@pytest.mark.slow
@by_arithmetic
def test_all_sets_rest_on_their_estimated_feet(precision: str, integrator: str) -> None:
    """Each foot has a quarter of the weight; nothing moves in a minute."""
    sets = dict.fromkeys(vehicles.names("multirotor"), 1)
    sim = standing(sets, precision=precision, integrator=integrator)
    sim.step(2000)
    before = sim.pos.copy()
    for _ in range(6):
        sim.step(10_000)
        assert np.abs(sim.pos - before).max() < 1e-5
    assert np.abs(sim.vel).max() < 1e-5
    assert np.abs(sim.rate).max() < 1e-4
    share = np.outer(weight(sim) / 4, [1, 1, 1, 1])
    np.testing.assert_allclose(sim.contact_load[:, :4], share, rtol=2e-3)
    np.testing.assert_allclose(-sim.pos[:, 2], sim.contact_height, atol=2e-4)


@pytest.mark.parametrize("vehicle", ["sdk", "octo_x"])
def test_feet_share_the_load_of_an_off_centre_mass(vehicle: str) -> None:
    """Feet shifted by (d, e): the load is 1/4 -+ d / 4 a -+ e / 4 a of the weight."""
    shift = np.array([0.04, -0.02])
    feet = FEET + np.append(shift, 0)
    sim = standing(vehicle, feet)
    sim.set_contact_points(feet, **stiff(sim))
    sim.step(5000)
    expected = 0.25 - np.sign(FEET[:, :2]) @ shift / (4 * HALF)
    np.testing.assert_allclose(sim.contact_load[0, :4] / weight(sim)[0], expected, atol=6e-3)
    assert sim.contact_load[0].sum() == pytest.approx(weight(sim)[0], rel=1e-6)


def test_a_force_from_outside_loads_the_feet_by_statics() -> None:
    """A horizontal force F at the height h moves F h / (2 a) of load from front to rear."""
    sim = standing("sdk", FEET)
    sim.set_contact_points(FEET, **stiff(sim))
    force = 0.2 * weight(sim)[0]
    sim.set_load(force=[force, 0, 0])
    sim.step(5000)
    load = sim.contact_load[0]
    moved = force * (-sim.pos[0, 2]) / (2 * HALF)
    front, rear = load[0] + load[2], load[1] + load[3]
    assert (front - rear) / 2 == pytest.approx(moved, rel=0.04)  # it leans
    assert sim.contact_pull[0, :4].sum() == pytest.approx(force, rel=1e-6)
    assert np.linalg.norm(sim.pos[0, :2]) < 0.01


def test_the_loads_on_a_slope_are_those_of_the_tilt() -> None:
    """Downhill feet have W (cos a / 2 + sin a h / (2 s)) with the half track s."""
    angle = np.radians(15)
    sim = pyrfly.Sim("x450")
    sim.controllers = False
    sim.set_contact_points(FEET)
    sim.set_ground_plane(gradient=gradient(angle))
    sim.reset()
    before = sim.pos.copy()
    sim.step(5000)
    load, mg = sim.contact_load[0], weight(sim)[0]
    height = HEIGHT - 0.01
    downhill = mg * (np.cos(angle) / 2 + np.sin(angle) * height / (2 * HALF))
    assert load[0] + load[2] == pytest.approx(downhill, rel=0.05)
    assert load.sum() == pytest.approx(mg * np.cos(angle), rel=1e-4)
    after = sim.pos.copy()
    sim.step(60_000)
    assert np.linalg.norm(sim.pos - after) < 1e-3
    assert np.linalg.norm(after - before) < 0.02


# --- tipping over, sliding ------------------------------------------------------------------------


def test_a_vehicle_tips_over_where_its_feet_end() -> None:
    """On a slope of more than atan(half track / height), about its lower feet."""
    edge = np.arctan(HALF / HEIGHT)
    angles = edge + np.radians([-6, -3, 3, 6])
    sim = pyrfly.Sim("sdk", 4)
    sim.controllers = False
    sim.set_contact_points(FEET, friction=5.0, stiffness=1e4, damping=60.0)
    sim.set_ground_plane(gradient=[gradient(angle) for angle in angles])
    sim.reset()
    sim.step(3000)
    normals = np.array([[-np.sin(a), 0, np.cos(a)] for a in angles])
    upright = np.einsum("ij,ij->i", down_axis(sim), normals)
    assert (upright[:2] > np.cos(np.radians(3))).all()
    assert (upright[2:] < 0.9).all()


@by_arithmetic
def test_with_too_little_friction_it_slides(precision: str, integrator: str) -> None:
    """With g (sin a - mu cos a)."""
    angle, mu = np.radians(20), 0.2
    sim = pyrfly.Sim("x450", precision=precision, integrator=integrator)
    sim.controllers = False
    sim.drag_linear[:] = sim.drag_quadratic[:] = 0
    sim.set_contact_points(FEET, friction=2 * mu)
    sim.set_ground_plane(gradient(angle), friction_reduction=0.5)
    sim.reset()
    sim.step(500)
    before = np.linalg.norm(sim.vel[0])
    sim.step(1000)
    gained = np.linalg.norm(sim.vel[0]) - before
    expected = float(sim.gravity[0]) * (np.sin(angle) - mu * np.cos(angle))
    assert gained == pytest.approx(expected, rel=0.01)


def test_friction_is_a_circle() -> None:
    """A push in any direction ends after v^2 / (2 mu g)."""
    sim = standing("sdk", FEET, 4)
    sim.drag_quadratic[:] = 0
    sim.contact_grip[:] = 0.2
    sim.step(1000)
    start = sim.pos.copy()
    course = np.array([[1, 0, 0], [-0.6, 0.8, 0], [0, -1, 0], [0.8, 0.6, 0]])
    sim.vel[:] = 1.5 * course
    sim.step(2000)
    moved = np.einsum("ij,ij->i", sim.pos - start, course)
    np.testing.assert_allclose(moved, 1.5**2 / (2 * 0.2 * 9.8), rtol=0.05)
    assert np.abs(sim.vel).max() < 1e-3


def test_feet_hold_a_yaw_moment_without_creep() -> None:
    """Within mu m g times their distance; the level of a vehicle without points turns slowly."""
    sim = standing("sdk", FEET)
    sim.set_load(torque=[0, 0, 0.3 * weight(sim)[0] * HALF])
    sim.step(2000)
    yaw = sim.euler[0, 2]
    sim.step(60_000)
    assert sim.euler[0, 2] == pytest.approx(yaw, abs=1e-6)
    assert yaw < 0.1


# --- landings -------------------------------------------------------------------------------------


def test_a_tilted_vehicle_touches_with_one_foot_first() -> None:
    sim = standing("sdk", FEET)
    q = Rotation.from_euler("ZYX", [0, -0.15, 0.25]).as_quat()  # front up, right side down
    sim.reset(pos=[0, 0, -0.5])
    sim.att[0] = np.roll(q, 1)
    order: list[int] = []
    for _ in range(1000):
        sim.step(3)
        order += [i for i in np.flatnonzero(sim.contact_load[0]) if i not in order]
    lowest = np.argsort(-(Rotation.from_quat(q).apply(FEET)[:, 2]))
    assert order[0] == lowest[0]
    assert set(order) == {0, 1, 2, 3}
    np.testing.assert_allclose(sim.contact_load[0, :4], weight(sim)[0] / 4, rtol=0.02)
    np.testing.assert_allclose(sim.euler[0, :2], 0, atol=1e-3)


@pytest.mark.parametrize("integrator", ["rk4", "euler"])
def test_a_landing_never_adds_energy(integrator: str) -> None:
    """Kinetic, potential and that of all springs, of vehicles that fall tilted and turning."""
    sim = standing("x450", FEET, 4, integrator=integrator)
    for column in ("drag_linear", "drag_quadratic", "damping_linear", "damping_quadratic"):
        getattr(sim, column)[:] = 0
    sim.motor_curve[:, 0] = 0
    sim.reset(pos=[0, 0, -0.6])
    sim.att[:] = np.roll(
        Rotation.from_euler(
            "ZYX", [[0, 0, 0], [1, 0.3, 0], [0, -0.2, 0.4], [2, 0.3, -0.3]]
        ).as_quat(),
        1,
        axis=1,
    )
    sim.rate[3] = [1, -1, 2]
    sim.vel[:, 0] = 0.5
    k, g = sim.contact_stiffness[0], sim.gravity[0]
    xx, yy, zz = sim.inertia[0, :3]
    ramp = 1e-3

    def energy() -> Array:
        w, x, y, z = sim.att.T
        down = np.stack([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)], 1)
        z = sim.pos[:, 2:] + down @ FEET.T
        depth = np.maximum(z, 0)
        low = np.minimum(depth, ramp)
        stored = k * (low**3 / (3 * ramp) + (depth**2 - low**2) / 2)
        anchors = np.sum(sim.contact_pull**2, axis=1) / (2 * k)
        moving = sim.mass / 2 * np.sum(sim.vel**2, axis=1) + sim.rate**2 @ [xx, yy, zz] / 2
        return moving - sim.mass * g * sim.pos[:, 2] + stored.sum(1) + anchors

    last, grown = energy(), np.zeros(4)
    for _ in range(1000):
        sim.step(2)
        now = energy()
        grown += np.maximum(now - last, 0)
        last = now
    assert grown.max() < {"rk4": 1e-9, "euler": 0.01}[integrator]  # J, of 11 J
    assert np.abs(sim.vel).max() < 1e-3


@pytest.mark.parametrize("vehicle", SETS)
def test_any_fall_ends_at_rest(vehicle: str) -> None:
    sim = standing(vehicle, n=12)
    sim.reset(pos=[0, 0, -1])
    sim.att[:] = np.roll(Rotation.random(12, random_state=3).as_quat(), 1, axis=1)
    sim.rate[:] = np.random.default_rng(4).uniform(-5, 5, (12, 3))
    upright = down_axis(sim)[:, 2] > 0.9
    sim.step(6000)
    assert sim.check().ok, sim.check().text
    assert np.isfinite(sim.pos).all()
    assert np.abs(sim.vel[upright]).max(initial=0) < 1e-2


def takes(sim: pyrfly.Sim, damping: float) -> bool:
    """Set contact points; return whether the step resolves them."""
    try:
        sim.set_contact_points(FEET, damping=damping)
    except ValueError:
        return False
    return True


@pytest.mark.parametrize("integrator", LARGEST_PRODUCT)
def test_the_longest_step_is_stable(integrator: str) -> None:
    """Up to the limit; beyond it, it is refused, and nothing is changed."""
    sim = pyrfly.Sim("sdk", dt=0.004, integrator=integrator)
    sim.controllers = False
    limit = max(damping for damping in np.geomspace(1, 100, 200) if takes(sim, damping))
    with pytest.raises(ValueError, match="stiffness, damping: expected"):
        sim.set_contact_points(FEET, damping=1.03 * limit)
    assert 1 < limit < 100
    assert sim.contact_damping[0] == limit
    sim.reset(pos=[0, 0, -1])
    sim.step(2000)
    assert np.abs(sim.vel).max() < 1e-4
    assert -sim.pos[0, 2] == pytest.approx(sim.contact_height[0], abs=1e-3)


def test_a_spring_that_bears_no_weight_is_refused() -> None:
    """Its height would be the weight over the stiffness, 1e310 m."""
    sim = pyrfly.Sim("sdk")
    before = sim.snapshot()
    with pytest.raises(ValueError, match=r"stiffness: expected 0, or at least \S+ N/m for 'sdk'"):
        sim.set_contact_points(FEET, stiffness=1e-310)
    assert sim.snapshot() == before
    softest = weight(sim) / len(FEET) / 1e3
    sim.set_contact_points(FEET, stiffness=1.01 * softest)
    assert np.isfinite(sim.contact_height).all()


@pytest.mark.parametrize("column", ["mass", "inertia"])
@pytest.mark.parametrize("value", [0.0, 1e-310])
def test_a_body_without_mass_is_told(column: str, value: float) -> None:
    sim = pyrfly.Sim("sdk")
    getattr(sim, column)[:] = value
    with pytest.raises(pyrfly.ParameterError, match="expected a mass and an inertia of 'sdk'"):
        sim.set_contact_points(FEET)


# --- decks, control -------------------------------------------------------------------------------


@by_arithmetic
@pytest.mark.parametrize("vehicle", SETS)
def test_a_deck_carries_and_turns_it(vehicle: str, precision: str, integrator: str) -> None:
    deck = np.array([2.0, -1.0, 0.1])
    sim = pyrfly.Sim(vehicle, precision=precision, integrator=integrator)
    sim.set_contact_points()
    sim.set_ground_plane(velocity=deck, yaw_rate=0.2)
    sim.reset()
    sim.step(1000)
    start = sim.pos.copy()
    sim.step(4000)
    np.testing.assert_allclose(sim.pos - start, [4 * deck], atol=4e-3)
    assert sim.euler[0, 2] == pytest.approx(1.0, abs=5e-3)
    np.testing.assert_allclose(sim.vel[0], deck, atol=2e-3)


@pytest.mark.parametrize("above", [1.0, 60.0, 9000.0])
def test_ground_that_appears_above_a_vehicle_lifts_it_slowly(above: float) -> None:
    """At k z_0 / c, 2.2 m/s of the default feet, less what its weight and its motors take."""
    sim = standing("x450", n=2)
    sim.reset(pos=(0, 0, -5))
    sim.terrain[0] = -5 - above
    fastest = 0.0
    for _ in range(300):
        sim.step(10)
        fastest = max(fastest, -float(sim.vel[0, 2]))
    assert sim.check().ok
    assert 1 < fastest < 3


def test_a_neighbour_on_the_ground_changes_no_bit() -> None:
    sims = [standing("x450", n=2) for _ in range(2)]
    for sim, height in zip(sims, (0, 20), strict=True):
        sim.reset(pos=(0, 0, -20), ids=1)
        sim.reset(pos=(0, 0, -height), ids=2)
        sim.vel[0] = (-0.5, 0.2, 0)
        sim.step(500)
    for name in ("pos", "contact_pull", "contact_load"):
        assert getattr(sims[0], name)[0].tobytes() == getattr(sims[1], name)[0].tobytes()


@pytest.mark.slow
def test_take_off_and_landing_under_control() -> None:
    """All sets, on a slope of 15 degrees, by the navigator, which disarms."""
    sim = pyrfly.Sim(dict.fromkeys(vehicles.names("multirotor"), 1))
    sim.set_contact_points()
    sim.enable_synthesis()
    sim.set_ground_plane(gradient=gradient(np.radians(15), 0.5))
    sim.reset()
    stand = sim.pos.copy()
    armed, zeros = np.ones(sim.n, bool), np.zeros(sim.n)
    sim.command_sil(*synthesis.arm(armed))
    sim.step(2000)
    np.testing.assert_allclose(sim.pos, stand, atol=0.02)
    sim.command_sil(*synthesis.take_off(zeros, zeros, -6.0, zeros, armed=armed))
    sim.step(8000)
    np.testing.assert_allclose(sim.pos[:, 2], -6, atol=0.6)
    sim.command_sil(*synthesis.land(zeros, zeros))
    sim.step(16_000)
    assert not sim.armed.any()
    assert np.abs(sim.vel).max() < 0.01
    assert (sim.contact_load[:, :4].sum(1) > 0.9 * weight(sim)).all()


# --- interface ------------------------------------------------------------------------------------


def test_without_points_contact_is_at_the_centre_of_mass_again() -> None:
    sim, plain = pyrfly.Sim("x450", 2), pyrfly.Sim("x450", 2)
    sim.set_contact_points(ids=2)
    assert sim.pos[0, 2] == 0
    assert sim.pos[1, 2] < -0.1
    sim.set_contact_points([], ids=2)
    assert sim.contact_count.tolist() == [0, 0]
    for each in (sim, plain):
        each.reset()
        each.wind = [5, 0, 0]
        each.step(1000)
    np.testing.assert_allclose(sim.pos, plain.pos, atol=1e-12)


def test_flight_with_points_is_flight_without() -> None:
    sims = [pyrfly.Sim("octo_x", 2) for _ in range(2)]
    sims[1].set_contact_points()
    for sim in sims:
        sim.reset(pos=[0, 0, -10])
        sim.arm()
        sim.command_position([5, 1, -12])
        sim.step(3000)
    np.testing.assert_allclose(sims[1].pos, sims[0].pos, atol=1e-9)


def test_a_reset_and_a_snapshot_keep_the_points() -> None:
    sim = standing("sdk", FEET)
    sim.set_load(force=[1, 0, 0])
    sim.step(500)
    saved = sim.snapshot()
    sim.step(500)
    after = sim.hash()
    sim.restore(saved)
    sim.step(500)
    assert sim.hash() == after
    sim.reset()
    assert sim.contact_count.tolist() == [4]
    assert not sim.contact_pull.any()
    assert sim.pos[0, 2] == pytest.approx(-sim.contact_height[0])


def test_what_is_not_possible_is_refused() -> None:
    sim = pyrfly.Sim("sdk")
    with pytest.raises(ShapeError, match="points: expected"):
        sim.set_contact_points([0, 0, 1])
    with pytest.raises(ShapeError, match="points"):
        sim.set_contact_points(np.zeros((MAXIMUM_POINTS + 1, 3)))
    with pytest.raises(ValueError, match="points: expected finite"):
        sim.set_contact_points([[0, 0, np.nan]])
    with pytest.raises(ValueError, match="friction: expected at least 0"):
        sim.set_contact_points(FEET, friction=-1)
    with pytest.raises(AttributeError, match=r"call sim.set_contact_points"):
        _ = sim.contact_load
    with pytest.raises(ParameterError, match="no contact points act"):
        pyrfly.Sim("sdk", effects="plain").set_contact_points()
