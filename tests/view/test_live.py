"""Simulations as they are seen: vehicles stand on the ground."""

from __future__ import annotations

import numpy as np
import pytest

import pyrfly
from pyrfly.log import Recorder
from pyrfly.view.live import SimSource
from pyrfly.view.logged import LogSource
from pyrfly.view.poses import origins


@pytest.mark.parametrize("points", [False, True])
def test_feet_are_on_the_ground(points: bool) -> None:
    """Without contact points ``pos`` is there, with them it is the centre of mass."""
    sim = pyrfly.Sim("x450")
    if points:
        sim.set_contact_points()
    sim.reset()
    sim.step(500)
    source = SimSource(sim)
    world = source.world()
    feet = max(float(piece.mesh.vertices[:, 2].max()) for piece in world.groups[0].pieces)
    assert origins(world, source.frame())[0, 2] + feet == pytest.approx(0, abs=0.01)
    assert (sim.pos[0, 2] < -0.1) == points


def test_divers_have_the_current_around_them_and_what_is_above_the_wind() -> None:
    sim = pyrfly.Sim("remus100", 2)
    sim.wind[:] = [3.0, 1.0, 0.0]
    sim.reset(pos=[[0, 0, 0], [0, 9, 10]])
    assert SimSource(sim).frame().wind[1] == pytest.approx(0.0)
    sim.environment.set_current([0.0, 0.8, 0.0], depth=40.0)
    wind = SimSource(sim).frame().wind
    assert wind[0] == pytest.approx([3.0, 1.0, 0.0])
    assert wind[1] == pytest.approx([0.0, 0.6, 0.0])
    recorder = Recorder(sim, ["pos", "wind", "water_velocity"], every=10)
    sim.run(0.1, record=recorder)
    logged = LogSource(recorder.log()).frame(0.0).wind
    np.testing.assert_allclose(logged, [[3, 1, 0], [0, 0.8, 0]], atol=0.01)
