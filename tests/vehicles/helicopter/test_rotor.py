"""Swash plate, tip-path plane, inflow, engine and servos of a helicopter against closed forms."""

from __future__ import annotations

from math import exp, pi, sqrt

import numpy as np
import pytest
from numpy.typing import ArrayLike, NDArray
from scipy.linalg import expm
from scipy.optimize import brentq

import pyrfly

Array = NDArray[np.float64]
SET = "blade_360"
RHO = 1.225  # kg/m^3


def held(n: int = 1, dt: float = 1e-5, **columns: ArrayLike) -> pyrfly.Sim:
    """Return helicopters in the air at the nominal rotor speed, with servos that do not move."""
    sim = pyrfly.Sim(SET, n, dt=dt)
    sim.controllers = False
    sim.reset(pos=np.tile([0.0, 0.0, -500.0], (n, 1)))
    sim.swash_tau[:] = sim.tail_tau[:] = 1e9
    sim.main_rotor_speed = sim.main_rotor_nominal
    sim.drag_quadratic[:] = 0
    for name, value in columns.items():
        getattr(sim, name)[:] = value
    return sim


def slope(sim: pyrfly.Sim, name: str) -> Array:
    """Return the derivative of a state."""
    before = getattr(sim, name).copy()
    sim.step(1)
    rate: Array = (getattr(sim, name) - before) / sim.dt
    return rate


def plate(sim: pyrfly.Sim) -> Array:
    """Return collective, pitch and roll of the swash plates, from thrust and tip-path plane."""
    travel, gain = sim.collective_travel * sim.collective_accel, sim.tip_path_gain
    height = -sim.specific_force[:, 2] / travel
    driven = sim.tip_path_tau[:, None] * slope(sim, "tip_path")
    cyclic = np.linalg.solve(gain.reshape(-1, 2, 2), driven[..., None])[..., 0]
    roll, pitch = (cyclic / sim.cyclic_travel).T
    return np.stack([height, pitch, roll], axis=-1)


# --- swash plate


@pytest.mark.parametrize(
    ("servos", "expected"),
    [((0.75, -0.25, -0.25), (0.25, 0.5, 0.0)), ((0.25, -0.1695, 0.6695), (0.25, 0.0, 0.5))],
)
def test_the_plate_of_px4s_helicopter_mixer(
    servos: tuple[float, ...], expected: tuple[float, ...]
) -> None:
    """The check values of the mixer blade130: angles 0, 140, 220 degrees, arms 1, 1.3054."""
    sim = held(
        swash_angle=np.radians([0, 140, 220, 0]),
        swash_arm=[1, 1.3054, 1.3054, 0],
        swash_position=[*servos, 0],
    )
    np.testing.assert_allclose(plate(sim)[0], expected, atol=2e-4)


@pytest.mark.parametrize("servos", [3, 4])
def test_a_plate_has_the_servos_of_the_mixer(servos: int) -> None:
    """The H mixer's arithmetic, and back; in a plate on four the least squares."""
    random = np.random.default_rng(1)
    n = 20
    angle = np.cumsum(random.uniform(0.9, 1.5, (n, 4)), axis=1)
    arm = random.uniform(0.7, 1.4, (n, 4))
    at = random.uniform(-0.4, 0.4, (n, 3))
    rows = np.stack([np.ones((n, 4)), arm * np.cos(angle), -arm * np.sin(angle)], axis=-1)
    position = np.einsum("nij,nj->ni", rows, at)
    if servos == 3:
        position[:, 3] = 7.0  # of no meaning
        found = at
    else:
        position += random.uniform(-0.2, 0.2, (n, 4))
        found = np.stack([np.linalg.lstsq(rows[i], position[i], rcond=None)[0] for i in range(n)])
    sim = held(
        n, swash_count=servos, swash_angle=angle, swash_arm=arm, swash_position=position,
        stall_accel=1e6,
    )  # fmt: skip
    np.testing.assert_allclose(plate(sim), found, atol=1e-4)


