"""Ships by the standard method of MMG: closed forms, IMO's limits, positions and courses."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.linalg import expm

import pyrfly
from pyrfly.protocol.bits import Setpoint

from .conftest import under_way
from .truth import LENGTH, SPEED, at_speed, overshoots, turning_circles

Array = NDArray[np.float64]


def test_drift_changes_the_wake_as_published() -> None:
    """By the thrust: 1 - w = (1 - w_0) (1 + (1 - exp(-C_1 |b|)) (C_2 - 1)), b at the propeller."""
    sim = at_speed(2)
    sim.fin_coef[:] = 0.0
    sim.ship_wake[1, 1] = 0.0
    drift, turning = np.array([[0.1, 0.5], [0.1, 0.5]]).T[0], np.array([0.05, 0.05])
    for sign, change in ((1.0, 1.6), (-1.0, 1.1)):
        sim.rate[:, 2] = sign * turning
        sim.vel[:, 0] = math.cos(drift[0])
        sim.vel[:, 1] = -sign * math.sin(drift[0]) + 0.25 * sign * turning
        sim.vel[:, 2] = 0.0
        sim.att[:] = [1.0, 0.0, 0.0, 0.0]
        sim.thruster_speed[:, 0] = sim.thruster_rated
        sim.step(1)
        at = drift[0] + 0.48 * turning[0] * LENGTH
        wakes = 0.6 * np.array([1.0 + (1.0 - math.exp(-2.0 * at)) * (change - 1.0), 1.0])
        n, diameter = float(sim.thruster_rated[0]) / (2.0 * math.pi), 0.216
        ratio = wakes * math.cos(drift[0]) / (n * diameter)
        thrust = 1000.0 * n**2 * diameter**4 * (0.2931 - 0.2753 * ratio - 0.1385 * ratio**2)
        gain = 0.78 * (thrust[0] - thrust[1]) / (3270.0 + 247.94)
        assert sim.accel[0, 0] - sim.accel[1, 0] == pytest.approx(gain, rel=1e-3)


# --- closed forms


def linear_ship(sim: pyrfly.Sim) -> tuple[Array, Array]:
    """Return A and B of (v, r)' = A (v, r) + B d about straight motion, of a rudder and wake
    without sides."""
    rho, depth, mass, arm = 1000.0, 0.46, 3270.0, 0.25
    push = 0.5 * rho * LENGTH * depth * SPEED
    hull = push * np.array([[-0.315, 0.083 * LENGTH], [-0.137 * LENGTH, -0.049 * LENGTH**2]])
    advance = 0.6 * SPEED
    thrust = 0.0159 * 0.5 * rho * LENGTH * depth * SPEED**2 / 0.78
    race = math.sqrt(advance**2 + 8.0 * thrust / (math.pi * rho * 0.216**2))
    share = 0.216 / 0.345
    raced = advance + 0.5 * (race - advance)
    flow = 1.09 * math.sqrt(share * raced**2 + (1.0 - share) * advance**2)
    normal = 0.5 * rho * 0.0539 * 2.747 * flow
    side = -1.312 * normal * np.array([1.0, (-0.5 + 0.312 * -0.464) * LENGTH / 1.312])
    across = 0.5 * np.array([1.0, -0.71 * LENGTH])  # -v_R per v and r
    moves = np.array(
        [[mass + 2513.21, arm * mass], [arm * mass, 10014.4 + arm**2 * mass + 6074.53]]
    )
    turns = np.array([[0.0, -(mass + 247.94) * SPEED], [0.0, -arm * mass * SPEED]])
    of_flow = np.outer(side, across)
    return np.linalg.solve(moves, hull + turns + of_flow), np.linalg.solve(moves, side * flow)


def test_its_linear_model_has_the_roots_of_its_derivatives() -> None:
    """Those of sway and yaw: one of a turn that grows, one that decays."""
    sim = at_speed()
    sim.ship_wake[:, 1] = 0.0
    sim.ship_rudder_straightening[:] = 0.5
    model = sim.linearize(1, point=sim.trim(1, vel=[SPEED, 0, 0]))
    roots = np.linalg.eigvals(model.A)
    for expected in np.linalg.eigvals(linear_ship(sim)[0]):
        assert np.abs(roots - expected).min() < 1e-3 * abs(expected)


def test_small_rudder_angles_turn_it_as_its_linear_derivatives() -> None:
    """The step response of Nomoto's equation of the second order, of a ship that is not stable."""
    sim = at_speed()
    sim.ship_wake[:, 1] = 0.0
    sim.ship_rudder_straightening[:] = 0.5
    angle = math.radians(0.1)
    sim.fin_command[:, 0] = angle / sim.fin_travel
    sim.fin_angle[:, 0] = angle
    a, b = linear_ship(sim)
    steady = np.linalg.solve(a, -b) * angle
    for seconds in (5, 20, 60):
        sim.sleep(seconds - sim.time)
        expected = steady - expm(a * seconds) @ steady
        assert sim.rate[0, 2] == pytest.approx(expected[1], rel=0.01)
    assert 0.0 < np.linalg.eigvals(a).real.max() < 0.01  # turns would slowly grow, up to the spiral


