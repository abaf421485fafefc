"""What vehicles fly in the modes that fly something by themselves: `ModeFlights`."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly.autopilot import circling, following, routes
from pyrfly.autopilot.columns import in_winged_flight, winged
from pyrfly.autopilot.flight_modes import FlightMode
from pyrfly.autopilot.flights import Fly
from pyrfly.autopilot.parameters import Parameters
from pyrfly.autopilot.returning import MissionReturn, Refuge, ReturnType, refuge
from pyrfly.autopilot.sticks import Sticks
from pyrfly.mission.items import Loiter, MissionItem, Waypoint
from pyrfly.mission.vehicle import Speeds
from pyrfly.sim import Sim

__all__ = ["ModeFlights", "TakeOffTop"]

Array = NDArray[np.float64]

LOWEST_TAKEOFF = 1.0
"""Height above ground that a take-off has at least [m]: the lower limit of MIS_TAKEOFF_ALT."""


class TakeOffTop(NamedTuple):
    """Where a take-off ends: position [m, NED] and heading [rad], NaN for the present ones."""

    pos: Array
    yaw: float


class ModeFlights:
    """The flights of the modes of vehicles, by parameters and by what stations have set.

    Parameters
    ----------
    sim : Sim
        The vehicles.
    parameters : Parameters
        Their PX4 parameters.
    home : ndarray, shape (n, 3)
        Home [m, NED], as it is when a flight begins.
    home_yaw : ndarray, shape (n,)
        Heading at which home was set [rad], likewise.
    hovers : ndarray of bool, shape (n,)
        Whether each vehicle can stay at a position; others circle.
    sticks : callable
        Returns the sticks of the vehicle in a row, None without a remote control.
    target_timeout : float
        Time without a message after which what is followed is lost [s].

    Attributes
    ----------
    requested_speed : ndarray, shape (n,)
        Speed that a station has requested since the mode began [m/s], or NaN.
    directions : dict
        Whether a station lets vehicles go backward, since the mode began, by row.
    takeoffs : dict
        Where a take-off ends that was requested, by row.
    missions : dict
        What mode MISSION flies, by row.
    returns : dict
        What those missions offer a return, by row.
    circles : dict
        The last circle, by row.
    rally : dict
        Rally points [m, NED], by row.
    targets : dict
        What is followed, by row.
    regions : dict
        Regions of interest that stations have set [m, NED], by row.
    """

    def __init__(
        self,
        sim: Sim,
        parameters: Parameters,
        home: Array,
        home_yaw: Array,
        hovers: NDArray[np.bool_],
        sticks: Callable[[int], Sticks | None],
        target_timeout: float,
    ) -> None:
        self.requested_speed = np.full(sim.n, math.nan)
        self.directions: dict[int, bool] = {}
        self.takeoffs: dict[int, TakeOffTop] = {}
        self.missions: dict[int, Fly] = {}
        self.returns: dict[int, MissionReturn] = {}
        self.circles: dict[int, routes.Orbit] = {}
        self.rally: dict[int, tuple[Array, ...]] = {}
        self._sim = sim
        self._parameters = parameters
        self._home = home
        self._home_yaw = home_yaw
        self._hovers = hovers
        self._sticks = sticks
        self._target_timeout = target_timeout
        self.regions: dict[int, Array] = {}
        self.targets: dict[int, following.Target] = {}

    def speed(self, row: int) -> float:
        """Return the speed of the flights in hover [m/s]: as requested, or MPC_XY_CRUISE."""
        own = float(self.requested_speed[row])
        return self._parameters.get(row, "MPC_XY_CRUISE") if math.isnan(own) else own

    def airspeed(self, row: int) -> float:
        """Return the airspeed of the flights by wings [m/s]: as requested, or 0, FW_AIRSPD_TRIM."""
        return float(np.nan_to_num(self.requested_speed[row]))

    def speeds(self, row: int) -> Speeds:
        """Return the vertical speeds of the flights."""
        names = "MPC_Z_V_AUTO_UP", "MPC_Z_V_AUTO_DN", "MPC_TKO_SPEED", "MPC_LAND_SPEED"
        return Speeds(*(self._parameters.get(row, name) for name in names))

    def of_mode(self, row: int, mode: FlightMode, landed: bool, before: FlightMode) -> Fly | None:
        """Return the flight that a mode begins with, of a vehicle that is on the ground or not.

        ``before`` is the mode that it follows.
        """
        if mode == FlightMode.MISSION:
            return self.missions.get(row)
        if mode == FlightMode.TAKEOFF:
            return self._take_off_of(row, landed)
        if landed:
            return None
        if mode == FlightMode.RETURN:
            return self._return_of(row, from_mission=before == FlightMode.MISSION)
        if not self._hovers[row]:
            return self._circling_flight_of(row, mode)
        if mode == FlightMode.LAND:
            return routes.land
        if mode == FlightMode.FOLLOW:
            followed = self._following(row)
            return lambda vehicle: following.follow(vehicle, followed)
        return None

    def _target(self, row: int) -> following.Target:
        """Return what a vehicle follows, or may follow."""
        return self.targets.setdefault(row, following.Target(self._target_timeout))

    def _following(self, row: int) -> following.Following:
        """Return what follow-me reads; the height is above home as it is now."""
        target = self._target(row)
        return following.Following(
            target=lambda: target.at(self._sim.time),
            settings=lambda: self._follow_settings(row),
            sticks=lambda: self._sticks(row),
            home=float(self._home[row, 2]),
        )

    def _follow_settings(self, row: int) -> following.FollowSettings:
        get = self._parameters.get
        return following.FollowSettings(
            distance=get(row, "FLW_TGT_DST"),
            height=get(row, "FLW_TGT_HT"),
            angle=math.radians(get(row, "FLW_TGT_FA")),
            altitude=int(get(row, "FLW_TGT_ALT_M")),
            speed=get(row, "FLW_TGT_MAX_VEL"),
        )

    def see_target(self, row: int, pos: Array, vel: Array) -> None:
        """Take position and velocity of what a vehicle follows [m, m/s, NED], NaN if not told."""
        target = self._target(row)
        target.see(pos, vel, self._sim.time, self._parameters.get(row, "FLW_TGT_RS"))

    def _circling_flight_of(self, row: int, mode: FlightMode) -> Fly | None:
        """Return the same of a vehicle that does not hover, in the air."""
        if mode == FlightMode.HOLD:
            return self.circle_at(row, np.full(3, math.nan), math.nan)
        if mode == FlightMode.LAND:
            return lambda _: circling.land(self._sim, row)
        return None

    def circle_at(self, row: int, pos: Array, radius: float) -> Fly:
        """Return a circle around a position [m, NED], NaN in it for the present one."""
        centre = np.where(np.isnan(pos), self._sim.known.pos[row].astype(np.float64), pos)
        radius = 0.0 if math.isnan(radius) else radius
        shown = radius or float(winged(self._sim, lambda wings: wings.loiter_radius)[row])
        self.circles[row] = routes.Orbit(centre, shown, self.airspeed(row))
        return lambda _: circling.circle(
            self._sim, row, routes.Orbit(centre, radius, self.airspeed(row))
        )

    def top(self, row: int) -> TakeOffTop:
        """Return where a take-off ends."""
        return self.takeoffs.get(row, TakeOffTop(np.full(3, math.nan), math.nan))

    def _take_off_of(self, row: int, landed: bool) -> Fly:
        """Return a take-off; without an altitude it climbs from where the vehicle is, as in PX4."""
        pos, yaw = self.top(row)
        ground = float(self._sim.known.terrain[row])
        down = min(pos[2], ground - LOWEST_TAKEOFF)
        if math.isnan(pos[2]):
            here = ground if landed else float(self._sim.known.pos[row, 2])
            down = here - self._parameters.get(row, "MIS_TAKEOFF_ALT")
        if not self._hovers[row]:
            return lambda _: circling.take_off(self._sim, row, down)
        top = np.array([pos[0], pos[1], down])
        return lambda vehicle: routes.take_off(vehicle, top, yaw, self.speed(row))

    def _return_of(self, row: int, from_mission: bool) -> Fly:
        """Return the flight of a return, as RTL_TYPE says; ``from_mission``: it interrupts one."""
        here = self._sim.known.pos[row].astype(np.float64)
        kind = ReturnType(int(self._parameters.get(row, "RTL_TYPE")))
        way, home = self.returns.get(row), Refuge(self._home[row].copy(), self._home_yaw[row])
        if way is not None and kind in (ReturnType.MISSION, ReturnType.SHORTER_MISSION):
            return way.along(kind, here, home.pos, from_mission)
        wings = not self._hovers[row] or bool(in_winged_flight(self._sim)[row])
        vtol = self._hovers[row] and self._sim.select(row + 1).abilities[0].transition is not None
        landing = None if way is None else way.landing
        goal = refuge(kind, here, home, landing, self.rally.get(row, ()), vtol and not wings)
        settings = self._return_settings(row, wings)
        if way is not None and goal.lands:
            return way.land(self._climb(here, goal.pos, settings, wings))
        if not self._hovers[row]:
            return lambda _: circling.return_home(
                self._sim, row, goal.pos, settings, self.airspeed(row)
            )
        return lambda vehicle: routes.return_home(
            vehicle, goal.pos, settings, self.speed(row), self.airspeed(row), goal.yaw
        )

    @staticmethod
    def _climb(
        here: Array, goal: Array, settings: routes.ReturnSettings, wings: bool
    ) -> MissionItem | None:
        """Return the climb with which a return begins, None for one that is high enough."""
        height = routes.return_height(settings, math.hypot(*(goal - here)[:2]), goal[2] - here[2])
        top = float(here[0]), float(here[1]), float(goal[2] - height)
        if top[2] >= here[2]:
            return None
        return Loiter(top, 0.0, climbs=True) if wings else Waypoint(top)

    def _return_settings(self, row: int, wings: bool) -> routes.ReturnSettings:
        get = self._parameters.get
        cone = 0.0 if wings else min(get(row, "RTL_CONE_ANG"), 89.0)
        return routes.ReturnSettings(
            altitude=get(row, "RTL_RETURN_ALT"),
            min_dist=get(row, "RTL_MIN_DIST"),
            cone=math.radians(cone),
            acceptance=get(row, "NAV_ACC_RAD"),
            descend=get(row, "RTL_DESCEND_ALT"),
            delay=get(row, "RTL_LAND_DELAY"),
        )