def test_servos_lag_within_their_rate() -> None:
    sim = held(2, dt=1e-3)
    sim.swash_tau[:], sim.tail_tau[:] = 0.05, 0.02
    sim.swash_rate[:] = [1e9, 4.0]
    sim.swash_command[:] = 0.8
    sim.tail_command[:] = -2.0  # is limited to -1
    sim.step(100)
    assert sim.tail_position[0] == pytest.approx(-(1 - exp(-5)), rel=1e-6)
    np.testing.assert_allclose(sim.swash_position[0], 0.8 * (1 - exp(-2)), rtol=1e-6)
    np.testing.assert_allclose(sim.swash_position[1], 0.4, rtol=1e-6)


# --- tip-path plane


def test_the_tip_path_plane_follows_the_cyclic_as_its_linear_equation() -> None:
    """Without moments on the body, so that it stands still: by the matrix exponential."""
    sim = held(dt=1e-3, swash_position=[0.1, 0.3, -0.2, 0.0])
    for name in ("tip_path_moment", "roll_per_speed", "pitch_per_speed"):
        getattr(sim, name)[:] = 0
    tau, (lfa, mfb) = sim.tip_path_tau[0], sim.tip_path_coupling[0]
    matrix = np.array([[-1, lfa], [mfb, -1]]) / tau
    driven = slope(held(swash_position=[0.1, 0.3, -0.2, 0.0]), "tip_path")[0]
    seconds = 0.05
    sim.step(round(seconds / sim.dt))
    expected = np.linalg.solve(matrix, (expm(matrix * seconds) - np.eye(2)) @ driven)
    np.testing.assert_allclose(sim.tip_path[0], expected, rtol=2e-3, atol=2e-5)


def test_thrust_and_hub_turn_with_the_plane() -> None:
    sim = held(tip_path=[0.02, -0.03], swash_position=0.25)
    thrust = -sim.specific_force[0, 2]
    assert sim.specific_force[0, 0] == pytest.approx(0.03 * thrust, rel=1e-6)
    side = sim.specific_force[0, 1] + sim.tail_side[0, 0]
    assert side == pytest.approx(0.02 * thrust, rel=1e-6)
    np.testing.assert_allclose(
        sim.angular_accel[0, :2], sim.tip_path_moment[0] * [0.02, -0.03], rtol=1e-6
    )


@pytest.mark.parametrize("share", [0.5, 0.8])
def test_a_slower_rotor_has_less_of_everything_by_the_square_of_its_speed(share: float) -> None:
    sim = held(2, tip_path=[0.02, 0.0], swash_position=0.25, tail_position=0.2)
    sim.engine_torque[:] = 0
    sim.main_rotor_speed[1] *= share
    for column in (sim.specific_force[:, 2], sim.angular_accel[:, 0], sim.angular_accel[:, 2]):
        assert column[1] == pytest.approx(share**2 * column[0], rel=1e-9)


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0, 1.6])
def test_damping_by_the_rotors_goes_with_their_speed_up_to_the_identified_one(share: float) -> None:
    """The change of a rotor's force with velocity in its plane: Xu, Yv, Nv and Nr of the set."""
    sim = held(2)
    sim.main_rotor_speed *= share
    sim.tail_side[:] = sim.engine_torque[:] = sim.engine_throttle[:] = 0
    u, v, r = 2.0, -1.0, 0.5
    sim.vel[1, :2] = u, v
    sim.rate[1, 2] = r
    force, turning = np.diff(sim.specific_force, axis=0)[0], np.diff(sim.angular_accel, axis=0)[0]
    k = min(share, 1.0)
    np.testing.assert_allclose(force[:2], [-k * 0.227 * u, -k * 0.1852 * v], rtol=1e-9)
    assert turning[2] == pytest.approx(k * (1.7258 * v - 2.0131 * r), rel=1e-9)


def test_a_faster_rotor_has_no_more_than_the_identified_derivatives() -> None:
    """The tilt by air speed goes with the advance ratio, 1 / n; Yp and Nw stay as they are."""
    sim = held(2)
    for name in ("speed_damping", "yaw_damping", "tail_side"):
        getattr(sim, name)[:] = 0
    sim.engine_torque[:] = 0
    sim.vel[:] = [2.0, -1.0, 1.0]
    sim.rate[:, 0] = 0.5
    sim.main_rotor_speed[1] *= 1.6
    gyroscopic = np.cross(sim.rate[0], sim.inertia[0, :3] * sim.rate[0])
    np.testing.assert_array_equal(gyroscopic, 0)
    np.testing.assert_allclose(sim.angular_accel[0, :2] / sim.angular_accel[1, :2], 1.6, rtol=1e-9)
    assert sim.angular_accel[1, 2] == pytest.approx(sim.angular_accel[0, 2], rel=1e-9)
    assert sim.specific_force[1, 1] == pytest.approx(sim.specific_force[0, 1], rel=1e-9)
    assert sim.specific_force[1, 1] == pytest.approx(0.2303 * 0.5, rel=1e-9)


