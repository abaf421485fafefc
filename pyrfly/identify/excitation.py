"""A flight that tells the parameters of a multirotor: `doublets`, `fly`.

What a flight does not excite it cannot tell. Doublets of velocity excite thrust, tilt and drag, and
end where they began; those of yaw rate the reaction torques. They are set-points, so that a vehicle
flies them by its own controllers, in a simulation or in Offboard mode.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from pyrfly.errors import ParameterError, brief, require_kind
from pyrfly.log import Log, Recorder
from pyrfly.sim import Sim

__all__ = ["SetPoint", "doublets", "fly"]

MEASURED = ("pos", "throttle", "imu_accel", "imu_gyro", "vel_est", "att_est")
"""What is recorded: commands, what a vehicle knows of itself, and the height at which it flies."""

RECORDED = 0.002  # interval of the recording [s], that of the fastest control loop


class SetPoint(NamedTuple):
    """A set-point that holds until the next.

    Attributes
    ----------
    time : float
        From the beginning of the manoeuvre [s].
    vel : tuple of float
        Velocity [m/s, NED].
    yaw_rate : float
        [rad/s].
    """

    time: float
    vel: tuple[float, float, float]
    yaw_rate: float


def doublets(
    duration: float = 40.0,
    *,
    speed: float = 5.0,
    climb: float = 2.0,
    yaw_rate: float = 1.0,
    hold: float = 0.4,
    seed: int = 1,
) -> list[SetPoint]:
    """Return doublets of velocity and yaw rate, with amplitudes drawn for each.

    Parameters
    ----------
    duration : float
        Of the manoeuvre [s].
    speed, climb, yaw_rate : float
        Largest amplitudes [m/s, m/s, rad/s].
    hold : float
        Time of each half of a doublet [s]: about that in which the vehicle tilts.
    seed : int
        Of the amplitudes.

    Raises
    ------
    ValueError
        A number is not above 0.
    """
    for name, value in (("duration", duration), ("hold", hold)):
        if not value > 0:
            raise ValueError(f"{name}: expected more than 0 s, got {brief(value)}")
    random = np.random.default_rng(seed)
    largest = np.array([speed, speed, climb, yaw_rate])
    found: list[SetPoint] = []
    for i in range(max(1, round(duration / (2 * hold)))):
        north, east, down, turn = (random.uniform(-1, 1, 4) * largest).tolist()
        found.append(SetPoint(2 * i * hold, (north, east, down), turn))
        found.append(SetPoint((2 * i + 1) * hold, (-north, -east, -down), -turn))
    return [*found, SetPoint(found[-1].time + hold, (0.0, 0.0, 0.0), 0.0)]


def fly(sim: Sim, setpoints: Sequence[SetPoint] | None = None, *, more: Sequence[str] = ()) -> Log:
    """Fly set-points with all vehicles of a simulation, and return what they measured.

    Parameters
    ----------
    sim : Sim
        Vehicles that hover, in the air, with an IMU and an estimator (`Sim.sensors`,
        `Sim.estimator`), and 500 Hz or more.
    setpoints : sequence of SetPoint, optional
        By default `doublets`.
    more : sequence of str
        Further columns to record, such as ``rotor_speed`` or ``wind``.

    Raises
    ------
    ParameterError
        The vehicles have no sensors or no estimator.

    Examples
    --------
    >>> from pyrfly.identify import excitation
    >>> sim = Sim("x450")
    >>> sim.sensors.enable_all("px4")
    >>> sim.estimator.enable()
    >>> sim.reset(pos=[0, 0, -30], hover=True, seed=1)
    >>> excitation.fly(sim, excitation.doublets(4))
    <Log of 1 vehicles, 2000 samples from 0.000 to 3.998 s: pos, throttle, ...>
    """
    require_kind("sim", sim, Sim)
    if not (sim.sensors.enabled and sim.estimator.enabled):
        raise ParameterError(
            "sim: expected sensors and an estimator, which Sim.sensors.enable_all and "
            "Sim.estimator.enable switch on"
        )
    chosen = doublets() if setpoints is None else list(setpoints)
    recorder = Recorder(sim, (*MEASURED, *more))
    sim.add_listener(recorder.sample, RECORDED)
    try:
        for now, then in pairwise(chosen):
            sim.command_velocity(now.vel, yaw_rate=now.yaw_rate)
            sim.sleep(then.time - now.time)
        sim.command_velocity(chosen[-1].vel, yaw_rate=chosen[-1].yaw_rate)
    finally:
        sim.remove_listener(recorder.sample)
    return recorder.log()
