"""Which messages a server sends, and when: `Outputs`, and `Measurements` on request."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly import wire
from pyrfly.protocol.link_modes import LinkMode
from pyrfly.sim import Sim

__all__ = ["OUTPUTS", "Measurements", "Output", "Outputs", "crashes_of", "old_truth", "origin_of"]

Rows = NDArray[np.intp]

NOTICE_RATE = 1.0  # Hz, of the notice that the position is known


class Output(NamedTuple):
    """A message that is sent again and again.

    Attributes
    ----------
    name : str
        Its structure, as `pyrfly.wire` names it.
    kind : {'state', 'truth'}
        Kind of port that it is sent to.
    rate : float
        How often [Hz of simulated time].
    """

    name: str
    kind: str
    rate: float


_STATES = {
    "udp_full": Output("outHILStateData", "state", 100.0),
    "udp_simple": Output("outHILStateShort", "state", 30.0),
}
_TRUTHS = {"": "SOut2Simulator", "_old": "netDataShort"}
"""Messages of the true state; older clients know that of 200 bytes."""

_SAME = (
    *("copterID", "vehicleType", "runnedTime", "VelE", "PosE", "AngEuler", "AngQuatern"),
    *("MotorRPMS", "AccB", "RateB", "PosGPS"),
)
"""Fields that both of them have."""

_FREE_OUTPUTS = Output("outCopterStruct", "truth", 10.0)
_SLOW_MODES = ("mavlink_simple", "mavlink_nosend")
"""Those of RflySim's clients that spare the network [@rfly-sdk]."""


def _mavlink_outputs(mode: str) -> tuple[Output, ...]:
    """Return what MAVLink has no message for: it takes the place of the state."""
    rate = 30.0 if mode in _SLOW_MODES else 100.0
    return Output("SOut2Simulator", "truth", rate), _FREE_OUTPUTS


OUTPUTS = {
    **{
        mode + suffix: (state, Output(truth, "truth", state.rate), _FREE_OUTPUTS)
        for mode, state in _STATES.items()
        for suffix, truth in _TRUTHS.items()
    },
    **{
        mode.label: _mavlink_outputs(mode.label)
        for mode in LinkMode
        if mode >= LinkMode.MAVLINK_FULL
    },
}
"""Messages by mode."""


class Outputs:
    """Messages of a mode, each packed at its rate.

    Parameters
    ----------
    mode : str
        A key of `OUTPUTS`.
    period : float
        Simulated time of a tick [s].
    first_id : int
        CopterID of the first vehicle.
    """

    def __init__(self, mode: str, period: float, first_id: int = 1) -> None:
        self._outputs = OUTPUTS[mode]
        self._has_notice = mode.startswith("udp_simple")
        self._period = period
        self._first_id = first_id

    def packed(self, sim: Sim, tick: int) -> list[tuple[str, NDArray[Any]]]:
        """Return the messages due at a tick: kind of port, and one message of each vehicle."""
        found = [
            (output.kind, _packed(sim, output.name, self._first_id))
            for output in self._outputs
            if self._is_due(tick, output.rate)
        ]
        if self._has_notice and self._is_due(tick, NOTICE_RATE):
            found.append(("state", wire.notice("ekf_fixed", np.arange(1, sim.n + 1))))
        return found

    def _is_due(self, tick: int, rate: float) -> bool:
        """Return whether a tick is the one nearest to a multiple of 1 / rate."""
        share = rate * self._period
        multiple = int(tick * share + 0.5)
        return int(multiple / share + 0.5) == tick


def _packed(sim: Sim, name: str, first_id: int) -> NDArray[Any]:
    if name == "netDataShort":
        return old_truth(sim, first_id)
    return wire.pack(sim, name, first_id=first_id)


def old_truth(sim: Sim, first_id: int = 1) -> NDArray[Any]:
    """Return the true state of all vehicles as the message of 200 bytes."""
    new = wire.pack(sim, "SOut2Simulator", first_id=first_id)
    old = wire.blank("netDataShort", sim.n)
    for field in _SAME:
        old[field] = new[field]
    return old


def origin_of(sim: Sim, ids: NDArray[np.intp], first_id: int = 1) -> NDArray[Any]:
    """Return messages of the origin of the map for some vehicles, numbered from 1."""
    messages = wire.blank("Ue4CMDGPS", len(ids))
    messages["CopterID"], messages["GPS"] = ids + first_id - 1, sim.origin
    return messages


def crashes_of(
    mode: str, rows: NDArray[np.intp], hit: NDArray[np.intp], first_id: int = 1
) -> list[tuple[str, NDArray[Any]]]:
    """Return messages of collisions of vehicles: kind of port, and one message of each.

    Parameters
    ----------
    mode : str
        A key of `OUTPUTS`.
    rows : ndarray, shape (k,)
        CopterID - ``first_id`` of each vehicle.
    hit : ndarray, shape (k,)
        CopterID of the other vehicle, or 0 for an object.
    first_id : int
        CopterID of the first vehicle.
    """
    messages = wire.blank("CopterSimCrash", len(rows))
    messages["CopterID"], messages["TargetID"] = rows + first_id, hit
    found = [("truth", messages)]
    if mode.startswith("udp_simple"):
        found.append(("state", wire.notice("crash", hit)))
    return found


class Measurements:
    """When measurements of which vehicle are due, in steps of the simulation.

    Parameters
    ----------
    n : int
        Number of vehicles.
    dt : float
        A step [s].
    highest : float
        Maximum rate [Hz]; higher ones count as this.
    """

    def __init__(self, n: int, dt: float, highest: float) -> None:
        self._shares = np.zeros(n)  # packets per step
        self._dt = dt
        self._highest = highest

    def request(self, ids: Rows, rates: NDArray[np.float64]) -> None:
        """Send at these rates [Hz] from now on; 0 ends it."""
        self._shares[ids - 1] = np.minimum(rates, self._highest) * self._dt

    def due(self, step: int, end: int) -> int:
        """Return the next step after ``step`` at which something is due, ``end`` at the latest."""
        if self._shares.any():
            for later in range(step + 1, end):
                if len(self.rows(later)):
                    return later
        return end

    def rows(self, step: int) -> Rows:
        """Return the vehicles, CopterID - 1, whose measurements are due at a step.

        That is the step nearest to a multiple of the period.
        """
        requested = np.flatnonzero(self._shares)
        shares = self._shares[requested]
        multiples = np.floor(step * shares + 0.5)
        due: Rows = requested[np.floor(multiples / shares + 0.5) == step]
        return due
