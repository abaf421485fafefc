"""Vehicles as a vector environment of Gymnasium: `PyrflyVectorEnv`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly import _core
from pyrfly.errors import ShapeError, import_extra, near_names, shown
from pyrfly.rl.actions import action_level
from pyrfly.rl.randomization import random_rows
from pyrfly.rl.tasks import Start, Task, task_of
from pyrfly.sim import Sim
from pyrfly.sim.arguments import checked_seed, seed_words, whole_number

import_extra("gymnasium", "rl", "pyrfly.rl")

from gymnasium.error import (  # noqa: E402  (after the error that names the extra)
    ClosedEnvironmentError,
    ResetNeeded,
)
from gymnasium.spaces import Box  # noqa: E402
from gymnasium.vector import AutoresetMode, VectorEnv  # noqa: E402
from gymnasium.vector.utils import batch_space  # noqa: E402

__all__ = ["PyrflyVectorEnv"]

Floats = NDArray[np.float32]


class PyrflyVectorEnv(VectorEnv[Floats, Floats, Any]):
    """Vehicles that learn a task: one environment each, stepped together in the core.

    Observation (float32): what the task observes, of ``position`` with two more values, then the
    last action.

    =========  =================================================  ==========
    values     quantity                                           unit
    =========  =================================================  ==========
    0 to 2     position less the goal                             m, NED
    3 to 11    rotation matrix, FRD to NED, by rows               1
    12 to 14   velocity                                           m/s, NED
    15 to 17   angular velocity                                   rad/s, FRD
    (18, 19)   cosine, sine of the heading less that of the goal  1
    =========  =================================================  ==========

    Action (float32): each value from -1 to 1; others are clipped. 0 is the middle of the range of
    the command, not what holds the vehicle.

    ============  ======================================================================
    level         values
    ============  ======================================================================
    ``motor``     throttle of each motor: (a + 1) / 2
    ``rate``      collective thrust (a + 1) / 2; angular velocity, times ``rate_limit``
    ``attitude``  collective thrust; roll, pitch, at most 45 degrees; yaw, at most 180
    ``velocity``  velocity north, east, down, at most 5 m/s; yaw rate, at most 90 deg/s
    ``position``  position from the start, at most 5 m on each axis; yaw, at most 180
    ============  ======================================================================

    An episode ends, ``terminated``, beyond the ``limit`` of the task or with a fault of the
    vehicle, and is ``truncated`` after its duration.

    Parameters
    ----------
    num_envs : int
        Number of environments: of vehicles.
    task : str or Task
        A name of `pyrfly.rl.TASKS`, or a task of one's own numbers.
    vehicle : str, path or VehicleParameters
        Parameter set of all vehicles, as of `pyrfly.Sim`.
    action : {'motor', 'rate', 'attitude', 'velocity', 'position'}
        Level of the actions.
    control_rate : float
        Steps per second [Hz].
    substeps : int
        Integrator steps of a step.
    max_episode_steps : int, optional
        Steps after which an episode is truncated; by default those of the duration of the task.
    weights : mapping of str to float
        Other weights of the reward, by their names in ``task.weights``.
    start : mapping of str to Any
        Other bounds of starts, attributes of `pyrfly.rl.Start`.
    randomize : mapping of str to (law, first, second)
        Columns that every start draws anew (`pyrfly.rl.LAWS`). The actuators keep their commands,
        so that a heavier vehicle needs other actions.
    configure : callable, optional
        Called with the `Sim` before the first episode: wind, sensors, batteries, other columns.
        Starts give columns the values that they have then.
    precision, integrator, effects, threads
        As of `pyrfly.Sim`; float32 and RK4 by default.
    autoreset_mode : gymnasium.vector.AutoresetMode
        What happens when an episode is over.
    copy : bool
        Whether returned arrays are fresh. Without, every step writes into the same arrays, and
        rewards are float32.
    check_actions : bool
        Whether actions that are not finite raise a ValueError; without, they count as 1.

    Raises
    ------
    ValueError
        An argument is unknown or out of its range; the message names what is near.

    Notes
    -----
    An environment with a seed has the same episodes whatever their number and that of the threads.
    In the mode ``SAME_STEP`` the last observations are ``infos["final_obs"]``, an array with a row
    for each environment of which those of ``infos["_final_obs"]`` count.

    Examples
    --------
    >>> import pyrfly.rl
    >>> envs = pyrfly.rl.PyrflyVectorEnv(1000, "hover", action="rate")
    >>> observations, infos = envs.reset(seed=1)
    >>> observations.shape
    (1000, 22)
    >>> actions = np.zeros((1000, 4), dtype=np.float32)
    >>> observations, rewards, terminated, truncated, infos = envs.step(actions)
    """

    def __init__(
        self,
        num_envs: int = 1,
        task: str | Task = "hover",
        vehicle: Any = "x500",
        *,
        action: str = "motor",
        control_rate: float = 100.0,
        substeps: int = 5,
        max_episode_steps: int | None = None,
        weights: Mapping[str, float] | None = None,
        start: Mapping[str, Any] | None = None,
        randomize: Mapping[str, Sequence[Any]] | None = None,
        configure: Callable[[Sim], object] | None = None,
        precision: str = "float32",
        integrator: str = "rk4",
        effects: str = "full",
        threads: int | None = None,
        autoreset_mode: Any = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        check_actions: bool = True,
        render_mode: str | None = None,
    ) -> None:
        if render_mode is not None:
            raise ValueError(f"render_mode: expected None, got {shown(render_mode)}")
        self.num_envs = whole_number("num_envs", num_envs, 1, _core.limits()["vehicles"])
        self.task = _changed(task_of(task), weights or {}, start or {})
        substeps = whole_number("substeps", substeps, 1, 1_000_000)
        if not (isinstance(control_rate, (int, float)) and 0.1 <= control_rate <= 1e5):
            raise ValueError(f"control_rate: expected 0.1 to 1e5 Hz, got {shown(control_rate)}")
        steps = round(self.task.seconds * control_rate)
        if max_episode_steps is not None:
            steps = whole_number("max_episode_steps", max_episode_steps, 1, 2**32 - 1)
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode, "render_modes": []}
        self.render_mode = None
        self.sim = _sim_of(
            vehicle, self.num_envs, 1.0 / (control_rate * substeps), control_rate,
            precision=precision, integrator=integrator, effects=effects, threads=threads,
        )  # fmt: skip
        self._prepare(action, steps, configure)
        self._env = _core.Env(
            self.sim.groups[0].batch,
            task=self.task.name,
            autoreset=self.autoreset_mode.value,
            substeps=substeps,
            actions=self._level.values,
            attitude=self._level.attitude,
            random=random_rows(self.sim, randomize or {}),
        )
        self._copy, self._check = copy, check_actions
        self._make_spaces()
        self._make_arrays()
        self._started = False

    def _prepare(self, action: str, steps: int, configure: Callable[[Sim], object] | None) -> None:
        """Bring the vehicles into the state that starts give them."""
        sim, task = self.sim, self.task
        sim.enable_part("task")
        sim.reset(pos=task.start.pos, hover=task.start.hovering)
        for column, values in task.columns(steps).items():
            sim.select().write(column, values)
        sim.select().write("random_vehicle", 0)
        if configure is not None:
            configure(sim)
        if sim.groups[0].batch.has("downwash"):
            raise ValueError("configure: environments have no downwash on each other")
        self._level = action_level(action, sim)
        self._level.prepare(sim)

    def _make_spaces(self) -> None:
        observed, values = self._env.observed, len(self._level.values)
        bounds = _observation_bounds(observed)
        self.single_observation_space = Box(-bounds, bounds, dtype=np.float32)
        self.single_action_space = Box(-1.0, 1.0, (values,), np.float32)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    def _make_arrays(self) -> None:
        n, shape = self.num_envs, (self.num_envs, self._env.observed)
        self._observations: Floats = np.zeros(shape, np.float32)
        self._finals: Floats | None = None
        if self.autoreset_mode == AutoresetMode.SAME_STEP:
            self._finals = np.zeros(shape, np.float32)
        self._rewards: Floats = np.zeros(n, np.float32)
        self._terminated, self._truncated = np.zeros(n, np.bool_), np.zeros(n, np.bool_)

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Floats, dict[str, Any]]:
        """Begin new episodes.

        Parameters
        ----------
        seed : int or sequence of int, optional
            Seed of the first environment, the next has the next; or one for each. Environments
            without go on with their seeds; at first they are random.
        options : dict, optional
            ``reset_mask``, bool array (num_envs,): which environments; all by default.

        Returns
        -------
        observations : ndarray, shape (num_envs, k), float32
            Of all environments.
        infos : dict
            Empty.
        """
        self._require_open()
        chosen = _reset_mask(options, self.num_envs)
        if not self._started:
            self._set_seeds(int(np.random.SeedSequence().generate_state(1, np.uint32)[0]), None)
        if seed is not None:
            self._set_seeds(seed, chosen)
        super().reset(seed=int(seed) if isinstance(seed, (int, np.integer)) else None)
        self._started = True
        self._env.reset(chosen, self._observations)
        return self._returned(self._observations), {}

    def _set_seeds(
        self, seed: int | Sequence[int | None], chosen: NDArray[np.bool_] | None
    ) -> None:
        sim = self.sim
        rows = np.arange(self.num_envs) if chosen is None else np.flatnonzero(chosen)
        if isinstance(seed, (int, np.integer)):
            seeds: list[int | None] = [checked_seed(int(seed)) + i for i in range(self.num_envs)]
        else:
            seeds = list(seed)
            if len(seeds) != self.num_envs:
                raise ValueError(f"seed: expected {self.num_envs} seeds, got {len(seeds)}")
        given = [(row, seeds[row]) for row in rows if seeds[row] is not None]
        if not given:
            return
        where = [row for row, _ in given]
        words = [seed_words(checked_seed(int(value or 0) % 2**64)) for _, value in given]
        sim.random_seed[where] = words
        sim.task_episode[where] = 0
        if len(where) == self.num_envs:
            sim.groups[0].batch.tick = 0

    def step(
        self, actions: ArrayLike
    ) -> tuple[Floats, NDArray[Any], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Take a step of all environments.

        Parameters
        ----------
        actions : array_like, shape (num_envs, values)
            Actions, -1 to 1; beyond, they are clipped.

        Returns
        -------
        observations : ndarray, shape (num_envs, k), float32
            After the step; of a new episode where the autoreset mode says so.
        rewards : ndarray, shape (num_envs,), float64
            Rewards; float32 without ``copy``.
        terminated, truncated : ndarray, shape (num_envs,), bool
            Whether episodes ended, or ran out of time; never both.
        infos : dict
            With ``SAME_STEP`` ``final_obs`` and ``final_info`` of episodes that are over.

        Raises
        ------
        gymnasium.error.ResetNeeded
            Before the first `reset`.
        ShapeError, TypeError, ValueError
            Actions have the wrong shape or type, or are not finite.
        """
        if not self._started:
            self._require_open()
            raise ResetNeeded("Cannot call env.step() before calling env.reset()")
        given = self._actions(actions)
        self._env.step(
            given, self._observations, self._finals, self._rewards, self._terminated,
            self._truncated,
        )  # fmt: skip
        infos: dict[str, Any] = {} if self._finals is None else self._final_infos()
        rewards = self._rewards.astype(np.float64) if self._copy else self._rewards
        return (
            self._returned(self._observations),
            rewards,
            self._returned(self._terminated),
            self._returned(self._truncated),
            infos,
        )

    def _actions(self, actions: ArrayLike) -> Floats:
        array = np.asarray(actions)
        if array.shape != self.action_space.shape:
            raise ShapeError(
                f"actions: expected shape {self.action_space.shape}, got {array.shape}"
            )
        if array.dtype != np.float32:
            if array.dtype.kind not in "fiu":
                raise TypeError(f"actions: expected numbers, got {array.dtype}")
            array = array.astype(np.float32)
        if self._check and not np.isfinite(array).all():
            raise ValueError("actions: expected finite numbers; check_actions=False skips this")
        return np.ascontiguousarray(array)

    def _final_infos(self) -> dict[str, Any]:
        over = self._terminated | self._truncated
        if not over.any():
            return {}
        assert self._finals is not None
        finals = self._returned(self._finals)
        return {
            "final_obs": finals,
            "_final_obs": over,
            "final_info": {},
            "_final_info": over.copy(),
        }

    def _returned(self, array: NDArray[Any]) -> NDArray[Any]:
        return array.copy() if self._copy else array

    def _require_open(self) -> None:
        if self.closed:
            raise ClosedEnvironmentError("the environment is closed")

    def close_extras(self, **kwargs: Any) -> None:
        """Stop: every later `step` and `reset` raises an error."""
        self._started = False


