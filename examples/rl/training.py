"""What the programs with `ppo.py` share: arguments, tests on the way, files."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import results
from gymnasium.vector import AutoresetMode
from policy import Network
from ppo import Settings, train

from pyrfly.rl import PyrflyVectorEnv


def run(
    name: str,
    options: dict[str, Any],
    settings: Settings,
    success: Callable[[Network], float],
    num_envs: int = 256,
    lesson: Callable[[PyrflyVectorEnv, float], object] = lambda envs, done: None,
    arguments: Sequence[str] | None = None,
) -> None:
    """Train a policy and write its curve (.csv, .png) and itself (.npz).

    ``lesson`` changes the environments, at first and after each rollout, by the share of the steps.
    Arguments are by default those of the program.
    """
    parser = argparse.ArgumentParser(description=f"Train a policy: {name}.")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--steps", type=int, default=settings.steps)
    parser.add_argument("--tests", type=int, default=10, help="number of tests on the way")
    parser.add_argument("--out", type=Path, default=Path(name), help="files without their suffix")
    given = parser.parse_args(arguments)
    envs = PyrflyVectorEnv(num_envs, **options, autoreset_mode=AutoresetMode.SAME_STEP, copy=False)
    rows: list[results.Row] = []
    lesson(envs, 0.0)
    for now in train(envs, settings._replace(steps=given.steps), given.seed):
        lesson(envs, now.done)
        if now.done * given.tests >= len(rows) + 1:
            network = now.agent.network()
            rows.append(results.Row(now.steps, now.seconds, now.reward, success(network)))
            print(*(f"{value:10.4g}" for value in rows[-1]), flush=True)
    network.save(given.out.with_suffix(".npz"))
    results.write(given.out.with_suffix(".csv"), rows)
    print(f"{rows[-1].success:.1%} after {rows[-1].seconds:.0f} s")
