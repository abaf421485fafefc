"""What multirotors look like: rotors where the model's are, which turn as its do."""

from __future__ import annotations

import numpy as np
import pytest

import pyrfly
from pyrfly.vehicles import FAMILIES, names
from pyrfly.vehicles.drawing import SPIN
from pyrfly.vehicles.multirotor.hull import places
from pyrfly.vehicles.multirotor.rotors import rotor_radius

every_set = pytest.mark.parametrize("name", names("multirotor"))


@every_set
def test_each_rotor_is_at_its_hub_along_its_thrust(name: str) -> None:
    parameters = pyrfly.load(name)
    hubs, axes, _ = places(parameters)
    rotors = [p for p in FAMILIES["multirotor"].drawing(parameters).parts if p.joints]
    assert [part.joints[0].actuator for part in rotors] == list(range(len(hubs)))
    for part, hub, axis in zip(rotors, hubs, axes, strict=True):
        away = np.subtract(part.at, hub)  # those above each other are drawn apart
        assert np.linalg.norm(away) < 0.1 * rotor_radius(parameters)
        np.testing.assert_allclose(part.joints[0].axis, axis, atol=1e-12)
        assert part.joints[0].kind == SPIN


@pytest.mark.parametrize("name", ["x450", "iris", "hex_coax", "octo_plus", "tri_y_minus"])
def test_a_rotor_turns_against_the_torque_on_the_vehicle(name: str) -> None:
    parameters = pyrfly.load(name)
    rotors = [p for p in FAMILIES["multirotor"].drawing(parameters).parts if p.joints]
    sim = pyrfly.Sim(name, 1 + len(rotors))
    sim.controllers = False
    sim.reset(pos=[0, 0, -100])
    sim.arm()
    sim.throttle[:, : len(rotors)] = 0.4
    for i in range(len(rotors)):
        sim.throttle[1 + i, i] = 0.6
    sim.step(200)
    yawed = sim.rate[1:, 2] - sim.rate[0, 2]
    for joint, yaw in zip([part.joints[0] for part in rotors], yawed, strict=True):
        assert np.sign(joint.gain * joint.axis[2]) == -np.sign(yaw)
