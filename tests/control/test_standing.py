"""Vehicles on the ground stand level until lift-off is demanded, and then leave it level."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import pyrfly
from pyrfly import vehicles, wire
from pyrfly.protocol import synthesis
from pyrfly.protocol.short_message import SetPoint, ShortMode

from ..models.slopes import by_arithmetic

Array = NDArray[np.float64]

SETS = vehicles.names("multirotor")
SKIN = 2e-3  # m, RF_GROUND_SKIN
LEVEL = np.radians(1.0)
TURNS = [name.startswith("tri_y") for name in SETS]
"""Three rotors that turn the same way, whose torque turns a standing vehicle a little."""

ignore_warnings = pytest.mark.filterwarnings("ignore::pyrfly.errors.CommandWarning")


def armed(**options: Any) -> pyrfly.Sim:
    """Return a vehicle of every set, armed on the ground."""
    sim = pyrfly.Sim(dict.fromkeys(SETS, 1), dt=0.002, **options)
    sim.arm()
    return sim


def tilt(sim: pyrfly.Sim) -> Array:
    """Return the angle [rad] of each vehicle's down axis to the vertical."""
    tilted: Array = np.arccos(np.clip(1 - 2 * (sim.att[:, 1] ** 2 + sim.att[:, 2] ** 2), -1, 1))
    return tilted


def set_ground(sim: pyrfly.Sim, z: float) -> None:
    for group in sim.groups:
        group.terrain[:] = z


def stay(sim: pyrfly.Sim, seconds: float) -> None:
    """Step, and check that vehicles stay level at their place."""
    start = sim.pos.copy()
    for _ in range(round(seconds / 0.02)):
        sim.step(round(0.02 / sim.dt))
        assert tilt(sim).max() < LEVEL, SETS[int(tilt(sim).argmax())]
        np.testing.assert_allclose(sim.pos, start, atol=SKIN)


def position(sim: pyrfly.Sim) -> None:
    sim.command_position([10, -5, 0], yaw=2.0)


def below_the_ground(sim: pyrfly.Sim) -> None:
    sim.command_position([3, 0, 1])


def velocity(sim: pyrfly.Sim) -> None:
    sim.command_velocity([3, 1, 0], yaw_rate=0.5)


def descent(sim: pyrfly.Sim) -> None:
    sim.command_velocity([3, 0, 1], frame="frd")


def acceleration(sim: pyrfly.Sim) -> None:
    sim.multirotor.command_acceleration([2, -1, 0])


def trajectory(sim: pyrfly.Sim) -> None:
    sim.command_position([5, 0, 0], vel=[2, 0, 0], acc=[2, 0, 0])


def nothing(sim: pyrfly.Sim) -> None:
    """Give no set-point: zero velocity."""


COMMANDS = [position, below_the_ground, velocity, descent, acceleration, trajectory, nothing]


@pytest.mark.slow
@ignore_warnings
@by_arithmetic
@pytest.mark.parametrize("command", COMMANDS)
def test_a_vehicle_on_the_ground_stands_level(
    command: Callable[[pyrfly.Sim], None], precision: str, integrator: str
) -> None:
    sim = armed(precision=precision, integrator=integrator)
    command(sim)
    stay(sim, 4)
    assert np.abs(sim.euler[:, 2])[np.logical_not(TURNS)].max() < 0.01


def test_ground_raised_above_the_set_point_is_stood_on() -> None:
    sim = armed()
    sim.command_position([10, 0, -4])
    set_ground(sim, -7)
    sim.sleep(0.02)
    stay(sim, 4)


def test_a_flying_vehicle_that_new_ground_lifts_stands_on_it() -> None:
    sim = armed()
    sim.reset(pos=[0, 0, -10])
    sim.arm()
    sim.command_position([20, 0, -10])
    sim.sleep(0.5)
    set_ground(sim, -11)
    sim.sleep(3)
    np.testing.assert_allclose(sim.pos[:, 2], -11, atol=SKIN)
    stay(sim, 2)


def test_navigated_vehicles_stand_too() -> None:
    sim = pyrfly.Sim(dict.fromkeys(SETS, 1), dt=0.002)
    sim.enable_synthesis()
    sim.command_sil(*synthesis.arm(np.ones(sim.n, bool)))
    target = np.tile((10.0, 0.0, 0.0), (sim.n, 1))
    sim.command_sil(*SetPoint(ShortMode.POSITION_NED, target, np.zeros(sim.n)).inputs())
    stay(sim, 4)
    assert sim.armed.all()


@pytest.mark.slow
def test_the_least_thrust_presses_a_standing_vehicle_on_the_ground() -> None:
    """It is 0.3 g (VELOCITY_MINIMUM_LIFT), also after a minute: the support is no disturbance."""
    sim = armed()
    sim.command_position([10, 0, 0])
    for seconds in (1, 60):
        sim.sleep(seconds)
        for group in sim.groups:
            assert group.thrust[0] == pytest.approx(0.3 * group.mass[0] * group.gravity[0], rel=0.1)


