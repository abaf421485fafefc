"""Turns take-off, landing, holding and offboard commands of one vehicle into its set-points.

Every 20 ms of simulated time the navigator carries on with its task (seed 000 section 9.2.1.2). It
obeys offboard targets while it idles on the ground or holds a place in the air. A take-off and a
landing are not interrupted by them: a target that is given during a take-off holds once the height
is reached, as if it had been repeated all the time, which is what RflySim's client does; one that
is given during a landing is dropped at touch-down. A vehicle that was disarmed, by whomever, has no
task and no target any more.

What is remembered here (home, task, target) is no part of `Sim.snapshot`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import NamedTuple, TypeAlias

from pyrfly.ctrl.height import HeightLoop
from pyrfly.ctrl.vehicle import Vehicle
from pyrfly.flight import (
    ARRIVAL_RADIUS,
    LANDING_SPEED,
    LIMIT_SHARE,
    TAKEOFF_SPEED,
    TOUCHED_HEIGHT,
    TOUCHED_SPEED,
    TOUCHED_TIME,
)
from pyrfly.sim import Setpoint

__all__ = ["PERIOD", "Navigator", "Target", "Task"]

Triple: TypeAlias = tuple[float, float, float]

PERIOD = 0.02
"""Simulated time between updates [s]."""

CLEARANCE = 0.5  # m above the ground from which a take-off may move sideways and turn
PRESS = 0.5  # m below the ground where the landing set-point ends, so that the vehicle settles
_EPS = 1e-9  # s: time is a multiple of the step


class Task(Enum):
    """What a navigator is doing."""

    NONE = "nothing: the set-points are left alone"
    IDLE = "rotors idle on the ground"
    HOLD = "holds a place"
    CLIMB = "takes off"
    APPROACH = "flies above the landing place"
    DESCEND = "sinks until the ground is met"


class Target(NamedTuple):
    """What an offboard script asks for.

    Attributes
    ----------
    mask : int
        Bits of `pyrfly.Setpoint`.
    pos : tuple of float, optional
        Position [m, NED of the map]; the vehicle is brought to rest along an axis that is NaN.
    vel : tuple of float, optional
        Velocity [m/s, in the frame that ``mask`` says]; likewise.
    down : float, optional
        Down coordinate [m, NED of the map] that the thrust is to hold.
    others : mapping of str to float or sequence of float
        Values of other set-point columns.
    """

    mask: int
    pos: Triple | None = None
    vel: Triple | None = None
    down: float | None = None
    others: Mapping[str, float | Sequence[float]] = {}


class Navigator:
    """The navigator of one vehicle.

    Parameters
    ----------
    vehicle : Vehicle
        Whose set-points are written. Where it is now becomes home.

    Attributes
    ----------
    home : tuple of float
        Where the vehicle was at the start [m, NED of the map].
    offboard : bool
        Whether offboard targets are obeyed.
    task : Task
        What it is doing.
    """

    def __init__(self, vehicle: Vehicle) -> None:
        self._vehicle = vehicle
        self._height = HeightLoop(vehicle, PERIOD)
        self._do = {
            Task.NONE: lambda: None,
            Task.IDLE: self._idle,
            Task.HOLD: self._hold,
            Task.CLIMB: self._climb,
            Task.APPROACH: self._approach,
            Task.DESCEND: self._descend,
        }
        self.restart()

    def restart(self) -> None:
        """Forget everything; home is where the vehicle is now."""
        self.home: Triple = self._here()
        self.offboard = False
        self._was_armed = False
        self._goal = self._start = self.home
        self._yaw = math.nan
        self._begun: float | None = None
        self._touched = 0.0
        self._height.restart()
        self._target: Target | None = None
        self._stand_down()

    # --- commands

    def arm(self, on: bool) -> None:
        """Arm, and stay unless a take-off was commanded before; or disarm and forget the task."""
        self._vehicle.arm(on)
        self._was_armed = on
        if not on:
            self._stand_down()
        elif self.task is Task.NONE:
            self._stay()

    def take_off(self, goal: Triple, yaw: float) -> None:
        """Climb to ``goal`` [m, NED of the map] and turn to ``yaw`` [rad; NaN: do not turn]."""
        self._begin(Task.CLIMB, goal)
        self._yaw = yaw

    def land(self, x: float, y: float) -> None:
        """Land at a place [m, NED of the map], or where the vehicle is if that is the ground."""
        here = self._here()
        if self._is_low():
            self._begin(Task.DESCEND, here)
        else:
            self._begin(Task.APPROACH, (x, y, here[2]))

    def begin_offboard(self) -> None:
        """Obey targets from now on; stay until there is one."""
        self._set_offboard(True)

    def end_offboard(self) -> None:
        """Obey no targets any more; hold the present place."""
        self._set_offboard(False)

    def aim(self, target: Target) -> None:
        """Give an offboard target, which holds until the next one."""
        if target.down is None:
            self._height.restart()
        self._target = target

    def update(self) -> None:
        """Write the set-points that hold until the next update."""
        armed = self._vehicle.armed
        if self._was_armed and not armed:
            self._stand_down()
        self._was_armed = armed
        if armed:
            self._do[self.task]()

    # --- tasks

    def _here(self) -> Triple:
        x, y, z = self._vehicle.values("pos")
        return x, y, z

    def _is_low(self) -> bool:
        return self._vehicle.height < TOUCHED_HEIGHT

    def _stand_down(self) -> None:
        self.task = Task.NONE
        self._target = None

    def _begin(self, task: Task, goal: Triple) -> None:
        self.task, self._goal = task, goal
        self._begun = None
        self._target = None

    def _stay(self) -> None:
        self._begin(Task.IDLE if self._is_low() else Task.HOLD, self._here())

    def _set_offboard(self, on: bool) -> None:
        self.offboard = on
        self._target = None
        if self.task in (Task.IDLE, Task.HOLD):
            self._stay()

    def _idle(self) -> None:
        if not self._obey():
            mask = Setpoint.BODY_RATE | Setpoint.THRUST
            self._vehicle.command(mask, rate_sp=(0.0, 0.0, 0.0), thrust_sp=0.0)

    def _hold(self) -> None:
        if not self._obey():
            self._vehicle.command(Setpoint.POSITION, pos_sp=self._goal)

    def _climb(self) -> None:
        goal, here = self._goal, self._here()
        self._set_out(here)
        clear = self._vehicle.height > CLEARANCE
        side = goal if clear else self._start
        down, rate = self._on_the_way(goal[2], TAKEOFF_SPEED)
        mask = Setpoint.POSITION | Setpoint.VELOCITY
        columns = {"pos_sp": (side[0], side[1], down), "vel_sp": (0.0, 0.0, rate)}
        if clear and not math.isnan(self._yaw):
            self._vehicle.command(mask | Setpoint.YAW, yaw_sp=self._yaw, **columns)
        else:
            self._vehicle.command(mask, **columns)
        if abs(here[2] - goal[2]) < ARRIVAL_RADIUS:
            self.task = Task.HOLD

    def _approach(self) -> None:
        x, y, _ = self._here()
        if math.hypot(self._goal[0] - x, self._goal[1] - y) < ARRIVAL_RADIUS:
            self.task = Task.DESCEND
            self._descend()
        else:
            self._vehicle.command(Setpoint.POSITION, pos_sp=self._goal)

    def _descend(self) -> None:
        vehicle, now = self._vehicle, self._vehicle.time
        self._set_out(self._here())
        down, rate = self._on_the_way(vehicle.value("terrain") + PRESS, LANDING_SPEED)
        vehicle.command(
            Setpoint.POSITION | Setpoint.VELOCITY,
            pos_sp=(self._goal[0], self._goal[1], down),
            vel_sp=(0.0, 0.0, rate),
        )
        if not self._is_low() or abs(vehicle.values("vel")[2]) >= TOUCHED_SPEED:
            self._touched = now
        elif now - self._touched >= TOUCHED_TIME - _EPS:
            self.arm(False)

    def _set_out(self, here: Triple) -> None:
        """Remember where and when a climb or a descent began."""
        if self._begun is None:
            self._begun = self._touched = self._vehicle.time
            self._start = here

    def _on_the_way(self, end: float, speed: float) -> tuple[float, float]:
        """Return down coordinate [m] and rate [m/s] of a set-point that moves to ``end``."""
        assert self._begun is not None
        vehicle, way = self._vehicle, end - self._start[2]
        limit = vehicle.values("speed_limit")[1] if way > 0.0 else vehicle.value("climb_limit")
        rate = math.copysign(min(speed, LIMIT_SHARE * limit), way)
        moved = rate * (vehicle.time - self._begun)
        return (self._start[2] + moved, rate) if abs(moved) < abs(way) else (end, 0.0)

    # --- offboard

    def _obey(self) -> bool:
        """Write the offboard target; False when there is none to obey."""
        target = self._target
        if not self.offboard or target is None:
            return False
        mask, columns = target.mask, dict(target.others)
        if target.pos is not None:
            columns["pos_sp"] = _or_else(target.pos, self._here())
        if target.vel is not None:
            columns["vel_sp"] = _or_else(target.vel, (0.0, 0.0, 0.0))
        if target.down is not None:
            mask |= Setpoint.THRUST
            columns["thrust_sp"] = self._height.share(target.down)
        self._vehicle.command(mask, **columns)
        return True


def _or_else(wanted: Triple, otherwise: Triple) -> Triple:
    """Return ``wanted`` with components that are NaN taken from ``otherwise``."""
    x, y, z = (o if math.isnan(w) else w for w, o in zip(wanted, otherwise, strict=True))
    return x, y, z