def test_the_blades_stall() -> None:
    sim = held(2, swash_position=[[1.0] * 4, [-1.0] * 4])
    np.testing.assert_allclose(-sim.specific_force[:, 2], [25, -25], rtol=1e-9)


# --- power by momentum theory


def load(sim: pyrfly.Sim) -> Array:
    """Return the power that the rotors take from the shaft [W]."""
    sim.engine_torque[:] = 0
    speed = sim.main_rotor_speed.copy()
    power: Array = -sim.main_rotor_inertia * slope(sim, "main_rotor_speed") * speed
    return power


def in_motion(climb: ArrayLike, across: ArrayLike, weights: float = 1.0) -> pyrfly.Sim:
    """Return rotors with a thrust of so many weights, in a climb and motion across [m/s]."""
    climb, across = np.broadcast_arrays(climb, across)
    sim = held(len(climb), stall_accel=1e6)
    sim.vel[:, 0], sim.vel[:, 2] = across, -climb
    thrust = weights * sim.gravity + sim.heave_damping * climb
    sim.swash_position[:] = (thrust / (sim.collective_accel * sim.collective_travel))[:, None]
    return sim


def hover_velocity(sim: pyrfly.Sim, weights: float = 1.0) -> float:
    area = pi * float(sim.main_rotor_radius[0]) ** 2
    return sqrt(weights * float(sim.mass[0] * sim.gravity[0]) / (2 * RHO * area))


def induced(hover: float, climb: float, across: float) -> float:
    """Return the induced velocity by Glauert's equation, its only root where there is one."""
    return brentq(lambda v: v * np.hypot(across, climb + v) - hover**2, 0.0, 10 * hover)


def profile(sim: pyrfly.Sim, across: ArrayLike) -> Array:
    """Return the power of the blades' drag [W]: K = 4.65, up to an advance ratio of 0.5."""
    advance = np.minimum(np.divide(across, sim.main_rotor_radius * sim.main_rotor_speed), 0.5)
    power: Array = sim.profile_power * (1 + 4.65 * advance**2)
    return power


def measured(sim: pyrfly.Sim) -> tuple[Array, Array]:
    """Return thrust over weight and induced velocity [m/s], from acceleration and power."""
    lift = -sim.specific_force[:, 2] / sim.gravity
    climb, across = -sim.vel[:, 2], sim.vel[:, 0].copy()
    thrust = lift * sim.mass * sim.gravity
    air = load(sim) - profile(sim, across) - thrust * climb
    return lift, air / thrust / sim.induced_factor


CASES = {
    "climb": [(v, u) for v in (0.0, 0.5, 1.0, 3.0) for u in (0.0, 0.5, 1.0, 2.0, 5.0)],
    "descent": [(-v, u) for v in (0.2, 0.5, 1.0, 2.0, 3.0) for u in (1.5, 2.0, 5.0)],
}


@pytest.mark.parametrize("weights", [0.5, 1.0, 1.7])
@pytest.mark.parametrize("cases", CASES)
def test_induced_velocity_with_speed_is_that_of_momentum_theory(cases: str, weights: float) -> None:
    """By Glauert's equation for the thrust that there is, in induced velocities of hover."""
    climb, across = 2.5 * np.array(CASES[cases]).T
    sim = in_motion(climb, across, weights=weights)
    lift, found = measured(sim)
    hover = [hover_velocity(sim, float(each)) for each in lift]
    expected = [induced(*case) for case in zip(hover, climb, across, strict=True)]
    np.testing.assert_allclose(found, expected, rtol=3e-4)


