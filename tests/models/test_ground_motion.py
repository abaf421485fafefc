"""csrc/models/ground.h on slopes and on ground that moves: rest, slide, ride, slip, take off."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import pyrfly
from pyrfly import vehicles
from pyrfly.protocol import synthesis
from pyrfly.sim.group import LARGEST_PRODUCT

from .slopes import by_arithmetic, down_axis, gradient

Array = NDArray[np.float64]

SLOPE = np.radians(20.0)
SETS = ["sdk", "x450", "cf2x_l250", "octo_x"]  # equal rotors, and geometry in columns


def normal(fall: Array) -> Array:
    across: Array = np.array([-fall[0], -fall[1], 1.0])
    return across / np.linalg.norm(across)


def on_slope(vehicle: Any, fall: Array, n: int | None = None, **options: Any) -> pyrfly.Sim:
    """Return vehicles that were reset on a slope, motors off."""
    sim = pyrfly.Sim(vehicle, n, **options)
    sim.controllers = False
    sim.set_ground_plane(gradient=fall)
    sim.reset()
    return sim


# --- slopes ---------------------------------------------------------------------------------------


@pytest.mark.slow
@by_arithmetic
@pytest.mark.parametrize("course", [0.0, 2.0])
def test_a_vehicle_rests_on_a_slope(course: float, precision: str, integrator: str) -> None:
    """All sets on 20 degrees, tan 20 < mu: less than 1 mm along it in 60 s, in wind too."""
    fall = gradient(SLOPE, course)
    sets = dict.fromkeys(vehicles.names("multirotor"), 2)
    sim = on_slope(sets, fall, precision=precision, integrator=integrator)
    sim.wind = np.array([[0, 0, 0], [3, -1.5, 0]] * len(sets), float)
    for _ in range(12):
        sim.step(5000)
        along = sim.pos - np.outer(sim.pos @ normal(fall), normal(fall))  # wind presses it down
        assert np.linalg.norm(along, axis=1).max() < 1e-3
        assert np.linalg.norm(sim.pos[::2], axis=1).max() < 1e-6
    assert np.abs(sim.vel).max() < 1e-5
    upright = np.tile(normal(fall), (len(sets), 1))
    np.testing.assert_allclose(down_axis(sim)[::2], upright, atol=1e-4)


def test_the_support_of_a_slope_is_the_weight_across_it() -> None:
    """Specific force: the support g cos a and friction g sin a, together g upwards."""
    sim = on_slope("sdk", gradient(SLOPE, 1.0), 2)
    sim.ground_grip[1] = 0
    g, across = float(sim.gravity[0]), g_cos(sim)
    np.testing.assert_allclose(np.linalg.norm(sim.specific_force[0]), g, rtol=1e-12)
    np.testing.assert_allclose(sim.specific_force[1], [0, 0, -across], atol=1e-12)
    sim.pos[:, 2] += 0.01  # z, a penetration of z cos a
    deeper = across + float(sim.ground_stiffness[0]) * 0.01 * np.cos(SLOPE)
    np.testing.assert_allclose(sim.specific_force[1], [0, 0, -deeper], rtol=1e-9, atol=1e-12)


def g_cos(sim: pyrfly.Sim) -> float:
    return float(sim.gravity[0]) * float(np.cos(SLOPE))


@by_arithmetic
@pytest.mark.parametrize("vehicle", SETS)
def test_with_too_little_friction_a_vehicle_slides_down(
    vehicle: str, precision: str, integrator: str
) -> None:
    """With g (sin a - mu cos a), in the direction of the slope, upright to it."""
    course = 0.7
    fall = gradient(SLOPE, course)
    sim = on_slope(vehicle, fall, 3, precision=precision, integrator=integrator)
    sim.drag_linear[:] = sim.drag_quadratic[:] = 0
    sim.ground_grip[:] = [0.1, 0.25, 0.5]
    sim.set_ground_plane(friction_reduction=[0, 0, 0.5])
    sim.reset()
    sim.step(2000)
    g, mu = float(sim.gravity[0]), np.array([0.1, 0.25, 0.25])
    speed = 2.0 * g * (np.sin(SLOPE) - mu * np.cos(SLOPE))
    along = np.array([np.cos(course), np.sin(course)]) * np.cos(SLOPE)
    tolerance = 2e-3 if integrator == "rk4" else 5e-3
    expected = np.outer(speed, [*along, np.sin(SLOPE)])
    np.testing.assert_allclose(sim.vel, expected, rtol=tolerance, atol=2e-3)
    np.testing.assert_allclose(sim.pos, expected * 1.0, rtol=2 * tolerance, atol=4e-3)
    lag = 2e-4 if integrator == "rk4" else 2e-3  # Euler: gradient times speed times step
    np.testing.assert_allclose(sim.ground[:, 0], sim.pos[:, :2] @ fall, atol=lag)
    np.testing.assert_allclose(down_axis(sim), np.tile(normal(fall), (3, 1)), atol=1e-3)


def test_friction_that_the_ground_takes_away() -> None:
    """Level ground: a push ends after v^2 / (2 mu (1 - reduction) g); without friction never."""
    sim = on_slope("sdk", np.zeros(2), 4)
    sim.drag_quadratic[:] = 0
    sim.set_ground_plane(friction_reduction=[0, 0.5, 1, -3])
    sim.vel[:, 0] = 2
    sim.step(3000)
    mu = float(sim.ground_grip[0]) * np.array([1, 0.5, 1])
    expected = 4 / (2 * 9.8 * mu)
    np.testing.assert_allclose(sim.pos[[0, 1, 3], 0], expected, atol=2e-3)
    assert sim.pos[2, 0] == pytest.approx(6, abs=1e-6)


@pytest.mark.parametrize("integrator", LARGEST_PRODUCT)
@pytest.mark.parametrize("vehicle", vehicles.names("multirotor"))
def test_at_the_longest_step_a_drop_onto_a_slope_ends_at_rest(
    vehicle: str, integrator: str
) -> None:
    family = vehicles.FAMILIES["multirotor"]
    rate = family.fastest_rate(vehicles.load(vehicle), "full")
    dt = min(0.999 * LARGEST_PRODUCT[integrator] / rate, family.longest_periods.inner)
    sim = on_slope(vehicle, gradient(SLOPE, 0.4), 3, dt=dt, integrator=integrator)
    sim.reset(pos=[[0, 0, -0.2], [1, 2, -1], [0, 0, 0.3]])
    sim.step(int(8 / dt))
    assert np.abs(sim.vel).max() < 1e-4
    assert np.abs(sim.rate).max() < 1e-4
    np.testing.assert_allclose(sim.pos[:, 2], sim.ground[:, 0], atol=1e-3)


@by_arithmetic
def test_landing_on_a_slope_never_adds_energy(precision: str, integrator: str) -> None:
    """Kinetic and potential energy and that of the springs; without the moment of the feet."""
    fall = gradient(SLOPE, 0.3)
    sim = on_slope("sdk", fall, 2, precision=precision, integrator=integrator)
    for column in ("drag_quadratic", "ground_preload", "ground_hardening", "ground_leveling"):
        getattr(sim, column)[:] = 0
    sim.reset(pos=[[0, 0, -0.3], [0, 0, -1.0]])
    sim.vel[:] = [0.5, -1.0, 0.0]

    def energy() -> Array:
        pos, vel, pull = (view.astype(float) for view in (sim.pos, sim.vel, sim.ground_pull))
        springs = 2 * (pull**2).sum(1) + 2 * (pull @ fall) ** 2
        depth = np.maximum((pos[:, 2] - sim.ground[:, 0]) * normal(fall)[2], 0)
        stored = springs / sim.ground_friction**2 + 0.5 * sim.ground_stiffness * depth**2
        return 0.5 * (vel**2).sum(1) - 9.8 * pos[:, 2] + stored

    last = energy()
    for _ in range(1500):
        sim.step(3)
        now = energy()
        assert (now < last + (1e-5 if precision == "float64" else 1e-4)).all()
        last = now
    assert np.abs(sim.vel).max() < 1e-3


def test_a_vehicle_in_the_air_is_reset_level() -> None:
    sim = on_slope("sdk", gradient(SLOPE), 2)
    sim.reset(pos=[[0, 0, -2], [3, 4, 0]], yaw=[0.5, -2])
    np.testing.assert_allclose(sim.euler[0], [0, 0, 0.5], atol=1e-12)
    np.testing.assert_allclose(down_axis(sim)[1], normal(gradient(SLOPE)), atol=1e-12)
    assert sim.euler[1, 2] == pytest.approx(-2, abs=1e-12)
    before = sim.pos[1].copy()
    sim.step(1000)
    assert np.linalg.norm(sim.pos[1] - before) < 1e-6


def test_the_height_of_the_ground_follows_the_slope_in_flight() -> None:
    """A terrain that is written once: a vehicle lands where the plane is."""
    fall = gradient(SLOPE, 2.5)
    sim = on_slope("sdk", fall)
    sim.reset(pos=[0, 0, -20])
    sim.vel[:] = [3, -2, 0]
    while sim.vel[0, 2] >= 0 and sim.pos[0, 2] < sim.ground[0, 0] - 1e-3:
        sim.step(1)
    np.testing.assert_allclose(sim.ground[0, 0], sim.pos[0, :2] @ fall, atol=1e-6)


@pytest.mark.parametrize("precision", ["float64", "float32"])
@pytest.mark.parametrize("grip", [0.8, 0.2])
def test_a_map_that_writes_the_ground_kicks_no_vehicle(grip: float, precision: str) -> None:
    """Height and gradient every 4 ms, of hills, under vehicles that rest or slide."""

    def hill(pos: Array) -> tuple[Array, Array]:
        north, east = pos[:, 0], pos[:, 1]
        z = 2.0 * np.cos(north / 5) + 0.3 * north + 0.1 * east
        return z, np.stack([-0.4 * np.sin(north / 5) + 0.3, np.full(len(pos), 0.1)], -1)

    sim = pyrfly.Sim("x450", 6, precision=precision)
    sim.controllers = False
    sim.ground_grip[:] = grip
    start = np.column_stack([np.linspace(-10, 10, 6), np.zeros(6), np.zeros(6)])
    sim.set_ground_plane()
    sim.terrain[:], sim.terrain_gradient[:] = hill(start)
    start[:, 2] = sim.terrain
    sim.reset(pos=start)
    for _ in range(600):
        sim.terrain[:], sim.terrain_gradient[:] = hill(sim.pos.astype(float))
        sim.step(4)
        height = sim.pos[:, 2] - hill(sim.pos.astype(float))[0]
        assert np.abs(height).max() < 0.05  # pressed into the valley by its speed
        assert np.linalg.norm(sim.specific_force, axis=1).max() < 1.6 * 9.8
    fast = np.linalg.norm(sim.vel, axis=1)
    if grip == 0.8:
        assert fast.max() < 1e-5
    else:
        assert fast.max() > 1


# --- ground that moves ----------------------------------------------------------------------------


@by_arithmetic
@pytest.mark.parametrize("vehicle", SETS)
def test_a_vehicle_rides_on_a_deck(vehicle: str, precision: str, integrator: str) -> None:
    """2 m/s, sinking with 0.1 m/s, turning with 0.2 rad/s: within a millimetre, also disarmed."""
    deck, turn = np.array([2.0, -1.0, 0.1]), 0.2
    sim = pyrfly.Sim(vehicle, 2, precision=precision, integrator=integrator)
    sim.set_ground_plane(velocity=deck, yaw_rate=turn)
    sim.terrain_gradient[1] = gradient(np.radians(5), 1.0)
    sim.reset(yaw=[0, 1.0])
    sim.step(5000)
    atol = 1e-3 if precision == "float64" else 5e-3
    np.testing.assert_allclose(sim.pos, np.tile(5 * deck, (2, 1)), atol=atol)
    np.testing.assert_allclose(sim.vel, np.tile(deck, (2, 1)), atol=1e-3)
    np.testing.assert_allclose(sim.euler[:, 2] - [0, 1], 5 * turn, atol=2e-2)
    np.testing.assert_allclose(np.linalg.norm(sim.rate, axis=1), turn, atol=2e-3)


def circling(sim: pyrfly.Sim, speed: float, rate: float, seconds: float) -> Array:
    """Write the velocity of a deck in a circle before every step; return the path."""
    path = []
    for _ in range(round(seconds / sim.dt)):
        angle = rate * (sim.time + 0.5 * sim.dt)
        sim.terrain_velocity = [speed * np.cos(angle), speed * np.sin(angle), 0]
        sim.step()
        path.append(sim.pos[0].copy())
    return np.array(path)


def test_a_deck_in_a_circle_carries_a_vehicle_within_its_friction() -> None:
    """2 m/s with 1 rad/s: 2 m/s^2, less than mu g; the wheel of a truck would slip at 8 m/s^2."""
    sim = pyrfly.Sim("sdk")
    sim.set_ground_plane(velocity=[2, 0, 0], yaw_rate=1.0)
    sim.reset()
    path = circling(sim, 2.0, 1.0, 6.0)
    angle = sim.time
    centre = np.array([2 * np.sin(angle), 2 - 2 * np.cos(angle), 0])
    np.testing.assert_allclose(path[-1], centre, atol=5e-3)


@pytest.mark.parametrize("integrator", ["rk4", "euler"])
def test_a_deck_that_accelerates_more_than_friction_slips(integrator: str) -> None:
    """The vehicle has mu g while the deck has more, and catches up when it has stopped to."""
    sim = pyrfly.Sim("sdk", 2, integrator=integrator)
    sim.controllers = False
    sim.drag_quadratic[:] = 0
    sim.ground_grip[:] = [0.2, 0.8]
    sim.set_ground_plane()
    for k in range(1000):
        sim.terrain_velocity = [4.0 * (k + 1) * 1e-3, 0, 0]
        sim.step()
    assert sim.vel[0, 0] == pytest.approx(0.2 * 9.8, rel=0.01)
    assert sim.vel[1, 0] == pytest.approx(4.0, abs=0.05)
    sim.step(2000)
    np.testing.assert_allclose(sim.vel[:, 0], 4.0, atol=1e-3)


def test_a_deck_does_not_move_a_vehicle_in_the_air() -> None:
    sim, same = (on_slope("sdk", np.zeros(2)) for _ in range(2))
    sim.set_ground_plane(velocity=[3, 2, -0.5], yaw_rate=2.0)
    for each in (sim, same):
        each.reset(pos=[0, 0, -30])
        each.step(2000)
    np.testing.assert_array_equal(sim.pos, same.pos)


def test_a_rising_deck_lifts_a_vehicle() -> None:
    sim = pyrfly.Sim("sdk")
    sim.set_ground_plane(velocity=[0, 0, -1.0])
    sim.step(3000)
    assert sim.pos[0, 2] == pytest.approx(-3.0, abs=0.01)
    assert sim.ground[0, 0] == pytest.approx(-3.0, abs=1e-6)
    assert sim.vel[0, 2] == pytest.approx(-1.0, abs=1e-3)


# --- under control --------------------------------------------------------------------------------


def fleet() -> pyrfly.Sim:
    return pyrfly.Sim(dict.fromkeys(vehicles.names("multirotor"), 1), dt=0.002)


def test_an_armed_vehicle_stands_on_a_slope() -> None:
    """With a set-point at the ground, for ten seconds, in the plane of the slope."""
    sim = fleet()
    sim.set_ground_plane(gradient=gradient(SLOPE, 0.5))
    sim.reset()
    sim.arm()
    sim.command_velocity([1, 0, 0.3])
    sim.sleep(10)
    assert np.linalg.norm(sim.pos, axis=1).max() < 3e-3
    np.testing.assert_allclose(
        down_axis(sim), np.tile(normal(gradient(SLOPE, 0.5)), (sim.n, 1)), atol=0.01
    )


@pytest.mark.slow
@pytest.mark.parametrize("control", ["position", "velocity"])
@pytest.mark.parametrize("ground", ["slope", "deck"])
def test_take_off_and_landing(ground: str, control: str) -> None:
    """All sets; off a slope of 20 degrees, and off and onto a deck of 2 m/s that turns."""
    sim = fleet()
    deck = np.array([2.0, 1.0, 0.0]) if ground == "deck" else np.zeros(3)
    if ground == "slope":
        sim.set_ground_plane(gradient=gradient(SLOPE, 0.5))
    else:
        sim.set_ground_plane(velocity=deck, yaw_rate=0.2)
    sim.reset()
    sim.sleep(0.5)
    sim.arm()
    if control == "position":
        sim.command_position([1, 0, -4], yaw=0)
        sim.sleep(9)
        np.testing.assert_allclose(sim.pos, np.tile([1, 0, -4], (sim.n, 1)), atol=0.05)
    else:
        sim.command_velocity([*deck[:2], -0.7])
        sim.sleep(4)
        np.testing.assert_allclose(sim.vel, np.tile([*deck[:2], -0.7], (sim.n, 1)), atol=0.05)
    sim.command_velocity([0, 0, 0.7])
    sim.sleep(14)
    np.testing.assert_allclose(sim.pos[:, 2], sim.ground[:, 0], atol=3e-3)
    np.testing.assert_allclose(sim.vel, np.tile(deck, (sim.n, 1)), atol=0.02)
    sim.arm(False)
    before = sim.pos.copy()
    sim.sleep(2)
    np.testing.assert_allclose(sim.pos - before, np.tile(2 * deck, (sim.n, 1)), atol=3e-3)


@pytest.mark.slow
@pytest.mark.parametrize("ground", ["slope", "deck", "rising deck"])
def test_the_navigator_detects_the_landing(ground: str) -> None:
    """Take off, land, and disarm by itself: on 20 degrees, at 2 m/s, and rising with 0.3 m/s."""
    sim = fleet()
    sim.enable_synthesis()
    if ground == "slope":
        sim.set_ground_plane(gradient=gradient(SLOPE, 0.5))
    elif ground == "deck":
        sim.set_ground_plane(velocity=[2, 0, 0])
    else:
        sim.set_ground_plane(velocity=[0, 0, -0.3])
    sim.reset()
    armed = np.ones(sim.n, bool)
    zeros = np.zeros(sim.n)
    sim.command_sil(*synthesis.arm(armed))
    sim.command_sil(*synthesis.take_off(zeros, zeros, -8.0, zeros, armed=armed))
    sim.sleep(7)
    assert (sim.ground[:, 0] - sim.pos[:, 2] > 1).all()
    sim.command_sil(*synthesis.land(zeros + 1, zeros))
    sim.sleep(25)
    assert not sim.armed.any()
    np.testing.assert_allclose(sim.vel, sim.terrain_velocity, atol=0.01)


def test_trim_and_hover_do_not_know_the_ground() -> None:
    sims = [pyrfly.Sim("x450") for _ in range(2)]
    sims[1].set_ground_plane(gradient(SLOPE), velocity=[1, 2, -0.5])
    points = [sim.trim(vel=[3, 0, 0]) for sim in sims]
    # Kernels with and without a ground are two compilations: rounding may differ.
    np.testing.assert_allclose(points[0].state["att"], points[1].state["att"], atol=1e-12)
    for sim in sims:
        sim.reset(pos=[0, 0, -10], hover=True)
        sim.step(1000)
    np.testing.assert_allclose(sims[0].pos, sims[1].pos, atol=1e-12)
