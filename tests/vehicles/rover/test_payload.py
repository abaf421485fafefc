"""Payloads of rovers: on them, and dragged behind on a cable."""

import pytest

from pyrfly import Sim

G = 9.8


def test_a_rover_with_a_payload_gains_speed_slower() -> None:
    def speed(mass: float) -> float:
        sim = Sim("rover")
        sim.payload.attach(mass)
        sim.controllers = False
        sim.reset()
        sim.wheel_torque = [[0.2, 0.2]]
        sim.drive = 1.0
        sim.sleep(0.2)
        return float(sim.vel[0, 0])

    own = float(Sim("rover").mass[0])
    assert speed(0.0) == pytest.approx(2 * speed(own), rel=0.02)


def test_friction_holds_what_a_cable_drags() -> None:
    """A rover that drives on slowly pulls with mu m g."""
    sim = Sim("rover")
    sim.payload.attach(0.3, cable=2.0, friction=0.4)
    sim.reset()
    sim.arm()
    sim.command_velocity([0.5, 0, 0])
    sim.sleep(15)
    assert sim.payload_tension[0] == pytest.approx(0.4 * 0.3 * G, rel=0.02)
    assert sim.payload_vel[0, 0] == pytest.approx(sim.vel[0, 0], abs=0.02)
    assert sim.pos[0, 0] - sim.payload_pos[0, 0] == pytest.approx(2, abs=0.01)
