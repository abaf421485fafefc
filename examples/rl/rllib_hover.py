"""Learn to hover with PPO of RLlib: two workers of Ray run the vector environment.

RLlib pins Gymnasium 1.2.2, so it gets a virtual environment of its own:

    pip install 'pyrfly[rl]' 'ray[rllib]' torch
    python examples/rl/rllib_hover.py --minutes 3

Writes a row of each iteration to ``rllib_hover.csv`` and the policy to ``rllib_hover/``. Last line:
mean return ... at first, ... in the end, of at most 2000; ... steps in ... s on 2 workers
"""

import argparse
import csv
import time
from pathlib import Path
from typing import Any

import ray
import torch
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.default_model_config import DefaultModelConfig

WORKERS = 2
ENVIRONMENTS = 64  # of each worker


def configuration() -> Any:
    """Return PPO on workers that each step many environments at once."""
    return (
        PPOConfig()
        .environment("pyrfly.rl:pyrfly/Hover-v0", env_config={"action": "rate", "threads": 1})
        .env_runners(
            num_env_runners=WORKERS,
            num_envs_per_env_runner=ENVIRONMENTS,
            gym_env_vectorize_mode="vector_entry_point",  # not an object per environment
            rollout_fragment_length=128,
        )
        .training(
            train_batch_size_per_learner=WORKERS * ENVIRONMENTS * 128,
            minibatch_size=2048,
            num_epochs=8,
            lr=1e-3,
            gamma=0.99,
            lambda_=0.95,
            entropy_coeff=0.0,
            vf_clip_param=float("inf"),  # returns are in the hundreds
        )
        .rl_module(
            model_config=DefaultModelConfig(
                fcnet_hiddens=[64, 64], fcnet_activation="tanh", vf_share_layers=False
            )
        )
        .debugging(seed=1)
    )


def main() -> None:
    """Train for some minutes."""
    parser = argparse.ArgumentParser(description="Learn to hover with RLlib.")
    parser.add_argument("--minutes", type=float, default=3.0)
    parser.add_argument("--out", type=Path, default=Path())
    options = parser.parse_args()
    torch.set_num_threads(1)  # of the learner: more wait for each other, with networks this small
    ray.init(include_dashboard=False, log_to_driver=False)
    algorithm = configuration().build_algo()
    began, returns = time.monotonic(), []
    with (options.out / "rllib_hover.csv").open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["iteration", "steps", "seconds", "mean_return", "mean_length"])
        while time.monotonic() - began < 60 * options.minutes:
            found = algorithm.train()["env_runners"]
            steps, seconds = found["num_env_steps_sampled_lifetime"], time.monotonic() - began
            mean, length = found["episode_return_mean"], found["episode_len_mean"]
            returns.append(mean)
            table.writerow([len(returns), int(steps), round(seconds, 1), mean, length])
            file.flush()
            print(
                f"{int(steps)} steps, {seconds:.0f} s: mean return {mean:.0f} of {length:.0f} steps"
            )
    algorithm.save_to_path((options.out / "rllib_hover").resolve())
    algorithm.stop()
    ray.shutdown()
    print(
        f"mean return {returns[0]:.0f} at first, {returns[-1]:.0f} in the end, of at most 2000; "
        f"{int(steps)} steps in {seconds:.0f} s on {WORKERS} workers"
    )


if __name__ == "__main__":
    main()
