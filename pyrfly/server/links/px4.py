"""PX4 SITL at the simulator's TCP ports, in lockstep: `Px4Link`."""

from __future__ import annotations

import selectors
import socket
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from pyrfly.mavlink import Frame, FrameParser
from pyrfly.protocol.px4_channels import LATEST, channels_of
from pyrfly.server.actuators import Actuators
from pyrfly.server.autopilot_link import AutopilotLink
from pyrfly.server.budget import Budget
from pyrfly.server.hil import Controls, HilSource
from pyrfly.server.link_stats import Count
from pyrfly.server.starts import Starts
from pyrfly.sim import Sim
from pyrfly.transport import THIS_MACHINE, Senders, span
from pyrfly.transport.byte_streams import TcpStream, listening

__all__ = ["FIRST_PORT", "Px4Link"]

FIRST_PORT = 4560
"""TCP port of PX4's instance 0; the next has one more [@px4]."""

READ_SIZE = 1024
"""Bytes of a connection that are handled at once, some 90 frames at most and usually 11."""

SERVICE = 1e-3
"""Time after which no further connection is read between two ticks [s]."""

CATCH_UP = 0.1
"""Time by which an autopilot that starts up can be behind real time before it stays so [s]."""

_LOCKSTEP = 1
"""Bit of ``flags`` of HIL_ACTUATOR_CONTROLS: PX4 was built with its lockstep scheduler [@px4]."""

_SET_MESSAGE_INTERVAL, _HIL_STATE_QUATERNION = 511, 115


@dataclass
class _Autopilot:
    """A PX4 that is connected.

    Attributes
    ----------
    sent : int
        Time of the last HIL_SENSOR [us]; -1 before the first.
    answered : int
        Time of the last HIL_ACTUATOR_CONTROLS [us]; -1 before the first.
    lockstep : bool
        Whether it answers every HIL_SENSOR, so that it is waited for.
    begin : int
        Time of the first HIL_SENSOR [us].
    due : float
        Real time of the next HIL_SENSOR while the autopilot starts up [s].
    read : int
        Number of the last read among those of all.
    """

    stream: TcpStream
    parser: FrameParser = field(default_factory=FrameParser)
    begin: int = -1
    sent: int = -1
    answered: int = -1
    waits: bool = False
    lockstep: bool = False
    due: float = 0.0
    read: int = 0


