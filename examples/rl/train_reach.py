"""Learn to come to a pose with `ppo.py`, by the actuators of a car, a boat or what dives.

    python examples/rl/train_reach.py --vehicle bmw_320i --seed 1 --out reach_bmw_320i_1

writes the curve (.csv, .png) and the policy (.npz). It needs torch.
"""

import argparse
from functools import partial

import numpy as np
import reach
from ppo import Settings
from training import run

from pyrfly.rl import PyrflyVectorEnv


def narrow(envs: PyrflyVectorEnv, done: float) -> None:
    """Ask for better arrivals: at first they count farther off, faster and with more turn."""
    ease = float(np.interp(done, (0.0, 0.8), (4.0, 0.7)))
    _, distance, speed = envs.task.touch
    envs.sim.task_touch_distance[:] = ease * distance
    envs.sim.task_touch_speed[:] = ease * speed
    envs.sim.task_touch_heading[:] = ease * envs.task.touch_heading


parser = argparse.ArgumentParser(add_help=False)
parser.add_argument("--vehicle", choices=tuple(reach.PACES), default="bmw_320i")
chosen, others = parser.parse_known_args()
settings = Settings(
    reach.PACES[chosen.vehicle].steps,
    reach.DIRECTIONS,
    learning_rate=3e-3,
    discount=0.98,
    deviation=(0.5, 0.05),
)
run(
    f"reach_{chosen.vehicle}",
    reach.options(chosen.vehicle),
    settings,
    partial(reach.success, vehicle=chosen.vehicle),
    num_envs=512,
    lesson=narrow,
    arguments=others,
)
