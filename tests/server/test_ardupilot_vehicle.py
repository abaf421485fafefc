"""Which of ArduPilot's outputs drive which actuators, of each kind of vehicle."""

import numpy as np
import pytest

from pyrfly import Sim
from pyrfly.server.ardupilot_vehicle import ArduPilotVehicle

ROLL, PITCH, THROTTLE, YAW = 0.4, 0.2, 0.8, -0.2
PULSES = np.full(16, 1500, np.uint16)
PULSES[:4] = 1700, 1600, 1800, 1400


def driven(name):
    sim = Sim(name)
    sim.enable_synthesis()
    return ArduPilotVehicle(sim.groups[0], 0).commands(PULSES)


@pytest.mark.parametrize(
    ("name", "surfaces"),
    [
        ("aerosonde", (ROLL, PITCH, YAW, 0.0)),
        ("skywalker_x8", (PITCH - ROLL, PITCH + ROLL, 0.0, 0.0)),  # elevons, left and right
    ],
)
def test_planes_have_the_outputs_of_arduplane(name, surfaces):
    """1 ailerons, 2 elevator, 3 throttle, 4 rudder; 1000 to 2000 us are the whole of each."""
    np.testing.assert_allclose(driven(name)[:5], [*surfaces, THROTTLE], atol=1e-12)


@pytest.mark.parametrize(("name", "motors"), [("x450", 4), ("octo_x", 8), ("tri_y_plus", 3)])
def test_rotors_alone_take_the_outputs_in_their_order(name, motors):
    expected = [0.7, 0.6, 0.8, 0.4, *[0.5] * 12]
    np.testing.assert_allclose(driven(name)[:motors], expected[:motors])


def test_a_frame_of_a_copter_is_refused_for_a_plane():
    sim = Sim("aerosonde")
    sim.enable_synthesis()
    with pytest.raises(ValueError, match="frame: expected one of the layout plane, got quad_x"):
        ArduPilotVehicle(sim.groups[0], 0, "quad_x")
