"""Tasks that fit vehicles, and the state in which their episodes start."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import pi, radians

import numpy as np

from pyrfly.columns import command_columns
from pyrfly.errors import ParameterError
from pyrfly.rl.actions import heads
from pyrfly.rl.scale import CLIMB, Scale, scale_of, sized
from pyrfly.rl.tasks import TASKS, Curve, Start, Task, Vector, task_of
from pyrfly.sim import Sim
from pyrfly.sim.group import Group
from pyrfly.sim.trim import trim
from pyrfly.vehicles.abilities import Abilities
from pyrfly.vehicles.kinds import Kind

__all__ = ["at_rest", "fitting", "prepare"]

ANY_SPEED = 1e9
"""Speed at a goal that vehicles pass [m/s]."""


def fitting(task: str | Task, sim: Sim) -> Task:
    """Return a task that the vehicles of a `Sim` of one parameter set can do.

    One that is named has starts, goals and times for their kind and size, such as the lengths of
    circles of those that fly by wings alone; a `Task` has its own.

    Raises
    ------
    ParameterError
        The vehicles cannot do it.
    """
    group = sim.groups[0]
    able = group.abilities
    named = isinstance(task, str)
    found = task_of(task)
    if not _does(able, found):
        others = [name for name, one in TASKS.items() if _does(able, one)]
        near = f"one of {', '.join(others)}" if others else "a vehicle that moves by commands"
        raise ParameterError(
            f"task: expected {near} for {group.name!r}, which is a {group.family.name} that "
            f"{_moves(able)}, got {task if named else found.name!r}"
        )
    if not named:
        return found
    return _winged(found, group) if able.kind.circles else _of_its_size(found, group)


def _does(able: Abilities, task: Task) -> bool:
    """Return whether vehicles can do a task."""
    passes = able.stays or able.kind.circles or task.passing
    return bool(able.kind & task.kinds) and passes


def _moves(able: Abilities) -> str:
    if able.kind.circles:
        return "flies by wings and does not stay in place"
    if able.kind.dives:
        return "dives" if able.stays else "glides under water and does not stay in place"
    return "does not leave the surface" if able.kind.on_surface else "does not fly"


def _of_its_size(task: Task, group: Group) -> Task:
    """Return a task for vehicles that do not circle."""
    able = group.abilities
    if group.flies and able.rotors is None:  # which spool for seconds, some of them
        task = replace(task, start=replace(task.start, hovering=True))
    if task.scaled or able.kind.on_surface:
        task = sized(task, scale_of(group))
    if not heads(group):
        task = _of_any_heading(task, able.stays)
    return replace(task, action="motor") if able.kind.on_surface else task


def _of_any_heading(task: Task, stays: bool) -> Task:
    """Return a task whose goal counts with any heading, and at any speed of what passes it."""
    height, distance, speed = task.touch
    return replace(
        task,
        touch=(height, distance, speed if stays else ANY_SPEED),
        touch_heading=pi,
        weights={name: 0.0 if name == "turn" else value for name, value in task.weights.items()},
    )


def at_rest(task: Task, sim: Sim) -> Task:
    """Return a task for vehicles that stay on a surface or below it: at rest, with goals there.

    Depths of what dives are those of the task, below the surface as others are above it, down to
    the middle of the water.
    """
    kind = sim.groups[0].abilities.kind
    if not kind.on_surface:
        return task
    sim.reset()
    surface, share = float(sim.pos[0, 2]), float(kind.dives)
    deepest = 0.5 * (float(sim.terrain[0]) - surface)

    def placed(pos: Vector) -> Vector:
        return (pos[0], pos[1], surface + share * min(abs(pos[2]), deepest))

    def spread(size: Vector) -> Vector:
        return (size[0], size[1], share * size[2])

    still = ((0.0, 0.0),) * 3
    start, curve = task.start, task.curve
    shape = curve.shape if kind.dives else (*curve.shape[:2], still)
    return replace(
        task,
        start=replace(
            start,
            pos=placed(start.pos),
            pos_range=spread(start.pos_range),
            speed=0.0,
            tilt=0.0,
            rate=0.0,
            hovering=False,
        ),
        curve=replace(curve, shape=shape, range=spread(curve.range)),
        goal=placed(task.goal),
        goal_range=spread(task.goal_range),
    )


def _winged(task: Task, group: Group) -> Task:
    """Return a task of the size of the circles of vehicles that fly by wings.

    A metre of it is a loiter radius, and a second what a radius takes in cruise. Goals that move do
    so along circles of two radii, with the airspeed of cruise. All estimated.
    """
    wings = group.abilities.wings
    assert wings is not None
    radius = abs(float(group.view(wings.loiter_radius)[0]))
    airspeed = float(group.view(wings.cruise_airspeed)[0])
    found = sized(task, Scale(radius, CLIMB * radius, radius / airspeed))
    still = (0.0, 0.0)
    turn = 2.0 * radius
    circle = (((turn, 0.0), still, still), ((0.0, turn), still, still), (still,) * 3)
    period = 2.0 * pi * turn / airspeed
    moves = any(task.curve.range) or np.any(task.curve.shape)
    height = (0.0, 0.0, -3.0 * radius)
    return replace(
        found,
        start=Start(
            height, found.start.pos_range, 0.05 * airspeed, radians(20), task.start.yaw, 0.2
        ),
        goal=height,
        limit=8.0 * radius,
        floor=-0.2 * radius,
        weights={**found.weights, "attitude": 0.0},  # they bank to turn
        curve=Curve(circle, period=(period, period), look_ahead=found.curve.look_ahead)
        if moves
        else Curve(),
    )


def prepare(sim: Sim, task: Task) -> None:
    """Bring vehicles into the state that starts give them, on the ground, in a hover or a cruise.

    The place is the higher one of start and goal: a start may be relative to a gate.
    """
    place = min(task.start.pos, task.goal, key=lambda pos: pos[2])
    kind = sim.groups[0].abilities.kind
    sim.reset(pos=place, hover=task.start.hovering and Kind.HOVERS in kind)
    if task.start.hovering and kind.circles:
        _cruise(sim)


def _cruise(sim: Sim) -> None:
    """Let vehicles fly level to the north, in still air, with the airspeed of their cruise."""
    group = sim.groups[0]
    wings = group.abilities.wings
    assert wings is not None
    airspeed = float(group.view(wings.cruise_airspeed)[0])
    ahead, still = np.array([[airspeed, 0.0, 0.0]]), np.zeros((1, 3))
    point = trim(group, np.array([0]), ahead, np.zeros(1), still, hover=False)
    commands = {name: point.inputs[name] for name in command_columns(group.parameters.c_type)}
    write: Callable[..., None] = sim.select().write
    for name, values in {**point.state, **commands}.items():
        if name != "pos":
            write(name, values[0])
    write(wings.airspeed, airspeed)
