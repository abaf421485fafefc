"""What packets request of vehicles, `Action`, and what became of each packet, `Orders`.

The fields of an action are arrays of one row per vehicle, the first the CopterIDs, so that
`picked` can choose among them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from pyrfly.protocol import synthesis
from pyrfly.protocol.bits import INTS
from pyrfly.protocol.faults import faults_in
from pyrfly.protocol.masks import PositionKind
from pyrfly.protocol.synthesis import COMMAND, OFFBOARD, Command, Inputs
from pyrfly.protocol.terrain import ObjectYaws
from pyrfly.server.link_stats import Count
from pyrfly.server.topics import write_topic
from pyrfly.sim import Sim
from pyrfly.sim.depths import with_depths
from pyrfly.sim.ground_plane import write_ground
from pyrfly.sim.model_inputs import give_models
from pyrfly.sim.model_params import given_to
from pyrfly.sim.rebound import HIT

__all__ = [
    "APPLIED",
    "ID_FIELDS",
    "Action",
    "CircleRadius",
    "CollisionInputs",
    "CommandWord",
    "Crash",
    "CustomNumbers",
    "Extension",
    "HeartbeatRequest",
    "MapChange",
    "MeasurementRequest",
    "ModeRequest",
    "ModelParameters",
    "Orders",
    "Origin",
    "OriginRequest",
    "Place",
    "PositionKinds",
    "Reset",
    "SceneInputs",
    "SetInputs",
    "SetPoints",
    "SpeedLimit",
    "StartSignal",
    "TakeOff",
    "Terrain",
    "TopicInputs",
    "apply",
    "by_kind",
    "done_in_part",
    "for_others",
    "joined",
    "moving_ground",
    "needs_controller",
    "orders",
    "picked",
    "stream_of",
    "verdicts",
]

ID_FIELDS = frozenset({"copterID", "CopterID"})
"""Fields of packets that name a vehicle; none has both."""

Ids = NDArray[np.intp]
Bools = NDArray[np.bool_]


class SetInputs(NamedTuple):
    """New values of the inputs inSILInts (k, 8) and inSILFloats (k, 20).

    ``doubles`` (k, 28) are both as they came, for models in libraries that take doubles.
    """

    ids: Ids
    ints: NDArray[np.int32]
    floats: NDArray[np.float32]
    doubles: NDArray[np.float64]

    @staticmethod
    def of(ids: Ids, ints: NDArray[np.int32], floats: NDArray[np.float32]) -> SetInputs:
        """Return inputs that came as integers and floats."""
        return SetInputs(ids, ints, floats, _as_doubles(ints, floats))


class Injection(NamedTuple):
    """Faults, as `SetInputs`."""

    ids: Ids
    ints: NDArray[np.int32]
    floats: NDArray[np.float32]
    doubles: NDArray[np.float64]


class ModelParameters(NamedTuple):
    """Parameters by number: interfaces (k,), their masks (k,) and values (k, 64)."""

    ids: Ids
    interfaces: NDArray[np.str_]
    masks: NDArray[np.uint64]
    values: NDArray[np.float64]


class SetPoints(NamedTuple):
    """Set-points of the 20100 series, those of an autopilot in offboard, as `SetInputs`."""

    ids: Ids
    ints: NDArray[np.int32]
    floats: NDArray[np.float32]


class TakeOff(NamedTuple):
    """A take-off as `SetInputs`; a vehicle that is armed stays so."""

    ids: Ids
    ints: NDArray[np.int32]
    floats: NDArray[np.float32]


class CommandWord(NamedTuple):
    """Command words (k,), ``inSILInts[0]``; the other inputs stay."""

    ids: Ids
    words: NDArray[np.int32]


class PositionKinds(NamedTuple):
    """Set-points as `SetPoints` of kinds (k,), `PositionKind`, which vehicles that hover ignore."""

    ids: Ids
    kinds: NDArray[np.int64]
    ints: NDArray[np.int32]
    floats: NDArray[np.float32]


class SpeedLimit(NamedTuple):
    """Speeds of cruise (k,) [m/s]: of planes airspeeds, of others maximum horizontal speeds."""

    ids: Ids
    speed: NDArray[np.float64]

    @staticmethod
    def now(sim: Sim) -> SpeedLimit:
        """Return the present speeds of all vehicles of a simulation; 0 of those without."""
        speed = np.zeros(sim.n)
        for group, rows, indices in sim.select():
            if group.has(group.abilities.cruise_speed):
                speed[indices] = group.view(group.abilities.cruise_speed)[rows]
        return SpeedLimit(np.arange(1, sim.n + 1), speed)


class CircleRadius(NamedTuple):
    """Radii of the circles of vehicles that do not hover (k,) [m], of others without effect."""

    ids: Ids
    radius: NDArray[np.float64]

    @staticmethod
    def now(sim: Sim) -> CircleRadius:
        """Return the present radii of all vehicles of a simulation; 0 of those without."""
        radius = np.zeros(sim.n)
        for group, rows, indices in sim.select():
            if _RADIUS in group.abilities.px4:
                radius[indices] = group.view(group.abilities.px4[_RADIUS].column)[rows]
        return CircleRadius(np.arange(1, sim.n + 1), radius)


_RADIUS = "NAV_LOITER_RAD"


class Terrain(NamedTuple):
    """The ground below vehicles, as the columns of these names have it."""

    ids: Ids
    terrain: NDArray[np.float64]
    terrain_gradient: NDArray[np.float64]
    friction_reduction: NDArray[np.float64]
    terrain_velocity: NDArray[np.float64]
    terrain_yaw_rate: NDArray[np.float64]

    @staticmethod
    def now(sim: Sim) -> Terrain:
        """Return the present ground of all vehicles of a simulation."""
        ids = np.arange(1, sim.n + 1)
        level, still = np.zeros((sim.n, 2)), np.zeros((sim.n, 3))
        ground = Terrain(ids, np.zeros(sim.n), level, np.zeros(sim.n), still, np.zeros(sim.n))
        for group, rows, indices in sim.select():
            for field in group.fields:
                if field.name in Terrain._fields:
                    getattr(ground, field.name)[indices] = group.view(field.name)[rows]
        return ground


class TerrainInput(NamedTuple):
    """The ground below vehicles as a message has it, a `Ground`: with the yaw of the object."""

    ids: Ids
    terrain: NDArray[np.float64]
    terrain_gradient: NDArray[np.float64]
    friction_reduction: NDArray[np.float64]
    terrain_velocity: NDArray[np.float64]
    object_yaw: NDArray[np.float64]


def moving_ground(
    action: TerrainInput, yaws: ObjectYaws, rows: NDArray[np.intp], time: float
) -> Terrain:
    """Return the ground of a message at a time [s]; the object turns from its last yaw to this."""
    return Terrain(*action[:-1], yaws.rates(rows, action.object_yaw, time))


class Extension(NamedTuple):
    """Values (k, 28) of the inputs inCtrlExt 1 to 5, ``numbers`` (k,), applied or stored (k,)."""

    ids: Ids
    numbers: NDArray[np.intp]
    values: NDArray[np.float64]
    applied: Bools


class SceneInputs(NamedTuple):
    """Values (k, 32) of the column ``scene_inputs``."""

    ids: Ids
    values: NDArray[np.float64]


class MeasurementRequest(NamedTuple):
    """How often measurements of the IMU are to be sent (k,) [Hz], 0 for never."""

    ids: Ids
    rates: NDArray[np.float64]


class CollisionInputs(NamedTuple):
    """Values (k, 20) of the input inFloatsCollision."""

    ids: Ids
    values: NDArray[np.float64]


class TopicInputs(NamedTuple):
    """Messages (k, 16) of ``topics`` (k,): 0 rfly_ctrl, 1 rfly_ctrl1, 2 rfly_ctrl2."""

    ids: Ids
    topics: NDArray[np.intp]
    values: NDArray[np.float64]


class Crash(NamedTuple):
    """What vehicles have hit (k,): a CopterID, 0 for an object, -1 for nothing."""

    ids: Ids
    hit: NDArray[np.intp]


class Place(NamedTuple):
    """Vehicles to be reset to another start.

    Attributes
    ----------
    ids : ndarray
        CopterIDs.
    pos : ndarray, shape (k, 3)
        Position [m, NED]; NaN: at home, and z on the ground.
    yaw : ndarray, shape (k,)
        Heading [rad]; NaN: that of the start.
    on_globe : ndarray of bool, shape (k,)
        Where the first two numbers of the position are latitude and longitude [deg].
    """

    ids: Ids
    pos: NDArray[np.float64]
    yaw: NDArray[np.float64]
    on_globe: Bools


class Origin(NamedTuple):
    """Latitudes, longitudes [deg] and heights [m] (k, 3) of the map's origin, one for all."""

    ids: Ids
    lla: NDArray[np.float64]