def climb(sim: pyrfly.Sim) -> tuple[Array, float]:
    """Fly to 10 m north, 5 m up; return positions over time and the largest tilt on the ground."""
    sim.command_position([10, 0, -5], yaw=0)
    path, steepest = [], 0.0
    for _ in range(400):
        sim.sleep(0.02)
        path.append(sim.pos.copy())
        on_ground = sim.pos[:, 2] > -SKIN
        steepest = max(steepest, float((tilt(sim) * on_ground).max()))
    return np.array(path), steepest


@pytest.mark.slow
@by_arithmetic
def test_lift_off_with_a_horizontal_set_point_is_level_and_prompt(
    precision: str, integrator: str
) -> None:
    """One that has stood with a set-point at the ground flies as one that was just armed."""
    sim, waited = (armed(precision=precision, integrator=integrator) for _ in range(2))
    waited.command_position([10, 0, 0], yaw=0)
    waited.sleep(3)
    path, steepest = climb(sim)
    other, steepest_other = climb(waited)
    assert max(steepest, steepest_other) < np.radians(2)
    np.testing.assert_allclose(path[-1], np.tile([10, 0, -5], (sim.n, 1)), atol=0.02)
    assert np.linalg.norm(path - other, axis=2).max() < 1.0  # its rotors turn already
    assert (np.linalg.norm(path[50] - path[0], axis=1) > 1.0).all()  # after 1 s


def test_a_small_climb_is_a_lift_off() -> None:
    sim = armed()
    sim.command_position([1, 0, -0.2], yaw=0)
    sim.sleep(8)
    np.testing.assert_allclose(sim.pos, np.tile([1, 0, -0.2], (sim.n, 1)), atol=0.02)


@pytest.mark.parametrize("wind", [(0, 0, 0), (4, 2, 0)])
@pytest.mark.slow
def test_a_landing_with_a_horizontal_velocity_ends_level_at_rest(wind: tuple[float, ...]) -> None:
    sim = armed()
    sim.wind = wind
    sim.reset(pos=[0, 0, -3])
    sim.arm()
    sim.command_position([0, 0, -3])
    sim.sleep(3)
    sim.command_velocity([1, 0, 0.7])
    sim.sleep(7)
    assert (sim.pos[:, 2] > -SKIN).all()
    assert np.linalg.norm(sim.vel, axis=1).max() < 0.01
    stay(sim, 2)


@pytest.mark.slow
@ignore_warnings
def test_a_set_point_may_move_through_the_ground() -> None:
    """Down through the ground and up again, along a circle: they land, stand, fly on."""
    sim = armed()
    stood = np.zeros(sim.n, dtype=bool)
    for _ in range(1000):
        a, b = 0.5 * sim.time, 0.6 * sim.time
        sim.command_position([3 * np.sin(a), 3 - 3 * np.cos(a), -1.5 * np.sin(b)], yaw=0)
        sim.sleep(0.01)
        slow = np.linalg.norm(sim.vel, axis=1) < 0.01
        stood |= (sim.pos[:, 2] > -SKIN) & slow & (sim.time > 5)
    assert stood.all()
    assert sim.check().ok
    sim.command_position([0, 0, -2], yaw=0)
    sim.sleep(6)
    np.testing.assert_allclose(sim.pos, np.tile([0, 0, -2], (sim.n, 1)), atol=0.02)


def test_take_off_up_a_slope() -> None:
    sim = armed()
    sim.command_position([10, 0, -4], yaw=0)
    for _ in range(600):
        for group in sim.groups:
            group.terrain[:] = -0.3 * group.pos[:, 0]
        sim.sleep(0.01)
    np.testing.assert_allclose(sim.pos, np.tile([10, 0, -4], (sim.n, 1)), atol=0.02)


@ignore_warnings
def test_plain_vehicles_have_no_ground_to_stand_on() -> None:
    sim = pyrfly.Sim("sdk", 3, effects="plain", dt=0.002)
    sim.reset(pos=[[0, 0, 0], [0, 0, 5], [0, 0, -5]])
    sim.arm()
    sim.command_position([3, 0, 0.5], yaw=0)
    sim.sleep(8)
    np.testing.assert_allclose(sim.pos, np.tile([3, 0, 0.5], (3, 1)), atol=0.02)


@ignore_warnings
@pytest.mark.parametrize("attitude", [False, True])
def test_no_thrust_is_commanded_while_disarmed(attitude: bool) -> None:
    sim = pyrfly.Sim(dict.fromkeys(SETS, 1), dt=0.002)
    sim.reset(pos=[0, 0, -20])
    thrusts = [group.thrust for group in sim.groups]
    for arm in (False, True, False):
        sim.arm(arm)
        if attitude:
            sim.multirotor.command_attitude([1, 0, 0, 0], 0.5)
        else:
            sim.command_position([0, 0, -25])
        sim.sleep(0.02)
        assert all((thrust > 0) == arm for thrust in thrusts)
        packets = wire.pack(sim, "outCopterStruct")
        np.testing.assert_array_equal(packets["outCopterData"][:, 16], np.concatenate(thrusts))
