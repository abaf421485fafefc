"""Faults of vehicles, told to the PX4s that fly them: `FaultForwarding`."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence

import numpy as np

from pyrfly.autopilot.commands import INJECT_FAILURE
from pyrfly.autopilot.failure_injection import Failure, failures_at
from pyrfly.mavlink import Frame, FrameWriter, blank
from pyrfly.mavlink.constants import FailureType, Result
from pyrfly.sim import Sim

__all__ = ["FaultForwarding"]

_LOG = logging.getLogger("pyrfly.server")
_SYSTEM, _COMPONENT = 254, 25  # MAV_COMP_ID_USER1
_AUTOPILOT = 1  # MAV_COMP_ID_AUTOPILOT1


class FaultForwarding:
    """Tells PX4s what fails on their vehicles, as MAV_CMD_INJECT_FAILURE, when it begins and ends.

    That is what `pyrfly.autopilot.failure_injection.FAILURES` has; PX4 knows nothing of other
    faults, such as noise, or a motor that is only weaker. Each PX4 needs SYS_FAILURE_EN 1.

    Parameters
    ----------
    sim : Sim
        The vehicles.
    send : callable
        Sends the autopilot of a row some bytes.
    first_system : int
        MAVLink identifier of the first PX4; the next has one more.
    """

    def __init__(
        self, sim: Sim, send: Callable[[int, bytes], object], first_system: int = 1
    ) -> None:
        self._sim = sim
        self._send = send
        self._first_system = first_system
        self._writer = FrameWriter([_SYSTEM], _COMPONENT)
        self._told: list[frozenset[Failure]] = [frozenset()] * sim.n
        self._active = np.zeros(sim.n, np.uint32)
        self._refused: set[tuple[int, int]] = set()

    def tell(self) -> None:
        """Tell what has begun and ended since the last call."""
        if not self._sim.faults.enabled:
            return
        active = self._sim.select().read("faults_active")
        for row in np.flatnonzero(active != self._active).tolist():
            self._tell(row)
        self._active = active

    def _tell(self, row: int) -> None:
        now, before = failures_at(self._sim, row), self._told[row]
        self._told[row] = now
        for unit, _, instance in sorted(before - now):
            self._command(row, Failure(unit, FailureType.OK, instance))
        for failure in sorted(now - before):
            self._command(row, failure)

    def _command(self, row: int, failure: Failure) -> None:
        message = blank("COMMAND_LONG")
        message["target_system"] = self._first_system + row
        message["target_component"] = _AUTOPILOT
        message["command"] = INJECT_FAILURE
        for number, value in enumerate(failure, start=1):
            message[f"param{number}"] = value
        self._writer.add("COMMAND_LONG", message, np.zeros(1, np.intp))
        for _, data in self._writer.take():
            self._send(row, bytes(data))

    def take(self, row: int, frames: Sequence[Frame]) -> None:
        """Warn once of what a PX4 has refused."""
        for frame in frames:
            if frame.name == "COMMAND_ACK" and frame.record()["command"] == INJECT_FAILURE:
                result = int(frame.record()["result"])
                if result != Result.ACCEPTED and (row, result) not in self._refused:
                    self._refused.add((row, result))
                    _LOG.warning(
                        "the PX4 of vehicle %d refused a failure: %s",
                        row + 1,
                        Result(result).name if result in set(Result) else result,
                    )