def test_the_vortex_ring_ends_with_speed() -> None:
    """At U = 0.95 h; up to there the induced velocity falls from the measured curve."""
    sim = in_motion([0.0], [0.0])
    hover = hover_velocity(sim)
    for descent in (0.3, 1.0, 1.5, 1.9):
        across = np.linspace(0.0, 1.5, 31) * hover
        sim = in_motion(np.full(31, -descent * hover), across)
        sim.heave_damping[:] = 0  # no translational lift
        sim.swash_position[:] = (sim.gravity / sim.collective_accel / sim.collective_travel)[
            :, None
        ]
        _, found = measured(sim)
        assert (np.diff(found) < 0).all()
        theory = [induced(hover, -descent * hover, float(u)) for u in across[20:]]
        np.testing.assert_allclose(found[20:], theory, rtol=2e-3)


def test_translational_lift_is_that_of_blade_elements() -> None:
    """X-Cell 60: T = T_0 + rho a S A W R / 4 (v_0 - v), chord 58 mm, lift slope 5.5."""
    radius, speed, solidity = 0.775, 167.0, 2 * 0.058 / (pi * 0.775)
    across = np.array([0.0, 2.0, 5.0, 10.0, 15.0])
    sim = pyrfly.Sim("xcell_60", len(across), dt=1e-5)
    sim.controllers = False
    sim.reset(pos=[[0, 0, -500]] * len(across))
    sim.main_rotor_speed = sim.main_rotor_nominal
    sim.drag_quadratic[:] = 0
    sim.vel[:, 0] = across
    sim.swash_position[:] = (sim.gravity / sim.collective_accel / sim.collective_travel)[:, None]
    lift = -sim.specific_force[:, 2] / sim.gravity
    weight = 8.2 * 9.81
    area = pi * radius**2
    hover = sqrt(weight / (2 * RHO * area))
    loss = RHO * 5.5 * solidity * area * speed * radius / 4

    def excess(thrust: float, u: float) -> float:
        v = induced(sqrt(thrust / (2 * RHO * area)), 0.0, u)
        return weight + loss * (hover - v) - thrust

    expected = [brentq(excess, 0.5 * weight, 3 * weight, args=(float(u),)) for u in across]
    np.testing.assert_allclose(lift, np.array(expected) / weight, rtol=2e-3)
    assert lift[3] == pytest.approx(1.43, abs=0.02)


@pytest.mark.parametrize("name", ["conventional_heli", "xcell_60"])
def test_power_in_level_flight_has_the_bucket_of_the_textbook(name: str) -> None:
    """P = k T v + P_0 (1 + 4.65 mu^2) + D . V over speed, within 0.2 %."""
    sim = pyrfly.Sim(name)
    sim.tail_side[:] = sim.yaw_per_speed[:] = 0  # no bank
    speeds = np.array([0.0, 3.0, 6.0, 9.0, 12.0, 16.0])
    points = [sim.trim(vel=[float(speed), 0, 0]) for speed in speeds]
    tail = np.array([point.inputs["tail_command"][0, 0] for point in points])
    power = tail * sim.inertia[0, 2] * sim.tail_authority[0] * sim.main_rotor_nominal[0]

    mass, weight = float(sim.mass[0]), float(sim.mass[0] * sim.gravity[0])
    pitch = 2 * np.arcsin([point.state["att"][0, 2] for point in points])
    u, w = speeds * np.cos(pitch), speeds * np.sin(pitch)
    along = mass * sim.speed_damping[0, 0] * u + sim.drag_quadratic[0, 0] * u**2
    down = sim.drag_quadratic[0, 2] * w * np.abs(w)
    thrust, drag_power = weight * np.cos(pitch) - down, along * u + down * w
    hover = [hover_velocity(sim, float(each) / weight) for each in thrust]
    flow = [induced(*case) for case in zip(hover, drag_power / thrust, u, strict=True)]
    tip = sim.main_rotor_radius[0] * sim.main_rotor_nominal[0]
    theory = sim.induced_factor[0] * thrust * np.array(flow) + drag_power
    theory += sim.profile_power[0] * (1 + 4.65 * (u / tip) ** 2)
    np.testing.assert_allclose(power, theory, rtol=2e-3)
    assert 0 < np.argmin(power) < len(speeds) - 1


