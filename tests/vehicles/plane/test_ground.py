"""What a plane on the ground does with set-points, and what wind does to a course."""

from __future__ import annotations

import numpy as np
import pytest

import pyrfly
from pyrfly.vehicles import names

every_set = pytest.mark.parametrize("name", names("plane"))


@pytest.mark.parametrize("heading", [0.0, 2.0])
def test_the_present_course_of_a_standing_plane_is_that_of_its_nose(heading: float) -> None:
    sim = pyrfly.Sim("aerosonde", dt=0.002)
    sim.reset(yaw=heading)
    sim.arm()
    sim.command_velocity([20, 0, -2], frame="frd")
    sim.sleep(20)
    north, east, down = sim.pos[0]
    assert down < -10
    assert np.arctan2(east, north) == pytest.approx(heading, abs=0.05)


@every_set
@pytest.mark.parametrize("command", ["none", "velocity", "position"])
def test_a_plane_on_the_ground_rests_until_it_has_a_height_or_a_velocity(
    name: str, command: str
) -> None:
    sim = pyrfly.Sim(name, dt=0.002)
    sim.arm()
    if command == "velocity":
        sim.command_velocity([0, 0, 0])
    elif command == "position":
        sim.command_position([300, 0, 0])
    sim.sleep(10)
    assert np.linalg.norm(sim.pos[0, :2]) < 0.5
    assert sim.propeller_throttle[0] == 0.0


@pytest.mark.parametrize("name", ["aerosonde", "skywalker_x8"])
def test_the_airspeed_grows_against_a_wind_that_is_too_strong(name: str) -> None:
    """At least 5 m/s over the ground, PX4's FW_GND_SPD_MIN, along a line into the wind."""
    sim = pyrfly.Sim(name, dt=0.002)
    wind = float(sim.cruise_airspeed[0])
    sim.wind[:] = [-wind, 0, 0]
    sim.reset(pos=[0, 0, -300])
    sim.vel[:] = [5, 0, 0]
    sim.arm()
    sim.plane.command_line([0, 0, -300], [1, 0, 0])
    sim.sleep(60)
    assert sim.vel[0, 0] == pytest.approx(5.0, abs=0.3)
    assert abs(sim.pos[0, 1]) < 1.0
