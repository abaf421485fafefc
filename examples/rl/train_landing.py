"""Learn to land on a moving pad with `ppo.py`, by collective thrust and body rates.

    python examples/rl/train_landing.py --seed 1 --out landing_1

writes the curve (.csv, .png) and the policy (.npz). It needs torch.
"""

import landing
import numpy as np
from ppo import Settings
from training import run

from pyrfly.rl import PyrflyVectorEnv

OPTIONS = landing.OPTIONS | {"weights": {"progress": 5.0, "touchdown": 100.0}}
"""A touchdown is sought more than a quick end."""


def narrow(envs: PyrflyVectorEnv, done: float) -> None:
    """Ask for better touchdowns: at first they count further off and faster than in the task."""
    _, distance, speed = envs.task.touch
    ease = float(np.interp(done, (0.0, 0.6), (1.0, 0.0)))
    envs.sim.task_touch_distance[:] = (0.9 + ease) * distance
    envs.sim.task_touch_speed[:] = (0.9 + ease) * speed


settings = Settings(
    12_000_000, landing.DIRECTIONS, discount=0.998, trace=0.97, deviation=(0.25, 0.05)
)
run("landing", OPTIONS, settings, landing.success, lesson=narrow)