def test_a_windmill_gets_the_power_of_momentum_theory() -> None:
    """v (|V| - v) = h^2, the smaller root, from 2 h on."""
    ratio = np.array([2.0, 2.5, 4.0])
    sim = in_motion([0.0], [0.0])
    hover, weight = hover_velocity(sim), float(sim.mass[0] * sim.gravity[0])
    sim = in_motion(-ratio * hover, np.zeros(3))
    expected = hover * (ratio / 2 - np.sqrt(ratio**2 / 4 - 1))
    found = (load(sim) - sim.profile_power) / weight + ratio * hover
    found /= sim.induced_factor
    np.testing.assert_allclose(found[1:], expected[1:], rtol=1e-4)
    assert found[0] == pytest.approx(expected[0], rel=6e-3)  # where the slope is infinite


def test_the_curve_of_descent_joins_momentum_theory_and_measurements() -> None:
    """Continuous at hover and at the windmill; Leishman's fit at V/h = -1 and -1.5."""
    hover = hover_velocity(in_motion([0.0], [0.0]))
    ratio = np.array([-1e-6, 1e-6, -2 - 1e-9, -2 + 1e-9, -1.0, -1.5])
    sim = in_motion(ratio * hover, np.zeros(6))
    weight = float(sim.mass[0] * sim.gravity[0])
    found = ((load(sim) - sim.profile_power) / weight - ratio * hover) / hover / sim.induced_factor
    expected = [1, 1, 1, 1, 1.816, 2.083]
    np.testing.assert_allclose(found, expected, rtol=1e-3)


@pytest.mark.parametrize("name", ["conventional_heli", "xcell_60"])
def test_steady_climbs_and_descents_have_the_power_of_momentum_theory(name: str) -> None:
    """From climb to windmill; there the rotor turns freely, where its profile takes all power."""
    sim = pyrfly.Sim(name)
    sim.stall_accel[:] = 1e3
    sim.tail_side[:] = 0  # no bank
    descents = np.array([-3.0, 0.0, 5.0, 6.0, 8.0, 15.0])
    points = [sim.trim(vel=[0, 0, float(descent)]) for descent in descents]
    n = np.array([p.state["main_rotor_speed"][0, 0] for p in points]) / sim.main_rotor_nominal
    drag = sim.drag_quadratic[0, 2] * descents * np.abs(descents)
    thrust = sim.mass[0] * sim.gravity[0] - drag
    hover = np.sqrt(thrust / (2 * RHO * pi * sim.main_rotor_radius[0] ** 2))

    windmill = descents > 2 * hover
    root = np.sqrt(np.maximum((descents / 2) ** 2 - hover**2, 0))
    free = thrust * (descents - sim.induced_factor[0] * (descents / 2 - root))
    freely = windmill & (free > sim.profile_power[0])
    assert freely[-1]
    assert (~windmill).any()
    expected = np.where(freely, np.cbrt(np.maximum(free, 0) / sim.profile_power[0]), 1.0)
    np.testing.assert_allclose(n, expected, rtol=1e-5)

    climbs = descents <= 0
    induced = descents / 2 + np.sqrt((descents / 2) ** 2 + hover**2)
    power = thrust * (sim.induced_factor[0] * induced - descents) + sim.profile_power[0]
    tail = np.array([p.inputs["tail_command"][0, 0] for p in points])
    moment = tail * sim.inertia[0, 2] * sim.tail_authority[0]
    torque = (power / sim.main_rotor_nominal[0])[climbs]
    np.testing.assert_allclose(moment[climbs], torque, rtol=1e-6)


def test_a_rotor_without_thrust_takes_the_profile_power_alone() -> None:
    """With P_0 (1 + 4.65 mu^2), which is held beyond mu = 0.5."""
    across = np.array([0.0, 9.0, 40.0, 60.0])
    sim = in_motion(np.zeros(4), across, weights=0.0)
    expected = 10 * (1 + 4.65 * np.minimum(across / (0.4 * 219.911485751), 0.5) ** 2)
    np.testing.assert_allclose(load(sim), expected, rtol=1e-4)


