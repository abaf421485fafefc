"""ArduPilot's SITL with the "JSON" physics backend over UDP, in lockstep: `ArduPilotLink`."""

from __future__ import annotations

import math
import selectors
import socket
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from pyrfly.errors import brief
from pyrfly.protocol.ardupilot import (
    PORT,
    BadServoPacket,
    FrameCounter,
    Servos,
    Turn,
    answer,
    parse_servos,
)
from pyrfly.protocol.timeouts import TIMEOUTS
from pyrfly.server.actuators import Actuators
from pyrfly.server.ardupilot_vehicle import ArduPilotVehicle
from pyrfly.server.autopilot_link import AutopilotLink
from pyrfly.server.budget import Budget
from pyrfly.server.link import NEVER
from pyrfly.server.link_stats import Count
from pyrfly.server.starts import Starts
from pyrfly.server.timeouts import positive_timeout
from pyrfly.sim import Sim
from pyrfly.transport import (
    Address,
    OptionError,
    PortUse,
    Senders,
    bound,
    check_ports,
)
from pyrfly.transport.open_files import allow_open_files

__all__ = ["SPACING", "ArduPilotLink"]

SPACING = 10
"""Ports from one instance of ArduPilot to the next [@ardupilot SITL_cmdline.cpp]."""

_BUFFER = 2048
"""Size of the receive buffer [bytes], above that of a servo packet."""

_PORTION = 64
"""Maximum number of packets of a vehicle that are received at once."""

_DROPPED = {
    "length": Count.BAD_LENGTH,
    "magic": Count.BAD_CHECKSUM,
    "rate": Count.NOT_FINITE,
}
"""Counts by the reason of a `BadServoPacket`."""


@dataclass
class _Autopilot:
    """An ArduPilot that has sent a frame.

    Attributes
    ----------
    address : (str, int)
        What its packets come from.
    goal : float
        End of its last frame, in steps of the server and not whole.
    answered : float
        Real time of the last answer [s].
    time : float
        Its simulated time, that of all frames since its start [s].
    asks : bool
        Whether its last frame has not been answered.
    gone : bool
        Whether it is not waited for.
    """

    address: Address
    goal: float
    answered: float
    time: float = 0.0
    asks: bool = False
    gone: bool = False
    counter: FrameCounter = field(default_factory=FrameCounter)

    @property
    def due(self) -> int:
        """The step at which its last frame is answered, the nearest to its end."""
        return math.floor(self.goal + 0.5)


