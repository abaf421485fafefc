"""A world of simulated vehicles: `Sim`."""

from __future__ import annotations

import hashlib
import os
import struct
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate, pairwise
from math import inf
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly import _core, exact
from pyrfly.columns import Columns, Field, finite_array
from pyrfly.errors import ShapeError
from pyrfly.frames import DEFAULT_ORIGIN, LocalFrame
from pyrfly.protocol.bits import Setpoint
from pyrfly.sim.constants import STATUS_TEXT, TASKS
from pyrfly.sim.group import Group
from pyrfly.sim.health import Health
from pyrfly.vehicles import VehicleParameters, load

if TYPE_CHECKING:
    from pyrfly.log import Recorder
    from pyrfly.server import LinkStats, Server

__all__ = ["Sim"]

Vehicle = str | os.PathLike[str] | VehicleParameters
Ids = int | Sequence[int] | NDArray[Any] | None


HASHED_ROLES = ("state", "controller", "flag", "part", "part word")
_REST = "<2Q3d"  # of a snapshot: seed, draws, latitude, longitude, height of the origin


class Keeper(Protocol):
    """What steps a `Sim` by itself: a server, or a world that runs in real time."""

    def require_may_step(self) -> None:
        """Raise a RuntimeError where somebody else steps, saying who does."""


def _counted(vehicles: Any, n: int | None) -> list[tuple[Vehicle, int]]:
    """Return (vehicle, count) pairs from what the user gave."""
    if isinstance(vehicles, Mapping):
        if n is not None:
            raise ValueError("n: not expected when vehicles is a mapping of names to counts")
        pairs = list(vehicles.items())
    else:
        pairs = [(vehicles, 1 if n is None else n)]
    if not pairs:
        raise ValueError("vehicles: expected at least one")
    for vehicle, count in pairs:
        if isinstance(count, bool) or not isinstance(count, (int, np.integer)) or count < 1:
            raise ValueError(f"n: expected a number of {vehicle!r} of at least 1, got {count!r}")
    return [(vehicle, int(count)) for vehicle, count in pairs]


def _periods(dt: float, rates: Sequence[float]) -> dict[str, int]:
    """Return integrator steps between two runs of the navigator and of each control loop."""
    if not isinstance(dt, (int, float, np.floating)) or not 1e-9 <= dt <= 1:
        raise ValueError(f"dt: expected a step of 1e-9 to 1 s, got {dt!r}")
    if len(rates) != 3 or not all(
        isinstance(rate, (int, float, np.number)) and 1e-3 <= rate < inf for rate in rates
    ):
        raise ValueError(
            f"control_rates: expected three rates of at least 0.001 Hz, of the velocity, attitude "
            f"and rate loops, got {rates!r}"
        )
    outer, middle, inner = (min(max(1, round(1 / (dt * r))), 2**31 - 1) for r in rates)
    return {"navigator": outer, "outer": outer, "middle": middle, "inner": inner}


