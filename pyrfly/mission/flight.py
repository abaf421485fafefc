"""Execution of a `pyrfly.mission.Mission` by one vehicle of a `pyrfly.Sim`: `fly_mission`."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from pyrfly import exact
from pyrfly.mission.items import (
    ChangeSpeed,
    Land,
    Loiter,
    Mission,
    MissionItem,
    ReturnToLaunch,
    TakeOff,
    Waypoint,
)
from pyrfly.mission.pilot import LANDING_SPEED, RETURN_HEIGHT, TICK, Pilot, Simulator, Vehicle

__all__ = ["FlightResult", "ItemResult", "Sampler", "fly_mission", "summary_table"]


class Sampler(Protocol):
    """Interface of a recorder, such as a `pyrfly.log.Recorder`."""

    def sample(self) -> None:
        """Take a sample of the present state."""


@dataclass(frozen=True)
class ItemResult:
    """Time at which an item of the mission was reached.

    Attributes
    ----------
    number : int
        Number in the mission file, 0 for an implicit item.
    name : str
        Description of the item.
    time : float or None
        Time since the start of the flight [s]; None if it was not reached.
    """

    number: int
    name: str
    time: float | None


@dataclass(frozen=True)
class FlightResult:
    """Result of a flight.

    Attributes
    ----------
    mission : str
        Name of the mission.
    completed : bool
        Whether all items were flown.
    reason : str
        Reason for the end of the flight.
    time : float
        Simulated time from arming to the end [s].
    distance : float
        Length of the flown path [m].
    cross_track_rms, cross_track_max : float or None
        Root mean square and maximum of the cross-track error [m], without corners, take-off and
        landing. None if no leg was flown.
    landing_error : float or None
        Horizontal distance from the landing position at the last touchdown [m], None without one.
    wall_time : float
        Wall time [s].
    real_time_factor : float
        Simulated time over wall time.
    items : tuple of ItemResult
        In the order of the mission.
    """

    mission: str
    completed: bool
    reason: str
    time: float
    distance: float
    cross_track_rms: float | None
    cross_track_max: float | None
    landing_error: float | None
    wall_time: float
    real_time_factor: float
    items: tuple[ItemResult, ...]


def fly_mission(
    sim: Simulator,
    mission: Mission,
    *,
    copter_id: int = 1,
    recorder: Sampler | None = None,
) -> FlightResult:
    """Fly a mission with one vehicle.

    The home of the mission is the origin of the local frame. The vehicle starts at its present
    position, which is also its launch position.

    Parameters
    ----------
    sim : Simulator
        Simulation; all its vehicles are stepped.
    mission : Mission
        The mission.
    copter_id : int
        CopterID of the vehicle, 1 to ``sim.n``.
    recorder : Sampler, optional
        Takes a sample at the start and every 20 ms of simulated time.

    Returns
    -------
    FlightResult
        The result, also of a failed flight. A flight is aborted if the vehicle has a fault flag, or
        after three times the nominal duration of the mission plus one minute.

    Raises
    ------
    ValueError
        There is no such vehicle, or 20 ms is not a multiple of the step.

    Examples
    --------
    >>> sim = pyrfly.Sim("x450", 1)  # doctest: +SKIP
    >>> print(summary_table(fly_mission(sim, read_mission(DEMO))))  # doctest: +SKIP
    """
    if not isinstance(copter_id, (int, np.integer)) or not 1 <= copter_id <= sim.n:
        raise ValueError(f"copter_id: expected an integer 1..{sim.n}, got {copter_id!r}")
    steps = _steps_per_tick(sim.dt)
    vehicle = Vehicle(sim, copter_id)
    pilot = Pilot(vehicle, mission)
    meter = _Meter(pilot, vehicle)
    limit = 3.0 * _nominal_time(mission, vehicle) + 60.0
    start, wall_start = sim.time, time.perf_counter()
    reason = ""
    if recorder is not None:
        recorder.sample()
    for _ in pilot.fly():
        sim.step(steps)
        vehicle.update()
        if recorder is not None:
            recorder.sample()
        meter.update()
        reason = _abort_reason(vehicle, start + limit)
        if reason:
            break
    wall_time = time.perf_counter() - wall_start
    flown = sim.time - start
    return FlightResult(
        mission=mission.name,
        completed=not reason,
        reason=reason or "all items flown",
        time=flown,
        distance=meter.distance,
        cross_track_rms=meter.cross_track_rms,
        cross_track_max=meter.cross_track_max,
        landing_error=pilot.landing_error,
        wall_time=wall_time,
        real_time_factor=flown / wall_time,
        items=tuple(
            ItemResult(item.number, _label(item), None if at is None else at - start)
            for item, at in zip(mission.items, pilot.reached, strict=True)
        ),
    )


def summary_table(result: FlightResult) -> str:
    """Return the result of a flight as a table.

    Parameters
    ----------
    result : FlightResult
        Result of `fly_mission`.

    Returns
    -------
    str
        One line per figure, then one per item, without a final line break.
    """
    rows = [
        ("mission", result.mission),
        ("completed", f"{'yes' if result.completed else 'no'}: {result.reason}"),
        ("flight time", f"{result.time:.2f} s"),
        ("distance", f"{result.distance:.1f} m"),
        ("cross-track error, rms", _metres(result.cross_track_rms)),
        ("cross-track error, max", _metres(result.cross_track_max)),
        ("landing error", _metres(result.landing_error)),
        ("wall time", f"{result.wall_time:.3f} s"),
        ("real-time factor", f"{result.real_time_factor:.0f}"),
    ]
    for item in result.items:
        name = f"{item.number:>3} {item.name}" if item.number else f"    {item.name}"
        rows.append((name, "not reached" if item.time is None else f"{item.time:.2f} s"))
    width = max(len(name) for name, _ in rows)
    return "\n".join(f"{name:<{width}}  {value}" for name, value in rows)


def _metres(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f} m"


def _label(item: MissionItem) -> str:
    match item:
        case TakeOff():
            return f"take off to {-item.pos[2]:.1f} m"
        case Waypoint():
            return f"waypoint, hold {item.hold:g} s" if item.hold else "waypoint"
        case Loiter():
            return f"loiter {item.seconds:g} s"
        case ChangeSpeed():
            return f"speed {item.speed:g} m/s"
        case ReturnToLaunch():
            return "return to launch"
        case Land():
            return "land"


def _steps_per_tick(dt: float) -> int:
    steps = round(TICK / dt)
    if steps < 1 or not math.isclose(steps * dt, TICK, rel_tol=1e-6):
        raise ValueError(f"sim.dt: expected a step that divides {TICK} s, got {dt!r} s")
    return steps


def _abort_reason(vehicle: Vehicle, deadline: float) -> str:
    """Return the reason to abort the flight, empty if there is none."""
    if vehicle.fault:
        return f"invalid state: {vehicle.fault}"
    if vehicle.time > deadline:
        return f"not finished after {deadline:.0f} s of simulated time"
    return ""


def _nominal_time(mission: Mission, vehicle: Vehicle) -> float:
    """Return a conservative estimate of the duration of a mission [s]."""
    pos, speed, total = vehicle.pos, mission.cruise_speed, 0.0
    for item in mission.items:
        if isinstance(item, ChangeSpeed):
            speed = item.speed
            continue
        target = vehicle.reachable(vehicle.pos if isinstance(item, ReturnToLaunch) else item.pos)
        way = target - pos
        rises = isinstance(item, ReturnToLaunch) and not vehicle.drives
        climb = 2.0 * RETURN_HEIGHT if rises else 0.0
        cruise = min(speed, vehicle.speed_limit)
        total += math.hypot(way[0], way[1]) / cruise + 2.0 * cruise / vehicle.acceleration
        total += (abs(way[2]) + climb) / min(vehicle.climb, vehicle.descent, LANDING_SPEED)
        if isinstance(item, Waypoint):
            total += item.hold
        elif isinstance(item, Loiter):
            total += item.seconds
        pos = target
    return total


class _Meter:
    """Statistics of a flight: path length and cross-track error."""

    def __init__(self, pilot: Pilot, vehicle: Vehicle) -> None:
        self._pilot = pilot
        self._vehicle = vehicle
        self._last = vehicle.pos
        self._squares = 0.0
        self._count = 0
        self._maximum = 0.0
        self.distance = 0.0

    def update(self) -> None:
        """Update the statistics with the present state."""
        pos = self._vehicle.pos
        self.distance += float(exact.norm(pos - self._last))
        self._last = pos
        leg = self._pilot.leg
        if leg is not None:
            error = leg.cross_track_error(pos)
            self._squares += error**2
            self._count += 1
            self._maximum = max(self._maximum, error)

    @property
    def cross_track_rms(self) -> float | None:
        """Root mean square cross-track error [m]."""
        return math.sqrt(self._squares / self._count) if self._count else None

    @property
    def cross_track_max(self) -> float | None:
        """Maximum cross-track error [m]."""
        return self._maximum if self._count else None