class MapChange(NamedTuple):
    """Names (k,), UTF-8, of the map, one for all vehicles."""

    ids: Ids
    names: NDArray[np.bytes_]


class ModeRequest(NamedTuple):
    """Numbers (k,) of the mode of the link."""

    ids: Ids
    modes: NDArray[np.intp]


class HeartbeatRequest(NamedTuple):
    """Vehicles whose heartbeat is to be sent."""

    ids: Ids


class OriginRequest(NamedTuple):
    """Vehicles for which the origin of the map is to be sent."""

    ids: Ids


class StartSignal(NamedTuple):
    """Vehicles to start, ``everybody`` (k,) where all are meant."""

    ids: Ids
    everybody: Bools


class CustomNumbers(NamedTuple):
    """Numbers of the user (k, 16)."""

    ids: Ids
    values: NDArray[np.float64]


class Reset(NamedTuple):
    """Vehicles to be reset: back to their start, on the ground of the start, disarmed."""

    ids: Ids


Action = (
    SetInputs
    | Injection
    | ModelParameters
    | SetPoints
    | TakeOff
    | CommandWord
    | PositionKinds
    | SpeedLimit
    | CircleRadius
    | Terrain
    | TerrainInput
    | Extension
    | SceneInputs
    | MeasurementRequest
    | CollisionInputs
    | TopicInputs
    | Crash
    | Place
    | Origin
    | MapChange
    | ModeRequest
    | HeartbeatRequest
    | OriginRequest
    | StartSignal
    | CustomNumbers
    | Reset
)
A = TypeVar("A", bound=Action)


