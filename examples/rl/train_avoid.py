"""Learn to change places in a swarm without a contact, with `ppo.py`, by velocities.

    python examples/rl/train_avoid.py --seed 1 --out avoid_1

writes the curve (.csv, .png) and the policy (.npz). It needs torch.
"""

import avoid
from ppo import Settings
from training import run

settings = Settings(3_600_000, avoid.DIRECTIONS, discount=0.97, deviation=(0.4, 0.05))
run("avoid", avoid.OPTIONS, settings, avoid.success, num_envs=384)
