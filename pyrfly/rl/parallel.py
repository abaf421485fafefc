"""Several vehicles in one environment of PettingZoo: `PyrflyParallelEnv`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly.errors import brief, import_extra
from pyrfly.rl.arguments import agents_of, refuse_options_of_many
from pyrfly.rl.base import Remade
from pyrfly.rl.vector import PyrflyVectorEnv

import_extra("pettingzoo", "pettingzoo", "pyrfly.rl.PyrflyParallelEnv")

from gymnasium.spaces import Box, Space  # noqa: E402
from gymnasium.vector import AutoresetMode  # noqa: E402
from pettingzoo import ParallelEnv  # noqa: E402

__all__ = ["PyrflyParallelEnv"]

Floats = NDArray[np.float32]


class PyrflyParallelEnv(Remade, ParallelEnv[str, Floats, Floats]):  # type: ignore[misc]
    """Vehicles that learn a task together, each an agent of an environment of PettingZoo.

    Observations, actions, episodes and parameters are those of a `PyrflyVectorEnv` with one
    environment, without ``num_envs``, ``autoreset_mode`` and ``copy``; what it returns is fresh. An
    episode ends for all agents at once.

    Parameters
    ----------
    task : str or Task
        A task, such as ``"formation"``.
    vehicle : str, path or VehicleParameters
        Parameter set of all vehicles.
    agents : int, optional
        Number of vehicles; by default that of the task.
    max_cycles : int, optional
        Steps after which an episode is truncated; by default those of the duration of the task.
    **options
        As of `PyrflyVectorEnv`.

    Examples
    --------
    >>> from pyrfly.rl.parallel import PyrflyParallelEnv
    >>> env = PyrflyParallelEnv("formation", agents=3)
    >>> observations, infos = env.reset(seed=1)
    >>> sorted(observations)
    ['vehicle_0', 'vehicle_1', 'vehicle_2']
    """

    def __init__(
        self,
        task: Any = "formation",
        vehicle: Any = "x500",
        agents: int | None = None,
        *,
        max_cycles: int | None = None,
        **options: Any,
    ) -> None:
        refuse_options_of_many(options)
        settings = dict(options.pop("settings", None) or {})
        if agents is not None:
            settings["agents"] = agents
        count = agents_of(task, settings)
        options.setdefault("threads", 1)
        if max_cycles is not None:
            options["max_episode_steps"] = max_cycles
        self._envs = PyrflyVectorEnv(
            count, task, vehicle, autoreset_mode=AutoresetMode.DISABLED, copy=False,
            settings=settings, **options,
        )  # fmt: skip
        self.sim = self._envs.sim
        self.render_mode = self._envs.render_mode
        self.metadata = {
            "name": f"{self._envs.task.name}_v0",
            "render_modes": self._envs.metadata["render_modes"],
            "render_fps": self._envs.metadata["render_fps"],
            "is_parallelizable": True,
        }
        self.possible_agents = [f"vehicle_{k}" for k in range(count)]
        self.agents: list[str] = []
        space = self._envs.observation_space
        assert isinstance(space, Box)
        self.state_space = Box(space.low.ravel(), space.high.ravel(), dtype=np.float32)

    def observation_space(self, agent: str) -> Space[Any]:
        """Return the space of the observations, the same of all agents."""
        self._require_agent(agent)
        return self._envs.single_observation_space

    def action_space(self, agent: str) -> Space[Any]:
        """Return the space of the actions, the same of all agents."""
        self._require_agent(agent)
        return self._envs.single_action_space

    def _require_agent(self, agent: str) -> None:
        if agent not in self.possible_agents:
            known = ", ".join(self.possible_agents)
            raise KeyError(f"agent: expected one of {known}, got {brief(agent)}")

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Floats], dict[str, dict[str, Any]]]:
        """Begin a new episode; options are ignored, as PettingZoo's tests ask."""
        observations, infos = self._envs.reset(seed=seed)
        self.agents = list(self.possible_agents)
        return self._by_agent(observations), self._infos(infos)

    def step(self, actions: dict[str, Floats]) -> tuple[
        dict[str, Floats], dict[str, float], dict[str, bool], dict[str, bool],
        dict[str, dict[str, Any]],
    ]:  # fmt: skip
        """Take a step of all agents.

        Parameters
        ----------
        actions : dict of str to array_like, shape (values,)
            An action of every agent.
        """
        if not self.agents:
            raise RuntimeError("agents: there are none; call reset() before step()")
        missing = [agent for agent in self.agents if agent not in actions]
        if missing:
            raise ValueError(f"actions: expected one of every agent, {missing[0]!r} has none")
        given = np.stack([np.asarray(actions[agent]) for agent in self.agents])
        observations, rewards, terminated, truncated, infos = self._envs.step(given)
        result = (
            self._by_agent(observations),
            dict(zip(self.agents, map(float, rewards), strict=True)),
            dict(zip(self.agents, map(bool, terminated), strict=True)),
            dict(zip(self.agents, map(bool, truncated), strict=True)),
            self._infos(infos),
        )
        if (terminated | truncated).any():
            self.agents = []
        return result

    def state(self) -> Floats:
        """Return the observations of all agents, one after the other."""
        return self._envs.observations.ravel()

    def render(self) -> NDArray[np.uint8] | None:
        """Draw the vehicles; `PyrflyVectorEnv.render` of one environment."""
        drawn = self._envs.render()
        return None if drawn is None else drawn[0]

    def _by_agent(self, observations: Floats) -> dict[str, Floats]:
        return {
            agent: row.copy() for agent, row in zip(self.possible_agents, observations, strict=True)
        }

    def _infos(self, infos: dict[str, Any]) -> dict[str, dict[str, Any]]:
        values = {name: rows for name, rows in infos.items() if not name.startswith("_")}
        return {
            agent: {name: rows[k].copy() for name, rows in values.items()}
            for k, agent in enumerate(self.possible_agents)
        }

    def close(self) -> None:
        """Stop: every later `step` and `reset` raises an error."""
        self._envs.close()
