"""Commands that vehicles of blocks alone execute: `BlocksVerbs`."""

from __future__ import annotations

from numpy.typing import ArrayLike

from pyrfly.vehicles.gazebo_blocks.rules import CHANNELS
from pyrfly.vehicles.verbs import FamilyVerbs, Ids

__all__ = ["BlocksVerbs"]


class BlocksVerbs(FamilyVerbs):
    """Commands for the vehicles of blocks of a `pyrfly.Sim`: its ``sim.gazebo_blocks``.

    Without ``ids`` all are commanded, and the first axis of an array counts them alone.
    """

    def command_channels(self, channels: ArrayLike, *, ids: Ids = None) -> None:
        """Set the channels of the autopilot, which drive motors and joints of armed vehicles.

        Parameters
        ----------
        channels : array_like, shape (k, 16) or (16,)
            Channels, -1 to 1, as those of ``HIL_ACTUATOR_CONTROLS`` and ``inPWMs``.
        ids : int or sequence of int, optional
            The k CopterIDs; all vehicles of blocks by default.

        Examples
        --------
        >>> import pyrfly
        >>> sim = pyrfly.Sim("gz_standard_vtol")
        >>> sim.arm()
        >>> sim.gazebo_blocks.command_channels([0.6] * 4 + [0.0] * 12)
        >>> sim.sleep(1.0)
        >>> bool(sim.pos[0, 2] < -0.5)
        True
        """
        chosen = self._select(ids)
        chosen.write("channel", chosen.per_vehicle("channels", channels, "1", CHANNELS))
