"""Boundaries of what the vehicles of a simulation may do: `Safety`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly.errors import RunEnded
from pyrfly.protocol.bits import Boundary, Fault, SafetyAction
from pyrfly.sim.boundaries import (
    BOUNDARIES,
    BY_NAVIGATOR,
    CORNERS,
    Crossing,
    Limits,
    checked,
    crossing_text,
    quantity_of,
)
from pyrfly.sim.group import Group
from pyrfly.sim.interface import PartInterface
from pyrfly.sim.selection import Selection
from pyrfly.vehicles.commands import Ids

__all__ = ["Safety"]

_RECORDS = ("boundary_value", "crossed_value", "crossed_limit", "crossed_tick", "crossings")
"""Columns of what was crossed, a value of each boundary."""

_TERMINATE = SafetyAction.TERMINATE.name.lower()


class Safety(PartInterface):
    """Boundaries of the vehicles, and what happens where they cross one: `Sim.safety`.

    A vehicle has one boundary of each kind. They are columns of the `Sim` (docs/safety.md) and are
    checked in the core, as often as the environment is updated.

    Examples
    --------
    >>> import pyrfly
    >>> sim = pyrfly.Sim("x450", 2)
    >>> sim.safety.add("height", maximum=[5.0, 20.0], action="freeze")
    >>> sim.arm()
    >>> sim.command_position([0, 0, -10])
    >>> sim.sleep(10)
    >>> (crossing,) = sim.safety.crossings()
    >>> crossing.copter_id, crossing.boundary, crossing.limit
    (1, 'height', 5.0)
    >>> (-sim.pos[:, 2]).round(1).tolist()
    [5.0, 10.0]
    """

    part = "safety"

    def _on(self) -> dict[str, int]:
        on = self._select(None).read("boundary_action") != SafetyAction.NONE
        return {name: int(on[:, kind.number].sum()) for name, kind in BOUNDARIES.items()}

    def add(
        self,
        boundary: str,
        ids: Ids = None,
        *,
        minimum: ArrayLike | None = None,
        maximum: ArrayLike | None = None,
        corners: ArrayLike | None = None,
        centre: ArrayLike | None = None,
        radius: ArrayLike | None = None,
        action: str = "report",
    ) -> None:
        """Give vehicles a boundary, in place of one of that kind that they have.

        Parameters
        ----------
        boundary : str
            A name of `BOUNDARIES`.
        ids : int or sequence of int, optional
            The k CopterIDs; all vehicles by default.
        minimum, maximum : array_like, shape (k,) or (), optional
            Limits of the quantity, in SI units and radians; at least one, except of an area.
        corners : array_like, shape (k, m, 2) or (m, 2), optional
            An area: 3 to 16 corners, north and east [m], in the order of its edges.
        centre : array_like, shape (k, 2) or (2,), optional
            A circular area: its centre, north and east [m],
        radius : array_like, shape (k,) or (), optional
            and its radius [m].
        action : str
            What a crossing does besides being recorded, a name of `ACTIONS`: 'report' nothing;
            'freeze' the vehicle stays as it is, with a fault flag; 'disarm' it is disarmed;
            'terminate' it stays as it is, and the run ends (`RunEnded`); 'parachute' its parachute
            is released; 'hold', 'return' and 'land' its navigator does so (`enable_synthesis`),
            until the next command.

        Raises
        ------
        ParameterError
            ``action`` is 'parachute', and a vehicle has none (`Parachute.fit`).
        ShapeError, TypeError, ValueError
            An argument is unknown, missing, of another shape or out of its range. No vehicle has
            another boundary then.
        """
        chosen = self._distinct(ids)
        self.enter(checked(
            chosen, boundary, minimum=minimum, maximum=maximum, corners=corners, centre=centre,
            radius=radius, action=action,
        ), chosen)  # fmt: skip

    def enter(self, limits: Limits, chosen: Selection) -> None:
        """Give vehicles a boundary that `checked` returned."""
        if not len(chosen):
            return

        def write() -> None:
            for name in ("minimum", "maximum", "action"):
                chosen.write(f"boundary_{name}", getattr(limits, name), limits.number)
            if limits.corners is not None:
                _write_corners(chosen, limits.corners)
            if limits.number == Boundary.SILENCE:
                chosen.write("silent_checks", 1)
            _forget(chosen, np.array([limits.number]))

        needed = ("navigator",) if limits.action in BY_NAVIGATOR else ()
        self._change(write, self.part, *needed)

    def clear(self, ids: Ids = None, *, boundary: str | None = None) -> None:
        """Remove boundaries of vehicles and forget their crossings.

        Frozen vehicles stay so until `resume` or a reset.

        Parameters
        ----------
        ids : int or sequence of int, optional
            CopterIDs; all vehicles by default.
        boundary : str, optional
            Only this one.
        """
        chosen = self._distinct(ids)
        kinds = BOUNDARIES.values() if boundary is None else [quantity_of(boundary)]
        if not len(chosen) or not self.enabled:
            return

        def write() -> None:
            for kind in kinds:
                chosen.write("boundary_action", SafetyAction.NONE, kind.number)
            _forget(chosen, np.array([kind.number for kind in kinds]))

        self._change(write)

    def resume(self, ids: Ids = None) -> None:
        """Let vehicles go on after crossings, which are forgotten, and with them the end of a run.

        A vehicle that still is beyond a limit crosses it at the next check.

        Parameters
        ----------
        ids : int or sequence of int, optional
            CopterIDs; all vehicles by default.
        """
        chosen = self._distinct(ids)
        if not len(chosen) or not self.enabled:
            return
        status = chosen.read("status") & ~np.uint32(Fault.FROZEN)

        def write() -> None:
            _forget(chosen, np.arange(len(BOUNDARIES)))
            chosen.write("status", status)

        self._change(write)

    def crossings(self, ids: Ids = None) -> tuple[Crossing, ...]:
        """Return the first crossing of each boundary since the reset, in the order of time."""
        if not self.enabled:
            return ()
        found: list[Crossing] = []
        for group, rows, _ in self._select(ids):
            counts = group.view("crossings")[rows]
            for row, k in np.argwhere(counts).tolist():
                found.append(self._crossing(group, int(np.arange(group.n)[rows][row]), k))
        return tuple(sorted(found, key=lambda crossing: crossing.time))

    @property
    def ended(self) -> Crossing | None:
        """The crossing that has ended the run, the first if there are several; None if none has."""
        if not self.enabled or not self._select(None).read("boundaries_ended").any():
            return None
        return next((one for one in self.crossings() if one.action == _TERMINATE), None)

    def require_going_on(self) -> None:
        """Raise a `RunEnded` if a crossing has ended the run."""
        crossing = self.ended
        if crossing is not None:
            where = f"CopterID {crossing.copter_id} at {crossing.time:.6g} s"
            raise RunEnded(f"{crossing_text(crossing)}, of {where}", crossing)

    def _crossing(self, group: Group, row: int, k: int) -> Crossing:
        def own(name: str) -> Any:
            return group.view(name)[row, k].item()

        return Crossing(
            copter_id=group.first_id + row,
            boundary=next(name for name, kind in BOUNDARIES.items() if kind.number == k),
            action=SafetyAction(own("boundary_action")).name.lower(),
            time=own("crossed_tick") * self._access.dt,
            value=own("crossed_value"),
            limit=own("crossed_limit"),
            times=own("crossings"),
        )


def _write_corners(chosen: Selection, corners: NDArray[np.float64]) -> None:
    """Write the corners of areas; the last one fills what is left."""
    count = corners.shape[1]
    chosen.write("area_corners", count)
    for axis, name in enumerate(("area_north", "area_east")):
        for k in range(CORNERS):
            chosen.write(name, corners[:, min(k, count - 1), axis], k)


def _forget(chosen: Selection, kinds: NDArray[np.intp]) -> None:
    """Forget what vehicles crossed of some boundaries, and that they are outside."""
    for name in _RECORDS:
        for kind in kinds.tolist():
            chosen.write(name, 0, kind)
    kept = ~np.uint32((1 << kinds).sum())
    for name in ("boundaries_outside", "boundaries_ended"):
        chosen.write(name, chosen.read(name) & kept)
