"""Linear models of vehicles about an operating point: `LinearModel`, `linearize`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly import exact
from pyrfly.columns import command_columns
from pyrfly.errors import ParameterError, ShapeError, brief, near_names, require_kind
from pyrfly.frames.rotations import quaternion_product
from pyrfly.sim.group import Group
from pyrfly.sim.model import Model, OperatingPoint, leave_ground

__all__ = ["LinearModel", "linearize"]

Array = NDArray[np.float64]

DIFFERENCE = 1e-5
"""Perturbation of a value, over 1 or its magnitude, whichever is larger."""


class LinearModel(NamedTuple):
    """``dx' = A dx + B du``, ``dy = C dx + D du`` about an operating point, SI units.

    Attributes
    ----------
    A, B, C, D : ndarray
        Shapes (nx, nx), (nx, nu), (ny, nx), (ny, nu); with k vehicles (k, nx, nx) and so on.
    states, inputs, outputs : tuple of str
        Names of the components, such as ``"vel[2]"``. ``"att[0]"`` to ``"att[2]"`` are a rotation
        vector [rad, FRD] from the attitude of the operating point.
    point : OperatingPoint
        The operating point.
    """

    A: Array
    B: Array
    C: Array
    D: Array
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    point: OperatingPoint

    def __repr__(self) -> str:
        counts = (
            f"{len(self.states)} states, {len(self.inputs)} inputs, {len(self.outputs)} outputs"
        )
        return f"<LinearModel of {counts}; A has the shape {np.shape(self.A)}>"


def _turned(att: Array, axis: int, angle: Array) -> Array:
    """Return attitudes (k, 4) turned about a body axis by angles (k,) [rad]."""
    turn = np.zeros_like(att)
    turn[:, 1 + axis], turn[:, 0] = exact.sincos(angle / 2)
    return quaternion_product(att, turn)


class _Component(NamedTuple):
    """One component of states or inputs; of ``att`` of a rotation vector."""

    column: str
    number: int
    state: bool

    def __str__(self) -> str:
        return f"{self.column}[{self.number}]"

    def moved(self, point: OperatingPoint, by: Array) -> dict[str, Array]:
        """Return the column with the component changed by values (k,)."""
        source = point.state if self.state else point.inputs
        if self.column == "att":
            return {"att": _turned(source["att"], self.number, by)}
        values = source[self.column].copy()
        values[:, self.number] += by
        return {self.column: values}

    def size(self, point: OperatingPoint) -> Array:
        """Return the perturbations (k,)."""
        source = point.state if self.state else point.inputs
        value = 0.0 if self.column == "att" else np.abs(source[self.column][:, self.number])
        return DIFFERENCE * np.maximum(1.0, value) * np.ones(len(source[self.column]))


def _components(point: OperatingPoint, inputs: Sequence[str]) -> list[_Component]:
    states = [(name, 3 if name == "att" else v.shape[1], True) for name, v in point.state.items()]
    driven = [(name, point.inputs[name].shape[1], False) for name in inputs]
    return [_Component(name, i, of) for name, width, of in [*states, *driven] for i in range(width)]


def _rates(model: Model, point: OperatingPoint, turns: int) -> Array:
    """Return the derivatives of the states, the attitude as rotation vector, (points, nx).

    With a frame that moves as the operating point does, at the angular velocity w, the derivative
    of the rotation vector r is v + r x v / 2 + ..., v the difference of the angular velocities.
    """
    rates, att = model.derivative(), model.columns("state")["att"]
    own = 2.0 * quaternion_product(att * [1, -1, -1, -1], rates["att"])[:, 1:]
    start = np.repeat(point.state["att"], turns, axis=0)
    # from the operating point to the perturbed body
    back = quaternion_product(att * [1, -1, -1, -1], start)
    w = np.concatenate(
        [np.zeros((len(att), 1)), np.repeat(point.state["rate"], turns, axis=0)], axis=1
    )
    relative = own - quaternion_product(quaternion_product(back, w), back * [1, -1, -1, -1])[:, 1:]
    rates["att"] = relative - np.cross(back[:, 1:], relative)
    return np.concatenate([rates[name] for name in point.state], axis=1)


def _outputs(model: Model, names: Sequence[str]) -> Array:
    return np.concatenate([model.output(name) for name in names], axis=1)


def _perturbed(
    point: OperatingPoint, components: Sequence[_Component]
) -> Iterator[tuple[int, dict[str, Array]]]:
    for i, component in enumerate(components):
        size = component.size(point)
        yield 2 * i, component.moved(point, size)
        yield 2 * i + 1, component.moved(point, -size)


def _checked_names(group: Group, argument: str, names: Sequence[str], role: str) -> tuple[str, ...]:
    known = [field.name for field in group.fields if field.role == role]
    if isinstance(names, str) or not isinstance(names, Iterable):
        raise TypeError(f"{argument}: expected names of {role} columns, got {brief(names)}")
    for name in names:
        if not isinstance(name, str) or name not in known:
            near = near_names(str(name), known)
            raise ValueError(f"{argument}: no {role} column {brief(name)}; try {near}")
    return tuple(names)


def checked_point(group: Group, point: OperatingPoint, k: int) -> OperatingPoint:
    """Return an operating point; raise a ShapeError unless its columns are those of k vehicles."""
    require_kind("point", point, OperatingPoint)
    for field in group.fields:
        if field.role in ("state", "input") and field.name not in group.family.contact:
            columns = point.state if field.role == "state" else point.inputs
            got = np.shape(columns.get(field.name, ()))
            if got != (k, field.width):
                raise ShapeError(
                    f"point: {field.name}: expected shape {(k, field.width)}, got {got}"
                )
    return point


def _require_first_order_motors(group: Group, rows: NDArray[np.intp]) -> None:
    """Raise a ParameterError for second-order motors: their accelerations are no states here."""
    if group.batch.has("motors"):
        second_order = np.flatnonzero(group.view("motor_frequency")[rows])
        if second_order.size:
            raise ParameterError(
                f"linearize: {group.name!r} (CopterID {group.first_id + rows[second_order[0]]}) "
                "has second-order motors, and a linear model first-order ones; call "
                "sim.motors.disable() first"
            )


def linearize(
    group: Group,
    rows: NDArray[np.intp],
    point: OperatingPoint | None,
    inputs: Sequence[str] | None,
    outputs: Sequence[str] | None,
) -> LinearModel:
    """Return the linear models of vehicles of a group; see `Sim.linearize`."""
    names = command_columns(group.parameters.c_type) if inputs is None else inputs
    driven = _checked_names(group, "inputs", names, "input")
    shown_outputs = _checked_names(group, "outputs", () if outputs is None else outputs, "output")
    _require_first_order_motors(group, rows)
    k = len(rows)
    here = Model(group, rows).point() if point is None else checked_point(group, point, k)
    components = _components(here, driven)
    turns = 2 * len(components)
    model = Model(group, np.repeat(rows, turns))  # all perturbed vehicles, one batch
    base = {name: np.repeat(v, turns, axis=0) for name, v in {**here.state, **here.inputs}.items()}
    model.write(base)
    leave_ground(model, group)
    model.let_payloads_hang()
    for turn, columns in _perturbed(here, components):
        for name, values in columns.items():
            base[name][turn::turns] = values
    model.write(base)
    leave_ground(model, group)
    sizes = np.stack([component.size(here) for component in components], axis=1)

    def slopes(values: Array) -> Array:
        pairs = values.reshape(k, len(components), 2, -1)
        return np.swapaxes((pairs[:, :, 0] - pairs[:, :, 1]) / (2.0 * sizes[:, :, None]), 1, 2)

    nx = sum(component.state for component in components)
    states = tuple(str(component) for component in components[:nx])
    by_rates = slopes(_rates(model, here, turns))
    if shown_outputs:
        values = _outputs(model, shown_outputs)
        by_outputs = slopes(values)
        widths = {field.name: field.width for field in group.fields}
        labels = tuple(f"{name}[{i}]" for name in shown_outputs for i in range(widths[name]))
    else:
        by_outputs = np.tile(np.eye(nx, len(components)), (k, 1, 1))
        labels = states
    return LinearModel(
        by_rates[:, :, :nx],
        by_rates[:, :, nx:],
        by_outputs[:, :, :nx],
        by_outputs[:, :, nx:],
        states,
        tuple(str(component) for component in components[nx:]),
        labels,
        here,
    )
