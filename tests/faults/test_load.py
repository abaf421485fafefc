"""Faults of the load against closed forms, and against vehicles of another mass and inertia."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from pyrfly import Sim

from .test_actuators import FIRST, LEVELS, VEHICLES, flown

G = 9.8
DOWN = np.array([0, 0, 1])
COMMANDS = (*LEVELS, 0.7)
"""With the throttle of planes."""

PER_MASS = [name for name in VEHICLES if Sim(name).groups[0].has("heave_damping")]
"""Whose derivatives are accelerations: another mass would have other forces."""

WITH_INERTIA = [
    name for name in VEHICLES if Sim(name).groups[0].has("inertia") and name not in PER_MASS
]

Array = NDArray[np.float64]


def hovering(vehicle: str = "x450", n: int = 1) -> Sim:
    """Return vehicles in hover with constant commands."""
    sim = Sim(vehicle, n)
    sim.controllers = False
    sim.reset(pos=[[0, 100 * k, -500] for k in range(n)], hover=True)
    return sim


def tumbling(rate: tuple[float, float, float]) -> Sim:
    """Return a vehicle that falls without motors and air, and turns."""
    sim = hovering()
    for name in ("drag_linear", "drag_quadratic", "damping_linear", "damping_quadratic"):
        sim.select().write(name, 0)
    for name in ("throttle", "rotor_speed"):
        sim.select().write(name, 0)
    sim.rate = rate
    return sim


def attitude(sim: Sim) -> Array:
    """Return the rotation of FRD into NED."""
    w, x, y, z = sim.att[0]
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


@pytest.mark.parametrize("vehicle", ["x450", "hex_x", *PER_MASS])
@pytest.mark.parametrize("share", [0.2, 0.5, 0.95])
def test_a_load_that_falls_off_leaves_a_climb_by_its_weight(vehicle: str, share: float) -> None:
    sim = hovering(vehicle)
    before, gravity = sim.vel.copy(), float(sim.gravity[0])
    sim.faults.add("load_fall", share=share)
    sim.step()
    expected = -(1 / (1 - share) - 1) * gravity
    np.testing.assert_allclose(sim.accel[0, 2], expected, rtol=0.03)
    np.testing.assert_allclose(sim.vel[0], before[0] + [0, 0, expected * 1e-3], atol=2e-3)


@pytest.mark.parametrize("vehicle", WITH_INERTIA)
def test_a_load_that_falls_off_acts_as_the_other_mass_does(vehicle: str) -> None:
    def other(sim: Sim) -> None:
        sim.set_load()
        sim.enable_part("faults")
        sim.mass = 0.6 * sim.mass

    faulty = flown(vehicle, lambda sim: sim.faults.add("load_fall", share=0.4), COMMANDS)
    np.testing.assert_allclose(faulty, flown(vehicle, other, COMMANDS), rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("vehicle", WITH_INERTIA)
def test_loads_on_opposite_sides_add_their_moments_of_inertia(vehicle: str) -> None:
    x, y, z = offset = np.array([0.1, 0.2, -0.15])

    def shift(sim: Sim) -> None:
        sim.faults.add("load_shift", share=0.1, offset=offset)
        sim.faults.add("load_shift", share=0.1, offset=-offset)

    def other(sim: Sim) -> None:
        sim.set_load()
        sim.enable_part("faults")
        moments = np.array([y * y + z * z, x * x + z * z, x * x + y * y, -x * y, -x * z, -y * z])
        sim.inertia = sim.inertia + 0.2 * sim.mass[0] * moments

    faulty = flown(vehicle, shift, COMMANDS)
    np.testing.assert_allclose(faulty, flown(vehicle, other, COMMANDS), rtol=1e-6, atol=1e-9)


def test_a_load_at_an_arm_has_the_moment_of_its_weight() -> None:
    share, arm = 0.2, 0.1
    sim = hovering()
    mass, inertia = float(sim.mass[0]), float(sim.inertia[0, 0])
    sim.faults.add("load_shift", share=share, offset=[0, arm, 0])
    sim.step(2)
    turning = share * mass * G * arm / (inertia + share * (1 - share) * mass * arm**2)
    np.testing.assert_allclose(sim.rate[0], [2e-3 * turning, 0, 0], rtol=1e-3, atol=1e-12)
    np.testing.assert_allclose(sim.accel[0, 2], -share * arm * turning, rtol=2e-3)


def test_the_opposite_moment_holds_a_load_at_an_arm() -> None:
    sim = hovering()
    weight = float(sim.mass[0]) * G
    sim.faults.add("load_shift", share=0.2, offset=[0.05, 0.1, 0])
    sim.set_load(torque=[-0.2 * weight * 0.1, 0.2 * weight * 0.05, 0])
    sim.step(1000)
    np.testing.assert_allclose(sim.rate, 0, atol=1e-9)
    np.testing.assert_allclose(sim.vel, 0, atol=1e-9)


def test_the_new_centre_of_mass_falls_freely_and_momenta_stay() -> None:
    sim = tumbling((3, -2, 1))
    mass = float(sim.mass[0])
    offset, share = np.array([0.2, -0.1, 0.15]), 0.3
    centre = share * offset
    sim.faults.add("load_shift", share=share, offset=offset)
    sim.step()
    added = mass * share * (1 - share) * (offset @ offset * np.eye(3) - np.outer(offset, offset))
    own = np.diag(sim.inertia[0, :3]) + added
    found = []
    for _ in range(3):
        turn = attitude(sim)
        pos = sim.pos[0] + turn @ centre
        vel = sim.vel[0] + turn @ np.cross(sim.rate[0], centre)
        found.append((sim.time, pos, vel, turn @ own @ sim.rate[0]))
        sim.step(400)
    (start, pos, vel, momentum), *later = found
    for time, now, speed, turning in later:
        gone = time - start
        np.testing.assert_allclose(speed, vel + G * gone * DOWN, atol=1e-6)
        np.testing.assert_allclose(now, pos + vel * gone + G * gone**2 / 2 * DOWN, atol=1e-6)
        np.testing.assert_allclose(turning, momentum, rtol=1e-6)


def test_a_leak_goes_on_until_its_share_is_lost() -> None:
    sim = Sim("x450")
    sim.faults.add("load_leak", share=0.3, leak=0.1, at=1.0)
    left = []
    for _ in range(5):
        sim.sleep(1.0)
        left.append(float(sim.mass_left[0]))
    np.testing.assert_allclose(left, [1, 0.9, 0.8, 0.7, 0.7], atol=1e-3)
    sim.faults.clear()
    sim.step(4)
    assert sim.mass_left.tolist() == [1]


def test_a_load_moves_on_a_straight_line_within_the_ramp() -> None:
    sim = Sim("x450")
    sim.faults.add("load_shift", share=0.5, offset=[0.2, 0, 0.4], ramp=1.0)
    sim.step(501)
    np.testing.assert_allclose(sim.mass_shift[0], [0.05, 0, 0.1], rtol=5e-3)
    np.testing.assert_allclose(sim.mass_spread[0, 0], 0.5 * 0.2**2, rtol=1e-2)
    np.testing.assert_allclose(sim.mass_spread[0, 4], -0.5 * 0.1 * 0.2, rtol=1e-2)


def test_no_more_moves_than_is_left() -> None:
    sim = Sim("x450")
    sim.faults.add("load_fall", share=0.9)
    sim.faults.add("load_fall", share=0.9)
    for sign in (1, -1, 1):
        sim.faults.add("load_shift", share=0.95, offset=[sign * 0.3, 0, 0])
    sim.step(2)
    np.testing.assert_allclose([sim.mass_left[0], sim.mass_shifted[0]], 0.05, rtol=1e-12)
    np.testing.assert_allclose(sim.mass_shift[0], [0.05 * 0.1, 0, 0], rtol=1e-12)


def test_controllers_hold_a_vehicle_of_another_mass_by_what_they_observe() -> None:
    sim = Sim("x450", 2)
    sim.reset(pos=[[0, 0, -50], [0, 20, -50]], hover=True)
    known = sim.control_mass.copy()
    sim.faults.add("load_fall", ids=1, share=0.3)
    sim.faults.add("load_shift", ids=2, share=0.1, offset=[0.05, 0, 0])
    sim.sleep(20)
    np.testing.assert_allclose(sim.pos, [[0, 0, -50], [0, 20, -50]], atol=0.05)
    assert (sim.control_mass == known).all()


def test_vehicles_beside_a_faulty_one_keep_their_bits() -> None:
    def end(faulty: bool) -> bytes:
        sim = hovering(n=3)
        sim.rate = [[0.1, 0.2, 0.3]] * 3
        sim.faults.add("load_fall", ids=1 if faulty else [], share=0.5)
        sim.set_load()
        sim.enable_part("faults")
        sim.step(50)
        return sim.vel[1:].tobytes() + sim.rate[1:].tobytes()

    assert end(True) == end(False)


def test_a_fault_that_is_cleared_leaves_the_vehicle_as_it_was() -> None:
    def flight(faulty: bool) -> Sim:
        sim = hovering()
        sim.set_load()
        sim.enable_part("faults")
        if faulty:
            sim.faults.add("load_shift", share=0.3, offset=[0.1, 0.1, 0])
            sim.step(20)
            sim.faults.clear()
            sim.reset(pos=[0, 0, -500], hover=True)
        sim.step(100)
        return sim

    one, other = flight(True), flight(False)
    for name in ("mass", "inertia", "vel", "rate"):
        assert getattr(one, name).tobytes() == getattr(other, name).tobytes()


def test_a_lighter_rover_has_more_of_its_drive() -> None:
    def speed(share: float) -> float:
        sim = Sim("husky_a200")
        sim.controllers = False
        sim.faults.add("load_fall", share=share)
        sim.step(2)
        sim.drive = [1, 1]
        sim.step(20)
        return float(sim.vel[0, 0])

    np.testing.assert_allclose(speed(0.2) / speed(0.0), 1 / 0.8, rtol=0.01)


@pytest.mark.parametrize("vehicle", FIRST)
def test_extreme_loads_leave_states_finite(vehicle: str) -> None:
    for precision in ("float32", "float64"):
        sim = Sim(vehicle, precision=precision)
        sim.faults.add("load_fall", share=0.95)
        sim.faults.add("load_shift", share=0.95, offset=[10, -10, 10])
        sim.reset(pos=[0, 0, 0 if sim.groups[0].abilities.kind.on_surface else -3])
        sim.step(4000)
        for column in ("pos", "vel", "att", "rate"):
            assert np.isfinite(getattr(sim, column)).all()


def test_feet_near_a_load_bear_its_weight() -> None:
    sim = Sim("x450")
    weight = float(sim.mass[0]) * G
    sim.set_contact_points([[x, y, 0.1] for x in (0.2, -0.2) for y in (0.2, -0.2)])
    sim.reset(pos=[0, 0, -0.1])
    sim.faults.add("load_shift", share=0.3, offset=[0.1, 0, 0])
    sim.step(3000)
    front, rear = sim.contact_load[0, :2].sum(), sim.contact_load[0, 2:4].sum()
    np.testing.assert_allclose(front + rear, weight, rtol=1e-3)
    np.testing.assert_allclose(0.2 * (front - rear), 0.3 * weight * 0.1, rtol=0.04)


@pytest.mark.parametrize("vehicle", WITH_INERTIA)
def test_loads_are_those_of_bodies_over_an_earth_that_rotates(vehicle: str) -> None:
    """In their equations the angular velocity is that relative to the stars."""

    def other(sim: Sim) -> None:
        sim.environment.set_earth("ellipsoid")
        sim.enable_part("faults")
        sim.rate = [2, -1, 3]
        sim.inertia = sim.inertia + 0.2 * sim.mass[0] * np.array([0, 0.04, 0.04, 0, 0, 0])
        sim.mass = 0.6 * sim.mass

    def shift(sim: Sim) -> None:
        sim.environment.set_earth("ellipsoid")
        sim.rate = [2, -1, 3]
        sim.faults.add("load_fall", share=0.4)
        for side in (1, -1):
            sim.faults.add("load_shift", share=0.1, offset=[0.2 * side, 0, 0])

    faulty = flown(vehicle, shift, COMMANDS)
    np.testing.assert_allclose(faulty, flown(vehicle, other, COMMANDS), rtol=1e-6, atol=1e-9)
