"""Flights of cases: `fly_cases`."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import partial

import numpy as np
from numpy.typing import NDArray

from pyrfly.cases.result import MEASURES, CaseResult, Rules, motion_of
from pyrfly.cases.steps import COMMANDS, FIRST_FAULT, Action, Case, Step, check_case
from pyrfly.errors import RunEnded, brief
from pyrfly.mission.base_pilot import TICK
from pyrfly.protocol import synthesis
from pyrfly.protocol.masks import MavFrame
from pyrfly.protocol.synthesis import Inputs
from pyrfly.sim import STATUS_TEXT, Sim
from pyrfly.sim.arguments import steps_in
from pyrfly.sim.run import Sampler

__all__ = ["fly_cases"]

MARKER = "MAV_CMD 183 (999)"
"""RflySim's mark of an injection in PX4's log: that command with seven parameters of 999."""

Array = NDArray[np.float64]
Waits = Callable[[], bool]


def fly_cases(
    sim: Sim,
    cases: Mapping[int, Case],
    *,
    rules: Rules | None = None,
    recorder: Sampler | None = None,
    stop: Callable[[], str] = str,
) -> dict[int, CaseResult]:
    """Fly a case with each of some vehicles at the same time, until the last has ended.

    Positions are relative to where the vehicles stand. A vehicle is looked at every 20 ms; commands
    act at once.

    Parameters
    ----------
    sim : Sim
        Simulation; all its vehicles are stepped.
    cases : mapping of int to Case
        The case of each CopterID.
    rules : Rules, optional
        What a case has to keep.
    recorder : Sampler, optional
        Takes a sample at the start and every 20 ms.
    stop : callable
        Called every 20 ms: a reason to end there, or an empty text.

    Raises
    ------
    TypeError, ValueError
        There is no such vehicle, it has no such command, or 20 ms is not a multiple of the step;
        nothing is changed then.
    """
    if not isinstance(cases, Mapping) or not all(isinstance(c, Case) for c in cases.values()):
        raise TypeError(f"cases: expected a mapping of CopterIDs to cases, got {brief(cases)}")
    sim.select(list(cases)).require_distinct()
    steps = steps_in("tick", TICK, sim.dt)
    if not math.isclose(steps * sim.dt, TICK):
        raise ValueError(f"dt: expected a part of {TICK} s, got {sim.dt}")
    for copter_id, case in cases.items():
        check_case(case, sim.select(copter_id).abilities[0].kind)
    sim.enable_synthesis()
    flights = [_Flight(sim, i, case, rules or Rules()) for i, case in cases.items()]
    if recorder is not None:
        recorder.sample()
    while active := [flight for flight in flights if flight.command()]:
        if reason := stop():
            for flight in active:
                flight.end(reason)
            break
        try:
            sim.step(steps)
        except RunEnded as error:  # at a boundary of one of them
            for flight in active:
                flight.end(str(error))
            break
        if recorder is not None:
            recorder.sample()
        for flight in active:
            flight.measure()
    return {flight.copter_id: flight.result() for flight in flights}


class _Flight:
    """A case that one vehicle flies."""

    def __init__(self, sim: Sim, copter_id: int, case: Case, rules: Rules) -> None:
        self.copter_id = copter_id
        self._sim, self._case, self._rules = sim, case, rules
        self._row = copter_id - 1
        self._vehicle = sim.select(copter_id)
        self._kind = self._vehicle.abilities[0].kind
        self._begin = self._since = self._ended = sim.time
        self._home = np.array(sim.pos[self._row], np.float64)
        self._next = 0
        self._done: Waits | None = None
        self._reason = ""
        self._told: Array | None = None
        self._injected = math.nan
        self._rates: list[Array] = []
        self._maxima = dict.fromkeys(MEASURES[:-1], 0.0)
        self._crashed = False
        self._texts: list[tuple[float, str]] = []

    # --- commands

    def command(self) -> bool:
        """Begin the steps that are due; return whether the flight goes on."""
        while not self._reason:
            if self._done is not None:
                if not self._done():
                    return self._has_patience()
                self._done = None
            if self._next == len(self._case.steps):
                self.end("completed")
                break
            step = self._case.steps[self._next]
            self._next += 1
            self._since = self._sim.time
            self._texts.append((self._since, f"case {self._case.number}: {step.text}"))
            self._done = _BEGIN[COMMANDS[step.code].of(self._kind)](self, step)
        return not self._reason

    def _has_patience(self) -> bool:
        step = self._case.steps[self._next - 1]
        waited = self._sim.time - self._since
        if step.code != (1, 1) and waited > self._rules.patience:
            self.end(f"command {step.number} ({step.text}): not done within {waited:.0f} s")
        return not self._reason

    def end(self, reason: str) -> None:
        """End the flight."""
        self._reason = reason
        self._ended = self._sim.time

    def _send(self, inputs: Inputs) -> None:
        self._sim.command_sil(*inputs, ids=self.copter_id)

    def wait(self, step: Step) -> Waits:
        """Wait some seconds."""
        until = self._sim.time + step.params[0] - 0.5 * self._sim.dt
        return lambda: self._sim.time >= until

    def reach(self, step: Step) -> Waits:
        """Wait until the vehicle is at a position."""
        place, row = np.array(step.params[:2]), self._row
        return lambda: self._way(self._sim.known.pos[row], place) < self._rules.arrival

    def arm(self, step: Step, on: bool) -> None:
        """Arm or disarm."""
        self._send(synthesis.arm([on]))

    def take_off(self, step: Step) -> None:
        """Take off to a position."""
        armed = self._sim.armed[[self._row]] != 0
        self._send(synthesis.take_off(*([value] for value in step.params), armed=armed))

    def position(self, step: Step) -> None:
        """Fly to a position."""
        self._send(synthesis.set_points(MavFrame.LOCAL_NED, pos=[step.params]))

    def velocity(self, step: Step) -> None:
        """Fly with a velocity."""
        self._send(synthesis.set_points(MavFrame.LOCAL_NED, vel=[step.params]))

    def speed(self, step: Step) -> None:
        """Limit the speed."""
        self._vehicle.write(self._vehicle.abilities[0].cruise_speed, step.params[0])

    def land(self, step: Step) -> Waits:
        """Land, at a position if one is given."""
        place = [*step.params[:2]] if len(step.params) > 1 else [math.nan, math.nan]
        self._told = np.array(place) if len(step.params) > 1 else None
        self._send(synthesis.land([place[0]], [place[1]]))
        return self._has_landed

    def inject(self, step: Step) -> None:
        """Inject faults; what is refused ends the flight."""
        numbers = [int(value) for value in step.params if value >= FIRST_FAULT]
        values = [value for value in step.params if value < FIRST_FAULT]
        inputs = synthesis.inputs(1)
        inputs.ints[0, : len(numbers)] = numbers
        inputs.floats[0, : len(values)] = values
        refused = self._sim.faults.inject(inputs.ints, inputs.floats, ids=self.copter_id)
        if refused:
            self.end(refused[0])
            return
        self._injected = self._sim.time if math.isnan(self._injected) else self._injected
        named = ", ".join(str(number) for number in dict.fromkeys(numbers))
        self._texts.append((self._sim.time, f"{MARKER}: fault {named}"))

    # --- measures

    def _distance(self, place: Array) -> float:
        return self._way(self._sim.pos[self._row], place)

    def _way(self, pos: Array, place: Array) -> float:
        offset = pos[:2] - self._home[:2] - place
        return float(np.hypot(offset[0], offset[1]))

    def _height(self) -> float:
        return float(self._sim.terrain[self._row] - self._sim.pos[self._row, 2])

    def _has_landed(self) -> bool:
        if self._sim.time - self._since < 1.0:
            return False
        height, vel = np.array([self._height()]), self._sim.vel[[self._row]]
        armed = self._sim.armed[self._row] != 0
        return not armed or (self._kind.circles and bool(self._kind.landed(height, vel)[0]))

    def measure(self) -> None:
        """Measure the present state, and end the flight where a rule is broken."""
        vel, rate = self._sim.vel[self._row], self._sim.rate[self._row]
        _, x, y, _ = self._sim.att[self._row].tolist()
        now = {
            "speed": float(np.linalg.norm(vel)),
            "tilt": math.degrees(math.acos(max(-1.0, 1.0 - 2.0 * (x * x + y * y)))),
            "rate": math.degrees(float(np.linalg.norm(rate))),
            "height": self._height(),
            "distance": self._distance(np.zeros(2)),
            "fall_speed": 0.0,
        }
        if now["height"] < self._rules.crash_height:
            now["fall_speed"] = float(vel[2])
        for name, value in now.items():
            self._maxima[name] = max(self._maxima[name], value)
        if not math.isnan(self._injected):
            self._rates.append(np.array(rate, np.float64))
        self._judge(now)

    def _judge(self, now: Mapping[str, float]) -> None:
        status = int(self._sim.status[self._row])
        rules, time = self._rules, self._sim.time - self._begin
        if status:
            texts = [text for bit, text in STATUS_TEXT.items() if status & bit]
            self.end(f"fault of the simulation at {time:.2f} s: {'; '.join(texts)}")
        elif now["fall_speed"] > rules.crash_speed:
            self._crashed = True
            self.end(f"crash at {time:.2f} s: {now['fall_speed']:.1f} m/s at {now['height']:.1f} m")
        for name, limit in rules.limits.items():
            if not self._reason and self._maxima.get(name, 0.0) > limit:
                self.end(f"{name} at {time:.2f} s: over {limit:g}")

    def result(self) -> CaseResult:
        """Return how the case went."""
        error = 0.0 if self._told is None else self._distance(self._told)
        measures = {**self._maxima, "landing_error": error}
        reason, limits = self._reason, self._rules.limits
        allowed = min(limits.get("landing_error", math.inf), self._rules.landing)
        if reason == "completed" and error > allowed:
            reason = f"landed {error:.1f} m from where it was told to"
        mean = np.abs(np.mean(self._rates, axis=0)).max() if self._rates else 0.0
        return CaseResult(
            self._case.number,
            self._case.name,
            reason == "completed",
            reason,
            self._ended - self._begin,
            self._injected - self._begin,
            motion_of(float(mean), self._crashed) if self._rates else "",
            measures,
            tuple((time, text) for time, text in self._texts),
        )


_BEGIN: Mapping[Action, Callable[[_Flight, Step], Waits | None]] = {
    Action.WAIT: _Flight.wait,
    Action.REACH: _Flight.reach,
    Action.ARM: partial(_Flight.arm, on=True),
    Action.DISARM: partial(_Flight.arm, on=False),
    Action.TAKE_OFF: _Flight.take_off,
    Action.POSITION: _Flight.position,
    Action.VELOCITY: _Flight.velocity,
    Action.SPEED: _Flight.speed,
    Action.LAND: _Flight.land,
    Action.INJECT: _Flight.inject,
}
"""What begins a step; it returns a function that says whether it is done, or None: at once."""
