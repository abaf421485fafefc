"""What glides learns: it passes its goals, by its propeller and fins."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("gymnasium")

from pyrfly import ParameterError
from pyrfly.rl import EndReason, PyrflyVectorEnv


def test_a_torpedo_that_steers_at_its_goal_passes_it() -> None:
    n = 12
    envs = PyrflyVectorEnv(
        n, "reach", "remus100", control_rate=5.0, substeps=50, autoreset_mode="Disabled"
    )
    seen, _ = envs.reset(seed=1)
    ends = np.zeros(n, int)
    for _ in range(envs.episode_steps):
        ahead, right, down = seen[:, :3].T
        way = np.hypot(ahead, right)
        rudder = np.arctan2(right, ahead) - 2 * seen[:, 17]
        planes = np.arctan2(down, way) + 2 * seen[:, 16]
        actions = np.stack([np.ones(n), rudder, planes], axis=1).astype(np.float32)
        seen, *_, infos = envs.step(actions)
        ends = np.where(ends == EndReason.NONE, infos.get("end_reason", 0), ends)
        if ends.all():
            break
    assert (ends == EndReason.REACHED).mean() > 0.8


def test_marine_craft_take_no_attitudes() -> None:
    for vehicle, level in (("otter", "attitude"), ("remus100", "attitude"), ("bluerov2", "rate")):
        with pytest.raises(ParameterError, match=f"'{vehicle}' takes no actions '{level}'"):
            PyrflyVectorEnv(1, "reach", vehicle, action=level)
