"""Planes under control: heights, airspeeds, turns, attitudes, limits, failures."""

from __future__ import annotations

import secrets

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.spatial.transform import Rotation

import pyrfly
from pyrfly import Setpoint
from pyrfly.protocol import synthesis
from pyrfly.vehicles import names
from pyrfly.vehicles.plane.performance import Performance

from .steady import airspeeds, cruising, flow_angles, remove_propeller

every_set = pytest.mark.parametrize("name", names("plane"))


def settled(name: str, n: int = 1) -> pyrfly.Sim:
    """Return planes that fly straight on, with their integrators at rest."""
    sim = cruising(name, n)
    sim.plane.command_course(0.0, 300.0)
    sim.sleep(15)
    return sim


@every_set
def test_cruise_is_held_to_its_digits(name: str) -> None:
    sim = cruising(name)
    sim.plane.command_course(0.0, 300.0)
    sim.sleep(60)
    assert sim.pos[0, 2] == pytest.approx(-300.0, abs=0.05)
    assert airspeeds(sim)[0] == pytest.approx(float(sim.cruise_airspeed[0]), abs=0.02)
    assert sim.pos[0, 1] == pytest.approx(0.0, abs=0.5)
    assert abs(sim.euler[0, 0]) < 2e-3


@every_set
@pytest.mark.slow
def test_a_step_of_the_height_keeps_the_airspeed(name: str) -> None:
    sim = cruising(name, 2)
    step = np.array([40.0, -40.0])
    speed, height = float(sim.cruise_airspeed[0]), 300.0 + step
    sim.plane.command_course(0.0, height)
    for _ in range(70):
        sim.sleep(1)
        assert (np.sign(step) * (-sim.pos[:, 2] - height) < 0.05 * np.abs(step)).all()
        np.testing.assert_allclose(airspeeds(sim), speed, atol=0.12 * speed)
    np.testing.assert_allclose(sim.pos[:, 2], -height, atol=0.5)
    np.testing.assert_allclose(airspeeds(sim), speed, atol=0.2)


@every_set
def test_an_airspeed_is_reached_and_the_height_stays(name: str) -> None:
    sim = cruising(name)
    wanted = 1.15 * float(sim.cruise_airspeed[0])
    sim.plane.command_course(0.0, 300.0, airspeed=wanted)
    off = 0.0
    for _ in range(90):
        sim.sleep(1)
        off = max(off, abs(float(sim.pos[0, 2]) + 300))
    assert airspeeds(sim)[0] == pytest.approx(wanted, abs=0.2)
    assert off < 5
    assert sim.pos[0, 2] == pytest.approx(-300.0, abs=0.5)


@every_set
def test_the_controllers_know_level_flight_at_all_airspeeds(name: str) -> None:
    """Throttle and pitch angle of `Sim.trim`; the moment is that of its elevator."""
    sim = pyrfly.Sim(name)
    ends = (sim.minimum_airspeed[0], sim.cruise_airspeed[0], sim.speed_limit[0])
    pressure_area = 0.5 * sim.reference_density[0] * sim.wing_area[0] * sim.wing_chord[0]
    elevators = sim.surface_mix[0].reshape(4, -1)[1]
    for speed in ends:
        point = sim.trim(vel=[speed, 0.0, 0.0])
        throttle = sim.level_throttle[0] @ [1.0, speed, speed**2]
        assert throttle == pytest.approx(point.inputs["propeller_throttle"][0], abs=0.02)
        pitch = sim.level_pitch[0] @ [1.0, speed**-2]
        quaternion = point.state["att"].ravel()
        angle = 2.0 * np.arctan2(quaternion[2], quaternion[0])
        assert pitch == pytest.approx(angle, abs=0.02)
        moment = sim.level_moment[0] @ [1.0, 0.5 * sim.reference_density[0] * speed**2]
        elevator = float(elevators @ point.state["surface_angle"].ravel())
        by_elevator = pressure_area * speed**2 * sim.pitch_coef[0, 3] * elevator
        assert moment == pytest.approx(by_elevator, abs=0.1 * abs(by_elevator) + 0.1)


