"""Equations of motion of vehicles of one type as a function: `Model`, `OperatingPoint`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly.columns import fields_of_part, fields_of_type, parts
from pyrfly.errors import ParameterError
from pyrfly.frames.rotations import quaternion_product
from pyrfly.sim.group import Group
from pyrfly.sim.selection import Selection

__all__ = ["Model", "OperatingPoint", "single_part"]

Array = NDArray[np.float64]

ABOVE_GROUND = 1e5
"""Height [m] of flying vehicles where contact with the ground is left out."""

PARTS = (
    *("environment", "power", "downwash"),  # which write inputs and parameters of the model
    *("water", "faults"),  # which every model reads that they concern
    *(name for name, part in parts().items() if part["extends"] and name != "motors"),
)
"""Parts that the equations of motion read, without `motors`, as equilibria do not depend on their
order, and `waves`, in which there is none: the water is that at rest, or that of the current."""


class OperatingPoint(NamedTuple):
    """States and inputs of k vehicles of one type, by column.

    Attributes
    ----------
    state : dict of str to ndarray
        Columns of role ``state``, each of shape (k, width).
    inputs : dict of str to ndarray
        Columns of role ``input``: actuator commands, wind with its variation, ground; each of shape
        (k, width).
    """

    state: dict[str, Array]
    inputs: dict[str, Array]

    def __repr__(self) -> str:
        k = len(next(iter(self.state.values()), ()))
        return f"<OperatingPoint of {k} vehicles: {', '.join((*self.state, *self.inputs))}>"


def single_part(chosen: Selection) -> tuple[Group, NDArray[np.intp]]:
    """Return the group of selected vehicles and their rows; raise a ValueError if of several."""
    if len(chosen.parts) != 1:
        names = ", ".join(part.group.name for part in chosen.parts) or "none"
        raise ValueError(f"ids: expected vehicles of one parameter set, got {names}")
    group, rows, indices = chosen.parts[0]
    ordered = np.empty(len(chosen), np.intp)
    ordered[indices] = np.arange(group.n)[rows]
    return group, ordered


class Model:
    """Copies of vehicles, with their parameters, surroundings, voltage and faults, in float64.

    Those are constant: the air is that at the positions of the copies, and the input ``wind``
    includes its variation.

    Parameters
    ----------
    group : Group
        The vehicles.
    rows : ndarray of int
        Rows of the vehicles to copy, of which there may be several of one vehicle.
    start : ndarray, shape (k, 3), optional
        Positions [m, NED] at which a reset puts the copies, with its gust and turbulence; by
        default they are where the vehicles are.
    """

    def __init__(self, group: Group, rows: NDArray[np.intp], *, start: Array | None = None) -> None:
        group.models.require_none("a trim, a linear model or a prediction")
        self.count = len(rows)
        self._batch = group.batch.like(self.count)
        self._states = [field for field in group.fields if field.role == "state"]
        self._contact = {field.name for field in self._states} & set(group.family.contact)
        for field in group.fields:
            if field.role in ("param", "gain", "state", "input"):
                self._batch.view(field.name)[...] = group.view(field.name)[rows]
        self._batch.view("armed")[...] = 1  # so that the actuators follow their commands
        if start is not None:
            self._batch.view("pos")[...] = start
            self._batch.view("terrain")[...] = group.ground_at(rows, start)
        for part in PARTS:
            if group.batch.has(part):
                self._copy_part(part, group, rows, new=start is not None)
        if group.batch.has("environment") or group.batch.has("payload"):
            self._batch.refresh(np.arange(self.count))
        self._pull: Array | None = None
        if group.batch.has("environment"):
            self._blow(self.read("wind") + self.read("wind_variation"))

    def _copy_part(self, part: str, group: Group, rows: NDArray[np.intp], *, new: bool) -> None:
        """Copy the columns of a part; ``new``: as they are after a reset."""
        self._batch.enable(part)
        for field in fields_of_part(part):
            self._batch.view(field.name)[...] = group.view(field.name)[rows]
        if new:
            self._batch.reset_part(part, np.arange(self.count))

    def _blow(self, wind: Array) -> None:
        """Let a wind blow whose variation is in it."""
        self._batch.view("wind")[...] = wind
        if self._batch.has("environment"):
            self._batch.view("wind_variation")[...] = 0

    def let_payloads_hang(self) -> None:
        """Let payloads pull from now on as they do below vehicles that keep their velocity.

        Force [N, NED] and place are constant: weight less buoyancy, and drag; `write` turns them.
        """
        if not self._batch.has("payload"):
            return
        every = np.arange(self.count)
        wind = self.read("wind")
        self._batch.view("payload_moves")[...] = 0
        self._batch.refresh(every)
        if self._batch.has("environment"):  # which has its gusts again
            self._batch.view("wind")[...] = wind - self.read("wind_variation")
            self._batch.view("payload_moves")[...] = 0
            self._batch.refresh(every)
        self._blow(wind)
        self._pull = np.column_stack([np.zeros(self.count), self.read("payload_force")])
        self._turn(self._pull)

    def _turn(self, pull: Array) -> None:
        """Give forces of payloads, (k, 4) after a 0, the torque that they have at the attitudes."""
        att = self.read("att")
        back = att * [1, -1, -1, -1]
        turned = quaternion_product(quaternion_product(back, pull), att)[:, 1:]
        self._batch.view("payload_torque")[...] = np.cross(self.read("payload_place"), turned)

    def columns(self, *roles: str) -> dict[str, Array]:
        """Return copies of columns of some roles, each of shape (k, width)."""
        return {
            field.name: self._batch.view(field.name).reshape(self.count, -1).copy()
            for field in fields_of_type(self._batch.type_name)
            if field.role in roles and field.name not in self._contact
        }

    def read(self, name: str) -> Array:
        """Return a copy of a column, of a part, too, of shape (k, width), or (k,) for width 1."""
        return np.array(self._batch.view(name), dtype=np.float64)

    def point(self) -> OperatingPoint:
        """Return the present states and inputs."""
        return OperatingPoint(self.columns("state"), self.columns("input"))

    def write(self, columns: Mapping[str, NDArray[Any]]) -> None:
        """Write columns, of shape (k, width) or (width,)."""
        if "terrain" in columns and "ground" in self._contact:
            columns = {**columns, "ground": np.repeat(columns["terrain"], 2, axis=-1)}
        for name, values in columns.items():
            view = self._batch.view(name)
            width = np.shape(values)[-1:]
            if np.shape(values) != (self.count, *width):
                values = np.broadcast_to(values, (self.count, *width))
            view[...] = values.reshape(view.shape)
        if self._pull is not None and "att" in columns:
            self._turn(self._pull)

    def derivative(self) -> dict[str, Array]:
        """Return the time derivatives of the state columns, each of shape (k, width)."""
        values, found, first = self._batch.derivative(), {}, 0
        for field in self._states:
            if field.name not in self._contact:
                found[field.name] = values[:, first : first + field.width]
            first += field.width
        return found

    def output(self, name: str) -> Array:
        """Return an output column of the present state, shape (k, width)."""
        return self._batch.view(name).reshape(self.count, -1).astype(np.float64)


def leave_ground(model: Model, group: Group) -> None:
    """Lower the ground so far that flying vehicles do not touch it."""
    if group.flies:
        model.write({"terrain": model.columns("state")["pos"][:, 2:] + ABOVE_GROUND})


def not_found(group: Group, row: int, what: str) -> ParameterError:
    """Return the error for a vehicle without an equilibrium."""
    return ParameterError(
        f"{group.name} (CopterID {group.first_id + row}): no equilibrium found: {what}"
    )
