"""Learn to race through gates with `ppo.py`, by collective thrust and body rates.

    python examples/rl/train_race.py --seed 1 --out race_1

writes the curve (.csv, .png) and the policy (.npz). It needs torch.
"""

import race
from ppo import Settings
from training import run

run("race", race.OPTIONS, Settings(6_000_000, race.DIRECTIONS), race.success)
