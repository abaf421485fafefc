"""Flight of the missions that stations have stored in a vehicle: `MissionFlight`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pyrfly.autopilot.commander import Commander
from pyrfly.autopilot.fence_items import fence_of, rally_of
from pyrfly.autopilot.flight_modes import FlightMode
from pyrfly.autopilot.mission_items import mission_of
from pyrfly.autopilot.mission_store import MissionStore
from pyrfly.autopilot.parameters import Parameters
from pyrfly.errors import MissionError
from pyrfly.mavlink.constants import MissionType
from pyrfly.mission.base_pilot import BasePilot
from pyrfly.mission.checks import Point
from pyrfly.mission.fence import Fence
from pyrfly.mission.items import (
    Land,
    Loiter,
    MissionItem,
    RegionOfInterest,
    ReturnToLaunch,
    SetHome,
    TakeOff,
    Waypoint,
)
from pyrfly.mission.mission import Mission
from pyrfly.mission.pilots import pilot_of
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
        MPC_XY_CRUISE.

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
        self._fence = Fence()
        self._violation = ""
        self._returns = False  # after an item that does so
        self._launch = np.zeros(3)  # home, which items of the mission may change

    def update(self) -> str:
        """Take over what stations have changed; return why it cannot be flown, empty if it can."""
        store = self.store
        if self._returns and not self._commander.armed[self._row]:
            self._returns, store.current = False, 0  # to be flown again
        if not store.changed and store.selected is None:
            return ""
        changed, store.changed = store.changed, set()
        selected, store.selected = store.selected, None
        reason = ""
        if MissionType.FENCE in changed:
            self._fence, reason = self._read_fence()
        if MissionType.RALLY in changed:
            reason = self._read_rally() or reason
        if MissionType.MISSION in changed and not store.items(MissionType.MISSION):
            self._commander.set_mission(self._row, None)
        elif MissionType.MISSION in changed or selected is not None:
            reason = self._read_mission() or reason
        return reason

    def check_fence(self) -> str:
        """Return what the vehicle violates of its areas, once when it begins; else nothing."""
        if not self._fence.areas:
            return ""
        before = self._violation
        north, east, down = self._sim.pos[self._row].astype(np.float64).tolist()
        home = float(self._commander.home[self._row, 2])
        self._violation = self._fence.breach((north, east, down - home))
        return "" if before else self._violation

    def _home(self) -> Point:
        """Return the origin of the local frame at the height of home."""
        lat, lon, alt = self._sim.origin
        return lat, lon, alt - float(self._commander.home[self._row, 2])

    def _read_fence(self) -> tuple[Fence, str]:
        try:
            return fence_of(self.store.items(MissionType.FENCE), self._home()), ""
        except MissionError as error:
            return Fence(), f"Geofence invalid: {_first_line(error)}"

    def _read_rally(self) -> str:
        try:
            places = rally_of(self.store.items(MissionType.RALLY), self._home())
        except MissionError as error:
            self._commander.set_rally(self._row, ())
            return f"Rally points invalid: {_first_line(error)}"
        down = float(self._commander.home[self._row, 2])
        self._commander.set_rally(self._row, [_moved(place, down) for place in places])
        return ""

    def _read_mission(self) -> str:
        if not self.store.items(MissionType.MISSION):
            return ""
        if not self._commander.hovers[self._row]:
            self._commander.set_mission(self._row, None)
            return "Mission rejected: vehicles that do not hover fly none over MAVLink"
        try:
            mission = mission_of(
                self.store.items(MissionType.MISSION),
                self._home(),
                speed=self._parameters.get(self._row, "MPC_XY_CRUISE"),
            )
        except MissionError as error:
            self._commander.set_mission(self._row, None)
            return f"Mission rejected: {_first_line(error)}"
        down = float(self._commander.home[self._row, 2])
        lowered = _lowered(mission, down)
        self._commander.set_mission(self._row, lambda vehicle: self._fly(vehicle, lowered))
        return ""

    def _fly(self, vehicle: Vehicle, mission: Mission) -> Iterator[None]:
        """Fly the mission from its current item on, and note its progress."""
        numbers = [mission.items[index].number - 1 for index in mission.order]
        first = next((p for p, number in enumerate(numbers) if number >= self.store.current), 0)
        home = self._commander.home[self._row].copy()
        airborne = not self._commander.landed[self._row]
        mission = replace(mission, cruise_speed=self._commander.speed(self._row))
        pilot = pilot_of(
            vehicle, mission, airborne=airborne, launch=home, first=first, returns=False
        )
        self._launch = pilot.launch
        for _ in pilot.fly():
            self._note(pilot, numbers)
            yield
        self._note(pilot, numbers)
        if isinstance(mission.items[mission.order[pilot.place]], ReturnToLaunch):
            self._returns = True
            self._commander.follow_with(self._row, FlightMode.RETURN)
        else:
            self.store.current = 0  # to be flown again

    def _note(self, pilot: BasePilot, numbers: list[int]) -> None:
        self.store.current = numbers[pilot.place]
        reached = pilot.place if pilot.reached[pilot.place] is not None else pilot.place - 1
        if reached >= 0 and pilot.reached[reached] is not None:
            self.store.reached = numbers[reached]
        if pilot.launch is not self._launch:
            self._launch = pilot.launch
            self._commander.set_home(self._row, pilot.launch)


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
