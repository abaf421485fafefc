"""Levels of actions: what the values of an action command, and how much 1 is of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf, pi
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly.arrays import true_or_false
from pyrfly.errors import ParameterError
from pyrfly.protocol.bits import Setpoint
from pyrfly.rl.tasks import Task
from pyrfly.sim import Sim
from pyrfly.sim.arguments import chosen_name
from pyrfly.sim.group import Group
from pyrfly.sim.thrust import maximum_thrust
from pyrfly.sim.trim import trim
from pyrfly.vehicles.actuators import UNUSED
from pyrfly.vehicles.kinds import Kind

__all__ = ["ACTION_LEVELS", "ActionLevel", "action_level", "heads"]

ACTION_LEVELS = ("motor", "rate", "attitude", "velocity", "position")
"""Names of the levels, for all tasks and vehicles alike."""

FASTEST = 5.0
"""Largest velocity set-point [m/s], or the limit of the vehicle if that is less; estimated."""

FARTHEST = 5.0
"""Largest distance of a position set-point from the middle on each axis [m]; estimated."""

_HOLDING = ("velocity", "position")
"""Levels whose 0 holds a vehicle that hovers."""

BEYOND = 2.0
"""How far position set-points reach beyond goals and gates [m]; estimated."""


class Value(NamedTuple):
    """Where a value a of an action goes: offset + scale a.

    Attributes
    ----------
    column : str or None
        The column; None is an angle of `ActionLevel.attitude`.
    component : int
        Of the column.
    offset, scale : float
        In the unit of the column.
    limits : tuple of (str, int)
        Columns and components that the scale of a vehicle does not exceed.
    """

    column: str | None
    component: int
    offset: float
    scale: float
    limits: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True)
class ActionLevel:
    """How actions become commands.

    Attributes
    ----------
    name : str
        One of `ACTION_LEVELS`.
    values : tuple of Value
        Where each value of an action goes.
    attitude : str, optional
        Column of a quaternion that three angles are written to.
    mask : int
        The active set-points, bits of `Setpoint`; none for commands of the motors, which turn the
        controllers off.
    centred : str, optional
        Column whose offset is the hover of the first vehicle; each has its own in proportion.
    maximum : (str, int), optional
        Column and component of the thrust that is 1 in that column; None of throttles of motors.
    """

    name: str
    values: tuple[Value, ...]
    attitude: str | None = None
    mask: int = 0
    centred: str | None = None
    maximum: tuple[str, int] | None = None

    def prepare(self, sim: Sim) -> None:
        """Turn the controllers of a `Sim` on or off, and arm its vehicles.

        Set-points that hold a position, or carry the vehicle, are those before the first action.
        """
        group = sim.groups[0]
        sim.controllers = self.mask != 0
        sim.arm()
        if not self.mask:
            return
        sim.select().write("setpoint_mask", self.mask)
        for value in self.values:
            if value.column == "pos_sp":
                group.view(value.column)[:, value.component] = value.offset
            elif value.column == "thrust_sp":
                hover = _hover_thrust(sim)
                group.view(value.column)[:] = value.offset if hover is None else hover


def action_level(name: str, sim: Sim, task: Task, hover_centred: bool = False) -> ActionLevel:
    """Return a level of actions for the vehicles of a `Sim` of one parameter set.

    Parameters
    ----------
    name : str
        One of `ACTION_LEVELS`.
    sim : Sim
        The vehicles, as they start: their commands are those of the hover.
    task : Task
        Where set-points of positions are about.
    hover_centred : bool
        Whether an action of 0 holds a vehicle.

    Raises
    ------
    ValueError
        There is no level of this name.
    ParameterError
        The vehicles have no such command.
    """
    level = _LEVELS[chosen_name("action", name, ACTION_LEVELS)](sim, task)
    group = sim.groups[0]
    if true_or_false("hover_centred", hover_centred):
        level = _centred(level, sim)
    columns = {field.name for field in group.fields}
    there = columns.issuperset(value.column or level.attitude for value in level.values)
    if not there or (level.attitude and group.abilities.attitude is None):
        raise ParameterError(f"action: {group.name!r} takes no actions {name!r}")
    return level


def _hover_thrust(sim: Sim) -> NDArray[Any] | None:
    """Return the normalized collective thrusts that carry the vehicles; None without one."""
    group = sim.groups[0]
    maximum = maximum_thrust(group, slice(None))
    if maximum is None:
        return None
    return np.asarray(group.view("mass") * group.view("gravity") / maximum)


def _centred(level: ActionLevel, sim: Sim) -> ActionLevel:
    """Return a level with the hover in the middle of its throttles or its collective thrust."""
    columns = {value.column for value in level.values}
    able, hover = sim.groups[0].abilities, _hover_thrust(sim)
    rotors, collective = able.rotors, able.collective
    if rotors is not None and rotors.command in columns:
        centred, middles = rotors.command, _hover_throttles(sim, rotors.command)
        maximum = None
    elif hover is not None and "thrust_sp" in columns:
        centred, middles = "thrust_sp", hover[:1]
        maximum = next(one.maximum for one in collective if one.maximum is not None)
    elif level.name in _HOLDING and Kind.HOVERS in able.kind:
        return level
    else:
        raise ParameterError(
            f"hover_centred: expected False for {sim.groups[0].name!r} with actions "
            f"{level.name!r}, for which no hover with drawn parameters is known"
        )
    values = tuple(
        value._replace(offset=float(middles[value.component])) if value.column == centred else value
        for value in level.values
    )
    return replace(level, values=values, centred=centred, maximum=maximum)


def _hover_throttles(sim: Sim, command: str) -> NDArray[Any]:
    """Return the throttles with which the first vehicle hovers in still air."""
    still = np.zeros((1, 3))
    try:
        point = trim(sim.groups[0], np.array([0]), still, np.zeros(1), still)
    except ParameterError as error:
        raise ParameterError(f"hover_centred: {error}") from None
    return np.asarray(point.inputs[command][0])


def _columns(
    column: str | None,
    scales: Sequence[float],
    offsets: Sequence[float] | None = None,
    limits: Sequence[tuple[tuple[str, int], ...]] | None = None,
) -> tuple[Value, ...]:
    count = len(scales)
    starts, least = offsets or [0.0] * count, limits or [()] * count
    return tuple(Value(column, k, starts[k], scales[k], least[k]) for k in range(count))


def _motor(sim: Sim, _: Task) -> ActionLevel:
    """Return the commands of the actuators, -1 to 1 over the range of each."""
    group = sim.groups[0]
    widths = {field.name: field.width for field in group.fields}
    places = [(name, k) for name in group.actuators for k in range(widths[name])]
    count = group.parameters.actuator_count  # of a mixed model those of its first airframe
    actions = [
        Value(name, k, (actuator.high + actuator.low) / 2, (actuator.high - actuator.low) / 2)
        for (name, k), actuator in zip(places[:count], group.ranges[:count], strict=True)
        if actuator != UNUSED
    ]
    return ActionLevel("motor", tuple(actions))


_THRUST = Value("thrust_sp", 0, 0.5, 0.5)


def _limits(*names: str | None, component: int = 0) -> tuple[tuple[str, int], ...]:
    """Return limits of a value: a component of each column that the vehicles have."""
    return tuple((name, component) for name in names if name is not None)


def _rate(sim: Sim, _: Task) -> ActionLevel:
    limit = sim.groups[0].abilities.limits.rate
    limits = [_limits(limit, component=k) for k in (0, 0, 1)]
    rates = _columns("rate_sp", [inf if limit else 0.0] * 3, limits=limits)
    able = rates if _yaws(sim.groups[0]) else rates[:2]
    return ActionLevel("rate", (_THRUST, *able), mask=Setpoint.BODY_RATE | Setpoint.THRUST)


def _attitude(sim: Sim, _: Task) -> ActionLevel:
    tilt = _limits(sim.groups[0].abilities.limits.tilt)
    angles = _columns(None, [pi / 4, pi / 4, pi], limits=[tilt, tilt, ()])
    able = angles if heads(sim.groups[0]) else angles[:2]
    return ActionLevel("attitude", (_THRUST, *able), "att_sp", Setpoint.ATTITUDE | Setpoint.THRUST)


def _velocity(sim: Sim, _: Task) -> ActionLevel:
    kind, limits = sim.groups[0].abilities.kind, sim.groups[0].abilities.limits
    level, up = _limits(limits.speed), _limits(limits.climb, limits.descent)
    axes, fastest = _axes(sim), inf if kind.circles else FASTEST
    values = _columns("vel_sp", [fastest] * axes, limits=[level, level, up][:axes])
    if not heads(sim.groups[0]):
        return ActionLevel("velocity", values, mask=Setpoint.VELOCITY)
    turn = Value("yaw_rate_sp", 0, 0.0, pi / 2)
    return ActionLevel("velocity", (*values, turn), mask=Setpoint.VELOCITY | Setpoint.YAW_RATE)


def _position(sim: Sim, task: Task) -> ActionLevel:
    middle, extent = task.region()
    axes, reach = _axes(sim), np.maximum(extent + BEYOND, FARTHEST)
    values = _columns("pos_sp", reach.tolist()[:axes], middle.tolist()[:axes])
    if not heads(sim.groups[0]):
        return ActionLevel("position", values, mask=Setpoint.POSITION)
    heading = Value("yaw_sp", 0, 0.0, pi)
    return ActionLevel("position", (*values, heading), mask=Setpoint.POSITION | Setpoint.YAW)


def _axes(sim: Sim) -> int:
    """Return the number of axes along which the vehicles move: down only in the air or water."""
    group = sim.groups[0]
    return 3 if group.flies or group.abilities.kind.dives else 2


def _yaws(group: Group) -> bool:
    """Return whether vehicles have what yaws them."""
    loops, limit = group.abilities.attitude, group.abilities.limits.rate
    able = loops is None or loops.yaws
    return able and (limit is None or float(group.view(limit)[0, 1]) > 0.0)


def heads(group: Group) -> bool:
    """Return whether vehicles turn to a heading, whatever their course."""
    return _yaws(group) and group.abilities.stays


_LEVELS = {
    "motor": _motor,
    "rate": _rate,
    "attitude": _attitude,
    "velocity": _velocity,
    "position": _position,
}
