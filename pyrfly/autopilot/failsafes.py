"""Failsafes of vehicles that answer as PX4: `Failsafes`.

`pyrfly.autopilot.failsafe_table` says what each loss does, `failsafe_links`, `failsafe_limits` and
`failsafe_drives` find losses, `failsafe_machine` selects the actions: docs/safety.md.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pyrfly.arrays import rows_where
from pyrfly.autopilot.clock import Clock
from pyrfly.autopilot.failsafe_context import CheckContext
from pyrfly.autopilot.failsafe_drives import DriveChecks
from pyrfly.autopilot.failsafe_findings import Findings
from pyrfly.autopilot.failsafe_limits import LimitChecks
from pyrfly.autopilot.failsafe_links import LinkChecks
from pyrfly.autopilot.failsafe_machine import FailsafeMachine, Situation
from pyrfly.autopilot.failsafe_table import LOSSES, Action, Loss, Sick
from pyrfly.autopilot.flight_modes import FlightMode
from pyrfly.autopilot.parameters import Parameters
from pyrfly.autopilot.vehicles import Vehicles
from pyrfly.mavlink.constants import Severity
from pyrfly.sim import Sim

__all__ = ["Failsafes"]

Bools = NDArray[np.bool_]

_WARN = int(Action.WARN)
_SICK = np.array([int(loss.sick) for loss in LOSSES], np.int64)


class Failsafes:
    """Notes what vehicles have lost and what they violate, and acts on it.

    Parameters
    ----------
    sim : Sim
        The vehicles.
    vehicles : Vehicles
        Their modes.
    parameters : Parameters
        Their PX4 parameters.
    clock : Clock
        Time.
    """

    def __init__(
        self,
        sim: Sim,
        vehicles: Vehicles,
        parameters: Parameters,
        clock: Clock,
    ) -> None:
        self._findings = Findings(sim.n, parameters, vehicles.say)
        context = CheckContext(sim, vehicles, parameters, self._findings, clock)
        self._links = LinkChecks(context)
        self._limits = LimitChecks(context)
        self._drives = DriveChecks(context)
        self._machine = FailsafeMachine(sim.n)
        self._vehicles = vehicles
        self._parameters = parameters
        self._clock = clock
        self._updated_at = clock.now

    @property
    def active(self) -> Bools:
        """Whether a failsafe has the mode of each vehicle, shape (n,)."""
        return self._machine.selected > _WARN

    @property
    def battery_level(self) -> NDArray[np.int64]:
        """Level of the battery of each vehicle, from 0, enough, to 3, an emergency, shape (n,)."""
        return self._limits.battery_level

    @property
    def sick(self) -> NDArray[np.int64]:
        """Bits of SYS_STATUS that losses clear, `Sick`, of each vehicle, shape (n,)."""
        bits = np.where(self._findings.failed, _SICK, 0)
        return np.asarray(np.bitwise_or.reduce(bits, axis=1))

    def denial(self, row: int) -> str:
        """Return why what a vehicle has lost keeps it from being armed; empty if nothing does."""
        barring = (loss for loss in self._losses(row) if Sick.PREARM in loss.sick)
        return next((loss.denial or loss.text for loss in barring), "")

    def excludes(self, row: int, mode: FlightMode) -> bool:
        """Return whether a vehicle cannot enter a mode with what it has lost."""
        return any(mode in loss.excludes for loss in self._losses(row))

    def _losses(self, row: int) -> list[Loss]:
        return [LOSSES[number] for number in np.flatnonzero(self._findings.failed[row])]

    @property
    def navigates(self) -> Bools:
        """Whether each vehicle knows its position well enough to fly by itself, shape (n,)."""
        return self._links.navigates

    def update(self) -> None:
        """Act on what is lost."""
        armed = self._vehicles.armed
        self._links.look(armed)
        self._limits.look(armed)
        self._findings.tell()
        machine, now = self._machine, self._clock.now
        elapsed, self._updated_at = max(now - self._updated_at, 0.0), now
        before = machine.selected.copy()
        told = machine.update(
            elapsed,
            self._findings.failed,
            self._findings.choice,
            self._parameters.column("COM_FAIL_ACT_T"),
            Situation(
                armed,
                self._vehicles.intended,
                self._links.navigates,
                self._links.holds,
            ),
        )
        for row in rows_where(told):
            self._tell(row)
        for row in rows_where(machine.selected != before):
            self._vehicles.act(row, Action(int(machine.selected[row])))

    def update_slowly(self) -> None:
        """Look at what changes slowly."""
        armed = self._vehicles.armed
        self._limits.look_slowly(armed)
        self._drives.look(armed)

    def release(self, row: int) -> None:
        """Let the user of a vehicle take over, who has switched the mode."""
        self._machine.release(row)

    def yields_to_sticks(self, row: int) -> bool:
        """Return whether the user of a vehicle may take over with the sticks now."""
        return not self.active[row] or self._machine.yields_to_sticks(row)

    def _tell(self, row: int) -> None:
        """Say what PX4 says [@px4 v1.16.1 framework.cpp notifyUser]."""
        text = "Failsafe activated"
        if self._machine.delayed[row] != Action.NONE:
            text += f", entering Hold for {round(self._machine.delay[row])} seconds"
        self._vehicles.say(row, Severity.CRITICAL, text)
