"""What vehicles know of their motion: the truth, or the estimate of those that fly on it."""

from __future__ import annotations

import numpy as np
import pytest

from pyrfly import Sim

OUTPUTS = {"pos": "pos_output", "vel": "vel_output", "att": "att_output", "rate": "rate_est"}
BIAS = (3.0, -2.0, 1.0)  # m


def standing(n: int = 2) -> Sim:
    """Return vehicles of which the first flies on an estimate that has begun."""
    sim = Sim("x450", n)
    sim.sensors.enable("imu", "barometer", "gps", "magnetometer")
    sim.estimator.enable()
    sim.estimator.enable(fly=True, ids=1)
    sim.faults.add("estimator_position", bias=BIAS)
    sim.step(20)
    return sim


@pytest.mark.parametrize("name", [*OUTPUTS, "terrain"])
@pytest.mark.parametrize("vehicles", ["x450", {"x450": 1, "hex_x": 1}])
def test_without_an_estimator_the_truth_is_known(vehicles: object, name: str) -> None:
    sim = Sim(vehicles)
    known = sim.known.terrain if name == "terrain" else sim.known.read(name)
    np.testing.assert_array_equal(known, getattr(sim, name))


@pytest.mark.parametrize("name", OUTPUTS)
def test_who_flies_on_an_estimate_knows_that(name: str) -> None:
    sim = standing()
    known, true = sim.known.read(name), getattr(sim, name)
    np.testing.assert_array_equal(known[0], getattr(sim, OUTPUTS[name])[0])
    np.testing.assert_array_equal(known[1], true[1])
    assert (known[0] != true[0]).any()


def test_an_estimate_is_known_from_its_beginning_on() -> None:
    sim = standing()
    sim.reset()
    np.testing.assert_array_equal(sim.known.pos, sim.pos)


def test_the_ground_is_believed_to_be_where_the_height_above_it_is_true() -> None:
    sim = standing()
    assert abs(sim.known.pos[0, 2] - sim.pos[0, 2]) > 0.1
    np.testing.assert_allclose(
        sim.known.terrain - sim.known.pos[:, 2], sim.terrain - sim.pos[:, 2], atol=1e-12
    )
