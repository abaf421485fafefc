"""Learn to hover at motor level with the PPO of Stable-Baselines3, as it comes.

    python examples/rl/train_hover.py --seed 1 --out hover_sb3_1

writes the curve (.csv, .png) and the policy (.npz). It needs the extra ``sb3``.
`train_hover_ppo.py` learns the same.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import hover
import numpy as np
import results
import torch
from gymnasium.spaces import Box
from policy import Network, in_body_frame
from stable_baselines3 import PPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.vec_env import VecMonitor, VecNormalize

from pyrfly.rl.sb3 import PyrflyVecEnv


class BodyFrame(BaseFeaturesExtractor):
    """Shows the policy the observations without the heading."""

    def __init__(self, space: Box) -> None:
        shown = in_body_frame(np.zeros(space.shape), hover.DIRECTIONS)
        super().__init__(space, len(shown))

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        return in_body_frame(observations, hover.DIRECTIONS, torch)


def network_of(model: PPO) -> Network:
    """Return the policy without its noise, as arrays."""
    policy = model.policy
    linear = [m for m in policy.mlp_extractor.policy_net if isinstance(m, torch.nn.Linear)]
    layers = [
        tuple(p.detach().numpy().copy() for p in (m.weight, m.bias))
        for m in (*linear, policy.action_net)
    ]
    inputs = policy.features_dim
    return Network(
        hover.DIRECTIONS, np.zeros(inputs, np.float32), np.ones(inputs, np.float32), layers
    )


class Tests(BaseCallback):
    """Tests the policy a number of times; the time of training stands still meanwhile."""

    def __init__(self, every: int) -> None:
        super().__init__()
        self.rows: list[results.Row] = []
        self.every, self.begin = every, time.perf_counter()

    def _on_step(self) -> bool:
        return True

    def _on_rollout_end(self) -> None:
        if self.num_timesteps < self.every * (len(self.rows) + 1):
            return
        seconds = time.perf_counter() - self.begin
        episodes = self.model.ep_info_buffer
        reward = sum(e["r"] for e in episodes) / sum(e["l"] for e in episodes)
        success = hover.success(network_of(self.model))
        self.rows.append(results.Row(self.num_timesteps, seconds, float(reward), success))
        print(*(f"{value:10.4g}" for value in self.rows[-1]), flush=True)
        self.begin = time.perf_counter() - seconds


parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--steps", type=int, default=2_500_000)
parser.add_argument("--tests", type=int, default=10)
parser.add_argument("--out", type=Path, default=Path("hover_sb3"))
arguments = parser.parse_args()

envs = PyrflyVecEnv(256, **hover.OPTIONS, start=hover.WIDER)
model = PPO(
    "MlpPolicy",
    VecNormalize(VecMonitor(envs), norm_obs=False, gamma=0.98),
    learning_rate=lambda remaining: 1e-3 * remaining,
    n_steps=64,
    batch_size=2048,
    n_epochs=4,
    gamma=0.98,
    policy_kwargs={"features_extractor_class": BodyFrame, "log_std_init": -1.2},
    seed=arguments.seed,
    device="cpu",
)
tests = Tests(arguments.steps // arguments.tests)
model.learn(arguments.steps, callback=tests)
network_of(model).save(arguments.out.with_suffix(".npz"))
results.write(arguments.out.with_suffix(".csv"), tests.rows)
last = tests.rows[-1]
print(f"{last.success:.1%} of 1000 starts hover after {last.seconds:.0f} s")
