"""Controllers of vehicles of blocks: allocation, hover, winged flight, transitions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import pyrfly
from pyrfly.errors import ParameterError
from pyrfly.mission import Land, Mission, TakeOff, fly_mission
from pyrfly.protocol.synthesis import BASE, POS, Command, inputs
from pyrfly.vehicles import VehicleParameters, from_sdf, load, names

Array = NDArray[np.float64]

TAILSITTERS = ("gz_tailsitter", "gz_quadtailsitter", "sih_tailsitter")
FOUR_ROTORS = ("gz_standard_vtol", "derivative_vtol", "gz_tailsitter", "gz_quadtailsitter")
HOVERING = (*FOUR_ROTORS, "sih_tailsitter")
WINGED = ("gz_plane", "gz_advanced_plane")
TO_WINGS, TO_HOVER, HOVER, WINGS = 1, 2, 3, 4

PRECISIONS = pytest.mark.parametrize("precision", ["float64", "float32"])


# --- allocation ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FOUR_ROTORS)
def test_the_mixer_gives_the_commanded_wrench_of_the_model(name: str) -> None:
    """Thrusts by the mixer, speeds by the square law: force and moment of the model at rest."""
    sim = pyrfly.Sim(name)
    sim.reset(pos=[0, 0, -50])
    mixer = sim.motor_mixer[0].reshape(4, 8)
    weight = float(sim.mass[0] * sim.gravity[0])
    for demand in ([weight, 0, 0, 0], [weight, 0.1, -0.2, 0.05], [1.2 * weight, -0.1, 0.1, -0.04]):
        thrust = np.array(demand) @ mixer
        constant = sim.motor_thrust[0]
        works = constant > 0
        speed = np.sqrt(np.where(works, thrust, 0.0) / np.where(works, constant, 1.0))
        sim.motor_speed[0] = speed
        xx, yy, zz, xy, xz, yz = sim.inertia[0]
        inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        moment = inertia @ sim.angular_accel[0]
        np.testing.assert_allclose(moment, demand[1:], atol=1e-9)
        force = sim.mass[0] * sim.specific_force[0]
        assert force[2] == pytest.approx(-demand[0], abs=1e-9)
        if (np.abs(sim.motor_axis[0, 16:20]) == 1.0).all():  # its motors are not tilted
            np.testing.assert_allclose(force[:2], 0, atol=1e-9)


def test_joints_in_slipstreams_give_the_commanded_moment_in_hover() -> None:
    """Those of the duo tailsitter, about its span, and with the motors about the axes across it."""
    sim = pyrfly.Sim("sih_tailsitter")
    sim.reset(pos=[0, 0, -50])
    sim.arm()
    weight = float(sim.mass[0] * sim.gravity[0])
    motors, joints = sim.motor_mixer[0].reshape(4, 8), sim.joint_mixer[0].reshape(3, 8)
    for moment in np.diag([0.02, 0.005, 0.01]):
        forward = np.array([-moment[2], moment[1], moment[0]])  # of the axes that fly forward
        thrust = np.array([weight, *moment]) @ motors
        sim.motor_speed[0, :2] = np.sqrt(thrust[:2] / sim.motor_thrust[0, :2])
        angles = forward @ joints / weight
        sim.channel[0, [4, 5]] = angles[:2] / sim.joint_scaling[0, :2]
        got = sim.inertia[0, :3] * sim.angular_accel[0]
        np.testing.assert_allclose(got, moment, rtol=0.05, atol=2e-4)


@pytest.mark.parametrize(
    "name", ["gz_plane", "gz_advanced_plane", "gz_standard_vtol", "derivative_vtol"]
)
def test_joints_give_the_commanded_moment_of_the_model(name: str) -> None:
    """Their change of the moment, in flow along the forward axis, over the dynamic pressure."""
    sim = pyrfly.Sim(name)
    sim.reset(pos=[0, 0, -50])
    sim.arm()
    sim.vel[0] = [20.0, 0.0, 0.0]
    pressure = 0.5 * float(sim.wing_density[0]) * 20.0**2
    allocation = sim.wing_allocation[0].reshape(3, 8)
    xx, yy, zz, xy, xz, yz = sim.inertia[0]
    inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])

    def moment(angles: Array) -> Array:
        count = int(sim.joint_count[0])
        sim.joint_angle[0] = angles
        for i in range(count):
            sim.channel[0, int(sim.joint_channel[0, i])] = angles[i] / sim.joint_scaling[0, i]
        return np.asarray(inertia @ sim.angular_accel[0])

    at_rest = moment(np.zeros(8))
    for axis in range(3):
        if not allocation[axis].any():
            continue
        wanted = np.zeros(3)
        wanted[axis] = 0.3
        change = moment(allocation.T @ wanted / pressure) - at_rest
        held = allocation.any(axis=1)
        np.testing.assert_allclose(change[held], wanted[held], atol=2e-6)


def test_pitch_by_joints_hardly_changes_the_lift() -> None:
    """Ailerons are not used as an elevator where there is one: they would take the lift away."""
    allocation = pyrfly.Sim("gz_standard_vtol").wing_allocation[0].reshape(3, 8)
    assert np.abs(allocation[1, :2]).max() < 0.1 * abs(allocation[1, 2])


# --- hover --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", HOVERING)
@pytest.mark.parametrize("precision", ["float64", pytest.param("float32", marks=pytest.mark.slow)])
def test_a_hover_holds_its_position(name: str, precision: str) -> None:
    """Within 0.1 m, also in wind; a tailsitter in 2 m/s, its wing is across the wind."""
    sim = pyrfly.Sim(name, 2, dt=0.002, precision=precision)
    sim.wind[1, 0] = 2.0 if name in TAILSITTERS else 5.0
    sim.arm()
    sim.command_position([0, 0, -10], yaw=0.0)
    sim.sleep(20.0)
    for _ in range(10):
        sim.sleep(0.5)
        np.testing.assert_allclose(sim.pos, [[0, 0, -10]] * 2, atol=0.1)
    assert sim.check().ok


def test_the_vtol_by_derivatives_hovers_in_wind_from_all_sides() -> None:
    """8 m/s, which is half of its stall airspeed: its wing lifts, its tail turns and rolls it."""
    sim = pyrfly.Sim("derivative_vtol", 8, dt=0.002)
    sides = np.radians(np.arange(8) * 45)
    sim.wind[:] = 8.0 * np.stack([np.cos(sides), np.sin(sides), 0 * sides], axis=1)
    sim.arm()
    sim.command_position(np.tile([0.0, 0.0, -10.0], (8, 1)), yaw=0.0)
    sim.sleep(15.0)
    for _ in range(10):
        sim.sleep(0.5)
        np.testing.assert_allclose(sim.pos, np.tile([0, 0, -10], (8, 1)), atol=0.05)
        np.testing.assert_allclose(sim.euler[:, 2], 0.0, atol=0.02)


def test_a_wing_quad_of_an_sdf_file_hovers_at_once(write: Callable[..., Path]) -> None:
    sim = pyrfly.Sim(from_sdf(write()))
    assert sim.control_mass[0] == pytest.approx(sim.mass[0])
    sim.arm()
    sim.command_position([1, -1, -5], yaw=0.5)
    sim.sleep(15.0)
    np.testing.assert_allclose(sim.pos[0], [1, -1, -5], atol=0.1)
    assert sim.euler[0, 2] == pytest.approx(0.5, abs=0.02)
    with pytest.raises(ValueError, match="expected"):
        sim.gazebo_blocks.command_transition("wings")
    with pytest.raises(ValueError, match="expected"):
        sim.gazebo_blocks.command_circle([0, 0, -10])


# --- channels -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", names("gazebo_blocks"))
def test_without_set_points_the_channels_are_the_users(name: str) -> None:
    sim = pyrfly.Sim(name)
    sim.arm()
    sim.channel[0] = 0.05
    sim.sleep(0.5)
    assert (sim.channel == 0.05).all()


def test_channels_end_set_points() -> None:
    sim = pyrfly.Sim("gz_standard_vtol")
    sim.arm()
    sim.command_position([0, 0, -10])
    sim.sleep(1.0)
    assert (sim.channel[0, :4] > 0.3).all()
    sim.gazebo_blocks.command_channels(np.full(16, 0.1))
    sim.sleep(0.1)
    assert (sim.channel == 0.1).all()


# --- winged flight ------------------------------------------------------------------------------


def flying(name: str, precision: str = "float64", wind: Any = (0.0, 0.0, 0.0)) -> pyrfly.Sim:
    """Return a plane in the air, with the airspeed of cruise to the north."""
    sim = pyrfly.Sim(name, dt=0.002, precision=precision)
    sim.reset(pos=[0, 0, -80])
    sim.arm()
    sim.wind[0] = wind
    sim.vel[0] = [float(sim.wing_cruise_airspeed[0]), 0.0, 0.0] + sim.wind[0]
    return sim


@pytest.mark.parametrize("name", WINGED)
@PRECISIONS
def test_a_plane_of_blocks_circles(name: str, precision: str) -> None:
    sim = flying(name, precision)
    sim.gazebo_blocks.command_circle([0, 0, -80], 60.0)
    sim.sleep(50.0)
    for _ in range(6):
        sim.sleep(3.0)
        assert np.linalg.norm(sim.pos[0, :2]) == pytest.approx(60.0, abs=3.0)
        assert sim.pos[0, 2] == pytest.approx(-80.0, abs=1.0)


@pytest.mark.parametrize("name", WINGED)
def test_a_plane_of_blocks_follows_a_line_in_wind(name: str) -> None:
    sim = flying(name, wind=(0.0, 5.0, 0.0))
    sim.gazebo_blocks.command_line([0, 0, -80], [1, 0.2, 0])
    sim.sleep(40.0)
    course = np.array([1, 0.2]) / np.hypot(1, 0.2)
    for _ in range(5):
        sim.sleep(2.0)
        across = course[0] * sim.pos[0, 1] - course[1] * sim.pos[0, 0]
        assert abs(across) < 1.0
        assert sim.pos[0, 2] == pytest.approx(-80.0, abs=1.0)
        airspeed = np.linalg.norm(sim.vel[0] - sim.wind[0])
        assert airspeed == pytest.approx(sim.wing_cruise_airspeed[0], abs=1.0)


@pytest.mark.parametrize("name", HOVERING)
def test_a_reset_in_hover_has_no_transient(name: str) -> None:
    """Also in wind, but where joints in slipstreams hold it; other joints are at rest in hover."""
    wind = (0.0, 0.0, 0.0) if name == "sih_tailsitter" else (3.0, 2.0, 0.0)
    sim = hovering(name, wind=wind, n=2)
    channel, pos = sim.channel.copy(), sim.pos.copy()
    sim.sleep(2.0)
    np.testing.assert_allclose(sim.channel, channel, atol=2e-3)
    np.testing.assert_allclose(sim.pos, pos, atol=1e-3)
    assert (sim.vtol_state == HOVER * (sim.transition_timeout > 0)).all()


@pytest.mark.slow
@pytest.mark.parametrize("name", HOVERING)
def test_hover_against_the_wind_is_as_slow_as_wings_allow(name: str) -> None:
    """With 2 m/s from the front and from the side; faster through the air they would lift it."""
    wind = np.array([[-2.0, 0.0, 0.0], [0.0, 2.0, 0.0]])
    sim = pyrfly.Sim(name, 2, dt=0.002)
    sim.reset(pos=np.tile([0.0, 0.0, -40.0], (2, 1)), yaw=np.zeros(2), hover=True)
    sim.wind[:] = wind
    sim.command_position([60.0, 0.0, -40.0])
    for _ in range(40):
        sim.sleep(1.0)
        assert (np.linalg.norm(sim.vel - wind, axis=1) < 1.05 * sim.speed_limit).all()
        assert np.abs(sim.pos[:, 2] + 40.0).max() < 2.5
    assert (sim.pos[:, 0] > 55.0).all()


def test_a_reset_in_hover_of_others_is_refused() -> None:
    with pytest.raises(ParameterError, match=r"not hover but starts in flight .*sim\.vel"):
        pyrfly.Sim("gz_plane").reset(pos=[0, 0, -40], hover=True)


# --- transitions --------------------------------------------------------------------------------


def hovering(
    name: str, precision: str = "float64", wind: Any = (0.0, 0.0, 0.0), n: int = 1
) -> pyrfly.Sim:
    """Return vehicles that hover in 40 m."""
    sim = pyrfly.Sim(name, n, dt=0.002, precision=precision)
    sim.wind[:] = wind
    sim.reset(pos=np.tile([0.0, 0.0, -40.0], (n, 1)), yaw=np.zeros(n), hover=True)
    return sim


def until(sim: pyrfly.Sim, state: int, seconds: float) -> list[float]:
    """Fly until a state, which must be reached in time; return the heights on the way."""
    heights = []
    while sim.vtol_state[0] != state:
        assert (seconds := seconds - 0.1) > 0.0, f"state {sim.vtol_state[0]}"
        sim.sleep(0.1)
        heights.append(-float(sim.pos[0, 2]))
    return heights


def all_until(sim: pyrfly.Sim, state: int, seconds: float) -> NDArray[np.float64]:
    """Fly until a state of all, which must be reached in time; return the heights on the way."""
    heights = [-sim.pos[:, 2]]
    while (sim.vtol_state != state).any():
        assert (seconds := seconds - 0.1) > 0.0, f"state {sim.vtol_state}"
        sim.sleep(0.1)
        heights.append(-sim.pos[:, 2])
    return np.array(heights)


WINDS = 5.0 * np.array(
    [[0, 0, 0], *([np.cos(a), np.sin(a), 0] for a in np.radians(np.arange(8) * 45))]
)
"""None, and 5 m/s from all sides."""


@pytest.mark.parametrize(
    ("name", "precision", "circles"),
    [
        ("gz_standard_vtol", "float64", False),
        ("derivative_vtol", "float64", False),
        pytest.param("gz_standard_vtol", "float32", False, marks=pytest.mark.slow),
        pytest.param("derivative_vtol", "float32", False, marks=pytest.mark.slow),
        pytest.param("gz_standard_vtol", "float64", True, marks=pytest.mark.slow),
    ],
)
def test_transitions_keep_the_height_in_wind(name: str, precision: str, circles: bool) -> None:
    """Within 5 m, and within 1 m 10 s after one to wings; hover within 60 m."""
    sim = hovering(name, precision, WINDS, len(WINDS))
    if not circles:
        sim.gazebo_blocks.command_course(0.0, 40.0)
    sim.gazebo_blocks.command_transition("wings")
    assert np.abs(all_until(sim, WINGS, 15.0) - 40.0).max() < 5.0
    sim.sleep(10.0 if not circles else 21.0)
    np.testing.assert_allclose(sim.pos[:, 2], -40.0, atol=1.0)
    assert (sim.motor_speed[:, :4] < 500.0).all()

    start, height = sim.pos.copy(), -sim.pos[:, 2]
    sim.gazebo_blocks.command_transition("hover")
    sim.sleep(0.1)
    assert (sim.vtol_state == TO_HOVER).all()
    assert np.abs(all_until(sim, HOVER, 10.0) - height).max() < 5.0
    sim.sleep(1.0)  # the transition ends at 2 m/s
    assert np.linalg.norm(sim.vel, axis=1).max() < 0.5
    assert np.linalg.norm((sim.pos - start)[:, :2], axis=1).max() < 60.0
    assert (sim.vtol_timeouts == 0).all()
    assert (sim.quadchute == 0).all()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "airspeed", "way"),
    [
        ("gz_standard_vtol", 18.0, 75.0),
        ("derivative_vtol", 20.0, 45.0),
        ("derivative_vtol", 22.0, 68.0),
    ],
)
def test_hover_from_more_than_the_cruise_airspeed(name: str, airspeed: float, way: float) -> None:
    """Still within 5 m of the height; the way is longer the longer wings alone can brake."""
    sim = hovering(name, wind=WINDS, n=len(WINDS))
    sim.gazebo_blocks.command_course(0.0, 40.0, airspeed=airspeed)
    sim.gazebo_blocks.command_transition("wings")
    sim.sleep(25.0)
    assert (sim.vtol_state == WINGS).all()
    start, height = sim.pos.copy(), -sim.pos[:, 2]
    sim.gazebo_blocks.command_transition("hover")
    sim.sleep(0.1)
    assert np.abs(all_until(sim, HOVER, 12.0) - height).max() < 5.0
    assert np.linalg.norm((sim.pos - start)[:, :2], axis=1).max() < way


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "column", "factor"),
    [
        ("gz_standard_vtol", "mass", 1.6),
        ("gz_standard_vtol", "motor_thrust", 0.5),
        ("gz_standard_vtol", "surface_area", 0.5),
        ("derivative_vtol", "inertia", 3.0),
        ("derivative_vtol", "mass", 1.5),
    ],
)
def test_hover_of_vtols_with_other_numbers(name: str, column: str, factor: float) -> None:
    """The law has no numbers of a set: heavier, with weaker rotors, smaller wings, slower."""
    base = load(name)
    changed = base.columns[column].copy()
    changed[: 4 if column == "motor_thrust" else None] *= factor
    vehicle = replace(base, columns={**base.columns, column: changed})
    sim = pyrfly.Sim(vehicle, len(WINDS), dt=0.002)
    sim.reset(pos=np.tile([0.0, 0.0, -40.0], (len(WINDS), 1)), hover=True)
    sim.wind[:] = WINDS
    sim.arm()
    sim.gazebo_blocks.command_course(0.0, 40.0)
    sim.gazebo_blocks.command_transition("wings")
    sim.sleep(25.0)
    start, height = sim.pos.copy(), -sim.pos[:, 2]
    sim.gazebo_blocks.command_transition("hover")
    sim.sleep(0.1)
    assert np.abs(all_until(sim, HOVER, 12.0) - height).max() < 5.0
    assert np.linalg.norm((sim.pos - start)[:, :2], axis=1).max() < 68.0


def test_wings_brake_beyond_their_stall_where_the_pitch_rate_outruns_their_lift() -> None:
    """By the numbers of a set, without any of its own: V_k <= 1.8 V_p, g V_k / V_p^2 <= 0.6 w."""
    sim = pyrfly.Sim("gz_standard_vtol")
    area = 0.5 * 1.225 * (2 * 0.5) * 4.752798721 * 0.3391428111  # lift over V^2 of both wings
    peak = np.sqrt(sim.mass[0] * sim.gravity[0] / area)
    expected = min(1.8 * peak, 0.6 * sim.rate_limit[0, 0] * peak**2 / sim.gravity[0])
    assert sim.braking_airspeed[0] == pytest.approx(expected, rel=0.02)


@pytest.mark.parametrize("name", TAILSITTERS)
def test_transitions_of_tailsitters_keep_the_height(name: str) -> None:
    """In 2 m/s of wind at most: their wing is across the wind in hover."""
    winds = 0.4 * WINDS[[0, 1, 3, 5]]
    sim = hovering(name, wind=winds, n=len(winds))
    sim.sleep(2.0)
    sim.gazebo_blocks.command_course(0.0, 40.0)
    for to, state in (("wings", WINGS), ("hover", HOVER)):
        start = sim.pos.copy()
        sim.gazebo_blocks.command_transition(to)
        assert np.abs(all_until(sim, state, 15.0) + start[:, 2]).max() < 3.5
        if state == HOVER:
            assert np.linalg.norm((sim.pos - start)[:, :2], axis=1).max() < 30.0
        sim.sleep(15.0)
    assert np.linalg.norm(sim.vel, axis=1).max() < 0.1
    assert (sim.vtol_timeouts == 0).all()


@pytest.mark.parametrize("name", ["derivative_vtol", "gz_tailsitter"])
def test_winged_flight_does_not_go_on_with_the_yaw_moment_of_hover(name: str) -> None:
    """Which held the body across the wind: the air flows along the nose 10 s later."""
    sim = hovering(name, wind=(0.0, 3.0 if name == "derivative_vtol" else 1.8, 0.0))
    sim.sleep(5.0)
    sim.gazebo_blocks.command_course(0.0, 40.0)
    sim.gazebo_blocks.command_transition("wings")
    until(sim, WINGS, 15.0)
    sim.sleep(10.0)
    q0, x, y, z = sim.att[0]
    right = np.array([2 * (x * y - q0 * z), 1 - 2 * (x * x + z * z), 2 * (y * z + q0 * x)])
    through = sim.vel[0] - sim.wind[0]
    sideslip = np.degrees(np.arcsin(right @ through / np.linalg.norm(through)))
    assert abs(sideslip) < 0.2


@pytest.mark.slow
def test_joints_leave_the_thrust_of_a_tailsitter_to_height_and_airspeed() -> None:
    """It descends as fast as it may, at its airspeed, and flies level at other airspeeds."""
    sim = hovering("gz_tailsitter", n=3)
    sim.gazebo_blocks.command_transition("wings")
    sim.gazebo_blocks.command_line([0, 0, -40], [1.0, 0.0, 0.0], airspeed=[8.5, 6.0, 12.0])
    sim.sleep(50.0)
    np.testing.assert_allclose(np.linalg.norm(sim.vel, axis=1), [8.5, 6.0, 12.0], atol=0.1)
    np.testing.assert_allclose(sim.pos[:, 2], -40.0, atol=0.1)
    sim.gazebo_blocks.command_line([0, 0, 0], [1.0, 0.0, 0.0], airspeed=8.5, ids=1)
    sim.sleep(15.0)
    assert sim.vel[0, 2] == pytest.approx(sim.wing_descent_limit[0], abs=0.05)
    assert np.linalg.norm(sim.vel[0]) == pytest.approx(8.5, abs=0.2)


# --- a tailsitter whose motors give all moments -------------------------------------------------

QUAD = "gz_quadtailsitter"


def in_winged_flight(n: int, wind: Any) -> tuple[pyrfly.Sim, float]:
    """Return such tailsitters that begin a transition, and the radius of their circles."""
    sim = pyrfly.Sim(QUAD, n, dt=0.002)
    sim.wind[:] = wind
    sim.reset(pos=np.tile([0.0, 0.0, -40.0], (n, 1)), yaw=np.zeros(n), hover=True)
    sim.gazebo_blocks.command_transition("wings")
    return sim, float(sim.wing_loiter_radius[0])


@pytest.mark.slow
def test_motors_alone_hold_circles_in_wind_from_all_sides() -> None:
    """Within 1 m of the radius, 0.5 m of the height; on the way there within 3 m of the height."""
    sim, radius = in_winged_flight(len(WINDS), WINDS)
    sim.gazebo_blocks.command_circle([0, 0, -40])
    for _ in range(100):
        sim.sleep(0.5)
        assert np.abs(sim.pos[:, 2] + 40.0).max() < 3.0
    for _ in range(60):
        sim.sleep(1.0)
        off = np.linalg.norm(sim.pos[:, :2], axis=1) - radius
        np.testing.assert_allclose(off, 0.0, atol=1.0)
        np.testing.assert_allclose(sim.pos[:, 2], -40.0, atol=0.5)
    airspeed = np.linalg.norm(sim.vel - sim.wind, axis=1)
    np.testing.assert_allclose(airspeed, sim.wing_cruise_airspeed, atol=0.2)
    assert (sim.vtol_state == WINGS).all()
    assert (sim.quadchute == 0).all()


@pytest.mark.slow
def test_motors_alone_follow_lines_in_wind_from_all_sides() -> None:
    sim, _ = in_winged_flight(len(WINDS), WINDS)
    sim.gazebo_blocks.command_line([0, 0, -40], [1.0, 0.0, 0.0])
    sim.sleep(25.0)
    for _ in range(20):
        sim.sleep(1.0)
        np.testing.assert_allclose(sim.pos[:, 1], 0.0, atol=1.0)
        np.testing.assert_allclose(sim.pos[:, 2], -40.0, atol=1.0)


@pytest.mark.slow
def test_motors_alone_hold_circles_while_they_climb_and_descend() -> None:
    """Descents keep thrust for the moments, so that it stays on the circle; 10 m up and down."""
    sim, radius = in_winged_flight(2, [[0.0, 0.0, 0.0], [0.0, 5.0, 0.0]])
    sim.gazebo_blocks.command_circle([0, 0, -40])
    sim.sleep(50.0)
    for height in (50.0, 40.0):
        sim.gazebo_blocks.command_circle([0, 0, -height])
        for _ in range(45):
            sim.sleep(1.0)
            off = np.linalg.norm(sim.pos[:, :2], axis=1) - radius
            np.testing.assert_allclose(off, 0.0, atol=2.0)
        np.testing.assert_allclose(sim.pos[:, 2], -height, atol=1.0)


@pytest.mark.slow
def test_airspeeds_that_motors_alone_cannot_trim_are_limited() -> None:
    """It flies its slowest and its fastest airspeed, and keeps the height."""
    sim, _ = in_winged_flight(2, 0.0)
    sim.gazebo_blocks.command_line([0, 0, -40], [1.0, 0.0, 0.0], airspeed=[10.0, 20.0])
    sim.sleep(40.0)
    limits = [float(sim.wing_minimum_airspeed[0]), float(sim.wing_speed_limit[0])]
    np.testing.assert_allclose(np.linalg.norm(sim.vel, axis=1), limits, atol=0.3)
    np.testing.assert_allclose(sim.pos[:, 2], -40.0, atol=1.0)


@pytest.mark.slow
@pytest.mark.parametrize("column", ["wing_cruise_airspeed", "wing_speed_limit"])
def test_motors_alone_pitch_up_to_hover_faster_than_wings_lift(column: str) -> None:
    """From settled flight, in still air and in 2 m/s of wind: it stays within 5 m of the height."""
    sim, _ = in_winged_flight(4, 0.4 * WINDS[[0, 1, 3, 5]])
    sim.gazebo_blocks.command_line([0, 0, -40], [1.0, 0.0, 0.0], airspeed=getattr(sim, column))
    sim.sleep(40.0)
    heights = sim.pos[:, 2].copy()
    sim.gazebo_blocks.command_transition("hover")
    assert np.abs(all_until(sim, HOVER, 5.0) + heights).max() < 5.0


# --- quadchute ----------------------------------------------------------------------------------


QUADCHUTES = {
    "height": (3, {"quadchute_height": 60.0}, ("motor_thrust", 4, 0.0)),
    "descent": (4, {"quadchute_loss": [10.0, 20.0]}, ("motor_thrust", 4, 0.0)),
    "roll": (7, {"quadchute_tilt": [0.0, 0.35]}, ("joint_limit", 0, 0.3)),
    "without limits": (0, {"quadchute_loss": [0.0, 0.0]}, ("motor_thrust", 4, 0.0)),
}
"""Reason, limits, and what fails: the pusher, or an aileron."""


def test_a_vtol_that_fails_in_winged_flight_hovers() -> None:
    """Every limit saves it alone; it stays 3 m below where it is noticed. A sound one flies on."""
    n = len(QUADCHUTES) + 1
    sim = pyrfly.Sim("gz_standard_vtol", n, dt=0.002)
    sim.reset(pos=np.tile([0.0, 0.0, -80.0], (n, 1)), hover=True)
    sim.gazebo_blocks.command_transition("wings")
    sim.sleep(12.0)
    assert (sim.vtol_state == WINGS).all()
    for row, (_, limits, (column, place, value)) in enumerate(QUADCHUTES.values()):
        for name, limit in limits.items():
            getattr(sim, name)[row] = limit
        getattr(sim, column)[row, place] = value
    sim.quadchute_height[n - 1], sim.quadchute_loss[n - 1] = 60.0, 10.0
    sim.quadchute_tilt[n - 1] = 0.7, 1.05
    lowest = np.full(n, 80.0)
    for _ in range(60):
        sim.sleep(0.5)
        lowest = np.minimum(lowest, -sim.pos[:, 2])
    reasons = [reason for reason, *_ in QUADCHUTES.values()]
    np.testing.assert_array_equal(sim.quadchute, [*reasons, 0])
    np.testing.assert_array_equal(sim.vtol_state, [HOVER, HOVER, HOVER, WINGS, WINGS])
    assert (lowest[:4] > [57.0, 67.0, 70.0, -1.0]).all()
    assert lowest[3] < 50.0
    assert lowest[4] > 79.0
    sim.gazebo_blocks.command_transition("wings", ids=3)
    sim.sleep(0.1)
    assert (sim.vtol_state[2], sim.quadchute[2]) == (TO_WINGS, 0)


def test_a_descent_that_is_commanded_is_no_loss_of_height() -> None:
    """Along a line that falls by 40 m, of which it may be a little below, with a limit of 10 m."""
    sim = pyrfly.Sim("gz_standard_vtol", dt=0.002)
    sim.reset(pos=[0, 0, -90], hover=True)
    sim.gazebo_blocks.command_transition("wings")
    sim.sleep(12.0)
    sim.quadchute_loss[0] = 10.0, 0.0
    north, east, down = sim.pos[0]
    sim.gazebo_blocks.command_line([north, east, down + 0.5], [1.0, 0.0, 0.1])
    sim.sleep(25.0)
    assert sim.pos[0, 2] > -65.0
    assert (sim.vtol_state[0], sim.quadchute[0]) == (WINGS, 0)


def test_a_loss_of_height_ends_the_transition() -> None:
    """The motors for hover fail in it."""
    sim = hovering("gz_standard_vtol")
    sim.gazebo_blocks.command_transition("wings")
    sim.sleep(0.5)
    sim.motor_thrust[0, :4] = 0.0
    sim.quadchute_loss[0] = [0.0, 5.0]
    sim.sleep(2.0)
    assert sim.quadchute[0] == 5
    assert sim.vtol_state[0] in (TO_HOVER, HOVER)


@pytest.mark.parametrize(
    "name",
    [
        "gz_standard_vtol",
        *(pytest.param(k, marks=pytest.mark.slow) for k in ("derivative_vtol", *TAILSITTERS)),
    ],
)
def test_a_vtol_circles_a_position_in_winged_flight(name: str) -> None:
    sim = hovering(name)
    sim.enable_part("free_inputs")
    sim.gazebo_blocks.command_transition("wings")
    for state in (TO_WINGS, WINGS):
        until(sim, state, 15.0)
        sim.sleep(0.1)
        assert sim.autopilot_inputs[0].tolist() == [0, 0, 0, 0, state, *[0] * 27]  # inCopterData
    sim.sleep(60.0)
    radius = float(sim.wing_loiter_radius[0])
    for _ in range(5):
        sim.sleep(3.0)
        assert np.linalg.norm(sim.pos[0, :2]) == pytest.approx(radius, abs=2.0)
        assert sim.pos[0, 2] == pytest.approx(-40.0, abs=1.0)
        assert name in TAILSITTERS or (sim.motor_speed[0, :4] < 1.0).all()


def test_a_transition_that_takes_too_long_ends_in_hover() -> None:
    sim = hovering("gz_standard_vtol")
    sim.motor_thrust[0, 4] = 0.0  # the pusher
    sim.gazebo_blocks.command_transition("wings")
    sim.sleep(14.0)
    assert (sim.vtol_state[0], sim.vtol_timeouts[0]) == (TO_WINGS, 0)
    sim.sleep(5.0)
    assert (sim.vtol_state[0], sim.vtol_timeouts[0], sim.quadchute[0]) == (HOVER, 1, 1)
    sim.sleep(20.0)
    np.testing.assert_allclose(sim.pos[0], [0, 0, -40], atol=0.2)


def test_a_transition_can_be_taken_back() -> None:
    sim = hovering("gz_standard_vtol")
    sim.gazebo_blocks.command_transition("wings")
    sim.sleep(1.5)
    sim.gazebo_blocks.command_transition("hover")
    heights = until(sim, HOVER, 15.0)
    assert np.abs(np.array(heights) - 40.0).max() < 5.0
    assert sim.vtol_timeouts[0] == 0


def test_a_transition_begins_in_the_air_alone() -> None:
    sim = pyrfly.Sim("gz_standard_vtol")
    sim.arm()
    sim.gazebo_blocks.command_transition("wings")
    sim.command_velocity([0, 0, 0])
    sim.sleep(2.0)
    assert sim.vtol_state[0] == HOVER
    assert sim.pos[0, 2] > -0.1


def test_disarming_ends_winged_flight() -> None:
    sim = hovering("gz_standard_vtol")
    sim.gazebo_blocks.command_transition("wings")
    until(sim, WINGS, 15.0)
    sim.arm(False)
    sim.sleep(0.1)
    assert sim.vtol_state[0] == HOVER
    assert (sim.channel == 0).all()


@pytest.mark.slow
def test_a_landing_from_winged_flight_hovers_first() -> None:
    """By RflySim's inputs: take-off, winged flight around the position, landing there."""
    sim = pyrfly.Sim("gz_standard_vtol", dt=0.002)
    sim.enable_synthesis()
    ints, floats = inputs(1)
    floats[0, POS] = 0, 0, -40
    ints[0, :2] = BASE | Command.ARMED | Command.TAKEOFF, 1
    sim.command_sil(ints, floats)
    sim.sleep(35.0)
    sim.gazebo_blocks.command_transition("wings")
    until(sim, WINGS, 15.0)
    sim.sleep(20.0)
    assert sim.vtol_state[0] == WINGS
    floats[0, POS] = 10, 5, 0
    ints[0, :2] = BASE | Command.ARMED | Command.LAND, 1
    sim.command_sil(ints, floats)
    until(sim, HOVER, 120.0)
    sim.sleep(120.0)
    assert sim.armed[0] == 0
    np.testing.assert_allclose(sim.pos[0], [10, 5, 0], atol=0.6)