class Sim(Columns):
    """A world of vehicles that share a clock.

    Parameters
    ----------
    vehicles : str, path, VehicleParameters or mapping
        Name of a packaged parameter set, a TOML file, or a parameter set; or a mapping of such to
        numbers of vehicles. Vehicles get CopterIDs from 1 in this order.
    n : int, optional
        Number of vehicles, when ``vehicles`` is not a mapping.
    precision : {'float64', 'float32'}
        Of all columns.
    integrator : {'rk4', 'euler'}
        Classical Runge-Kutta (RflySim's ODE4) or semi-implicit Euler.
    effects : {'full', 'plain'}
        Everything the parameters speak of, or the lean model of ``csrc/vehicles/multirotor.h``.
    dt : float
        Integrator step [s].
    threads : int, optional
        Most threads of one step; by default ``PYRFLY_THREADS`` or the number of processors.
    control_rates : tuple of float
        Rates [Hz] of the velocity (and position), attitude, and rate loops; rounded to whole
        integrator steps.

    Notes
    -----
    Columns are attributes, such as ``sim.pos`` of shape (n, 3); `fields` lists them. With one
    kind of vehicle they are live views: writing into them changes the vehicles. With several
    kinds they are read-only copies in CopterID order; write through ``sim.groups``.

    One thread at a time may step a `Sim`.

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
    ) -> None:
        options: dict[str, Any] = {
            "precision": precision,
            "integrator": integrator,
            "effects": effects,
            "dt": dt,
            "periods": _periods(dt, control_rates),
        }
        if threads is not None:
            if not isinstance(threads, (int, np.integer)):
                raise TypeError(f"threads: expected a number of threads, got {threads!r}")
            options["threads"] = threads
        pairs = _counted(vehicles, n)
        firsts = accumulate((count for _, count in pairs), initial=1)
        self.groups: tuple[Group, ...] = tuple(
            Group(v if isinstance(v, VehicleParameters) else load(v), count, first, options)
            for (v, count), first in zip(pairs, firsts, strict=False)
        )
        self.n = sum(group.n for group in self.groups)
        self.dt = dt
        self._batches = tuple(group.batch for group in self.groups)
        self._most = float(np.finfo(precision).max)  # that a column holds
        self._seed = self._draws = 0
        self._listeners: tuple[tuple[Callable[[], object], int], ...] = ()
        self._frame = LocalFrame(*DEFAULT_ORIGIN)
        self._server: Server | None = None  # the latest, for its counts
        self._keeper: Keeper | None = None
        self.controllers = True
        self.reset()

    def __repr__(self) -> str:
        kinds = ", ".join(f"{group.n} {group.name}" for group in self.groups)
        return f"<Sim of {kinds} at {self.time:.3f} s>"

    # --- columns ---

    def _view(self, name: str) -> NDArray[Any]:
        if len(self.groups) == 1:
            return self.groups[0]._view(name)
        parts = [group._view(name) for group in self.groups]
        if len({part.shape[1:] for part in parts}) > 1:
            raise AttributeError(f"{name} has different widths in the groups; use sim.groups")
        together = np.concatenate(parts)
        together.flags.writeable = False
        return together

    def _write(self, name: str, value: Any) -> None:
        array = np.asarray(value)
        for group in self.groups:
            whole = array.ndim == group._view(name).ndim and len(array) == self.n
            rows = slice(group.first_id - 1, group.first_id - 1 + group.n)
            group._write(name, array[rows] if whole else array)

    def fields(self) -> tuple[Field, ...]:
        """Return the columns that all vehicles have: name, width, role, unit, frame, doc."""
        common = set.intersection(*({f.name for f in g.fields} for g in self.groups))
        return tuple(field for field in self.groups[0].fields if field.name in common)

    @property
    def nbytes(self) -> int:
        """Memory of all columns [bytes]."""
        return sum(batch.nbytes for batch in self._batches)

    # --- time ---

    @property
    def time(self) -> float:
        """Simulated time since construction or the last `reset` of all vehicles [s]."""
        return self._batches[0].tick * self.dt

    @property
    def controllers(self) -> bool:
        """Whether the controllers write ``throttle``; if not, the user does."""
        return self._batches[0].controllers

    @controllers.setter
    def controllers(self, on: bool) -> None:
        for batch in self._batches:
            batch.controllers = on

    def step(self, n: int = 1) -> None:
        """Take ``n`` integrator steps of `dt`.

        Parameters
        ----------
        n : int
            Number of steps. Without controllers, inputs are held over the call.

        Raises
        ------
        RuntimeError
            When another thread, or a server, is stepping this `Sim`.
        """
        if self._keeper is not None:
            self._keeper.require_may_step()
        if self._listeners:
            n = self._step_with_listeners(n)
        _core.step(self._batches, n)

    def sleep(self, seconds: float) -> None:
        """Let simulated time pass, as ``time.sleep`` does for real time.

        Parameters
        ----------
        seconds : float
            How long [s]; rounded to whole steps of `dt`, and to at least one when above 0.
        """
        duration = float(finite_array("seconds", seconds, "s"))
        if duration < 0:
            raise ValueError(f"seconds: expected at least 0 [s], got {duration}")
        self.step(max(1, round(duration / self.dt)) if duration else 0)

    def run(
        self, seconds: float, *, record: Recorder | None = None, progress: bool = False
    ) -> None:
        """Step for a time, recording what happens.

        Parameters
        ----------
        seconds : float
            Simulated time [s], rounded to whole steps.
        record : pyrfly.log.Recorder, optional
            Takes a sample at the start, every ``record.every`` steps, and at the end.
        progress : bool
            Whether to show a progress bar (needs the extra ``log``).
        """
        from pyrfly.log import run

        run(self, seconds, record=record, progress=progress)

    def add_listener(self, update: Callable[[], object], period: float) -> None:
        """Have a function called at regular times, from within `step`.

        Parameters
        ----------
        update : callable
            Called without arguments when the time is a multiple of ``period``, before the step
            that begins then. It may read and command vehicles, but not step. How a time span is
            cut into calls of `step` makes no difference to it. What it remembers is its own: no
            part of a `snapshot`, and not reset.
        period : float
            Simulated time between calls [s], rounded to whole steps.
        """
        seconds = float(finite_array("period", period, "s"))
        if seconds <= 0:
            raise ValueError(f"period: expected a time above 0 [s], got {seconds}")
        self._listeners += ((update, max(1, round(seconds / self.dt))),)

    def remove_listener(self, update: Callable[[], object]) -> None:
        """Have a function of `add_listener` called no more."""
        self._listeners = tuple(pair for pair in self._listeners if pair[0] != update)

    def _step_with_listeners(self, n: int) -> int:
        """Take steps and call listeners until none is due within the rest; return the rest."""
        while n > 0:
            tick = self._batches[0].tick
            for update, period in self._listeners:
                if tick % period == 0:
                    update()
            until_due = min((p - tick % p for _, p in self._listeners), default=n)
            if until_due >= n:
                break
            _core.step(self._batches, until_due)
            n -= until_due
        return n

    # --- which vehicles ---

    def _rows(self, ids: Ids) -> list[tuple[Group, Any, Any]]:
        """Return (group, rows of the group, rows of the argument) for the chosen vehicles."""
        if ids is None:
            return [
                (group, slice(None), slice(group.first_id - 1, group.first_id - 1 + group.n))
                for group in self.groups
            ]
        if isinstance(ids, int) and 1 <= ids <= self.n:  # one vehicle: the common case of a script
            group = next(g for g in reversed(self.groups) if g.first_id <= ids)
            row = ids - group.first_id
            return [(group, slice(row, row + 1), slice(0, 1))]
        chosen = np.atleast_1d(np.asarray(ids, dtype=None if np.size(ids) else np.intp))
        if chosen.ndim != 1 or chosen.dtype.kind not in "iu":
            raise TypeError(f"ids: expected CopterIDs as integers, got {ids!r:.80}")
        if chosen.size and not (chosen.min() >= 1 and chosen.max() <= self.n):
            raise ValueError(f"ids: expected CopterIDs from 1 to {self.n}, got {ids!r:.80}")
        found = []
        for group in self.groups:
            here = np.flatnonzero((chosen >= group.first_id) & (chosen < group.first_id + group.n))
            if here.size:
                found.append((group, chosen[here] - group.first_id, here))
        return found

    def _count(self, ids: Ids) -> int:
        if ids is None:
            return self.n
        return 1 if isinstance(ids, int) else int(np.size(ids))

    def _per_vehicle(
        self, name: str, value: ArrayLike, unit: str, width: int, ids: Ids
    ) -> NDArray[np.float64]:
        """Return ``value`` as (count, width), or (count,) for width 1."""
        array = finite_array(name, value, unit, self._most)
        count = self._count(ids)
        shape = (count,) if width == 1 else (count, width)
        if array.shape == shape:
            return array
        if array.shape != shape[1:]:
            raise ShapeError(
                f"{name}: expected shape {shape} or {shape[1:]} [{unit}], got {array.shape}"
            )
        whole = np.empty(shape)
        whole[...] = array
        return whole

    # --- commands ---

    def _command(self, mask: int, ids: Ids, **columns: NDArray[np.float64]) -> None:
        for group, rows, source in self._rows(ids):
            for name, values in columns.items():
                group._views[name][rows] = values[source]
            group._views["setpoint_mask"][rows] = mask
            group.release_navigator(rows)

    def _heading(
        self, yaw: ArrayLike | None, yaw_rate: ArrayLike | None, ids: Ids
    ) -> tuple[int, dict[str, NDArray[np.float64]]]:
        """Return the bits and columns of a heading or heading-rate set-point."""
        mask, columns = 0, {}
        if yaw is not None:
            mask |= Setpoint.YAW
            columns["yaw_sp"] = self._per_vehicle("yaw", yaw, "rad", 1, ids)
        if yaw_rate is not None:
            mask |= Setpoint.YAW_RATE
            columns["yaw_rate_sp"] = self._per_vehicle("yaw_rate", yaw_rate, "rad/s", 1, ids)
        return mask, columns

    def arm(self, on: bool = True, ids: Ids = None) -> None:
        """Arm vehicles, or disarm them: a disarmed vehicle's controllers give throttle 0.

        Parameters
        ----------
        on : bool
            Whether the motors may turn.
        ids : int or sequence of int, optional
            CopterIDs; all vehicles by default.
        """
        for group, rows, _ in self._rows(ids):
            group._views["armed"][rows] = bool(on)

    def command_position(
        self,
        pos: ArrayLike,
        yaw: ArrayLike | None = None,
        *,
        yaw_rate: ArrayLike | None = None,
        vel: ArrayLike | None = None,
        acc: ArrayLike | None = None,
        ids: Ids = None,
    ) -> None:
        """Fly to positions.

        Parameters
        ----------
        pos : array_like, shape (k, 3) or (3,)
            Positions [m, NED].
        yaw : array_like, shape (k,) or (), optional
            Headings [rad]; without one the heading is held.
        yaw_rate : array_like, shape (k,) or (), optional
            Heading rates [rad/s].
        vel, acc : array_like, shape (k, 3) or (3,), optional
            Feed-forward velocity [m/s, NED] and acceleration [m/s^2, NED] of a moving set-point.
        ids : int or sequence of int, optional
            The k CopterIDs; all vehicles by default.

        Raises
        ------
        ShapeError, ValueError, TypeError
            When an argument has the wrong shape, is not finite, or is not numeric.
        """
        mask, columns = self._heading(yaw, yaw_rate, ids)
        mask |= Setpoint.POSITION
        columns["pos_sp"] = self._per_vehicle("pos", pos, "m", 3, ids)
        if vel is not None:
            mask |= Setpoint.VELOCITY
            columns["vel_sp"] = self._per_vehicle("vel", vel, "m/s", 3, ids)
        if acc is not None:
            mask |= Setpoint.ACCELERATION
            columns["acc_sp"] = self._per_vehicle("acc", acc, "m/s^2", 3, ids)
        self._command(mask, ids, **columns)

    def command_velocity(
        self,
        vel: ArrayLike,
        yaw: ArrayLike | None = None,
        *,
        yaw_rate: ArrayLike | None = None,
        frame: str = "ned",
        ids: Ids = None,
    ) -> None:
        """Fly with velocities; arguments as in `command_position`.

        Parameters
        ----------
        vel : array_like, shape (k, 3) or (3,)
            Velocities [m/s]: north, east, down, or with ``frame='frd'`` forward, right, down of
            the present heading, turning with it.
        yaw, yaw_rate, ids
            See `command_position`.
        frame : {'ned', 'frd'}
            Frame of ``vel``.
        """
        mask, columns = self._heading(yaw, yaw_rate, ids)
        mask |= Setpoint.VELOCITY | _frame_bit(frame)
        columns["vel_sp"] = self._per_vehicle("vel", vel, "m/s", 3, ids)
        self._command(mask, ids, **columns)

    def command_acceleration(
        self,
        acc: ArrayLike,
        yaw: ArrayLike | None = None,
        *,
        yaw_rate: ArrayLike | None = None,
        frame: str = "ned",
        ids: Ids = None,
    ) -> None:
        """Fly with accelerations ``acc`` [m/s^2]; arguments as in `command_velocity`."""
        mask, columns = self._heading(yaw, yaw_rate, ids)
        mask |= Setpoint.ACCELERATION | _frame_bit(frame)
        columns["acc_sp"] = self._per_vehicle("acc", acc, "m/s^2", 3, ids)
        self._command(mask, ids, **columns)

    def command_attitude(self, att: ArrayLike, thrust: ArrayLike, *, ids: Ids = None) -> None:
        """Hold attitudes.

        Parameters
        ----------
        att : array_like, shape (k, 4) or (4,)
            Quaternions, scalar first, FRD to NED; normalised here.
        thrust : array_like, shape (k,) or ()
            Collective thrust as a share of the most, 0 to 1.
        ids : int or sequence of int, optional
            The k CopterIDs; all vehicles by default.
        """
        quaternion = self._per_vehicle("att", att, "1", 4, ids)
        largest = np.abs(quaternion).max(axis=-1, keepdims=True)
        if not (largest > 1e-6).all():
            raise ValueError("att: expected quaternions, got one of length 0")
        quaternion = quaternion / largest  # so that no square overflows
        norm = exact.norm(quaternion)[..., None]
        share = np.clip(self._per_vehicle("thrust", thrust, "1", 1, ids), 0.0, 1.0)
        mask = Setpoint.ATTITUDE | Setpoint.THRUST
        self._command(mask, ids, att_sp=quaternion / norm, thrust_sp=share)

    def command_rate(self, rate: ArrayLike, thrust: ArrayLike, *, ids: Ids = None) -> None:
        """Hold body rates (k, 3) or (3,) [rad/s, FRD]; ``thrust`` as in `command_attitude`."""
        share = np.clip(self._per_vehicle("thrust", thrust, "1", 1, ids), 0.0, 1.0)
        body_rate = self._per_vehicle("rate", rate, "rad/s", 3, ids)
        mask = Setpoint.BODY_RATE | Setpoint.THRUST
        self._command(mask, ids, rate_sp=body_rate, thrust_sp=share)

    # --- the synthesis model ---

    @property
    def synthesis(self) -> bool:
        """Whether vehicles have RflySim's ports and a navigator (`enable_synthesis`)."""
        return self._batches[0].has("navigator")

    def enable_synthesis(self) -> None:
        """Give every vehicle RflySim's ports ``inSILInts``, ``inSILFloats`` and a navigator.

        What the vehicles do does not change until a command comes in (`command_sil`). Home is
        where they are now. docs/protocol.md describes the ports and the navigator. Calling it
        again does nothing.
        """
        for group in self.groups:
            group.batch.enable("navigator")
            group.attach_parts()

    def command_sil(
        self,
        ints: ArrayLike | None = None,
        floats: ArrayLike | None = None,
        *,
        command: int | None = None,
        ids: Ids = None,
    ) -> None:
        """Write RflySim's ports and have the navigator take in the command at once.

        Parameters
        ----------
        ints : array_like of int, shape (k, 8) or (8,), optional
            ``inSILInts``: any 32 bits, with or without sign. Unknown bits are counted in
            ``sil_unknown`` and ignored.
        floats : array_like, shape (k, 20) or (20,), optional
            ``inSILFloats``. Values that are not finite ask for nothing; where they are used in a
            command, it is counted in ``sil_bad``.
        command : int, optional
            ``inSILInts[0]`` alone, in place of ``ints``: what the vehicles are asked to do changes,
            their set-points stay. A take-off, return or landing given so names no place or height.
        ids : int or sequence of int, optional
            The k CopterIDs; all vehicles by default.

        Raises
        ------
        RuntimeError
            Without `enable_synthesis`.
        ShapeError, ValueError, TypeError
            When an argument has the wrong shape, is no number, or does not fit into 32 bits.
        """
        if not self.synthesis:
            raise RuntimeError("there is no navigator yet: call enable_synthesis() first")
        count = self._count(ids)
        words = None if ints is None else _port("ints", ints, 8, count)
        values = None if floats is None else _port("floats", floats, 20, count)
        single = None if command is None else _port("command", [command], 1, 1)
        for group, rows, source in self._rows(ids):
            if values is not None:
                with np.errstate(invalid="ignore", over="ignore"):  # any NaN; float32 overflow
                    group._views["sil_floats"][rows] = values[source]
            if words is not None:
                group._views["sil_ints"][rows] = words[source]
            if single is not None:
                if single[0, 0] & TASKS:
                    group._views["sil_ints"][rows, 1] = 0
                    group._views["sil_floats"][rows, :3] = 0
                group._views["sil_ints"][rows, 0] = single[0, 0]
            group.batch.accept(*_span(rows, group.n))

    def serve(self, **options: Any) -> Server:
        """Return a server, not yet running, that speaks RflySim's protocols for the vehicles.

        Parameters
        ----------
        **options
            ``mode``, ``rate``, ``host``, ``peers``, ``first_port`` of `pyrfly.server.Server`.

        Examples
        --------
        >>> with Sim("sdk", 2).serve() as server:  # doctest: +SKIP
        ...     time.sleep(60)
        """
        from pyrfly.server import Server

        return Server(self, **options)

    @property
    def link_stats(self) -> LinkStats:
        """What came over the links of the latest `serve`, and what became of it.

        Raises
        ------
        RuntimeError
            When there has been no server.
        """
        if self._server is None:
            raise RuntimeError("there are no links: nothing has served this Sim yet")
        return self._server.stats

    @property
    def origin(self) -> tuple[float, float, float]:
        """Latitude [deg], longitude [deg] and height [m] of the local frame; can be set."""
        frame = self._frame
        return frame.lat, frame.lon, frame.alt

    @origin.setter
    def origin(self, lla: Sequence[float]) -> None:
        if len(lla) != 3:
            raise ShapeError(f"origin: expected latitude, longitude and height, got {lla!r:.80}")
        frame = LocalFrame(*(float(value) for value in lla))
        for batch in self._batches:
            batch.set_origin(frame.lat, frame.lon, frame.alt)
        self._frame = frame

    @property
    def local_frame(self) -> LocalFrame:
        """The local frame on the WGS84 ellipsoid."""
        return self._frame

    # --- reset, randomise, save ---

    def reset(
        self,
        *,
        pos: ArrayLike = (0, 0, 0),
        yaw: ArrayLike = 0,
        seed: int | None = None,
        ids: Ids = None,
    ) -> None:
        """Put vehicles at rest, disarmed, without set-points; parameters and wind stay.

        Parameters
        ----------
        pos : array_like, shape (k, 3) or (3,)
            Positions [m, NED].
        yaw : array_like, shape (k,) or ()
            Headings [rad].
        seed : int, optional
            0 to 2^64 - 1: what `randomize` draws from now on follows from it.
        ids : int or sequence of int, optional
            The k CopterIDs; by default all vehicles, and time starts again at 0.
        """
        places = self._per_vehicle("pos", pos, "m", 3, ids)
        headings = self._per_vehicle("yaw", yaw, "rad", 1, ids)
        chosen = self._rows(ids)
        if seed is not None:
            self._seed, self._draws = _checked_seed(seed), 0
        for group, rows, source in chosen:
            group.reset(rows, places[source], headings[source])
        if ids is None:
            for batch in self._batches:
                batch.tick = 0

    def randomize(self, name: str, low: ArrayLike, high: ArrayLike, *, ids: Ids = None) -> None:
        """Draw a column uniformly between ``low`` and ``high``.

        What a vehicle gets follows from the seed of `reset` (0 at first), the number of draws
        since, the name of the column and the CopterID: not from how many vehicles there are.

        Parameters
        ----------
        name : str
            A column that can be written, such as ``"mass"``.
        low, high : array_like, shape () or (width,)
            Bounds, in the unit of the column.
        ids : int or sequence of int, optional
            CopterIDs; all vehicles by default.
        """
        stream = int.from_bytes(hashlib.blake2b(name.encode(), digest_size=4).digest(), "little")
        bounds = [finite_array(word, value, name) for word, value in (("low", low), ("high", high))]
        for group, rows, _ in self._rows(ids):
            view = group._view(name)
            width = 1 if view.ndim == 1 else view.shape[1]
            for word, bound in zip(("low", "high"), bounds, strict=True):
                if bound.shape not in ((), (width,)):
                    raise ShapeError(f"{word}: expected shape () or ({width},), got {bound.shape}")
            least, most = bounds
            draws = _core.uniform(self._seed, stream, self._draws, group.first_id, group.n, width)
            values = (least + draws * (most - least)).reshape(view.shape)
            changed = view.copy()
            changed[rows] = values[rows]
            group._write(name, changed)
        self._draws += 1

    def _snapshot_head(self, sizes: Sequence[int]) -> bytes:
        return struct.pack(f"<I{len(sizes)}Q", len(sizes), *sizes)

    def snapshot(self) -> bytes:
        """Return everything the future depends on; see `restore`."""
        parts = [batch.snapshot() for batch in self._batches]
        random = struct.pack(_REST, self._seed, self._draws, *self.origin)
        return b"".join([self._snapshot_head([len(part) for part in parts]), random, *parts])

    def restore(self, snapshot: bytes) -> None:
        """Go back to a `snapshot` of a `Sim` of the same vehicles, settings and version.

        Raises
        ------
        ValueError
            When the bytes are not such a snapshot; then nothing has changed.
        """
        data = memoryview(snapshot)
        parts, rest = self._snapshot_parts(data)
        own = [batch.snapshot() for batch in self._batches]
        try:
            for batch, part in zip(self._batches, parts, strict=True):
                batch.restore(part)
        except ValueError:
            for batch, before in zip(self._batches, own, strict=True):
                batch.restore(before)
            raise
        finally:
            for group in self.groups:
                group.attach_parts()
        self._seed, self._draws, *origin = rest
        self.origin = origin

    def _snapshot_parts(self, data: memoryview) -> tuple[list[memoryview], tuple[Any, ...]]:
        """Return the batches' parts of a snapshot; and seed, draws and origin."""
        head = len(self._snapshot_head([0] * len(self._batches)))
        rest = struct.calcsize(_REST)
        if len(data) >= head + rest:
            count, *sizes = struct.unpack_from(f"<I{len(self._batches)}Q", data)
            starts = list(accumulate(sizes, initial=head + rest))
            if count == len(self._batches) and starts[-1] == len(data):
                parts = [data[a:b] for a, b in pairwise(starts)]
                return parts, struct.unpack_from(_REST, data, head)
        raise ValueError("snapshot: expected one of a Sim of the same vehicles and settings")

    def hash(self) -> str:
        """Return a hexadecimal digest of the state of all vehicles, for checking determinism."""
        digest = hashlib.blake2b(digest_size=16)
        for group in self.groups:
            for field in group.fields:
                if field.role in HASHED_ROLES:
                    digest.update(np.ascontiguousarray(group._views[field.name]).tobytes())
        return digest.hexdigest()

    def check(self) -> Health:
        """Summarise which vehicles are frozen, and why.

        A vehicle whose step gave something not finite, or that left the envelope of
        ``csrc/base/status.h``, keeps its last good state and is not stepped until it is `reset`.
        """
        status = np.concatenate([group._views["status"] for group in self.groups])
        lines = []
        for bit, text in STATUS_TEXT.items():
            ids = np.flatnonzero(status & bit) + 1
            if ids.size:
                lines.append(f"{ids.size} of {self.n} vehicles {text}; first CopterID {ids[0]}")
        frozen = tuple(int(i) + 1 for i in np.flatnonzero(status))
        return Health(not frozen, frozen, "\n".join(lines))


