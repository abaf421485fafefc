"""`Sim.trim` of vehicles of blocks that hover and fly by wings, and of planes that climb."""

from __future__ import annotations

import numpy as np
import pytest

import pyrfly
from pyrfly import ParameterError
from pyrfly.frames import euler_of_quaternion

CRUISES = {
    "gz_standard_vtol": [13.0, 15.0, 18.0, 22.0, 25.0],
    "derivative_vtol": [16.0, 18.0, 22.0, 25.0],
    "gz_tailsitter": [7.0, 8.5, 10.0, 12.0, 14.0],
    "gz_quadtailsitter": [13.5, 14.3, 15.0],
    "sih_tailsitter": [7.0, 8.5],
}


@pytest.mark.parametrize(("name", "speeds"), CRUISES.items())
def test_wings_carry_a_vtol_while_the_rotors_that_lift_stand_still(
    name: str, speeds: list[float]
) -> None:
    sim = pyrfly.Sim(name, len(speeds))
    vel = np.outer(speeds, [1.0, 0.0, 0.0])
    point = sim.trim(vel=vel, hover=False)
    lifts = sim.forward_thrust[0] == 0.0
    assert np.abs(point.state["motor_speed"][:, lifts]).max() < 1e-9
    channels = point.inputs["channel"]
    assert np.abs(channels).max() <= 1.0
    sim.reset(pos=[0, 0, -100])
    sim.arm()
    for column, values in point.state.items():
        if column != "pos":
            getattr(sim, column)[:] = values
    sim.gazebo_blocks.command_channels(channels)
    sim.step(20)
    np.testing.assert_allclose(sim.vel, vel, atol=1e-3)
    np.testing.assert_allclose(sim.att, point.state["att"], atol=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["gz_standard_vtol", "derivative_vtol"])
def test_it_is_the_flight_that_the_controllers_settle_in(name: str) -> None:
    sim = pyrfly.Sim(name, dt=0.002)
    sim.reset(pos=[0, 0, -60], hover=True)
    sim.arm()
    sim.gazebo_blocks.command_transition("wings")
    sim.sleep(10)
    sim.gazebo_blocks.command_line([0, 0, -60], [1, 0, 0])
    sim.sleep(60)
    point = sim.trim(vel=sim.vel[0] * [1, 0, 0], hover=False)
    flown, found = (euler_of_quaternion(att)[0, 1] for att in (sim.att, point.state["att"]))
    assert flown == pytest.approx(found, abs=0.02)
    pusher = int(np.argmax(sim.forward_thrust[0]))
    channel = int(sim.motor_channel[0, pusher])
    assert sim.channel[0, channel] == pytest.approx(point.inputs["channel"][0, channel], abs=0.02)


@pytest.mark.slow
def test_a_plane_climbs_and_descends_steeply() -> None:
    point = pyrfly.Sim("gz_plane", 2).trim(vel=[[15, 0, 6.0], [15, 0, -6.0]])
    assert np.abs(point.inputs["channel"]).max() <= 1.0


def test_rotors_alone_carry_it_by_default() -> None:
    sim = pyrfly.Sim("gz_standard_vtol")
    point = sim.trim(vel=[10, 0, 0])
    assert (point.state["motor_speed"][0, :4] > 100.0).all()


@pytest.mark.slow
def test_a_tailsitter_is_trimmed_in_wind_of_its_cruise_airspeed_from_any_side() -> None:
    """It exists: with its commands the vehicle stays where it is."""
    angles = np.arange(24) * np.pi / 12
    sim = pyrfly.Sim("sih_tailsitter", len(angles), dt=0.002)
    wind = 8.0 * np.stack([np.cos(angles), np.sin(angles), 0 * angles], axis=1)
    sim.reset(pos=[0, 0, -100])
    sim.wind[:] = wind
    point = sim.trim()
    sim.arm()
    for column in ("att", "motor_speed"):
        getattr(sim, column)[:] = point.state[column]
    sim.gazebo_blocks.command_channels(point.inputs["channel"])
    sim.step(20)
    np.testing.assert_allclose(sim.vel, 0.0, atol=2e-3)
    np.testing.assert_allclose(sim.rate, 0.0, atol=2e-3)


def test_what_does_not_fly_by_wings_is_refused() -> None:
    with pytest.raises(ParameterError, match="hover: expected True for x450"):
        pyrfly.Sim("x450").trim(hover=False)


def test_an_actuator_beyond_its_range_is_no_equilibrium() -> None:
    steep = pyrfly.Sim("gz_advanced_plane")
    with pytest.raises(ParameterError, match=r"actuator 4 had to be at -0\.\d+, .* from 0 to 1"):
        steep.trim(vel=[10.4, 0, 1.0])


def test_a_vehicle_is_trimmed_alike_alone_and_among_others() -> None:
    sim = pyrfly.Sim("sih_tailsitter", 20)
    sim.reset(seed=9)
    sim.randomize("mass", 0.9 * sim.mass[0], 1.1 * sim.mass[0])
    sim.randomize("wind", [-3, -3, 0], [3, 3, 0.5])
    together = sim.trim().state
    for copter_id in (1, 7, 20):
        for name, values in sim.trim(copter_id).state.items():
            np.testing.assert_array_equal(values[0], together[name][copter_id - 1])
