"""The tanker of 320 m: Froude's law against its model of 7 m, and what the ship has otherwise."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np
import pytest
from numpy.typing import NDArray

import pyrfly
from pyrfly.vehicles import FAMILIES
from pyrfly.vehicles.entries import parse_toml

from ..reaching import follow_rflysims_inputs, reach_a_position, reach_velocities_and_headings
from .conftest import sailed

Array = NDArray[np.float64]

LENGTH, SPEED = 320.0, 7.9739  # m; m/s: 15.5 knots
SCALE = LENGTH / 7.0
PACE = math.sqrt(SCALE)
"""Times and speeds of the tanker over those of its model."""


def at_rest(n: int = 1, dt: float = 0.05) -> pyrfly.Sim:
    """Return tankers without friction on the ground, which would want short steps."""
    family = FAMILIES["marine"]
    document = parse_toml("tanker", (family.sets / "kvlcc2_full.toml").read_bytes())
    document["hull_grip"]["value"] = 0.0
    return pyrfly.Sim(family.build("tanker", document, lambda name: (name, {})), n, dt=dt)


def tankers(n: int = 1) -> pyrfly.Sim:
    """Return tankers that go straight ahead at 15.5 knots, without the wind of their way."""
    sim = at_rest(n)
    sim.controllers = False
    sim.wind_drag[:] = 0.0
    sim.vel[:, 0] = SPEED
    return sim


def at_full_speed(sim: pyrfly.Sim) -> pyrfly.Sim:
    sim.thruster_speed[:, 0] = sim.thruster_rated
    sim.thruster_command[:, 0] = sim.thruster_rated / sim.thruster_speed_max[:, 0]
    return sim


def as_its_model(sim: pyrfly.Sim) -> pyrfly.Sim:
    """Give ships the resistance and the wake of the model, and a propeller that turns by that."""
    revolutions = 65.4878 / PACE
    resistance = 0.0159 * 0.5 * 1025.0 * LENGTH * 20.8
    sim.drag_quadratic[:, 0] = resistance
    sim.ship_surge[:, 0] = -0.0559
    sim.ship_wake[:, 0] = 0.40
    sim.thruster_ahead[:, 1] = 1025.0 * 9.86**4 * 0.2931 * (revolutions / math.tau) ** 2
    sim.thruster_rated[:] = revolutions
    sim.thruster_speed_max[:] = [1.2 * revolutions, revolutions]
    return sim


def hard_turns(sim: pyrfly.Sim) -> tuple[Array, Array, Array]:
    """Return advance and tactical diameter [L] and half a turn in the time of the model [s].

    To starboard and port.
    """
    sim.fin_command[:, 0] = [1.0, -1.0]
    places, yaws = [], []
    for _ in range(80):
        sim.sleep(PACE)
        places.append(sim.pos[:, :2] / LENGTH)
        yaws.append(sim.euler[:, 2].copy())
    path, yaw = np.array(places), np.abs(np.unwrap(np.array(yaws), axis=0))
    at = [partial(np.interp, xp=yaw[:, side]) for side in range(2)]
    advance = [at[i](0.5 * math.pi, fp=path[:, i, 0]) for i in range(2)]
    tactical = np.abs([at[i](math.pi, fp=path[:, i, 1]) for i in range(2)])
    return (
        np.array(advance),
        tactical,
        np.array([at[i](math.pi, fp=np.arange(1, 81)) for i in (0, 1)]),
    )


def test_with_the_resistance_of_its_model_it_turns_by_froudes_law() -> None:
    """Of `test_ship.py`: in lengths, and in times over the root of the scale; draught and centre of
    mass are rounded there."""
    advance, tactical, half = hard_turns(at_full_speed(as_its_model(tankers(2))))
    np.testing.assert_allclose(advance, [3.252, 3.273], rtol=0.005)
    np.testing.assert_allclose(tactical, [3.325, 3.323], rtol=0.008)
    np.testing.assert_allclose(half, [55.13, 54.00], rtol=0.005)


def test_its_own_resistance_is_less_and_its_turns_are_wider() -> None:
    """Its propeller pushes less water on the rudder; within IMO's limits [@imo-137]."""
    advance, tactical, _ = hard_turns(at_full_speed(tankers(2)))
    np.testing.assert_allclose(advance, [3.46, 3.52], atol=0.02)
    np.testing.assert_allclose(tactical, [3.53, 3.58], atol=0.02)


def test_it_makes_15_5_knots_at_74_revolutions_per_minute() -> None:
    sim = at_full_speed(tankers())
    sim.vel[:, 0] = 7.5
    sim.sleep(2500)
    assert sim.vel[0, 0] == pytest.approx(SPEED, rel=2e-3)
    assert 60.0 * sim.thruster_speed[0, 0] / math.tau == pytest.approx(73.9, abs=0.1)


def test_its_equilibrium_at_15_5_knots_is_at_those_revolutions() -> None:
    point = tankers().trim(vel=[SPEED, 0, 0])
    assert point.inputs["thruster_command"][0, 0] == pytest.approx(1.0 / 1.2, rel=1e-3)


def test_it_steams_to_a_position_and_lies_there() -> None:
    sim = at_rest()
    sim.arm()
    place = np.array([1500.0, -300.0, 0.0])
    sim.command_position(place)
    sim.sleep(1500)
    assert sim.arrived[0]
    assert np.linalg.norm(sim.pos[0] - place) < 4.0 * sim.arrival_radius[0]


@pytest.mark.slow
@pytest.mark.parametrize(
    "reach", [reach_a_position, reach_velocities_and_headings, follow_rflysims_inputs]
)
def test_it_reaches_in_hours_what_others_do(reach: Callable[[pyrfly.Sim], None]) -> None:
    reach(at_rest())


@pytest.mark.slow
def test_it_passes_the_corner_of_a_mission_and_ends_near_the_last_place() -> None:
    """By two sides of eight lengths."""
    side = 2700.0
    corner, end = (side, 0.0, 0.0), (side, side, 0.0)
    sim = at_rest(dt=0.02)  # the step of missions
    track = sailed(sim, [corner, end], every=50)
    assert np.linalg.norm(track - corner, axis=1).min() < LENGTH
    assert np.linalg.norm(sim.pos[0, :2] - end[:2]) < sim.turning_radius[0]
