"""What helicopters look like: the swash plate tilts with its servos, rotors turn as the model's."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import pyrfly
from pyrfly.vehicles import FAMILIES, names
from pyrfly.vehicles.drawing import SPIN, Part
from pyrfly.vehicles.helicopter.hover import rotor_radius

every_set = pytest.mark.parametrize("name", names("helicopter"))


def parts_of(name: str) -> dict[str, Part]:
    return {p.name: p for p in FAMILIES["helicopter"].drawing(pyrfly.load(name)).parts}


@every_set
def test_the_swash_plate_tilts_with_its_servos(name: str) -> None:
    """Each servo that rises lifts the plate's side where it is."""
    sim = pyrfly.Sim(name, 4)
    count = int(sim.swash_count[0])
    sim.controllers = False
    for row, (pitch, roll) in enumerate([(0.2, 0.0), (-0.2, 0.0), (0.0, 0.2), (0.1, 0.1)]):
        for i, angle in enumerate(sim.swash_angle[row, :count]):
            sim.swash_position[row, i] = pitch * np.cos(angle) - roll * np.sin(angle)
    sim.step(1)
    plate = parts_of(name)["swash plate"]
    for row, shown in enumerate(sim.displayed_actuators):
        turn = Rotation.identity()
        for joint in plate.joints:
            turn = (
                Rotation.from_rotvec(joint.gain * shown[joint.actuator] * np.array(joint.axis))
                * turn
            )
        for i, angle in enumerate(sim.swash_angle[row, :count]):
            rise = -turn.apply([np.cos(angle), np.sin(angle), 0])[2]
            assert rise == pytest.approx(np.sin(shown[2 + i]), abs=0.01)


@every_set
def test_rotors_are_of_the_set_and_turn_as_the_model_does(name: str) -> None:
    parameters, parts = pyrfly.load(name), parts_of(name)
    main, tail = parts["main rotor"], parts["tail rotor"]
    assert main.solid.radius == rotor_radius(parameters)
    assert all(part.joints[0].kind == SPIN for part in (main, tail))
    assert main.joints[0].gain * main.joints[0].axis[2] > 0  # clockwise as seen from above
    against = np.cross(tail.at, tail.joints[0].axis)[2]  # the torque of the engine turns it left
    assert against > 0
