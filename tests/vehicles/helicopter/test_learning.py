"""Learning environments of helicopters."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("gymnasium")

from pyrfly.rl import PyrflyVectorEnv


def test_the_middle_of_the_thrust_is_the_hover_of_each() -> None:
    """Normalized, of the mass that it has drawn."""
    envs = PyrflyVectorEnv(
        4,
        "hover",
        "xcell_60",
        action="rate",
        hover_centred=True,
        randomize={"mass": ("uniform", 7, 9)},
    )
    envs.reset(seed=3)
    envs.step(np.zeros((4, 4), np.float32))
    sim = envs.sim
    hover = sim.mass * sim.gravity / sim.thrust_limit[:, 1]
    assert len(set(sim.mass.tolist())) == 4
    np.testing.assert_allclose(sim.thrust_sp, hover, rtol=1e-6)
