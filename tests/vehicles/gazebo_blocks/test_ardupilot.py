"""ArduPlane's default outputs at planes and quadplanes of blocks: what each one does to them."""

from __future__ import annotations

import numpy as np
import pytest

from pyrfly import Sim
from pyrfly.server.actuators import Actuators
from pyrfly.server.ardupilot_vehicle import ArduPilotVehicle

SPEED, TIME = 20.0, 0.1  # m/s, s
QUADPLANES = ("gz_standard_vtol", "derivative_vtol")
PLANES = ("gz_plane", "gz_advanced_plane")
AILERON, ELEVATOR, THROTTLE, RUDDER = 1, 2, 3, 4


def changes(name: str, speed: float, outputs: dict[int, int]) -> np.ndarray:
    """Return what pulses [us] of outputs, from 1, change in rates and velocity, FRD."""
    sim = Sim(name, 2)
    sim.enable_synthesis()
    sim.reset(pos=[(0, 0, -50), (0, 20, -50)])
    sim.vel[:, 0] = speed
    actuators = Actuators(sim, lambda _, count: range(count))
    pulses = np.full(16, 1500, np.uint16)
    pulses[[2, *range(4, 12)]] = 1000
    for row in range(2):
        for output, pulse in outputs.items() if row else ():
            pulses[output - 1] = pulse
        actuators.take_over(row)
        actuators.set(row, ArduPilotVehicle(sim.groups[0], 0).commands(pulses), armed=True)
    actuators.write()
    sim.step(round(TIME / sim.dt))
    state = np.hstack([sim.rate, sim.vel])
    return state[1] - state[0]


SURFACES = [
    (name, output, axis)
    for name in (*PLANES, *QUADPLANES)
    for axis, output in enumerate((AILERON, ELEVATOR, RUDDER))
    if (name, output) != ("gz_standard_vtol", RUDDER)  # it has none
]


@pytest.mark.parametrize(("name", "output", "axis"), SURFACES)
def test_more_of_a_surface_is_roll_right_pitch_up_and_yaw_right(
    name: str, output: int, axis: int
) -> None:
    rates = changes(name, SPEED, {output: 1800})[:3]
    assert rates[axis] > 0.02
    assert np.argmax(np.abs(rates)) == axis
    assert changes(name, SPEED, {output: 1200})[axis] < -0.02


@pytest.mark.parametrize("name", [*PLANES, *QUADPLANES])
def test_the_throttle_moves_what_pulls_alone(name: str) -> None:
    change = changes(name, SPEED, {THROTTLE: 1800})
    assert change[3] > 0.02
    assert abs(change[5]) < 0.1 * change[3]


@pytest.mark.parametrize("name", QUADPLANES)
@pytest.mark.parametrize(
    ("output", "signs"),
    [
        (5, (-1, 1, 1)),  # front right, counter-clockwise
        (6, (1, -1, 1)),  # rear left, counter-clockwise
        (7, (1, 1, -1)),  # front left, clockwise
        (8, (-1, -1, -1)),  # rear right, clockwise
    ],
)
def test_motors_that_lift_are_those_of_a_quad_x(
    name: str, output: int, signs: tuple[int, ...]
) -> None:
    """ArduPilot's figure of QUAD X: a rotor turns the body against its own turning."""
    change = changes(name, 0.0, {output: 1800})
    np.testing.assert_array_equal(np.sign(change[:3]), signs)
    assert change[5] < -0.01


@pytest.mark.parametrize("name", QUADPLANES)
def test_all_four_lift_it_straight_up(name: str) -> None:
    change = changes(name, 0.0, dict.fromkeys(range(5, 9), 1800))
    assert change[5] < -0.5
    assert np.abs(change[:3]).max() < 0.3


@pytest.mark.parametrize("name", ["gz_tailsitter", "sih_tailsitter", "tri_y_servo_plus"])
def test_others_with_surfaces_are_refused_with_what_can_be_flown(name: str) -> None:
    """The throttle of an ArduPilot moved a rudder."""
    sim = Sim(name)
    sim.enable_synthesis()
    with pytest.raises(ValueError, match=f"a quadplane, .*; got '{name}' of gazebo_blocks"):
        ArduPilotVehicle(sim.groups[0], 0)
