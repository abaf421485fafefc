"""Driving rovers of a `Sim`: commands, mixed fleets, snapshots, random parameters, ground."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import pyrfly
from pyrfly import Setpoint, Sim
from pyrfly.protocol import synthesis
from pyrfly.protocol.masks import MavFrame
from pyrfly.sim.group import LARGEST_PRODUCT
from pyrfly.vehicles import names

every_set = pytest.mark.parametrize("name", names("rover"))


def driving(name: str = "rover", n: int = 1, **options: object) -> Sim:
    sim = Sim(name, n, **{"dt": 0.002, **options})
    sim.arm()
    return sim


@every_set
@pytest.mark.parametrize("precision", ["float64", "float32"])
@pytest.mark.parametrize("integrator", ["rk4", "euler"])
def test_speed_and_yaw_rate_are_tracked(name: str, precision: str, integrator: str) -> None:
    sim = driving(name, precision=precision, integrator=integrator)
    speed, turn = 0.5 * sim.speed_limit[0], 0.3 * sim.yaw_rate_limit[0]
    sim.rover.command_speed(speed, yaw_rate=turn)
    sim.sleep(6)
    assert sim.vel_body[0, 0] == pytest.approx(speed, rel=0.01)
    assert sim.rate[0, 2] == pytest.approx(turn, rel=0.01)
    sim.rover.command_speed(-speed, yaw_rate=0)
    sim.sleep(6)
    assert sim.vel_body[0, 0] == pytest.approx(-speed, rel=0.01)
    assert abs(sim.rate[0, 2]) < 0.01 * turn
    assert abs(sim.vel_body[0, 1]) < 1e-5


def test_a_heading_is_steered_to_while_driving() -> None:
    sim = driving()
    sim.rover.command_speed(1.0, yaw=-2.5)
    sim.sleep(5)
    assert sim.euler[0, 2] == pytest.approx(-2.5, abs=0.01)
    assert sim.vel_body[0, 0] == pytest.approx(1.0, abs=0.01)
    rpm = sim.wheel_speed * 60 / math.tau
    np.testing.assert_allclose(sim.displayed_actuators[:, :2], rpm, rtol=1e-12)


def test_a_heading_alone_turns_on_the_spot() -> None:
    sim = driving()
    sim.rover.command_speed(0.0, yaw=3.0)
    sim.sleep(4)
    assert sim.euler[0, 2] == pytest.approx(3.0, abs=0.01)
    assert np.linalg.norm(sim.pos[0]) < 1e-6


@every_set
def test_it_stops_within_what_its_deceleration_gives(name: str) -> None:
    sim = driving(name)
    speed = float(sim.speed_limit[0])
    sim.rover.command_speed(speed)
    sim.sleep(4)
    start = float(sim.pos[0, 0])
    sim.command_velocity([0, 0, 0])
    sim.sleep(3)
    distance = float(sim.pos[0, 0]) - start
    ideal = speed * speed / (2 * float(sim.decel_limit[0]))
    lag = speed * float(sim.drive_tau[0])
    assert ideal < distance < ideal + 1.5 * lag
    assert abs(sim.vel[0, 0]) < 1e-6


@every_set
def test_a_disarmed_one_brakes_as_its_tyres_hold(name: str) -> None:
    sim = driving(name)
    speed = float(sim.speed_limit[0])
    sim.rover.command_speed(speed)
    sim.sleep(4)
    start = float(sim.pos[0, 0])
    sim.arm(False)
    sim.sleep(3)
    brake = 2 * float(sim.wheel_torque[0, 1]) / float(sim.wheel_radius[0] * sim.mass[0])
    brake = min(brake, float(sim.friction[0] * sim.gravity[0]))
    distance = float(sim.pos[0, 0]) - start
    assert speed * speed / (2 * brake) < distance < speed * speed / (2 * brake) + speed * 0.1


def test_a_position_ends_with_its_heading() -> None:
    sim = driving()
    sim.command_position([3, -2, 0], yaw=1.0)
    sim.sleep(10)
    np.testing.assert_allclose(sim.pos[0], [3, -2, 0], atol=0.03)
    assert sim.euler[0, 2] == pytest.approx(1.0, abs=0.01)
    assert np.linalg.norm(sim.vel[0]) < 0.01


@every_set
@pytest.mark.parametrize("yaw", [None, 1.0])
def test_a_position_within_the_arrival_radius_is_reached(name: str, yaw: float | None) -> None:
    sim = driving(name, 4)
    radius = 0.99 * float(sim.arrival_radius[0])
    target = np.array([(0, 1, 0), (-1, 0.2, 0), (0.3, 0.5, 0), (-0.2, -0.8, 0)])
    target *= radius / np.linalg.norm(target, axis=1)[:, None]
    sim.command_position(target, yaw)
    sim.sleep(20)
    assert np.linalg.norm((sim.pos - target)[:, :2], axis=1).max() < 0.021
    assert np.linalg.norm(sim.vel, axis=1).max() < 1e-3
    if yaw is not None:
        np.testing.assert_allclose(sim.euler[:, 2], yaw, atol=0.02)


@pytest.mark.parametrize(
    ("name", "offset", "speed"),
    [("rover", 30.0, 1.0), ("husky_a200", 10.0, 0.8), ("turtlebot3_burger", 2.0, 0.2)],
)
def test_a_rover_far_off_its_path_drives_to_it(name: str, offset: float, speed: float) -> None:
    sim = driving(name)
    sim.pos[0] = [0, offset, 0]
    sim.command_position([0, 0, 0], vel=[speed, 0, 0])
    sim.sleep(90)
    assert abs(sim.pos[0, 1]) < 0.011
    sim.reset(pos=[-1, 0, 0])  # behind: it stops where speed and distance cancel
    sim.arm()
    sim.command_position([0, 0, 0], vel=[speed, 0, 0])
    sim.sleep(30)
    assert sim.pos[0, 0] == pytest.approx(speed / sim.approach_p[0], abs=0.05)


@every_set
def test_a_rover_that_is_past_a_standing_position_stays(name: str) -> None:
    sim = driving(name)
    speed = 0.3 * float(sim.speed_limit[0])
    sim.pos[0] = [-1, 1, 0]
    sim.command_position([0, 0, 0], vel=[speed, 0, 0])
    sim.sleep(80)
    there = sim.pos[0].copy()
    assert abs(there[1]) < 0.011
    sim.sleep(100)
    np.testing.assert_allclose(sim.pos[0], there, atol=1e-3)


@every_set
def test_a_landing_drives_to_its_position_even_slowly(name: str) -> None:
    distance = np.array([0.1, 0.4, 2.0])
    sim = driving(name, 3)
    sim.enable_synthesis()
    sim.sleep(0.01)
    sim.speed_limit[:] = 0.08
    sim.command_sil(*synthesis.land(distance, np.zeros(3)))
    sim.sleep(distance.max() / 0.08 + 12)
    assert not sim.armed.any()
    np.testing.assert_allclose(sim.pos, np.outer(distance, [1, 0, 0]), atol=0.026)


@every_set
def test_slow_velocities_have_a_course(name: str) -> None:
    sim = driving(name)
    speed = 0.03 * float(sim.speed_limit[0])
    sim.command_velocity([0, speed, 0])
    sim.sleep(60)
    np.testing.assert_allclose(sim.vel[0], [0, speed, 0], atol=0.02 * speed)


@pytest.mark.parametrize(
    ("name", "ground", "speed"),
    [
        ("husky_a200", {"gradient": [-0.33, 0]}, 0.3),
        ("rover", {"gradient": [-0.85, 0]}, 0.8),
        ("rover", {"friction_reduction": 0.999}, 0.5),
    ],
    ids=["torque", "steep", "ice"],
)
def test_integrators_do_not_wind_up(name: str, ground: dict[str, Any], speed: float) -> None:
    sim = driving(name)
    sim.set_ground_plane(**ground)
    sim.rover.command_speed(speed, yaw=0.0)
    sim.sleep(20)
    sim.set_ground_plane(gradient=(0, 0), friction_reduction=0)
    fastest = 0.0
    for _ in range(500):
        sim.step(10)
        fastest = max(fastest, float(sim.vel_body[0, 0]))
    assert fastest < 1.08 * speed


def test_integrators_correct_wrong_numbers_of_the_controllers() -> None:
    sim = driving()
    sim.wheel_radius[:] *= 0.85
    sim.track[:] *= 1.2
    sim.rover.command_speed(0.8, yaw_rate=0.5)
    sim.sleep(20)
    assert sim.vel_body[0, 0] == pytest.approx(0.8, abs=1e-3)
    assert sim.rate[0, 2] == pytest.approx(0.5, abs=1e-3)


def test_unloaded_wheels_spin_as_they_are_driven() -> None:
    sim = driving()
    sim.controllers = False
    sim.set_ground_plane([-0.5, 0], friction_reduction=1)
    sim.drive[:] = 1
    sim.sleep(5)
    np.testing.assert_allclose(sim.wheel_speed[0], float(sim.wheel_speed_max[0]), rtol=1e-6)


@pytest.mark.parametrize("integrator", LARGEST_PRODUCT)
@pytest.mark.parametrize("name", names("rover"))
def test_a_braked_rover_rides_on_a_deck(name: str, integrator: str) -> None:
    """It moves, sinks and turns with the ground, on a slope too; one that drives adds its speed."""
    sim = Sim(name, 2, integrator=integrator)
    sim.controllers = False
    deck = np.array([2.0, -1.0, 0.1])
    sim.set_ground_plane([[0.1, 0], [0, 0]], velocity=deck, yaw_rate=[0.2, 0])
    sim.reset()
    sim.drive[1] = 0.3
    still = Sim(name, integrator=integrator)
    still.controllers = False
    still.drive[0] = 0.3
    for each in (sim, still):
        each.step(4000)
    np.testing.assert_allclose(sim.pos[0], 4 * deck, atol=2e-3)
    np.testing.assert_allclose(sim.vel[0], deck, atol=1e-3)
    assert sim.euler[0, 2] == pytest.approx(0.8, abs=0.01)
    np.testing.assert_allclose(sim.pos[1] - still.pos[0], 4 * deck, atol=5e-3)


def test_a_step_of_the_ground_lifts_vertically() -> None:
    sim = driving()
    sim.terrain[:] = -2
    sim.set_ground_plane(gradient=[-math.tan(0.2), 0])
    sim.sleep(3)
    np.testing.assert_allclose(sim.pos[0], [0, 0, -2], atol=1e-9)


@every_set
@pytest.mark.parametrize("integrator", ["rk4", "euler"])
def test_the_largest_step_is_stable_on_changing_ground(name: str, integrator: str) -> None:
    taus = [
        float(getattr(Sim(name), tau)[0]) for tau in ("drive_tau", "slip_tau", "suspension_tau")
    ]
    sim = driving(
        name,
        dt=0.99 * LARGEST_PRODUCT[integrator] * min(*taus[:2], 0.4 * taus[2]),
        integrator=integrator,
    )
    sim.controllers = False
    sim.terrain[:] = -0.03
    sim.set_ground_plane(gradient=[-0.3, 0.2])
    sim.sleep(40)
    assert sim.check().ok
    down = np.array([0.3, -0.2, 1]) / math.sqrt(1.13)
    w, x, y, z = sim.att[0]
    axis = [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)]
    np.testing.assert_allclose(axis, down, atol=1e-3)


def test_a_rover_that_turns_slowly_to_its_goal_is_not_stuck() -> None:
    sim = driving()
    sim.enable_synthesis()
    sim.step(10)
    sim.pos[0] = [3, 0, 0]
    sim.yaw_rate_limit[:] = 0.2
    sim.command_sil(*synthesis.return_home([0.0]))
    sim.sleep(30)
    assert sim.armed[0]
    assert np.linalg.norm(sim.pos[0]) < 0.03


def test_a_rover_that_gets_under_way_slowly_is_not_stuck() -> None:
    sim = driving()
    sim.enable_synthesis()
    sim.step(10)
    sim.pos[0] = [-3, 0, 0]
    sim.accel_limit[:] = sim.decel_limit[:] = 0.008
    sim.command_sil(*synthesis.return_home([0.0]))
    sim.sleep(90)
    assert sim.armed[0]
    assert np.linalg.norm(sim.pos[0]) < 0.1


def test_a_landing_on_a_deck_that_moves_ends_where_the_rover_rests_on_it() -> None:
    sim = driving()
    sim.enable_synthesis()
    sim.set_ground_plane(velocity=[1.0, 0.5, 0.0])
    sim.sleep(2)
    sim.command_sil(*synthesis.land([math.nan], [math.nan]))
    sim.sleep(3)
    assert not sim.armed[0]


def test_sticks_drive_without_a_set_point_before() -> None:
    sim = driving()
    sim.enable_synthesis()
    inputs = synthesis.inputs(1)
    inputs.ints[:, 0] = synthesis.BASE | synthesis.Command.ARMED
    inputs.floats[:, synthesis.VEL] = [1750.0, 1500.0, 1500.0]
    sim.command_sil(*inputs)
    sim.sleep(3)
    assert sim.vel_body[0, 0] == pytest.approx(0.5 * sim.speed_limit[0], rel=0.01)


def test_what_it_does_not_have_is_an_error_and_changes_nothing() -> None:
    sim = driving()
    sim.step(10)
    before = sim.snapshot()
    with pytest.raises(AttributeError, match="multirotor: this Sim has no vehicles of this family"):
        sim.multirotor.command_attitude([1, 0, 0, 0], 0.5)
    assert sim.snapshot() == before


@pytest.mark.filterwarnings("ignore::pyrfly.CommandWarning")
@pytest.mark.parametrize("ids", [None, [2], [1, 2]])
def test_an_acceleration_is_refused_by_the_name_of_the_argument(ids: list[int] | None) -> None:
    sim = Sim({"x450": 1, "husky_a200": 2})
    before = sim.snapshot()
    message = r"^acc: expected None for 'husky_a200' \(CopterID 2\), a rover without acc_sp$"
    with pytest.raises(ValueError, match=message):
        sim.command_position([1, 0, 0], acc=[1, 0, 0], ids=ids)
    assert sim.snapshot() == before
    sim.command_position([1, 0, 0], acc=[1, 0, 0], ids=1)


def test_a_reset_keeps_wind_parameters_and_ground() -> None:
    sim = driving()
    kept = {"wind": [1, 2, 3], "mass": 40.0, "terrain": -2.0, "friction_reduction": 0.3}
    kept["terrain_gradient"] = [0.1, 0.2]
    sim.set_ground_plane()
    for name, value in kept.items():
        setattr(sim, name, value)
    sim.step(5)
    sim.reset()
    for name, value in kept.items():
        np.testing.assert_array_equal(getattr(sim, name)[0], value, err_msg=name)


def test_velocities_have_no_vertical_part() -> None:
    sims = [driving(), driving()]
    for sim, down in zip(sims, (0, -1), strict=True):
        sim.command_velocity([1, 0, down])
        sim.sleep(2)
    np.testing.assert_array_equal(sims[0].pos, sims[1].pos)


# --- fleets, snapshots, random parameters ---------------------------------------------------------


@pytest.fixture
def mixed() -> Sim:
    """Two quadrotors (CopterID 1, 2) and three rovers (3 to 5), armed."""
    sim = Sim({"x450": 2, "rover": 3})
    sim.reset(pos=[[0, 0, 0], [3, 0, 0], [6, 0, 0], [9, 0, 0], [12, 0, 0]])
    sim.arm()
    return sim


def test_a_mixed_fleet_goes_where_it_is_sent(mixed: Sim) -> None:
    targets = [[0, 4, -5], [3, 4, -6], [6, 4, -5], [9, 4, 0], [12, 4, -1]]
    mixed.command_position(targets)
    mixed.sleep(12)
    np.testing.assert_allclose(mixed.pos[:2], targets[:2], atol=0.05)
    np.testing.assert_allclose(mixed.pos[2:, :2], np.array(targets)[2:, :2], atol=0.05)
    assert (mixed.pos[2:, 2] == 0).all()


def test_commands_of_the_family_are_for_its_vehicles(mixed: Sim) -> None:
    mixed.rover.command_speed([0.5, 1.0, 1.5])
    mixed.sleep(3)
    np.testing.assert_allclose(mixed.vel[2:, 0], [0.5, 1.0, 1.5], rtol=0.01)
    np.testing.assert_allclose(mixed.vel[:2], 0, atol=0.01)
    with pytest.raises(ValueError, match=r"ids: .*got 2"):
        mixed.rover.command_speed(1.0, ids=[2, 3])


def test_a_fleet_is_what_its_parts_are_alone(mixed: Sim) -> None:
    alone = Sim("rover", 3)
    alone.reset(pos=[[6, 0, 0], [9, 0, 0], [12, 0, 0]])
    alone.arm()
    for sim in (mixed, alone):
        sim.rover.command_speed([0.5, 1.0, 1.5], yaw_rate=[0.1, -0.2, 0.3])
        sim.step(777)
    np.testing.assert_array_equal(mixed.pos[2:], alone.pos)


def test_parameters_can_be_drawn() -> None:
    sim = driving("rover", 64)
    sim.reset(seed=5)
    sim.arm()
    sim.randomize("friction", 0.3, 1.0)
    sim.randomize("wheel_radius", 0.09, 0.11)
    sim.randomize("wheel_torque", [1.5, 3.0], [3.0, 6.0])
    sim.rover.command_speed(1.0)
    sim.sleep(12)
    assert sim.check().ok
    np.testing.assert_allclose(sim.vel[:, 0], 1.0, atol=0.01)  # the loops do not know the radius
    assert len(np.unique(sim.friction)) == 64


# --- ground ---------------------------------------------------------------------------------------


def test_on_a_slope_it_climbs_and_its_height_follows() -> None:
    sim = driving()
    slope = math.radians(15)
    sim.set_ground_plane(gradient=[-math.tan(slope), 0])
    sim.rover.command_speed(1.0)
    sim.sleep(5)
    start = sim.pos[0].copy()
    sim.sleep(2)
    np.testing.assert_allclose(
        sim.pos[0] - start, [2 * math.cos(slope), 0, -2 * math.sin(slope)], atol=0.02
    )
    assert sim.euler[0, 1] == pytest.approx(slope, abs=1e-6)


def test_across_a_slope_it_leans() -> None:
    sim = driving()
    sim.set_ground_plane(gradient=[0, 0.2])  # falls to the east
    sim.sleep(1)
    assert sim.euler[0, 0] == pytest.approx(math.atan(0.2), abs=1e-9)
    np.testing.assert_allclose(sim.pos[0], 0, atol=1e-3)


def test_reset_above_the_ground_it_falls_and_lands() -> None:
    sim = driving()
    sim.reset(pos=[1, 2, -3], yaw=0.7)
    sim.sleep(0.5)
    assert sim.vel[0, 2] == pytest.approx(9.8 * 0.5)
    sim.sleep(2)
    np.testing.assert_allclose(sim.pos[0], [1, 2, 0], atol=1e-9)
    np.testing.assert_allclose(sim.specific_force[0], [0, 0, -9.8], atol=1e-9)
    assert sim.euler[0, 2] == pytest.approx(0.7)


def test_terrain_that_is_written_as_it_moves_is_followed() -> None:
    """A hill of sine, looked up 100 times a second, with its slope."""
    sim = driving()

    sim.set_ground_plane()

    def hill(x: float) -> float:
        return -0.5 * math.sin(0.5 * x)

    def look_up() -> None:
        x = float(sim.pos[0, 0])
        sim.terrain[:] = hill(x)
        sim.terrain_gradient[:] = [-0.25 * math.cos(0.5 * x), 0]

    heights = []
    sim.add_listener(look_up, 0.01)
    sim.add_listener(lambda: heights.append(sim.pos[0, 2] - hill(float(sim.pos[0, 0]))), 0.02)
    sim.rover.command_speed(1.5)
    sim.sleep(10)
    assert sim.pos[0, 0] > 13
    assert np.abs(heights[50:]).max() < 0.005


def test_the_mask_of_its_set_points_is_that_of_all(mixed: Sim) -> None:
    mixed.command_velocity([1, 0, 0], yaw=0.5, frame="frd")
    expected = Setpoint.VELOCITY | Setpoint.YAW | Setpoint.HEADING_FRAME
    assert mixed.setpoint_mask.tolist() == [expected] * 5


def test_a_set_is_loaded_like_any() -> None:
    assert {"husky_a200", "rover_differential", "turtlebot3_burger"} <= set(pyrfly.names())


@pytest.mark.parametrize("velocity", [[0.5, 0, 0], [-2, 1, 0]])
def test_a_velocity_of_the_heading_has_no_effect_beside_a_position(velocity: list[float]) -> None:
    """As RflySim's inputs may have it: an offset ahead, with FRD."""
    both = driving(n=2)
    both.enable_synthesis()
    offset = np.array([[4.0, 2.0, 0.0]])
    alone = synthesis.set_points(MavFrame.BODY_NED, pos=offset)
    beside = synthesis.set_points(MavFrame.BODY_NED, pos=offset, vel=np.array([velocity]))
    for number, inputs in enumerate((alone, beside), start=1):
        both.command_sil(*synthesis.arm(True), ids=number)
        both.command_sil(*inputs, ids=number)
    both.sleep(8)
    assert both.setpoint_mask[1] & (Setpoint.VELOCITY | Setpoint.HEADING_FRAME)
    np.testing.assert_array_equal(both.pos[0], both.pos[1])
    assert both.pos[0, :2] == pytest.approx(offset[0, :2], abs=0.1)
