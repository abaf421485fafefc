"""Simulation of vehicles: `Sim`."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import import_module
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly import _core
from pyrfly.arrays import true_or_false
from pyrfly.columns import Columns, Fields, parts
from pyrfly.description import Description
from pyrfly.frames import DEFAULT_ORIGIN, LocalFrame
from pyrfly.scene import Scene
from pyrfly.sim.analysis import Analysis
from pyrfly.sim.arguments import (
    Vehicle,
    checked_seed,
    chosen_name,
    counted,
    origin_of,
    parameters_of,
    periods,
    seed_words,
    whole_number,
)
from pyrfly.sim.clock import Clock
from pyrfly.sim.collisions import Collisions
from pyrfly.sim.commands import Commands
from pyrfly.sim.constants import HASHED_ROLES
from pyrfly.sim.copying import Saved, check_layouts, layouts_of
from pyrfly.sim.environment import Environment
from pyrfly.sim.estimator import Estimator
from pyrfly.sim.faults import Faults
from pyrfly.sim.group import Group
from pyrfly.sim.health import Health, health
from pyrfly.sim.hover import hover_columns
from pyrfly.sim.interface import Access
from pyrfly.sim.known_state import KnownState
from pyrfly.sim.model_params import ModelParams
from pyrfly.sim.motors import Motors
from pyrfly.sim.own_models import HEARD, hear
from pyrfly.sim.parachute import Parachute
from pyrfly.sim.payload import Payload
from pyrfly.sim.power import Power
from pyrfly.sim.randomization import uniform_draws
from pyrfly.sim.rebound import Rebound
from pyrfly.sim.safety import Safety
from pyrfly.sim.scene import SimScene
from pyrfly.sim.selection import Selection, ids_of_mask, select
from pyrfly.sim.sensors import Sensors
from pyrfly.sim.snapshot import SimState, pack, unpack
from pyrfly.sim.stepping import Stepping
from pyrfly.sim.surroundings import Surroundings
from pyrfly.sim.tether import Tether
from pyrfly.terrain import TerrainMap
from pyrfly.vehicles import Families, VehicleParameters
from pyrfly.vehicles.commands import Ids

__all__ = ["Sim"]


class Sim(Columns, Families, Commands, Stepping, Surroundings, Analysis):
    """Simulation of vehicles with a common clock.

    Parameters
    ----------
    vehicles : str, path, VehicleParameters or mapping
        Name of a packaged parameter set, a TOML file, or a parameter set; or a mapping of these to
        numbers of vehicles. Vehicles get CopterIDs from 1 in this order.
    n : int, optional
        Number of vehicles, if ``vehicles`` is not a mapping.
    precision : {'float64', 'float32'}
        Precision of all columns. float32 resolves positions to about 6e-8 of their magnitude,
        7.8 mm at 100 km (docs/frames.md).
    integrator : {'rk4', 'euler'}
        Classical Runge-Kutta (RflySim's ODE4) or semi-implicit Euler, which is of first order: a
        freely tumbling body gains energy (docs/frames.md).
    effects : {'full', 'plain'}
        All effects of the parameters, or the plain model of types that have one, such as those of
        ``csrc/vehicles/multirotor/model.h``; a `ParameterWarning` lists what it leaves out.
    dt : float
        Integrator step [s].
    threads : int, optional
        Maximum number of threads of a step; by default ``PYRFLY_THREADS`` or the number of
        processors.
    control_rates : tuple of float
        Rates [Hz] of the velocity (and position), attitude, and rate loops; rounded to whole
        integrator steps. For multirotors at least 10, 20 and 40 Hz, and so ``dt`` is at most
        0.025 s; slow loops get lower gains.
    environment_rate : float
        Rate [Hz] at which the `environment` of the vehicles is updated; rounded likewise.
    sensor_rate : float
        Maximum rate [Hz] of the `sensors` of the vehicles, and rate of those that a model of one's
        own has; rounded likewise.
    compatibility : {'rflysim'}, optional
        The laws that RflySim publishes instead of the physical ones, to compare with its models:
        rotor moments and ground of multirotors, see docs/rflysim-compat.md. They are parameters,
        so that later writes of columns change them.

    Notes
    -----
    Columns are attributes, such as ``sim.pos`` of shape (n, 3); `fields` lists them. With one
    parameter set they are views: writing into them changes the vehicles. With several they are
    read-only copies in CopterID order; write to ``sim.groups`` or with `select`. Other attributes
    cannot be set, except in subclasses.

    The controllers of the vehicles write the actuator commands, such as ``throttle``, unless
    ``sim.controllers`` is False: then they are inputs for a controller of one's own.

    One thread at a time may step or change a `Sim`. Others may read it meanwhile: outputs and
    snapshots wait for a pause of the step, up to some 50 ms, and snapshots for the end of a change,
    such as a reset; views show what is there.

    ``pickle``, ``copy.copy`` and ``copy.deepcopy`` make independent simulations with the same
    future: vehicles, parameters, state, time and settings. They leave out listeners and the stepper
    of `hand_over`; a pickle is refused by a version of pyrfly with other columns.

    Examples
    --------
    >>> sim = Sim("x450", 2)
    >>> sim.arm()
    >>> sim.command_position([0, 0, -10], yaw=0)
    >>> sim.step(8000)
    >>> bool(abs(sim.pos[:, 2] + 10).max() < 0.05)
    True
    """

    def __init__(
        self,
        vehicles: Vehicle | Mapping[Any, int] = "sdk",
        n: int | None = None,
        *,
        precision: str = "float64",
        integrator: str = "rk4",
        effects: str = "full",
        dt: float = 1e-3,
        threads: int | None = None,
        control_rates: Sequence[float] = (100.0, 250.0, 500.0),
        environment_rate: float = 250.0,
        sensor_rate: float = 250.0,
        compatibility: str | None = None,
    ) -> None:
        options: dict[str, Any] = {
            "precision": chosen_name("precision", precision, ("float64", "float32")),
            "integrator": chosen_name("integrator", integrator, ("rk4", "euler")),
            "effects": chosen_name("effects", effects, ("plain", "full")),
            "dt": dt,
            "periods": periods(dt, control_rates, environment_rate, sensor_rate),
        }
        if threads is not None:
            options["threads"] = whole_number("threads", threads, 1, _core.limits()["threads"])
        loaded = [(parameters_of(v, compatibility), k) for v, k in counted(vehicles, n)]
        self._construct(loaded, options)

    def _construct(
        self, vehicles: Sequence[tuple[VehicleParameters, int]], options: dict[str, Any]
    ) -> None:
        firsts = accumulate((count for _, count in vehicles), initial=1)
        self.groups: tuple[Group, ...] = tuple(
            Group(parameters, count, first, options)
            for (parameters, count), first in zip(vehicles, firsts, strict=False)
        )
        self.n = sum(group.n for group in self.groups)
        self.dt = float(options["dt"])
        self._options = options
        self._batches = tuple(group.batch for group in self.groups)
        self._clock = Clock(self._batches, self.dt)
        self._speaking = tuple(group.models for group in self.groups if group.models.speak)
        if self._speaking:
            self._clock.add(partial(hear, self._speaking), HEARD)
        self._everything = select(self.groups, self._clock.exclusive, None)
        self._seed = self._draws = self._last_event = 0
        self._terrain_map: TerrainMap | None = None
        self._scene: Scene | None = None
        self._frame = LocalFrame(*DEFAULT_ORIGIN)
        self.controllers = True
        for part in {part: None for group in self.groups for part in group.models.parts}:
            self.enable_part(part)
        self.reset()
        # What `__setstate__` makes anew; what a subclass adds later is pickled and copied.
        self._constructed = frozenset(vars(self)) | {"_constructed", "_complete"}
        self._complete = type(self) is Sim

    def __getstate__(self) -> Saved:
        """Return what `__setstate__` needs: pickled and copied are vehicles, state and time.

        Listeners and a `hand_over` are not: functions and threads of this process.
        """
        snapshot, terrain_map, scene = self._clock.read(
            lambda: (self._snapshot(), self._terrain_map, self._scene)
        )
        return Saved(
            layouts=layouts_of(group.parameters.c_type for group in self.groups),
            groups=[(group.parameters, group.n) for group in self.groups],
            options=self._options,
            snapshot=snapshot,
            attributes={k: v for k, v in vars(self).items() if k not in self._constructed},
            terrain_map=terrain_map,
            scene=scene,
        )

    def __setstate__(self, saved: Saved) -> None:
        """Become the `Sim` that was saved; raise a ValueError if this version cannot."""
        check_layouts(saved.layouts)
        self._construct(saved.groups, dict(saved.options))
        self._use_terrain_map(saved.terrain_map)
        self._use_scene(saved.scene)
        self.restore(saved.snapshot)
        vars(self).update(saved.attributes)

    def __repr__(self) -> str:
        return f"<Sim of {self._vehicles()} at {self.time:.3f} s>"

    def _repr_html_(self) -> str:
        return self.describe()._repr_html_()

    def describe(self, name: str | None = None) -> Description:
        """Return what this simulation, one of its columns or its attributes is.

        Parameters
        ----------
        name : str, optional
            A column, such as ``"wind"``: its meaning, unit, frame and present values; or any other
            attribute, such as ``"environment"`` or ``"command_position"``. By default the vehicles,
            the parts that are on, and the time.

        Raises
        ------
        TypeError, ValueError
            The name is no string, or there is no such column or attribute.

        Examples
        --------
        >>> sim = Sim({"x450": 2})
        >>> sim.describe("vel")
        vel [m/s, NED], shape (n, 3), state
        ground velocity
        an argument of sim.command_position, sim.command_velocity, sim.trim
        see also vel_sp, vel_body
                 minimum  mean  maximum
          north  0        0     0
          east   0        0     0
          down   0        0     0
        """
        from pyrfly.sim.describing import describe  # when somebody looks

        return describe(self, name)

    def view(self, camera: Any = "overview", **options: Any) -> Any:
        """Show the vehicles in a browser while they are stepped.

        Parameters
        ----------
        camera : str or pyrfly.view.Camera
            What is shown first: ``overview``, ``follow:ID`` or ``nose:ID``.
        **options
            ``pace``, ``open``, ``port``, ``host``, ``allow``, ``title``, ``lines``, as of
            `pyrfly.view.View`.

        Returns
        -------
        pyrfly.view.View
            With the address, ``url``; a notebook shows it.

        Raises
        ------
        MissingExtraError
            Without ``pip install 'pyrfly[view]'``.
        OptionError, PortError
            An option is invalid, or no port is free.

        Examples
        --------
        >>> view = sim.view(pace=1.0)  # doctest: +SKIP
        """
        return import_module("pyrfly.view").View(self, camera, **options)

    def _vehicles(self) -> str:
        """Return numbers and names of the vehicles, for messages and snapshots."""
        return ", ".join(f"{group.n} {group.name}" for group in self.groups)

    # --- columns ---

    def _readable(self) -> list[str]:
        widths = [{(f.name, f.width) for f in group.fields} for group in self.groups]
        return [name for name, _ in set.intersection(*widths)]

    def _view(self, name: str) -> NDArray[Any]:
        if len(self.groups) == 1:
            return self.groups[0].view(name)
        parts = [group.view(name) for group in self.groups]
        if len({part.shape[1:] for part in parts}) > 1:
            raise AttributeError(f"{name} has different widths in the groups; use sim.groups")
        together = np.concatenate(parts)
        together.flags.writeable = False
        return together

    def _write(self, name: str, value: Any) -> None:
        self.select().write(name, value)
        for group in self.groups:
            group.warn_of_controllers(name)

    def fields(self) -> Fields:
        """Return the columns that all vehicles have: name, width, role, unit, frame, doc.

        Where vehicles differ in meaning, ``doc`` is that of the first.
        """
        common = set.intersection(*({f.name for f in g.fields} for g in self.groups))
        return Fields(field for field in self.groups[0].fields if field.name in common)

    @property
    def nbytes(self) -> int:
        """Size of all columns [bytes]."""
        return sum(batch.nbytes for batch in self._batches)

    # --- controllers ---

    @property
    def controllers(self) -> bool:
        """Whether the controllers run; initially they do, and overwrite the actuator commands.

        The switch for a controller of one's own at motor level: after ``sim.controllers = False``
        the actuator commands (``throttle`` of multirotors, ``drive`` of rovers) are inputs that
        only the user writes, armed or not, and set-points have no effect. docs/own-controllers.md
        and ``examples/07_own_controller.py`` show how.
        """
        return self._batches[0].controllers

    @controllers.setter
    def controllers(self, on: bool) -> None:
        running = true_or_false("controllers", on)

        def write() -> None:
            for batch in self._batches:
                batch.controllers = running

        self._clock.change(write)

    # --- selections ---

    def select(
        self, ids: Ids = None, *, mask: ArrayLike | None = None, family: str | None = None
    ) -> Selection:
        """Return vehicles of any groups, to read, write or command them.

        Parameters
        ----------
        ids : int or sequence of int, optional
            CopterIDs, in any order; all vehicles by default.
        mask : array_like of bool, shape (n,), optional
            Which vehicles, in CopterID order, instead of ``ids``.
        family : str, optional
            Only vehicles of this family, such as ``"multirotor"``; of a family that this `Sim` does
            not have there are none.

        Raises
        ------
        TypeError, ValueError
            An ID is not an integer, not that of a vehicle, or that of another family; or there is
            no such family.

        Examples
        --------
        >>> sim = Sim({"x450": 2, "hex_x": 1})
        >>> chosen = sim.select([3, 1])
        >>> chosen.write("wind", [[1, 0, 0], [2, 0, 0]])
        >>> chosen.read("wind")[:, 0].tolist(), sim.wind[:, 0].tolist()
        ([1.0, 2.0], [2.0, 0.0, 1.0])
        """
        if mask is not None:
            ids = ids_of_mask(mask, self.n, ids)
        elif ids is None and family is None:
            return self._everything
        return select(self.groups, self._clock.exclusive, ids, family)

    # --- parts ---

    def enable_part(self, part: str) -> None:
        """Enable an optional part of all vehicles: its columns, in their initial state.

        A part stays enabled; a second call has no effect. ``pyrfly columns`` lists the parts.

        Raises
        ------
        ValueError
            There is no such part.
        """
        chosen_name("part", part, parts())
        if not self._batches[-1].has(part):  # enabled last
            self._change(lambda: None, (part,))

    def _change(self, write: Callable[[], object], parts: Sequence[str] = ()) -> None:
        """Enable parts and call a function that writes their columns, to its end.

        The function is called again if a signal handler raises in it, before the exception goes on
        (`Clock.change`). A RuntimeError, if another thread steps or changes this `Sim`, comes
        before any change.
        """

        def whole() -> None:
            for part in parts:
                for group in self.groups:
                    group.enable_part(part)
            write()

        self._clock.change(whole)

    @property
    def _access(self) -> Access:
        return Access(
            select=self.select,
            change=self._change,
            time=lambda: self.time,
            frame=lambda: self._frame,
            terrain_map=lambda: self._terrain_map,
            use_terrain_map=self._use_terrain_map,
            scene=lambda: self._scene,
            use_scene=self._use_scene,
            show_relief=self._show_relief,
            dt=self.dt,
            sensor_period=self._options["periods"]["sensors"] * self.dt,
            fault_period=self._options["periods"]["faults"] * self.dt,
        )

    @property
    def environment(self) -> Environment:
        """Air, wind, gravity, magnetic field and ground at the vehicles; all off at first."""
        return Environment(self._access)

    def _use_terrain_map(self, terrain_map: TerrainMap | None) -> None:
        """Set the map that vehicles may be on; its place on the earth, if any, is the origin.

        Within `_change`; `Environment.set_terrain` puts vehicles on it.
        """
        for group in self.groups:
            group.use_terrain_map(terrain_map)
        self._terrain_map = terrain_map
        self._show_relief()
        origin = None if terrain_map is None else terrain_map.origin
        if origin is not None and origin != self.origin:
            self._move_origin(LocalFrame(*origin))

    @property
    def scene(self) -> SimScene:
        """What stands around the vehicles, and rays; nothing at first."""
        return SimScene(self._access)

    def _use_scene(self, scene: Scene | None) -> None:
        """Set what stands in the world; within `_change`."""
        self._scene = scene
        for group in self.groups:
            group.batch.set_scene(None if scene is None else scene.core)

    def _show_relief(self) -> None:
        """Let sensors that see the ground have the terrain map of now; within `_change`."""
        for group in self.groups:
            if group.batch.has("sight"):
                terrain_map = self._terrain_map
                group.batch.set_relief(None if terrain_map is None else terrain_map.relief)

    @property
    def power(self) -> Power:
        """Batteries of the vehicles; off at first."""
        return Power(self._access)

    @property
    def motors(self) -> Motors:
        """Second-order motors of vehicles with rotors; off at first."""
        return Motors(self._access)

    @property
    def sensors(self) -> Sensors:
        """What the vehicles measure; all off at first."""
        return Sensors(self._access)

    def _injected(self, *inputs: NDArray[Any], ids: Ids) -> tuple[str, ...]:
        return self.faults.inject(*inputs, ids=ids)

    @property
    def faults(self) -> Faults:
        """What goes wrong with the vehicles; nothing at first."""
        return Faults(self._access)

    @property
    def model_params(self) -> ModelParams:
        """Parameters that RflySim sets by number."""
        return ModelParams(self._access)

    @property
    def safety(self) -> Safety:
        """Boundaries of what the vehicles may do; none at first."""
        return Safety(self._access)

    @property
    def parachute(self) -> Parachute:
        """Parachutes of the vehicles; none at first."""
        return Parachute(self._access)

    @property
    def collisions(self) -> Collisions:
        """Collisions of the vehicles with each other, the scene and the ground; off at first."""
        return Collisions(self._access)

    @property
    def payload(self) -> Payload:
        """Payloads of the vehicles, fixed to them or on cables; none at first."""
        return Payload(self._access)

    @property
    def tether(self) -> Tether:
        """Tethers of the vehicles in water; none at first."""
        return Tether(self._access)

    @property
    def rebound(self) -> Rebound:
        """RflySim's collisions, where a 3D view reports them; none at first."""
        return Rebound(self._access)

    def _require_going_on(self) -> None:
        self.safety.require_going_on()

    @property
    def estimator(self) -> Estimator:
        """What the vehicles know of their state by their sensors; off at first."""
        return Estimator(self._access)

    @property
    def known(self) -> KnownState:
        """State that the vehicles know: the truth, or the estimate of those that fly on it."""
        return KnownState(self._view, self.groups)

    @property
    def origin(self) -> tuple[float, float, float]:
        """Latitude [deg], longitude [deg], height [m] of the origin of the local frame."""
        frame = self._frame
        return frame.lat, frame.lon, frame.alt

    @origin.setter
    def origin(self, lla: Sequence[float]) -> None:
        frame = LocalFrame(*origin_of(lla))
        self._clock.change(lambda: self._move_origin(frame))

    def _move_origin(self, frame: LocalFrame) -> None:
        self._set_origin(frame)
        self.environment.origin_changed()

    def _set_origin(self, frame: LocalFrame) -> None:
        for group in self.groups:
            group.set_origin(frame.lat, frame.lon, frame.alt)
        self._frame = frame

    @property
    def local_frame(self) -> LocalFrame:
        """The local NED frame on the WGS84 ellipsoid."""
        return self._frame

    # --- reset, randomise, save ---

    def reset(
        self,
        *,
        pos: ArrayLike | None = None,
        yaw: ArrayLike = 0,
        seed: int | None = None,
        ids: Ids = None,
        mask: ArrayLike | None = None,
        hover: bool = False,
        roll: ArrayLike = 0,
        pitch: ArrayLike = 0,
    ) -> None:
        """Reset vehicles to rest, disarmed, without set-points, or to a hover.

        Parameters, gains, wind, the ground (``terrain``, its slope, friction and motion), contact
        points and the settings of the `environment`, the `power` supply, the `motors`, the
        `sensors` and the `estimator` are kept; batteries become full; RflySim's InitInParams are
        set (`ModelParams`). A vehicle on the ground has its slope, velocity and yaw rate.

        Parameters
        ----------
        pos : array_like, shape (k, 3), (3,), (k, 2) or (2,), optional
            Positions [m, NED]; on the ground where only north and east are given; by default on the
            ground at north and east 0. One below the ground is raised to it, unless the effects are
            'plain', without ground. On a terrain map the ground is that of the position.
        yaw : array_like, shape (k,) or ()
            Headings [rad].
        seed : int, optional
            Seed of `randomize`, and of the turbulence and sensors of these vehicles, 0 to 2^64 - 1.
        ids : int or sequence of int, optional
            The k CopterIDs; by default all vehicles, and the time is reset to 0.
        mask : array_like of bool, shape (n,), optional
            The k vehicles where it is true, instead of ``ids``; there may be none.
        roll, pitch : array_like, shape (k,) or ()
            Attitude of those that start above the ground [rad]; the others stand as the ground is.
        hover : bool
            Start armed in the trimmed hover of each vehicle, with its parameters and in its wind,
            above the ground: motors at speed, controllers settled, ``pos`` and ``yaw`` commanded.
            A `CommandWarning` says if the wind is more than the controllers can hold, or than the
            vehicle can, which then starts as in still air.

        Raises
        ------
        ParameterError
            ``hover``, and a vehicle does not hover, or has no equilibrium in still air either;
            nothing is changed.
        RuntimeError
            Another thread steps this `Sim`; then nothing is changed.
        """
        chosen = self.select(ids, mask=mask)
        positions = chosen.starts(pos)
        headings = chosen.per_vehicle("yaw", yaw, "rad")
        angles = {"roll": roll, "pitch": pitch}
        tilts = [chosen.per_vehicle(name, angle, "rad") for name, angle in angles.items()]
        tilt = np.column_stack(tilts) if np.any(tilts) else None
        chosen.require_distinct()
        hovers = true_or_false("hover", hover)
        if hovers and tilt is not None:
            raise ValueError("hover: expected False with roll or pitch, got True")
        self.model_params.begin(chosen)
        hovering = hover_columns(chosen, positions, headings) if hovers else []
        new_seed = None if seed is None else checked_seed(seed)

        def write() -> None:
            if new_seed is not None:
                self._seed, self._draws = new_seed, 0
                chosen.write("random_seed", seed_words(self._seed))
            for group, rows, indices in chosen:
                inclined = None if tilt is None else tilt[indices]
                group.reset(rows, positions[indices], headings[indices], inclined)
            for group, rows, columns in hovering:
                group.write_rows(rows, columns)
            self.environment.refresh(chosen)
            if ids is None and mask is None:
                self._clock.restart()
            for group, rows, _ in chosen:
                group.restart_events(rows)

        self._clock.change(write)

    def set_seed(self, seed: int, *, ids: Ids = None) -> None:
        """Set the seed of the random numbers of turbulence and sensors; `reset` does so, too.

        The random numbers of a vehicle depend on its seed, its number ``random_vehicle`` (the
        CopterID) and the time, not on other vehicles or the number of threads.

        Parameters
        ----------
        seed : int
            0 to 2^64 - 1.
        ids : int or sequence of int, optional
            CopterIDs; all vehicles by default.
        """
        self.select(ids).write("random_seed", seed_words(checked_seed(seed)))

    def randomize(
        self,
        name: str,
        low: ArrayLike,
        high: ArrayLike,
        *,
        ids: Ids = None,
        mask: ArrayLike | None = None,
    ) -> None:
        """Draw the values of a column from a uniform distribution.

        The value of a vehicle depends on the seed of `reset` (0 by default), the number of draws
        since, the name of the column and the CopterID, not on the number of vehicles.

        Parameters
        ----------
        name : str
            A column that is not an output, such as ``"mass"``.
        low, high : array_like, shape () or (width,)
            Bounds, in the unit of the column.
        ids : int or sequence of int, optional
            CopterIDs; all vehicles by default.
        mask : array_like of bool, shape (n,), optional
            Which vehicles, instead of ``ids``.

        Raises
        ------
        AttributeError
            A vehicle does not have the column, or it is an output.
        ShapeError, ValueError, TypeError
            A bound has the wrong shape, is non-finite or not numeric, ``low`` exceeds ``high``, or
            a value between them is none that the column may have.
        RuntimeError
            Another thread steps this `Sim`. After any of these nothing is changed.
        """
        drawn = uniform_draws(self.select(ids, mask=mask), name, low, high, self._seed, self._draws)
        draws = self._draws + 1

        def write() -> None:
            for view, rows, values in drawn:
                view[rows] = values
            self._draws = draws

        self._clock.change(write)

    def retune(self, *, ids: Ids = None, mask: ArrayLike | None = None) -> None:
        """Compute the gains of vehicles anew, from their present parameters.

        Controllers and guidance know a vehicle by its gains alone, which are those of its parameter
        set: what is written to parameters later, or drawn by `randomize`, changes the vehicle and
        not what they assume of it, until this is called. Loads, batteries and the `environment` are
        no parameters.

        All columns of role ``gain`` are replaced, also those that were written or set as a limit by
        RflySim's API or as a PX4 parameter. The state of the controllers stays as it is, so that a
        vehicle in flight settles anew.

        Parameters
        ----------
        ids : int or sequence of int, optional
            CopterIDs; all vehicles by default.
        mask : array_like of bool, shape (n,), optional
            Which vehicles, instead of ``ids``.

        Raises
        ------
        ParameterError
            No gains follow from the parameters of a vehicle.
        RuntimeError
            Another thread steps this `Sim`. After any of these nothing is changed.

        Examples
        --------
        >>> sim = Sim("x450", 2)
        >>> sim.mass *= 1.5
        >>> sim.retune(ids=2)
        >>> (sim.control_mass / sim.mass).round(3).tolist()
        [0.667, 1.0]
        """
        self.select(ids, mask=mask).retune()

    def snapshot(self) -> bytes:
        """Return the complete state of the simulation as bytes; see `restore`.

        All vehicles are at one time, also while another thread steps, resets or commands them:
        a snapshot waits for a pause of the step, and is before or after a change. Values that
        another thread writes into columns meanwhile may be in it or not.

        Raises
        ------
        RuntimeError
            The call comes from a signal handler amid a change, or other threads change the
            vehicles without end.
        """
        return self._clock.read(self._snapshot)

    def _snapshot(self) -> bytes:
        for group in self.groups:
            group.models.require_none("a snapshot")
        terrain = 0 if self._terrain_map is None else self._terrain_map.checksum
        scene = 0 if self._scene is None else self._scene.checksum
        state = SimState(self._seed, self._draws, self._last_event, *self.origin, terrain, scene)
        return pack(_core.snapshot(self._batches), state, self._vehicles())

    def restore(self, snapshot: bytes) -> None:
        """Restore a `snapshot` of a `Sim` of the same vehicles, settings and version.

        A checksum tells whether bytes are damaged, not who wrote them. The values of columns are
        restored as they are, also what the envelope does not allow: a user can write NaN into a
        view, so that it can be in a state. A step gives such vehicles fault flags (`check`). A
        terrain map and a scene are not in a snapshot: the `Sim` must have those of the snapshot;
        it may have a map if that had none.

        Raises
        ------
        ValueError
            The bytes are not such a snapshot, of vehicles of other parameter sets, of another
            terrain map or scene, or damaged.
        RuntimeError
            Another thread steps this `Sim`. After any of these nothing is changed.
        """
        parts, state = unpack(snapshot, len(self._batches), self._vehicles())
        pairs = list(zip(self._batches, parts, strict=True))
        if len({batch.check_snapshot(part) for batch, part in pairs}) > 1:
            raise ValueError("snapshot: expected batches of one tick, got different ones")
        for own, checksum, what in (
            (self._terrain_map, state.terrain_map, "on the terrain map"),
            (self._scene, state.scene, "in the scene"),
        ):
            if checksum and (own is None or own.checksum != checksum):
                raise ValueError(f"snapshot: expected one {what} of this Sim, got another")
        if self._scene is not None and not state.scene:
            raise ValueError(
                "snapshot: expected one in the scene of this Sim, got one without a scene; "
                "sim.scene.set(None) takes it away"
            )
        frame = LocalFrame(state.lat, state.lon, state.alt)

        def write() -> None:
            self._set_origin(frame)
            for batch, part in pairs:
                batch.restore(part)
            for group in self.groups:
                group.attach_parts()
            self._show_relief()
            self._seed, self._draws, self._last_event = state.seed, state.draws, state.events

        self._clock.change(write)

    def hash(self) -> str:
        """Return a hexadecimal digest of the state of all vehicles, for tests of determinism.

        It depends on which parts are enabled, but not on their order.
        """
        digest = hashlib.blake2b(digest_size=16)
        for group in self.groups:
            for field in group.fields:
                if field.role in HASHED_ROLES:
                    digest.update(np.ascontiguousarray(group.view(field.name)).tobytes())
        return digest.hexdigest()

    def check(self) -> Health:
        """Return a summary of the fault flags of all vehicles.

        A vehicle whose next state would be non-finite or outside the flight envelope of
        ``csrc/base/status.h`` keeps its last valid state and is not stepped until it is `reset`.
        """
        hear(self._speaking)
        return health(self.groups)
