"""Rovers at the links of a server: PX4, ArduPilot, serial HIL, FlightGear."""

from __future__ import annotations

import socket
import time
from contextlib import closing

import numpy as np
import pytest
from pymavlink.dialects.v20 import common

from pyrfly import Sim
from pyrfly.protocol.px4_channels import VERSIONS, channels_of
from pyrfly.server import OptionError, Server
from pyrfly.server.links.ardupilot import ArduPilotLink
from pyrfly.server.links.px4 import Px4Link
from pyrfly.server.links.serial_hil import SerialHilLink
from pyrfly.vehicles import FAMILIES
from pyrfly.wire import flightgear

from ..conftest import commands_of_ardupilot

LEFT_FIRST = ("1.12", "1.13", "1.14")


@pytest.mark.parametrize("version", VERSIONS)
def test_it_turns_right_with_more_on_its_left(version: str) -> None:
    """Left and right channel; those of PX4 v1.12 are throttle + yaw and throttle - yaw."""
    expected = (0, 5) if version in LEFT_FIRST else (5, 0)
    assert channels_of(FAMILIES["rover"].px4_airframe, 2, version) == expected


@pytest.mark.parametrize(("version", "expected"), [("1.12", [0.1, 0.6]), ("1.16", [0.6, 0.1])])
def test_its_sides_are_those_of_the_version_of_px4(version: str, expected: list[float]) -> None:
    sim = Sim("rover_differential")
    link = Px4Link(sim, first_port=0, version=version)
    address = ("127.0.0.1", link.ports[0])
    with (
        closing(Server(sim, mode=None, rate="max", links=[link])) as server,
        socket.create_connection(address, timeout=20) as px4,
    ):
        controls = [0.1 * (1 + k) for k in range(16)]
        message = common.MAVLink_hil_actuator_controls_message(0, controls, 129, 0)
        px4.sendall(message.pack(common.MAVLink(None, srcSystem=1, srcComponent=1)))
        end = time.monotonic() + 30
        while not link.stats["accepted"]:
            assert time.monotonic() < end
            server.run(0.01)
        np.testing.assert_allclose(sim.drive[0], expected, atol=1e-6)


@pytest.mark.parametrize("frame", [None, "skid_steering"])
def test_its_sides_are_outputs_1_and_3_of_ardupilot(frame: str | None) -> None:
    found = commands_of_ardupilot("rover_differential", frame)
    np.testing.assert_allclose(found[:3], [-1, -0.6, 0])


def test_a_frame_of_rotors_does_not_fit() -> None:
    with pytest.raises(OptionError, match="layout differential, got quad_x of quad_x"):
        ArduPilotLink(Sim("rover_differential"), first_port=0, frames="quad_x")


def test_the_serial_link_needs_rotors() -> None:
    with pytest.raises(OptionError, match=r"with 4 rotors, .* rover_differential, which has none"):
        SerialHilLink(Sim("rover_differential"), None)


def test_it_has_no_engines_for_flightgear(standin) -> None:
    sim = Sim({"sdk": 1, "husky_a200": 1})
    sim.groups[1].wheel_speed[:] = 5
    quad, rover = (standin("flightgear").read(p.tobytes()) for p in flightgear.pack(sim))
    assert (quad["num_engines"], rover["num_engines"]) == (4, 0)
    assert rover["rpm"] == rover["eng_state"] == [0] * 4
    assert rover["wow"] == [1, 1, 1]
