"""Ships by the standard method of MMG: model tests, another program, closed forms, IMO's limits.

The other program is shipmmg [@shipmmg]; what it has otherwise is taken out of both: its wake is a
law of its own, and it takes the drift at the centre of mass, which is midship here.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.linalg import expm

import pyrfly
from pyrfly.protocol.bits import Setpoint

from .conftest import under_way

Array = NDArray[np.float64]

LENGTH, SPEED = 7.0, 1.179
DESIGN = 1.0 / 1.2
"""Command at the speed of the free-running tests, of a propeller that turns 1.2 times as fast."""


def at_speed(n: int = 1, dt: float = 0.005) -> pyrfly.Sim:
    """Return ships that go straight ahead at their design speed, without the wind of their way."""
    sim = under_way("kvlcc2", n, dt=dt)
    sim.wind_drag[:] = 0.0
    sim.vel[:, 0] = SPEED
    sim.thruster_speed[:, 0] = sim.thruster_rated
    sim.thruster_command[:, 0] = DESIGN
    return sim


def test_its_speed_is_that_of_the_free_running_tests() -> None:
    """Froude number 0.142, 15.5 knots of the tanker, at 0.83 of full ahead."""
    sim = at_speed()
    sim.vel[:, 0] = 0.8
    sim.sleep(300)
    assert sim.vel[0, 0] == pytest.approx(SPEED, rel=2e-3)
    assert np.abs(sim.euler).max() < 1e-9


# --- beside shipmmg

BASIC = {
    "L_pp": LENGTH,
    "B": 1.27,
    "d": 0.46,
    "x_G": 0.0,
    "D_p": 0.216,
    "m": 3270.0,
    "I_zG": 10014.4,
    "A_R": 0.0539,
    "η": 0.216 / 0.345,
    "m_x": 247.94,
    "m_y": 2513.21,
    "J_z": 6074.53,
    "f_α": 2.747,  # noqa: RUF001
    "ε": 1.09,
    "t_R": 0.387,
    "x_R": -0.5 * LENGTH,
    "a_H": 0.312,
    "x_H": -0.464 * LENGTH,
    "γ_R_minus": 0.395,  # noqa: RUF001
    "γ_R_plus": 0.640,  # noqa: RUF001
    "l_R": -0.710,
    "κ": 0.50,
    "t_P": 0.220,
    "w_P0": 0.0,
    "x_P": -0.48,
}
NAMES = """k_0 k_1 k_2 R_0 X_vv X_vr X_rr X_vvvv Y_v Y_r Y_vvv Y_vvr Y_vrr Y_rrr N_v N_r N_vvv N_vvr
N_vrr N_rrr""".split()
NUMBERS = [
    *(0.2931, -0.2753, -0.1385, 0.0159, -0.040, 0.002, 0.011, 0.771),
    *(-0.315, 0.083, -1.607, 0.379, -0.391, 0.008),
    *(-0.137, -0.049, -0.030, -0.294, 0.055, -0.013),
]


TIMES = (20.0, 60.0, 160.0)
OF_SHIPMMG = {
    1.0: [
        [0.693476, -0.213771, 0.072323, 17.332335, 6.324091],
        [0.388302, -0.135300, 0.053439, 8.412755, 19.798937],
        [0.347230, -0.121884, 0.051512, 15.323176, 17.191994],
    ],
    0.6: [
        [0.846132, -0.206025, 0.065599, 19.529748, 5.615462],
        [0.532013, -0.145999, 0.048720, 12.939292, 26.126791],
        [0.480689, -0.132631, 0.046029, 21.708754, 13.023992],
    ],
    -0.3: [
        [0.961713, 0.184110, -0.058801, 21.287396, -4.066506],
        [0.620909, 0.146703, -0.045402, 21.279568, -29.436799],
        [0.565825, 0.131713, -0.041943, 22.248276, -6.006848],
    ],
    -1.0: [
        [0.654000, 0.214984, -0.074735, 16.866111, -6.368837],
        [0.352799, 0.130864, -0.055076, 7.862442, -18.052947],
        [0.317697, 0.118063, -0.053468, 13.257834, -17.186800],
    ],
}
"""u, v, r, x, y at these times by the share of the rudder: of the test below."""


@pytest.mark.parametrize("share", OF_SHIPMMG)
def test_it_turns_as_that_of_shipmmg(share: float) -> None:
    sim = at_speed()
    sim.flow_position[:] = 0.0
    sim.fin_position[:, 0] = -0.5 * LENGTH
    sim.ship_wake[:] = [0.0, 0.0, 1.0, 1.0]
    sim.fin_command[:, 0] = share
    sim.fin_angle[:, 0] = share * math.radians(35.0)
    found = []
    for time in TIMES:
        sim.sleep(time - sim.time)
        found.append([*sim.vel_body[0, :2], sim.rate[0, 2], *sim.pos[0, :2]])
    np.testing.assert_allclose(found, OF_SHIPMMG[share], atol=5e-5)


@pytest.mark.parametrize("share", OF_SHIPMMG)
def test_shipmmg_turns_so(share: float) -> None:
    program = pytest.importorskip("shipmmg.mmg_3dof")
    derivatives = {
        name if name.startswith("k") else f"{name}_dash": value
        for name, value in zip(NAMES, NUMBERS, strict=True)
    }
    times = np.linspace(0.0, TIMES[-1], 41)
    solution = program.simulate_mmg_3dof(
        program.Mmg3DofBasicParams(**BASIC),
        program.Mmg3DofManeuveringParams(**derivatives),
        times,
        np.full(41, share * math.radians(35.0)),
        np.full(41, 65.4878 / (2.0 * math.pi)),
        u0=SPEED,
        ρ=1000.0,
        rtol=1e-10,
        atol=1e-10,
    )
    np.testing.assert_allclose(solution.sol(TIMES)[:5].T, OF_SHIPMMG[share], atol=2e-6)


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


def turning_circles() -> tuple[Array, Array, Array]:
    """Return advance, transfer and tactical diameter over the length, to starboard and port."""
    sim = at_speed(2)
    sim.fin_command[:, 0] = [1.0, -1.0]
    start = sim.pos[:, 0].copy()
    places, yaws = [], []
    for _ in range(300):
        sim.sleep(0.5)
        places.append(sim.pos[:, :2] - np.stack([start, 0 * start], axis=-1))
        yaws.append(sim.euler[:, 2].copy())
    path, yaw = np.array(places) / LENGTH, np.abs(np.unwrap(np.array(yaws), axis=0))
    found = []
    for turn, component in ((0.5 * math.pi, 0), (0.5 * math.pi, 1), (math.pi, 1)):
        found.append(np.abs([np.interp(turn, yaw[:, i], path[:, i, component]) for i in range(2)]))
    return found[0], found[1], found[2]


def test_a_hard_turn_is_within_imos_limits() -> None:
    """Advance at most 4.5, tactical diameter at most 5 lengths [@imo-137]."""
    advance, transfer, tactical = turning_circles()
    assert (advance < 4.5).all()
    assert (tactical < 5.0).all()
    np.testing.assert_allclose(transfer, 1.475, atol=0.02)


def test_a_hard_turn_is_that_of_free_running_tests() -> None:
    """To starboard within 1 % of MARIN's model, to port 5 and 8 % wider [@simman-2008]."""
    advance, _, tactical = turning_circles()
    np.testing.assert_allclose([advance[0], tactical[0]], [3.25, 3.34], rtol=0.01)
    np.testing.assert_allclose([advance[1], tactical[1]], [3.12 * 1.05, 3.07 * 1.08], rtol=0.01)


