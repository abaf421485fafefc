"""Length and time that suit a vehicle, and tasks of their size: `Scale`."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt
from typing import NamedTuple

import numpy as np

from pyrfly.rl.tasks import Task, Vector
from pyrfly.sim.group import Group

__all__ = ["CLIMB", "Scale", "scale_of", "sized"]

CLIMB = 0.25
"""Vertical over horizontal lengths of tasks of what circles or glides, which turns faster than it
climbs; estimated."""


class Scale(NamedTuple):
    """What a metre and a second of a task become.

    Attributes
    ----------
    length : float
        Length of the hull or radius of the smallest circle [m], the larger one.
    height : float
        What a vertical metre becomes [m].
    time : float
        What it takes from rest to rest over that length by its acceleration, at half of its speed,
        or to turn by 2 rad [s], the longest of them.
    """

    length: float
    height: float
    time: float


def scale_of(group: Group) -> Scale:
    """Return the scale of the vehicles of a group."""
    able = group.abilities
    limits = able.limits

    def limit(name: str | None, component: int = 0) -> float:
        return float(group.view(name).reshape(group.n, -1)[0, component]) if name else 0.0

    low, high = group.family.hull(group.parameters).extent
    speed, accel = limit(limits.speed), limit(limits.acceleration)
    turn = limit(limits.yaw_rate) or limit(limits.rate, -1)
    radius = limit(limits.turning or limits.circle)
    length = max(float(np.max((high - low)[:2])), radius)
    height = length if able.stays else CLIMB * length
    times = [2.0 * sqrt(length / accel), 2.0 * length / speed, 2.0 / turn if turn else 0.0]
    return Scale(length, height, max(times))


def sized(task: Task, scale: Scale) -> Task:
    """Return a task with a scale, the values of its weights included."""
    length, height, time = scale

    def vector(values: Vector) -> Vector:
        return (length * values[0], length * values[1], height * values[2])

    start, curve = task.start, task.curve
    of_weight = {
        "progress": 1.0 / length,
        "distance": 1.0 / length,
        "turn": length,
        "speed": time / length,
        "time": 1.0 / time,
    }
    still_height, distance, speed = task.touch
    return replace(
        task,
        start=replace(
            start,
            pos=vector(start.pos),
            pos_range=vector(start.pos_range),
            speed=start.speed * length / time,
        ),
        goal=vector(task.goal),
        goal_range=vector(task.goal_range),
        limit=length * task.limit,
        seconds=time * task.seconds,
        weights={name: of_weight.get(name, 1.0) * value for name, value in task.weights.items()},
        curve=replace(
            curve,
            shape=tuple(
                tuple((size * sine, size * cosine) for sine, cosine in axis)
                for size, axis in zip((length, length, height), curve.shape, strict=True)
            ),
            range=vector(curve.range),
            period=(time * curve.period[0], time * curve.period[1]),
            look_ahead=time * curve.look_ahead,
        ),
        touch=(height * still_height, length * distance, speed * length / time),
    )
