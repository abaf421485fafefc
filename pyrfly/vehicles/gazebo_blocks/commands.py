"""Commands that vehicles of blocks alone execute: `BlocksCommands`."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from pyrfly.errors import brief
from pyrfly.protocol.bits import Setpoint, VtolState
from pyrfly.vehicles.commands import Ids, Selected
from pyrfly.vehicles.gazebo_blocks.rules import CHANNELS
from pyrfly.vehicles.hovering import HoveringCommands
from pyrfly.vehicles.winged import WingedCommands

__all__ = ["BlocksCommands"]

_STATES = {"hover": VtolState.MC, "wings": VtolState.FW}


class BlocksCommands(HoveringCommands, WingedCommands):
    """Commands for the vehicles of blocks of a `pyrfly.Sim`: its ``sim.gazebo_blocks``.

    Without ``ids`` all are commanded, and the first axis of an array counts them alone. Attitude
    and rates are those of the body, also of a tailsitter that flies by its wings. A ValueError says
    which vehicles cannot obey.
    """

    def _able(self, ids: Ids) -> Selected:
        return self._with("control_mass", "that hover", ids)

    def _winged(self, ids: Ids) -> Selected:
        return self._with("wing_cruise_airspeed", "that fly by wings", ids)

    def _with(self, gain: str, which: str, ids: Ids) -> Selected:
        """Return the chosen vehicles, which must have a gain."""
        chosen = self._select(ids)
        able = chosen.read(gain) > 0.0
        if not able.all():
            raise ValueError(
                f"expected vehicles {which}, got {np.sum(~able)} of {len(able)} that do not, by "
                f"their numbers: {gain} is 0"
            )
        return chosen

    def command_channels(self, channels: ArrayLike, *, ids: Ids = None) -> None:
        """Set the channels of the autopilot, which drive motors and joints of armed vehicles.

        Ends their set-points: the controllers leave the channels alone until there is another one.

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
        values = chosen.per_vehicle("channels", channels, "1", CHANNELS)
        chosen.set_point(0, channel=values)

    def command_transition(self, to: str, *, ids: Ids = None) -> None:
        """Change between hover and winged flight, at the present height.

        A transition begins in the air, and goes on by itself: ``sim.vtol_state`` is 1 and 2 in the
        transitions to winged flight and to hover, then 4 and 3. One to winged flight that takes
        longer than ``transition_timeout`` ends in hover, and counts in ``vtol_timeouts``. Then the
        set-points count that there are; in winged flight a position is circled.

        Parameters
        ----------
        to : str
            ``'wings'`` or ``'hover'``; to hover they also get a velocity of 0 as set-point.
        ids : int or sequence of int, optional
            The k CopterIDs; all vehicles of blocks by default.

        Raises
        ------
        ValueError
            A vehicle does not do both; then none is commanded.

        Examples
        --------
        >>> import pyrfly
        >>> sim = pyrfly.Sim("gz_standard_vtol")
        >>> sim.arm()
        >>> sim.command_position([0, 0, -20])
        >>> sim.sleep(10.0)
        >>> sim.gazebo_blocks.command_transition("wings")
        >>> sim.sleep(10.0)
        >>> int(sim.vtol_state[0])
        4
        """
        if not isinstance(to, str) or to not in _STATES:
            raise ValueError(f"to: expected 'hover' or 'wings', got {brief(to)}")
        self._able(ids)
        chosen = self._winged(ids)
        wanted = chosen.per_vehicle(
            "to", float(_STATES[to]) * np.ones(len(chosen.read("mass"))), "1"
        )
        if to == "hover":
            still = np.zeros((len(wanted), 3))
            chosen.set_point(Setpoint.VELOCITY, vel_sp=still, vtol_command=wanted)
        else:
            chosen.write("vtol_command", wanted)
