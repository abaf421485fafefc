"""Commands that vehicles of any family may execute: `Commands`."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from pyrfly import _core
from pyrfly.arrays import true_or_false
from pyrfly.sim.ports import write_ports
from pyrfly.sim.selection import Selection
from pyrfly.vehicles import Setpoint
from pyrfly.vehicles.commands import Ids, frame_bit, heading

__all__ = ["Commands"]


class Commands:
    """The part of a `Sim` that commands vehicles: by set-points, and by RflySim's inputs."""

    select: Callable[..., Selection]
    enable_part: Callable[[str], None]
    _injected: Callable[..., tuple[str, ...]]
    _batches: tuple[_core.Batch, ...]

    def arm(self, on: ArrayLike = True, ids: Ids = None) -> None:
        """Arm or disarm vehicles; the controllers of a disarmed vehicle command no thrust.

        Parameters
        ----------
        on : array_like of bool, shape (k,) or ()
            Arm, else disarm.
        ids : int or sequence of int, optional
            The k CopterIDs; all vehicles by default.

        Raises
        ------
        ShapeError, TypeError, ValueError
            ``on`` has the wrong shape, or is not true or false (1 or 0).
        """
        chosen = self.select(ids)
        armed = chosen.per_vehicle("on", on, "bool")
        if not np.isin(armed, (0, 1)).all():
            raise ValueError(f"on: expected true or false, got {on!r:.80}")
        chosen.write("armed", armed)

    def command_position(
        self,
        pos: ArrayLike,
        yaw: ArrayLike | None = None,
        *,
        yaw_rate: ArrayLike | None = None,
        vel: ArrayLike | None = None,
        acc: ArrayLike | None = None,
        backward: bool = False,
        ids: Ids = None,
    ) -> None:
        """Set position set-points.

        Parameters
        ----------
        pos : array_like, shape (k, 3) or (3,)
            Positions [m, NED].
        yaw : array_like, shape (k,) or (), optional
            Headings [rad]; by default the heading is held.
        yaw_rate : array_like, shape (k,) or (), optional
            Heading rates [rad/s].
        vel, acc : array_like, shape (k, 3) or (3,), optional
            Feed-forward velocity [m/s, NED] and acceleration [m/s^2, NED] of a trajectory.
            Vehicles that drive take no acceleration.
        backward : bool
            Whether vehicles that steer go there backward, such as cars in reverse and boats astern;
            ``yaw`` is that of the nose all the same. Of what has a trailer, its axle goes there.
            What moves to any side does so with the heading that it is told.
        ids : int or sequence of int, optional
            The k CopterIDs; all vehicles by default.

        Raises
        ------
        ShapeError, ValueError, TypeError
            An argument has the wrong shape, is non-finite or not numeric, or a vehicle has no such
            set-point; then no vehicle is commanded.
        RuntimeError
            Another thread steps this `Sim`; then no vehicle is commanded.
        """
        chosen = self.select(ids)
        chosen.require("command_position")
        if true_or_false("backward", backward):
            chosen.require_backing()
        mask, columns = heading(chosen, yaw, yaw_rate)
        mask += Setpoint.POSITION + (Setpoint.BACKWARD if backward else 0)  # | of flags is slow
        columns["pos_sp"] = chosen.per_vehicle("pos", pos, "m", 3)
        if vel is not None:
            mask += Setpoint.VELOCITY
            columns["vel_sp"] = chosen.per_vehicle("vel", vel, "m/s", 3)
        if acc is not None:
            chosen.require_column("acc", "acc_sp")
            mask += Setpoint.ACCELERATION
            columns["acc_sp"] = chosen.per_vehicle("acc", acc, "m/s^2", 3)
        chosen.set_point(mask, **columns)

    def command_velocity(
        self,
        vel: ArrayLike,
        yaw: ArrayLike | None = None,
        *,
        yaw_rate: ArrayLike | None = None,
        frame: str = "ned",
        ids: Ids = None,
    ) -> None:
        """Set velocity set-points.

        Parameters
        ----------
        vel : array_like, shape (k, 3) or (3,)
            Ground velocities [m/s]: north, east, down, or with ``frame='frd'`` forward, right,
            down of the present heading. Vehicles that drive ignore the vertical part.
        yaw, yaw_rate, ids
            See `command_position`.
        frame : {'ned', 'frd'}
            Frame of ``vel``.
        """
        chosen = self.select(ids)
        chosen.require("command_velocity")
        mask, columns = heading(chosen, yaw, yaw_rate)
        mask |= Setpoint.VELOCITY | frame_bit(frame)
        columns["vel_sp"] = chosen.per_vehicle("vel", vel, "m/s", 3)
        chosen.set_point(mask, **columns)

    @property
    def synthesis(self) -> bool:
        """Whether the navigator and RflySim's inputs are enabled (`enable_synthesis`)."""
        return self._batches[0].has("navigator")

    def enable_synthesis(self) -> None:
        """Enable RflySim's inputs ``inSILInts``, ``inSILFloats`` and the navigator of all vehicles.

        The vehicles continue as before until a command is received (`command_sil`). Home is the
        present position. docs/protocol.md describes the inputs and the navigator. A second call has
        no effect.
        """
        self.enable_part("navigator")

    def command_sil(
        self,
        ints: ArrayLike | None = None,
        floats: ArrayLike | None = None,
        *,
        command: int | None = None,
        ids: Ids = None,
    ) -> None:
        """Write RflySim's inputs; the navigator accepts the command at once.

        Parameters
        ----------
        ints : array_like of int, shape (k, 8) or (8,), optional
            ``inSILInts``: 32-bit words, signed or unsigned. Unknown bits are counted in
            ``sil_unknown`` and ignored. Numbers of faults inject them (`Faults.inject`), and
            leave the inputs as they are; what is refused is warned of, and counted in
            ``sil_refused``.
        floats : array_like, shape (k, 20) or (20,), optional
            ``inSILFloats``. Non-finite values are ignored; a command that uses one is counted in
            ``sil_bad``.
        command : int, optional
            The command word ``inSILInts[0]`` alone, instead of ``ints``: the set-points do not
            change. A take-off, return or landing of this kind has no target position or height.
        ids : int or sequence of int, optional
            The k CopterIDs; all vehicles by default.

        Raises
        ------
        RuntimeError
            The navigator is disabled (`enable_synthesis`), or another thread steps this `Sim`;
            then nothing is written.
        ShapeError, ValueError, TypeError
            An argument has the wrong shape, is not numeric, or does not fit into 32 bits.
        """
        if not self.synthesis:
            raise RuntimeError("the navigator is disabled: call enable_synthesis() first")
        write_ports(self.select(ids), self._injected, ints, floats, command)
