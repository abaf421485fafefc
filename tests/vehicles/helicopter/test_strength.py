"""An engine that has lost its torque."""

from __future__ import annotations

import pyrfly


def test_a_lost_engine_is_one_without_throttle() -> None:
    sim = pyrfly.Sim("xcell_60", 3)
    sim.controllers = False
    sim.set_strength([[0, 1, 1, 1, 1, 1], [1] * 6, [1] * 6])
    sim.reset(pos=[0, 0, -50])
    sim.main_rotor_speed = sim.main_rotor_nominal
    sim.engine_throttle = [1.0, 0.0, 1.0]
    sim.step(500)
    lost, idle, whole = sim.main_rotor_speed
    assert lost == idle < 0.9 * whole