def _frame_bit(frame: str) -> int:
    if frame not in ("ned", "frd"):
        raise ValueError(f"frame: expected 'ned' or 'frd', got {frame!r}")
    return Setpoint.HEADING_FRAME if frame == "frd" else 0


def _span(rows: Any, n: int) -> tuple[int, int]:
    """Return first and count of the rows from the least to the largest."""
    if isinstance(rows, slice):
        first, end, _ = rows.indices(n)
        return first, end - first
    return int(rows.min()), int(rows.max()) - int(rows.min()) + 1


def _checked_seed(seed: int) -> int:
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or not 0 <= seed < 2**64:
        raise ValueError(f"seed: expected a whole number from 0 to 2^64 - 1, got {seed!r}")
    return int(seed)


def _port(name: str, value: ArrayLike, width: int, count: int) -> NDArray[Any]:
    """Return values for a port, (count, width): 32-bit words, or float32 for one of floats."""
    array = np.asarray(value)
    whole = name != "floats"
    if array.dtype.kind not in ("iu" if whole else "biuf"):
        expected = "integers of 32 bits" if whole else "numbers"
        raise TypeError(f"{name}: expected {expected}, got {value!r:.80}")
    if array.shape not in ((width,), (count, width)):
        raise ShapeError(
            f"{name}: expected shape ({count}, {width}) or ({width},), got {array.shape}"
        )
    if whole and array.dtype == np.int32:
        array = array.view(np.uint32)
    elif whole:
        if array.size and (array.min() < -(2**31) or array.max() >= 2**32):
            raise ValueError(f"{name}: expected integers of 32 bits, got {value!r:.80}")
        array = (array.astype(np.int64) & 0xFFFFFFFF).astype(np.uint32)
    return array if array.ndim == 2 else np.broadcast_to(array, (count, width))