@pytest.mark.slow
@every_set
@pytest.mark.parametrize("up", [True, False])
def test_an_airspeed_is_reached_in_the_time_of_its_gain(name: str, up: bool) -> None:
    """By nine tenths after ln(10) of its time constants; slower only by a glide.

    That spends m (V_1^2 - V_2^2) / 2 with the sink rate without power.
    """
    sim = settled(name)
    cruise, top = float(sim.cruise_airspeed[0]), float(sim.speed_limit[0])
    first, last = (cruise, top) if up else (top, cruise)
    sim.plane.command_course(0.0, 300.0, airspeed=first)
    sim.sleep(40)
    sim.plane.command_course(0.0, 300.0, airspeed=last)
    off, time = 0.0, 0.0
    while abs(airspeeds(sim)[0] - last) > 0.1 * abs(last - first):
        sim.sleep(0.25)
        time += 0.25
        off = max(off, abs(float(sim.pos[0, 2]) + 300.0))
    expected = np.log(10.0) / sim.airspeed_p[0]
    least = last + 0.1 * (first - last)
    glide = (first**2 - least**2) / (2 * 9.8 * float(sim.gliding_sink[0]))
    assert 0.9 * expected < time < (1.15 * expected if up else max(1.8 * expected, glide))
    assert off < (1.0 if up else 6.0)


@every_set
def test_a_turn_is_coordinated(name: str) -> None:
    """tan(bank) = V^2 / (g R), with little sideslip, at the height and the airspeed.

    To both sides. The sideslip of a flying wing, 2.4 deg, is where its yaw damping and its
    stability balance.
    """
    sim = cruising(name, 2)
    speed = float(sim.cruise_airspeed[0])
    radius = np.array([-1.0, 1.0]) * 1.2 * speed**2 / 9.8 / np.tan(0.6)
    centre = np.stack([0 * radius, radius, 0 * radius - 300.0], axis=1)
    sim.plane.command_circle(centre, radius)
    has_rudder = float(sim.yaw_coef[0, 5]) != 0.0
    for _ in range(60):
        sim.sleep(1)
        assert (np.abs(flow_angles(sim)[1]) < np.radians(3.5 if has_rudder else 4.5)).all()
    bank = np.arctan(speed**2 / (9.8 * radius))
    np.testing.assert_allclose(sim.euler[:, 0], bank, atol=0.03)
    away = np.linalg.norm((sim.pos - centre)[:, :2], axis=1)
    np.testing.assert_allclose(away, np.abs(radius), atol=1.0)
    np.testing.assert_allclose(sim.pos[:, 2], -300.0, atol=1.0)
    np.testing.assert_allclose(airspeeds(sim), speed, atol=0.3)
    assert (np.abs(flow_angles(sim)[1]) < np.radians(1.0 if has_rudder else 2.5)).all()
    sim.sleep(2)
    turned = sim.rate[:, 1] * np.sin(bank) + sim.rate[:, 2] * np.cos(bank)
    np.testing.assert_allclose(turned, speed / radius, rtol=0.05)


@every_set
def test_attitudes_are_reached_quickly(name: str) -> None:
    """90 % within three time constants of the attitude loop, at most 15 % beyond."""
    wanted = np.array([[0.6, 0.0], [-0.6, 0.0], [0.0, 0.25], [0.3, -0.2]])
    sim = settled(name, len(wanted))
    start = sim.euler[:, :2].copy()
    sim.plane.command_attitude(*wanted.T)
    found = []
    for _ in range(300):
        sim.step(5)
        found.append(sim.euler[:, :2].copy())
    size = wanted - start
    moves = np.abs(size) > 0.1
    share = (np.array(found) - start)[:, moves] / size[moves]
    rise = 0.01 * (np.argmax(share > 0.9, axis=0) + 1)
    least = np.abs(size[moves]) / float(sim.rate_limit[0, 0])
    assert (rise < least + 3.0 / float(sim.attitude_p[0, 0])).all()
    assert share.max() < 1.15
    np.testing.assert_allclose(found[-1], wanted, atol=0.03)


