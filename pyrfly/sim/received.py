"""What reaches actuators of vehicles of their commands: `effective_commands`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pyrfly.sim.group import Group
from pyrfly.sim.selection import Rows

__all__ = ["effective_commands"]

Array = NDArray[np.float64]


def effective_commands(group: Group, rows: Rows) -> Array:
    """Return what takes effect of the commands of actuators in their order, shape (k, width).

    It is what faults leave of them, but for delays, times what actuators and supply have left of
    their effects, as csrc/parts/faults/held.h and csrc/parts/strength/held.h have it.
    """
    commands = group.actuator_commands(rows)

    def read(column: str) -> Array:
        return group.view(column)[rows][:, : commands.shape[1]].astype(np.float64)

    if group.has("command_factor"):
        commands = commands * read("command_factor") + read("command_offset")
        commands = np.maximum(commands + read("command_jitter"), read("command_minimum"))
        commands = np.minimum(commands, read("command_maximum")) * read("effect_left")
        commands = commands * group.view("voltage_left")[rows][:, None]
    if group.has("actuator_strength"):
        commands = commands * np.clip(read("actuator_strength"), 0.0, 1.0)
    if group.has("actuators_lost"):
        lost = group.view("actuators_lost")[rows]
        commands = np.where(lost[:, None] >> np.arange(commands.shape[1]) & 1, 0.0, commands)
    return commands
