"""Learn to race through gates with `ppo.py`, by collective thrust and body rates.

    python examples/rl/train_race.py --seed 1 --out race_1

writes the curve (.csv, .png) and the policy (.npz). It needs torch.
"""

import numpy as np
import race
from ppo import Settings
from training import run

from pyrfly.rl import PyrflyVectorEnv


def narrow(envs: PyrflyVectorEnv, done: float) -> None:
    """Make the gates narrower: those of the task cost more than they give before they are found."""
    envs.sim.task_gate_radius[:] = np.interp(done, (0.0, 0.5), (2.0, envs.task.gate_radius))


run("race", race.OPTIONS, Settings(10_000_000, race.DIRECTIONS), race.success, lesson=narrow)
