"""Simulations as they are seen: vehicles stand on the ground."""

from __future__ import annotations

import pytest

import pyrfly
from pyrfly.view.live import SimSource
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
