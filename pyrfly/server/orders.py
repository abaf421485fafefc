"""What packets request of vehicles, `Action`, and what became of each packet, `Orders`."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly.protocol.terrain import Ground
from pyrfly.server.link_stats import Count
from pyrfly.sim import Sim

__all__ = [
    "Action",
    "CommandWord",
    "Extension",
    "Orders",
    "Reset",
    "SetInputs",
    "SpeedLimit",
    "Terrain",
    "apply",
    "for_others",
    "orders",
    "verdicts",
]

Ids = NDArray[np.intp]
Bools = NDArray[np.bool_]


class SetInputs(NamedTuple):
    """New values of the inputs inSILInts (k, 8) and inSILFloats (k, 20)."""

    ids: Ids
    ints: NDArray[np.int32]
    floats: NDArray[np.float32]


class CommandWord(NamedTuple):
    """Command words (k,), ``inSILInts[0]``; the other inputs stay."""

    ids: Ids
    words: NDArray[np.int32]


class SpeedLimit(NamedTuple):
    """Maximum horizontal speeds (k,) [m/s]."""

    ids: Ids
    speed: NDArray[np.float64]


class Terrain(NamedTuple):
    """The ground below vehicles."""

    ids: Ids
    ground: Ground

    def of(self, rows: Any) -> Terrain:
        """Return that of some of the vehicles."""
        return Terrain(self.ids[rows], Ground(*(column[rows] for column in self.ground)))

    @staticmethod
    def now(sim: Sim) -> Terrain:
        """Return the present ground of all vehicles of a simulation."""
        ground = Ground(np.zeros(sim.n), np.zeros((sim.n, 2)), np.zeros(sim.n))
        for group, rows, indices in sim.select():
            for field in group.fields:
                if field.name in Ground._fields:
                    getattr(ground, field.name)[indices] = group.view(field.name)[rows]
        return Terrain(np.arange(1, sim.n + 1), ground)


class Extension(NamedTuple):
    """Values (k, 28) of the input inCtrlExt ``number``, 1 to 5."""

    ids: Ids
    number: int
    values: NDArray[np.float64]


class Reset(NamedTuple):
    """Vehicles to be reset: back to their start, on the ground of the start, disarmed."""

    ids: Ids


Action = SetInputs | CommandWord | SpeedLimit | Terrain | Extension | Reset


class Orders(NamedTuple):
    """What k packets of one kind request.

    Attributes
    ----------
    actions : list of Action
        What to do.
    verdicts : ndarray of int, shape (k,)
        What became of each packet, a `Count` from ACCEPTED to UNSUPPORTED.
    unknown_bits : ndarray of bool, shape (k,)
        Which accepted packets have bits that are not known; those are ignored.
    """

    actions: list[Action]
    verdicts: NDArray[np.int8]
    unknown_bits: Bools


def verdicts(
    k: int,
    *,
    bad_id: Bools | bool = False,
    not_finite: Bools | bool = False,
    unknown: Bools | bool = False,
) -> NDArray[np.int8]:
    """Return one verdict for each of ``k`` packets: the first reason to drop it, or ACCEPTED."""
    found = np.full(k, Count.ACCEPTED, dtype=np.int8)
    found[np.broadcast_to(unknown, k)] = Count.UNKNOWN
    found[np.broadcast_to(not_finite, k)] = Count.NOT_FINITE
    found[np.broadcast_to(bad_id, k)] = Count.BAD_ID
    return found


def orders(
    actions: list[Action], verdicts: NDArray[np.int8], unknown_bits: Bools | None = None
) -> Orders:
    """Return orders without actions for no vehicle and unknown bits of dropped packets."""
    accepted = verdicts == Count.ACCEPTED
    return Orders(
        [action for action in actions if len(action.ids)],
        verdicts,
        np.zeros_like(accepted) if unknown_bits is None else unknown_bits & accepted,
    )


def for_others(named: NDArray[Any], ids: Ids) -> Bools:
    """Return which packets of the 30100 series name another vehicle; 0 and -1 name none."""
    return np.asarray(~(np.equal(named, ids) | np.isin(named, (0, -1))))


def _last_of_each(ids: Ids) -> NDArray[np.intp]:
    """Return the last row of each vehicle: packets of one stream replace each other."""
    _, from_end = np.unique(ids[::-1], return_index=True)
    rows: NDArray[np.intp] = len(ids) - 1 - from_end
    return rows


def apply(sim: Sim, action: Action) -> None:
    """Execute an action on the vehicles of a simulation; `Extension` and `Reset` need a server."""
    match action:
        case SetInputs(ids, ints, floats):
            last = _last_of_each(ids)
            with np.errstate(invalid="ignore"):  # of a signalling NaN in a float not in use
                sim.command_sil(ints[last], floats[last], ids=ids[last])
        case CommandWord(ids, words):
            for word in np.unique(words).tolist():
                sim.command_sil(command=word, ids=ids[words == word])
        case SpeedLimit(ids, speed):
            sim.select(ids).write("speed_limit", speed)
        case Terrain(ids, ground):
            chosen = sim.select(ids)
            for name, values in ground._asdict().items():
                chosen.offer(name, values)
