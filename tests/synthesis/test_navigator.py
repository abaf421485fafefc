"""The navigator's states: what each command does in each of them, and what changes by itself."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import pyrfly
from pyrfly.protocol import synthesis
from pyrfly.protocol.synthesis import BASE, Command, Frame, Mode, Offboard

from .conftest import HEIGHT, STATES, command, mode, new_sim, settle, stream

Make = Callable[[str], pyrfly.Sim]

ON = BASE | Command.ARMED
VELOCITY = {"offboard": Offboard.VELOCITY, "VEL": (0.0, 1.0, 0.0)}

# What one update after a command makes of a state; "-" is no change.
LETTERS = {
    "S": Mode.STANDBY,
    "T": Mode.TAKEOFF,
    "P": Mode.POSITION,
    "R": Mode.RETURN,
    "A": Mode.APPROACH,
    "D": Mode.DESCEND,
}
COLUMNS = (
    *("direct", "standby", "idling", "waiting", "climbing"),
    *("hovering", "obeying", "returning", "approaching", "sinking"),
)
ALL = Command.RETURN | Command.TAKEOFF | Command.LAND | Command.POSITION
TABLE: dict[str, tuple[int, dict[str, object], str]] = {
    # in the order of COLUMNS
    "arm": (ON, {}, "PSSTT PPPPP"),
    "disarm": (BASE, {}, "SSSSS SSSSS"),
    "position": (ON | Command.POSITION, {}, "PSSTT PPPPP"),
    "offboard": (ON | Command.OFFBOARD_POSITION, {}, "PSSSP PPPPP"),
    "offboard attitude": (ON | Command.OFFBOARD_ATTITUDE, {}, "PSSSP PPPPP"),
    "offboard, take-off": (ON | Command.OFFBOARD_POSITION | Command.TAKEOFF, {}, "PTTTT PPPPT"),
    "velocity": (ON, VELOCITY, "PPPTT PPPPP"),
    "stream": (0, VELOCITY, "--P-- PP---"),
    "no hasCMD": (int(ON | Command.LAND) & ~1, {}, "----- -----"),
    "take-off": (ON | Command.TAKEOFF, {}, "PTTTT PPPPT"),
    "return": (ON | Command.RETURN, {}, "RSSSR RRRRR"),
    "land": (ON | Command.LAND, {}, "DSDSD DDDAD"),
    "land, return": (ON | Command.LAND | Command.RETURN, {}, "DSDSD DDDAD"),
    "land, take-off": (ON | Command.LAND | Command.TAKEOFF, {}, "DSDSD DDDAD"),
    "return, take-off": (ON | Command.RETURN | Command.TAKEOFF, {}, "RSSSR RRRRR"),
    "all": (ON | ALL, {}, "DSDSD DDDAD"),
}


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("name", TABLE)
def test_a_command_takes_a_state_to_the_one_in_the_table(
    name: str, state: str, in_state: Make
) -> None:
    bits, ports, row = TABLE[name]
    sim = in_state(state)
    before, expected = mode(sim), row.replace(" ", "")[COLUMNS.index(state)]
    command(sim, int(bits), **ports)  # type: ignore[arg-type]
    sim.step(11)
    assert mode(sim) is LETTERS.get(expected, before)


@pytest.mark.parametrize("state", STATES)
def test_a_command_acts_once(state: str, in_state: Make) -> None:
    sim = in_state(state)
    command(sim, int(ON | Command.RETURN))
    assert not sim.sil_ints[0, 0] & 1
    command(sim, 0)
    sim.step(50)
    after = mode(sim)
    sim.step(50)
    assert mode(sim) is after


def test_armed_follows_the_command_and_nothing_else(in_state: Make) -> None:
    sim = in_state("standby")
    for bits, armed in ((ON, 1), (int(ON) & ~1, 1), (0, 1), (BASE, 0), (Command.ARMED, 0), (ON, 1)):
        command(sim, int(bits))
        assert sim.armed[0] == armed
        sim.step(20)
        assert sim.armed[0] == armed


@pytest.mark.parametrize("bits", [Command.LAND, Command.RETURN])
def test_landing_and_return_arm_nobody(bits: Command, in_state: Make) -> None:
    sim = in_state("standby")
    command(sim, int(ON | bits))
    sim.sleep(1)
    assert not sim.armed[0]
    assert sim.pos[0, 2] == pytest.approx(0, abs=1e-6)


def test_take_off_climbs_to_ten_metres_and_holds() -> None:
    sim = new_sim()
    command(sim, int(ON | Command.TAKEOFF))
    settle(sim, Mode.POSITION)
    assert abs(sim.pos[0, 2] + HEIGHT) < 0.5
    sim.sleep(10)
    np.testing.assert_allclose(sim.pos[0], (0, 0, -HEIGHT), atol=2e-3)


@pytest.mark.parametrize(
    ("z", "height"), [(-4.0, 4.0), (-1.0, 1.0), (-0.99, 10.0), (0.0, 10.0), (3.0, 10.0)]
)
def test_a_height_within_a_metre_of_home_was_not_given(z: float, height: float) -> None:
    sim = new_sim()
    command(sim, int(ON | Command.TAKEOFF), POS=(0.0, 0.0, z))
    sim.sleep(0.1)
    assert sim.navigator_goal[0, 2] == pytest.approx(-height)


def test_set_points_have_no_effect_during_a_take_off_and_hold_after_it() -> None:
    sim = new_sim()
    command(sim, int(ON | Command.TAKEOFF))
    sim.command_sil(*stream(Offboard.VELOCITY, VEL=(3.0, 0.0, 0.0)))
    settle(sim, Mode.POSITION)
    assert abs(sim.pos[0, 0]) < 0.05
    sim.sleep(3)
    np.testing.assert_allclose(sim.vel[0], (3, 0, 0), atol=0.05)


def test_a_switch_to_offboard_ends_a_take_off_where_the_vehicle_is(in_state: Make) -> None:
    sim = in_state("climbing")
    height = sim.pos[0, 2]
    command(sim, int(ON | Command.OFFBOARD_POSITION))
    sim.sleep(5)
    assert height - 1 < sim.pos[0, 2] < height
    np.testing.assert_allclose(sim.vel[0], 0, atol=0.01)


def test_a_repeated_take_off_changes_nothing() -> None:
    once, often = new_sim(), new_sim()
    command(once, int(ON | Command.TAKEOFF))
    for _ in range(120):
        command(often, int(ON | Command.TAKEOFF))
        once.sleep(0.1)
        often.sleep(0.1)
    assert once.hash() == often.hash()


def test_a_repeated_landing_changes_nothing(in_state: Make) -> None:
    once, often = in_state("hovering"), in_state("hovering")
    once.command_sil(*synthesis.land(5.0, 5.0))
    for _ in range(60):
        often.command_sil(*synthesis.land(5.0, 5.0))
        once.sleep(0.1)
        often.sleep(0.1)
    assert once.hash() == often.hash()


def test_a_take_off_moves_sideways_and_turns_only_when_clear_of_the_ground() -> None:
    sim = new_sim()
    sim.command_sil(*synthesis.take_off(6.0, -2.0, -8.0, 1.2, armed=True))
    while sim.pos[0, 2] > -0.5:
        assert abs(sim.pos[0, 0]) < 0.02
        assert abs(sim.euler[0, 2]) < 0.02
        sim.step(10)
    sim.sleep(10)
    np.testing.assert_allclose(sim.pos[0], (6, -2, -8), atol=0.01)
    assert sim.euler[0, 2] == pytest.approx(1.2, abs=0.01)


def test_return_goes_above_home_at_the_present_height(in_state: Make) -> None:
    sim = in_state("obeying")
    height = sim.pos[0, 2]
    command(sim, int(ON | Command.RETURN), POS=(0.0, 0.0, 0.5))
    sim.sleep(10)
    np.testing.assert_allclose(sim.pos[0], (0, 0, height), atol=0.02)


def test_return_height_can_be_given(in_state: Make) -> None:
    sim = in_state("obeying")
    command(sim, int(ON | Command.RETURN), POS=(0.0, 0.0, -15.0))
    sim.sleep(10)
    np.testing.assert_allclose(sim.pos[0], (0, 0, -15), atol=0.02)


def test_home_is_where_the_vehicle_was_reset_to() -> None:
    sim = new_sim()
    sim.reset(pos=(3.0, 4.0, 0.0))
    np.testing.assert_array_equal(sim.home[0], (3, 4, 0))
    command(sim, int(ON | Command.TAKEOFF))
    sim.sleep(8)
    command(sim, int(ON), int(Offboard.POSITION), POS=(10.0, 0.0, -5.0))
    sim.sleep(8)
    command(sim, int(ON | Command.RETURN))
    sim.sleep(8)
    np.testing.assert_allclose(sim.pos[0, :2], (3, 4), atol=0.02)


@pytest.mark.parametrize("terrain", [0.0, -2.5, 4.0])
def test_landing_finds_the_ground_and_disarms(terrain: float, in_state: Make) -> None:
    sim = in_state("hovering")
    sim.terrain[:] = terrain
    sim.command_sil(*synthesis.land(3.0, 0.0))
    settle(sim, Mode.STANDBY, longest=60)
    assert not sim.armed[0]
    np.testing.assert_allclose(sim.pos[0], (3, 0, terrain), atol=0.05)
    assert np.linalg.norm(sim.vel[0]) < 0.05


def test_set_points_of_before_do_not_survive_a_landing(in_state: Make) -> None:
    sim = in_state("sinking")
    sim.command_sil(*stream(Offboard.VELOCITY, VEL=(0.0, 0.0, -2.0)))
    settle(sim, Mode.STANDBY, longest=60)
    command(sim, int(ON))
    sim.sleep(2)
    assert sim.pos[0, 2] == pytest.approx(0, abs=0.01)


def test_a_landing_height_above_the_ground_ends_the_descent_in_the_air(in_state: Make) -> None:
    sim = in_state("hovering")
    command(sim, int(ON | Command.LAND), POS=(0.0, 0.0, -4.0))
    sim.sleep(20)
    assert sim.pos[0, 2] == pytest.approx(-4, abs=0.01)
    assert sim.armed[0]
    assert mode(sim) is Mode.DESCEND


@pytest.mark.parametrize("state", ["climbing", "obeying", "returning", "sinking"])
def test_disarming_by_whomever_ends_the_task(state: str, in_state: Make) -> None:
    sim = in_state(state)
    sim.arm(False)
    sim.step(11)
    assert mode(sim) is Mode.STANDBY
    assert sim.sil_ints[0, 1] == 0


def test_direct_commands_take_over_and_a_port_command_takes_back(in_state: Make) -> None:
    sim = in_state("hovering")
    sim.command_position((5.0, 0.0, -HEIGHT))
    sim.sleep(5)
    assert mode(sim) is Mode.NONE
    np.testing.assert_allclose(sim.pos[0], (5, 0, -HEIGHT), atol=0.02)
    command(sim, int(ON))
    sim.sleep(5)
    assert mode(sim) is Mode.POSITION
    np.testing.assert_allclose(sim.pos[0], (5, 0, -HEIGHT), atol=0.02)


def test_a_vehicle_nobody_commands_is_left_alone() -> None:
    plain, ported = pyrfly.Sim("sdk"), new_sim()
    for sim in (plain, ported):
        sim.arm()
        sim.command_velocity((1.0, 0.0, -1.0), yaw_rate=0.3)
        sim.sleep(3)
    np.testing.assert_array_equal(plain.pos, ported.pos)
    np.testing.assert_array_equal(plain.att, ported.att)


def test_without_set_points_the_vehicle_brakes_and_holds(in_state: Make) -> None:
    sim = in_state("obeying")
    start = sim.pos[0].copy()
    command(sim, int(ON))
    sim.sleep(5)
    place = sim.pos[0].copy()
    assert 0 < place[0] - start[0] < 2  # 2 m/s, braked at 2 m/s^2 and more
    sim.sleep(20)
    np.testing.assert_allclose(sim.pos[0], place, atol=2e-3)


@pytest.mark.parametrize(
    ("sticks", "vel", "yaw_rate"),
    [
        ((1500.0, 1500.0, 1500.0), (0.0, 0.0), 0.0),
        ((0.0, 0.0, 0.0), (0.0, 0.0), 0.0),
        ((1750.0, 1500.0, 1500.0), (0.5, 0.0), 0.0),
        ((1500.0, 1250.0, 1500.0), (0.0, -0.5), 0.0),
        ((1500.0, 1500.0, 1600.0), (0.0, 0.0), 0.2),
        ((np.nan, np.inf, 1e30), (0.0, 0.0), 0.0),
    ],
)
def test_sticks_count_when_nothing_is_commanded(
    sticks: tuple[float, float, float],
    vel: tuple[float, float],
    yaw_rate: float,
    in_state: Make,
) -> None:
    sim = in_state("hovering")
    command(sim, int(ON), VEL=sticks)
    sim.sleep(3)
    limit, turn = sim.speed_limit[0], sim.rate_limit[0, 1]
    assert sim.rate[0, 2] == pytest.approx(yaw_rate * turn, abs=0.02)
    np.testing.assert_allclose(sim.vel_body[0, :2], np.multiply(vel, limit), atol=0.1 * limit)
    assert sim.pos[0, 2] == pytest.approx(-HEIGHT, abs=0.3)


def test_throttle_comes_from_outside_without_the_sil_bit(in_state: Make) -> None:
    sim = in_state("hovering")
    hover = sim.throttle[0].copy()
    command(sim, int(Command.ENABLE | Command.ARMED))
    sim.throttle[0] = 0.25
    sim.step(20)
    np.testing.assert_array_equal(sim.throttle[0], np.float64(0.25))
    command(sim, int(ON))
    sim.sleep(5)
    np.testing.assert_allclose(sim.throttle[0], hover, rtol=0.02)


def test_vehicles_of_a_batch_do_as_alone(in_state: Make) -> None:
    """Place in the batch and neighbours make no difference, to the last bit."""
    fleet = new_sim(n=11)
    singles = [new_sim() for _ in range(fleet.n)]
    rng = np.random.default_rng(4)
    tasks = [Command.TAKEOFF, Command.TAKEOFF | Command.POSITION, Command.POSITION]
    for round_ in range(6):
        inputs = synthesis.inputs(fleet.n)
        inputs.ints[:, 0] = [int(ON | tasks[i]) for i in rng.integers(0, len(tasks), fleet.n)]
        if round_ == 4:
            inputs.ints[::2, 0] = int(ON | Command.RETURN)
        if round_ == 5:
            inputs.ints[1::3, 0] = int(ON | Command.LAND)
        inputs.ints[:, 1] = rng.integers(0, 1 << 18, fleet.n) & ~int(Offboard.GLOBAL)
        inputs.floats[:] = rng.uniform(-5, 5, inputs.floats.shape)
        fleet.command_sil(*inputs)
        for i, sim in enumerate(singles):
            sim.command_sil(inputs.ints[i], inputs.floats[i])
        for sim in (fleet, *singles):
            sim.step(700)
    for i, sim in enumerate(singles):
        for field in sim.fields():
            if field.role != "output" and field.name != "random_vehicle":
                ours, own = getattr(fleet, field.name)[i], getattr(sim, field.name)[0]
                np.testing.assert_array_equal(ours, own, err_msg=field.name)


def test_snapshots_hold_the_navigator(in_state: Make) -> None:
    sim = in_state("climbing")
    saved, before = sim.snapshot(), sim.hash()
    sim.sleep(9)
    after = sim.hash()
    sim.restore(saved)
    assert sim.hash() == before
    sim.sleep(9)
    assert sim.hash() == after
    other = pyrfly.Sim("sdk")
    other.restore(saved)
    assert other.synthesis
    assert other.hash() == before


def test_a_snapshot_without_a_navigator_leaves_one_that_knows_nothing() -> None:
    sim = pyrfly.Sim("sdk")
    sim.reset(pos=(1.0, 2.0, 0.0))
    saved = sim.snapshot()
    sim.enable_synthesis()
    command(sim, int(ON | Command.TAKEOFF))
    sim.sleep(3)
    sim.restore(saved)
    assert mode(sim) is Mode.NONE
    np.testing.assert_array_equal(sim.home[0], (1, 2, 0))
    assert sim.takeoff_height[0] == 10


def test_a_mixed_model_becomes_the_airframe_that_is_asked_for() -> None:
    sim = new_sim("mixed", 3)
    plain = {name: pyrfly.Sim(name) for name in ("sdk", "hex_x", "octo_x", "octo_coax")}
    assert sim.mass[0] == plain["sdk"].mass[0]
    command(sim, int(ON | Command.TAKEOFF))
    sim.sleep(9)
    for frame, name in zip(Frame, plain, strict=True):
        inputs = synthesis.inputs(1)
        inputs.ints[0, :3] = ON, 0, frame
        sim.command_sil(*inputs, ids=[2])
        sim.sleep(6)
        assert sim.sil_frame[1] == frame
        for column in ("mass", "inertia", "control_mass", "rate_p", "thrust_limit"):
            own, other = getattr(sim, column)[1], getattr(plain[name], column)[0]
            np.testing.assert_allclose(own, other, rtol=1e-14, err_msg=column)
        assert np.count_nonzero(sim.throttle[1]) == plain[name].groups[0].parameters.actuator_count
        np.testing.assert_allclose(sim.pos[:, 2], -HEIGHT, atol=0.02)
        np.testing.assert_array_equal(sim.mass[[0, 2]], plain["sdk"].mass[0])


def test_an_airframe_is_fitted_once_so_that_parameters_can_be_changed() -> None:
    sim = new_sim("mixed")
    inputs = synthesis.inputs(1)
    inputs.ints[0, :3] = ON, 0, Frame.HEXACOPTER
    sim.command_sil(*inputs)
    sim.mass[:] = 2.5
    sim.command_sil(*inputs)
    assert sim.mass[0] == 2.5
    sim.reset()
    assert sim.sil_frame[0] == Frame.HEXACOPTER


# --- figures of the navigator, which docs/protocol.md gives


def test_a_climb_ends_and_a_descent_begins_half_a_metre_away(in_state: Make) -> None:
    sim = new_sim()
    command(sim, int(ON | Command.TAKEOFF))
    settle_finely(sim, Mode.POSITION)
    assert 0.45 < HEIGHT + sim.pos[0, 2] < 0.5
    sim = in_state("approaching")
    settle_finely(sim, Mode.DESCEND)
    assert 0.4 < 20 - sim.pos[0, 0] < 0.5


def settle_finely(sim: pyrfly.Sim, until: Mode) -> None:
    while mode(sim) is not until:
        sim.step(10)


def test_a_vehicle_disarms_half_a_second_after_it_stands_still(in_state: Make) -> None:
    sim = in_state("sinking")
    still = None
    while sim.armed[0]:
        now_still = sim.pos[0, 2] > -0.1 and abs(sim.vel[0, 2]) < 0.1
        still = (still or sim.time) if now_still else None
        sim.step(10)
    assert still is not None
    assert sim.time - still == pytest.approx(0.5, abs=0.025)


def test_hovering_just_above_the_ground_is_no_landing(in_state: Make) -> None:
    sim = in_state("hovering")
    sim.terrain[:] = -HEIGHT + 0.3
    command(sim, int(ON | Command.LAND), POS=(0.0, 0.0, -HEIGHT + 0.1))  # 0.2 m above
    sim.sleep(6)
    assert sim.armed[0]


@pytest.mark.parametrize(("climb", "descend"), [(3.0, 2.0), (1.0, 4.0)])
def test_ramps_stay_below_the_speed_limits(climb: float, descend: float, in_state: Make) -> None:
    sim = in_state("hovering")
    sim.climb_limit[:], sim.descent_limit[:] = climb, descend
    sim.takeoff_speed[:] = sim.landing_speed[:] = 100.0
    command(sim, int(ON | Command.TAKEOFF), POS=(0.0, 0.0, -60.0))
    sim.sleep(4)
    assert sim.vel_sp[0, 2] == pytest.approx(-0.9 * climb)
    assert sim.vel[0, 2] == pytest.approx(-0.9 * climb, abs=0.1)
    command(sim, int(ON | Command.LAND))
    sim.sleep(1)
    assert sim.vel_sp[0, 2] == pytest.approx(0.9 * descend)


@pytest.mark.parametrize("speed", [0.1, 0.7])
def test_float32_loses_nothing_of_a_ramp(speed: float) -> None:
    """At 9 km, where numbers are 0.98 mm apart and an update moves it by 1 or 7 mm."""
    sim = pyrfly.Sim("x450", precision="float32", dt=0.002)
    sim.terrain[:] = -9000.0
    sim.reset(pos=[0, 0, -9020], hover=True)
    sim.enable_synthesis()
    sim.landing_speed[:] = speed
    command(sim, int(ON | Command.LAND))
    sim.sleep(2.0)
    begin = float(sim.navigator_ramp[0])
    sim.sleep(10.0)
    assert sim.navigator_ramp[0] - begin == pytest.approx(10.0 * speed, abs=3e-3)


def test_the_ramp_stands_still_at_its_end(in_state: Make) -> None:
    sim = in_state("hovering")
    command(sim, int(ON | Command.LAND), POS=(0.0, 0.0, -6.0))
    sim.sleep(10)
    assert sim.navigator_ramp[0] == -6
    assert sim.vel_sp[0, 2] == 0


def test_a_stick_moved_by_less_than_a_twentieth_is_centred(in_state: Make) -> None:
    sim = in_state("hovering")
    start = sim.pos[0].copy()
    command(sim, int(ON), VEL=(1520.0, 1480.0, 1520.0))
    sim.sleep(3)
    np.testing.assert_allclose(sim.pos[0], start, atol=0.01)
    assert abs(sim.rate[0, 2]) < 0.01


def test_a_stick_does_not_turn_a_vehicle_that_has_a_heading_to_hold(in_state: Make) -> None:
    sim = in_state("hovering")
    command(sim, int(ON), int(Offboard.YAW), VEL=(1500.0, 1500.0, 1900.0), ATT=(0.0, 0.0, 0.4))
    sim.sleep(4)
    assert sim.euler[0, 2] == pytest.approx(0.4, abs=0.01)


def test_new_places_and_heights_of_a_task_count(in_state: Make) -> None:
    sim = in_state("climbing")
    sim.command_sil(*synthesis.take_off(3.0, 0.0, -HEIGHT, armed=True))
    assert sim.navigator_goal[0, 0] == 3
    sim = in_state("returning")
    command(sim, int(ON | Command.RETURN), POS=(0.0, 0.0, -30.0))
    assert sim.navigator_goal[0, 2] == -30
    sim = in_state("sinking")
    command(sim, int(ON | Command.LAND), POS=(0.0, 0.0, -3.0))
    assert sim.navigator_goal[0, 2] == -3


@pytest.mark.parametrize("every", [0.03, 0.1])
@pytest.mark.parametrize("place", [(np.nan, np.nan), (4.0, np.nan)])
def test_a_landing_repeated_in_the_wind_ends(
    every: float, place: tuple[float, float], in_state: Make
) -> None:
    sim = in_state("hovering")
    sim.wind[0] = (3.0, -2.0, 0.0)
    while sim.armed[0]:
        assert sim.time < 45
        sim.command_sil(*synthesis.land(*place))
        sim.sleep(every)
    assert sim.sil_bad[0] == 0


def test_a_take_off_repeated_in_the_wind_holds_its_place() -> None:
    sim = new_sim()
    sim.wind[0] = (3.0, 0.0, 0.0)
    for _ in range(100):
        sim.command_sil(*synthesis.take_off(np.nan, np.nan, -6.0, armed=True))
        sim.sleep(0.1)
    np.testing.assert_allclose(sim.navigator_goal[0], (0, 0, -6), atol=1e-6)
    np.testing.assert_allclose(sim.pos[0], (0, 0, -6), atol=0.2)


@pytest.mark.parametrize(
    ("home", "terrain", "z", "goal"),
    [
        (300.0, 300.0, 0.0, 290.0),
        (5.0, 5.0, 0.0, -5.0),
        (0.0, -30.0, 0.0, -40.0),  # on a hill
        (0.0, -30.0, -20.0, -40.0),  # a height inside the hill is none
        (0.0, -30.0, -50.0, -50.0),
        (0.0, 0.0, -np.inf, -10.0),
        (0.0, 0.0, np.nan, -10.0),
    ],
)
def test_take_off_height_is_above_home_and_ground(
    home: float, terrain: float, z: float, goal: float
) -> None:
    sim = new_sim()
    sim.terrain[:] = home
    sim.reset()
    sim.terrain[:] = terrain
    sim.pos[0, 2] = terrain
    command(sim, int(ON | Command.TAKEOFF), POS=(0.0, 0.0, z))
    assert sim.navigator_goal[0, 2] == goal


def test_return_on_the_ground_stays_there(in_state: Make) -> None:
    sim = in_state("idling")
    sim.home[0] = (10.0, 0.0, 0.0)
    command(sim, int(ON | Command.RETURN))
    sim.sleep(2)
    np.testing.assert_allclose(sim.pos[0], 0, atol=0.01)


def test_tasks_in_global_and_body_frames(in_state: Make) -> None:
    sim = in_state("obeying")
    command(sim, int(ON | Command.RETURN), int(Offboard.GLOBAL), POS=(0.0, 0.0, 70.0))
    assert sim.navigator_goal[0, 2] == pytest.approx(-20)
    sim = in_state("hovering")
    sim.pos[0, :2] = (100.0, 100.0)
    bits = int(Offboard.POSITION | Offboard.FRD)
    command(sim, int(ON | Command.LAND), bits, POS=(5.0, 1.0, 0.0))
    np.testing.assert_allclose(sim.navigator_goal[0, :2], (105, 101), atol=0.02)


def test_a_command_without_ports_names_no_place(in_state: Make) -> None:
    sim = in_state("hovering")
    sim.command_sil(*stream(Offboard.POSITION, POS=(3.0, 0.0, -5.0)))
    sim.command_sil(command=int(ON | Command.LAND))
    settle(sim, Mode.STANDBY, longest=60)
    assert not sim.armed[0]
    assert abs(sim.pos[0, 0]) < 1


def test_a_waiting_take_off_survives_a_disarming_just_before(in_state: Make) -> None:
    for disarm in (lambda sim: sim.command_sil(command=int(BASE)), lambda sim: sim.arm(False)):
        sim = in_state("idling")
        disarm(sim)
        sim.command_sil(*synthesis.take_off(0.0, 0.0, -4.0, armed=False))
        sim.sleep(0.5)
        command(sim, int(ON))
        sim.sleep(6)
        assert sim.pos[0, 2] == pytest.approx(-4, abs=0.05)


def test_neighbours_make_no_difference_to_what_a_vehicle_remembers() -> None:
    for n in (1, 2):
        sim = new_sim(n=n)
        sim.reset(pos=[(0.0, 5.0 * i, -10.0) for i in range(n)])
        command(sim, int(ON), int(Offboard.POSITION | Offboard.FRD), POS=(3.0, 0.0, 0.0))
        sim.sleep(5)
        sim.command_position((0.0, 0.0, -10.0), ids=1)
        sim.sleep(6)
        inputs = synthesis.inputs(1)
        inputs.ints[0, :2] = ON, Offboard.POSITION | Offboard.FRD
        inputs.floats[0, :3] = (3.0, 0.0, 0.0)
        sim.command_sil(*inputs, ids=1)
        sim.sleep(5)
        np.testing.assert_allclose(sim.pos[0], (3, 0, -10), atol=0.05)


def test_motors_of_a_disarmed_vehicle_stand_still_whoever_has_the_throttle() -> None:
    sim = new_sim()
    command(sim, int(Command.ENABLE))
    sim.throttle[:] = 0.8
    sim.sleep(0.5)
    assert not sim.throttle.any()


def test_direct_commands_take_the_throttle_back(in_state: Make) -> None:
    sim = in_state("hovering")
    command(sim, int(Command.ENABLE | Command.ARMED))
    sim.command_position((0.0, 0.0, -HEIGHT - 2))
    sim.sleep(5)
    assert sim.pos[0, 2] == pytest.approx(-HEIGHT - 2, abs=0.05)


def test_snapshots_hold_the_origin() -> None:
    sim = new_sim()
    sim.origin = (10.0, 20.0, 30.0)
    saved = sim.snapshot()
    sim.origin = (0.0, 0.0, 0.0)
    sim.restore(saved)
    assert sim.origin == (10, 20, 30)


def tipped(precision: str) -> pyrfly.Sim:
    """Return a vehicle that rolled over on the ground, still armed."""
    sim = new_sim("sdk", precision=precision)
    sim.command_sil(command=int(BASE | Command.ARMED))
    inputs = synthesis.body_rate_target([[5.3, 5.3, 0.0]], 0.45)
    sim.command_sil(inputs.ints, inputs.floats)
    sim.step(400)
    assert sim.armed[0]
    assert np.abs(sim.euler[0, :2]).max() > 1.0
    return sim


@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_a_tipped_over_vehicle_is_disarmed(precision: str) -> None:
    sim = tipped(precision)
    sim.command_sil(*synthesis.arm([True]))
    sim.command_sil(*synthesis.return_home([0.0]))
    sim.sleep(0.4)
    assert sim.armed[0]  # not before its time
    sim.sleep(2)
    assert not sim.armed[0]
    assert mode(sim) is Mode.STANDBY
    sim.sleep(3)
    assert np.linalg.norm(sim.vel[0]) < 1e-3
    assert np.abs(sim.euler[0, :2]).max() < 0.1  # its legs bring it upright


def test_a_vehicle_that_cannot_leave_the_ground_is_disarmed() -> None:
    sim = new_sim()
    sim.takeoff_speed[:] = 0.0
    command(sim, BASE | Command.ARMED | Command.TAKEOFF)
    sim.sleep(9.5)
    assert sim.armed[0]
    assert mode(sim) is Mode.TAKEOFF
    sim.sleep(1)
    assert not sim.armed[0]
    assert mode(sim) is Mode.STANDBY


def test_a_vehicle_may_idle_on_the_ground() -> None:
    sim = new_sim()
    command(sim, BASE | Command.ARMED)
    sim.sleep(20)
    assert sim.armed[0]
