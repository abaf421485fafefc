"""Execution of missions by vehicles of a `pyrfly.Sim`: `fly_mission`, `fly_missions`."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Protocol

import numpy as np

from pyrfly import exact
from pyrfly.errors import MissionError, RunEnded, brief, warn
from pyrfly.frames import DEFAULT_ORIGIN
from pyrfly.mavlink.modes import NavState
from pyrfly.mission.base_pilot import TICK, BasePilot
from pyrfly.mission.fence import FENCE_ACTIONS, Breach, Fence, FenceAction
from pyrfly.mission.fixed_wing import FixedWing
from pyrfly.mission.items import Land, ReturnToLaunch, Reverse
from pyrfly.mission.kinds import pilot_of, vehicle_of
from pyrfly.mission.low_battery import (
    BATTERY_ACTIONS,
    BatteryAction,
    LowBattery,
    checked_battery_actions,
)
from pyrfly.mission.mission import DEFAULT_HOME, Mission
from pyrfly.mission.nominal_time import nominal_time
from pyrfly.mission.reading import read_mission
from pyrfly.mission.result import FlightResult, ItemResult, item_label
from pyrfly.mission.together import Together
from pyrfly.mission.vehicle import Simulator, Vehicle
from pyrfly.mission.vtol import Vtol
from pyrfly.sim import Sim
from pyrfly.sim.ends import Until, Watch, checked_until
from pyrfly.vehicles.abilities import Abilities

__all__ = ["Sampler", "fly_mission", "fly_missions"]


CHECK_INTERVAL = 1.0
"""Time between looks whether the vehicle is stranded [s]."""


_ACTION_MODES: dict[FenceAction, NavState] = {
    "hold": NavState.AUTO_LOITER,
    "return": NavState.AUTO_RTL,
    "land": NavState.AUTO_LAND,
}


_STRENGTH: dict[FenceAction, int] = {"warn": 0, "hold": 1, "return": 2, "land": 3}
"""Of actions of which the strongest counts."""


class Sampler(Protocol):
    """Interface of a recorder, such as a `pyrfly.log.Recorder`."""

    def sample(self) -> None:
        """Take a sample of the present state."""


def fly_mission(
    sim: Simulator,
    mission: Mission | str | os.PathLike[str],
    *,
    copter_id: int = 1,
    recorder: Sampler | None = None,
    fence_action: FenceAction = "hold",
    battery_actions: Mapping[float, BatteryAction] = BATTERY_ACTIONS,
    stop: Callable[[], str] = str,
    until: Until = (),
) -> FlightResult:
    """Fly a mission with one vehicle.

    The home of the mission is the origin of the local frame: a ``sim.origin`` that was not set
    (`pyrfly.frames.DEFAULT_ORIGIN`) is set to it, and a home that was not set (the same) is that of
    the simulation. The vehicle starts at its present position, which is also its launch position.

    Parameters
    ----------
    sim : Simulator
        Simulation; all its vehicles are stepped.
    mission : Mission, str or path-like
        The mission, or its file, which `read_mission` reads.
    copter_id : int
        CopterID of the vehicle, 1 to ``sim.n``.
    recorder : Sampler, optional
        Takes a sample at the start and every 20 ms of simulated time.
    fence_action : {'none', 'warn', 'hold', 'return', 'land'}
        Action at a breach of the geofence of the mission, as PX4's GF_ACTION, with its default;
        see `pyrfly.mission.FenceAction`.
    battery_actions : mapping of float to {'warn', 'return', 'land'}
        Action at the first fall of the charge of a battery below each threshold, 0 to 1, looked at
        every second; by default PX4's, see `pyrfly.mission.BATTERY_ACTIONS`. An empty one: none.
    stop : callable
        Called every 20 ms of simulated time: a reason to end the flight there, or an empty text.
    until : {'crashed', 'landed', 'disarmed', 'at_rest'} or sequence of these
        A flight fails where its vehicle has come to one of these ends (docs/safety.md) before the
        mission has.

    Returns
    -------
    FlightResult
        The result, also of a failed flight. A flight is aborted if the vehicle has a fault flag, or
        after three times the nominal duration of the mission plus one minute.

    Raises
    ------
    TypeError
        It is no mission.
    MissionError
        The file cannot be read, or is invalid, or the plan is for the ground or the water and the
        vehicle flies, or it has legs backward and the vehicle does not go backward.
    ValueError
        There is no such vehicle or action, 20 ms is not a multiple of the step, or the home of the
        mission and ``sim.origin`` were set to different places; then nothing is changed.

    Warns
    -----
    UserWarning
        The airspeed of the mission is beyond what the vehicle is commanded by wings; the plan is
        for vehicles that move in another way, such as one of planes for a multirotor.

    Examples
    --------
    >>> sim = pyrfly.Sim("x450", 1)  # doctest: +SKIP
    >>> print(summary_table(fly_mission(sim, DEMO)))  # doctest: +SKIP
    """
    missions = {copter_id: _mission("mission", mission)}
    flown = fly_missions(
        sim,
        missions,
        recorder=recorder,
        fence_action=fence_action,
        battery_actions=battery_actions,
        stop=stop,
        until=until,
    )
    return flown[copter_id]


def fly_missions(
    sim: Simulator,
    missions: Mapping[int, Mission | str | os.PathLike[str]],
    *,
    recorder: Sampler | None = None,
    fence_action: FenceAction = "hold",
    battery_actions: Mapping[float, BatteryAction] = BATTERY_ACTIONS,
    stop: Callable[[], str] = str,
    until: Until = (),
) -> dict[int, FlightResult]:
    """Fly missions with several vehicles at the same time, until the last has ended.

    Parameters
    ----------
    sim : Simulator
        Simulation; all its vehicles are stepped.
    missions : mapping of int to Mission, str or path-like
        The mission of each CopterID, or its file. All are flown in the one local frame of the
        simulation, so that they have one home.
    recorder, fence_action, battery_actions, stop, until
        See `fly_mission`.

    Returns
    -------
    dict of int to FlightResult
        The result of each CopterID.

    Raises
    ------
    TypeError, MissionError, ValueError
        As by `fly_mission`; ``missions`` is no mapping, or empty.
    """
    if not isinstance(missions, Mapping):
        kind = type(missions).__name__
        raise TypeError(f"missions: expected a mapping of CopterIDs to missions, got {kind}")
    if not missions:
        raise ValueError("missions: expected at least one, got none")
    if fence_action not in FENCE_ACTIONS:
        expected = ", ".join(FENCE_ACTIONS)
        raise ValueError(f"fence_action: expected one of {expected}, got {brief(fence_action)}")
    for copter_id in missions:
        if not isinstance(copter_id, (int, np.integer)) or not 1 <= copter_id <= sim.n:
            raise ValueError(f"copter_id: expected an integer 1..{sim.n}, got {copter_id!r}")
    thresholds = checked_battery_actions(battery_actions)
    watch = _watch(sim, until)
    steps = _steps_per_tick(sim.dt)
    read = {i: _mission(f"missions[{i}]", mission) for i, mission in missions.items()}
    _check_kinds(sim, read)
    _join_origin(sim, read.values())
    together = Together(sim) if isinstance(sim, Sim) else None
    seen = together or sim
    flights = {
        i: _Flight(seen, i, mission, fence_action, thresholds) for i, mission in read.items()
    }
    if recorder is not None:
        recorder.sample()
    while active := [flight for flight in flights.values() if flight.command(watch)]:
        if together is not None:
            together.write()
        reason = stop() or _step(sim, steps)
        if recorder is not None:
            recorder.sample()
        if reason:
            for flight in active:
                flight.end(reason)
            break
        if watch is not None:
            watch.look(sim.time)
        if together is not None:
            together.read()
        for flight in active:
            flight.update()
    return {copter_id: flight.result() for copter_id, flight in flights.items()}


def _watch(sim: Simulator, until: Until) -> Watch | None:
    """Return what looks for the ends of the vehicles, None without any."""
    names = checked_until(until)
    if not names:
        return None
    if not isinstance(sim, Sim):
        raise TypeError(f"until: expected vehicles of a pyrfly.Sim, got {brief(sim)}")
    return Watch(sim.select(), names)


def _step(sim: Simulator, steps: int) -> str:
    """Step; return why the run has ended, by a safety boundary."""
    try:
        sim.step(steps)
    except RunEnded as end:
        return end.reason
    return ""


def _mission(what: str, mission: Mission | str | os.PathLike[str]) -> Mission:
    """Return a mission, read from its file if there is one; ``what`` names the argument."""
    if isinstance(mission, (str, os.PathLike)):
        return read_mission(mission)
    if not isinstance(mission, Mission):
        raise TypeError(f"{what}: expected a Mission or the path of its file, got {brief(mission)}")
    return mission


def _check_kinds(sim: Simulator, missions: Mapping[int, Mission]) -> None:
    """Raise a MissionError for missions that vehicles cannot follow; warn of other kinds.

    Those are missions on the surface, of vehicles that fly, and legs backward. What drives follows
    a mission of any kind, at its height.
    """
    for copter_id, mission in missions.items():
        able = sim.select(int(copter_id)).abilities[0]
        _check_directions(mission, copter_id, able)
        asked, kind = mission.kind, able.kind
        if asked is None or kind & asked or kind.on_surface:
            continue
        told = f"the mission {mission.name!r} is for a vehicle that {asked.doing}"
        if asked.on_surface:
            raise MissionError(f"{told}, and CopterID {copter_id} {kind.doing}")
        warn(f"{told}, and CopterID {copter_id} {kind.doing}", UserWarning)


def _check_directions(mission: Mission, copter_id: int, able: Abilities) -> None:
    """Raise a MissionError for legs backward of a vehicle that does not follow them."""
    for place, item in enumerate(mission.items, start=1):
        if isinstance(item, Reverse) and item.backward and not able.backs:
            raise MissionError(
                f"item {item.number or place}: backward: CopterID {copter_id} {able.kind.doing},"
                " and does not go to positions backward"
            )


def _join_origin(sim: Simulator, missions: Iterable[Mission]) -> None:
    """Make the home of missions the origin; raise a ValueError if different ones were set."""
    homes = {mission.home: None for mission in missions if mission.home != DEFAULT_HOME}
    if sim.origin != DEFAULT_ORIGIN:
        homes = {sim.origin: None, **homes}
    if len(homes) > 1:
        here, other, *_ = homes
        what = "sim.origin" if here == sim.origin else "the first mission"
        raise ValueError(
            f"home: expected that of {what}, {here}, got {other}; set sim.origin = mission.home, or"
            " read the mission with read_mission(path, home=sim.origin)"
        )
    for home in homes:
        if home != sim.origin:
            sim.origin = home


def _warn_of_airspeed(mission: Mission, vehicle: Vehicle, copter_id: int) -> None:
    """Warn of an airspeed of a mission that a vehicle that flies by wings does not reach."""
    wings = vehicle.wings if isinstance(vehicle, Vtol) else vehicle
    airspeed = mission.airspeed
    if isinstance(wings, FixedWing) and airspeed is not None and airspeed > wings.speed_limit:
        warn(
            f"airspeed: expected at most {wings.speed_limit:.1f} m/s for CopterID {copter_id},"
            f" got {airspeed:g} m/s: it flies as fast as it may",
            UserWarning,
        )


class _Flight:
    """A mission that is flown by a vehicle: its pilot, its geofence and its statistics."""

    def __init__(
        self,
        sim: Simulator,
        copter_id: int,
        mission: Mission,
        fence_action: FenceAction,
        battery_actions: Mapping[float, BatteryAction],
    ) -> None:
        self._mission = mission
        self._row = int(copter_id) - 1
        self._vehicle = vehicle_of(sim, int(copter_id))
        _warn_of_airspeed(mission, self._vehicle, int(copter_id))
        self._pilot = pilot_of(self._vehicle, mission)
        self._moves = self._pilot.fly()
        self._meter = _Meter(self._pilot, self._vehicle)
        self._action = "none" if mission.fence == Fence() else fence_action
        self._breaches: list[Breach] = []
        self._violation = ""  # of the geofence, at present
        self._thresholds = dict(battery_actions)  # those above the charge are taken out
        self._low_battery: list[LowBattery] = []
        self._diverted: list[tuple[float, FenceAction]] = []  # when actions began [s]
        self._start = self._vehicle.time
        self._checked = 0.0  # when the vehicle was looked at [s since the start]
        self._limit = 3.0 * nominal_time(mission, self._vehicle) + 60.0
        self._failure = ""
        self._ended = False
        self._wall_start = time.perf_counter()
        self._wall_time = 0.0

    def command(self, watch: Watch | None) -> bool:
        """Command the next set-point; return whether the flight goes on."""
        if not self._ended and next(self._moves, self) is self:
            self.end("" if self._failure else self._left_out())
        if not self._ended and watch is not None and (end := watch.end_of(self._row)):
            self.end(f"{end} before the end of the mission")
        return not self._ended

    def _left_out(self) -> str:
        """Return what is left of a mission that ended at an item; else nothing."""
        left = self._pilot.reached.count(None)
        paused = self._mission.items[self._mission.order[self._pilot.place]].pauses
        what = "a pause" if paused else "a loiter without end"
        return f"{what}: {left} item{'s' * (left != 1)} after it not flown" if left else ""

    def update(self) -> None:
        """Read the state after a tick."""
        self._vehicle.update()
        self._meter.update()
        self._check_fence()
        if self._vehicle.fault:
            self.end(f"invalid state: {self._vehicle.fault}")
        elif self._pilot.failure:
            self._abort(f"{self._pilot.failure}, after {self._elapsed():.0f} s of simulated time")
        elif self._elapsed() > self._limit:
            self._abort(f"not finished after {self._limit:.0f} s of simulated time")
        elif self._elapsed() > self._checked + CHECK_INTERVAL:
            self._checked = self._elapsed()
            self._check_battery()
            if self._vehicle.stranded:
                self._abort(f"given up after {self._elapsed():.0f} s of simulated time")

    def _abort(self, what: str) -> None:
        """End the flight with what is known of why it does not go on."""
        troubles = self._vehicle.troubles(self._pilot.goal)
        self.end(f"{what}: {', '.join(troubles)}")

    def end(self, reason: str) -> None:
        """End the flight, with the reason if it has failed, after that of an action at a breach."""
        self._ended = True
        self._failure = "; ".join(filter(None, (self._failure, reason)))
        self._wall_time = time.perf_counter() - self._wall_start

    def result(self) -> FlightResult:
        """Return the result of the flight, which has ended."""
        meter, items = self._meter, self._mission.items
        return FlightResult(
            mission=self._mission.name,
            completed=not self._failure,
            reason=self._failure or "all items flown",
            time=self._elapsed(),
            distance=meter.distance,
            cross_track_rms=meter.cross_track_rms,
            cross_track_max=meter.cross_track_max,
            landing_error=self._pilot.landing_error,
            wall_time=self._wall_time,
            real_time_factor=self._elapsed() / self._wall_time,
            items=tuple(
                ItemResult(number, item_label(item), None if at is None else at - self._start)
                for number, item, at in (
                    (items[index].number, items[index], at)
                    for index, at in zip(self._mission.order, self._pilot.reached, strict=True)
                )
            ),
            breaches=tuple(self._breaches),
            low_battery=tuple(self._low_battery),
            modes=self._modes(),
        )

    def _modes(self) -> tuple[tuple[float, NavState], ...]:
        """Return the modes of PX4: of the mission and its return, of an action, then hold."""
        modes = [(0.0, NavState.AUTO_MISSION)]
        before: float | None = self._start  # when the item before was reached
        for index, at in zip(self._mission.order, self._pilot.reached, strict=True):
            if isinstance(self._mission.items[index], ReturnToLaunch) and before is not None:
                modes.append((before - self._start, NavState.AUTO_RTL))
            before = at
        if self._diverted:
            modes = [(time, mode) for time, mode in modes if time < self._diverted[0][0]]
            modes += [(time, _ACTION_MODES[action]) for time, action in self._diverted]
        return (*modes, (self._elapsed(), NavState.AUTO_LOITER))

    def _elapsed(self) -> float:
        return self._vehicle.time - self._start

    def _check_fence(self) -> None:
        """Report a breach of the geofence when it begins, and take the action at the first one."""
        if self._action == "none":
            return
        before, self._violation = self._violation, self._mission.fence.breach(self._vehicle.pos)
        if not self._violation or before:
            return
        self._breaches.append(Breach(self._elapsed(), self._violation))
        self._divert(self._action, f"geofence breach: {self._violation}")

    def _check_battery(self) -> None:
        """Report a charge that has fallen below thresholds, and take the action of each."""
        while self._thresholds and self._vehicle.charge < next(iter(self._thresholds)):
            charge = next(iter(self._thresholds))
            action = self._thresholds.pop(charge)
            self._low_battery.append(LowBattery(self._elapsed(), charge, action))
            if action != "return" or not self._lands():
                self._divert(action, f"battery below {100 * charge:g} %")

    def _lands(self) -> bool:
        """Return whether the mission returns or lands by itself at present."""
        item = self._mission.items[self._mission.order[self._pilot.place]]
        return isinstance(item, (Land, ReturnToLaunch))

    def _divert(self, action: FenceAction, reason: str) -> None:
        """Take an action for a reason, unless one that is as strong is taken already."""
        taken = max((_STRENGTH[before] for _, before in self._diverted), default=0)
        if _STRENGTH[action] > taken:
            self._failure = "; ".join(filter(None, (self._failure, f"{reason}; action: {action}")))
            self._diverted.append((self._elapsed(), action))
            self._moves = self._pilot.divert(action)


def _steps_per_tick(dt: float) -> int:
    steps = round(TICK / dt)
    if steps < 1 or not math.isclose(steps * dt, TICK, rel_tol=1e-6):
        raise ValueError(f"sim.dt: expected a step that divides {TICK} s, got {dt!r} s")
    return steps


class _Meter:
    """Statistics of a flight: true path length and cross-track error."""

    def __init__(self, pilot: BasePilot, vehicle: Vehicle) -> None:
        self._pilot = pilot
        self._vehicle = vehicle
        self._last, self._backward = vehicle.true_pos, vehicle.backward
        self._squares = 0.0
        self._count = 0
        self._maximum = 0.0
        self.distance = 0.0

    def update(self) -> None:
        """Update the statistics with the present state."""
        pos, backward = self._vehicle.true_pos, self._vehicle.backward
        if backward == self._backward:  # else it may be the place of a trailer, or not any more
            self.distance += float(exact.norm(pos - self._last))
        self._last, self._backward = pos, backward
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
