"""Vehicles of one parameter set: `Group`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache, lru_cache
from math import inf, isfinite, prod
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from pyrfly import _core, exact
from pyrfly.arrays import finite_array, numeric_array
from pyrfly.columns import (
    Columns,
    Field,
    Fields,
    command_columns,
    fields_of_part,
    fields_of_type,
    part_with,
    parts,
    result_columns,
    vehicle_types,
)
from pyrfly.errors import (
    CommandWarning,
    ParameterError,
    ParameterWarning,
    ShapeError,
    at_most,
    brief,
    near_names,
    require_kind,
    warn,
)
from pyrfly.frames import quaternion_of_euler
from pyrfly.protocol.bits import Offboard
from pyrfly.sim.constants import (
    KEPT_BY_RESET,
    RESET_ROLES,
    RESULTS_CHANGED_BY,
    WORD_ROLES,
    switch_of,
)
from pyrfly.sim.own_models import OwnModels
from pyrfly.sim.slips import SLIPPING, column_slip, command_slip
from pyrfly.sim.slopes import standing_columns, tilt
from pyrfly.terrain import TerrainMap
from pyrfly.vehicles import Family, VehicleParameters, family_named
from pyrfly.vehicles.actuators import UNUSED, Actuator
from pyrfly.vehicles.entries import TINY
from pyrfly.vehicles.loops import LoopPeriods

__all__ = ["LARGEST_PRODUCT", "PART_FIELDS", "Group", "all_fields"]

_STANDING = (0.5, 2e-3)  # m/s, m above the ground: below, a vehicle stands (csrc/models/ground.h)

PART_FIELDS = {field.name: field for part in parts() for field in fields_of_part(part)}
"""Columns of all parts, enabled or not."""


@cache
def all_fields(c_type: str) -> tuple[Field, ...]:
    """Return all columns of vehicles of a type of the core and of parts, in its order."""
    return (*fields_of_type(c_type), *PART_FIELDS.values())


_NO_GROUND = 2 * _core.limits()["distance"]  # m: plain models reach no ground there

_CUSTOM_TYPE = 12  # RflySim's uavType of rotors without a named layout

_TYPES = {1: 100, 11: 140, 12: 150, 19: 120, 20: 120, 22: 130}
"""uavType by MAV_TYPE: RflySim's of planes, numbers of ours of boats, submarines and VTOLs."""

BELIEF = "control_"
"""Prefix of the gains that are parameters as the controllers take them."""

_ATTITUDE_ERROR = 0.01  # of the length of a quaternion that is rounded by hand

_TILTS = (-1.570797, 1.570797)
"""Limits of the tilt, pitch and angle of attack that controllers command [rad]: a quarter of a turn
as float32 rounds it up. Beyond it thrust or lift points to the other side, and most are degrees."""

LARGEST_PRODUCT = {"rk4": 2.5, "euler": 1.0}
"""Maximum product of decay rate and step, below the stability limits 2.785 and 2
[@hairer-wanner IV.2]: there no motion ends, and with Euler beyond 1 damping turns it round."""


def uav_type_of(parameters: VehicleParameters) -> int:
    """Return the ``uavType`` of a set, or that of its kind."""
    mav_type = family_named(parameters.family).abilities_of(parameters).mav_type
    return parameters.uav_type or _TYPES.get(mav_type, _CUSTOM_TYPE)


def _is_attitude(field: Field) -> bool:
    return field.role == "state" and field.width == 4 and field.frame == "FRD to NED"


def _require_attitudes(name: str, values: Any) -> None:
    """Raise a ValueError for quaternions whose length is not about 1."""
    array = np.asarray(values, np.float64)
    quaternions = np.broadcast_to(array, np.broadcast_shapes(array.shape, (4,)))
    lengths = np.sqrt(np.square(quaternions).sum(axis=-1))
    if (np.abs(lengths - 1.0) > _ATTITUDE_ERROR).any():
        raise ValueError(f"{name}: expected quaternions of length 1, got {brief(values)}")


