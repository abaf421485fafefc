"""Flight of the missions that stations have stored in a vehicle: `MissionFlight`."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pyrfly.autopilot.commander import Commander
from pyrfly.autopilot.feasibility import objection
from pyrfly.autopilot.fence_items import fence_of, rally_of
from pyrfly.autopilot.mission_items import mission_of
from pyrfly.autopilot.mission_store import MissionStore
from pyrfly.autopilot.parameters import Parameters
from pyrfly.autopilot.returning import MissionReturn
from pyrfly.errors import MissionError
from pyrfly.mavlink.constants import MissionType, Severity
from pyrfly.mission.base_pilot import BasePilot
from pyrfly.mission.checks import Point
from pyrfly.mission.fence import Fence
from pyrfly.mission.items import (
    Jump,
    Land,
    Loiter,
    MissionItem,
    RegionOfInterest,
    ReturnToLaunch,
    SetHome,
    TakeOff,
    Waypoint,
)
from pyrfly.mission.kinds import pilot_of
from pyrfly.mission.mission import Mission
from pyrfly.mission.vehicle import Vehicle
from pyrfly.sim import Sim

__all__ = ["MissionFlight"]

Array = NDArray[np.float64]

_PLACED = (TakeOff, Waypoint, Loiter, Land, RegionOfInterest, SetHome)


class MissionFlight:
    """Mission, geofence and rally points of one vehicle, as it flies them.

    Heights above home are those above the home of the vehicle; positions are in the local frame of
    the `Sim`, of which that home may lie higher or lower.

    Parameters
    ----------
    sim : Sim
        The vehicles.
    row : int
        Row of the vehicle.
    store : MissionStore
        What stations have uploaded.
    commander : Commander
        Flies the mission in mode MISSION.
    parameters : Parameters
        MPC_XY_CRUISE, and FW_AIRSPD_TRIM of those that do not hover; NAV_ACC_RAD.

    Attributes
    ----------
    store : MissionStore
        As given.
    """

    def __init__(
        self,
        sim: Sim,
        row: int,
        store: MissionStore,
        commander: Commander,
        parameters: Parameters,
    ) -> None:
        self.store = store
        self._sim = sim
        self._row = row
        self._commander = commander
        self._parameters = parameters
        self._begun = False  # the current item, since the mission was replaced
        self._finished = False
        self._disarmed = True  # since it was flown
        self._mission: Mission | None = None  # as it was read
        self._run: _Run | None = None  # the present one
        self._place = 0  # where it goes on, if its item is still the current one
        self._launch = np.zeros(3)  # home, which items of the mission may change

    @property
    def mission(self) -> Mission | None:
        """The mission in the local frame, if one was uploaded that can be read."""
        return self._mission

    def update(self, armed: bool) -> str:
        """Take over what stations have changed; return why it cannot be flown, empty if it can.

        Parameters
        ----------
        armed : bool
            Whether the vehicle is armed.
        """
        store = self.store
        if not armed:
            self._note_disarmed()
        if not store.changed and store.selected is None:
            return ""
        changed, store.changed = store.changed, set()
        selected, store.selected = store.selected, None
        reason = ""
        if MissionType.FENCE in changed:
            fence, reason = self._read_fence()
            self._commander.fence.areas[self._row] = fence
        if MissionType.RALLY in changed:
            reason = self._read_rally() or reason
        if MissionType.MISSION in changed:
            self._begun = self._finished = False
        if MissionType.MISSION in changed and not store.items(MissionType.MISSION):
            self._mission = None
            self._commander.set_mission(self._row, None)
        elif MissionType.MISSION in changed or selected is not None:
            self._finished = False
            reason = self._read_mission() or reason
        elif MissionType.FENCE in changed:
            reason = self._check_again() or reason
        return reason

    def _home(self) -> Point:
        """Return the origin of the local frame at the height of home."""
        lat, lon, alt = self._sim.origin
        return lat, lon, alt - float(self._commander.homes.pos[self._row, 2])

    def _read_fence(self) -> tuple[Fence, str]:
        try:
            return fence_of(self.store.items(MissionType.FENCE), self._home()), ""
        except MissionError as error:
            return Fence(), f"Geofence invalid: {_first_line(error)}"

    def _read_rally(self) -> str:
        try:
            places = rally_of(self.store.items(MissionType.RALLY), self._home())
        except MissionError as error:
            self._commander.requests.set_rally(self._row, ())
            return f"Rally points invalid: {_first_line(error)}"
        down = float(self._commander.homes.pos[self._row, 2])
        self._commander.requests.set_rally(self._row, [_moved(place, down) for place in places])
        return ""

    def _read_mission(self) -> str:
        if not self.store.items(MissionType.MISSION):
            return ""
        self._run, self._place, self._mission = None, 0, None
        (group, _, _), *_ = self._sim.select(self._row + 1)
        if "command_position" not in group.abilities.commands:
            self._commander.set_mission(self._row, None)
            return f"Mission rejected: {group.name} follows no positions"
        try:
            mission = mission_of(
                self.store.items(MissionType.MISSION),
                self._home(),
                speed=self._cruise_speed(),
                radius=self._parameters.get(self._row, "NAV_ACC_RAD"),
            )
        except MissionError as error:
            self._commander.set_mission(self._row, None)
            return f"Mission rejected: {_first_line(error)}"
        self._mission = _lowered(mission, float(self._commander.homes.pos[self._row, 2]))
        return self._offer(self._mission)

    def _offer(self, mission: Mission) -> str:
        """Let mode MISSION fly a mission, unless PX4 refuses it; return why it does."""
        reason = self._objection(mission)
        if reason:
            self._commander.set_mission(self._row, None)
        else:
            self._commander.set_mission(
                self._row,
                lambda vehicle: self._fly(vehicle, mission),
                MissionReturn(
                    mission.items,
                    lambda vehicle, items: self._fly_home(
                        vehicle, replace(mission, items=tuple(items))
                    ),
                    lambda: self.store.current + 1,
                ),
            )
        return reason

    def _objection(self, mission: Mission) -> str:
        commander, row = self._commander, self._row
        return objection(
            mission.items,
            float(commander.homes.pos[row, 2]),
            self._parameters.get(row, "NAV_ACC_RAD"),
            bool(commander.record.landed[row]),
            lambda pos: commander.fence.violation(row, pos),
        )

    def _check_again(self) -> str:
        """Check the mission against another geofence; one that is allowed as before flies on."""
        if self._mission is None:
            return ""
        reason = self._objection(self._mission)
        allowed_before = self._commander.has_mission(self._row)
        return reason if bool(reason) != allowed_before else self._offer(self._mission)

    def _cruise_speed(self) -> float:
        """Return the speed of legs without another one [m/s]: an airspeed of a plane."""
        hovers = self._commander.hovers[self._row]
        return self._parameters.get(self._row, "MPC_XY_CRUISE" if hovers else "FW_AIRSPD_TRIM")

    def _fly(self, vehicle: Vehicle, mission: Mission) -> Iterator[None]:
        """Fly the mission from its current item on, and note its progress.

        One that has ended begins anew after a disarming alone [@px4 v1.16.1 mission_base.cpp
        checkMissionRestart].
        """
        if self._disarmed and self._is_over():
            self._finished, self._place, self.store.current = False, 0, 0
        self._disarmed, self._begun, self.store.reached = False, True, []
        if self._finished:
            self._say(Severity.CRITICAL, "No valid mission available, loitering")
            return
        mission = replace(mission, cruise_speed=self._cruise_speed())
        airborne = not self._commander.record.landed[self._row]
        home = self._commander.homes.pos[self._row].copy()
        pilot = pilot_of(vehicle, mission, airborne=airborne, launch=home, returns=False)
        self._run = run = _Run.of(pilot, mission)
        self._launch = pilot.launch
        pilot.begin_at(run.place_of(self.store.current, self._place))
        run.told = pilot.done
        if vehicle.told_direction is not None:  # later than the items before
            vehicle.turn_round(vehicle.told_direction)
        requested = self._commander.requests.speed(self._row)
        if not math.isnan(requested):
            pilot.fly_at(requested)
        region = None
        for _ in pilot.fly():
            self._note(run)
            if pilot.failure:
                raise MissionError(pilot.failure)
            requested = self._follow_request(pilot, requested)
            if self._commander.requests.region(self._row) is not region:
                region = self._commander.requests.region(self._row)
                pilot.look_at(region)
            yield
        self._note(run)
        if pilot.lingers:
            yield from pilot.linger()
        self._end(run)

    def _fly_home(self, vehicle: Vehicle, mission: Mission) -> Iterator[None]:
        """Fly items of the mission in mode RETURN, which leaves its progress as it is."""
        mission = replace(mission, cruise_speed=self._cruise_speed())
        pilot = pilot_of(vehicle, mission, airborne=True, returns=False)
        requested = self._commander.requests.speed(self._row)
        if not math.isnan(requested):
            pilot.fly_at(requested)
        for _ in pilot.fly():
            if pilot.failure:
                raise MissionError(pilot.failure)
            yield

    def _is_over(self) -> bool:
        last = self.store.current + 1 == len(self.store.items(MissionType.MISSION))
        return self._finished or (self._begun and last)

    def _follow_request(self, pilot: BasePilot, before: float) -> float:
        """Fly at the speed that a station has requested since the last tick; return that speed."""
        requested = self._commander.requests.speed(self._row)
        none = math.isnan(requested)
        if requested != before and not (none and math.isnan(before)):
            pilot.fly_at(self._cruise_speed() if none else requested)
        return requested

    def _note(self, run: _Run) -> None:
        pilot = run.pilot
        self.store.current, self._place = run.numbers[pilot.place], pilot.place
        self.store.reached += run.newly_done()
        if pilot.launch is not self._launch:
            self._launch = pilot.launch
            self._commander.homes.set(self._row, pilot.launch)

    def _end(self, run: _Run) -> None:
        """Let the mode follow that the last item leads to."""
        self._run, pilot = None, run.pilot
        if isinstance(run.item, ReturnToLaunch):
            self._commander.execution.return_next(self._row)
        elif pilot.circle is not None:
            self._commander.execution.circle_next(self._row, *pilot.circle)
        self._advance(run)

    def _note_disarmed(self) -> None:
        """Note that the vehicle is disarmed, which ends a flight that has landed.

        A plane is disarmed while it rolls out, so that its pilot does not see it.
        """
        self._disarmed = True
        run, self._run = self._run, None
        if run is None or run.pilot.lingers:
            return
        if isinstance(run.item, Land) and self._commander.record.landed[self._row]:
            run.pilot.done = run.pilot.place + 1
            self.store.reached += run.newly_done()
            self._advance(run)

    def _advance(self, run: _Run) -> None:
        """Set where the mission goes on; its last item remains the current one."""
        place = run.pilot.place + 1
        if place < len(run.numbers):
            self._place, self.store.current = place, run.numbers[place]
            self._begun = False
            return
        self._finished = True
        where = "loitering" if self._sim.armed[self._row] else "landed"
        self._say(Severity.INFO, f"Mission finished, {where}")

    def _say(self, severity: Severity, text: str) -> None:
        self._commander.say(self._row, severity, text)


@dataclass
class _Run:
    """A flight of a mission; items by their places in the order of the flight.

    Attributes
    ----------
    pilot : BasePilot
        Flies it.
    items : tuple of MissionItem
        The items.
    numbers : tuple of int
        Their indices in the list that was uploaded.
    told : int
        Place up to which they were told to be done.
    """

    pilot: BasePilot
    items: tuple[MissionItem, ...]
    numbers: tuple[int, ...]
    told: int = 0

    @classmethod
    def of(cls, pilot: BasePilot, mission: Mission) -> _Run:
        """Return a flight of a mission."""
        items = tuple(mission.items[index] for index in mission.order)
        return cls(pilot, items, tuple(item.number - 1 for item in items))

    @property
    def item(self) -> MissionItem:
        """The present item."""
        return self.items[self.pilot.place]

    def newly_done(self) -> list[int]:
        """Return the indices of the items that are done since the last call, without jumps."""
        places = range(self.told, self.pilot.done)
        self.told = self.pilot.done
        return [self.numbers[p] for p in places if not isinstance(self.items[p], Jump)]

    def place_of(self, current: int, before: int) -> int:
        """Return the place of an item or the first one after it; ``before`` if it is there too.

        After a pause in the second of two rounds, say, that round goes on.
        """
        if before < len(self.numbers) and self.numbers[before] == current:
            return before
        found = (place for place, number in enumerate(self.numbers) if number >= current)
        return next(found, 0)


def _lowered(mission: Mission, down: float) -> Mission:
    """Return a mission whose positions are lower by ``down`` [m]."""
    items: list[MissionItem] = []
    for item in mission.items:
        # a return has no place, and neither have commands but two
        if isinstance(item, _PLACED) and item.pos is not None:
            item = replace(item, pos=_moved(item.pos, down))
        items.append(item)
    return replace(mission, items=tuple(items))


def _moved(pos: Point, down: float) -> Point:
    return pos[0], pos[1], pos[2] + down


def _first_line(error: MissionError) -> str:
    return str(error).splitlines()[0]