# --- manoeuvres


def test_a_hard_turn_is_within_imos_limits() -> None:
    """Advance at most 4.5, tactical diameter at most 5 lengths [@imo-137]."""
    advance, transfer, tactical = turning_circles()
    assert (advance < 4.5).all()
    assert (tactical < 5.0).all()
    np.testing.assert_allclose(transfer, 1.475, atol=0.02)


@pytest.mark.parametrize(("angle", "most"), [(10.0, (20.0, 40.0)), (20.0, (25.0, math.inf))])
def test_zigzags_are_within_imos_limits(angle: float, most: tuple[float, float]) -> None:
    """Of a ship of 40 s per length, as the tanker has [@imo-137]."""
    assert (overshoots(angle) < most).all()


# --- control


def test_it_steams_to_a_position_and_lies_there() -> None:
    """Places ahead, abeam, astern and within its turning circle, also with a velocity of 0, as what
    holds a position commands it."""
    places = np.array([[60.0, 10.0, 0.0], [5.0, -40.0, 0.0], [-50.0, 10.0, 0.0], [6.0, 3.0, 0.0]])
    places = np.concatenate([places, places])
    sim = pyrfly.Sim("kvlcc2", 8, dt=0.005)
    sim.arm()
    sim.command_position(places)
    sim.setpoint_mask[4:] |= np.uint32(Setpoint.VELOCITY)
    arrived = np.zeros(8, bool)
    for _ in range(40):
        sim.sleep(10)
        arrived |= sim.arrived.astype(bool)
    away = np.linalg.norm(sim.pos - places, axis=1)
    assert arrived.all()
    assert sim.arrived.all()
    assert (away < 4.0 * sim.arrival_radius).all()
    assert (np.linalg.norm(sim.vel, axis=1) < 0.05).all()


def test_it_follows_a_position_on_a_circle() -> None:
    """Steadily behind and outside of it, as a bow that points to it alone is; both ways round."""
    radius, speed = np.array([60.0, -60.0, 40.0]), 0.7
    sense, turned = np.sign(radius), speed / radius
    sim = pyrfly.Sim("kvlcc2", 3, dt=0.005)
    sim.reset(pos=np.stack([np.abs(radius), *np.zeros((2, 3))], axis=1), yaw=sense * np.pi / 2)
    sim.arm()
    away, outside = [], []
    while sim.time < 400.0:
        sine, cosine = np.sin(turned * sim.time), np.cos(turned * sim.time)
        place = np.stack([cosine, sine, 0.0 * sine], axis=1) * np.abs(radius)[:, None]
        vel = np.stack([-sine, cosine, 0.0 * sine], axis=1) * (sense * speed)[:, None]
        sim.command_position(place, vel=vel)
        sim.sleep(0.2)
        away.append(np.linalg.norm(sim.pos - place, axis=1))
        outside.append(np.linalg.norm(sim.pos, axis=1) - np.abs(radius))
    lasting = np.array(outside)[-500:]
    assert (np.ptp(lasting, axis=0) < 0.05 * np.abs(radius)).all()
    assert (lasting < 0.15 * np.abs(radius)).all()
    assert (np.array(away)[-500:] < 0.8 * LENGTH).all()


