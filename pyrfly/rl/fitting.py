"""Tasks that fit vehicles, and the state in which their episodes start."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import pi, radians

import numpy as np

from pyrfly.columns import command_columns
from pyrfly.errors import ParameterError
from pyrfly.rl.tasks import TASKS, Curve, Start, Task, task_of
from pyrfly.sim import Sim
from pyrfly.sim.group import Group
from pyrfly.sim.trim import trim
from pyrfly.vehicles.kinds import Kind

__all__ = ["fitting", "on_surface", "prepare"]

CLIMB = 0.25
"""Vertical over horizontal lengths of tasks of planes, which turn faster than they climb."""


def fitting(task: str | Task, sim: Sim) -> Task:
    """Return a task that the vehicles of a `Sim` of one parameter set can do.

    One that is named has starts, goals and times for their kind, such as the lengths of circles of
    those that fly by wings alone; a `Task` has its own.

    Raises
    ------
    ParameterError
        The vehicles cannot do it.
    """
    group = sim.groups[0]
    kind = group.abilities.kind
    named = isinstance(task, str)
    found = task_of(task)
    if not kind & found.kinds:
        able = [name for name, one in TASKS.items() if kind & one.kinds]
        near = f"one of {', '.join(able)}" if able else "a vehicle that moves by commands"
        raise ParameterError(
            f"task: expected {near} for {group.name!r}, which is a {group.family.name} that "
            f"{_moves(kind)}, got {task if named else found.name!r}"
        )
    if named and kind.circles:
        return _winged(found, group)
    spools = group.flies and group.abilities.rotors is None  # for seconds, some of them
    if named and spools:
        return replace(found, start=replace(found.start, hovering=True))
    return found


def _moves(kind: Kind) -> str:
    if kind.circles:
        return "flies by wings and does not stay in place"
    return "does not leave the surface" if kind.on_surface else "does not fly"


def on_surface(task: Task, sim: Sim) -> Task:
    """Return a task for vehicles that stay on a surface: at rest on it, with goals on it."""
    if not sim.groups[0].abilities.kind.on_surface:
        return task
    sim.reset()
    ground = float(sim.pos[0, 2])

    def level(vector: tuple[float, float, float], z: float) -> tuple[float, float, float]:
        return (vector[0], vector[1], z)

    still = ((0.0, 0.0),) * 3
    start = replace(
        task.start,
        pos=level(task.start.pos, ground),
        pos_range=level(task.start.pos_range, 0.0),
        speed=0.0,
        tilt=0.0,
        rate=0.0,
        hovering=False,
    )
    curve = replace(
        task.curve,
        shape=(*task.curve.shape[:2], still),
        range=level(task.curve.range, 0.0),
    )
    return replace(
        task,
        start=start,
        goal=level(task.goal, ground),
        goal_range=level(task.goal_range, 0.0),
        curve=curve,
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

    def sized(vector: tuple[float, float, float]) -> tuple[float, float, float]:
        return (radius * vector[0], radius * vector[1], CLIMB * radius * vector[2])

    still = (0.0, 0.0)
    turn = 2.0 * radius
    circle = (((turn, 0.0), still, still), ((0.0, turn), still, still), (still,) * 3)
    period = 2.0 * pi * turn / airspeed
    moves = any(task.curve.range) or np.any(task.curve.shape)
    height = (0.0, 0.0, -3.0 * radius)
    return replace(
        task,
        start=Start(
            height, sized(task.start.pos_range), 0.05 * airspeed, radians(20), task.start.yaw, 0.2
        ),
        goal=height,
        goal_range=sized(task.goal_range),
        limit=8.0 * radius,
        floor=-0.2 * radius,
        seconds=task.seconds * radius / airspeed,
        weights={
            **task.weights,
            "distance": task.weights["distance"] / radius,
            "speed": task.weights["speed"] / airspeed,
            "attitude": 0.0,  # they bank to turn
        },
        curve=Curve(circle, period=(period, period), look_ahead=0.2 * radius / airspeed)
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
