"""Flight of a VTOL along a mission: `VtolPilot`.

In hover it is flown as by a `Pilot`, by wings as by a `FixedWingPilot`. It changes between them
where a `Transition` says so; before one to wings it turns towards the next leg. A landing and a
return from winged flight approach their place by wings, and hover where it is as far away as the
transition to hover takes. When winged flight ends by itself, by a quadchute or a time-out, the
mission goes on in hover.

A change of speed counts for the kind of flight in which it is reached, by wings as an airspeed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeGuard

import numpy as np

from pyrfly import exact
from pyrfly.mission.base_pilot import Track
from pyrfly.mission.checks import Array
from pyrfly.mission.fence import FenceAction
from pyrfly.mission.fixed_wing_pilot import FixedWingPilot
from pyrfly.mission.items import (
    ChangeSpeed,
    Command,
    Delay,
    FlownItem,
    Land,
    MissionItem,
    ReturnToLaunch,
    TakeOff,
    Transition,
    is_leg,
)
from pyrfly.mission.mission import Mission
from pyrfly.mission.pilot import Pilot
from pyrfly.mission.vtol import Vtol, VtolWings

__all__ = ["VtolPilot"]


class VtolPilot(Pilot):
    """Pilot of a vehicle that hovers and flies by wings; see `BasePilot`."""

    def __init__(self, vehicle: Vtol, mission: Mission, **options: Any) -> None:
        super().__init__(vehicle, mission, **options)
        self._vtol = vehicle
        self._repeats_winged = False  # the kind of flight of items before a pause
        self._wings = _ByWings(vehicle.wings, mission, **{**options, "airborne": True})

    # --- what others see

    @property
    def leg(self) -> Track | None:
        """See `BasePilot`."""
        return self._wings.leg if self._vtol.winged else super().leg

    @property
    def goal(self) -> Array:
        """See `BasePilot`."""
        return self._wings.goal if self._vtol.winged else super().goal

    @property
    def circle(self) -> tuple[Array, float] | None:
        """See `BasePilot`."""
        return self._wings.circle if self._vtol.winged else None

    def fly_at(self, speed: float) -> None:
        """See `BasePilot`; it counts for the present kind of flight."""
        self._fly_at(speed, self._vtol.winged)

    def _fly_at(self, speed: float, winged: bool) -> None:
        if winged:
            self._wings.fly_at(speed)
        else:
            super().fly_at(speed)

    def begin_at(self, place: int) -> None:
        """See `BasePilot`; a speed counts for the kind of flight in which it was reached."""
        changes = (item for item in self._mission.items if isinstance(item, Transition))
        first = next(changes, None)
        self._repeats_winged = self._vtol.winged if first is None else not first.winged
        super().begin_at(place)

    def fly(self) -> Iterator[None]:
        """See `BasePilot`; a vehicle that flies by wings at the end circles on."""
        yield from super().fly()
        if self._vtol.winged and self._wings.circle is None:
            self._wings.circle_here()
            yield

    def divert(self, action: FenceAction) -> Iterator[None]:
        """See `BasePilot`: to hold is to circle, as long as it flies by wings."""
        if not self._vtol.winged:
            if self._vtol.changes:
                yield from self._hover()
            yield from super().divert(action)
            return
        self._interest = None
        self._wings.begin()
        if action == "return":
            yield from self._return()
        elif action == "land":
            yield from self._hover()
            yield from self._touchdown()
        else:
            self._wings.circle_here()
            yield

    def linger(self) -> Iterator[None]:
        """See `BasePilot`."""
        if self._vtol.winged:
            yield from self._in_winged_flight(self._wings.linger())
        yield from super().linger()

    # --- items

    def _takes_time(self, item: MissionItem) -> TypeGuard[FlownItem | Delay | Transition]:
        return super()._takes_time(item) or isinstance(item, Transition)

    def _go_to(self, place: int, item: FlownItem) -> Iterator[None]:
        if self._vtol.winged and self._wings.flies(item):
            yield from self._in_winged_flight(self._wings.go_to(place, item))
            if self._vtol.winged:
                return
        yield from super()._go_to(place, item)

    def _stay(self, item: MissionItem) -> Iterator[None]:
        if isinstance(item, Transition):
            yield from self._change(item)
        elif self._vtol.winged:
            yield from self._in_winged_flight(self._wings.stay(item))
        else:
            yield from super()._stay(item)

    def _repeat(self, item: MissionItem) -> None:
        if isinstance(item, Transition):
            self._repeats_winged = item.winged
        elif isinstance(item, (TakeOff, Land, ReturnToLaunch)):
            self._repeats_winged = False
        elif isinstance(item, ChangeSpeed):
            self._fly_at(item.speed, self._repeats_winged)
        else:
            super()._repeat(item)

    def _execute(self, item: Command) -> None:
        if isinstance(item, ChangeSpeed):
            self.fly_at(item.speed)
        else:
            super()._execute(item)
            self._wings.execute(item)

    def _return(self) -> Iterator[None]:
        if self._vtol.winged:
            pos = self._landing_place(self._vehicle.pos)
            highest = min(self._wings.height, self._launch[2] - self._vehicle.return_height)
            yield from self._approach(np.array((pos[0], pos[1], highest)))
        yield from super()._return()

    def _land(self, pos: Array, yaw: float | None) -> Iterator[None]:
        yield from self._hover_near(pos)
        yield from super()._land(pos, yaw)

    def arrive(self, pos: Array) -> Iterator[None]:
        """Fly above a position [m, NED] at the present height, to hover there."""
        yield from self._hover_near(pos)
        yield from self._go(np.array((pos[0], pos[1], self._target[2])), None)

    def _hover_near(self, pos: Array) -> Iterator[None]:
        """End winged flight near a position."""
        if self._vtol.winged:
            yield from self._approach(np.array((pos[0], pos[1], self._wings.height)))

    # --- transitions

    def _in_winged_flight(self, moves: Iterator[None]) -> Iterator[None]:
        """Fly by wings, or until that ends by itself; then wait for hover."""
        for _ in moves:
            self.failure = self._wings.failure
            if not self._vtol.winged:
                yield from self._hover()
                return
            yield

    def _approach(self, above: Array) -> Iterator[None]:
        """Fly by wings towards a place until a transition to hover ends there; hover."""
        yield from self._in_winged_flight(self._wings.approach(above))
        if self._vtol.winged:
            yield from self._hover()

    def _change(self, item: Transition) -> Iterator[None]:
        """Fly a transition; one to wings on the ground does nothing."""
        if not item.winged:
            if self._vtol.winged:
                yield from self._hover()
        elif self._flying and not self._vtol.winged:
            self._face_next()
            yield from self.turn()
            self._vtol.transition(True)
            yield from self._wait_for_change()
            self._wings.begin(self._target)
            if not self._vtol.winged:
                self._hold_here(float(self._target[2]))

    def _face_next(self) -> None:
        """Turn the nose towards the next item with a position."""
        items = (self._mission.items[index] for index in self._mission.order[self.place + 1 :])
        item = next((item for item in items if is_leg(item)), None)
        pos = getattr(item, "pos", self._launch)
        way = np.array(pos)[:2] - self._vehicle.pos[:2]
        if item is not None and exact.norm(way) > 1.0:
            self._yaw_goal = float(exact.arctan2(way[1], way[0]))

    def _hover(self) -> Iterator[None]:
        """End winged flight, and hover at its height."""
        height = self._wings.height
        if self._vtol.winged:
            self._vtol.transition(False)
        yield from self._wait_for_change()
        self._hold_here(height)

    def _wait_for_change(self) -> Iterator[None]:
        """Wait for a transition, which the vehicle flies by itself."""
        while self._vtol.changes:
            yield from self._tick()

    def _hold_here(self, height: float) -> None:
        """Let the next leg begin where the vehicle hovers, at a height, z [m, NED]."""
        self._legs.clear()
        north, east, _ = self._vehicle.pos
        self._target = np.array((north, east, height))
        self._yaw = self._yaw_goal = self._vehicle.heading


class _ByWings(FixedWingPilot):
    """The winged flight of a VTOL."""

    def __init__(self, vehicle: VtolWings, mission: Mission, **options: Any) -> None:
        super().__init__(vehicle, mission, **options)
        self._vtol = vehicle
        airspeed = mission.airspeed or vehicle.cruise_airspeed  # `cruise_speed` is one in hover
        self._speed = vehicle.initial_airspeed(airspeed)

    def fly_at(self, speed: float) -> None:
        """See `BasePilot`; speeds of hover, with which wings do not carry, are that of cruise."""
        super().fly_at(speed if speed >= self._wing.slowest else self._wing.cruise_airspeed)

    def execute(self, item: Command) -> None:
        """Execute a command; see `BasePilot`."""
        self._execute(item)

    def _takes_time(self, item: MissionItem) -> TypeGuard[FlownItem | Delay | Transition]:
        return super()._takes_time(item) or isinstance(item, Transition)

    def flies(self, item: FlownItem) -> bool:
        """Return whether an item is reached by wings; landings and returns end in hover."""
        return not isinstance(item, (Land, ReturnToLaunch))

    def begin(self, start: Array | None = None) -> None:
        """Begin the next leg at a position that was faced, or where the vehicle is."""
        self._begin(self._wing.pos if start is None else start, joined=start is not None)

    def go_to(self, place: int, item: FlownItem) -> Iterator[None]:
        """Fly to an item; see `BasePilot`."""
        return self._go_to(place, item)

    def stay(self, item: MissionItem) -> Iterator[None]:
        """Stay at an item; see `BasePilot`."""
        return self._stay(item)

    def approach(self, above: Array) -> Iterator[None]:
        """Fly towards a place until a transition to hover ends there."""
        yield from self._face(above)
        line = self._line_to(above)
        yield from self._follow(
            line, lambda along: line.length - along <= self._vtol.braking_distance
        )

    def _next_point(self, place: int, here: Array) -> Array | None:
        """See `FixedWingPilot`: it goes on at the height of the leg to a landing in hover."""
        after = super()._next_point(place, here)
        if after is None or not isinstance(self._next_leg(place), (Land, ReturnToLaunch)):
            return after
        return np.array((after[0], after[1], here[2]))

    def circle_here(self) -> None:
        """Circle around the end of the last leg."""
        self._circle_at(self._start)

    @property
    def height(self) -> float:
        """Height of the present leg or circle, z [m, NED]."""
        return float((self._start if self._circle is None else self._circle[0])[2])
