"""Selected vehicles of any groups as rows of one array: `Selection`."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly._core import Exclusive
from pyrfly.arrays import finite_array
from pyrfly.columns import column_names, vehicle_types
from pyrfly.errors import CommandWarning, ParameterError, ShapeError, brief, require_kind, warn
from pyrfly.sim.arguments import array_of, whole_number
from pyrfly.sim.clock import change_whole
from pyrfly.sim.group import Group
from pyrfly.sim.retuning import gains_of
from pyrfly.sim.slips import angle_slip
from pyrfly.vehicles import FAMILIES, Abilities, Setpoint
from pyrfly.vehicles.commands import Ids

__all__ = ["Part", "Rows", "Selection", "checked_ids", "ids_of_mask", "select"]

MAXIMUM_ANGLE = 65536.0
"""Maximum of an argument [rad]; ``csrc/math/trig.h`` takes larger angles of float32 as 0."""

Rows = slice | NDArray[np.intp]


class Part(NamedTuple):
    """The vehicles of a `Selection` that are in one group.

    Attributes
    ----------
    group : Group
        The group.
    rows : slice or ndarray of int
        Their rows in the group.
    indices : slice or ndarray of int
        Their rows in the selection.
    """

    group: Group
    rows: Rows
    indices: Rows


class Selection:
    """Selected vehicles of a `Sim`, in the order of the given CopterIDs.

    Constructed by `Sim.select`. Iteration yields one `Part` per group.

    Attributes
    ----------
    parts : tuple of Part
        The vehicles by group.
    count : int
        Number of vehicles; a repeated ID counts repeatedly.
    exclusive : context manager
        That of the `Sim` (`Clock.exclusive`), held by commands, so that all vehicles execute one
        or none.
    """

    __slots__ = ("count", "exclusive", "parts")
    count: int
    exclusive: Exclusive
    parts: tuple[Part, ...]

    def __init__(self, parts: tuple[Part, ...], count: int, exclusive: Exclusive) -> None:
        write = object.__setattr__  # at once: scripts select one vehicle very often
        write(self, "parts", parts)
        write(self, "count", count)
        write(self, "exclusive", exclusive)

    def __len__(self) -> int:
        return self.count

    def __iter__(self) -> Iterator[Part]:
        return iter(self.parts)

    def vehicles(self) -> Iterator[tuple[Group, int, int]]:
        """Yield the group of each vehicle, its row there and its place in the selection."""
        for group, rows, indices in self.parts:
            own, places = np.arange(group.n)[rows], np.arange(self.count)[indices]
            for row, place in zip(own.tolist(), places.tolist(), strict=True):
                yield group, row, place

    def __repr__(self) -> str:
        return f"<Selection of {self.count} vehicles>"

    if not TYPE_CHECKING:  # a type checker should find what does not exist

        def __getattr__(self, name: str) -> Any:
            """Raise an AttributeError that says how columns are read."""
            if name not in column_names():
                return object.__getattribute__(self, name)
            raise AttributeError(_column_advice(name))

        def __setattr__(self, name: str, value: Any) -> None:
            """Raise an AttributeError that says how columns are written."""
            if name in column_names():
                raise AttributeError(_column_advice(name))
            object.__setattr__(self, name, value)

    def read(self, name: str) -> NDArray[Any]:
        """Return a copy of a column.

        Parameters
        ----------
        name : str
            The column.

        Returns
        -------
        ndarray, shape (count,) or (count, width)
            Its values, in the unit and the frame of the column.

        Raises
        ------
        AttributeError
            A vehicle does not have the column.
        ShapeError
            The column has different widths for these vehicles.
        """
        return self._joined(name, [part.group.view(name) for part in self.parts])

    @property
    def abilities(self) -> tuple[Abilities, ...]:
        """What the vehicles of each group can do, in the order of ``parts``."""
        return tuple(part.group.abilities for part in self.parts)

    def _joined(self, name: str, views: list[NDArray[Any]]) -> NDArray[Any]:
        """Return the rows of the vehicles in the columns of their groups."""
        if len(views) == 1:  # scripts read one vehicle very often
            return views[0][self.parts[0].rows].copy()
        values = [view[part.rows] for part, view in zip(self.parts, views, strict=True)]
        if not values:
            raise ValueError(f"{name}: expected at least one vehicle to read, got none")
        widths = {value.shape[1:] for value in values}
        if len(widths) > 1:
            raise ShapeError(f"{name}: expected one width of all vehicles, got {sorted(widths)}")
        together = np.empty((self.count, *widths.pop()), values[0].dtype)
        for part, value in zip(self.parts, values, strict=True):
            together[part.indices] = value
        return together

    def write(self, name: str, values: ArrayLike, component: int | None = None) -> None:
        """Write a column or one of its components; on an error nothing is written.

        The values are checked as in an assignment to the column: parameters are in their ranges.

        Parameters
        ----------
        name : str
            A column that is not an output.
        values : array_like
            Values that broadcast to (count,) or (count, width), in the unit and the frame of the
            column; for one of width 1 also to (count, 1), as an `OperatingPoint` has them.
        component : int, optional
            The component to write; ``values`` then broadcast to (count,).

        Raises
        ------
        AttributeError
            A vehicle does not have the column, or it is an output.
        ShapeError, TypeError, ValueError
            The values do not broadcast, the column has no such component, or a CopterID is selected
            repeatedly.
        """
        for target, rows, chosen in self.rows_to_write(name, values, component):
            target[rows] = chosen

    def rows_to_write(
        self, name: str, values: ArrayLike, component: int | None = None
    ) -> list[tuple[NDArray[Any], Rows, NDArray[Any]]]:
        """Return what `write` writes, checked: of each part a view, its rows and their values."""
        self.require_distinct()
        array = array_of(name, values, "even rows")
        writes = []
        for part in self.parts:
            view = part.group.writable(name)
            check = part.group.check_rows if component is None else part.group.check_values
            check(name, array)
            target = view if component is None else _component(name, view, component)
            writes.append((target, part.rows, self._rows_of(name, array, target)[part.indices]))
        return writes

    def write_all(self, columns: Mapping[str, ArrayLike]) -> None:
        """Write columns by name; see `write`."""
        require_kind("columns", columns, Mapping)
        for name, values in columns.items():
            self.write(name, values)

    def _rows_of(self, name: str, array: NDArray[Any], target: NDArray[Any]) -> NDArray[Any]:
        """Return values broadcast to one row per vehicle."""
        shape = (self.count, *target.shape[1:])
        of_width_1 = target.ndim == 1 and array.ndim == 2 and array.shape[1] == 1
        try:
            return np.broadcast_to(array[:, 0] if of_width_1 else array, shape)
        except ValueError:
            raise ShapeError(f"{name}: expected shape {shape}, got {array.shape}") from None

    def positive(
        self, name: str, value: ArrayLike, unit: str, maximum: float = sys.float_info.max
    ) -> NDArray[np.float64]:
        """Return a checked argument above 0 up to a maximum, one per vehicle; see `per_vehicle`."""
        values = self.per_vehicle(name, value, unit, maximum=maximum)
        if not (values > 0).all():
            raise ValueError(f"{name}: expected more than 0 [{unit}], got {brief(value)}")
        return values

    def not_negative(
        self, name: str, value: ArrayLike, unit: str, maximum: float = sys.float_info.max
    ) -> NDArray[np.float64]:
        """Return a checked argument of 0 to a maximum, one per vehicle; see `per_vehicle`."""
        values = self.per_vehicle(name, value, unit, maximum=maximum)
        if not (values >= 0).all():
            raise ValueError(f"{name}: expected at least 0 [{unit}], got {brief(value)}")
        return values

    def within(
        self,
        name: str,
        value: ArrayLike,
        unit: str,
        minimum: float,
        maximum: float,
        width: int = 1,
    ) -> NDArray[np.float64]:
        """Return a checked argument in a closed range, one per vehicle; see `per_vehicle`."""
        values = self.per_vehicle(name, value, unit, width)
        if not ((values >= minimum) & (values <= maximum)).all():
            raise ValueError(
                f"{name}: expected {minimum:g} to {maximum:g} [{unit}], got {brief(value)}"
            )
        return values

    def per_vehicle(
        self,
        name: str,
        value: ArrayLike,
        unit: str,
        width: int = 1,
        maximum: float = sys.float_info.max,
    ) -> NDArray[np.float64]:
        """Return a checked argument as one row per vehicle.

        Parameters
        ----------
        name : str
            Name of the argument, for messages.
        value : array_like, shape (count, width), (width,), or for width 1 (count,) or ()
            The argument.
        unit : str
            Its unit, for messages.
        width : int
            Values per vehicle.
        maximum : float
            Maximum magnitude.

        Returns
        -------
        ndarray, shape (count, width), or (count,) for width 1
            The argument as it is now: a copy.

        Raises
        ------
        ShapeError, ValueError, TypeError
            It has the wrong shape, is non-finite in the precision of the columns, an angle above
            `MAXIMUM_ANGLE`, or not numeric.
        """
        largest = min(self.parts[0].group.largest, maximum) if self.parts else maximum
        if unit == "rad":
            largest = min(largest, MAXIMUM_ANGLE)
        array = finite_array(name, value, unit, largest)
        if unit == "rad" and self.parts:
            self.parts[0].group.warn_once(name, angle_slip(name, array))
        shape = (self.count,) if width == 1 else (self.count, width)
        if array.shape == shape:
            return array
        if array.shape != shape[1:]:
            raise ShapeError(
                f"{name}: expected shape {shape} or {shape[1:]} [{unit}], got {array.shape}"
            )
        whole = np.empty(shape)
        whole[...] = array
        return whole

    def starts(self, pos: ArrayLike | None) -> NDArray[np.float64]:
        """Return the positions of a reset, shape (count, 3) [m, NED]; see `Sim.reset`.

        z is NaN where a vehicle is to stand on the ground.
        """
        try:
            on_ground = pos is None or np.shape(pos)[-1:] == (2,)
        except ValueError:  # of rows of different lengths
            on_ground = False
        if pos is not None and not on_ground:
            return self.per_vehicle("pos", pos, "m", 3)
        places = self.per_vehicle("pos", (0, 0) if pos is None else pos, "m", 2)
        return np.column_stack([places, np.full(len(places), np.nan)])

    def require_distinct(self) -> None:
        """Raise a ValueError if a CopterID is selected repeatedly, to be called before a write."""
        for group, rows, _ in self.parts:
            if isinstance(rows, slice):
                continue
            times = np.bincount(rows)
            if times.max() > 1:
                first = group.first_id + int(times.argmax())
                raise ValueError(
                    f"ids: expected each CopterID once, got {first} {times.max()} times"
                )

    def require(self, command: str) -> None:
        """Raise a ValueError unless all vehicles execute a common command, given by its name."""
        for group, _, _ in self.parts:
            if command not in group.abilities.commands:
                own = (
                    "" if command not in group.family.abilities.commands else "; this one lacks it"
                )
                raise ValueError(
                    f"{command}: {group.name!r} (CopterID {group.first_id}) is a "
                    f"{group.family.name}, which has "
                    f"{group.family.all_commands() or 'no commands'}{own}"
                )

    def require_backing(self) -> None:
        """Raise a ValueError unless all vehicles go to positions backward."""
        for group, _, _ in self.parts:
            if not group.abilities.backs:
                raise ValueError(
                    f"backward: expected False for {group.name!r} (CopterID {group.first_id}), "
                    f"a {group.family.name}, which does not go to positions backward"
                )

    def require_column(self, argument: str, column: str) -> None:
        """Raise a ValueError that names an argument if a vehicle lacks the column for it."""
        for group, rows, _ in self.parts:
            if not group.has(column):
                first = int(np.arange(group.first_id, group.first_id + group.n)[rows][0])
                raise ValueError(
                    f"{argument}: expected None for {group.name!r} (CopterID {first}), "
                    f"a {group.family.name} without {column}"
                )

    def require_full_motors(self, method: str) -> None:
        """Raise a ParameterError for vehicles without a motor per rotor, or the full model."""
        for group, _, _ in self.parts:
            if group.abilities.rotors is None or group.batch.effects != "full":
                raise ParameterError(
                    f"{method}: {group.name!r} (CopterID {group.first_id}) has no rotors with a "
                    "motor each, or its effects are 'plain'"
                )

    def require_flight(self, method: str) -> None:
        """Raise a ParameterError for vehicles that do not fly, or without the full model."""
        types = vehicle_types()
        for group, _, _ in self.parts:
            if not types[group.batch.type_name]["flies"] or group.batch.effects != "full":
                raise ParameterError(
                    f"{method}: {group.name!r} (CopterID {group.first_id}) does not fly, or its "
                    "effects are 'plain'"
                )

    def require_extended(self, message: str) -> None:
        """Raise a ParameterError that begins so for vehicles without an extended model."""
        _require_extended([part.group for part in self.parts], message)

    def require_reached(self, message: str) -> None:
        """As `require_extended`, but models in libraries do: they are told what has hit them."""
        _require_extended([part.group for part in self.parts if not part.group.models], message)

    def retune(self) -> None:
        """Compute the gains of the vehicles anew, from their present parameters: `Sim.retune`.

        Raises
        ------
        ParameterError
            No gains follow from the parameters of a vehicle.
        RuntimeError
            Another thread steps the `Sim`. After any of these nothing is changed.

        Examples
        --------
        >>> sim = Sim({"x450": 2, "rover": 1})
        >>> chosen = sim.select(family="multirotor")
        >>> chosen.write("mass", [1.2, 1.4])
        >>> chosen.retune()
        >>> chosen.read("control_mass").tolist()
        [1.2, 1.4]
        """
        tuned = [(group, rows, gains_of(group, rows)) for group, rows, _ in self.parts]

        def write() -> None:
            for group, rows, columns in tuned:
                group.write_rows(rows, columns)

        change_whole(self.exclusive, write)

    def set_point(self, mask: int, **columns: NDArray[np.float64]) -> None:
        """Write set-points, which replace all active ones.

        Parameters
        ----------
        mask : int
            Bits of `pyrfly.Setpoint`, a 32-bit number: the active set-points.
        **columns : ndarray, shape (count,) or (count, width)
            Set-point columns.

        Raises
        ------
        AttributeError
            A vehicle does not have one of the columns; then nothing is written.
        TypeError, ValueError
            ``mask`` is no such number, or a CopterID is selected repeatedly.
        RuntimeError
            Another thread steps the `Sim`; then nothing is written.
        """
        self.require_distinct()
        whole_number("mask", mask, 0, 2**32 - 1)
        for part in self.parts:
            for name in columns:
                part.group.view(name)
        for part in self.parts:
            _warn_of_no_effect(part, mask, columns.get("pos_sp"))
        with self.exclusive:
            for group, rows, indices in self.parts:
                for name, values in columns.items():
                    group.view(name)[rows] = values[indices]
                group.view("setpoint_mask")[rows] = mask
                group.view("arrived")[rows] = 0  # until the controllers have seen it
                group.release_navigator(rows)
                group.note_command(rows)


def _warn_of_no_effect(part: Part, mask: int, goals: NDArray[np.float64] | None) -> None:
    """Warn once of set-points of a group that have no effect, or cannot be reached."""
    group, rows, indices = part
    if "unarmed" not in group.warned:
        unarmed = group.view("armed")[rows] == 0
        _warn_once(group, "unarmed", rows, unarmed, "command to a vehicle that is not armed")
    trajectory = mask & Setpoint.VELOCITY  # which may end in the ground: a landing
    if goals is not None and not trajectory and group.flies and "ground" not in group.warned:
        below = goals[indices][:, 2] > group.view("terrain")[rows]
        _warn_once(group, "ground", rows, below, "position set-point below the ground (z is down)")


def _warn_once(
    group: Group, topic: str, rows: Rows, where: NDArray[np.bool_], message: str
) -> None:
    count = int(np.count_nonzero(where))
    if count:
        group.warned.add(topic)
        first = group.first_id + int(np.arange(group.n)[rows][int(np.argmax(where))])
        others = f" and {count - 1} more" if count > 1 else ""
        warn(f"{message}: CopterID {first} ({group.name}){others}", CommandWarning)


def _column_advice(name: str) -> str:
    return (
        f"{name}: this is a column; read it with .read({name!r}) of the Selection, and "
        f"write it with .write({name!r}, values)"
    )


def _component(name: str, view: NDArray[Any], component: int) -> NDArray[Any]:
    """Return a component of a column."""
    if isinstance(component, bool) or not isinstance(component, (int, np.integer)):
        raise TypeError(f"component: expected an integer, got {component!r:.80}")
    columns = view[:, None] if view.ndim == 1 else view
    if not 0 <= component < columns.shape[1]:
        expected = f"0 to {columns.shape[1] - 1}" if columns.shape[1] > 1 else "0"
        raise ValueError(f"component: expected {expected} of {name}, got {component}")
    chosen: NDArray[Any] = columns[:, component]
    return chosen


def ids_of_mask(mask: ArrayLike, n: int, ids: Ids) -> NDArray[np.intp]:
    """Return the CopterIDs where a mask is true; raise an error if it is no mask of n vehicles."""
    if ids is not None:
        raise ValueError("mask: expected None if ids are given")
    array = array_of("mask", mask, "bools")
    if array.dtype != np.bool_:
        raise TypeError(f"mask: expected bools, got {brief(mask)}")
    if array.shape != (n,):
        raise ShapeError(f"mask: expected shape ({n},), got {array.shape}")
    return np.flatnonzero(array) + 1


def _require_extended(groups: Sequence[Group], message: str) -> None:
    types = vehicle_types()
    for group in groups:
        if not types[group.batch.type_name]["extended"] or group.batch.effects != "full":
            raise ParameterError(
                f"{message} on {group.name!r} (CopterID {group.first_id}) with effects "
                f"{group.batch.effects!r}"
            )


def select(
    groups: Sequence[Group], exclusive: Exclusive, ids: Ids, family: str | None = None
) -> Selection:
    """Return vehicles by CopterID, None for all; see `Sim.select`."""
    if family is not None:
        _check_family(groups, family)
    if ids is None:
        chosen = [g for g in groups if family is None or g.family.name == family]
        return _all_of(chosen, exclusive)
    selection = _by_id(groups, exclusive, ids)
    for group, rows, _ in selection:
        if family is not None and group.family.name != family:
            first = int(np.arange(group.first_id, group.first_id + group.n)[rows][0])
            raise ValueError(
                f"ids: expected CopterIDs of the family {family}, got {first}, "
                f"a {group.family.name}"
            )
    return selection


def _check_family(groups: Sequence[Group], family: str) -> None:
    """Raise a ValueError for an unknown family; a known one may have no vehicles."""
    known = list(dict.fromkeys([*FAMILIES, *(group.family.name for group in groups)]))
    if not isinstance(family, str) or family not in known:
        raise ValueError(f"family: expected one of {', '.join(known)}, got {family!r:.80}")


def _all_of(groups: Sequence[Group], exclusive: Exclusive) -> Selection:
    firsts = list(accumulate((group.n for group in groups), initial=0))
    parts = [
        Part(group, slice(None), slice(first, first + group.n))
        for group, first in zip(groups, firsts, strict=False)
    ]
    return Selection(tuple(parts), firsts[-1], exclusive)


def _by_id(groups: Sequence[Group], exclusive: Exclusive, ids: Ids) -> Selection:
    n = groups[-1].first_id + groups[-1].n - 1
    if type(ids) is int and 1 <= ids <= n:  # one vehicle: the common case of a script
        group = next(g for g in reversed(groups) if g.first_id <= ids)
        row = ids - group.first_id
        return Selection((Part(group, slice(row, row + 1), slice(0, 1)),), 1, exclusive)
    chosen = checked_ids(ids, n)
    if len(groups) == 1:
        part = Part(groups[0], chosen - groups[0].first_id, slice(0, len(chosen)))
        return Selection((part,) if len(chosen) else (), len(chosen), exclusive)
    found = []
    for group in groups:
        here = np.flatnonzero((chosen >= group.first_id) & (chosen < group.first_id + group.n))
        if here.size:
            found.append(Part(group, chosen[here] - group.first_id, here))
    return Selection(tuple(found), len(chosen), exclusive)


def checked_ids(ids: Ids, n: int, first_id: int = 1) -> NDArray[np.intp]:
    """Return an argument ``ids`` as CopterIDs of a `Sim` of n vehicles.

    ``first_id`` is what the caller calls the first of them. Raises a TypeError or ValueError, in
    the numbers of the caller, for what are no such IDs.
    """
    if isinstance(ids, range) and ids:  # which may be longer than there is memory for
        known = range(first_id, first_id + n)
        ids = ids if ids[0] in known and ids[-1] in known else (ids[0], ids[-1])
    given = array_of("ids", ids, "CopterIDs as integers")
    chosen = np.atleast_1d(given if given.size else given.astype(np.intp))
    huge = chosen.dtype == object and all(type(i) is int for i in chosen.flat)
    if chosen.ndim != 1 or not (huge or chosen.dtype.kind in "iu"):
        raise TypeError(f"ids: expected CopterIDs as integers, got {brief(ids)}")
    outside = chosen[(chosen < first_id) | (chosen >= first_id + n)]
    if outside.size:
        last = first_id + n - 1
        raise ValueError(
            f"ids: expected CopterIDs from {first_id} to {last}, got {brief(int(outside[0]))}"
        )
    return chosen.astype(np.intp, copy=False) - (first_id - 1)
