"""The vehicles of a `Sim` as PX4s: `Autopilots`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly.autopilot.channel import Channel
from pyrfly.autopilot.clock import Clock
from pyrfly.autopilot.commander import Commander
from pyrfly.autopilot.commands import Commands
from pyrfly.autopilot.failure_injection import FailureInjection
from pyrfly.autopilot.identity import vehicle_types
from pyrfly.autopilot.mission_flight import MissionFlight
from pyrfly.autopilot.mission_store import MissionStore
from pyrfly.autopilot.offboard import Verdict, set_points_of
from pyrfly.autopilot.parameter_table import PARAMETERS, SET_DEFAULTS
from pyrfly.autopilot.parameters import Parameters
from pyrfly.autopilot.reply import Reply, status_texts
from pyrfly.autopilot.sticks import turning_lead
from pyrfly.autopilot.telemetry_snapshot import TelemetrySnapshot
from pyrfly.errors import require_kind
from pyrfly.mavlink import MESSAGES
from pyrfly.mavlink.constants import Severity
from pyrfly.mission import Fence, Mission
from pyrfly.mission.base_pilot import TICK
from pyrfly.protocol.synthesis import POS
from pyrfly.protocol.timeouts import NO_TIMEOUTS, TIMEOUTS
from pyrfly.sim import Group, Sim
from pyrfly.sim.px4_identity import px4_values
from pyrfly.sim.thrust import assumed_weight, maximum_thrust
from pyrfly.vehicles.px4 import of_same_column

__all__ = ["HIGHEST_SYSTEM", "Autopilots", "Uploads"]

Rows = NDArray[np.intp]

HIGHEST_SYSTEM = 255
"""Highest MAVLink identifier of a vehicle."""

_TEXTS = 65535  # numbers of texts
_SLOW_PERIOD = 0.2  # s between two looks at the geofence and the batteries


class Uploads(NamedTuple):
    """What stations have uploaded to a vehicle, in the local frame.

    Attributes
    ----------
    row : int
        Row of the vehicle.
    home : ndarray, shape (3,)
        Its home [m, NED].
    mission : Mission or None
        The mission.
    fence : Fence or None
        The areas of its geofence.
    rally : tuple of ndarray, each of shape (3,)
        Rally points [m, NED].
    """

    row: int
    home: NDArray[np.float64]
    mission: Mission | None
    fence: Fence | None
    rally: tuple[NDArray[np.float64], ...]


class Autopilots:
    """Vehicles that answer over MAVLink as PX4 v1.16.1 does.

    Parameters
    ----------
    sim : Sim
        The vehicles; they get the synthesis columns.
    first_id : int
        CopterID of the first vehicle, which is its MAVLink system identifier; those above 255 begin
        again with 1.
    patience : float
        Factor of the times after which a link counts as lost, see `Commander`.
    restart : callable, optional
        Puts the vehicle of a row back to its start, as a reboot does; by default `Sim.reset`.
    epoch : float
        Time since 1970 at which the vehicles are switched on [s], which SYSTEM_TIME tells, the
        simulated time added. The default lets equal simulations send equal messages.
    timeouts : mapping
        Seconds by names of `pyrfly.protocol.timeouts.TIMEOUTS`: those of MAVLink count, of which
        some are parameters.

    Attributes
    ----------
    sim : Sim
        As given.
    system_ids : ndarray of int, shape (n,)
        MAVLink identifiers.
    parameters : Parameters
        PX4 parameters.
    clock : Clock
        Time.
    commander : Commander
        Modes and arming.
    commands : Commands
        Executes commands.
    hearers : list of callable
        Called with row, severity and text when a vehicle says something (STATUSTEXT); none at
        first.

    Examples
    --------
    >>> import pyrfly
    >>> from pyrfly.autopilot import Autopilots, FlightMode
    >>> sim = pyrfly.Sim("x450")
    >>> autopilots = Autopilots(sim)
    >>> autopilots.commander.set_mode(0, FlightMode.TAKEOFF)
    <Result.ACCEPTED: 0>
    >>> autopilots.commander.arm(0, True)
    <Result.ACCEPTED: 0>
    >>> for _ in range(300):
    ...     sim.step(20)
    ...     autopilots.update()
    >>> FlightMode(autopilots.commander.mode[0]).name, bool(-sim.pos[0, 2] > 2)
    ('HOLD', True)
    """

    def __init__(
        self,
        sim: Sim,
        first_id: int = 1,
        patience: float = 1.0,
        restart: Callable[[int], object] | None = None,
        epoch: float = 0.0,
        timeouts: Mapping[str, float] = NO_TIMEOUTS,
    ) -> None:
        require_kind("sim", sim, Sim)
        sim.enable_synthesis()
        self.sim = sim
        self.clock = Clock(sim)
        self._epoch = epoch - self.clock.now
        self.system_ids = (np.arange(sim.n) + first_id - 1) % HIGHEST_SYSTEM + 1
        self.parameters = Parameters([(group.abilities, group.n) for group in sim.groups])
        self._channels: list[Channel] = []
        self._missions: dict[int, MissionFlight] = {}
        self._held: dict[int, tuple[str, np.void]] = {}  # set-points that wait
        self._used: list[tuple[Rows, NDArray[np.int8]]] = []  # since `use_set_points`
        self._slow_due = 0.0
        self._texts = 0  # number of the last one
        self.hearers: list[Callable[[int, Severity, str], object]] = []
        self._types = vehicle_types(sim)
        self._set_defaults(timeouts)
        lost = timeouts.get("target", TIMEOUTS["target"].seconds)
        self.commander = Commander(sim, self.parameters, self._say, self.clock, patience, lost)
        put_back = restart or (lambda row: sim.reset(ids=row + 1))
        self.commands = Commands(
            sim,
            self.commander,
            lambda row: self.mission(row).store,
            put_back,
            self._tune,
            FailureInjection(sim, self.parameters, self._say).inject,
        )

    def open(self, rates: Mapping[str, float], key: bytes | None = None) -> Channel:
        """Return a new link to the vehicles; ``rates`` and ``key`` as of `Channel`."""
        self._channels.append(Channel(self, rates, key))
        return self._channels[-1]

    def moment(self) -> TelemetrySnapshot:
        """Return the state of the vehicles now, for messages."""
        return TelemetrySnapshot(
            self.sim, self.commander, self._types, self._epoch + self.clock.now
        )

    def mission(self, row: int) -> MissionFlight:
        """Return mission, fence and rally points of a vehicle."""
        if row not in self._missions:
            self._missions[row] = MissionFlight(
                self.sim,
                row,
                MissionStore(self.sim.select(row + 1).abilities[0].backs),
                self.commander,
                self.parameters,
            )
        return self._missions[row]

    def uploads(self) -> list[Uploads]:
        """Return what stations have uploaded, of the vehicles that have something."""
        commander = self.commander
        found = [
            Uploads(
                row,
                commander.homes.pos[row].copy(),
                flight.mission,
                commander.fence.areas.get(row),
                commander.requests.rally(row),
            )
            for row, flight in sorted(self._missions.items())
        ]
        return [one for one in found if one.mission or one.rally or (one.fence and one.fence.areas)]

    def tell(self, row: int, reply: Reply) -> None:
        """Send a message of a vehicle over all links."""
        for channel in self._channels:
            channel.send(row, reply)

    def hold_set_point(self, row: int, name: str, record: np.void) -> bool:
        """Keep a set-point until `use_set_points`, also in place of an earlier one.

        Return whether there was one.
        """
        replaces = row in self._held
        self._held[row] = (name, record)
        return replaces

    def catch_up(self, row: int) -> None:
        """Take what waits of one vehicle, before a command that may need it.

        That is its set-point, and its mission, fence and rally points.
        """
        if row in self._held:
            name, record = self._held.pop(row)
            self._use(name, {row: record})
        if row in self._missions:
            self._update_mission(row, bool(self.commander.armed[row]))

    def use_set_points(self) -> tuple[Rows, NDArray[np.int8]]:
        """Take the newest set-point of each vehicle.

        Returns
        -------
        rows : ndarray of int, shape (k,)
            The vehicles that had one since the last call.
        verdicts : ndarray of int8, shape (k,)
            `pyrfly.autopilot.offboard.Verdict` on each.
        """
        held, self._held = self._held, {}
        by_name: dict[str, dict[int, np.void]] = {}
        for row, (name, record) in held.items():
            by_name.setdefault(name, {})[row] = record
        for name, chosen in by_name.items():
            self._use(name, chosen)
        used, self._used = self._used, []
        if not used:
            return np.empty(0, np.intp), np.empty(0, np.int8)
        rows, verdicts = zip(*used, strict=True)
        return np.concatenate(rows), np.concatenate(verdicts)

    def _use(self, name: str, chosen: Mapping[int, np.void]) -> None:
        """Take set-points by row."""
        rows = np.array(list(chosen))
        # quicker than an array of the records, whose dtypes would be compared
        data = b"".join([record.tobytes() for record in chosen.values()])
        records = np.frombuffer(data, MESSAGES[name].dtype)
        att = np.asarray(self.sim.known.att[rows], np.float64)
        hovers = self.commander.hovers[rows]
        home = self._home_altitudes(name, rows)
        lead = turning_lead(self.parameters.column("MC_YAW_P")[rows])
        inputs, verdicts = set_points_of(name, records, att, home, hovers, lead)
        used = verdicts == Verdict.USED
        if used.any():
            valid = type(inputs)(inputs.ints[used], inputs.floats[used])
            if name == "SET_POSITION_TARGET_LOCAL_NED":
                valid.floats[:, POS] += self.commander.origins.shift[rows[used]]
            self.commander.set_points(rows[used], valid)
        for row in rows[verdicts == Verdict.BAD_FRAME].tolist():
            self._say(row, Severity.CRITICAL, f"{name}: coordinate frame unsupported")
        self._used.append((rows, verdicts))

    def _home_altitudes(self, name: str, rows: Rows) -> NDArray[np.float64]:
        """Return the altitudes of the homes of vehicles [m], of which some set-points need them."""
        if name != "SET_POSITION_TARGET_GLOBAL_INT":
            return np.zeros(len(rows))
        return np.asarray(self.sim.local_frame.to_lla(self.commander.homes.pos[rows])[:, 2])

    def update(self) -> None:
        """Do what time brings, every `pyrfly.mission.base_pilot.TICK` of simulated time."""
        for channel in self._channels:
            channel.take_late()
        armed = self.commander.armed.tolist() if self._missions else []
        for row in self._missions:
            self._update_mission(row, armed[row])
        self._apply_parameters()
        if self.clock.now >= self._slow_due:
            self._slow_due = self.clock.now + _SLOW_PERIOD
            self.commander.failsafes.update_slowly()
        self.commander.update()

    def _update_mission(self, row: int, armed: bool) -> None:
        reason = self._missions[row].update(armed)
        if reason:
            self._say(row, Severity.CRITICAL, reason)

    @property
    def period(self) -> float:
        """Simulated time between two calls of `update` [s]."""
        return TICK

    def _say(self, row: int, severity: Severity, text: str) -> None:
        for hear in self.hearers:
            hear(row, severity, text)
        self._texts = self._texts % _TEXTS + 1
        for reply in status_texts(text, severity, self._texts):
            self.tell(row, reply)

    def _set_defaults(self, timeouts: Mapping[str, float]) -> None:
        """Set the parameters to what the vehicles have, defaults of their families, and times."""
        times = {TIMEOUTS[name].parameter: seconds for name, seconds in timeouts.items()}
        times.pop("", None)  # of no parameter
        for group in self.sim.groups:
            values = {**SET_DEFAULTS, **px4_values(group), **_hover_throttle(group, 0), **times}
            for row in range(group.first_id - 1, group.first_id - 1 + group.n):
                for name, value in {**values, "MAV_SYS_ID": self._system_of(row)}.items():
                    self.parameters.set(row, name, value)
        self.parameters.changed.clear()

    def _tune(self, row: int) -> None:
        """Tune the controllers of a vehicle: its parameters become what it has then."""
        self._apply_parameters()
        self.sim.retune(ids=row + 1)
        (group, _, _), *_ = self.sim.select(row + 1)
        place = row + 1 - group.first_id
        known = px4_values(group, place)
        tuned = {name: known[name] for name in group.abilities.px4 if name in known}
        for name, value in {**tuned, **_hover_throttle(group, place)}.items():
            self.parameters.set(row, name, value)
        self.parameters.changed.clear()

    def _system_of(self, row: int) -> int:
        return min(int(self.system_ids[row]), int(PARAMETERS["MAV_SYS_ID"].high))

    def _apply_parameters(self) -> None:
        """Write parameters that are columns of vehicles."""
        changed = sorted(self.parameters.changed)
        self.parameters.changed.clear()
        for row, name in changed:
            chosen = self.sim.select(row + 1)
            (group, _, _), *_ = chosen
            parameter = group.abilities.px4.get(name)
            if parameter is not None:
                value = self.parameters.get(row, name) * parameter.factor
                chosen.write(parameter.column, value, parameter.component)
                for other in of_same_column(group.abilities.px4, name):
                    known = group.abilities.px4[other]
                    same = min(max(value / known.factor, known.low), known.high)
                    self.parameters.set(row, other, same)
        self.parameters.changed.clear()


def _hover_throttle(group: Group, row: int) -> dict[str, float]:
    """Return PX4's thrust of hover of the vehicle in a row of a group that rotors carry."""
    thrust = maximum_thrust(group, slice(row, row + 1))
    if thrust is None or thrust[0] <= 0.0:
        return {}
    hover = float(assumed_weight(group, slice(row, row + 1))[0] / thrust[0])
    span = PARAMETERS["MPC_THR_HOVER"]
    return {"MPC_THR_HOVER": float(np.clip(hover, span.low, span.high))}
