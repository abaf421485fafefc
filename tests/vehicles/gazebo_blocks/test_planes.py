"""Planes of blocks: RflySim's commands by their effect, take-off, landing, trim.

All vehicles of a test fly in one `pyrfly.Sim`, each with a command of its own.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import pyrfly
from pyrfly.ctrl import PX4MavCtrler, UnsupportedError
from pyrfly.protocol.synthesis import Mode
from pyrfly.vehicles import load
from pyrfly.vehicles.hovering import PX4_PARAMETERS

Array = NDArray[np.float64]
Command = Callable[[Any], object]

PLANES = ("gz_plane", "gz_advanced_plane")
NAME = "gz_plane"
CENTRE = (120.0, 60.0, -70.0)
LANDING = (60.0, 40.0)


def gain(name: str, of: str = NAME) -> float:
    found = load(of)
    return float(pyrfly.Sim(found).groups[0].view(f"wing_{name}")[0])


CRUISE, RADIUS = gain("cruise_airspeed"), gain("loiter_radius")


def fleet(commands: int, name: str = NAME, height: float = 60.0) -> tuple[pyrfly.Sim, list[Any]]:
    """Return planes that fly to the north, or stand at the height 0, with a controller for each."""
    sim = pyrfly.Sim(name, commands, dt=0.002)
    controllers = [PX4MavCtrler(i + 1, sim=sim) for i in range(commands)]
    for one in controllers:
        one.InitMavLoop()
        one.SendMavArm(1)
    if height:
        sim.pos[:, 2] = -height
        sim.vel[:, 0] = gain("cruise_airspeed", name)
        for one in controllers:
            one.initOffboard()
    return sim, controllers


def each(
    commands: dict[str, Command], **options: Any
) -> tuple[pyrfly.Sim, Iterator[tuple[int, str]]]:
    sim, controllers = fleet(len(commands), **options)
    for one, command in zip(controllers, commands.values(), strict=True):
        command(one)
    return sim, iter(list(enumerate(commands)))


def airspeed(sim: pyrfly.Sim) -> Array:
    return np.asarray(np.linalg.norm(sim.vel - sim.wind, axis=1), np.float64)


def circles(sim: pyrfly.Sim, row: int, radius: float = RADIUS, speed: float = CRUISE) -> None:
    way = sim.pos[row] - CENTRE
    assert math.hypot(way[0], way[1]) == pytest.approx(abs(radius), abs=3.0)
    assert way[2] == pytest.approx(0.0, abs=2.0)
    assert airspeed(sim)[row] == pytest.approx(speed, abs=1.0)
    assert (way[0] * sim.vel[row, 1] - way[1] * sim.vel[row, 0]) * radius > 0.0


# --- commands -----------------------------------------------------------------------------------

POSITIONS: dict[str, Command] = {
    "SendPosNED": lambda c: c.SendPosNED(*CENTRE, 1.0),
    "SendPosNEDNoYaw": lambda c: c.SendPosNEDNoYaw(*CENTRE),
    "SendPosNEDExt": lambda c: c.SendPosNEDExt(*CENTRE),
    "SendPosFRD": lambda c: c.SendPosFRD(120, 60, -10, 0.5),
    "SendPosGlobal": lambda c: c.SendPosGlobal(*c._link.origin.to_lla(np.array(CENTRE)).tolist()),
    "SendSynPos": lambda c: c.SendSynPos(*CENTRE, 0),
    "sendMavOffboardCmd": lambda c: c.sendMavOffboardCmd(0xFF8, 1, *CENTRE, *[0] * 8),
}


@pytest.mark.slow
def test_a_position_is_circled_at_its_height_with_cruise_speed_and_radius() -> None:
    cruising: dict[str, Command] = {
        "SendCruiseSpeed": lambda c: (c.SendCruiseSpeed(14), c.SendPosNED(*CENTRE)),
        "SendMavCmdLong": lambda c: (c.SendMavCmdLong(178, 0, 13, -1), c.SendPosNED(*CENTRE)),
        "SendCruiseRadius": lambda c: (c.SendCruiseRadius(70), c.SendPosNED(*CENTRE)),
    }
    expected = {"SendCruiseSpeed": (RADIUS, 14.0), "SendMavCmdLong": (RADIUS, 13.0)}
    expected["SendCruiseRadius"] = (70.0, CRUISE)
    sim, rows = each(POSITIONS | cruising)
    sim.sleep(60.0)
    for row, command in rows:
        circles(sim, row, *expected.get(command, (RADIUS, CRUISE)))
    assert not (sim.sil_refused | sim.sil_bad | sim.sil_unknown).any()


@pytest.mark.slow
def test_courses_velocities_attitudes_and_kinds_have_their_effect() -> None:
    commands: dict[str, Command] = {
        "SendVelYawAlt": lambda c: c.SendVelYawAlt(13, 1.0, -80),
        "SendVelNED": lambda c: c.SendVelNED(8, -9, -1.0, 0),
        "SendVelFRD": lambda c: c.SendVelFRD(13, 0, 0, 0.1),
        "SendAttPX4": lambda c: c.SendAttPX4([15, 0, 0, 0], 0.06),
        "with a height": lambda c: c.SendAttPX4([0, -2, 0, 0], 70, 0, 1),
        "glide": lambda c: c.SendPosNEDExt(300, 0, -20, 0),
        "idle": lambda c: c.SendPosNEDExt(0, 0, 0, 4),
        "endOffboard": lambda c: c.endOffboard(),
        "sendMavLand": lambda c: c.sendMavLand(*LANDING, 0),
        "SendSetMode RTL": lambda c: c.SendSetMode(4, 5),
    }
    sim, rows = each(commands)
    at = {command: row for row, command in rows}
    sim.sleep(4.0)
    euler, throttle = np.degrees(sim.euler), sim.throttle_command
    np.testing.assert_allclose(euler[at["SendAttPX4"], :2], [15, 0], atol=1.5)
    assert throttle[at["SendAttPX4"]] == pytest.approx(0.06)
    assert euler[at["idle"], 0] == pytest.approx(0, abs=1.5)  # its elevator cannot hold the pitch
    assert throttle[at["idle"]] == throttle[at["glide"]] == 0.0
    assert airspeed(sim)[at["glide"]] == pytest.approx(CRUISE, abs=1.0)
    sim.sleep(16.0)
    course = np.arctan2(sim.vel[:, 1], sim.vel[:, 0])
    assert course[at["SendVelNED"]] == pytest.approx(math.atan2(-9, 8), abs=0.03)
    assert sim.vel[at["SendVelNED"], 2] == pytest.approx(-1.0, abs=0.15)
    assert airspeed(sim)[at["SendVelNED"]] == pytest.approx(math.hypot(8, 9), abs=1.0)
    before = course[at["SendVelFRD"]]
    sim.sleep(5.0)
    course = np.arctan2(sim.vel[:, 1], sim.vel[:, 0])
    turned = math.remainder(course[at["SendVelFRD"]] - before, math.tau)
    assert turned == pytest.approx(0.5, abs=0.05)
    sim.sleep(20.0)
    assert course[at["SendVelYawAlt"]] == pytest.approx(1.0, abs=0.02)
    assert sim.pos[at["SendVelYawAlt"], 2] == pytest.approx(-80, abs=2)
    assert airspeed(sim)[at["SendVelYawAlt"]] == pytest.approx(13, abs=1)
    assert sim.pos[at["with a height"], 2] == pytest.approx(-70, abs=2)
    home = sim.pos[at["SendSetMode RTL"]]
    assert sim.navigator_mode[at["SendSetMode RTL"]] == Mode.RETURN
    assert math.hypot(home[0], home[1]) == pytest.approx(RADIUS, abs=3)
    assert sim.navigator_mode[at["sendMavLand"]] in (Mode.APPROACH, Mode.DESCEND)
    assert math.hypot(*sim.pos[at["endOffboard"], :2]) < 3 * RADIUS
    assert not (sim.sil_refused | sim.sil_bad | sim.sil_unknown).any()


def test_what_they_cannot_obey_is_refused_or_counted() -> None:
    sim, (mav,) = fleet(1)
    with pytest.raises(UnsupportedError, match=r"acceleration: expected .* CopterID 1"):
        mav.SendAccPX4(1, 0, 0)
    for command in (
        lambda: sim.gazebo_blocks.command_transition("wings"),
        lambda: sim.gazebo_blocks.command_attitude([1, 0, 0, 0], 0.5),
    ):
        with pytest.raises(ValueError, match="expected vehicles that hover"):
            command()
    for radius in (4.9, 1001.0):
        with pytest.raises(ValueError, match="rad: expected"):
            mav.SendCruiseRadius(radius)
    mav.enFixedWRWTO()
    mav.sendMavSetParam(b"FW_R_LIM", 40.0, 9)
    assert sim.wing_tilt_limit[0] == pytest.approx(math.radians(40))
    mav.SendSetMode(4, 5)
    sim.sleep(0.1)
    mav.SendPosNED(500, 500, -90)
    mav.initOffboard()
    sim.sleep(0.5)
    assert sim.navigator_mode[0] == Mode.RETURN
    assert sim.sil_refused[0] > 0


def test_vehicles_that_only_hover_have_no_winged_parameters() -> None:
    """Such as a quadrotor of blocks without its wing."""
    quad = load("gz_quadtailsitter")
    columns = {**quad.columns, "aero_count": np.zeros_like(quad.columns["aero_count"])}
    sim = pyrfly.Sim(replace(quad, columns=columns))
    (hovers,) = sim.groups
    assert hovers.abilities.px4 == PX4_PARAMETERS
    mav = PX4MavCtrler(1, sim=sim)
    mav.InitMavLoop()
    mav.SendCruiseSpeed(4)
    assert (hovers.speed_limit[0], hovers.wing_cruise_airspeed[0]) == (4, 0)


# --- take-off and landing -----------------------------------------------------------------------

TAKE_OFFS: dict[str, tuple[Command, float, float]] = {
    "sendMavTakeOff": (lambda c: c.sendMavTakeOff(500, 90, -50), 15, 50),
    "with a pitch angle": (lambda c: c.sendMavTakeOff(0, 0, -50, 1.0, math.radians(10)), 10, 50),
    "sendMavTakeOffLocal": (lambda c: c.sendMavTakeOffLocal(0, 0, -40, 0, 0.2, 5), 11.459, 40),
    "sendTakeoffMode": (lambda c: c.sendTakeoffMode(-35), 15, 35),
    "without a height": (lambda c: c.sendMavTakeOff(), 15, 30),
    "SendPosNEDExt": (lambda c: c.SendPosNEDExt(0, 0, -40, 1), 15, 40),
    "SendMavCmdLong": (lambda c: c.SendMavCmdLong(24, 0, 0, 0, 0, 0, 0, -42), 15, 42),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", PLANES)
def test_a_thrown_plane_climbs_with_its_pitch_angle_and_goes_on_straight(name: str) -> None:
    """Within the limit of its airspeed, whatever power it has; then slower, to cruise."""
    sim, rows = each(
        {command: which for command, (which, _, _) in TAKE_OFFS.items()}, name=name, height=0
    )
    cruise, fastest = gain("cruise_airspeed", name), gain("speed_limit", name)
    pitches = np.array([pitch for _, pitch, _ in TAKE_OFFS.values()])
    climbing = np.zeros(len(pitches), np.intp)
    while (sim.navigator_mode == Mode.TAKEOFF).any():
        sim.sleep(0.2)
        assert (airspeed(sim) < fastest).all()
        settled = (sim.navigator_mode == Mode.TAKEOFF) & (sim.pos[:, 2] < -15)
        climbing += settled
        off = np.abs(np.degrees(sim.euler[:, 1]) - pitches)
        assert (off[settled & (climbing > 3)] < 1.5).all()
        assert sim.time < 45
    assert (climbing > 3).all()
    sim.sleep(20)
    for row, command in rows:
        assert sim.pos[row, 2] == pytest.approx(-TAKE_OFFS[command][2], abs=2)
    np.testing.assert_allclose(airspeed(sim), cruise, atol=1)
    np.testing.assert_allclose(np.arctan2(sim.vel[:, 1], sim.vel[:, 0]), 0, atol=0.05)
    assert not (sim.sil_refused | sim.sil_unknown | sim.sil_bad | sim.status).any()


def test_a_take_off_waits_for_arming_and_a_plane_without_one_rests() -> None:
    sim, (waits, idles) = fleet(2, height=0)
    waits.SendMavArm(0)
    waits.sendMavTakeOff(0, 0, -40)
    idles.initOffboard()
    sim.sleep(3.0)
    np.testing.assert_allclose(sim.pos, 0, atol=0.01)
    assert (sim.motor_speed[:, 0] < 1.0).all()
    waits.SendMavArm(1)
    sim.sleep(3.0)
    assert sim.pos[0, 2] < -10
    np.testing.assert_allclose(sim.pos[1], 0, atol=0.01)


@pytest.mark.slow
@pytest.mark.parametrize("name", PLANES)
def test_a_landing_touches_down_at_its_place_and_disarms(name: str) -> None:
    """In still air and against the wind from any side, after a descent in circles."""
    winds = [(0, 0, 0), (-3, 2, 0), (0, 5, 0), (4, 0, 0)]
    sim, controllers = fleet(len(winds), name)
    sim.wind[:] = winds
    for one in controllers:
        one.sendMavLand(*LANDING, 0)
    touched: dict[int, Array] = {}
    while (sim.armed != 0).any():
        sim.sleep(0.1)
        for row in np.flatnonzero(sim.pos[:, 2] > -0.1):
            if row not in touched:
                touched[row] = sim.pos[row].copy()
                assert sim.vel[row, 2] < 1.0  # the sink rate of the touch-down
                assert airspeed(sim)[row] < 1.1 * gain("cruise_airspeed", name)
                assert np.abs(np.degrees(sim.euler[row, 0])) < 5.0
        assert sim.time < 200
    for row, wind in enumerate(winds):
        assert math.dist(touched[row][:2], LANDING) < 35.0, wind
    np.testing.assert_allclose(sim.pos[:, 2], 0, atol=0.05)
    assert not sim.status.any()


# --- trim ---------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", PLANES)
def test_straight_flight_has_an_equilibrium(name: str) -> None:
    """Level, in a climb and in a descent, within 1e-9.

    The balance along the path, by hand: what the laws of Gazebo's motor give there is the weight's
    part and the drag, which the aircraft feels with its motor at rest.
    """
    cruise = gain("cruise_airspeed", name)
    for climb in (0.0, 1.0, -0.5):
        sim = pyrfly.Sim(name)
        sim.reset(pos=[0, 0, -100])
        vel = np.array([cruise, 0.0, -climb])
        point = sim.trim(vel=vel)
        sim.arm()
        sim.channel[:] = point.inputs["channel"]
        for column in ("att", "motor_speed", "joint_angle"):
            getattr(sim, column)[:] = point.state[column]
        sim.vel[0] = vel
        assert np.abs(sim.accel).max() < 1e-9
        assert np.abs(sim.angular_accel).max() < 1e-9
        model = sim.linearize(point=point)
        assert np.isfinite(model.A).all()
        assert 1.0 < np.abs(model.B).max() < np.inf
        speed, rise = float(sim.motor_speed[0, 0]), float(sim.euler[0, 1])
        assert sim.channel[0, 4] == pytest.approx(speed / 3500.0)
        airspeed, path = float(np.linalg.norm(vel)), math.atan2(climb, cruise)
        tilt = rise - path + 0.0007963267107  # of the motor's axis
        sine, cosine = math.sin(tilt), math.cos(tilt)
        thrust = 8.54858e-6 * speed * speed * (1.0 - 0.04 * airspeed * cosine)
        across = 8.06428e-05 * speed * airspeed * sine
        pull = thrust * cosine - across * sine
        sim.motor_speed[:] = 0.0
        ahead = np.array([math.cos(rise - path), 0.0, math.sin(rise - path)])
        drag = -float(sim.mass[0]) * float(sim.specific_force[0] @ ahead)
        weight = float(sim.mass[0] * sim.gravity[0])
        assert pull == pytest.approx(drag + weight * climb / airspeed, rel=1e-6)
        assert 0.0 < sim.channel[0, 4] < 0.5
        assert np.abs(sim.joint_angle).max() < 0.53


def test_a_push_that_a_user_sets_is_not_touched_for_a_neighbour() -> None:
    """The vehicles share a block of lanes; one alone has a set-point."""
    sim = pyrfly.Sim(NAME, 2)
    sim.arm()
    sim.launch_accel[1] = 5.0
    sim.gazebo_blocks.command_course(0.0, 30.0, ids=1)
    sim.sleep(0.2)
    assert sim.launch_accel[1] == 5.0


@pytest.mark.slow
@pytest.mark.parametrize("name", PLANES)
def test_level_flight_is_held_at_the_minimum_airspeed_and_at_the_largest(name: str) -> None:
    sim, _ = fleet(2, name)
    ends = np.array([gain("minimum_airspeed", name), gain("speed_limit", name)])
    sim.gazebo_blocks.command_course(0.0, 60.0, airspeed=ends)
    sim.sleep(60.0)
    for _ in range(20):
        sim.sleep(1.0)
        np.testing.assert_allclose(airspeed(sim), ends, atol=0.2)
        np.testing.assert_allclose(sim.pos[:, 2], -60.0, atol=0.5)


@pytest.mark.slow
@pytest.mark.parametrize("name", PLANES)
def test_gusts_along_the_path_keep_the_height(name: str) -> None:
    """Their mean is 0, and so is what they give; answered by the throttle they lifted planes."""
    sim, _ = fleet(1, name, height=100.0)
    sim.gazebo_blocks.command_line([0, 0, -100], [1, 0, 0])
    for _ in range(600):
        sim.wind[0, 0] = 3.0 * math.sin(2 * math.pi * 0.3 * sim.time)
        sim.sleep(0.05)
        assert abs(sim.pos[0, 2] + 100.0) < 1.5
