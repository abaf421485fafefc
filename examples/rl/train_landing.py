"""Learn to land on a moving pad with `ppo.py`, by collective thrust and body rates.

    python examples/rl/train_landing.py --seed 1 --out landing_1

writes the curve (.csv, .png) and the policy (.npz). It needs torch.
"""

import landing
from ppo import Settings
from training import run

TRAINING = {
    "weights": {"progress": 5.0, "touchdown": 100.0},
    "settings": {"touch": (0.05, 0.6, 1.0)},
}
"""A touchdown is worth something further off, and it is sought more than a quick end."""

settings = Settings(
    5_000_000, landing.DIRECTIONS, discount=0.998, trace=0.97, deviation=(0.25, 0.05)
)
run("landing", landing.OPTIONS | TRAINING, settings, landing.success)
