"""Collisions of the vehicles of a simulation: `Collisions`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly.arrays import true_or_false
from pyrfly.errors import brief
from pyrfly.protocol.bits import COLLISION_EARLIER, COLLISION_GROUND, COLLISION_SCENE
from pyrfly.sim.group import Group
from pyrfly.sim.hulls import MAXIMUM_FRICTION, bare, hull_columns
from pyrfly.sim.interface import PartInterface
from pyrfly.sim.selection import Rows, Selection
from pyrfly.vehicles.commands import Ids
from pyrfly.vehicles.hull import Hull

__all__ = ["Collisions", "forget_shapes"]

Array = NDArray[np.float64]


_NAMES = {0: None, COLLISION_GROUND: "ground", COLLISION_EARLIER: "an earlier scene"}
"""Names of values of ``collision_with``."""


class Collisions(PartInterface):
    """Collisions of the vehicles: `Sim.collisions`; off at first.

    Vehicles that take part push each other, the scene and the ground with the shapes of their
    hulls, and break where they hit something too fast (docs/collisions.md).

    Examples
    --------
    >>> import pyrfly
    >>> sim = pyrfly.Sim("x450", 2)
    >>> sim.collisions.enable()
    >>> sim.reset(pos=[[0, 0, -20], [5, 0, -20]])  # motors off
    >>> sim.sleep(4)
    >>> sim.collisions.crashed().tolist(), sim.collisions.met()
    ([True, True], ['ground', 'ground'])
    """

    part = "collision"

    def _on(self) -> dict[str, int]:
        return {
            "taking part": self._count("collision_enabled"),
            "touching": self._count("collision_touches"),
            "crashed": int(self.crashed().sum()),
        }

    @property
    def enabled(self) -> bool:
        """Whether a vehicle takes part."""
        return self.present and self._count("collision_enabled") > 0

    def enable(self, on: bool = True, ids: Ids = None) -> None:
        """Let vehicles take part in collisions, or not.

        Those without a hull get that of their parameter set. A vehicle that is crashed stays so.

        Parameters
        ----------
        on : bool
            Whether they take part.
        ids : int or sequence of int, optional
            CopterIDs; all vehicles by default.

        Raises
        ------
        ParameterError
            Nothing pushes a vehicle: its effects are 'plain'.
        """
        chosen, enabled = self._distinct(ids), true_or_false("on", on)
        if enabled:
            chosen.require_reached("collisions: nothing pushes a vehicle")

        def write() -> None:
            chosen.write("collision_enabled", int(enabled))
            for group, rows, _ in chosen if enabled else ():
                chosen_bare = group.numbers(rows)[bare(group)[rows]]
                _write(group, chosen_bare, hull_columns(group, group.family.hull(group.parameters)))

        if len(chosen) and (enabled or self.present):
            self._change(write, self.part)

    def set_hull(self, hull: Hull, ids: Ids = None) -> None:
        """Give vehicles a hull in place of that of their parameter set, and let them take part.

        Parameters
        ----------
        hull : Hull
            Shapes, and what they withstand; without shapes a vehicle meets nothing, but it may
            land too fast.
        ids : int or sequence of int, optional
            CopterIDs; all vehicles by default.

        Raises
        ------
        ParameterError
            Nothing pushes a vehicle: its effects are 'plain'.
        TypeError, ValueError
            This is no `Hull`, or an actuator is none of a vehicle.
        """
        if not isinstance(hull, Hull):
            raise TypeError(f"hull: expected a pyrfly.vehicles.Hull, got {brief(hull)}")
        chosen = self._distinct(ids)
        chosen.require_reached("collisions: nothing pushes a vehicle")
        columns = [(group, rows, hull_columns(group, hull)) for group, rows, _ in chosen]

        def write() -> None:
            chosen.write("collision_enabled", 1)
            for group, rows, values in columns:
                _write(group, group.numbers(rows), values)

        if len(chosen):
            self._change(write, self.part)

    def set_surface(
        self,
        *,
        friction: ArrayLike | None = None,
        restitution: ArrayLike | None = None,
        ids: Ids = None,
    ) -> None:
        """Set how the surfaces of vehicles rub and rebound, and let them take part.

        Of two surfaces the geometric mean counts.

        Parameters
        ----------
        friction : array_like, shape (k,) or (), optional
            Friction coefficient, 0 to 10.
        restitution : array_like, shape (k,) or (), optional
            Speed after an impact over that before, 0 to 1.
        ids : int or sequence of int, optional
            The k CopterIDs; all vehicles by default.

        Raises
        ------
        ParameterError
            Nothing pushes a vehicle: its effects are 'plain'.
        ShapeError, TypeError, ValueError
            An argument has the wrong shape or range.
        """
        chosen = self._distinct(ids)
        columns = {
            f"collision_{name}": chosen.within(name, value, "1", 0.0, maximum)
            for name, value, maximum in (
                ("friction", friction, MAXIMUM_FRICTION),
                ("restitution", restitution, 1.0),
            )
            if value is not None
        }
        self.enable(ids=ids)
        self._change(lambda: chosen.write_all(columns))

    def mend(self, ids: Ids = None) -> None:
        """Make vehicles whole again where they are: nothing of them is broken, as after a reset.

        A vehicle that its crash has disarmed stays so. What has happened to it otherwise, such as
        ``collision_count``, is kept until the reset.

        Parameters
        ----------
        ids : int or sequence of int, optional
            CopterIDs; all vehicles by default.
        """
        chosen = self._select(ids)

        def write() -> None:
            for group, rows, _ in chosen:
                _mend(group, rows)

        if self.present:
            self._change(write)

    def crashed(self, ids: Ids = None) -> NDArray[np.bool_]:
        """Return which vehicles have lost something in a collision since the reset, shape (k,)."""
        return np.asarray(self._read("crashed", ids) != 0)

    def touching(self, ids: Ids = None) -> NDArray[np.bool_]:
        """Return which vehicles touch something with their hull, shape (k,)."""
        return np.asarray(self._read("collision_touches", ids) != 0)

    def met(self, ids: Ids = None) -> list[str | None]:
        """Return what the last contact of each vehicle since the reset was with.

        Returns
        -------
        list of str or None
            "copter 3" by its CopterID, "ground", the name of a shape of the scene or "shape 2" by
            its number, "an earlier scene" after another was set; None: nothing.
        """
        return self._names("collision_with", ids)

    def broken_by(self, ids: Ids = None) -> list[str | None]:
        """Return what each vehicle has crashed into since the reset, before it met anything else.

        Returns
        -------
        list of str or None
            As `met`; None: it is whole.
        """
        return self._names("crashed_with", ids)

    def lost(self, ids: Ids = None) -> list[list[int]]:
        """Return the actuators that each vehicle lost, from 0 in the order of the commands."""
        chosen = self._select(ids)
        lost = self._read("actuators_lost", ids)
        found: list[list[int]] = [[] for _ in range(len(chosen))]
        for group, _, indices in chosen:
            for k in np.arange(len(chosen))[indices]:
                count = group.parameters.actuator_count
                found[k] = [i for i in range(count) if int(lost[k]) >> i & 1]
        return found

    def _read(self, column: str, ids: Ids) -> NDArray[Any]:
        """Return a column of vehicles; 0 until one takes part."""
        chosen = self._select(ids)
        if not len(chosen) or not self.present:
            return np.zeros(len(chosen), np.uint32)
        return chosen.read(column)

    def _names(self, column: str, ids: Ids) -> list[str | None]:
        """Return the names of what a column says that vehicles met."""
        return [self._name(int(code)) for code in self._read(column, ids)]

    def _name(self, code: int) -> str | None:
        if code in _NAMES:
            return _NAMES[code]
        if not code & COLLISION_SCENE:
            return f"copter {code}"
        scene, number = self._access.scene(), code ^ COLLISION_SCENE
        shapes = () if scene is None else scene.shapes
        name = shapes[number].name if number < len(shapes) else ""
        return name or f"shape {number}"


def _write(group: Group, rows: NDArray[np.intp], columns: dict[str, Array]) -> None:
    """Give vehicles the same values of columns."""
    for name, values in columns.items():
        group.writable(name)[rows] = values


def forget_shapes(chosen: Selection) -> None:
    """Let vehicles that met a shape have met one of an earlier scene: its number tells nothing."""
    for group, rows, _ in chosen:
        for name in ("collision_with", "crashed_with") if group.batch.has("collision") else ():
            codes = group.batch.view(name)
            shapes = (codes[rows] & COLLISION_SCENE != 0) & (codes[rows] != COLLISION_GROUND)
            codes[rows] = np.where(shapes, COLLISION_EARLIER, codes[rows])


def _mend(group: Group, rows: Rows) -> None:
    view = group.batch.view
    for name in ("crashed", "crashed_with", "crashed_tick", "actuators_lost"):
        view(name)[rows] = 0
    view("collision_acts")[rows] = view("collision_touches")[rows]