def _observation_bounds(observed: int) -> Floats:
    """Return the largest magnitudes of an observation: those of the envelope of the vehicles."""
    largest = _core.limits()
    bounds = np.full(observed, 1.01, np.float32)  # rounding may exceed 1
    bounds[0:3] = 2 * largest["distance"]
    bounds[12:15], bounds[15:18] = largest["speed"], largest["angular_velocity"]
    return bounds


def _changed(task: Task, weights: Mapping[str, float], start: Mapping[str, Any]) -> Task:
    for name in weights:
        if name not in task.weights:
            near = near_names(name, task.weights)
            raise ValueError(f"weights: expected names such as {near}, got {shown(name)}")
    fields = Start.__dataclass_fields__
    for name in start:
        if name not in fields:
            raise ValueError(
                f"start: expected names such as {near_names(name, fields)}, got {shown(name)}"
            )
    return replace(task, weights={**task.weights, **weights}, start=replace(task.start, **start))


def _sim_of(vehicle: Any, n: int, dt: float, control_rate: float, **options: Any) -> Sim:
    """Return a `Sim` whose control loops run as often as they may at this step."""
    highest = 1.0 / dt
    rates = tuple(min(rate, highest) for rate in (100.0, 250.0, 500.0))
    environment = min(250.0, highest)
    return Sim(
        vehicle, n, dt=dt, control_rates=rates, environment_rate=environment,
        sensor_rate=environment, **options,
    )  # fmt: skip


def _reset_mask(options: dict[str, Any] | None, n: int) -> NDArray[np.bool_] | None:
    unknown = set(options or {}) - {"reset_mask"}
    if unknown:
        raise ValueError(f"options: expected 'reset_mask', got {shown(sorted(unknown)[0])}")
    mask = (options or {}).get("reset_mask")
    if mask is None:
        return None
    if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_:
        raise TypeError(f"options['reset_mask']: expected a bool array, got {shown(mask)}")
    if mask.shape != (n,):
        raise ValueError(f"options['reset_mask']: expected shape ({n},), got {mask.shape}")
    if not mask.any():
        raise ValueError("options['reset_mask']: expected at least one True")
    return np.ascontiguousarray(mask)