class Orders(NamedTuple):
    """What k packets of one kind request.

    Attributes
    ----------
    actions : list of Action
        What to do.
    packets : list of ndarray of int
        Of each action, which packets its rows are from.
    verdicts : ndarray of int, shape (k,)
        What became of each packet, a `Count` from ACCEPTED to UNSUPPORTED.
    unknown_bits : ndarray of bool, shape (k,)
        Which accepted packets have bits that are not known; those are ignored.
    """

    actions: list[Action]
    packets: list[NDArray[np.intp]]
    verdicts: NDArray[np.int8]
    unknown_bits: Bools


def verdicts(
    k: int,
    *,
    bad_id: Bools | None = None,
    not_finite: Bools | None = None,
    unknown: Bools | None = None,
) -> NDArray[np.int8]:
    """Return one verdict for each of ``k`` packets: the first reason to drop it, or ACCEPTED."""
    found = np.full(k, Count.ACCEPTED, dtype=np.int8)
    for count, where in (
        (Count.UNKNOWN, unknown),
        (Count.NOT_FINITE, not_finite),
        (Count.BAD_ID, bad_id),
    ):
        if where is not None:
            found[where] = count
    return found


def orders(
    requested: list[tuple[Action, Bools]],
    verdicts: NDArray[np.int8],
    unknown_bits: Bools | None = None,
) -> Orders:
    """Return orders from actions and the masks (k,) of the packets that their rows are from.

    Actions for no vehicle and unknown bits of dropped packets are left out.
    """
    accepted = verdicts == Count.ACCEPTED
    some = [(action, np.flatnonzero(mask)) for action, mask in requested if len(action.ids)]
    return Orders(
        [action for action, _ in some],
        [packets for _, packets in some],
        verdicts,
        np.zeros_like(accepted) if unknown_bits is None else unknown_bits & accepted,
    )


def for_others(named: NDArray[Any], ids: Ids) -> Bools:
    """Return which packets of the 30100 series name another vehicle; 0 and -1 name none."""
    return np.asarray(~(np.equal(named, ids) | np.isin(named, (0, -1))))


def picked(action: A, rows: NDArray[np.intp]) -> A:
    """Return some rows of an action."""
    return type(action)(*(column[rows] for column in action))  # type: ignore[arg-type]