def test_profile_power_in_thin_air_goes_with_the_density() -> None:
    sim = in_motion([0.0], [20.0], weights=0.0)
    sim.pos[:, 2] = -4000.0
    sim.environment.enable("atmosphere", "density")
    sim.step(1)
    expected = sim.air_density[0] / RHO * 10 * (1 + 4.65 * (20 / (0.4 * 219.911485751)) ** 2)
    sim.main_rotor_speed[:] = sim.main_rotor_nominal
    assert load(sim)[0] == pytest.approx(expected, rel=1e-3)


# --- engine and governor


def test_the_engine_is_a_line_of_torque_over_speed_and_brakes_never() -> None:
    throttle, share = np.array([0.5, 0.7, 1.0, 0.0, 0.5]), np.array([0.0, 0.5, 0.7, 0.5, 0.9])
    sim = held(5)
    sim.profile_power[:] = 0
    sim.engine_throttle[:] = throttle
    sim.main_rotor_speed[:] = share * sim.main_rotor_nominal
    speed = sim.main_rotor_speed.copy()
    sim.governor_tau[:] = 1e-3  # wants more than there is
    line = sim.engine_torque * np.maximum(throttle - speed / sim.engine_speed, 0)
    torque = sim.main_rotor_inertia * slope(sim, "main_rotor_speed")
    np.testing.assert_allclose(torque, line, rtol=2e-3, atol=1e-9)


def test_the_governor_holds_the_speed_under_any_load_and_the_body_feels_its_torque() -> None:
    sim = held(3, swash_position=np.array([0.0, 0.2, 0.4])[:, None], engine_throttle=1.0)
    before = sim.main_rotor_speed.copy()
    power = load(held(3, swash_position=np.array([0.0, 0.2, 0.4])[:, None]))
    yaw = sim.angular_accel[:, 2]
    sim.step(1)
    np.testing.assert_allclose(sim.main_rotor_speed, before, rtol=1e-9)
    np.testing.assert_allclose(yaw, -power / before / sim.inertia[:, 2], rtol=1e-4)


def test_the_speed_returns_with_the_time_constant_of_the_governor() -> None:
    sim = held(dt=1e-3, engine_throttle=1.0)
    nominal = float(sim.main_rotor_nominal[0])
    sim.main_rotor_speed[:] = 0.97 * nominal
    sim.step(300)
    expected = nominal * (1 - 0.03 * exp(-0.3 / sim.governor_tau[0]))
    assert sim.main_rotor_speed[0] == pytest.approx(expected, rel=1e-4)


# --- air, ground, battery, loads


@pytest.mark.parametrize("name", ["blade_360", "conventional_heli", "xcell_60"])
def test_with_its_rotor_at_rest_it_falls_at_the_speed_of_its_fuselage(name: str) -> None:
    sim = pyrfly.Sim(name)
    sim.controllers = False
    sim.reset(pos=[0, 0, -3000])
    sim.profile_power[:] = 1e9  # keeps the rotor at rest
    sim.sleep(25)
    terminal = np.sqrt(sim.mass * sim.gravity / sim.drag_quadratic[:, 2])
    assert sim.vel[0, 2] == pytest.approx(terminal[0], rel=1e-3)


@pytest.mark.parametrize("height", [0.05, 0.4, 1.0, 20.0])
def test_near_the_ground_there_is_more_thrust_for_the_same_power(height: float) -> None:
    sims = [held(swash_position=0.25) for _ in range(2)]
    for sim in sims:
        sim.pos[:, 2] = -height
    near, free = sims
    near.environment.set_ground_effect()
    for sim in sims:
        sim.sleep(0.004)
        sim.vel[:] = 0
    factor = 1 / (1 - (0.4 / (4 * (height + 0.22))) ** 2)
    ratio = near.specific_force[0, 2] / free.specific_force[0, 2]
    assert ratio == pytest.approx(factor, rel=1e-3)
    assert load(near)[0] == pytest.approx(load(free)[0], rel=2e-3)


