"""Parameters of rovers by RflySim's numbers."""

from __future__ import annotations

from pyrfly import Sim


def test_a_rover_has_no_inertia_but_that_of_yaw() -> None:
    sim = Sim("rover")
    (refused,) = sim.model_params.set("DynModiParams", {1: 3.0, 4: 0.2, 5: 0.0})
    assert "5: 'rover_differential', a rover, has none" in refused
    assert (sim.mass.tolist(), sim.yaw_inertia.tolist()) == ([3], [0.2])