@every_set
def test_rates_are_reached_quickly(name: str) -> None:
    """Pitch by 60 % at least: the stability of the aircraft holds against it until it flies up."""
    sim = settled(name, 2)
    size = np.array([0.5, 0.2])  # of the roll rate of one, of the pitch rate of the other
    wanted = np.column_stack([np.diag(size), np.zeros(2)])
    sim.plane.command_rate(wanted, float(sim.throttle_command[0]))
    found = []
    for _ in range(80):
        sim.step(5)
        found.append(np.diag(sim.rate[:, :2]).copy())
    share = np.array(found) / size
    rise = 0.01 * (np.argmax(share > 0.6, axis=0) + 1)
    assert (rise < 4 / np.diag(sim.rate_p[:, :2] / sim.inertia[:, :2])).all()
    assert share.max() < 1.35
    assert (np.abs(share[50:].mean(axis=0) - 1.0) < (0.15, 0.4)).all()


def test_upside_down_it_turns_over_to_level_flight() -> None:
    """From inverted and knife-edge flight, nose up and nose down."""
    euler = [[np.pi, 0], [np.pi, 0.6], [np.pi, -0.6], [np.pi / 2, 0], [-2.8, 0.2], [3.1, 1.2]]
    sim = cruising(n=len(euler), height=600.0)
    turns = Rotation.from_euler("ZYX", [[0.0, pitch, roll] for roll, pitch in euler])
    sim.att[:] = np.roll(turns.as_quat(), 1, axis=1)
    sim.vel[:] = turns.apply([25.0, 0, 0])
    sim.plane.command_attitude(0.0, 0.0)
    sim.sleep(12)
    assert sim.check().ok
    np.testing.assert_allclose(sim.euler[:, :2], 0.0, atol=0.05)
    assert (sim.pos[:, 2] < -300).all()


@every_set
def test_a_climb_that_is_too_steep_ends_at_the_minimum_airspeed(name: str) -> None:
    sim = cruising(name)
    sim.command_velocity([float(sim.cruise_airspeed[0]), 0.0, -40.0])
    slowest, steepest = np.inf, 0.0
    for _ in range(60):
        sim.sleep(0.5)
        slowest = min(slowest, float(airspeeds(sim)[0]))
        steepest = max(steepest, float(flow_angles(sim)[0][0]))
    assert slowest > 0.9 * sim.minimum_airspeed[0]
    assert steepest < sim.stall_angle[0]
    assert sim.vel[0, 2] < -0.5


@every_set
def test_a_slow_plane_does_not_bank_steeply(name: str) -> None:
    """cos(bank) >= (minimum airspeed / V)^2."""
    sim = cruising(name)
    slowest = float(sim.minimum_airspeed[0])
    sim.plane.command_course(0.0, 300.0, airspeed=slowest)
    sim.sleep(30)
    sim.plane.command_circle(sim.pos[0] + [0, 20, 0], 20.0, airspeed=slowest)
    steepest = 0.0
    for _ in range(60):
        sim.sleep(0.5)
        carried = np.arccos(min(1.0, (slowest / airspeeds(sim)[0]) ** 2))
        assert abs(sim.euler[0, 0]) < max(carried, 0.1) + 0.12
        steepest = max(steepest, float(flow_angles(sim)[0][0]))
        assert airspeeds(sim)[0] > 0.95 * slowest
    assert steepest < sim.stall_angle[0]
    assert abs(sim.euler[0, 0]) > 0.15  # it speeds up, and turns
    assert sim.pos[0, 2] == pytest.approx(-300.0, abs=8.0)


@every_set
def test_without_a_propeller_it_glides(name: str) -> None:
    sim = cruising(name, height=2000.0)
    remove_propeller(sim)
    sim.plane.command_course(0.0, 2000.0)
    for _ in range(60):
        sim.sleep(1)
        assert airspeeds(sim)[0] > 0.9 * sim.minimum_airspeed[0]
        assert flow_angles(sim)[0][0] < sim.stall_angle[0]
    assert abs(sim.euler[0, 0]) < 0.05
    assert sim.vel[0, 2] > 0


