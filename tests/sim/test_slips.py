"""Numbers that seem to be of another unit are told, once, and used."""

import warnings

import numpy as np
import pytest

import pyrfly
from pyrfly import ParameterWarning, Sim
from pyrfly.vehicles import FAMILIES, load, names

STALLING = [name for name in names() if "stall_angle" in load(name).columns]

GRAMS = 1500.0  # for a vehicle of 1.8 kg


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (lambda sim: sim.reset(yaw=90), "yaw: expected radians, got 90"),
        (lambda sim: sim.command_position([0, 0, -5], yaw=-180), "yaw: expected radians, got 180"),
        (lambda sim: sim.select(2).write("wind", [300, 0, 0]), r"wind: .*\[m/s\].* got 300"),
        (lambda sim: setattr(sim, "wind", [0, 300, 0]), r"wind: .*\[m/s\].* got 300"),
        (lambda sim: sim.at(1, wind=[0, 0, 300]), r"wind: .*\[m/s\].* got 300"),
        (lambda sim: setattr(sim, "mass", GRAMS), r"mass: .*1\.845 \[kg\], .*'x450', got 1500"),
        (lambda sim: sim.randomize("mass", 1.5, GRAMS), r"mass: .*\[kg\].* got 1500"),
        (lambda sim: setattr(sim, "motor_tau", 50), r"motor_tau: .*\[s\].* got 50"),
        (lambda sim: setattr(sim, "throttle", 50), "throttle: expected 0 to 1, got 50"),
        (lambda sim: sim.at(1, throttle=[0, 0, 0, 1500]), "throttle: expected 0 to 1, got 1500"),
    ],
)
def test_what_seems_to_be_of_another_unit_is_told_once(act, words):
    sim = Sim("x450", 2)
    sim.controllers = False
    sim.arm()
    with pytest.warns(ParameterWarning, match=words):
        act(sim)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        act(sim)


@pytest.mark.parametrize(
    "act",
    [
        lambda sim: setattr(sim, "tilt_limit", 35),
        lambda sim: setattr(sim, "tilt_limit", 60),
        lambda sim: sim.at(1, tilt_limit=60),
        lambda sim: sim.randomize("tilt_limit", 40, 60),
        lambda sim: sim.select(1).write("tilt_limit", 1.6),
    ],
)
def test_limits_of_tilt_end_at_a_quarter_of_a_turn(act):
    """Further there is no thrust against gravity."""
    sim = Sim("x450")
    with pytest.raises(ValueError, match=r"tilt_limit: expected .*at most 1\.57.*\[rad\]"):
        act(sim)
    sim.tilt_limit = np.pi / 2
    np.testing.assert_allclose(sim.tilt_limit, np.pi / 2)


@pytest.mark.parametrize(
    "act",
    [
        lambda sim: setattr(sim, "wind", 3),
        lambda sim: sim.select(1).write("wind", 3.0),
        lambda sim: setattr(sim, "external_force", -2),
    ],
)
def test_one_number_is_no_vector_but_zero(act):
    """It would blow and pull downwards, too."""
    sim = Sim("x450")
    sim.set_load(force=[0, 0, 0])
    with pytest.raises(ValueError, match=r"expected \[north, east, down\] \[.*\], got -?[23]"):
        act(sim)
    sim.wind = 0
    assert not sim.wind.any()


@pytest.mark.skipif(not STALLING, reason="no vehicle has wings")
def test_angles_of_parameters_in_degrees_are_told():
    """Of the stall angle, 0.2 to 0.5 rad: 12 degrees."""
    sim = Sim(STALLING[0])
    with pytest.warns(ParameterWarning, match=r"stall_angle: .*\[rad\].* got 12, .*another unit"):
        sim.stall_angle = 12


@pytest.mark.parametrize("vehicle", [names(family)[0] for family in FAMILIES])
def test_numbers_of_other_vehicles_in_storms_are_not_told(vehicle):
    sim = Sim(vehicle)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sim.wind = [-40, 30, 5]  # m/s
        sim.mass = 4 * sim.mass
        sim.gravity = 1.62  # m/s^2, of the Moon
        sim.reset(yaw=-3 * np.pi)


def test_the_number_is_used_all_the_same():
    sim = pyrfly.Sim("x450")
    with pytest.warns(ParameterWarning):
        sim.mass = GRAMS
    assert sim.mass[0] == GRAMS
