"""One vehicle as an environment of Gymnasium: `PyrflyEnv`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly.errors import ShapeError, brief
from pyrfly.rl.arguments import agents_of, refuse_options_of_many
from pyrfly.rl.base import RENDER_MODES, Remade, spec_with_steps
from pyrfly.rl.vector import PyrflyVectorEnv  # first: its error names the extra

from gymnasium import Env  # isort: skip
from gymnasium.vector import AutoresetMode  # isort: skip

__all__ = ["PyrflyEnv"]


class PyrflyEnv(Remade, Env[NDArray[np.float32], NDArray[np.float32]]):
    """One vehicle that learns a task.

    Observation, action, episodes and parameters are those of a `PyrflyVectorEnv` with one
    environment, without ``num_envs``, ``autoreset_mode`` and ``copy``; what it returns is fresh.

    Examples
    --------
    >>> import gymnasium, pyrfly.rl
    >>> env = gymnasium.make("pyrfly/Hover-v0", action="velocity")
    >>> observation, info = env.reset(seed=1)
    >>> observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
    """

    metadata: dict[str, Any] = {  # noqa: RUF012  (Gymnasium's)
        "render_modes": list(RENDER_MODES),
        "render_fps": 100,
    }

    _spec: Any = None

    def __init__(self, task: Any = "hover", vehicle: Any = "x500", **options: Any) -> None:
        refuse_options_of_many(options)
        options.setdefault("threads", 1)
        if agents_of(task, options.get("settings")) != 1:
            raise ValueError(f"task: {brief(task)} has several agents; see PyrflyParallelEnv")
        self._envs = PyrflyVectorEnv(
            1, task, vehicle, autoreset_mode=AutoresetMode.DISABLED, copy=False, **options
        )
        self.sim = self._envs.sim
        self.render_mode = self._envs.render_mode
        self.metadata = {**self.metadata, "render_fps": self._envs.metadata["render_fps"]}
        self.observation_space = self._envs.single_observation_space
        self.action_space = self._envs.single_action_space

    @property
    def spec(self) -> Any:
        """The entry of the registry, with ``max_episode_steps``; None of one made directly."""
        return self._spec

    @spec.setter
    def spec(self, spec: Any) -> None:
        self._spec = spec_with_steps(spec, self._envs.episode_steps)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Begin a new episode; `PyrflyVectorEnv.reset`, without options."""
        if options:
            raise ValueError(f"options: expected none, got {brief(options)}")
        super().reset(seed=seed)
        observations, infos = self._envs.reset(seed=seed)
        return observations[0].copy(), _of_one(infos)

    def step(
        self, action: ArrayLike
    ) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Take a step; `PyrflyVectorEnv.step` of an action of shape (values,)."""
        array = np.asarray(action)
        if array.shape != self.action_space.shape:
            raise ShapeError(f"action: expected shape {self.action_space.shape}, got {array.shape}")
        observations, rewards, terminated, truncated, infos = self._envs.step(array[None])
        return (
            observations[0].copy(),
            float(rewards[0]),
            bool(terminated[0]),
            bool(truncated[0]),
            _of_one(infos) if infos else {},
        )

    def render(self) -> NDArray[np.uint8] | None:
        """Draw the vehicle; `PyrflyVectorEnv.render` of one environment."""
        drawn = self._envs.render()
        return None if drawn is None else drawn[0]

    def close(self) -> None:
        """Stop: every later `step` and `reset` raises an error."""
        self._envs.close()


def _of_one(infos: dict[str, Any]) -> dict[str, Any]:
    """Return the infos of the only environment, numbers as Python's."""
    return {
        name: values[0].copy() if values.ndim > 1 else values[0].item()
        for name, values in infos.items()
        if not name.startswith("_")
    }