def test_an_engine_that_comes_back_brings_the_plane_back() -> None:
    sim = cruising(height=600.0)
    voltage = float(sim.motor_voltage[0])
    sim.motor_voltage[:] = 0.0
    sim.plane.command_course(0.0, 600.0)
    sim.sleep(20)
    sim.motor_voltage[:] = voltage
    sim.sleep(120)
    assert sim.pos[0, 2] == pytest.approx(-600.0, abs=1.0)
    assert airspeeds(sim)[0] == pytest.approx(25.0, abs=0.2)


def test_a_throttle_set_point_is_the_throttle() -> None:
    sim = cruising(n=2)
    sim.plane.command_attitude(0.0, 0.05, thrust=[0.2, 0.9])
    sim.sleep(2)
    np.testing.assert_allclose(sim.propeller_throttle, [0.2, 0.9])
    assert sim.vel[0, 0] < 25 < sim.vel[1, 0]


def test_controllers_see_through_a_wrong_model() -> None:
    """A heavier aircraft with more drag than the gains were computed for."""
    sim = cruising()
    sim.mass[:] *= 1.1
    sim.drag_coef[:, 0] *= 1.15
    sim.lift_coef[:, 0] *= 0.9
    sim.plane.command_course(0.0, 300.0)
    sim.sleep(150)
    assert sim.pos[0, 2] == pytest.approx(-300.0, abs=0.5)
    assert airspeeds(sim)[0] == pytest.approx(25.0, abs=0.3)


@every_set
def test_no_manoeuvre_ends_in_a_state_that_is_not_finite(name: str) -> None:
    """Stalls, spins, dives and ground strikes under random inputs: finite, or flagged."""
    seed = secrets.randbits(32)
    print(f"seed {seed}")
    random, n = np.random.default_rng(seed), 32
    sim = cruising(name, n, height=60.0)
    sim.controllers = False
    sim.rate[:] = random.uniform(-3, 3, (n, 3))
    for _ in range(14):
        sim.surface_command[:] = random.choice([-1.0, 0.0, 1.0], (n, 4))
        sim.propeller_throttle[:] = random.uniform(0, 1, n)
        sim.sleep(0.5)
        for column in ("pos", "vel", "att", "rate", "surface_angle", "propeller_speed"):
            assert np.isfinite(getattr(sim, column)).all()
    assert (sim.pos[:, 2] < 5).all()
    assert np.linalg.norm(sim.vel, axis=1).max() < 200
    held = [i for i in range(n) if i + 1 not in sim.check().invalid]
    assert len(held) > 0.9 * n


def test_a_stalled_plane_recovers() -> None:
    """From full elevator without power, with more of it than the aircraft has."""
    sim = cruising(height=800.0)
    sim.controllers = False
    sim.pitch_coef[:, 3] *= 3.0
    sim.propeller_throttle[:] = 0.0
    sim.surface_command[:, 1] = 1.0
    deepest = 0.0
    for _ in range(40):
        sim.sleep(0.2)
        deepest = max(deepest, float(flow_angles(sim)[0][0]))
    assert deepest > sim.stall_angle[0]
    sim.pitch_coef[:, 3] /= 3.0
    sim.controllers = True
    sim.plane.command_course(0.0, 700.0)
    sim.sleep(60)
    assert sim.check().ok
    assert sim.pos[0, 2] == pytest.approx(-700.0, abs=3.0)
    assert abs(sim.euler[0, 0]) < 0.05


def test_commands_may_change_at_any_time() -> None:
    """Random sequences of all set-points: no jump of the servos' targets is not finite."""
    seed = secrets.randbits(32)
    print(f"seed {seed}")
    random, n = np.random.default_rng(seed), 8
    sim = cruising(n=n, height=500.0)
    for _ in range(25):
        where = random.uniform(-500, 500, 3) * [1, 1, 0.1] - [0, 0, 500]
        kind = random.integers(7)
        if kind == 0:
            sim.plane.command_circle(where, random.choice([-1, 1]) * random.uniform(1, 300))
        elif kind == 1:
            sim.plane.command_line(where, random.normal(size=3))
        elif kind == 2:
            sim.plane.command_course(random.uniform(-9, 9), -where[2], airspeed=30.0)
        elif kind == 3:
            sim.plane.command_attitude(*random.uniform(-1, 1, 2))
        elif kind == 4:
            sim.plane.command_rate(random.uniform(-2, 2, 3), 0.5)
        elif kind == 5:
            sim.command_velocity(
                random.uniform(-40, 40, 3), frame=["ned", "frd"][random.integers(2)]
            )
        else:
            sim.command_position(where)
        sim.sleep(1)
        assert sim.check().ok
        assert np.isfinite(sim.surface_command).all()
    sim.plane.command_circle([0, 0, -500])
    sim.sleep(60)
    np.testing.assert_allclose(sim.pos[:, 2], -500, atol=5)