@pytest.mark.slow
def test_a_current_takes_it_from_a_position_and_it_comes_back() -> None:
    """In 40 minutes it is there again and again, and never further away than six lengths."""
    sim = pyrfly.Sim("kvlcc2", dt=0.005)
    sim.environment.set_current([0.0, 0.2, 0.0])
    sim.arm()
    place = np.array([40.0, 0.0])
    sim.command_position([40.0, 0.0, 0.0])
    sim.sleep(200)
    away = []
    for _ in range(220):
        sim.sleep(10)
        away.append(np.linalg.norm(sim.pos[0, :2] - place) / LENGTH)
    there = np.array(away) < 0.4
    assert np.count_nonzero(there[1:] & ~there[:-1]) >= 2
    assert max(away) < 6.0


def test_it_holds_a_course_over_ground_in_a_current_and_wind() -> None:
    sim = pyrfly.Sim("kvlcc2", dt=0.005)
    sim.environment.set_current([0.2, 0.1, 0.0])
    sim.wind[:] = [0.0, -2.0, 0.0]
    sim.arm()
    sim.command_velocity([-0.8, 0.0, 0.0])
    sim.sleep(300)
    np.testing.assert_allclose(sim.vel[0, :2], [-0.8, 0.0], atol=0.02)


def test_it_has_no_astern_rudder_but_its_race() -> None:
    """At rest a propeller that pushes ahead turns it by its rudder, one that pulls does not."""
    sim = under_way("kvlcc2", 2, dt=0.005)
    sim.thruster_command[:, 0] = [1.0, -1.0]
    sim.fin_command[:, 0] = 1.0
    sim.sleep(10)
    assert sim.rate[0, 2] > 1e-3
    assert abs(sim.rate[1, 2]) < 0.1 * sim.rate[0, 2]


@pytest.mark.parametrize("drift", [0.0, 90.0, 180.0])
def test_it_comes_to_rest_from_any_motion(drift: float) -> None:
    """Also where the derivatives have no data: across its way, astern, turning on the spot."""
    sim = under_way("kvlcc2", 2, dt=0.005)
    angle = math.radians(drift)
    sim.vel[:, :2] = [math.cos(angle), math.sin(angle)]
    sim.rate[:, 2] = [0.0, 0.1]
    before = np.linalg.norm(sim.vel, axis=1)
    for _ in range(5):
        sim.sleep(20)
        speed = np.linalg.norm(sim.vel, axis=1)
        assert (speed < before).all()
        before = speed
    assert (before < 0.6).all()


@pytest.mark.parametrize(("vehicle", "length"), [("otter", 50.0), ("kvlcc2", 0.0)])
def test_ships_and_others_share_lanes(vehicle: str, length: float) -> None:
    """Each has its own model whatever is beside it, with the bits of those that are alike."""

    def neighbours(size: float | None) -> bytes:
        sim = pyrfly.Sim(vehicle, 8, dt=0.002, threads=1)
        sim.reset(pos=[[0.0, 300.0 * k, 0.0] for k in range(8)])
        sim.vel[:] = [0.5, 0.1, 0.0]
        if size is not None:
            sim.ship_size[0, 0] = size
        sim.controllers = False
        sim.thruster_command[:, 0] = 0.5
        sim.step(10)
        return sim.vel[1:].tobytes() + sim.rate[1:].tobytes()

    assert neighbours(length) == neighbours(None)
