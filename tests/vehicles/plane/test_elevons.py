"""PX4's channels of ailerons, elevator and rudder, as elevons get them."""

from __future__ import annotations

import socket
import time
from contextlib import closing
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from pymavlink.dialects.v20 import common

from pyrfly import Sim
from pyrfly.protocol.px4_channels import VERSIONS, channels_of, hitl_scales
from pyrfly.server import Server
from pyrfly.server.actuators import Actuators
from pyrfly.server.links.px4 import Px4Link
from pyrfly.vehicles import load
from pyrfly.vehicles.plane.px4 import surface_mix

from .aloft import NAME

WINGS = ("skywalker_x8", "lifting_wing")
RUDDER, MOTOR, LEFT, RIGHT, ELEVATOR = 2, 4, 5, 6, 7


def channels(**values: float) -> list[float]:
    """Return the channels of airframe 1030: ``roll``, ``pitch``, ``yaw`` and ``thrust``."""
    sent = [0.0] * 16
    roll = values.get("roll", 0.0)
    sent[LEFT], sent[RIGHT], sent[ELEVATOR] = -roll, roll, values.get("pitch", 0.0)
    sent[RUDDER], sent[MOTOR] = values.get("yaw", 0.0), values.get("thrust", 0.0)
    return sent


# what is sent, and what the left and the right elevon get
SUMS = [
    (channels(), 0.0, 0.0),
    (channels(roll=0.4), -0.4, 0.4),  # to the right: the right elevon up
    (channels(roll=-0.4), 0.4, -0.4),
    (channels(pitch=0.3), 0.3, 0.3),  # up: both up
    (channels(pitch=-0.3), -0.3, -0.3),
    (channels(roll=0.4, pitch=0.3), -0.1, 0.7),
    (channels(roll=-0.4, pitch=0.3), 0.7, -0.1),
    (channels(roll=0.8, pitch=0.5), -0.3, 1.0),  # limited
    (channels(roll=-0.8, pitch=-0.5), 0.3, -1.0),
    (channels(yaw=0.9), 0.0, 0.0),
]


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("name", WINGS)
def test_elevons_get_the_sum_of_aileron_and_elevator(name: str, version: str) -> None:
    sim = Sim(name, len(SUMS))
    sim.enable_synthesis()
    actuators = Actuators(sim, partial(channels_of, version=version), mixed=True)
    for row, (sent, _, _) in enumerate(SUMS):
        actuators.set(row, np.array(sent) + np.eye(16)[MOTOR] * 0.6, armed=True)
    actuators.write()
    expected = [(left, right, 0, 0) for _, left, right in SUMS]
    np.testing.assert_allclose(sim.surface_command, expected, atol=1e-12)
    np.testing.assert_allclose(sim.propeller_throttle, 0.6)


def test_in_hardware_before_1_14_the_throttle_is_minus_one_to_one() -> None:
    sim = Sim(WINGS[0])
    sim.enable_synthesis()
    actuators = Actuators(
        sim,
        partial(channels_of, version="1.12"),
        partial(hitl_scales, version="1.12"),
        mixed=True,
    )
    actuators.set(0, np.array(channels(roll=0.2, pitch=-0.5, thrust=0.4)), armed=True)
    actuators.write()
    np.testing.assert_allclose(sim.surface_command[0], [-0.7, -0.3, 0, 0], atol=1e-12)
    assert sim.propeller_throttle[0] == pytest.approx(0.7)


@pytest.mark.parametrize("name", [*WINGS, NAME])
@pytest.mark.parametrize(("axis", "sense"), [("roll", 0), ("pitch", 1)])
def test_the_vehicle_turns_as_px4_means_it(name: str, axis: str, sense: int) -> None:
    sim = Sim(name, 3, dt=0.002)
    sim.enable_synthesis()
    sim.reset(pos=(0, 0, -100))
    sim.vel[:, 0] = sim.cruise_airspeed
    actuators = Actuators(sim, channels_of, mixed=True)
    for row, value in enumerate((0.0, 0.5, -0.5)):
        actuators.set(row, np.array(channels(**{axis: value, "thrust": 0.5})), armed=True)
    actuators.write()
    sim.step(100)
    straight, more, less = sim.rate[:, sense]
    assert less + 0.2 < straight < more - 0.2


def test_a_v_tail_mixes_elevator_and_rudder() -> None:
    plane = load(NAME)
    mix, travel = np.zeros((4, 4)), [0.5, -0.5, -0.5, 0.0]
    mix[0, 0] = 1.0
    mix[1, 1:3] = 0.5, 0.5  # the left and the right half, trailing edges down
    mix[2, 1:3] = 0.5, -0.5  # an edge of the left half that is down is to the left, too
    changed = {"surface_mix": mix.ravel(), "surface_travel": np.tile(travel, 2)}
    plane = replace(plane, columns={**plane.columns, **changed})
    _, left, right, *_ = surface_mix(plane)
    assert left.tolist() == [0, 1, 1, 0, 0]  # up, and for the nose to the right up
    assert right.tolist() == [0, 1, -1, 0, 0]


def test_elevons_over_the_link_of_px4() -> None:
    sim = Sim({WINGS[0]: 1, NAME: 1})
    link = Px4Link(sim, first_port=0, version="1.16")
    sent = channels(roll=0.2, pitch=0.1, yaw=0.3, thrust=0.7)
    with closing(Server(sim, mode=None, rate="max", links=[link])) as server:
        for row in (0, 1):
            address = ("127.0.0.1", link.ports[row])
            with socket.create_connection(address, timeout=20) as px4:
                message = common.MAVLink_hil_actuator_controls_message(0, sent, 129, 0)
                px4.sendall(message.pack(common.MAVLink(None, srcSystem=1, srcComponent=1)))
                end = time.monotonic() + 30
                while link.stats["accepted"] <= row:
                    assert time.monotonic() < end
                    server.run(0.01)
                commands = sim.groups[row].surface_command[0]
                expected = ([-0.1, 0.3, 0, 0], [0.2, 0.1, 0.3, 0])[row]
                np.testing.assert_allclose(commands, expected, atol=1e-6)