def test_without_set_points_it_circles_where_it_is() -> None:
    sim = cruising()
    radius = float(sim.loiter_radius[0])
    sim.sleep(120)
    assert np.hypot(*sim.pos[0, :2]) == pytest.approx(radius, abs=2.0)
    assert sim.pos[0, 2] == pytest.approx(-300.0, abs=1.0)
    assert int(sim.setpoint_mask[0]) & Setpoint.POSITION == 0


def takeoff_run(sim: pyrfly.Sim, until: float) -> float:
    """Return the distance of m V^2 / 2 at the net force of full throttle."""
    of = Performance(sim.groups[0].parameters.columns)
    mass, weight = float(sim.mass[0]), of.weight
    lift0, drag0 = float(sim.lift_coef[0, 0]), float(sim.drag_coef[0, 0])
    induced, rolling = float(sim.induced_drag[0]), float(sim.gear_rolling[0])

    def slope(speed: float) -> float:
        pressure = of.pressure_area * speed * speed
        drag = pressure * (drag0 + induced * lift0**2)
        friction = rolling * max(weight - pressure * lift0, 0.0)
        return mass * speed / (of.thrust(1.0, speed) - drag - friction)

    return float(quad(slope, 0.0, until)[0])


def test_the_take_off_run_is_that_of_the_energy() -> None:
    sim = pyrfly.Sim("aerosonde", dt=0.002)
    sim.enable_synthesis()
    sim.step(5)
    sim.command_sil(*synthesis.take_off([0.0], [0.0], [-40.0], armed=[True]))
    while airspeeds(sim)[0] < sim.rotation_airspeed[0]:
        sim.step(5)
        assert sim.time < 30
    run = float(np.hypot(*sim.pos[0, :2]))
    assert run == pytest.approx(takeoff_run(sim, float(sim.rotation_airspeed[0])), rel=0.1)
    assert abs(sim.pos[0, 1]) < 1.0
    sim.sleep(15)
    assert sim.pos[0, 2] < -30
    assert airspeeds(sim)[0] > sim.minimum_airspeed[0]


@pytest.mark.slow
@every_set
def test_a_climb_keeps_to_the_line_of_its_take_off(name: str) -> None:
    """In still air and in wind across it."""
    sim = pyrfly.Sim(name, 3, dt=0.002)
    sim.wind[:] = [(0.0, 0.0, 0.0), (0.0, 8.0, 0.0), (-3.0, -6.0, 0.0)]
    sim.enable_synthesis()
    sim.command_sil(*synthesis.take_off([0.0] * 3, [0.0] * 3, [-80.0] * 3, armed=[True] * 3))
    while (climbs := sim.pos[:, 2] > -79.0).any():
        sim.step(50)
        assert (np.abs(sim.pos[climbs, 1]) < 10.0).all()
        assert sim.time < 40
        arrived = climbs & (sim.pos[:, 2] <= -79.0)
        assert (np.abs(sim.pos[arrived, 1]) < 6.0).all()
        assert (np.abs(sim.vel[arrived, 1]) < 2.0).all()


def test_a_climb_without_power_for_its_pitch_angle_lowers_the_nose() -> None:
    """The throttle of 0.8 has 1 m/s to climb, 15 degrees would take 6."""
    sim = pyrfly.Sim("aerosonde", dt=0.002)
    sim.motor_voltage[:] *= 0.8
    sim.enable_synthesis()
    sim.command_sil(*synthesis.take_off([0.0], [0.0], [-80.0], armed=[True]))
    sim.sleep(25)
    for _ in range(20):
        sim.sleep(1)
        assert airspeeds(sim)[0] > 1.05 * float(sim.minimum_airspeed[0]) / 1.2
        assert flow_angles(sim)[0][0] < sim.stall_angle[0]
    assert sim.pos[0, 2] < -10.0
    assert 0.0 < sim.euler[0, 1] < 0.25


