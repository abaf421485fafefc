"""Set-points of the ports in flight: every frame, every kind, and values that are no numbers."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import pyrfly
from pyrfly.frames import LocalFrame
from pyrfly.protocol import synthesis
from pyrfly.protocol.synthesis import BASE, Command, Mode, Offboard

from .conftest import HEIGHT, VEHICLE, command, mode, new_sim

Make = Callable[[str], pyrfly.Sim]
ON = int(BASE | Command.ARMED)
HEADING = 0.7
FORWARD = np.array([np.cos(HEADING), np.sin(HEADING), 0])
RIGHT = np.array([-np.sin(HEADING), np.cos(HEADING), 0])


@pytest.fixture
def turned(in_state: Make) -> pyrfly.Sim:
    """A vehicle that holds its place with heading 0.7 rad; home is not the origin of the map."""
    sim = in_state("hovering")
    command(sim, ON, int(Offboard.YAW), ATT=(0.0, 0.0, HEADING))
    sim.sleep(4)
    sim.home[0] = (1.0, 2.0, 0.5)
    return sim


def fly(sim: pyrfly.Sim, offboard: int, seconds: float = 6.0, **floats: object) -> None:
    command(sim, ON, int(offboard), **floats)  # type: ignore[arg-type]
    sim.sleep(seconds)


@pytest.mark.parametrize("bits", [0, Offboard.NED, Offboard.FULL])
def test_position_is_of_the_map_unless_said_otherwise(turned: pyrfly.Sim, bits: int) -> None:
    fly(turned, Offboard.POSITION | bits, POS=(3.0, -4.0, -8.0))
    np.testing.assert_allclose(turned.pos[0], (3, -4, -8), atol=2e-3)
    assert turned.euler[0, 2] == pytest.approx(HEADING, abs=0.01)


def test_local_position_is_relative_to_home(turned: pyrfly.Sim) -> None:
    fly(turned, Offboard.POSITION | Offboard.LOCAL, POS=(3.0, -4.0, -8.0))
    np.testing.assert_allclose(turned.pos[0], (4, -2, -7.5), atol=2e-3)


def test_body_position_is_an_offset_taken_once(turned: pyrfly.Sim) -> None:
    start = turned.pos[0].copy()
    bits = int(Offboard.POSITION | Offboard.FRD)
    for _ in range(60):  # a stream that repeats itself
        fly(turned, bits, 0.1, POS=(3.0, 1.0, -2.0))
    first = start + 3 * FORWARD + 1 * RIGHT - (0, 0, 2)
    np.testing.assert_allclose(turned.pos[0], first, atol=0.02)
    fly(turned, bits, POS=(0.0, -1.0, 0.0))
    np.testing.assert_allclose(turned.pos[0], first - RIGHT, atol=0.02)


@pytest.mark.parametrize("precision", ["float64", "float32"])
@pytest.mark.parametrize("north", [40.0, -3000.0])
def test_global_position_is_latitude_longitude_and_height(precision: str, north: float) -> None:
    sim = new_sim(VEHICLE, precision=precision)
    sim.origin = (40.1540302, 116.2593683, 50.0)
    target = np.array([north, 70.0, -20.0])
    lat, lon, alt = LocalFrame(*sim.origin).to_lla(target)
    sim.reset(pos=target + np.array([0.0, 3.0, -1.0]))
    inputs = synthesis.position_target(
        0b110111111000, 5, [[lat, lon, alt]], [[0, 0, 0]], [[0, 0, 0]], 0, 0
    )
    command(sim, ON)
    sim.command_sil(*inputs)
    sim.sleep(8)
    # 1e-7 deg is 1.1 cm
    np.testing.assert_allclose(sim.pos_sp[0], target, atol=0.012)
    np.testing.assert_allclose(sim.pos[0], target, atol=0.012 if precision == "float64" else 0.05)


def test_global_position_as_degrees_has_the_precision_of_float32(turned: pyrfly.Sim) -> None:
    lat, lon, alt = LocalFrame(*turned.origin).to_lla((5.0, 5.0, -HEIGHT))
    fly(turned, Offboard.POSITION | Offboard.GLOBAL, 10, POS=(lat, lon, alt))
    np.testing.assert_allclose(turned.pos[0], (5, 5, -HEIGHT), atol=0.5)


@pytest.mark.parametrize("lat", [-60.0, -35.0, 0.0, 40.15])
@pytest.mark.parametrize(("distance", "error"), [(100.0, 0.01), (1000.0, 0.01), (10_000.0, 0.03)])
def test_the_local_frame_agrees_with_the_exact_one(
    lat: float, distance: float, error: float
) -> None:
    """The series of csrc/math/map_frame.h against the transformation by way of ECEF."""
    sim = new_sim(VEHICLE, 8)
    sim.origin = (lat, 179.99999, 300.0)
    exact = LocalFrame(*sim.origin)
    angles = np.arange(8) * np.pi / 4
    places = np.stack(
        [distance * np.cos(angles), distance * np.sin(angles), np.linspace(-500, 100, 8)], -1
    )
    lla = exact.to_lla(places)
    inputs = synthesis.position_target(
        np.full(8, 0b110111111000), np.full(8, 5), lla, np.zeros((8, 3)), np.zeros((8, 3)), 0, 0
    )
    sim.command_sil(*synthesis.arm(np.ones(8, bool)))
    sim.command_sil(*inputs)
    sim.step(11)
    np.testing.assert_allclose(sim.pos_sp, places, atol=error)


def test_the_rest_of_an_origin_between_two_integers_counts() -> None:
    sim = new_sim()
    sim.origin = (40.15403025, 116.25936835, 50.0)  # half of 1e-7 deg
    inputs = synthesis.position_target(
        0b110111111000, 5, [[40.1540303, 116.2593684, 60.0]], [[0, 0, 0]], [[0, 0, 0]], 0, 0
    )
    sim.command_sil(*synthesis.arm(True))
    sim.command_sil(*inputs)
    sim.step(11)
    # 5e-8 deg of latitude: 5.55 mm; of longitude at 40 deg: 4.26 mm
    np.testing.assert_allclose(sim.pos_sp[0], (0.00555, 0.00426, -10), atol=3e-4)


def test_height_relative_to_home_in_a_global_frame(turned: pyrfly.Sim) -> None:
    lat, lon, _ = LocalFrame(*turned.origin).to_lla((5.0, 5.0, 0.0))
    inputs = synthesis.position_target(
        0b110111111000, 6, [[lat, lon, 12.0]], [[0, 0, 0]], [[0, 0, 0]], 0, 0
    )
    turned.command_sil(*inputs)
    turned.sleep(8)
    np.testing.assert_allclose(turned.pos[0], (5, 5, -11.5), atol=0.02)  # home is at z = 0.5


@pytest.mark.parametrize("frame", [5, 6])
def test_global_components_that_are_no_numbers_are_not_controlled(
    turned: pyrfly.Sim, frame: int
) -> None:
    start = turned.pos[0].copy()
    height = turned.origin[2] + 14.0 if frame == 5 else 14.5
    inputs = synthesis.position_target(
        0b110111111000, frame, [[np.nan, np.nan, height]], [[0, 0, 0]], [[0, 0, 0]], 0, 0
    )
    turned.command_sil(*inputs)
    turned.sleep(6)
    np.testing.assert_allclose(turned.pos[0], (*start[:2], -14), atol=0.05)


def test_an_offset_that_changes_in_height_only_is_a_new_one(turned: pyrfly.Sim) -> None:
    start = turned.pos[0].copy()
    bits = int(Offboard.POSITION | Offboard.FRD)
    fly(turned, bits, POS=(2.0, 0.0, 0.0))
    fly(turned, bits, POS=(2.0, 0.0, -1.0))
    np.testing.assert_allclose(turned.pos[0], start + 4 * FORWARD - (0, 0, 1), atol=0.03)


def test_a_vehicle_stops_where_it_is_after_an_attitude(turned: pyrfly.Sim) -> None:
    fly(turned, Offboard.ATTITUDE, 3, ATT=(0.0, -0.15, 0.0))
    place, speed = turned.pos[0, 0], turned.vel[0, 0]
    fly(turned, Offboard(0), 6)
    assert place < turned.pos[0, 0] < place + speed**2 / 2  # braked, and not flown back
    held = turned.pos[0].copy()
    turned.sleep(5)
    np.testing.assert_allclose(turned.pos[0], held, atol=0.01)


def test_velocity_in_ned_and_heading_rate(turned: pyrfly.Sim) -> None:
    fly(
        turned,
        Offboard.VELOCITY | Offboard.YAW_RATE,
        4,
        VEL=(2.0, -1.0, -0.5),
        ATT_RATE=(0, 0, 0.3),
    )
    np.testing.assert_allclose(turned.vel[0], (2, -1, -0.5), atol=0.08)
    assert turned.rate[0, 2] == pytest.approx(0.3, abs=0.03)


def test_velocity_in_frd_turns_with_the_vehicle(turned: pyrfly.Sim) -> None:
    fly(turned, Offboard.VELOCITY | Offboard.FRD, 4, VEL=(2.0, 1.0, 0.5))
    np.testing.assert_allclose(turned.vel[0], 2 * FORWARD + RIGHT + (0, 0, 0.5), atol=0.05)


def test_acceleration(turned: pyrfly.Sim) -> None:
    fly(turned, Offboard.ACCELERATION, 1.5, ACC=(1.0, 0.0, 0.0))
    first = turned.vel[0].copy()
    turned.sleep(0.5)
    np.testing.assert_allclose(turned.vel[0] - first, (0.5, 0, 0), atol=0.08)


def test_acceleration_in_frd(turned: pyrfly.Sim) -> None:
    fly(turned, Offboard.ACCELERATION | Offboard.FRD, 2, ACC=(1.0, 0.0, 0.0))
    np.testing.assert_allclose(turned.vel[0], 2 * FORWARD, atol=0.5)
    assert turned.vel[0] @ FORWARD > 1.4


def test_velocity_is_feed_forward_of_a_position(turned: pyrfly.Sim) -> None:
    """A set-point that moves at 2 m/s is followed without lag when it says so."""
    start = turned.pos[0].copy()
    for i in range(400):
        place = start + np.array([0.02 * i, 0.0, 0.0])
        bits = int(Offboard.POSITION | Offboard.VELOCITY)
        fly(turned, bits, 0.01, POS=place, VEL=(2.0, 0.0, 0.0))
    assert abs(turned.pos[0, 0] - place[0]) < 0.1


def test_heading_alone_keeps_the_place(turned: pyrfly.Sim) -> None:
    start = turned.pos[0].copy()
    fly(turned, Offboard.YAW, 5, ATT=(0.0, 0.0, -2.0))
    assert turned.euler[0, 2] == pytest.approx(-2, abs=0.01)
    np.testing.assert_allclose(turned.pos[0], start, atol=0.02)
    fly(turned, Offboard.YAW_RATE, 3, ATT_RATE=(0.0, 0.0, 0.5))
    assert turned.rate[0, 2] == pytest.approx(0.5, abs=0.03)
    np.testing.assert_allclose(turned.pos[0], start, atol=0.05)


def test_attitude_and_thrust(turned: pyrfly.Sim) -> None:
    angles = (0.1, -0.15, 1.0)
    fly(turned, Offboard.ATTITUDE | Offboard.THRUST, 1.5, ATT=angles, THRUST=0.5)
    np.testing.assert_allclose(turned.euler[0], angles, atol=0.01)
    assert turned.thrust[0] == pytest.approx(0.5 * turned.thrust_limit[0, 1])


def test_attitude_without_thrust_keeps_the_height(turned: pyrfly.Sim) -> None:
    fly(turned, Offboard.ATTITUDE, 5, ATT=(0.0, -0.2, 0.0))
    assert turned.vel[0, 0] > 3
    assert turned.pos[0, 2] == pytest.approx(-HEIGHT, abs=0.1)


def test_attitude_with_a_position_goes_to_its_height(turned: pyrfly.Sim) -> None:
    inputs = synthesis.attitude_target([[0.0, 0.1, 0.0]], down=[-14.0])
    turned.command_sil(*inputs)
    turned.sleep(6)
    assert turned.pos[0, 2] == pytest.approx(-13.5, abs=0.05)  # home is at z = 0.5
    assert turned.euler[0, 1] == pytest.approx(0.1, abs=0.01)


def test_body_rates_and_thrust(turned: pyrfly.Sim) -> None:
    hover = float(turned.thrust[0] / turned.thrust_limit[0, 1])
    bits = Offboard.ROLL_RATE | Offboard.PITCH_RATE | Offboard.YAW_RATE | Offboard.THRUST
    fly(turned, bits, 0.3, ATT_RATE=(1.0, -0.5, 0.4), THRUST=hover)
    np.testing.assert_allclose(turned.rate[0], (1, -0.5, 0.4), atol=0.12)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_a_position_component_that_is_no_number_is_not_controlled(
    turned: pyrfly.Sim, value: float
) -> None:
    fly(turned, Offboard.POSITION, POS=(4.0, value, -HEIGHT))
    assert turned.sil_bad[0] == 1
    assert turned.pos[0, 0] == pytest.approx(4, abs=0.02)
    assert np.linalg.norm(turned.vel[0]) < 0.05


def test_a_heading_that_is_no_number_is_held(turned: pyrfly.Sim) -> None:
    fly(turned, Offboard.POSITION | Offboard.YAW, POS=(4.0, 0.0, -HEIGHT), ATT=(0.0, 0.0, np.nan))
    np.testing.assert_allclose(turned.pos[0], (4, 0, -HEIGHT), atol=0.02)
    assert turned.euler[0, 2] == pytest.approx(HEADING, abs=0.02)


def test_a_stream_leaves_arming_and_state_alone(in_state: Make) -> None:
    sim = in_state("standby")
    inputs = synthesis.position_target(
        0b110111111000, 1, [[1, 2, -3]], [[0, 0, 0]], [[0, 0, 0]], 0, 0
    )
    sim.command_sil(*inputs)
    sim.sleep(1)
    assert mode(sim) is Mode.STANDBY
    assert not sim.armed[0]
    command_only = int(BASE | Command.ARMED)
    sim.command_sil(command=command_only)
    sim.sleep(6)
    np.testing.assert_allclose(sim.pos[0], (1, 2, -3), atol=0.02)
