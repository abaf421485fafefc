"""The modes of the navigator of planes: a table of states and commands, priorities, bits."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

import pyrfly
from pyrfly.protocol import synthesis
from pyrfly.protocol.synthesis import BASE, OFFBOARD, POS, VEL, Command, Mode, Offboard

from .aloft import CRUISE, NAME, airspeed, course, fly, is_circled

RADIUS = float(pyrfly.Sim(NAME).groups[0].loiter_radius[0])
ARMED = int(BASE | Command.ARMED)


def command(sim: pyrfly.Sim, bits: int, offboard: int = 0, pos: object = (0, 0, 0)) -> None:
    """Command with a position of the map."""
    ints, floats = synthesis.inputs(sim.n)
    ints[:, 0], ints[:, OFFBOARD] = ARMED | int(bits), int(offboard)
    floats[:, POS] = pos
    sim.command_sil(ints, floats)


def on_ground() -> pyrfly.Sim:
    sim = pyrfly.Sim(NAME, dt=0.002)
    sim.enable_synthesis()
    return sim


def standing() -> pyrfly.Sim:
    sim = on_ground()
    command(sim, 0)
    sim.sleep(0.1)
    return sim


def taking_off() -> pyrfly.Sim:
    sim = on_ground()
    command(sim, Command.TAKEOFF, Offboard.POSITION, (0, 0, -60))
    sim.sleep(8)
    return sim


def flying() -> pyrfly.Sim:
    sim = on_ground()
    fly(sim)
    command(sim, Command.POSITION, Offboard.POSITION, (500, 0, -100))
    sim.sleep(1)
    return sim


def after(task: Command) -> Callable[[], pyrfly.Sim]:
    def made() -> pyrfly.Sim:
        sim = flying()
        command(sim, task)
        sim.sleep(0.1)
        return sim

    return made


def descending() -> pyrfly.Sim:
    sim = on_ground()
    fly(sim, 26)
    sim.pos[0, :2] = -330, 0
    command(sim, 0)
    command(sim, Command.LAND, Offboard.POSITION, (0, 0, 0))
    sim.sleep(6)
    return sim


STATES: dict[str, tuple[Callable[[], pyrfly.Sim], Mode]] = {
    "standing": (standing, Mode.STANDBY),
    "take-off": (taking_off, Mode.TAKEOFF),
    "position": (flying, Mode.POSITION),
    "return": (after(Command.RETURN), Mode.RETURN),
    "approach": (after(Command.LAND), Mode.APPROACH),
    "descent": (descending, Mode.DESCEND),
}
COMMANDS: dict[str, tuple[int, int]] = {
    "position": (Command.POSITION, Offboard.POSITION),
    "height": (Command.HEIGHT, Offboard.POSITION),
    "horizontal": (Command.HORIZONTAL, Offboard.POSITION),
    "loiter": (Command.LOITER, 0),
    "offboard": (Command.OFFBOARD_POSITION, Offboard.POSITION),
    "take-off": (Command.TAKEOFF, Offboard.POSITION),
    "return": (Command.RETURN, 0),
    "land": (Command.LAND, 0),
    "take-off and return": (Command.TAKEOFF | Command.RETURN, 0),
    "return and land": (Command.RETURN | Command.LAND, 0),
}
S, T, P, R, A, D = (mode for _, mode in STATES.values())
TABLE: dict[str, list[Mode]] = {  # the mode after a command, by the states above
    "position": [P, T, P, R, P, P],
    "height": [P, T, P, R, P, P],
    "horizontal": [P, T, P, R, P, P],
    "loiter": [S, T, P, R, P, P],
    "offboard": [P, P, P, R, P, P],
    "take-off": [T, T, T, R, T, T],
    "return": [S, R, R, R, R, R],
    "land": [D, A, A, A, A, D],
    "take-off and return": [S, R, R, R, R, R],
    "return and land": [D, A, A, A, A, D],
}


@pytest.mark.parametrize("state", STATES)
def test_the_table_of_states_and_commands(state: str) -> None:
    begin, mode = STATES[state]
    sim = begin()
    assert Mode(int(sim.navigator_mode[0])) == mode
    there = sim.snapshot()
    found = {}
    for name, (bits, offboard) in COMMANDS.items():
        sim.restore(there)
        command(sim, bits, offboard, (800, 100, -200) if offboard else (0, 0, 0))
        sim.step(20)
        found[name] = Mode(int(sim.navigator_mode[0]))
    column = list(STATES).index(state)
    assert found == {name: row[column] for name, row in TABLE.items()}


@pytest.mark.parametrize("state", STATES)
def test_disarming_ends_every_state(state: str) -> None:
    sim = STATES[state][0]()
    sim.command_sil(command=int(BASE))
    sim.step(20)
    assert not sim.armed[0]
    assert sim.navigator_mode[0] == Mode.STANDBY
    assert sim.propeller_throttle[0] == 0


def test_a_return_has_a_height() -> None:
    sim = flying()
    command(sim, Command.RETURN, 0, (0, 0, -130))
    sim.sleep(60)
    is_circled(sim, (0, 0, -130), RADIUS)


def test_a_repeated_command_changes_nothing() -> None:
    once, often = taking_off(), taking_off()
    for _ in range(5):
        command(often, Command.TAKEOFF, Offboard.POSITION, (99, 99, -60))
        for sim in (once, often):
            sim.sleep(2)
    np.testing.assert_array_equal(once.pos, often.pos)
    assert once.navigator_mode[0] == Mode.POSITION
    assert abs(once.pos[0, 2] + 60) < 3


def test_a_take_off_is_followed_by_straight_flight_until_a_command() -> None:
    sim = taking_off()
    sim.sleep(25)
    assert sim.navigator_mode[0] == Mode.POSITION
    assert abs(course(sim)) < 0.02
    assert sim.pos[0, 1] == pytest.approx(0, abs=10)
    command(sim, Command.LOITER)
    sim.step(10)
    place = sim.pos[0].copy()
    sim.sleep(45)
    is_circled(sim, (place[0], place[1], -60), RADIUS)


def test_height_is_height_and_airspeed_alone() -> None:
    sim = flying()
    ints, floats = synthesis.inputs(1)
    ints[0, :2] = ARMED | Command.HEIGHT, Offboard.POSITION | Offboard.VELOCITY
    floats[0, POS], floats[0, VEL] = (-500, 700, -120), (27, 0, 0)
    sim.command_sil(ints, floats)
    before = course(sim)
    sim.sleep(35)
    assert course(sim) == pytest.approx(before, abs=0.02)
    assert sim.pos[0, 2] == pytest.approx(-120, abs=2)
    assert airspeed(sim) == pytest.approx(27, abs=1)


def test_horizontal_is_a_position_at_the_present_height() -> None:
    sim = flying()
    command(sim, Command.HORIZONTAL, Offboard.POSITION, (400, 100, -500))
    sim.sleep(50)
    is_circled(sim, (400, 100, -100), RADIUS)


def test_the_first_component_of_a_velocity_at_a_position_is_the_airspeed() -> None:
    sim = flying()
    ints, floats = synthesis.inputs(1)
    ints[0, :2] = ARMED | Command.POSITION, Offboard.POSITION | Offboard.VELOCITY
    floats[0, POS], floats[0, VEL] = (400, 100, -100), (28, -5, 3)
    sim.command_sil(ints, floats)
    sim.sleep(60)
    is_circled(sim, (400, 100, -100), RADIUS, 28)


def test_a_take_off_without_a_height_has_its_default() -> None:
    for given in (0, -0.9, 50):
        sim = on_ground()
        command(sim, Command.TAKEOFF, Offboard.POSITION, (0, 0, given))
        sim.sleep(30)
        assert sim.pos[0, 2] == pytest.approx(-30, abs=2)


def test_accelerations_are_counted() -> None:
    sim = flying()
    ints, floats = synthesis.inputs(1)
    ints[0, :2] = ARMED | Command.POSITION, Offboard.POSITION | Offboard.ACCELERATION
    floats[0, POS] = 400, 100, -100
    sim.command_sil(ints, floats)
    sim.sleep(50)
    assert sim.sil_refused[0] == 1
    is_circled(sim, (400, 100, -100), RADIUS)


def test_a_landing_goes_through_its_phases() -> None:
    sim = flying()
    command(sim, Command.LAND, Offboard.POSITION, (0, 0, 0))
    modes, flare = [Mode.POSITION], []
    while sim.armed[0]:
        sim.sleep(0.1)
        assert sim.time < 250
        mode = Mode(int(sim.navigator_mode[0]))
        if mode != modes[-1]:
            modes.append(mode)
        if 0.1 < -sim.pos[0, 2] < 0.5 and mode == Mode.DESCEND:
            flare.append(float(sim.vel[0, 2]))
    assert modes == [Mode.POSITION, Mode.APPROACH, Mode.DESCEND, Mode.STANDBY]
    assert max(flare) < 1.5  # m/s
    assert sim.status[0] == 0


@pytest.mark.slow
def test_a_landing_ends_with_any_radius_of_circles() -> None:
    """Those that the bank angle does not allow, too: 10, 20, 40 m of a plane that turns in 64 m."""
    radii = np.array([-10.0, 10.0, 20.0, 40.0, RADIUS, 1000.0])
    sim = pyrfly.Sim(NAME, len(radii), dt=0.002)
    sim.enable_synthesis()
    fly(sim)
    sim.loiter_radius[:] = radii
    command(sim, 0)
    command(sim, Command.LAND, Offboard.POSITION, (300, 0, 0))
    while sim.armed.any():
        sim.sleep(1)
        assert sim.time < 900
    assert (np.linalg.norm(sim.pos[:, :2] - [300, 0], axis=1) < 350).all()  # it rolls out


def test_a_plane_that_cannot_take_off_is_disarmed() -> None:
    sim = on_ground()
    sim.propeller_thrust[:] = 0
    command(sim, Command.TAKEOFF)
    sim.sleep(12)
    assert not sim.armed[0]
    assert sim.navigator_mode[0] == Mode.STANDBY


def test_an_infinite_or_missing_number_never_reaches_the_state() -> None:
    sim = flying()
    for value in (math.nan, math.inf, -math.inf, 1e30):
        ints, floats = synthesis.inputs(1)
        ints[0, :2] = ARMED, 0x7FFFFFFF
        floats[:] = value
        sim.command_sil(ints, floats)
        sim.sleep(1)
        assert np.isfinite(sim.pos).all()
        assert np.isfinite(sim.att).all()
    assert sim.status[0] == 0
    assert CRUISE / 2 < airspeed(sim) < 2 * CRUISE
