"""Execution of what the packets of a link request: `Executor`."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from pyrfly.errors import ParameterError
from pyrfly.frames import LocalFrame
from pyrfly.protocol import synthesis
from pyrfly.protocol.bits import LATITUDE, LONGITUDE
from pyrfly.protocol.synthesis import (
    COMMAND,
    OFFBOARD,
    POS,
    THRUST,
    VEL,
    Command,
    Inputs,
    Mode,
    Offboard,
)
from pyrfly.protocol.terrain import ObjectYaws
from pyrfly.server.extensions import Extensions
from pyrfly.server.link_stats import Count, LinkStats
from pyrfly.server.orders import (
    Action,
    Bools,
    CollisionInputs,
    Crash,
    Extension,
    HeartbeatRequest,
    Ids,
    Injection,
    MapChange,
    ModelParameters,
    ModeRequest,
    Origin,
    OriginRequest,
    Place,
    PositionKinds,
    Reset,
    SetInputs,
    SetPoints,
    TakeOff,
    TerrainInput,
    TopicInputs,
    apply,
    by_kind,
    done_in_part,
    moving_ground,
    needs_controller,
    picked,
)
from pyrfly.server.settings import Settings
from pyrfly.server.starts import Starts
from pyrfly.server.streams import Streams, has_set_points, lapsed
from pyrfly.sim import Sim
from pyrfly.sim.model_inputs import give_models, have_models

__all__ = ["Executor", "beyond"]


FARTHEST = 1e6
"""Distance of a position along each axis that the navigator limits it to [m]."""

_INTEGER = int(Offboard.GLOBAL | Offboard.INTEGER_POSITION)


def _to_nobody(ids: Ids, topics: Ids, values: NDArray[np.float64]) -> Bools:
    return np.zeros(len(ids), np.bool_)


class Executor:
    """Executes actions on the vehicles of a `Sim`, and ends the set-points of streams that end.

    Parameters
    ----------
    sim : Sim
        The vehicles, which have the synthesis columns.
    stats : LinkStats
        Where set-points that are limited, and streams that end, are counted.
    timeout : float
        Simulated time after which the set-points of a stream lapse [s]; infinity: never.
    setpoints_arm : bool
        Whether the first set-point of a stream arms a vehicle.
    starts : Starts, optional
        Where vehicles are put back to; by default where they are now.

    Attributes
    ----------
    topics : numpy.ndarray, shape (n, 3, 16)
        The last rfly_ctrl, rfly_ctrl1 and rfly_ctrl2 of each vehicle.
    send_topics : callable
        Sends them to PX4s outside; returns of which vehicles. Others take the first of them for
        the answer of such a PX4.
    """

    def __init__(
        self,
        sim: Sim,
        stats: LinkStats,
        timeout: float,
        setpoints_arm: bool,
        starts: Starts | None = None,
    ) -> None:
        self._extensions = Extensions(sim.n)
        self.topics = np.zeros((sim.n, 3, 16))
        self.send_topics: Callable[[Ids, Ids, NDArray[np.float64]], Bools] = _to_nobody
        self._sim = sim
        self._stats = stats
        self._streams = Streams(sim.n, timeout)
        self._setpoints_arm = setpoints_arm
        self._starts = Starts(sim) if starts is None else starts
        self._settings = Settings(sim, self._starts, stats)
        self._object_yaws = ObjectYaws(sim.n)
        self._have_models = have_models(sim.select())
        self._uncontrolled = np.zeros(sim.n, np.bool_)
        for group, _, places in sim.select():
            self._uncontrolled[places] = not group.abilities.controlled

    @property
    def extension(self) -> NDArray[np.float64]:
        """The last inCtrlExt1 to 5 of each vehicle, shape (n, 5, 28); faults in them act."""
        return self._extensions.values

    @property
    def timeout(self) -> float:
        """Simulated time after which the set-points of a stream lapse [s]; infinity: never."""
        return self._streams.timeout

    def act(self, action: Action) -> None:
        """Execute an action, in which a vehicle occurs at most once."""
        if self._uncontrolled.any():
            action = self._for_controllers(action)
        match action:
            case Injection() | ModelParameters():
                for number, text in done_in_part(self._sim, action):
                    self._settings.refuse(text.partition(":")[0], np.array([number]), text)
            case Extension():
                self._extend(action)
            case CollisionInputs(ids, _):
                try:
                    apply(self._sim, action)
                except ParameterError as error:
                    self._settings.refuse("rebound", ids, str(error))
            case TopicInputs(ids, topics, values):
                self.topics[ids - 1, topics] = values
                there = ~self.send_topics(ids, topics, values)
                apply(self._sim, TopicInputs(ids[there], topics[there], values[there]))
            case TerrainInput():
                rows, time = action.ids - 1, self._sim.time
                apply(self._sim, moving_ground(action, self._object_yaws, rows, time))
            case Reset(ids):
                self._object_yaws.forget(ids - 1)
                self._starts.restart(ids)
                self._streams.restarted(ids)
            case Place():
                ids = self._settings.place(action)
                self._object_yaws.forget(ids - 1)
                self._streams.restarted(ids)
            case Origin():
                self._settings.move_origin(action)
            case MapChange():
                self._settings.change_map(action)
            case ModeRequest(ids, modes):
                self._settings.refuse("mode", ids, f"mode {modes[-1]} of the link")
            case HeartbeatRequest(ids) | OriginRequest(ids):
                self._settings.refuse(type(action).__name__, ids, "what this link does not send")
            case Crash():
                pass  # told to clients by their link
            case SetInputs(ids, ints, floats, _):
                apply(self._sim, action._replace(ints=self._noted(ids, ints, floats)))
            case SetPoints(ids, ints, floats):
                words = self._noted(ids, ints, floats, offboard=True)
                apply(self._sim, SetPoints(ids, words, floats))
            case PositionKinds():
                for one in by_kind(self._sim, action):
                    self.act(one)
            case TakeOff(ids, ints, floats):
                self._count_limited(ids, ints, floats)
                apply(self._sim, action)
                self._streams.replaced(ids)
            case command:
                apply(self._sim, command)

    def _for_controllers(self, action: Action) -> Action:
        """Return an action without the vehicles that lack the controller which it needs."""
        lost = self._uncontrolled[action.ids - 1] & needs_controller(action)
        if not lost.any():
            return action
        (first, *_) = self._sim.select(action.ids[lost])
        text = (
            f"a flight of {first.group.name!r}, whose model has no controller: it takes neither "
            "inSILInts nor inSILFloats; an autopilot, such as by --px4, flies it"
        )
        self._settings.refuse("controller", action.ids[lost], text)
        return picked(action, np.flatnonzero(~lost))

    def _extend(self, action: Extension) -> None:
        """Store inputs; models in libraries get what is applied, of others the faults in it act."""
        for injection in self._extensions.take(action):
            self.act(picked(injection, np.flatnonzero(~self._have_models[injection.ids - 1])))
        given = action.ids[action.applied & self._have_models[action.ids - 1]]
        if len(given):
            values = self._extensions.values[given - 1].reshape(len(given), -1)
            give_models(self._sim.select(given), "extended", values)

    def lapse(self) -> None:
        """End the set-points of streams that have ended."""
        ids = self._streams.ended(self._sim.time)
        if len(ids):
            words, floats = self._sim.sil_ints[ids - 1], self._sim.sil_floats[ids - 1]
            self._sim.command_sil(*lapsed(Inputs(words.view(np.int32), floats)), ids=ids)
            self._stats.add(Count.LAPSED, ids - 1)

    def _count_limited(
        self, ids: Ids, ints: NDArray[np.int32], floats: NDArray[np.float32]
    ) -> None:
        limited = beyond(ints, floats, self._sim.local_frame)
        self._stats.add(Count.LIMITED, ids[limited] - 1)

    def _noted(
        self,
        ids: Ids,
        ints: NDArray[np.int32],
        floats: NDArray[np.float32],
        offboard: bool = False,
    ) -> NDArray[np.int32]:
        """Note which set-points begin or continue a stream; return the words for the vehicles.

        In ``offboard`` a message without a set-point belongs to the stream, too.
        """
        self._count_limited(ids, ints, floats)
        time, is_stream = self._sim.time, ints[:, COMMAND] & Command.ENABLE == 0
        flies = is_stream & has_set_points(ints)
        begins = is_stream & self._streams.begins(ids, time)
        stands = flies | (is_stream & (floats[:, VEL] != 0).any(axis=1))  # or sticks
        self._streams.set_points(ids if offboard else ids[stands], time)
        self._streams.replaced(ids[~stands])
        return self._switched(ids, ints, begins, flies, offboard) if begins.any() else ints

    def _switched(
        self, ids: Ids, ints: NDArray[np.int32], begins: Bools, flies: Bools, offboard: bool
    ) -> NDArray[np.int32]:
        """Return the words with what the beginning of a stream commands.

        It arms, if so set, and in ``offboard`` ends a take-off, as PX4's change of mode does.
        """
        armed = self._sim.armed[ids - 1] != 0
        arms = begins & flies & ~armed & self._setpoints_arm
        ends = begins & offboard & (self._sim.navigator_mode[ids - 1] == Mode.TAKEOFF)
        task = np.where(ends, int(Command.OFFBOARD_POSITION), 0)
        words = ints.copy()
        commands = synthesis.command_word(armed | arms) | task
        words[:, COMMAND] = np.where(arms | ends, commands, ints[:, COMMAND])
        return words


def beyond(
    ints: NDArray[np.int32], floats: NDArray[np.float32], frame: LocalFrame
) -> NDArray[np.bool_]:
    """Return which inputs (k, 8), (k, 20) have a thrust or a position beyond its range.

    A normalized thrust is from 0 to 1, a position within `FARTHEST` of the origin of its frame,
    ``frame`` if it is a global one.
    """
    bits, thrust = ints[:, OFFBOARD], floats[:, THRUST]
    found: NDArray[np.bool_] = (bits & Offboard.THRUST != 0) & ((thrust < 0) | (thrust > 1))
    placed = np.flatnonzero(bits & Offboard.POSITION)
    if len(placed):
        pos = floats[placed, POS].astype(np.float64)
        on_globe = bits[placed] & Offboard.GLOBAL != 0
        if on_globe.any():
            rows = placed[on_globe]
            pos[on_globe] = frame.to_ned(_degrees(ints[rows], pos[on_globe]))
        found[placed] |= (np.abs(pos) > FARTHEST).any(axis=1)
    return found


def _degrees(ints: NDArray[np.int32], pos: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return latitudes and longitudes [deg] and heights [m] of global positions (k, 3)."""
    integers = ints[:, OFFBOARD] & _INTEGER == _INTEGER
    lla = pos.copy()
    lla[integers, :2] = ints[integers][:, [LATITUDE, LONGITUDE]] * 1e-7
    return lla