def joined(actions: Sequence[A]) -> A:
    """Return actions of one kind as one."""
    return type(actions[0])(*map(np.concatenate, zip(*actions, strict=True)))


def inputs_of(
    numbers: NDArray[Any],
) -> tuple[NDArray[np.int32], NDArray[np.float32], Bools]:
    """Return 28 numbers as 8 integers and 20 floats, and of which vehicles the integers fit.

    Those that do not fit into 32 bits, with a sign or without, become 0.
    """
    first = numbers[:, :INTS]
    fit = (first >= -(2.0**31)) & (first < 2.0**32)  # NaN does not
    ints = np.where(fit, first, 0.0).astype(np.int64).astype(np.int32)
    with np.errstate(over="ignore"):
        return ints, numbers[:, INTS:].astype(np.float32), np.asarray(fit.all(axis=1))


def _as_doubles(ints: NDArray[np.int32], floats: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return 8 integers and 20 floats as 28 numbers."""
    with np.errstate(invalid="ignore"):  # of a signalling NaN in a float not in use
        return np.concatenate([ints, floats], axis=1, dtype=np.float64)


def stream_of(action: Action) -> NDArray[np.intp]:
    """Return which stream each row belongs to, shape (k,); 0: it is a command, and acts once.

    Of a stream only the newest counts: set-points, the ground, a limit, each additional input or
    topic, a request for measurements, a setting of all vehicles. A crash counts by itself. Hits
    are another stream than distances.
    """
    match action:
        case SetInputs(_, ints, _, _):
            return np.where(ints[:, COMMAND] & Command.ENABLE, 0, 1)
        case Extension(_, numbers, values, applied):
            faulty = faults_in(inputs_of(values)[0]) != 0
            return np.where(faulty | ~applied, 0, 3 + numbers)
        case TopicInputs(_, topics, _):
            return 11 + topics
        case Crash(_, hit):
            return np.where(hit < 0, 14, 0)
        case CollisionInputs(_, values):
            return np.where(values[:, 1] > HIT, 22, 15)
        case _:
            return np.full(len(action.ids), _STREAMS.get(type(action), 0))


def needs_controller(action: Action) -> Bools:
    """Return which rows only a controller can execute: all of commands but those that arm."""
    match action:
        case SetInputs(_, ints, _, _) | SetPoints(_, ints, _) | TakeOff(_, ints, _):
            found = (ints[:, COMMAND] & ~_ARMING != 0) | (ints[:, OFFBOARD] != 0)
            return np.asarray(found)
        case CommandWord(_, words):
            return np.asarray(words & ~_ARMING != 0)
        case _:
            return np.full(len(action.ids), isinstance(action, _LIMITS))


_ARMING = int(Command.ENABLE | Command.SIL | Command.ARMED)
_LIMITS = (PositionKinds, SpeedLimit, CircleRadius)

_STREAMS: dict[type[Action], int] = {
    SetPoints: 1,
    PositionKinds: 1,
    Terrain: 2,
    TerrainInput: 2,
    SpeedLimit: 3,
    SceneInputs: 9,
    MeasurementRequest: 10,
    Origin: 16,
    MapChange: 17,
    CustomNumbers: 18,
    HeartbeatRequest: 19,
    OriginRequest: 20,
    CircleRadius: 21,
}
"""Actions of which each vehicle has one stream."""


def by_kind(sim: Sim, action: PositionKinds) -> list[Action]:
    """Return what kinds of position set-points request: positions of vehicles that hover."""
    kinds = action.kinds.copy()
    for group, _, indices in sim.select(action.ids):
        if not group.abilities.kind.circles:
            kinds[indices] = 0
    found: list[Action] = []
    for number in np.unique(kinds).tolist():
        ids, _, ints, floats = picked(action, np.flatnonzero(kinds == number))
        if number == 0:
            found.append(SetPoints(ids, ints, floats))
            continue
        kind = PositionKind(number)
        inputs = synthesis.of_kind(Inputs(ints, floats), kind, np.zeros(len(ids), np.bool_))
        found.append(_OF_KIND.get(kind, SetPoints)(ids, *inputs))
    return found


_OF_KIND: dict[PositionKind, Callable[..., Action]] = {
    PositionKind.TAKE_OFF: TakeOff,
    PositionKind.LAND: SetInputs.of,
}


APPLIED = (
    *(SetInputs, SetPoints, PositionKinds, TakeOff, CommandWord, SpeedLimit, CircleRadius),
    *(Injection, ModelParameters, Terrain, TerrainInput, SceneInputs, TopicInputs),
    CollisionInputs,
)
"""Actions that need no server: what `apply` executes; `TerrainInput` by `moving_ground`, and
`Injection` and `ModelParameters` by `done_in_part`."""


def done_in_part(sim: Sim, action: Injection | ModelParameters) -> list[tuple[int, str]]:
    """Execute an action of which a part may be refused.

    Returns
    -------
    list of (int, str)
        CopterIDs, and what of theirs is refused, and why.
    """
    refused: list[tuple[int, str]] = []
    for k, number in enumerate(action.ids.tolist()):
        if isinstance(action, Injection):
            texts = _inject(sim, picked(action, np.array([k])))
        else:
            given = given_to(int(action.masks[k]), action.values[k])
            texts = _set_params(sim, number, str(action.interfaces[k]), given)
        refused += [(number, text) for text in texts]
    return refused


def _inject(sim: Sim, action: Injection) -> tuple[str, ...]:
    """Inject the faults of a vehicle, or let its model do so; return what is refused."""
    ids, ints, floats, _ = action
    if next(iter(sim.select(ids))).group.models:
        apply(sim, SetInputs(*action))
        return ()
    return sim.faults.inject(ints, floats, ids=ids)


def _set_params(
    sim: Sim, number: int, interface: str, values: Mapping[int, float]
) -> tuple[str, ...]:
    try:
        return sim.model_params.set(interface, values, ids=number)
    except ValueError as error:
        return (str(error),)


def apply(sim: Sim, action: Action) -> None:
    """Execute an action on the vehicles of a simulation, each at most once in it.

    Raises
    ------
    TypeError
        The action needs a server, such as a `Reset`, or is a `TerrainInput`.
    ParameterError
        The vehicle has no part for it.
    """
    match action:
        case SetInputs(ids, ints, floats, doubles):
            apply(sim, SetPoints(ids, ints, floats))
            if any(group.models for group in sim.groups):
                give_models(sim.select(ids), "sil_doubles", doubles)
        case SetPoints(ids, ints, floats):
            with np.errstate(invalid="ignore"):  # of a signalling NaN in a float not in use
                sim.command_sil(*with_depths(sim, Inputs(ints, floats), ids), ids=ids)
        case TakeOff(ids, ints, floats):
            words = ints.copy()
            words[:, COMMAND] |= np.where(sim.armed[ids - 1] != 0, int(Command.ARMED), 0)
            apply(sim, SetInputs.of(ids, words, floats))
        case CommandWord(ids, words):
            for word in np.unique(words).tolist():
                sim.command_sil(command=word, ids=ids[words == word])
        case PositionKinds():
            for one in by_kind(sim, action):
                apply(sim, one)
        case SpeedLimit(ids, speed):
            for group, rows, indices in sim.select(ids):
                if group.has(group.abilities.cruise_speed):
                    group.writable(group.abilities.cruise_speed)[rows] = speed[indices]
        case CircleRadius(ids, radius):
            for group, rows, indices in sim.select(ids):
                known = group.abilities.px4.get(_RADIUS)
                if known is not None:
                    limited = np.clip(radius[indices], known.low, known.high)
                    group.writable(known.column)[rows] = limited
        case Terrain():
            chosen = sim.select(action.ids)
            columns = {name: getattr(action, name) for name in Terrain._fields[1:]}
            write_ground(chosen, sim.enable_part, columns)
            if sim.environment.terrain_map is not None:  # which counts for vehicles on it
                sim.environment.refresh(chosen)
        case SceneInputs(ids, values):
            sim.enable_part("free_inputs")
            sim.select(ids).write("scene_inputs", values)
        case CollisionInputs(ids, values):
            sim.rebound.put(values, ids)
        case TopicInputs(ids, topics, values):
            write_topic(sim, ids[topics == 0], values[topics == 0])
        case _:
            raise TypeError(f"action: {type(action).__name__} needs a server")
