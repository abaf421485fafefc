"""Cars in the states of CommonRoad's vehicle models, and their derivatives."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly import Sim

Array = NDArray[np.float64]

TRUTH: dict[str, Any] = json.loads(
    (Path(__file__).parents[2] / "data/commonroad/derivatives.json").read_text(encoding="utf-8")
)


def in_state(name: str, x: list[float], **options: Any) -> Sim:
    """Return a car in a state of ST or STD: place, steering, speed, heading, yaw rate, slip angle.

    STD has the wheel speeds besides. What is to the left there is to the right here.
    """
    sim = Sim(name, **options)
    sim.controllers = False
    north, east, steering, speed, yaw, yaw_rate, slip, *wheels = x
    sim.reset(pos=[north, east, 0], yaw=yaw)
    sim.vel[0] = [speed * math.cos(yaw + slip), speed * math.sin(yaw + slip), 0]
    sim.rate[0, 2] = yaw_rate
    sim.steering[0] = steering
    sim.wheel_speed[0] = wheels or speed / float(sim.wheel_radius[0])
    sim.arm()
    return sim


def command(sim: Sim, steering_rate: float, accel: float) -> None:
    """Command a rate of the steering angle [rad/s] and an acceleration [m/s^2]."""
    sim.steering_rate_limit[:] = abs(steering_rate)
    sim.steer[:] = math.copysign(1.0, steering_rate) if steering_rate else 0.0
    sim.steering_tau[:] = 1e-2 if steering_rate else 1e15
    sim.brake_accel[:] = sim.accel_max if accel else 1e-12  # at 0 it coasts, as in the source
    sim.traction[:] = accel / sim.accel_max


def derivative(sim: Sim) -> list[float]:
    """Return the derivative of the state, in the order of `in_state` but that of the wheels."""
    north, east, _ = (float(one) for one in sim.vel[0])
    forward, right, _ = (float(one) for one in sim.vel_body[0])
    accel = sim.accel[0]
    speed, yaw_rate = math.hypot(north, east), float(sim.rate[0, 2])
    along = (forward * accel[0] + right * accel[1]) / speed
    across = (forward * accel[1] - right * accel[0]) / speed
    return [
        *(north, east, float("nan"), along, yaw_rate),
        *(float(sim.angular_accel[0, 2]), across / speed - yaw_rate),
    ]
