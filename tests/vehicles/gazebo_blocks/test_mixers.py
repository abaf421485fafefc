"""Vehicles of blocks by PX4's mixers: channels of motors are 0 to 1, those of joints -1 to 1."""

from __future__ import annotations

import numpy as np
import pytest

import pyrfly
from pyrfly import CommandWarning
from pyrfly.errors import MixerError
from pyrfly.mixers import Arming, MixedActuators, Mixer, parse

THROTTLE = b"M: 1\nS: %d 3 0 20000 -10000 -10000 10000\n"
SURFACE = b"M: 1\nS: %d %d %d %d 0 -10000 10000\n"
LEFT, RIGHT, UP = (0, -10000), (0, 10000), (1, 10000)


def surface(group: int, index: int, gain: int) -> bytes:
    return SURFACE % (group, index, gain, gain)


# Rotors in hover by group 0; pusher, ailerons and elevator in winged flight by group 1.
VTOL = b"R: 4x\n" + THROTTLE % 1 + b"".join(surface(1, *s) for s in (LEFT, RIGHT, UP))
PLANE = b"Z:\nZ:\n" + surface(0, 2, 10000) + b"Z:\n" + THROTTLE % 0
PLANE += b"".join(surface(0, *s) for s in (LEFT, RIGHT, UP))


def flying(name: str, text: bytes, n: int) -> tuple[pyrfly.Sim, MixedActuators]:
    sim = pyrfly.Sim(name, n)
    sim.controllers = False
    sim.reset(pos=[[0, 0, -100]] * n)
    sim.arm()
    return sim, MixedActuators(sim, Mixer(parse(text)))


def test_a_vtol_hovers_turns_and_is_pushed() -> None:
    sim, actuators = flying("gz_standard_vtol", VTOL, 6)
    hover = 786.01 / 1500
    sim.motor_speed[:, :4] = 786.01
    turns = np.zeros((3, 6))
    turns[[0, 1, 2], [1, 2, 3]] = 0.1
    actuators.command(
        roll=turns[0], pitch=turns[1], yaw=turns[2], thrust=hover,
        alt_thrust=[0, 0, 0, 0, 0.5, 0], alt_roll=[0, 0, 0, 0, 0, 0.4],
    )  # fmt: skip
    np.testing.assert_allclose(sim.channel[0, :9], [hover] * 4 + [0] * 5)
    np.testing.assert_allclose(sim.channel[4, 4], 0.5)
    np.testing.assert_allclose(sim.channel[5, 4:8], [0, -0.4, 0.4, 0])
    sim.step(300)
    turned = sim.rate[1:4] - sim.rate[0]
    assert np.diag(turned).min() > 0.2
    assert np.abs(turned - np.diag(np.diag(turned))).max() < 0.05
    assert sim.vel[4, 0] > 1
    assert abs(sim.vel[0, 2]) < 0.01


def test_a_plane_flies_by_the_mixer_of_px4s_and_leaves_the_second_flap() -> None:
    with pytest.warns(CommandWarning, match="no output 8 for servos of 'gz_plane'"):
        sim, actuators = flying("gz_plane", PLANE, 5)
    sim.vel[:] = [20, 0, 0]
    step = [[0.3 * (row == axis) for row in range(5)] for axis in range(3)]
    actuators.command(roll=step[0], pitch=step[1], yaw=step[2], thrust=[0.3] * 4 + [1.0])
    sim.step(150)
    assert np.diag(sim.rate[:3] - sim.rate[3]).min() > 0.2
    assert sim.vel[4, 0] - sim.vel[3, 0] > 0.5
    with pytest.raises(MixerError, match="expected an output 4 for an actuator of 'gz_plane'"):
        flying("gz_plane", b"Z:\n" * 3, 1)


def test_while_it_is_disarmed_it_rests_whatever_the_mixer_says() -> None:
    sim, actuators = flying("gz_standard_vtol", VTOL, 1)
    sim.arm(False)
    actuators.command(thrust=0.5, alt_pitch=0.5, arming=Arming.ARMED)
    sim.step(50)
    assert not sim.motor_speed.any()
    assert not sim.joint_angle.any()