@pytest.mark.slow
@every_set
def test_a_line_far_beside_it_is_not_overshot(name: str) -> None:
    """It is met from a right angle, also in a wind that blows across it."""
    sim = cruising(name, 4)
    side, wind = np.array([300.0, -700.0, 300.0, -700.0]), np.array([0.0, 0.0, 8.0, 8.0])
    sim.wind[:, 1] = wind
    sim.vel[:, 1] += wind
    sim.plane.command_line(np.stack([0 * side, side, 0 * side - 300.0], axis=1), [1.0, 0.0, 0.0])
    for _ in range(1300):
        sim.step(50)
        assert (np.sign(side) * (sim.pos[:, 1] - side) < 6.0).all()
    np.testing.assert_allclose(sim.pos[:, 1], side, atol=0.1)


@pytest.mark.slow
@every_set
def test_one_at_rest_in_the_air_falls_into_flight(name: str) -> None:
    """Also those whose thrust would carry them, stalled, at the commanded airspeed."""
    sim = pyrfly.Sim(name, dt=0.002)
    sim.pos[:, 2] = -300.0
    sim.arm()
    sim.plane.command_circle([0.0, 0.0, -300.0])
    sim.sleep(40)
    assert sim.pos[0, 2] == pytest.approx(-300.0, abs=1.0)
    assert airspeeds(sim)[0] == pytest.approx(float(sim.cruise_airspeed[0]), abs=0.5)
    assert flow_angles(sim)[0][0] < sim.angle_of_attack_limit[0] < sim.stall_angle[0]


@pytest.mark.slow
@every_set
@pytest.mark.parametrize("wind", [(0.0, 0.0, 0.0), (-6.0, 0.0, 0.0)])
def test_a_landing_touches_down_in_flight(name: str, wind: tuple[float, ...]) -> None:
    """Above the stall airspeed, not stalled, and with less than 0.6 m/s downwards."""
    sim = pyrfly.Sim(name, dt=0.002)
    sim.wind[:] = wind
    sim.enable_synthesis()
    sim.arm()
    sim.step()
    sim.pos[0] = (-300.0, 0.0, -27.0)
    sim.vel[0, 0] = float(sim.cruise_airspeed[0]) + wind[0]
    sim.command_sil(*synthesis.land([0.0], [0.0], yaw=[0.0]))
    stall = Performance(sim.groups[0].parameters.columns).stall
    while sim.pos[0, 2] < -0.1:
        assert airspeeds(sim)[0] > 1.03 * stall
        assert flow_angles(sim)[0][0] < sim.stall_angle[0]
        down = float(sim.vel[0, 2])
        sim.step(5)
    assert down < 0.6
    assert abs(sim.pos[0, 0]) < 30.0


@every_set
def test_loops_that_are_too_slow_are_refused_and_others_fly(name: str) -> None:
    for slow, loop in (
        ((4.0, 50, 100), "velocity"),
        ((50, 8.0, 100), "attitude"),
        ((50, 50, 16.0), "rate"),
    ):
        with pytest.raises(
            ValueError, match=f"control_rates: expected at least .* Hz for the {loop}"
        ):
            pyrfly.Sim(name, dt=0.0005, control_rates=slow)
    sim = pyrfly.Sim(name, dt=0.002, control_rates=(5, 10, 20))
    sim.pos[:, 2], sim.vel[:, 0] = -300.0, sim.cruise_airspeed
    sim.arm()
    sim.plane.command_line([0.0, 60.0, -310.0], [1.0, 0.0, 0.0])
    sim.sleep(45)
    np.testing.assert_allclose(sim.pos[0, 1:], [60.0, -310.0], atol=0.5)
    assert np.abs(sim.rate[0]).max() < 0.01