def _has_direction(field: Field) -> bool:
    """Return whether a column is a vector in NED that acts on vehicles, such as the wind."""
    return field.role in ("input", "part") and field.frame == "NED" and field.width == 3


def _limits_tilt(field: Field) -> bool:
    """Return whether a column limits an angle that controllers command."""
    angle = field.role == "gain" and field.unit == "rad" and field.name.endswith("_limit")
    return angle and not field.name.startswith(BELIEF)


def _check_plain(parameters: VehicleParameters) -> None:
    """Raise a ParameterError for a vehicle without a plain model, or that needs the full one."""
    if not vehicle_types()[parameters.c_type]["plain"]:
        raise ParameterError(
            f"effects: expected 'full' for the {parameters.family} {parameters.name!r}, "
            "which has no other model, got 'plain'"
        )
    family_named(parameters.family).require_plain(parameters)


def _check_step(parameters: VehicleParameters, options: Mapping[str, Any]) -> None:
    """Raise a ValueError if the step is too long for the integrator, or a number is unusual."""
    rate = family_named(parameters.family).fastest_rate(parameters, options["effects"])
    if not isfinite(rate):
        raise ParameterError(f"{parameters.name}: expected finite values of its decay rates")
    longest = LARGEST_PRODUCT[options["integrator"]] / rate
    if options["dt"] > longest:
        if unusual := _unusual(parameters):
            raise ParameterError(
                f"{parameters.name}: its motion decays at {rate:.4g} 1/s, too fast for steps of "
                f"{options['dt']} s, at most {at_most(longest)} s by {options['integrator']}; "
                f"{unusual}"
            )
        raise ValueError(
            f"dt: expected at most {at_most(longest)} s, the limit of {options['integrator']} "
            f"for the decay rate {rate:.4g} 1/s of {parameters.name!r}, got {options['dt']}"
        )


def _unusual(parameters: VehicleParameters) -> str:
    """Return what is unusual of a parameter set, in words, from which its other numbers follow."""
    family = family_named(parameters.family)
    frames = parameters.airframes or (parameters,)
    try:
        found = [quantity for frame in frames for quantity in family.plausibility(frame)]
    except (ArithmeticError, ValueError):  # of numbers that were written and no set may have
        return ""
    return "; ".join(str(quantity) for quantity in found if not quantity.usual)


def _shaped(name: str, values: Any, unit: str, shape: tuple[int, ...]) -> NDArray[Any]:
    """Return numbers of a shape; raise a ShapeError or TypeError for others."""
    array = numeric_array(name, values, unit)
    if array.shape != shape:
        raise ShapeError(f"{name}: expected shape {shape} [{unit}], got {array.shape}")
    return array


def _loop_periods(parameters: VehicleParameters, options: Mapping[str, Any]) -> LoopPeriods:
    """Return the periods of the control loops; raise a ValueError for those without gains."""
    dt, steps = options["dt"], options["periods"]
    periods = LoopPeriods(*(dt * steps[stage] for stage in LoopPeriods._fields))
    longest = family_named(parameters.family).longest_periods
    for stage, loop in zip(LoopPeriods._fields, ("velocity", "attitude", "rate"), strict=True):
        period, limit = getattr(periods, stage), getattr(longest, stage)
        if period <= limit * (1 + 1e-9):
            continue
        if steps[stage] == 1:
            raise ValueError(
                f"dt: expected at most {limit:g} s, the longest period of the {loop} loop of "
                f"{parameters.name!r}, got {dt}"
            )
        raise ValueError(
            f"control_rates: expected at least {1 / limit:g} Hz for the {loop} loop of "
            f"{parameters.name!r}, in whole steps of dt, got {1 / period:.4g}"
        )
    return periods


def _ranges(family: Family[Any], parameters: VehicleParameters) -> tuple[Actuator, ...]:
    """Return the actuators of a set, and unused ones up to the number of its type."""
    found = family.actuators(parameters)
    width: int = vehicle_types()[parameters.c_type]["actuators"]
    return (*found, *(UNUSED,) * (width - len(found)))