def test_vehicles_of_different_flight_are_controlled_as_alone() -> None:
    """A block of lanes has vehicles in hover, transition and winged flight."""
    alone = []
    for n in (3, 1, 1, 1):
        sim = pyrfly.Sim("gz_standard_vtol", n, dt=0.002)
        ids = range(3) if n == 3 else [len(alone) - 1]
        sim.reset(pos=np.tile([0.0, 0.0, -60.0], (n, 1)))
        sim.arm()
        sim.command_position([0, 0, -60])
        for row, which in enumerate(ids):
            sim.motor_speed[row, :4] = 786.0
            if which:
                sim.vtol_command[row] = WINGS
        sim.sleep(6.0)
        for row, which in enumerate(ids):
            if which == 2:
                sim.vtol_command[row] = HOVER
        sim.sleep(3.0)
        alone.append(sim)
    for which in range(3):
        for column in ("pos", "att", "rate_integral", "vtol_state", "throttle_integral", "channel"):
            np.testing.assert_array_equal(
                getattr(alone[0], column)[which], getattr(alone[1 + which], column)[0]
            )


# --- refusals -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "command"),
    [
        ("gz_plane", lambda sim: sim.gazebo_blocks.command_transition("hover")),
        ("gz_standard_vtol", lambda sim: sim.gazebo_blocks.command_transition("fly")),
    ],
)
def test_commands_that_a_vehicle_cannot_obey_are_refused(
    name: str, command: Callable[[Any], None]
) -> None:
    sim = pyrfly.Sim(name)
    sim.arm()
    with pytest.raises(ValueError, match=r"expected|lacks"):
        command(sim)
    assert sim.setpoint_mask[0] == 0
    assert sim.vtol_command[0] == 0


def unable() -> VehicleParameters:
    """Return a plane whose propeller gives no thrust: it can neither hover nor fly."""
    plane = load("gz_plane")
    thrust = np.zeros_like(plane.columns["motor_thrust"])
    return replace(plane, columns={**plane.columns, "motor_thrust": thrust})


def test_the_navigator_refuses_commands_to_vehicles_that_neither_hover_nor_fly() -> None:
    sim = pyrfly.Sim(unable())
    sim.enable_synthesis()
    ints, floats = inputs(1)
    ints[0, :2] = BASE | Command.ARMED | Command.TAKEOFF, 0
    sim.command_sil(ints, floats)
    sim.sleep(1.0)
    assert (sim.sil_refused[0], sim.armed[0]) == (1, 0)
    np.testing.assert_allclose(sim.pos[0], 0.0, atol=1e-3)


def test_a_mission_is_refused_by_vehicles_that_neither_hover_nor_fly() -> None:
    items = (TakeOff((0.0, 0.0, -5.0)), Land((0.0, 0.0, 0.0)))
    with pytest.raises(pyrfly.MissionError, match="neither hover nor fly"):
        fly_mission(pyrfly.Sim(unable()), Mission(items))
