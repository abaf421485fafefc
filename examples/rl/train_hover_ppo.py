"""Learn to hover at motor level from random states within a minute, with `ppo.py`.

    python examples/rl/train_hover_ppo.py --seed 1 --out hover_ppo_1

writes the curve (.csv, .png) and the policy (.npz). It needs torch.
"""

import hover
from ppo import Settings
from training import run

run(
    "hover_ppo",
    {**hover.OPTIONS, "start": hover.WIDER},
    Settings(2_500_000, hover.DIRECTIONS),
    hover.success,
)