class Px4Link(AutopilotLink[_Autopilot]):
    """PX4 SITL of versions 1.12 to 1.16, one for each vehicle that one connects to.

    A PX4 with instance number i, ``px4 -i i``, is the autopilot of the vehicle with CopterID
    i + 1 and connects to TCP port 4560 + i. Until its first HIL_ACTUATOR_CONTROLS it gets
    HIL_SENSOR and HIL_GPS in real time, or at a slower rate of the server; from then on simulated
    time stands still until each HIL_SENSOR is answered. So the server may run at any rate.

    While a PX4 is connected its vehicle executes nothing else. When it is gone the vehicle is
    disarmed; when one connects again, the vehicle is put back to its start. A PX4 without lockstep
    (``nolockstep``) is not waited for and needs real time.

    Parameters
    ----------
    sim : Sim
        The vehicles, which have the synthesis columns; where no sensors are on, all are switched
        on.
    host : str
        Address to listen on: by default only programs on this machine can connect.
    first_port : int
        TCP port of the first vehicle; RflySim counts from 4561.
    version : str
        Version of PX4, one of `pyrfly.protocol.px4_channels.VERSIONS`; it matters to rovers alone.
    waits : bool
        Whether simulated time waits until all vehicles have an autopilot.
    clock : callable
        As ``time.monotonic``.
    first_id : int
        CopterID of the first vehicle.
    starts : Starts, optional
        Where vehicles are put back to; by default where they are now.
    peers : sequence of str
        Addresses of other computers with a PX4.
    allow : sequence of str
        Who may command instead of the peers, see `pyrfly.transport.Senders`.

    Attributes
    ----------
    ports : tuple of int
        TCP port of each vehicle.

    Raises
    ------
    PortError
        When a port is in use or cannot be opened.
    ValueError
        There is no such version.
    """

    name = "px4"

    def __init__(
        self,
        sim: Sim,
        host: str = "127.0.0.1",
        first_port: int = FIRST_PORT,
        version: str = LATEST,
        waits: bool = False,
        clock: Callable[[], float] = time.monotonic,
        first_id: int = 1,
        starts: Starts | None = None,
        peers: Sequence[str] = (THIS_MACHINE,),
        allow: Sequence[str] = (),
    ) -> None:
        super().__init__(sim, clock, first_id, starts)
        self._waits = waits
        self._actuators = Actuators(sim, partial(channels_of, version=version), mixed=True)
        self._reads = 0
        self._listeners: list[socket.socket] = []
        try:
            self._senders = Senders(peers, allow, host)
            self._source = HilSource(sim)
            for row in range(sim.n):
                port = first_port + row if first_port else 0
                self._listeners.append(listening(host, port, "first_port of PX4 (--px4)"))
                self._selector.register(self._listeners[row], selectors.EVENT_READ, row)
        except BaseException:
            self.close()
            raise
        self.ports = tuple(listener.getsockname()[1] for listener in self._listeners)

    def where(self) -> list[str]:
        """See `Link.where`."""
        return [f"px4: listens on {span('TCP port', self.ports)}"]

    def take(self, budget: Budget) -> None:
        """See `Link.take`."""
        self._receive(budget.reading_is_over)

    def serve(self) -> None:
        """See `Link.serve`: connections, and what the autopilots have sent."""
        end = self._clock() + SERVICE
        self._receive(lambda: self._clock() > end)

    def _receive(self, expired: Callable[[], bool]) -> None:
        """Take connections, and read those there are, until ``expired()``, but at least one.

        That which was not read for the longest time comes first.
        """
        ready: list[int] = []
        for key, _ in self._selector.select(0):
            if key.fileobj is self._listeners[key.data]:
                self._accept(key.data)
            else:
                ready.append(key.data)
        for row in sorted(self._autopilots.keys() & ready, key=self._last_read):
            self._read(row, self._autopilots[row])
            if expired():
                return

    def _last_read(self, row: int) -> int:
        return self._autopilots[row].read

    def is_ready(self) -> bool:
        """See `Link.is_ready`: whether each autopilot has answered the last HIL_SENSOR."""
        if self._waits and len(self._autopilots) < self._sim.n:
            return False
        return super().is_ready()

    def due(self, step: int) -> int:
        """See `Link.due`: the next update of the sensors."""
        return self._source.due(step)

    def give(self, step: int) -> None:
        """See `Link.give`: HIL_SENSOR, and what is due with it, at once."""
        if not self._autopilots or not self._source.is_due(step):
            return
        rows, now = np.array(sorted(self._autopilots)), self._clock()
        datagrams, times = self._source.packed(step, rows)
        for row, time_usec in zip(rows.tolist(), times.tolist(), strict=True):
            autopilot = self._autopilots[row]
            if autopilot.begin < 0:
                autopilot.begin, autopilot.due = time_usec, now
            autopilot.due = max(autopilot.due, now - CATCH_UP) + self._source.period
            autopilot.sent, autopilot.waits = time_usec, True
        for row, data in datagrams:
            self._send(row, data)

    def _send(self, row: int, data: memoryview) -> None:
        autopilot = self._autopilots.get(row)
        if autopilot is None:  # it ended with the datagram before
            return
        if autopilot.stream.write(data):
            self.stats.add(Count.SENT, row)
        else:
            self.stats.add(Count.SEND_ERRORS, row)
            self._end(row)

    def close(self) -> None:
        """See `Link.close`."""
        for row in list(self._autopilots):
            self._autopilots.pop(row).stream.close()
        for listener in self._listeners:
            listener.close()
        self._selector.close()

    # --- connections

    def _accept(self, row: int) -> None:
        """Take a connection of one who may command, in place of one that is there."""
        try:
            connection, (address, _) = self._listeners[row].accept()
        except OSError:  # it has ended already
            return
        if not self._senders.may(address):
            self.stats.add_foreign(row)
            connection.close()
            return
        if row in self._autopilots:
            self._end(row)
        self._take_over(row)
        self._autopilots[row] = autopilot = _Autopilot(TcpStream(connection))
        self._selector.register(autopilot.stream, selectors.EVENT_READ, row)

    def _end(self, row: int) -> None:
        autopilot = self._autopilots.pop(row)
        self._selector.unregister(autopilot.stream)
        autopilot.stream.close()
        self._source.request_truth(row, 0)
        self._actuators.release(row)

    # --- messages

    def _read(self, row: int, autopilot: _Autopilot) -> None:
        self._reads += 1
        autopilot.read = self._reads
        data = autopilot.stream.read(READ_SIZE)
        if data is None:
            self._end(row)
            return
        for frame in autopilot.parser.feed(data):
            self.stats.add([Count.RECEIVED, self._take_in(row, autopilot, frame)], row)

    def _take_in(self, row: int, autopilot: _Autopilot, frame: Frame) -> Count:
        """Do what a message requests; return what became of it."""
        match frame.name:
            case "HIL_ACTUATOR_CONTROLS":
                return self._control(row, autopilot, frame.record())
            case "COMMAND_LONG":
                return self._command(row, frame.record())
            case "HEARTBEAT":
                return Count.ACCEPTED
        return Count.UNSUPPORTED

    def _control(self, row: int, autopilot: _Autopilot, message: np.void) -> Count:
        controls = Controls.of(message)
        self._actuators.set(row, controls.values, controls.armed)
        autopilot.answered, autopilot.waits = int(message["time_usec"]), False
        autopilot.lockstep = bool(message["flags"] & _LOCKSTEP)
        return Count.ACCEPTED if controls.finite else Count.NOT_FINITE

    def _command(self, row: int, message: np.void) -> Count:
        if message["command"] != _SET_MESSAGE_INTERVAL:
            return Count.UNSUPPORTED
        if message["param1"] != _HIL_STATE_QUATERNION or not np.isfinite(message["param2"]):
            return Count.UNSUPPORTED
        self._source.request_truth(row, float(message["param2"]))
        return Count.ACCEPTED

    def _may_go_on(self, autopilot: _Autopilot) -> bool:
        if autopilot.answered < 0:  # it is starting up, which takes real time
            return self._clock() >= autopilot.due
        if not autopilot.lockstep:
            return True
        if autopilot.begin <= autopilot.answered <= autopilot.sent:  # its clock is ours
            return autopilot.answered == autopilot.sent
        return not autopilot.waits
