"""Models in libraries among other vehicles, in scenes and on the ground."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from pyrfly import Sim, plugins
from pyrfly.protocol.terrain import ground_of
from pyrfly.scene import Box, Scene

Build = Callable[[str], Path]

HIGH = -50.0


def set_going(sim: Sim, speed: float) -> None:
    """Give the first model a velocity north [m/s]."""
    commands = sim.groups[0].view("command")
    commands[0, 0] = speed
    sim.step(1)
    commands[:] = 0


@pytest.mark.parametrize("isolate", [False, True])
def test_a_model_and_a_vehicle_that_collide_share_their_momentum(
    build: Build, isolate: bool
) -> None:
    loaded = plugins.load(build("mass"), mass=3.0, size=(0.4, 0.4, 0.2), isolate=isolate)
    sim = Sim({loaded: 1, "x450": 1})
    sim.collisions.enable()
    sim.enable_part("free_outputs")
    sim.reset(pos=[[0, 0, HIGH], [0, 0, 0]])
    sim.reset(ids=2, pos=[[0.7, 0, HIGH]], hover=True)
    sim.controllers = False
    set_going(sim, 1.0)
    sim.step(300)
    assert sim.free_outputs[0, 0] > 0
    assert sim.collisions.met() == ["copter 2", "copter 1"]
    mass = 3.0, float(sim.groups[1].view("mass")[0])
    assert sim.vel[0, 0] == pytest.approx(3.0 / sum(mass), rel=0.03)
    assert mass[0] * sim.vel[0, 0] + mass[1] * sim.vel[1, 0] == pytest.approx(
        3.0, rel=0.15
    )  # overlaps push, too


def test_a_model_without_that_input_goes_through_and_pushes(build: Build) -> None:
    sim = Sim({plugins.load(build("quadrotor"), size=(0.4, 0.4, 0.2)): 1, "x450": 1})
    sim.collisions.enable()
    sim.reset(pos=[[0, 0, HIGH], [0, 0, 0]])
    sim.reset(ids=2, pos=[[0, 0, HIGH + 0.5]], hover=True)
    sim.step(1000)
    alone = Sim({plugins.load(build("quadrotor")): 1})
    alone.reset(pos=[[0, 0, HIGH]])
    alone.step(1000)
    assert sim.pos[0].tolist() == alone.pos[0].tolist()
    assert sim.collisions.met() == ["copter 2", "copter 1"]


def test_a_model_is_told_of_walls_and_turned_back_by_them(build: Build) -> None:
    sim = Sim({plugins.load(build("mass"), size=(0.4, 0.4, 0.2)): 1})
    sim.scene.set(Scene([Box((1, 4, 4), (2.5, 0, HIGH)), Box((2, 2, 1), (0, 0, HIGH + 5.5))]))
    sim.collisions.enable()
    sim.enable_part("free_outputs")
    sim.reset(pos=[[0, 0, HIGH]])
    sim.step(8)
    assert sim.free_outputs[0, 1:7] == pytest.approx([1.8, 100, 100, 100, 100, 5.0], abs=1e-5)
    set_going(sim, 1.0)
    farthest = 0.0
    for _ in range(30):
        sim.step(100)
        farthest = max(farthest, sim.pos[0, 0])
    assert 1.8 < farthest < 1.95
    assert sim.vel[0, 0] < 0
    assert sim.free_outputs[0, 0] == 0


def test_a_broken_model_loses_its_actuators(build: Build) -> None:
    sim = Sim({plugins.load(build("quadrotor")): 1})
    sim.scene.set(Scene([Box((4, 4, 1), (0, 0, HIGH + 20))]))
    sim.collisions.enable()
    sim.reset(pos=[[0, 0, HIGH]])
    sim.groups[0].view("command")[:, :4] = 0.3
    before = 0.0
    while not sim.collisions.crashed()[0] and sim.time < 5:
        before = sim.displayed_actuators[0, 0]
        sim.step(100)
    sim.step(200)
    assert sim.collisions.met() == ["shape 0"]
    assert sim.displayed_actuators[0, 0] < 0.1 * before


def test_a_reported_hit_reaches_a_model_once(build: Build) -> None:
    sim = Sim({plugins.load(build("mass")): 2})
    sim.enable_part("free_outputs")
    sim.rebound.put([12345, 7, 1] + 17 * [0], ids=2, hold=0.1)
    sim.step(50)
    assert sim.free_outputs[:, 0].tolist() == [0, 1]
    assert sim.crash_id.tolist() == [0, 7]


def test_a_model_is_told_of_slope_friction_and_motion_of_its_ground(build: Build) -> None:
    sim = Sim({plugins.load(build("mass")): 2})
    sim.enable_part("free_outputs")
    sim.set_ground_plane(
        gradient=[-0.2, 0.1], velocity=[0.5, 0, 0], yaw_rate=0.1, friction_reduction=0.25, ids=1
    )
    sim.reset(pos=[[0, 0, HIGH], [0, 5, HIGH]])
    sim.groups[0].view("command")[0, 0] = 2
    sim.step(2000)
    told = sim.free_outputs[:, 16:31]
    ground = ground_of(told)
    assert ground.terrain[0] == pytest.approx(-0.2 * 1.5 * 2, abs=0.01)
    np.testing.assert_allclose(ground.terrain_gradient, [[-0.2, 0.1], [0, 0]], atol=1e-12)
    assert ground.friction_reduction.tolist() == [0.25, 0]
    assert ground.terrain_velocity[0].tolist() == [0.5, 0, 0]
    assert ground.object_yaw[0] == pytest.approx(0.2, abs=0.01)
    assert told[1].tolist() == [0, 0, 0, 0, 0, 1, *9 * [0]]


def test_rays_meet_models(build: Build) -> None:
    loaded = plugins.load(build("mass"), size=(0.4, 0.4, 0.2))
    sim = Sim({loaded: 1, "x450": 1})
    sim.reset(pos=[[0, 0, HIGH], [0, 0, 0]])
    hits = sim.scene.raycast([[0, -3, HIGH]], [[0, 1, 0]])
    assert hits.distance[0] == pytest.approx(2.8, abs=1e-3)
