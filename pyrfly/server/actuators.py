"""Actuators of vehicles that an autopilot outside of the simulator commands: `Actuators`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly.protocol.px4_channels import CHANNELS, Px4Airframe
from pyrfly.protocol.synthesis import Command
from pyrfly.sim import Group, Sim
from pyrfly.sim.model_inputs import have_models

__all__ = ["Actuators"]

Rows = NDArray[np.intp]
Channels = Callable[[Px4Airframe, int], Sequence[int]]
"""Returns the channel of each actuator, of the airframe of a family and their number."""
Scales = Callable[[Px4Airframe, Sequence[bool]], Sequence[tuple[float, float]]]
"""Returns gain and offset of each actuator, of which those are told that turn one way, 0 to 1."""


class Actuators:
    """Commands to the actuators of vehicles, as channels of their autopilots.

    A vehicle that was taken over is armed with its own controllers off: it executes what is
    written here (bit ``SIL`` of its command word is 0), whatever other links command until it is
    released. While it is disarmed its actuators rest.

    Parameters
    ----------
    sim : Sim
        The vehicles, which have the synthesis columns.
    channels : callable
        Which channel drives which actuator.
    scales : callable, optional
        An actuator gets its gain times its channel, plus its offset; by default its channel.
    mixed : bool
        Whether the channels are those of PX4's airframe, of which `Family.px4_mix` makes the
        commands of other actuators, limited to -1 to 1.
    """

    def __init__(
        self, sim: Sim, channels: Channels, scales: Scales | None = None, *, mixed: bool = False
    ) -> None:
        self._sim = sim
        self._channels: dict[int, Rows] = {}
        self._scales: dict[int, NDArray[np.float64]] = {}
        self._mixes: dict[int, NDArray[np.float64]] = {}
        for group in sim.groups:
            airframe, mix = group.family.px4_outputs(group.parameters)
            one_way = [actuator.one_way for actuator in group.ranges]
            self._channels[group.first_id] = np.array(channels(airframe, len(one_way)), np.intp)
            if scales is not None:
                self._scales[group.first_id] = np.array(scales(airframe, one_way), np.float64)
            if mixed and mix is not None:
                self._mixes[group.first_id] = mix
        self._values = np.zeros((sim.n, CHANNELS + 1))  # the last one, -1, rests
        self._armed, self._taken = np.zeros(sim.n, np.bool_), np.zeros(sim.n, np.bool_)
        self._changed: set[int] = set()
        self._have_models = have_models(sim.select())

    def set(self, row: int, values: NDArray[np.float64], armed: bool) -> None:
        """Set the channels (16,) of a vehicle, and whether it is armed; `write` writes them."""
        self._values[row, :CHANNELS] = values
        self._changed.add(row)
        self._taken[row] = True
        if armed != self._armed[row]:
            self._armed[row] = armed
            self._command(row)

    def take_over(self, row: int) -> None:
        """Begin with a vehicle: disarmed, under external control."""
        self._taken[row], self._armed[row] = True, False
        self._values[row] = 0.0
        if self._have_models[row]:  # which no controllers of ours command to rest
            self._changed.add(row)
        self._command(row)

    def release(self, row: int) -> None:
        """End with a vehicle, whose autopilot is gone: it is disarmed, and others command it."""
        self.take_over(row)
        self._taken[row] = False

    def write(self) -> Rows:
        """Write what was set since the last call to the vehicles.

        Returns
        -------
        ndarray of int, shape (k,)
            The vehicles of which a command by others was undone.
        """
        undone = self._undone()
        if self._changed:
            self._write_changed()
        return undone

    def _undone(self) -> Rows:
        """Take back what was taken over and commanded by others since; return which were."""
        words = self._sim.sil_ints[:, 0]
        others = self._taken & (words != self._armed * Command.ARMED)
        for row in np.flatnonzero(others).tolist():
            self._command(row)
        return np.flatnonzero(others & (words != 0))  # 0: put back to its start, by no command

    def _write_changed(self) -> None:
        rows = np.array(sorted(self._changed))
        self._changed.clear()
        for group, vehicles, indices in self._sim.select(rows + 1):
            chosen = rows[indices]
            commands = self._values[chosen][:, self._channels[group.first_id]]
            if (scales := self._scales.get(group.first_id)) is not None:
                commands = commands * scales[:, 0] + scales[:, 1]
            if (mix := self._mixes.get(group.first_id)) is not None:
                commands = np.clip(commands @ mix.T, -1.0, 1.0)
            commands[self._have_models[chosen] & ~self._armed[chosen]] = 0.0
            first = 0
            for name in group.actuators:
                column = _by_vehicle(group, name)
                column[vehicles] = commands[:, first : first + column.shape[1]]
                first += column.shape[1]

    def _command(self, row: int) -> None:
        word = Command.ENABLE | (Command.ARMED if self._armed[row] else Command(0))
        self._sim.command_sil(command=int(word), ids=row + 1)


def _by_vehicle(group: Group, name: str) -> NDArray[Any]:
    """Return a view of a column, of shape (n, width)."""
    view = group.view(name)
    return view.reshape(group.n, -1) if view.ndim == 1 else view
