"""A flight controller on the serial link of a HIL simulation: `SerialHilLink`."""

from __future__ import annotations

import math
import selectors
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly.errors import brief
from pyrfly.protocol.px4_channels import CHANNELS
from pyrfly.protocol.serial_packets import Kind, Message, SerialOptions, SerialParser, encode
from pyrfly.protocol.timeouts import TIMEOUTS
from pyrfly.server.actuators import Actuators
from pyrfly.server.budget import Budget
from pyrfly.server.link import NEVER, Link
from pyrfly.server.link_stats import Count, LinkStats
from pyrfly.server.timeouts import positive_timeout
from pyrfly.sim import Group, Sim
from pyrfly.transport import OptionError
from pyrfly.transport.byte_streams import ByteStream

__all__ = ["ROTORS", "SerialHilLink"]

ROTORS = 4
"""Number of rotors that the protocol has speeds for."""

_RPM = 30.0 / math.pi  # 1/min, of 1 rad/s

_SENT = (Kind.ATTITUDE, Kind.POSITION, Kind.RATES)

_DROPPED = {
    "bad_crc": Count.BAD_CHECKSUM,
    "bad_length": Count.BAD_LENGTH,
    "unknown_type": Count.UNKNOWN,
    "not_finite": Count.NOT_FINITE,
}
"""What a `SerialParser` counts of bytes that are no message."""


