"""What a tractor with a trailer looks like: the trailer is where the model has it."""

from __future__ import annotations

import numpy as np
from scipy.spatial.transform import Rotation

import pyrfly
from pyrfly.vehicles import FAMILIES, names


def test_the_trailer_turns_about_the_hitch() -> None:
    (name, *_) = names("truck")
    sim = pyrfly.Sim(name)
    sim.controllers = False
    sim.hitch_angle[:] = 0.6
    sim.step(1)
    parts = FAMILIES["truck"].drawing(pyrfly.load(name)).parts
    (box,) = (part for part in parts if part.name == "trailer")
    (hitch,) = box.joints
    angle = hitch.gain * sim.displayed_actuators[0, hitch.actuator]
    turn = Rotation.from_rotvec(angle * np.array(hitch.axis))
    w, x, y, z = sim.trailer_att[0]
    np.testing.assert_allclose(
        turn.apply([1, 0, 0]), Rotation([x, y, z, w]).apply([1, 0, 0]), atol=1e-6
    )
    axle = np.array(hitch.at) - [sim.trailer_wheelbase[0], 0, 0]
    drawn = turn.apply(axle - hitch.at) + hitch.at
    np.testing.assert_allclose(drawn, sim.trailer_pos[0] - sim.pos[0], atol=1e-6)
    wheels = [part for part in parts if part.name.startswith("trailer's") and hitch in part.joints]
    np.testing.assert_allclose(np.mean([part.at[0] for part in wheels]), axle[0])