@pytest.mark.parametrize(
    ("name", "radius", "hub"),
    [("blade_360", 0.4, 0.22), ("conventional_heli", 0.775, 0.435), ("xcell_60", 0.775, 0.435)],
)
def test_ground_effect_is_that_at_the_height_of_the_hub(
    name: str, radius: float, hub: float
) -> None:
    """Cheeseman and Bennett on the skids and 1 m above, also where only the radius is given."""
    sim = pyrfly.Sim(name, 3)
    sim.controllers = False
    sim.reset(pos=[[0, 0, 0], [0, 0, -1.0], [0, 0, 0]])
    sim.environment.set_ground_effect()
    sim.environment.set_ground_effect(0.5 * radius, ids=3)
    over = np.array([radius, radius, 0.5 * radius]) / (4 * (hub + np.array([0, 1.0, 0])))
    np.testing.assert_allclose(sim.ground_effect, 1 / (1 - over**2), rtol=1e-9)
    assert sim.ground_effect[0] == pytest.approx(1.25, abs=0.02)


def test_thin_air_gives_thrust_in_proportion_to_its_density() -> None:
    sim = held(2, swash_position=0.25)
    sim.pos[:, 2] = [-1.0, -4000.0]
    sim.environment.enable("atmosphere", "density")
    sim.step(1)
    ratio = sim.air_density / RHO
    np.testing.assert_allclose(-sim.specific_force[:, 2], ratio * 0.25 * 1.755 * 22.3239, rtol=1e-3)


def test_its_jet_has_the_speed_of_the_far_wake() -> None:
    """Twice the induced velocity."""
    sim = pyrfly.Sim(SET, 2)
    sim.reset(pos=[[0, 0, -50], [9, 0, -50]], hover=True)
    sim.environment.set_downwash()
    sim.sleep(0.02)
    thrust = np.cos(sim.euler[0, 0])  # of the weight; the tail rotor's side force needs a bank
    expected = 2 * hover_velocity(sim) * sqrt(thrust) * thrust
    assert sim.rotor_jet[0, 2] == pytest.approx(expected, rel=1e-3)


def test_the_battery_gives_the_power_of_the_engine() -> None:
    sim = pyrfly.Sim(SET)
    sim.reset(pos=[0, 0, -50], hover=True)
    sim.power.enable(resistance=0, avionics=0, efficiency=0.8)
    sim.sleep(1)
    before = float(sim.battery_energy[0])
    sim.sleep(10)
    weight = float(sim.mass[0] * sim.gravity[0])
    power = 1.15 * weight * hover_velocity(sim) + float(sim.profile_power[0])
    assert (sim.battery_energy[0] - before) * 0.8 == pytest.approx(10 * power, rel=5e-3)


def test_loads_from_outside_act_on_mass_and_inertia() -> None:
    sim = held(dt=1e-3, engine_throttle=0.0)
    for name in (
        "tail_side",
        "roll_per_speed",
        "pitch_per_speed",
        "yaw_per_speed",
        "heave_damping",
    ):
        getattr(sim, name)[:] = 0
    sim.main_rotor_speed[:] = 0
    sim.speed_damping[:] = sim.yaw_damping[:] = 0
    sim.set_load(force=[1, -2, 3], torque=[0, 0, 0.01])
    sim.step(100)
    fall = np.array([0, 0, float(sim.gravity[0])])
    np.testing.assert_allclose(sim.vel[0], 0.1 * (fall + np.array([1, -2, 3]) / 0.8), rtol=1e-9)
    assert sim.rate[0, 2] == pytest.approx(0.1 * 0.01 / sim.inertia[0, 2], rel=1e-9)


def test_it_shows_rotor_speeds_and_servos() -> None:
    sim = held(swash_position=[0.1, -0.2, 0.3, 0.0])
    assert sim.displayed_actuators[0, 0] == pytest.approx(2100)
    assert sim.displayed_actuators[0, 1] == pytest.approx(4.66 * 2100)
    np.testing.assert_allclose(
        sim.displayed_actuators[0, 2:6], pi / 4 * np.array([0.1, -0.2, 0.3, 0.0])
    )


def test_of_two_equilibria_the_upright_one_is_found() -> None:
    """Where a rotor that pulls down in a descent, upside down, is one, too."""
    sim = pyrfly.Sim("conventional_heli", 4)
    points = sim.trim(vel=[[8, 0, 3], [-8, 0, 3], [0, 6, 5], [-15, 6, -6]])
    _, x, y, _ = points.state["att"].T
    assert (1 - 2 * (x**2 + y**2) > 0.7).all()
