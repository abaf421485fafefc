"""Flights that tell parameters: `doublets` and `fly`, `multisines` and `fly_surfaces`.

What a flight does not excite it cannot tell. Of a multirotor doublets of velocity excite thrust,
tilt and drag, and end where they began; those of yaw rate the reaction torques. They are
set-points, so that a vehicle flies them by its own controllers, in a simulation or in Offboard
mode. Of a plane multisines of its surfaces and its throttle excite all motions at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly.columns import command_columns
from pyrfly.errors import ParameterError, brief, require_kind
from pyrfly.log import Log, Recorder
from pyrfly.sim import Group, Sim

__all__ = ["SetPoint", "doublets", "fly", "fly_surfaces", "multisines"]

MEASURED = ("pos", "imu_accel", "imu_gyro", "vel_est", "att_est")
"""What is recorded beside the commands: the height, and what a vehicle knows of itself."""

RECORDED = 0.002  # interval of the recording [s], that of the fastest control loop
SURFACES = 0.004  # interval of commands of surfaces [s]


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
    <Log of 1 vehicles, 2000 samples from 0.000 to 3.998 s: throttle, ...>
    """
    _require_sensors(sim)
    chosen = doublets() if setpoints is None else list(setpoints)
    with _recorded(sim, more) as recorder:
        for now, then in pairwise(chosen):
            sim.command_velocity(now.vel, yaw_rate=now.yaw_rate)
            sim.sleep(then.time - now.time)
        sim.command_velocity(chosen[-1].vel, yaw_rate=chosen[-1].yaw_rate)
    return recorder.log()


def multisines(
    duration: float, count: int, *, low: float = 0.2, high: float = 2.5, interval: float = 0.004
) -> NDArray[np.float64]:
    """Return signals that excite several inputs at once and have nothing in common.

    Each is a sum of sines of frequencies of its own, with phases that keep its peaks low
    [@schroeder-1970].

    Parameters
    ----------
    duration : float
        [s]; the frequencies are whole numbers of periods in it.
    count : int
        Number of signals.
    low, high : float
        Band [Hz].
    interval : float
        Between samples [s].

    Returns
    -------
    ndarray, shape (T, count)
        Signals from -1 to 1.

    Raises
    ------
    ValueError
        There are fewer frequencies in the band than signals.
    """
    every = np.arange(np.ceil(low * duration), np.floor(high * duration) + 1) / duration
    if len(every) < count:
        least = count / max(high - low, 1e-9)
        raise ValueError(
            f"duration: expected at least {least:.3g} s for {count} signals of {low:g} to "
            f"{high:g} Hz, got {duration:g}"
        )
    t = interval * np.arange(round(duration / interval))
    found = []
    for i in range(count):
        own = every[i::count]
        phases = -np.pi * np.arange(len(own)) ** 2 / len(own)
        signal = np.cos(2 * np.pi * own * t[:, None] + phases).sum(axis=1)
        found.append(signal / np.abs(signal).max())
    return np.stack(found, axis=1)


def fly_surfaces(
    sim: Sim,
    duration: float = 20.0,
    *,
    deflection: float = 0.06,
    throttle: float = 0.15,
    more: Sequence[str] = (),
) -> Log:
    """Fly by multisines on the present commands, and return what was measured.

    The controllers are off meanwhile: an aircraft that is stable flies on, and turns away slowly.

    Parameters
    ----------
    sim : Sim
        Vehicles of one set that surfaces steer, such as planes, in level flight, with an IMU and an
        estimator.
    duration : float
        [s].
    deflection : float
        Amplitude of aileron, elevator and rudder [rad].
    throttle : float
        Amplitude of the throttle.
    more : sequence of str
        Further columns to record, such as ``wind``.

    Raises
    ------
    ParameterError
        The vehicles have no sensors or no estimator, or are not of one set, of a family that
        surfaces steer.
    """
    _require_sensors(sim)
    group, deflections = _steered(sim)
    steps = max(1, round(SURFACES / sim.dt))
    amplitudes = [deflection, deflection, deflection, throttle]
    changes = amplitudes * multisines(duration, 4, interval=steps * sim.dt) @ deflections
    low, high = np.array([(one.low, one.high) for one in group.ranges]).T
    present = group.actuator_commands(slice(None))
    controllers = sim.controllers
    sim.controllers = False
    try:
        with _recorded(sim, more) as recorder:
            for change in changes:
                _command(sim, group.actuators, np.clip(present + change, low, high))
                sim.step(steps)
            return recorder.log()
    finally:
        sim.controllers = controllers


def _steered(sim: Sim) -> tuple[Group, NDArray[np.float64]]:
    """Return vehicles of one set, and what their surfaces deflect by."""
    group = sim.groups[0]
    recipe = None if group.family.recipe is None else group.family.recipe()
    if len(sim.groups) > 1 or recipe is None or recipe.deflections is None:
        found = ", ".join(dict.fromkeys(f"{one.name} ({one.family.name})" for one in sim.groups))
        raise ParameterError(
            f"sim: expected vehicles of one parameter set that surfaces steer, got {found}"
        )
    return group, recipe.deflections(group.parameters)


def _command(sim: Sim, columns: Sequence[str], commands: NDArray[np.float64]) -> None:
    """Write commands of all actuators, shape (n, actuators), in the order of their columns."""
    at = 0
    for name in columns:
        view = getattr(sim, name)
        width = view[:1].size
        view[...] = commands[:, at : at + width].reshape(view.shape)
        at += width


def _require_sensors(sim: Sim) -> None:
    require_kind("sim", sim, Sim)
    if not (sim.sensors.enabled and sim.estimator.enabled):
        raise ParameterError(
            "sim: expected sensors and an estimator, which Sim.sensors.enable_all and "
            "Sim.estimator.enable switch on"
        )


@contextmanager
def _recorded(sim: Sim, more: Sequence[str]) -> Iterator[Recorder]:
    """Record commands and measurements in the block."""
    commands = command_columns(sim.groups[0].parameters.c_type)
    recorder = Recorder(sim, (*commands, *MEASURED, *more))
    sim.add_listener(recorder.sample, RECORDED)
    try:
        yield recorder
    finally:
        sim.remove_listener(recorder.sample)