class ArduPilotLink(AutopilotLink[_Autopilot]):
    """ArduPilot's SITL with its model ``JSON``, one for each vehicle that one sends packets to.

    An ArduPilot of instance i, ``-I i``, drives the vehicle with CopterID i + 1 at UDP port
    9002 + 10 i. Each of its packets asks for a frame: simulated time advances by
    ``1 / frame_rate``, and the state is sent to where the packet came from. Simulated time stands
    still until the next packet, so that the server may run at any rate; it is the same for all
    vehicles, and of several ArduPilots each waits for the others. Frames that are no whole number
    of steps end at the nearest step; the time stamps are those of the frames.

    The vehicle is armed and executes nothing else from the first packet on. A packet that was sent
    again is answered again. An ArduPilot that has restarted, or another one, puts its vehicle back
    to its start, where its time begins anew. One that sends nothing for ``timeout`` after an
    answer is gone: its vehicle is disarmed, and it is waited for no more until it sends again.

    Packets are untrusted: what is no servo packet, or comes from an address that may not command,
    is dropped and counted, and not answered.

    Parameters
    ----------
    sim : Sim
        The vehicles, which get the synthesis columns.
    host : str
        Address to listen on: by default only programs on this machine can send.
    first_port : int
        UDP port of the first vehicle; 0 for any free ones.
    frames : str or sequence of (str or None), optional
        ArduPilot's frame of all vehicles, or of each: a key of
        `pyrfly.protocol.ardupilot_frames.FRAMES`. By default, and for None, the first one of the
        vehicle's layout.
    peers : sequence of str
        Addresses of other computers with an ArduPilot.
    clock : callable
        As ``time.monotonic``.
    first_id : int
        CopterID of the first vehicle.
    starts : Starts, optional
        Where vehicles are put back to; by default where they are now.
    allow : sequence of str
        Who may command instead of the peers, see `pyrfly.transport.Senders`.
    timeout : float
        Real time without a frame after which an ArduPilot is gone [s].

    Attributes
    ----------
    ports : tuple of int
        UDP port of each vehicle.

    Raises
    ------
    PortError
        When a port is in use or cannot be opened.
    OptionError
        When a frame is unknown, or is one of another layout, a peer cannot be reached, or there are
        not as many ports.
    """

    name = "ardupilot"

    def __init__(
        self,
        sim: Sim,
        host: str = "127.0.0.1",
        first_port: int = PORT,
        frames: str | Sequence[str | None] | None = None,
        peers: Sequence[str] = ("127.0.0.1",),
        clock: Callable[[], float] = time.monotonic,
        first_id: int = 1,
        starts: Starts | None = None,
        allow: Sequence[str] = (),
        timeout: float = TIMEOUTS["ardupilot"].seconds,
    ) -> None:
        super().__init__(sim, clock, first_id, starts)
        self._timeout = positive_timeout(timeout)
        self._step = 0
        self._actuators = Actuators(sim, lambda _, count: range(count))
        self._sockets: list[socket.socket] = []
        try:
            self._senders = Senders(peers, allow, host)
            self._vehicles = _vehicles(sim, frames)
            self.ports = self._opened(host, first_port)
        except BaseException:
            self.close()
            raise

    def _opened(self, host: str, first_port: int) -> tuple[int, ...]:
        """Open the ports of all vehicles, and return them."""
        use = self._series(first_port)
        if first_port:
            check_ports([use])
        allow_open_files(self._sim.n)
        for row, port in enumerate(use.ports if first_port else [0] * self._sim.n):
            opened = bound(host, port, option="first_port of ArduPilot (--ardupilot)")
            self._sockets.append(opened)
            opened.setblocking(False)
            self._selector.register(opened, selectors.EVENT_READ, row)
        return tuple(opened.getsockname()[1] for opened in self._sockets)

    def port_uses(self) -> list[PortUse]:
        """Return what the ports are for, as `pyrfly.transport.check_ports` takes it."""
        series = self._series(self.ports[0])
        if tuple(series.ports) == self.ports:
            return [series]
        return [PortUse("ArduPilot", port, listens=True) for port in self.ports]

    def _series(self, first_port: int) -> PortUse:
        n, first_id = self._sim.n, self._first_id
        return PortUse("ArduPilot", first_port, SPACING, n, listens=True, first_id=first_id)

    def take(self, budget: Budget) -> None:
        """See `Link.take`."""
        self.serve()

    def serve(self) -> None:
        """See `Link.serve`: packets, and answers that need no step."""
        for key, _ in self._selector.select(0):
            self._receive(key.data)

    def prepare(self) -> None:
        """See `Link.prepare`."""
        for row, autopilot in self._autopilots.items():
            if not (autopilot.asks or autopilot.gone):  # nothing came in the time for it
                autopilot.gone = True
                self._lapse(row)
        super().prepare()

    def due(self, step: int) -> int:
        """See `Link.due`: the end of the next frame."""
        return min((known.due for known in self._autopilots.values() if known.asks), default=NEVER)

    def give(self, step: int) -> None:
        """See `Link.give`: the answers to the frames that end here, at once."""
        self._step = step
        for row, autopilot in self._autopilots.items():
            if autopilot.asks and autopilot.due <= step:
                self._answer(row, autopilot)

    def close(self) -> None:
        """See `Link.close`."""
        for opened in self._sockets:
            opened.close()
        self._selector.close()

    # --- packets

    def _receive(self, row: int) -> None:
        """Take what has arrived for a vehicle, and answer at most once.

        A packet that was sent again while the first one had not been read would else have two
        answers, of which ArduPilot takes the second for that to its next packet.
        """
        for _ in range(_PORTION):
            try:
                data, sender = self._sockets[row].recvfrom(_BUFFER)
            except OSError:  # no more, or on some systems a delayed error of an answer
                break
            self.stats.add([Count.RECEIVED, self._take_in(row, data, sender)], row)
        autopilot = self._autopilots.get(row)
        if autopilot is not None and autopilot.asks and autopilot.due <= self._step:
            self._answer(row, autopilot)

    def _take_in(self, row: int, data: bytes, sender: Address) -> Count:
        """Do what a packet requests; return what became of it."""
        if not self._senders.may(sender[0]):
            return Count.BAD_SENDER
        try:
            servos = parse_servos(data)
        except BadServoPacket as error:
            return _DROPPED[error.reason]
        autopilot, turn = self._turn(row, sender, servos.frame_count)
        if autopilot.gone:  # the world has gone on without it
            autopilot.gone, autopilot.goal = False, float(self._step)
        self._ask(autopilot, servos, turn)
        self._actuators.set(row, self._vehicles[row].commands(servos.pwm), armed=True)
        return Count.ACCEPTED

    def _turn(self, row: int, sender: Address, frame_count: int) -> tuple[_Autopilot, Turn]:
        """Return the ArduPilot that has sent a frame, and what the frame asks for."""
        known = self._autopilots.get(row)
        if known is not None and known.address == sender:
            turn = known.counter.accept(frame_count)
            if turn is not Turn.RESET:
                return known, turn
        return self._begin(row, sender, frame_count), Turn.STEP

    def _begin(self, row: int, sender: Address, frame_count: int) -> _Autopilot:
        """Return a new ArduPilot of a vehicle, which goes back to its start if it has had one."""
        self._take_over(row)
        autopilot = _Autopilot(sender, float(self._step), self._clock())
        autopilot.counter.accept(frame_count)
        self._autopilots[row] = autopilot
        return autopilot

    def _ask(self, autopilot: _Autopilot, servos: Servos, turn: Turn) -> None:
        if turn is not Turn.REPEAT:
            autopilot.time += 1.0 / servos.frame_rate
            autopilot.goal += 1.0 / (servos.frame_rate * self._sim.dt)
        autopilot.asks = True

    def _answer(self, row: int, autopilot: _Autopilot) -> None:
        autopilot.asks = False
        try:
            line = answer(self._vehicles[row].state(autopilot.time))
            self._sockets[row].sendto(line, autopilot.address)
        except (OSError, ValueError):  # ValueError: somebody wrote NaN to a column
            self.stats.add(Count.SEND_ERRORS, row)
        else:
            autopilot.answered = self._clock()
            self.stats.add(Count.SENT, row)

    def _is_there(self, autopilot: _Autopilot) -> bool:
        return not autopilot.gone

    def _may_go_on(self, autopilot: _Autopilot) -> bool:
        """Return whether an ArduPilot has asked for a frame, or is gone."""
        if autopilot.asks or autopilot.gone:
            return True
        return self._clock() - autopilot.answered >= self._timeout


def _vehicles(sim: Sim, frames: str | Sequence[str | None] | None) -> list[ArduPilotVehicle]:
    names = [frames] * sim.n if frames is None or isinstance(frames, str) else list(frames)
    if len(names) != sim.n:
        raise OptionError(f"frames: expected {sim.n} names, one per vehicle, got {brief(frames)}")
    places = [(group, row) for group in sim.groups for row in range(group.n)]
    try:
        return [ArduPilotVehicle(*place, name) for place, name in zip(places, names, strict=True)]
    except ValueError as error:
        raise OptionError(str(error).replace("frame: ", "frames: ", 1)) from None
