"""Learning environments for Stable-Baselines3: `PyrflyVecEnv`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly.errors import brief, import_extra
from pyrfly.rl.base import Remade
from pyrfly.rl.vector import PyrflyVectorEnv  # first: its error names the extra of Gymnasium

from gymnasium.vector import AutoresetMode  # isort: skip

import_extra("stable_baselines3", "sb3", "pyrfly.rl.sb3")

from stable_baselines3.common.vec_env import VecEnv  # noqa: E402  (after that error)

__all__ = ["PyrflyVecEnv"]


class PyrflyVecEnv(Remade, VecEnv):
    """Vehicles that learn a task, as the vector environment of Stable-Baselines3.

    Observation, action, episodes and parameters are those of a `PyrflyVectorEnv`, without
    ``autoreset_mode`` and ``copy``. Needs the extra ``sb3``.

    Returned arrays and infos are fresh. The info of an episode that ended has
    ``terminal_observation``, its last observation, ``TimeLimit.truncated``, ``end_reason``, a
    number of `pyrfly.rl.EndReason`, and the columns of ``randomize`` of the one that begins;
    ``reset_infos`` has those after a `reset`.

    Parameters
    ----------
    num_envs : int
        Number of environments: of vehicles.
    task, vehicle, **options
        As of `PyrflyVectorEnv`.

    Attributes
    ----------
    envs : PyrflyVectorEnv
        What is adapted; ``envs.sim`` is the `Sim`.

    Notes
    -----
    The environments are one object: `get_attr` gives the same for each, and `set_attr` and
    `env_method`, which act on all, take no part of them.

    Examples
    --------
    >>> from stable_baselines3 import PPO
    >>> from pyrfly.rl.sb3 import PyrflyVecEnv
    >>> envs = PyrflyVecEnv(64, "hover", action="attitude")
    >>> model = PPO("MlpPolicy", envs, n_steps=16, device="cpu").learn(1024)
    """

    def __init__(
        self, num_envs: int = 1, task: Any = "hover", vehicle: Any = "x500", **options: Any
    ) -> None:
        for name in ("autoreset_mode", "copy"):
            if name in options:
                raise TypeError(f"{name}: expected none, of Stable-Baselines3's environments")
        self.envs = PyrflyVectorEnv(
            num_envs, task, vehicle, autoreset_mode=AutoresetMode.SAME_STEP, copy=False, **options
        )
        super().__init__(
            num_envs, self.envs.single_observation_space, self.envs.single_action_space
        )

    def reset(self) -> NDArray[np.float32]:
        """Begin new episodes of all environments, with the seeds of `seed` if it was called.

        Returns
        -------
        observations : ndarray, shape (num_envs, k), float32
        """
        given = [options for options in self._options if options]
        if given:
            raise ValueError(f"options: expected none, got {brief(given[0])}")
        observations, begun = self.envs.reset(seed=self._seeds[0])  # the others follow it
        self._reset_seeds()
        self.reset_infos = [_own(begun, i) for i in range(self.num_envs)]
        return observations.copy()

    def step_async(self, actions: NDArray[np.floating[Any]]) -> None:
        """Keep actions, shape (num_envs, values), for `step_wait`."""
        self._actions = actions

    def step_wait(
        self,
    ) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """Take a step of all environments.

        Returns
        -------
        observations : ndarray, shape (num_envs, k), float32
            After the step; of a new episode where one ended.
        rewards : ndarray, shape (num_envs,), float32
        dones : ndarray, shape (num_envs,), bool
            Whether episodes ended, by a terminal state or by their duration.
        infos : list of dict
            Of each environment whose episode is over ``terminal_observation``,
            ``TimeLimit.truncated``, ``end_reason``, of a race or landing ``passed``, and the drawn
            columns of the episode that begins; else empty.
        """
        observations, rewards, terminated, truncated, last = self.envs.step(self._actions)
        dones = terminated | truncated
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        ended = last.get("final_info", {})
        for i in np.flatnonzero(dones).tolist():
            infos[i] = {
                "terminal_observation": last["final_obs"][i].copy(),
                "TimeLimit.truncated": bool(truncated[i]),
                **_own(ended, i),
                **_own(last, i),
            }
        return observations.copy(), rewards.copy(), dones, infos

    def get_images(self) -> list[NDArray[np.uint8]]:
        """Return a picture of each environment, with ``render_mode="rgb_array"``."""
        return list(self.envs.render() or ())

    def close(self) -> None:
        """Stop: every later step and `reset` raises an error."""
        self.envs.close()

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """Return an attribute of ``envs``, once for each of the indices."""
        return [getattr(self.envs, attr_name)] * len(list(self._get_indices(indices)))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Set an attribute of ``envs``."""
        self._require_all(indices)
        setattr(self.envs, attr_name, value)

    def env_method(
        self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any
    ) -> list[Any]:
        """Call a method of ``envs``, once; return its result, once for each environment."""
        self._require_all(indices)
        return [getattr(self.envs, method_name)(*method_args, **method_kwargs)] * self.num_envs

    def env_is_wrapped(self, wrapper_class: type, indices: Any = None) -> list[bool]:
        """Return False for each of the indices: no wrapper is around one environment."""
        return [False] * len(list(self._get_indices(indices)))

    def _require_all(self, indices: Any) -> None:
        chosen: Sequence[int] = list(self._get_indices(indices))
        if set(chosen) != set(range(self.num_envs)):
            raise ValueError(
                f"indices: expected all {self.num_envs} environments, which are one object, "
                f"got {brief(indices)}"
            )


def _own(infos: dict[str, Any], i: int) -> dict[str, Any]:
    """Return the infos of an environment, as copies."""
    return {
        name: values[i].copy() if values.ndim > 1 else values[i].item()
        for name, values in infos.items()
        if not name.startswith(("_", "final_"))
    }
