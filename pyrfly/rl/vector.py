"""Vehicles as a vector environment of Gymnasium: `PyrflyVectorEnv`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly import _core
from pyrfly.arrays import true_or_false
from pyrfly.errors import ShapeError, brief
from pyrfly.protocol.bits import Boundary, EndReason
from pyrfly.rl.actions import ActionLevel, action_level
from pyrfly.rl.arguments import (
    agents_of,
    changed_task,
    episode_steps,
    noise_of,
    observation_bounds,
    rate_of,
    require_callable,
    reset_mask,
    sim_of,
    vehicle_count,
)
from pyrfly.rl.base import RENDER_MODES, Remade, import_gymnasium, spec_with_steps
from pyrfly.rl.fitting import at_rest, fitting, prepare
from pyrfly.rl.tasks import Task, task_of
from pyrfly.sim import Sim
from pyrfly.sim.arguments import checked_seed, chosen_name, seed_words, whole_number
from pyrfly.sim.fault_tables import enter_faults
from pyrfly.sim.laws import NORMAL_REACH, random_rows
from pyrfly.sim.table_laws import TableLaws, randomized

if TYPE_CHECKING:
    from pyrfly.rl.render import Picture

import_gymnasium()

from gymnasium.error import (  # noqa: E402  (after the error that names the extra)
    ClosedEnvironmentError,
    ResetNeeded,
)
from gymnasium.spaces import Box  # noqa: E402
from gymnasium.vector import AutoresetMode, VectorEnv  # noqa: E402
from gymnasium.vector.utils import batch_space  # noqa: E402

__all__ = ["PyrflyVectorEnv"]

Floats = NDArray[np.float32]

LONGEST_DELAY = 64
"""Of actions and observations, in steps."""

MOST_PICTURES = 16
"""Environments that are drawn at most."""


def autoreset_of(mode: Any) -> AutoresetMode:
    """Return an autoreset mode from itself, its name or its value."""
    names = {name: found for found in AutoresetMode for name in (found.name, found.value)}
    if isinstance(mode, AutoresetMode):
        return mode
    if not isinstance(mode, str) or mode not in names:
        raise ValueError(f"autoreset_mode: expected one of {', '.join(names)}, got {brief(mode)}")
    return names[mode]


class PyrflyVectorEnv(Remade, VectorEnv[Floats, Floats, Any]):
    """Vehicles that learn a task: one environment each, stepped together in the core.

    Observation (float32): all tasks but ``reach``, whose vectors are in FRD and whose position is
    that of the goal less its own, observe these values, some of them more (``envs.task.observed``);
    the last action follows.

    =========  =================================================  ==========
    values     quantity                                           unit
    =========  =================================================  ==========
    0 to 2     position less the goal                             m, NED
    3 to 11    rotation matrix, FRD to NED, by rows               1
    12 to 14   velocity                                           m/s, NED
    15 to 17   angular velocity                                   rad/s, FRD
    18, ...    those of the task
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
    ``position``  position from the middle of the goals, at most 5 m on each axis, or what
                  the gates of a race need; yaw, at most 180
    ============  ======================================================================

    An episode ends, ``terminated``, as the task says, beyond its ``limit``, below its ``floor`` or
    with a fault of the vehicle, and is ``truncated`` after its duration. Infos say why:
    ``end_reason`` is a number of `pyrfly.rl.EndReason`.

    Parameters
    ----------
    num_envs : int
        Number of vehicles, each with an observation and an action of its own; of a task with
        several agents a multiple of their number, neighbours share their episodes.
    task : str or Task
        A name of `pyrfly.rl.TASKS`, or a task of one's own numbers.
    vehicle : str, path or VehicleParameters
        Parameter set of all vehicles, as of `pyrfly.Sim`.
    action : {'motor', 'rate', 'attitude', 'velocity', 'position'}, optional
        Level of the actions; by default that of the task, ``'motor'`` of
        all but a race, avoidance and the reaching of poses in flight.
    control_rate : float, optional
        Steps per second [Hz]; by default those of the task, 50 of a race and avoidance, else 100.
    substeps : int
        Integrator steps of a step.
    max_episode_steps : int, optional
        Steps after which an episode is truncated; by default those of the duration of the task.
    weights : mapping of str to float
        Other weights of the reward, by their names in ``task.weights``.
    start : mapping of str to Any
        Other bounds of starts, attributes of `pyrfly.rl.Start`.
    settings : mapping of str to Any
        Other attributes of the task, such as ``{"limit": 5.0}``, ``gates`` or ``agents``.
    randomize : mapping of str to sequence
        Columns that every start draws anew, besides those of the task: (law, first, second), with
        the laws of `pyrfly.rl.LAWS`, or a law or a number for each component. The actuators keep
        their commands, so that a heavier vehicle needs other actions. Infos have the values.
    configure : callable, optional
        Called with the `Sim` before the first episode, after that of the task: wind, sensors,
        batteries, other columns. Starts give columns the values that they have then.
    faults : sequence of mapping
        Faults of every episode: arguments of `pyrfly.sim.faults.Faults.add` without ``ids``, whose
        numbers may have laws, as in ``randomize``. Infos have ``fault_share``, how much of each
        acts, 0 to 1.
    hover_centred : bool, optional
        Whether an action of 0 is the throttle or thrust that holds the vehicle, with its drawn
        mass and rotors; commands then reach beyond their range on one side, where they are clipped.
        By default as the task says: a race at its own level of actions.
    action_delay, observation_delay : int
        Steps after which an action takes effect, and after which an observation is seen (without
        the last action, which is seen at once). Before the first action takes effect, the commands
        of the start hold.
    noise : mapping of str to float
        Standard deviations of normal noise on the observed quantities, by their names in
        ``task.observed`` such as ``position_error``, in their units.
    precision, integrator, effects, threads
        As of `pyrfly.Sim`; float32 and RK4 by default.
    autoreset_mode : gymnasium.vector.AutoresetMode
        What happens when an episode is over.
    copy : bool
        Whether returned arrays are fresh. Without, every step writes into the same arrays, infos
        have views of columns, and rewards are float32.
    check_actions : bool
        Whether actions that are not finite raise a ValueError; without, they count as 1.
    render_mode : {'human', 'rgb_array'}, optional
        What `render` does.

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

    # of what an error leaves half made, which is closed, too
    _started = False
    _pictures: Sequence[Picture] = ()
    _spec: Any = None

    def __init__(
        self,
        num_envs: int = 1,
        task: str | Task = "hover",
        vehicle: Any = "x500",
        *,
        action: str | None = None,
        control_rate: float | None = None,
        substeps: int = 5,
        max_episode_steps: int | None = None,
        weights: Mapping[str, float] | None = None,
        start: Mapping[str, Any] | None = None,
        settings: Mapping[str, Any] | None = None,
        randomize: Mapping[str, Sequence[Any]] | None = None,
        configure: Callable[[Sim], object] | None = None,
        faults: Sequence[Mapping[str, Any]] = (),
        hover_centred: bool | None = None,
        action_delay: int = 0,
        observation_delay: int = 0,
        noise: Mapping[str, float] | None = None,
        precision: str = "float32",
        integrator: str = "rk4",
        effects: str = "full",
        threads: int | None = None,
        autoreset_mode: Any = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        check_actions: bool = True,
        render_mode: str | None = None,
    ) -> None:
        changes = weights or {}, start or {}, settings or {}
        self.num_envs = vehicle_count(num_envs, agents_of(task, settings))
        control_rate = rate_of(task_of(task), control_rate)
        substeps = whole_number("substeps", substeps, 1, 1_000_000)
        self.autoreset_mode = autoreset_of(autoreset_mode)
        self.metadata = {
            **self.metadata,
            "autoreset_mode": self.autoreset_mode,
            "render_modes": list(RENDER_MODES),
            "render_fps": control_rate,
        }
        self.sim = sim_of(
            vehicle, self.num_envs, control_rate, substeps,
            precision=precision, integrator=integrator, effects=effects, threads=threads,
        )  # fmt: skip
        self.task = at_rest(changed_task(fitting(task, self.sim), *changes), self.sim)
        self.episode_steps = episode_steps(self.task, control_rate, max_episode_steps)
        laws = self._prepare(configure, faults)
        self._level = self._prepared_level(action, hover_centred)
        self._noise = noise_of(self.task, noise or {})
        self._env = self._episodes(
            substeps,
            randomized(randomize, laws),
            whole_number("action_delay", action_delay, 0, LONGEST_DELAY),
            whole_number("observation_delay", observation_delay, 0, LONGEST_DELAY),
        )
        self._copy = true_or_false("copy", copy)
        self._check = true_or_false("check_actions", check_actions)
        self._make_spaces()
        self._make_arrays()
        self._make_pictures(render_mode)

    def _prepared_level(self, action: str | None, hover_centred: bool | None) -> ActionLevel:
        """Return the level of the actions, by default that of the task, for which the `Sim` is."""
        if hover_centred is None:
            hover_centred = self.task.hover_centred and action in (None, self.task.action)
        name = self.task.action if action is None else action
        level = action_level(name, self.sim, self.task, hover_centred)
        level.prepare(self.sim)
        return level

    def _episodes(
        self,
        substeps: int,
        table: Mapping[str, Sequence[Any]],
        action_delay: int,
        observation_delay: int,
    ) -> _core.Env:
        """Return the vehicles as environments of the core, in the state that they have now."""
        table = {**self.task.randomize, **table}
        self._drawn = tuple(table)
        maximum, component = self._level.maximum or (None, 0)
        return _core.Env(
            self.sim.groups[0].batch,
            task=self.task.name,
            autoreset=self.autoreset_mode.value,
            substeps=substeps,
            actions=self._level.values,
            attitude=self._level.attitude,
            random=random_rows(self.sim, table),
            agents=self.task.agents,
            gates=self.task.gates,
            action_delay=action_delay,
            observation_delay=observation_delay,
            noise=tuple(map(float, self._noise)) if self._noise.any() else None,
            centred=self._level.centred,
            maximum=maximum,
            maximum_component=component,
        )

    def _prepare(
        self, configure: Callable[[Sim], object] | None, faults: Sequence[Mapping[str, Any]]
    ) -> TableLaws:
        """Bring the vehicles into the state that starts give them; return the laws of faults."""
        require_callable("configure", configure)
        sim, task = self.sim, self.task
        sim.enable_part("task")
        prepare(sim, task)
        for column, values in task.columns(self.episode_steps).items():
            sim.select().write(column, values)
        sim.select().write("random_vehicle", 1 + np.arange(self.num_envs) % task.agents)
        for function in (task.configure, configure):
            if function is not None:
                function(sim)
        if sim.groups[0].batch.has("downwash"):
            raise ValueError("configure: environments have no downwash on each other")
        if sim.safety.enabled and sim.boundary_action[:, Boundary.SEPARATION].any():
            raise ValueError(
                "configure: environments have no distance to each other, got the boundary "
                "'separation'; a formation has a separation of its own"
            )
        if sim.collisions.present:
            sim.select().write("collision_group", np.arange(self.num_envs) // task.agents)
        laws = enter_faults(sim, faults)
        self._faulty = sim.groups[0].has("fault_share")
        return laws

    def _make_spaces(self) -> None:
        observed, values = self._env.observed, len(self._level.values)
        bounds = observation_bounds(self.task, observed, 1.0 / self.metadata["render_fps"])
        bounds[: len(self._noise)] += NORMAL_REACH * self._noise
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
        self._ends = np.zeros(n, np.uint8)
        self._passed = np.zeros(n, np.uint32) if self.task.passes else None
        self._over = np.zeros(n, np.bool_)  # in the step before
        self._all = np.ones(n, np.bool_)

    def _make_pictures(self, render_mode: str | None) -> None:
        count = self.num_envs // self.task.agents
        if render_mode is not None:
            chosen_name("render_mode", render_mode, RENDER_MODES)
        if render_mode == "rgb_array" and count > MOST_PICTURES:
            raise ValueError(
                f"render_mode: expected None with more than {MOST_PICTURES} environments, "
                f"got 'rgb_array' with {count}"
            )
        self.render_mode = render_mode
        if render_mode is None:
            return
        from pyrfly.rl.render import Picture  # what learning itself does not need

        shown_count = 1 if render_mode == "human" else count
        self._pictures = [
            Picture(self.sim, self.task, k, self.metadata["render_fps"], render_mode == "human")
            for k in range(shown_count)
        ]

    def render(self) -> tuple[NDArray[np.uint8], ...] | None:
        """Draw the environments.

        Returns
        -------
        tuple of ndarray, shape (height, width, 3), uint8
            With ``rgb_array``, a picture of each environment; None with ``human``, which draws the
            first one in a window, also after every step.

        Raises
        ------
        RuntimeError
            The environments were made without a ``render_mode``.
        """
        if not self._pictures:
            raise RuntimeError("render: the environments were made without a render_mode")
        drawn = tuple(picture.draw() for picture in self._pictures)
        return drawn if self.render_mode == "rgb_array" else None

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
            without go on with their seeds; at first they are random. Agents of an environment
            share its seed.
        options : dict, optional
            ``reset_mask``, bool array (num_envs,): which environments; all by default, and in the
            first reset.

        Returns
        -------
        observations : ndarray, shape (num_envs, k), float32
            Of all environments.
        infos : dict
            The columns of ``randomize``, of environments that begin an episode.
        """
        self._require_open()
        chosen = self._whole_environments(reset_mask(options, self.num_envs))
        if not self._started:
            chosen = None  # all begin
            self._set_seeds(int(np.random.SeedSequence().generate_state(1, np.uint32)[0]), None)
        if seed is not None:
            self._set_seeds(seed, chosen)
        super().reset(seed=int(seed) if isinstance(seed, (int, np.integer)) else None)
        self._started = True
        self._env.reset(chosen, self._observations)
        begun = np.ones(self.num_envs, np.bool_) if chosen is None else chosen
        self._over &= ~begun
        self._show()
        infos = {**self._fault_infos(), **self._begun_infos(begun)}
        return self._returned(self._observations), infos

    @property
    def spec(self) -> Any:
        """The entry of the registry, with ``max_episode_steps``; None of one made directly."""
        return self._spec

    @spec.setter
    def spec(self, spec: Any) -> None:
        self._spec = spec_with_steps(spec, self.episode_steps)

    @property
    def observations(self) -> Floats:
        """A copy of the last observations."""
        return self._observations.copy()

    def _whole_environments(self, chosen: NDArray[np.bool_] | None) -> NDArray[np.bool_] | None:
        if chosen is not None and self.task.agents > 1:
            groups = chosen.reshape(-1, self.task.agents)
            if (groups.any(axis=1) != groups.all(axis=1)).any():
                raise ValueError(
                    "options['reset_mask']: expected all or none of the agents of an environment"
                )
        return chosen

    def _set_seeds(
        self, seed: int | Sequence[int | None], chosen: NDArray[np.bool_] | None
    ) -> None:
        sim = self.sim
        rows = np.arange(self.num_envs) if chosen is None else np.flatnonzero(chosen)
        agents = self.task.agents
        count = self.num_envs // agents
        if isinstance(seed, (int, np.integer)):
            first = checked_seed(int(seed))
            seeds: list[int | None] = [(first + i) % 2**64 for i in range(count)]
        else:
            if isinstance(seed, str) or not isinstance(seed, (Sequence, np.ndarray)):
                raise TypeError(f"seed: expected a whole number or several, got {brief(seed)}")
            seeds = list(seed)
            if len(seeds) != count:
                raise ValueError(f"seed: expected {count} seeds, got {len(seeds)}")
        seeds = [one for one in seeds for _ in range(agents)]
        given = [(row, seeds[row]) for row in rows if seeds[row] is not None]
        if not given:
            return
        where = [row for row, _ in given]
        words = [seed_words(checked_seed(value or 0)) for _, value in given]
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
            Of episodes that are over ``end_reason``, numbers of `EndReason` (uint8, 0 of others),
            and of a race and a landing ``passed``: the gates passed or the good touchdowns. With
            ``SAME_STEP`` these are in ``final_info``, and the last observations are ``final_obs``.
            Columns of ``randomize`` of environments that begin an episode. With a name that begins
            with ``_``: of which environments.

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
            self._truncated, self._ends, self._passed,
        )  # fmt: skip
        infos = self._infos()
        self._show()
        rewards = self._rewards.astype(np.float64) if self._copy else self._rewards
        return (
            self._returned(self._observations),
            rewards,
            self._returned(self._terminated),
            self._returned(self._truncated),
            infos,
        )

    def _actions(self, actions: ArrayLike) -> Floats:
        try:
            array = np.asarray(actions)
        except ValueError:
            raise ShapeError(
                f"actions: expected shape {self.action_space.shape}, got rows of several lengths"
            ) from None
        if array.shape != self.action_space.shape:
            raise ShapeError(
                f"actions: expected shape {self.action_space.shape}, got {array.shape}"
            )
        if array.dtype.kind not in "fiu":
            raise TypeError(f"actions: expected numbers, got {array.dtype}")
        if self._check and not np.isfinite(array).all():
            raise ValueError("actions: expected finite numbers; check_actions=False skips this")
        if array.dtype != np.float32:
            with np.errstate(over="ignore"):  # infinite, which is clipped as all others
                array = array.astype(np.float32)
        return np.ascontiguousarray(array)

    def _infos(self) -> dict[str, Any]:
        """Return what ended, and what begins, in the last step."""
        infos = self._fault_infos()
        over = self._ends != EndReason.NONE
        if over.any():
            if self._finals is None:
                infos |= self._end_infos(over)
            else:
                infos |= {
                    "final_obs": self._returned(self._finals),
                    "_final_obs": over,
                    "final_info": self._end_infos(over),
                    "_final_info": self._returned(over),
                }
        if self.autoreset_mode == AutoresetMode.SAME_STEP:
            infos |= self._begun_infos(over)
        elif self.autoreset_mode == AutoresetMode.NEXT_STEP:
            infos |= self._begun_infos(self._over)
            self._over = over
        return infos

    def _end_infos(self, over: NDArray[np.bool_]) -> dict[str, Any]:
        """Return why episodes are over, and what they have passed."""
        infos = {"end_reason": self._returned(self._ends), "_end_reason": self._returned(over)}
        if self._passed is not None:
            infos |= {"passed": self._returned(self._passed), "_passed": self._returned(over)}
        return infos

    def _begun_infos(self, begun: NDArray[np.bool_]) -> dict[str, Any]:
        """Return the drawn columns of environments that begin an episode."""
        if not (self._drawn and begun.any()):
            return {}
        infos: dict[str, Any] = {}
        for name in self._drawn:
            infos[name] = self._returned(self.sim.groups[0].view(name))
            infos["_" + name] = self._returned(begun)
        return infos

    def _fault_infos(self) -> dict[str, Any]:
        """Return how much of each fault acts."""
        if not self._faulty:
            return {}
        shares = self.sim.groups[0].view("fault_share")
        return {"fault_share": self._returned(shares), "_fault_share": self._returned(self._all)}

    def _show(self) -> None:
        if self.render_mode == "human":
            self._pictures[0].draw()

    def _returned(self, array: NDArray[Any]) -> NDArray[Any]:
        return array.copy() if self._copy else array

    def _require_open(self) -> None:
        if self.closed:
            raise ClosedEnvironmentError("the environment is closed")

    def close_extras(self, **kwargs: Any) -> None:
        """Stop: every later `step` and `reset` raises an error."""
        self._started = False
        for picture in self._pictures:
            picture.close()