def overshoots(angle: float) -> Array:
    """Return the first two overshoots [deg] of zigzags that begin to starboard and to port."""
    sim = at_speed(2)
    side = np.array([1.0, -1.0])
    headings = []
    for _ in range(1300):
        sim.fin_command[:, 0] = side * angle / 35.0
        sim.sleep(0.1)
        headings.append(np.degrees(sim.euler[:, 2]))
        side = np.where(headings[-1] * side > angle, -side, side)
    size = np.abs(np.array(headings))
    peaks = (size[1:-1] > angle) & (size[1:-1] >= size[:-2]) & (size[1:-1] > size[2:])
    return np.array([size[1:-1, i][peaks[:, i]][:2] - angle for i in range(2)])


@pytest.mark.parametrize(
    ("angle", "most", "measured", "less"),
    [
        (10.0, (20.0, 40.0), [[8.2, 21.9], [9.5, 15.0]], [[2.8, 5.9], [1.8, 4.9]]),
        (20.0, (25.0, math.inf), [[13.7, 14.9], [15.1, 13.3]], [[2.7, -2.5], [0.3, 0.7]]),
    ],
)
def test_zigzags_are_those_of_free_running_tests(
    angle: float, most: tuple[float, float], measured: list[list[float]], less: list[list[float]]
) -> None:
    """Overshoots of MARIN's model [@simman-2008], less what is less here; IMO's limits [@imo-137]
    of a ship of 40 s per length, as the tanker has."""
    found = overshoots(angle)
    assert (found < most).all()
    np.testing.assert_allclose(found, np.subtract(measured, less), atol=0.2)


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