@lru_cache(maxsize=256)
def _gains(
    family: Family[Any], c_type: str, periods: LoopPeriods, columns: tuple[tuple[str, bytes], ...]
) -> dict[str, NDArray[np.float64]]:
    """Return the gains of parameter columns, kept for the next vehicles with the same ones."""
    return family.gains({name: np.frombuffer(stored) for name, stored in columns}, c_type, periods)


class Group(Columns):
    """Vehicles of one parameter set: a batch of the core with its columns as attributes.

    Stored columns are views: writing into them changes the vehicles, including parameters.

    Attributes
    ----------
    name : str
        Name of the parameter set.
    parameters : VehicleParameters
        The initial parameters of all vehicles.
    family : Family
        The family of the vehicles.
    first_id : int
        CopterID of the first vehicle.
    n : int
        Number of vehicles.
    batch : pyrfly._core.Batch
        The batch of the core.
    largest : float
        Maximum finite value of the precision of the columns.
    offboard : Offboard
        What the navigator supports of RflySim's set-points.
    actuators : tuple of str
        Columns of the actuator commands, in their order.
    ranges : tuple of Actuator
        What each of these commands is for, in their order.
    models : OwnModels
        The models of vehicles that step themselves; of others none.
    warned : set of str
        What a `CommandWarning` was given for.
    """

    def __init__(
        self, parameters: VehicleParameters, n: int, first_id: int, options: Mapping[str, Any]
    ) -> None:
        require_kind("parameters", parameters, VehicleParameters)
        self.name = parameters.name
        self.parameters = parameters
        self.first_id = first_id
        self.n = n
        self.family = family_named(parameters.family)
        self.abilities = self.family.abilities_of(parameters)
        self.warned: set[str] = set()
        self._terrain_map: TerrainMap | None = None
        self._has_ground = options["effects"] == "full"
        self._afloat = None if self.family.afloat is None else self.family.afloat(parameters)
        if options["effects"] == "plain":
            _check_plain(parameters)
        _check_step(parameters, options)
        self._periods = _loop_periods(parameters, options)
        self.batch = _core.Batch(parameters.c_type, n, **options)
        self.models = OwnModels(self.family, parameters, self.batch, first_id)
        self._fields = Fields()
        self._by_name: dict[str, Field] = {}
        self._views: dict[str, NDArray[Any]] = {}
        self._add_columns(fields_of_type(parameters.c_type))
        self._views["random_vehicle"][:] = first_id + np.arange(n)
        supported = vehicle_types()[parameters.c_type]["offboard"]
        self.offboard = Offboard(supported & self.abilities.offboard)
        self.largest = float(np.finfo(self.batch.precision).max)
        for k, airframe in enumerate(parameters.airframes):
            self._fill(airframe)
            self.batch.set_airframe(k, self._params_and_gains())
        self._fill(parameters)
        for name, values in parameters.starts.items():
            self.batch.fill(name, values)
        self.actuators = command_columns(parameters.c_type)
        self.ranges = _ranges(self.family, parameters)
        self._commanded = (
            min((actuator.low for actuator in self.ranges), default=0.0),
            max((actuator.high for actuator in self.ranges), default=0.0),
        )  # at once: controllers of users write commands at every step
        for name in {"att", "att_sp"} & self._views.keys():
            self.batch.fill(name, (1.0, 0.0, 0.0, 0.0))
        if self._afloat is not None:
            self.batch.fill("terrain", self._afloat.depth)
        self._complete = type(self) is Group

    def __repr__(self) -> str:
        last = self.first_id + self.n - 1
        return f"<Group of {self.n} {self.name}, CopterIDs {self.first_id} to {last}>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("Group: pickle or copy the Sim that it belongs to")

    def _fill(self, parameters: VehicleParameters) -> None:
        """Write the columns of a parameter set, for all vehicles."""
        for name, values in self.tuned(parameters.name, parameters.columns).items():
            self.batch.fill(name, values)

    def tuned(
        self, origin: str, columns: Mapping[str, NDArray[np.float64]]
    ) -> dict[str, NDArray[np.float64]]:
        """Return parameter columns of one vehicle with the gains that follow from them.

        Raises
        ------
        ParameterError
            There are none; the message begins with ``origin``.
        """
        self._require_finite(origin, columns)
        stored = tuple((name, values.tobytes()) for name, values in columns.items())
        try:
            with np.errstate(all="ignore"):  # what is not finite is refused below
                gains = _gains(self.family, self.parameters.c_type, self._periods, stored)
        except (ArithmeticError, ValueError) as error:
            raise ParameterError(f"{origin}: no gains follow from it: {error}") from None
        try:
            self._require_finite("gains", gains)
        except ParameterError as error:
            changed = replace(self.parameters, columns=dict(columns), airframes=())
            causes = "; ".join(filter(None, (str(error), _unusual(changed))))
            raise ParameterError(f"{origin}: no gains follow from it: {causes}") from None
        return {**columns, **gains}

    def _require_finite(self, origin: str, columns: Mapping[str, NDArray[np.float64]]) -> None:
        for name, values in columns.items():
            if not (np.abs(values) <= self.largest).all():
                raise ParameterError(
                    f"{origin}: {name}: expected finite values in {self.batch.precision}, "
                    f"got {brief(values.tolist())}"
                )

    def _params_and_gains(self) -> NDArray[np.float64]:
        """Return params and gains of the first vehicle, in the order of the columns."""
        chosen = [self._views[f.name][0] for f in self.fields if f.role in ("param", "gain")]
        return np.concatenate([np.atleast_1d(values) for values in chosen]).astype(np.float64)

    @property
    def all_fields(self) -> tuple[Field, ...]:
        """All columns of vehicles and parts, enabled or not, in the order of the core."""
        return all_fields(self.parameters.c_type)

    @property
    def fields(self) -> Fields:
        """The columns, those of enabled parts included."""
        return self._fields

    def has(self, name: str | None) -> bool:
        """Return whether these vehicles have a column, those of enabled parts included."""
        return name in self._by_name

    def view(self, name: str) -> NDArray[Any]:
        """Return a column: a view, or for an output a new array of the present state.

        Raises
        ------
        AttributeError
            These vehicles have no such column.
        """
        if not isinstance(name, str):
            raise TypeError(f"name: expected that of a column, got {brief(name)}")
        view = self._views.get(name)
        if view is not None:
            return view
        if name in self._by_name:
            return self.batch.view(name)  # an output
        try:
            return self.batch.view(name)
        except KeyError:
            near = near_names(name, (field.name for field in self.fields), "none is similar")
            message = f"vehicles of type {self.batch.type_name} have no column {brief(name)}"
            raise AttributeError(f"{message}; near: {near}") from None
        except ValueError:
            part = part_with(name) or ""
            message = f"{name}: the part {part!r} is disabled; call {switch_of(part, name)} first"
            raise AttributeError(message) from None

    def writable(self, name: str) -> NDArray[Any]:
        """Return the view of a stored column; raise an AttributeError for an output or a result."""
        view = self.view(name)
        if name not in self._views:
            raise AttributeError(f"{name} is computed from the state and cannot be written")
        if not view.flags.writeable:
            how = RESULTS_CHANGED_BY[result_columns()[name]]
            raise AttributeError(f"{name} is a result and cannot be written; sim.{how} changes it")
        return view

    def _readable(self) -> list[str]:
        return [field.name for field in self.fields]

    def _view(self, name: str) -> NDArray[Any]:
        return self.view(name)

    def _write(self, name: str, value: Any) -> None:
        view = self.writable(name)
        self.check_rows(name, value)
        self.warn_of_controllers(name)
        view[...] = value

    def warn_of_controllers(self, name: str) -> None:
        """Warn once if a column is assigned that the controllers write."""
        if name not in self.actuators or name in self.warned or not self.batch.controllers:
            return
        if self.family.waits and not self._views["setpoint_mask"].any():
            return
        if any(field.role == "controller" for field in self.fields):
            self.warned.add(name)
            warn(
                f"{name}: the controllers overwrite it; to command the actuators yourself, set "
                "controllers = False of the Sim first",
                CommandWarning,
            )

    def check_values(self, name: str, values: Any) -> None:
        """Raise a TypeError or ValueError for values that a stored column must not have.

        Parameters, and what controllers take for them, are finite and in the range of a parameter
        file, gains and inputs finite, flags 0 or 1, other words 32-bit numbers; the other columns
        take any number. What seems to be of another unit is told once.
        """
        if isinstance(values, np.ndarray):
            values = values.tolist() if values.size <= 8 else values  # for messages
        field = self._by_name.get(name) or PART_FIELDS[name]
        if field.role in ("param", "gain", "input"):
            array = finite_array(name, values, field.unit, self.largest)
            usual = _TILTS if _limits_tilt(field) else (-inf, inf)
            column, c_type = name.removeprefix(BELIEF), self.parameters.c_type
            low, high = self.family.range_of(column, c_type, usual)
        else:
            array = numeric_array(name, values, field.unit)
            low, high = (0.0, 1.0 if field.unit == "bool" else 2.0**32 - 1)
            if field.role not in WORD_ROLES:
                return
            if not (array == np.floor(array)).all():
                raise ValueError(f"{name}: expected whole numbers, got {brief(values)}")
        if not ((array >= low) & (array <= high)).all():
            least = "more than 0" if low == TINY else f"at least {low:g}"
            most = "" if high == inf else f" and at most {high:.10g}"
            raise ValueError(f"{name}: expected {least}{most} [{field.unit}], got {brief(values)}")
        if field.role in SLIPPING:
            own = self.parameters.columns
            self.warn_once(name, column_slip(field, array, own, self.parameters.name))
        if name in self.actuators:
            self.warn_once(name, command_slip(name, array, *self._commanded))

    def warn_once(self, topic: str, message: str) -> None:
        """Warn of values that seem to be of another unit, if there is a message, once a topic."""
        if message and (key := f"unit of {topic}") not in self.warned:
            self.warned.add(key)
            warn(f"{message}: another unit?", ParameterWarning)

    def check_rows(self, name: str, values: Any) -> None:
        """Check values that are written as they are; see `check_values`, which knows no rows."""
        self.check_values(name, values)
        field = self._by_name.get(name) or PART_FIELDS[name]
        if _has_direction(field) and not np.ndim(values) and values != 0:
            expected = f"expected [north, east, down] [{field.unit}]"
            raise ShapeError(f"{name}: {expected}, got {np.asarray(values).item():g}")
        if _is_attitude(field):
            _require_attitudes(name, values)
        self.check_together(name, values)

    def check_together(self, name: str, values: Any) -> None:
        """Raise a ValueError for elements of a column that no vehicle has together."""
        refuse = self.family.checked_together.get(name)
        shape = self._views[name].shape[1:] if name in self._views else ()
        if refuse is not None and (not np.ndim(values) or np.shape(values)[-1:] == shape):
            rows = np.atleast_2d(np.broadcast_to(values, np.shape(values) or shape))
            refuse(name, rows.astype(np.float64).reshape(-1, *shape))

    def numbers(self, rows: Any) -> NDArray[np.intp]:
        """Return the numbers of the vehicles of rows, shape (k,).

        Parameters
        ----------
        rows : slice, sequence of int or sequence of bool
            Rows as NumPy indexes them.

        Raises
        ------
        IndexError
            They are none of this group.
        """
        try:
            found: NDArray[np.intp] = np.arange(self.n)[rows]
        except (IndexError, TypeError, ValueError):
            found = np.empty((), np.intp)
        if found.ndim != 1:
            raise IndexError(
                f"rows: expected a slice, numbers from {-self.n} to {self.n - 1}, or {self.n} "
                f"booleans, got {brief(rows)}"
            )
        return found

    def write_rows(self, rows: Any, columns: Mapping[str, NDArray[np.float64]]) -> None:
        """Write columns (k, width) of k vehicles; their values are unchecked."""
        count = len(self.numbers(rows))
        for name, values in columns.items():
            view = self.writable(name)
            shape = (count, *view.shape[1:])
            if np.size(values) != prod(shape):
                raise ShapeError(f"{name}: expected shape {shape}, got {np.shape(values)}")
            view[rows] = np.reshape(values, shape)

    def attach_parts(self) -> None:
        """Add the columns of enabled parts."""
        for part in parts():
            fields = fields_of_part(part)
            if self.batch.has(part) and fields[0] not in self._fields:
                self._add_columns(fields)

    def enable_part(self, part: str) -> None:
        """Enable an optional part of the vehicles, and add its columns."""
        self.batch.enable(part)
        self.attach_parts()

    def reset_part(self, part: str, rows: Any) -> None:
        """Reset a part of vehicles to its initial state, except its settings, if it is enabled."""
        if self.batch.has(part):
            self.batch.reset_part(part, self.numbers(rows))

    def restart_events(self, rows: Any) -> None:
        """Let the events of vehicles begin anew, counted from the present time."""
        if self.batch.last_event:
            self.batch.restart_events(self.numbers(rows))

    def refresh(self, rows: Any) -> None:
        """Compute air, ground, waves, pulls of tethers and where payloads hang, without a step."""
        if any(map(self.batch.has, ("environment", "terrain", "waves", "tether", "payload"))):
            self.batch.refresh(self.numbers(rows))

    def use_terrain_map(self, terrain_map: TerrainMap | None) -> None:
        """Set the map of the vehicles whose ``on_terrain_map`` is 1."""
        self.batch.set_terrain_map(None if terrain_map is None else terrain_map.grid)
        self._terrain_map = terrain_map

    def set_origin(self, lat: float, lon: float, height: float) -> None:
        """Set the origin of the local frame [deg, deg, m]."""
        self.batch.set_origin(lat, lon, height)
        self.models.set_origin(lat, lon, height)

    def ground_at(self, rows: Any, pos: NDArray[Any]) -> NDArray[Any]:
        """Return z of the ground [m] of vehicles at positions (k, 3): of the map, if on it."""
        pos = _shaped("pos", pos, "m", (len(self.numbers(rows)), 3))
        ground = np.array(self._views["terrain"][rows])
        if self._terrain_map is not None and self.batch.has("terrain"):
            on_map = self._views["on_terrain_map"][rows] != 0
            north, east, _ = pos[on_map].astype(ground.dtype).T
            ground[on_map] = 0.0 - self._terrain_map.height(north, east)
        return ground

    def release_navigator(self, rows: Any) -> None:
        """Put the navigators of vehicles into mode NONE: they write no set-points."""
        if self.batch.has("navigator"):
            self.batch.release_navigator(self.numbers(rows))

    def note_command(self, rows: Any) -> None:
        """Note that vehicles are commanded: the time of the boundary ``silence`` begins anew."""
        if "silent_checks" in self._by_name:
            self._views["silent_checks"][rows] = 1

    def restart_offset(self, rows: Any) -> None:
        """Let a position offset in the body frame count from here, even the present one."""
        if self.batch.has("navigator"):
            self.batch.restart_offset(self.numbers(rows))

    def actuator_commands(self, rows: Any) -> NDArray[np.float64]:
        """Return the commands of the actuators of vehicles in their order, shape (k, width)."""
        rows = self.numbers(rows)
        columns = [self._views[name][rows] for name in self.actuators]
        shaped = [column.reshape(len(column), -1) for column in columns]
        return np.concatenate(shaped, axis=1, dtype=np.float64)

    @property
    def flies(self) -> bool:
        """Whether the vehicles leave the ground."""
        return not self.abilities.kind.on_surface

    @property
    def guided(self) -> bool:
        """Whether controllers of the core fly the vehicles to commanded positions."""
        return bool(vehicle_types()[self.parameters.c_type]["guided"])

    @property
    def uav_type(self) -> int:
        """RflySim's ``uavType``, or the number of ours; 12 of rotors without a named layout.

        Of a model in a library: what that says.
        """
        own = self.parameters.uav_type or self.models.display_class
        return own or uav_type_of(self.parameters)

    @property
    def layout_version(self) -> str:
        """Version of the column layout, a hexadecimal number."""
        return self.batch.layout_version

    def _add_columns(self, fields: Iterable[Field]) -> None:
        """Add columns, to `fields` at last: a signal handler may raise in the middle.

        These are in the order of the tables, whatever the order in which parts are enabled.
        """
        new = tuple(fields)
        self._by_name.update((f.name, f) for f in new)
        views = {f.name: self.batch.view(f.name) for f in new if f.role != "output"}
        for name in views.keys() & result_columns().keys():
            views[name].flags.writeable = False
        self._views.update(views)
        present = {*self._fields, *new}
        self._fields = Fields(field for field in self.all_fields if field in present)

    def reset(
        self,
        rows: Any,
        pos: NDArray[np.float64],
        yaw: NDArray[np.float64],
        tilt: NDArray[np.float64] | None = None,
    ) -> None:
        """Reset vehicles to rest at ``pos`` (k, 3) [m, NED] with heading ``yaw`` (k,) [rad].

        On the ground where z is NaN, and never below the ground if there is one; above it with roll
        and pitch ``tilt`` (k, 2) [rad], level by default.

        Raises
        ------
        IndexError, ShapeError, TypeError, ValueError
            The rows are none of this group, an argument has the wrong shape, or a heading is not
            finite; then nothing is changed.
        """
        rows = self.numbers(rows)
        pos = _shaped("pos", pos, "m", (len(rows), 3))
        yaw = _shaped("yaw", finite_array("yaw", yaw, "rad"), "rad", (len(rows),))
        for field in self.fields:
            if field.name in KEPT_BY_RESET:
                continue
            if field.role in RESET_ROLES or field.name in self.actuators:
                self._views[field.name][rows] = self.parameters.starts.get(field.name, 0)
        self._write_initial_inputs(rows)
        half_sine, half_cosine = exact.sincos(yaw / 2)
        self._place(rows, pos)
        for name in {"att", "att_sp"} & self._views.keys():
            self._views[name][rows, 0] = half_cosine
            self._views[name][rows, 3] = half_sine
        if tilt is not None:
            above = self._views["pos"][rows, 2] < self.standing(rows, self._views["terrain"][rows])
            att = quaternion_of_euler(np.column_stack([tilt[above], yaw[above]]))
            self._views["att"][rows[above]] = att
        loops = self.abilities.attitude
        if loops is not None and loops.heading is not None:
            self._views[loops.heading][rows] = np.stack(exact.sincos(yaw)[::-1], axis=-1)
        stands = self._has_ground and self._afloat is None
        if stands and {"ground", "terrain_gradient"} <= self._views.keys():
            self._settle(rows, yaw)
        for part in filter(self.batch.has, parts()):
            self.batch.reset_part(part, rows)
        for row in rows if self.models else ():
            self.models.start(int(row), self._views)

    def _write_initial_inputs(self, rows: NDArray[np.intp]) -> None:
        values = iter(self.parameters.initial_inputs)
        for name in self.actuators:
            column = self._views[name].reshape(self.n, -1)
            for component, value in zip(range(column.shape[1]), values, strict=False):
                column[rows, component] = value

    def standing(self, rows: Any, ground: NDArray[Any]) -> NDArray[np.float64]:
        """Return z [m, NED] at which vehicles stand on ground of height ``ground``, shape (k,).

        Those in water float where it is deep enough.
        """
        on_ground = self._on_ground(rows, ground)
        if self._afloat is None:
            return on_ground
        surface = self._views["water_surface"][rows] if "water_surface" in self._views else 0.0
        return np.minimum(on_ground, surface)

    def is_standing(self, rows: Any) -> NDArray[np.bool_]:
        """Return whether vehicles stand on the ground, or float at rest, shape (k,)."""
        pos, vel, terrain = (self._views[name][rows] for name in ("pos", "vel", "terrain"))
        above = self.standing(rows, terrain) - pos[:, 2]
        near = (above if self._afloat is None else np.abs(above)) < _STANDING[1]
        slow = np.square(vel).sum(axis=1) < _STANDING[0] ** 2
        return np.asarray(near & slow)

    @property
    def plan(self) -> tuple[float, float, float, float]:
        """Length, width, width of the hulls and mean depth in water [m]; 0 of what is in none."""
        return (0.0, 0.0, 0.0, 0.0) if self._afloat is None else self._afloat.plan

    @property
    def rise(self) -> NDArray[np.float64]:
        """Heights [m] of the centres of mass over ``pos``, straight up, shape (n,): of floats."""
        if self._afloat is None:
            return np.zeros(self.n)
        return np.asarray(self._views[self._afloat.rise], np.float64)

    @property
    def is_afloat(self) -> bool:
        """Whether the vehicles are in water, where it is deep enough."""
        return self._afloat is not None

    def _on_ground(self, rows: Any, ground: NDArray[Any]) -> NDArray[np.float64]:
        """Return z [m, NED] of vehicles that touch ground of height ``ground``, shape (k,)."""
        rows = self.numbers(rows)
        ground = _shaped("ground", ground, "m", (len(rows),)).astype(np.float64)
        if self._afloat is not None:
            return ground - self._afloat.draught
        if "contact_height" in self._views:
            height = self._views["contact_height"][rows].astype(np.float64)
            if "terrain_gradient" in self._views:
                slope = self._views["terrain_gradient"][rows].astype(np.float64)
                height = height * np.sqrt(1.0 + exact.row_sums(np.square(slope)))
            ground -= height
        return ground

    def _place(self, rows: Any, pos: NDArray[np.float64]) -> None:
        """Set the positions of `reset`, and the ground that the vehicles stand on."""
        place, terrain = self._views["pos"], self._views["terrain"]
        on_ground = np.isnan(pos[:, 2])
        place[rows] = np.where(np.isnan(pos), 0, pos)
        if self._terrain_map is not None:
            self.refresh(rows)  # for terrain and its slope at the new place
        place[rows, 2] = np.where(on_ground, self.standing(rows, terrain[rows]), place[rows, 2])
        if self._has_ground:
            deepest = self._on_ground(rows, terrain[rows])
            place[rows, 2] = np.where(place[rows, 2] > deepest, deepest, place[rows, 2])
        if "ground" in self._views:
            self._views["ground"][rows] = terrain[rows, None] if self._has_ground else _NO_GROUND

    def raise_to_ground(self, rows: Any) -> None:
        """Raise vehicles that are below the height at which they stand."""
        rows = self.numbers(rows)
        place, terrain = self._views["pos"], self._views["terrain"][rows]
        below, seen = self._views["ground"][rows].T
        below = np.where(seen == terrain, below, terrain)
        place[rows, 2] = np.fmin(place[rows, 2], self._on_ground(rows, below))

    def _settle(self, rows: NDArray[np.intp], yaw: NDArray[np.float64]) -> None:
        """Give vehicles that were placed on the ground its slope and its motion, at rest there."""
        views = self._views
        stands = self.standing(rows, views["terrain"][rows]).astype(views["pos"].dtype)
        on = views["pos"][rows, 2] >= stands
        slope = views["terrain_gradient"][rows].astype(np.float64)
        turning, moving = views["terrain_yaw_rate"][rows], views["terrain_velocity"][rows]
        on &= slope.any(axis=1) | (turning != 0) | moving.any(axis=1)
        if not on.any():
            return
        rows, yaw, slope = rows[on], yaw[on], slope[on]
        att = quaternion_of_euler(np.column_stack([tilt(slope, yaw), yaw]))
        views["att"][rows] = att
        views["vel"][rows] = moving[on]
        w, x, y, z = att.T
        down = np.stack([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)], -1)
        views["rate"][rows] = turning[on, None] * down
        c_type = self.parameters.c_type
        stand = standing_columns(self.family, c_type, lambda name: views[name][rows], slope)
        self.write_rows(rows, stand)