class SerialHilLink(Link):
    """The model's end of the serial link of [@pixhawk-hil], for one vehicle with four rotors.

    Sends the true attitude, position and angular velocity, and takes motor speeds, which the rotors
    get: as the throttle that the vehicle's ``motor_curve`` has for the speed, so that motors still
    take their time, and a battery that is not full makes them slower. A speed above the range of
    the motors is the maximum, one below it, but not 0, the minimum.

    The vehicle is armed from the first motor speeds on, and executes nothing else. When none come
    for ``timeout``, or the connection ends, it is disarmed: its motors stop, and ``lapsed`` counts.
    Motor speeds that come again arm it again. The server should run in real time, as the controller
    does, and with ticks no longer than the period of the packets.

    Parameters
    ----------
    sim : Sim
        The vehicles, which get the synthesis columns.
    stream : ByteStream
        The connection, such as a `pyrfly.transport.byte_streams.SerialStream`; this closes it.
    copter_id : int, optional
        CopterID of the vehicle, by default the first.
    rate : float
        Packets of each kind per simulated second [Hz], rounded to a period of whole steps.
    timeout : float
        Real time without motor speeds after which the motors stop [s].
    options : SerialOptions
        Formats.
    clock : callable
        As ``time.monotonic``.
    first_id : int
        CopterID of the first vehicle.

    Raises
    ------
    OptionError
        There is no such vehicle, it does not have four rotors, or a number is out of range.
    """

    name = "serial"

    def __init__(
        self,
        sim: Sim,
        stream: ByteStream,
        copter_id: int | None = None,
        rate: float = 50.0,
        timeout: float = TIMEOUTS["serial"].seconds,
        options: SerialOptions | None = None,
        clock: Callable[[], float] = time.monotonic,
        first_id: int = 1,
    ) -> None:
        chosen = first_id if copter_id is None else copter_id
        self._group, self._row = _quadrotor(sim, chosen, first_id)
        if not 0 < rate * sim.dt <= 1:
            raise OptionError(f"rate: expected up to {1 / sim.dt:g} Hz, got {brief(rate)}")
        sim.enable_synthesis()
        self.stats = LinkStats(sim.n, first_id)
        self._sim = sim
        self._vehicle = chosen - first_id
        self._period = round(1 / (rate * sim.dt))
        self._timeout = positive_timeout(timeout)
        self._clock = clock
        self._parser = SerialParser(options or SerialOptions())
        self._actuators = Actuators(sim, lambda _, count: range(count))
        self._stream: ByteStream | None = stream
        self._received: float | None = None  # real time of the last motor speeds, if armed
        self._selector = selectors.DefaultSelector()
        self._selector.register(stream, selectors.EVENT_READ)

    @property
    def connected(self) -> bool:
        """Whether the controller sends motor speeds."""
        return self._received is not None

    def fileno(self) -> int | None:
        """See `Link.fileno`."""
        return self._selector.fileno()

    def take(self, budget: Budget) -> None:
        """See `Link.take`."""
        self.serve()

    def serve(self) -> None:
        """See `Link.serve`: what the controller has sent."""
        if self._stream is None or not self._selector.select(0):
            return
        data = self._stream.read()
        if data is None:
            self._end()
            return
        before = self._dropped()
        messages = self._parser.feed(data)
        for count, times in zip(_DROPPED.values(), self._dropped() - before, strict=True):
            self.stats.add([Count.RECEIVED, count], self._vehicle, times)
        for message in messages:
            self.stats.add([Count.RECEIVED, self._take_in(message)], self._vehicle)

    def _dropped(self) -> NDArray[np.int64]:
        """Return what the parser has counted of `_DROPPED`."""
        return np.array([getattr(self._parser, name) for name in _DROPPED])

    def prepare(self) -> None:
        """See `Link.prepare`."""
        if self._received is not None and self._clock() - self._received > self._timeout:
            self._lapse()
        self.stats.add(Count.REFUSED, self._actuators.write())

    def due(self, step: int) -> int:
        """See `Link.due`: the next packets."""
        return NEVER if self._stream is None else step - step % self._period + self._period

    def give(self, step: int) -> None:
        """See `Link.give`: the packets that are due, at once."""
        if self._stream is None or step % self._period:
            return
        if self._stream.pending and self._stream.write(b"") and self._stream.pending:
            # more would wait behind these, and be old when they are sent
            self.stats.add(Count.SEND_ERRORS, self._vehicle, len(_SENT))
        elif self._stream.write(b"".join(map(self._frame, _SENT))):
            self.stats.add(Count.SENT, self._vehicle, len(_SENT))
        else:
            self.stats.add(Count.SEND_ERRORS, self._vehicle, len(_SENT))
            self._end()

    def close(self) -> None:
        """See `Link.close`."""
        if self._stream is not None:
            self._stream.close()
            self._stream = None
        self._selector.close()

    def _end(self) -> None:
        """Go on without a controller: the connection has ended."""
        assert self._stream is not None
        self._selector.unregister(self._stream)
        self._stream.close()
        self._stream = None
        if self._received is not None:
            self._lapse()

    def _lapse(self) -> None:
        self._received = None
        self._actuators.release(self._vehicle)
        self.stats.add(Count.LAPSED, self._vehicle)

    # --- frames

    def _take_in(self, message: Message) -> Count:
        """Do what a frame requests; return what became of it."""
        if message.kind is not Kind.MOTOR_SPEEDS:
            return Count.UNSUPPORTED
        if self._received is None:
            self._actuators.take_over(self._vehicle)
        self._received = self._clock()
        values = np.zeros(CHANNELS)
        values[:ROTORS] = [self._throttle(speed / _RPM) for speed in message.values]
        self._actuators.set(self._vehicle, values, armed=True)
        return Count.ACCEPTED

    def _throttle(self, speed: float) -> float:
        """Return the throttle that holds a rotor speed [rad/s]."""
        throttle = self._group.family.motor_throttle
        assert throttle is not None  # all vehicles with rotors have it
        return throttle(self._read, speed) if speed > 0 else 0.0

    def _frame(self, kind: Kind) -> bytes:
        """Return the frame with the true state."""
        match kind:
            case Kind.ATTITUDE:
                values = self._read("euler")
            case Kind.POSITION:
                lat, lon, height = self._sim.local_frame.to_lla(self._read("pos"))
                values = (lon, lat, height)
            case _:
                values = self._read("rate")
        return encode(kind, values, self._parser.options)

    def _read(self, column: str) -> Any:
        return self._group.view(column)[self._row]


def _quadrotor(sim: Sim, copter_id: int, first_id: int) -> tuple[Group, int]:
    """Return a vehicle as its group and its row there, if it has four rotors."""
    whole = isinstance(copter_id, (int, np.integer)) and not isinstance(copter_id, bool)
    last_id = first_id + sim.n - 1
    if not whole or not first_id <= copter_id <= last_id:
        raise OptionError(f"copter_id: expected {first_id} to {last_id}, got {brief(copter_id)}")
    number = copter_id - first_id + 1  # in the simulation
    group = next(g for g in reversed(sim.groups) if g.first_id <= number)
    parameters = group.parameters
    motors = 0 if group.family.motor_throttle is None else parameters.actuator_count
    if motors != ROTORS:
        raise OptionError(
            f"copter_id: expected a vehicle with {ROTORS} rotors, as the serial link has speeds "
            f"for, got {copter_id}, {parameters.name}, which has {motors or 'none'}"
        )
    return group, number - group.first_id
