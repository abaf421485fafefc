"""A vehicle that flies a mission in hover and by wings: `Vtol`.

As one that hovers it is a `Vehicle`; by wings it is a `FixedWing`.
"""

from __future__ import annotations

from pyrfly import exact
from pyrfly.mission.fixed_wing import FixedWing
from pyrfly.mission.vehicle import Simulator, Speeds, Vehicle
from pyrfly.protocol.bits import VtolState
from pyrfly.vehicles.abilities import Transition

__all__ = ["Vtol", "VtolWings"]

_BY_WINGS = (VtolState.TRANSITION_TO_FW, VtolState.FW)
_CHANGING = (VtolState.TRANSITION_TO_FW, VtolState.TRANSITION_TO_MC)

DECELERATION = 5.0
"""Of a transition to hover [m/s^2], on average over the whole way; measured."""


class VtolWings(FixedWing):
    """State and commands of a VTOL that flies by wings; see `FixedWing`."""

    def _prepare(self) -> None:
        """Do nothing: it takes off and lands in hover."""

    @property
    def heading(self) -> float:
        """Heading of the axis that is forward in winged flight [rad]."""
        turned = self._wings.turned
        if turned is None or not self._number(turned):
            return super().heading
        w, x, y, z = self._known.att[self._row].astype("float64").tolist()
        return float(exact.arctan2(-2.0 * (y * z - w * x), -2.0 * (x * z + w * y)))

    @property
    def braking_distance(self) -> float:
        """How far it flies until it hovers [m]."""
        speed = float(exact.norm(self.vel[:2]))
        return speed * speed / (2.0 * DECELERATION)


class Vtol(Vehicle):
    """State and commands of a vehicle that hovers and flies by wings; see `Vehicle`.

    Attributes
    ----------
    wings : VtolWings
        The same vehicle as one that flies by wings.
    """

    def __init__(self, sim: Simulator, copter_id: int, speeds: Speeds) -> None:
        self.wings = VtolWings(sim, copter_id)
        super().__init__(sim, copter_id, speeds)

    def update(self) -> None:
        """See `Vehicle.update`."""
        super().update()
        self.wings.update()

    def turn_time(self, speed: float, radius: float | None = None) -> float:
        """Return how long a turn takes by wings [s]."""
        return self.wings.turn_time(self.wings.cruise_airspeed, radius)

    @property
    def _transition(self) -> Transition:
        assert self._able.transition is not None  # see `pyrfly.mission.kinds.vehicle_of`
        return self._able.transition

    @property
    def state(self) -> float:
        """MAV_VTOL_STATE."""
        return self._number(self._transition.state)

    @property
    def winged(self) -> bool:
        """Whether it flies by wings, or is in the transition to that."""
        return self.state in _BY_WINGS

    @property
    def changes(self) -> bool:
        """Whether it is in a transition, or is to begin one."""
        state = self.state
        return state in _CHANGING or self._number(self._transition.command) not in (0.0, state)

    def transition(self, winged: bool) -> None:
        """Change to hover or to winged flight."""
        wanted = float(VtolState.FW if winged else VtolState.MC)
        self._own.write(self._transition.command, wanted)
