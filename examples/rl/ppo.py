"""Proximal policy optimization in one file, on pyrfly's vector environments without copies.

The method is that of Schulman et al. [@ppo] with their generalized advantages [@gae]: Gaussian
actions, a clipped ratio, a value network of its own. `torch.from_numpy` makes tensors of the arrays
that the environments write, so a step copies nothing but what the rollout keeps.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from policy import Directions, Network, in_body_frame
from torch import Tensor, nn

from pyrfly.rl import PyrflyVectorEnv


class Settings(NamedTuple):
    """Numbers of the method.

    The learning rate and the deviation of the actions fall linearly, the first to 0. Rewards are
    scaled by 1 - discount, so that values are of the size of a reward.
    """

    steps: int  # of all environments together
    directions: Directions
    horizon: int = 64  # steps of each environment in a rollout
    epochs: int = 4
    minibatches: int = 8
    learning_rate: float = 2e-3
    largest_gradient: float = 5.0
    discount: float = 0.98
    trace: float = 0.95  # lambda of the advantages
    clip: float = 0.2
    deviation: tuple[float, float] = (0.3, 0.1)  # of actions, first and last
    hidden: tuple[int, ...] = (64, 64)


class Progress(NamedTuple):
    """Where training is after a rollout."""

    done: float  # share of the steps
    steps: int
    seconds: float
    reward: float  # mean of a step
    agent: Agent


def train(envs: PyrflyVectorEnv, settings: Settings, seed: int) -> Iterator[Progress]:
    """Train an agent; what the caller does between rollouts counts for no time.

    The environments must restart in the same step and give their own arrays: autoreset_mode
    SAME_STEP and copy=False.
    """
    torch.manual_seed(seed)
    observations = started(envs, seed)
    (values,) = envs.single_action_space.shape or ()
    agent = Agent(observations, values, settings)
    optimizer = torch.optim.Adam(agent.parameters(), settings.learning_rate, fused=True)
    rollout = Rollout.empty(settings.horizon, envs.num_envs, agent)
    count = settings.steps // (settings.horizon * envs.num_envs)
    seconds = 0.0
    for k in range(count):
        begin = time.perf_counter()
        optimizer.param_groups[0]["lr"] = settings.learning_rate * (1 - k / count)
        agent.deviation = float(np.interp(k / count, (0, 1), settings.deviation))
        with torch.inference_mode():
            agent.see(observations)
            collect(envs, agent, observations, rollout)
        improve(agent, optimizer, rollout, settings)
        seconds += time.perf_counter() - begin
        steps = (k + 1) * settings.horizon * envs.num_envs
        reward = rollout.rewards.mean().item() / (1 - settings.discount)
        yield Progress((k + 1) / count, steps, seconds, reward, agent)


def started(envs: PyrflyVectorEnv, seed: int) -> Tensor:
    """Begin episodes, each as if a part of it were over, so that they do not end all at once."""
    observations, _ = envs.reset(seed=seed)
    longest = int(envs.sim.task_length[0])
    envs.sim.task_steps[:] = np.random.default_rng(seed).integers(0, longest, envs.num_envs)
    return torch.from_numpy(observations)


def perceptron(inputs: int, hidden: tuple[int, ...], outputs: int, gain: float) -> nn.Sequential:
    """Return layers with tanh between; a gain scales the last."""
    sizes = (inputs, *hidden, outputs)
    gains = (*[2**0.5] * len(hidden), gain)
    modules: list[nn.Module] = []
    for before, after, factor in zip(sizes[:-1], sizes[1:], gains, strict=True):
        modules += [nn.Linear(before, after), nn.Tanh()]
        nn.init.orthogonal_(modules[-2].weight, factor)
        nn.init.zeros_(modules[-2].bias)
    return nn.Sequential(*modules[:-1])


class Agent(nn.Module):
    """A policy, its value function, and the statistics of what they see."""

    def __init__(self, observations: Tensor, values: int, settings: Settings) -> None:
        super().__init__()
        self.settings = settings
        self.inputs = in_body_frame(observations, settings.directions, torch).shape[1]
        self.values = values
        self.actor = perceptron(self.inputs, settings.hidden, values, 0.01)
        self.critic = perceptron(self.inputs, settings.hidden, 1, 1.0)
        self.deviation = settings.deviation[0]
        self.seen, self.mean, self.square = 0, torch.zeros(self.inputs), torch.ones(self.inputs)

    def see(self, observations: Tensor) -> None:
        """Take observations into the statistics."""
        rows = in_body_frame(observations, self.settings.directions, torch)
        self.seen += len(rows)
        self.mean += (rows.mean(0) - self.mean) * len(rows) / self.seen
        self.square += ((rows**2).mean(0) - self.square) * len(rows) / self.seen

    def scale(self) -> Tensor:
        return (self.square - self.mean**2).clamp(min=1e-4).sqrt()

    def inputs_of(self, observations: Tensor) -> Tensor:
        rows = in_body_frame(observations, self.settings.directions, torch)
        return (rows - self.mean) / self.scale()

    def value(self, inputs: Tensor) -> Tensor:
        return self.critic(inputs).squeeze(-1)

    def log_probability(self, means: Tensor, actions: Tensor) -> Tensor:
        """Return that of actions, less what is the same for all of one deviation."""
        return -0.5 * (((actions - means) / self.deviation) ** 2).sum(-1)

    def network(self) -> Network:
        """Return the policy without its noise, as arrays."""
        linear = [module for module in self.actor if isinstance(module, nn.Linear)]
        layers = [tuple(p.detach().numpy().copy() for p in (m.weight, m.bias)) for m in linear]
        return Network(
            self.settings.directions, self.mean.numpy().copy(), self.scale().numpy(), layers
        )


@dataclass
class Rollout:
    """What the environments did: tensors (horizon, num_envs) or (horizon, num_envs, ...)."""

    inputs: Tensor
    actions: Tensor
    log_probabilities: Tensor
    rewards: Tensor
    values: Tensor
    next_values: Tensor  # of the state after the step: 0 if terminal
    over: Tensor  # 1: the episode ended, in whichever way

    @classmethod
    def empty(cls, horizon: int, n: int, agent: Agent) -> Rollout:
        def zeros(*shape: int) -> Tensor:
            return torch.zeros(horizon, n, *shape)

        return cls(zeros(agent.inputs), zeros(agent.values), *(zeros() for _ in range(5)))


def collect(envs: PyrflyVectorEnv, agent: Agent, observations: Tensor, out: Rollout) -> None:
    """Fill a rollout; `observations` is the array that the environments write."""
    scale = 1 - agent.settings.discount
    for t in range(len(out.rewards)):
        out.inputs[t] = agent.inputs_of(observations)
        out.values[t] = agent.value(out.inputs[t])
        means = agent.actor(out.inputs[t])
        out.actions[t] = means + agent.deviation * torch.randn_like(means)
        out.log_probabilities[t] = agent.log_probability(means, out.actions[t])
        _, rewards, terminated, truncated, infos = envs.step(out.actions[t].numpy())
        out.rewards[t] = scale * torch.from_numpy(rewards)
        out.over[t] = torch.from_numpy(terminated | truncated)
        out.next_values[t] = 0.0
        if truncated.any():  # stopped by the clock alone: the last state had a future
            rows = torch.from_numpy(truncated)
            last = torch.from_numpy(infos["final_obs"])[rows]
            out.next_values[t, rows] = agent.value(agent.inputs_of(last))
    after = torch.cat([out.values[1:], agent.value(agent.inputs_of(observations))[None]])
    out.next_values += (1 - out.over) * after


def advantages(rollout: Rollout, settings: Settings) -> Tensor:
    """Return generalized advantages; nothing is traced back over the end of an episode."""
    found = rollout.rewards + settings.discount * rollout.next_values - rollout.values
    follows = settings.discount * settings.trace * (1 - rollout.over)
    for t in reversed(range(len(found) - 1)):
        found[t] += follows[t] * found[t + 1]
    return found


def improve(
    agent: Agent, optimizer: torch.optim.Optimizer, rollout: Rollout, settings: Settings
) -> None:
    """Take the steps of the optimizer that a rollout is good for."""
    gains = advantages(rollout, settings).flatten()
    targets = gains + rollout.values.flatten()
    gains = (gains - gains.mean()) / (gains.std() + 1e-8)
    inputs, actions = rollout.inputs.flatten(0, 1), rollout.actions.flatten(0, 1)
    before = rollout.log_probabilities.flatten()
    for _ in range(settings.epochs):
        for rows in torch.randperm(len(gains)).chunk(settings.minibatches):
            now = agent.log_probability(agent.actor(inputs[rows]), actions[rows])
            ratio = (now - before[rows]).exp()
            clipped = ratio.clamp(1 - settings.clip, 1 + settings.clip)
            gain = torch.min(ratio * gains[rows], clipped * gains[rows]).mean()
            error = (agent.value(inputs[rows]) - targets[rows]).square().mean()
            optimizer.zero_grad()
            (0.5 * error - gain).backward()
            nn.utils.clip_grad_norm_(agent.parameters(), settings.largest_gradient)
            optimizer.step()
