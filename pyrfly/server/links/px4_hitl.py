"""PX4 on its own hardware, by a serial port or UDP, in real time: `Px4HitlLink`."""

from __future__ import annotations

import math
import selectors
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from numpy.typing import NDArray

from pyrfly import mavlink
from pyrfly.errors import brief
from pyrfly.mavlink import Frame, FrameParser, FrameWriter
from pyrfly.protocol.px4_channels import LATEST, channels_of, hitl_scales
from pyrfly.server.actuators import Actuators
from pyrfly.server.autopilot_link import AutopilotLink
from pyrfly.server.budget import Budget
from pyrfly.server.hil import Controls, HilSource
from pyrfly.server.link_stats import Count
from pyrfly.server.models import Models
from pyrfly.server.relay import Relay
from pyrfly.server.starts import Starts
from pyrfly.sim import Sim
from pyrfly.sim.copter_data import SimulationMode
from pyrfly.transport import OptionError, PortError
from pyrfly.transport.byte_streams import ByteStream

__all__ = ["LOSS", "MAXIMUM_BACKLOG", "RETRY", "Open", "Px4HitlLink"]

LOSS = 0.5
"""Real time without HIL_ACTUATOR_CONTROLS after which the actuators of a vehicle rest [s]."""

RETRY = 1.0
"""Real time between two attempts to open a port that has vanished [s]."""

MAXIMUM_BACKLOG = 2048
"""Bytes that may wait in front of a port: 22 ms at 921600 baud. More sensor data is left out."""

_RESTART = 1_000_000
"""Step back of the clock of an autopilot that was started anew [us]."""

_HEARTBEAT = 1.0
"""Time between two messages by which PX4 finds out that a USB port speaks MAVLink [s]."""

_COMPONENT = 25  # MAV_COMP_ID_USER1
_HIL = 32  # MAV_MODE_FLAG_HIL_ENABLED
_NO_AUTOPILOT = 8  # MAV_AUTOPILOT_INVALID

Open = Callable[[], ByteStream]
"""Opens the port of an autopilot; raises a PortError where there is none."""


@dataclass
class _Autopilot:
    """An autopilot whose port is open.

    Attributes
    ----------
    heard : float
        Real time of the last HIL_ACTUATOR_CONTROLS [s]; infinity: none since the actuators rest.
    hil : bool
        Whether its last HEARTBEAT says that it takes its sensors from a simulator.
    """

    stream: ByteStream
    parser: FrameParser = field(default_factory=FrameParser)
    heard: float = math.inf
    hil: bool = False


class Px4HitlLink(AutopilotLink[_Autopilot]):
    """PX4 in hardware in the loop, versions 1.12 to 1.16, one for each vehicle.

    Each gets HIL_SENSOR and HIL_GPS at the rate of the sensors, and answers with
    HIL_ACTUATOR_CONTROLS at 200 Hz by its own clock: there is no lockstep, and the server is to run
    in real time. PX4 takes these messages only while HIL is on, which its parameter ``SYS_HITL``
    switches on at its start [@px4 v1.16.1 mavlink_receiver.cpp]; `in_hil` tells where it is.

    An autopilot that says nothing for 0.5 s has its vehicle disarmed, until it says something. One
    whose clock was set back has started anew: its vehicle is put back to its start. A port that
    vanishes is opened again as soon as it is there. Without a relay nothing else is passed on.

    Parameters
    ----------
    sim : Sim
        The vehicles, which have the synthesis columns; where no sensors are on, all are switched
        on.
    streams : sequence of callable
        Open the ports of the first vehicles, one each, such as
        ``partial(SerialStream, "/dev/ttyACM0", 921600)``. They are called again when a port has
        vanished.
    relay : Relay, optional
        Passes all other messages on, between each autopilot and its clients. It is a link of its
        own, which the server also needs.
    version : str
        Version of PX4, one of `pyrfly.protocol.px4_channels.VERSIONS`.
    truth_rate : float
        How often HIL_STATE_QUATERNION is sent, at most at the rate of the sensors [Hz]; 0: never.
        PX4 writes it to its log.
    clock : callable
        As ``time.monotonic``.
    first_id : int
        CopterID of the first vehicle.
    starts : Starts, optional
        Where vehicles are put back to; by default where they are now.

    Raises
    ------
    PortError
        A port cannot be opened.
    OptionError
        There are more ports than vehicles, or a rate is out of range.
    ValueError
        There is no such version.
    """

    name = "px4_hitl"
    simulation_mode = SimulationMode.HITL

    def __init__(
        self,
        sim: Sim,
        streams: Sequence[Open],
        relay: Relay | None = None,
        version: str = LATEST,
        truth_rate: float = 0.0,
        clock: Callable[[], float] = time.monotonic,
        first_id: int = 1,
        starts: Starts | None = None,
    ) -> None:
        if not 1 <= len(streams) <= sim.n:
            raise OptionError(
                f"streams: expected 1 to {sim.n} for the vehicles, got {len(streams)}"
            )
        if not 0 <= truth_rate <= 1000:
            raise OptionError(f"truth_rate: expected 0 to 1000 [Hz], got {brief(truth_rate)}")
        super().__init__(sim, clock, first_id, starts)
        self._open, self._relay = streams, relay
        self._models: Models | None = None
        self._actuators = Actuators(
            sim,
            partial(channels_of, version=version),
            partial(hitl_scales, version=version),
            mixed=True,
        )
        self._source = HilSource(sim)
        self._greetings = FrameWriter(np.arange(sim.n) % 255 + 1, _COMPONENT)
        self._truth_interval = 1e6 / truth_rate if truth_rate > 0 else 0.0
        self._boots = [-1] * sim.n  # time of each since its start [us], of 64 bits without sign
        self._retry = self._greeting = -math.inf
        try:
            for row in range(len(streams)):
                self._begin(row)
        except BaseException:
            self.close()
            raise
        if relay is not None:
            relay.connect(self._write)

    @property
    def in_hil(self) -> list[int]:
        """CopterIDs of the vehicles whose autopilot takes its sensors from here."""
        return sorted(
            row + self._first_id for row, autopilot in self._autopilots.items() if autopilot.hil
        )

    def join_models(self, models: Models) -> None:
        """See `Link.join_models`: these PX4s are reached here."""
        self._models = models
        models.connect(self.simulation_mode, self._write)

    def take(self, budget: Budget) -> None:
        """See `Link.take`."""
        now = self._clock()
        if now - self._retry >= RETRY:
            self._retry = now
            self._open_again()
        self.serve()

    def serve(self) -> None:
        """See `Link.serve`: what the autopilots have sent."""
        for key, _ in self._selector.select(0):
            row: int = key.data
            if row in self._autopilots:
                self._read(row, self._autopilots[row])
        if self._relay is not None:
            self._relay.pass_on()

    def prepare(self) -> None:
        """See `Link.prepare`."""
        now = self._clock()
        for row, autopilot in self._autopilots.items():
            if now - autopilot.heard >= LOSS:
                autopilot.heard = math.inf
                self._lapse(row)
        super().prepare()

    def due(self, step: int) -> int:
        """See `Link.due`: the next update of the sensors."""
        return self._source.due(step)

    def give(self, step: int) -> None:
        """See `Link.give`: HIL_SENSOR, and what is due with it, at once."""
        if not self._source.is_due(step):
            return
        reached = [row for row, one in self._autopilots.items() if one.stream.has_receiver]
        if not reached:
            return
        rows = np.array(sorted(reached))
        self._greet(rows)
        for row, data in self._source.packed(step, rows)[0]:
            self._count_sent(row, self._write(row, data))

    def close(self) -> None:
        """See `Link.close`."""
        for row in list(self._autopilots):
            self._autopilots.pop(row).stream.close()
        self._selector.close()

    # --- ports ---

    def _begin(self, row: int) -> None:
        stream = self._open[row]()
        self._autopilots[row] = _Autopilot(stream)
        self._selector.register(stream, selectors.EVENT_READ, row)
        self._source.request_truth(row, self._truth_interval)
        self._actuators.take_over(row)

    def _open_again(self) -> None:
        """Open the ports that have vanished and are there again."""
        for row in range(len(self._open)):
            if row not in self._autopilots:
                try:
                    self._begin(row)
                except PortError:
                    continue

    def _end(self, row: int) -> None:
        autopilot = self._autopilots.pop(row)
        self._selector.unregister(autopilot.stream)
        autopilot.stream.close()
        self._actuators.release(row)
        if self._relay is not None:
            self._relay.forget(row)

    def _write(self, row: int, data: bytes | memoryview) -> bool:
        """Send an autopilot some bytes; return False where there is none, or it does not read."""
        autopilot = self._autopilots.get(row)
        if autopilot is None or not autopilot.stream.has_receiver:
            return False
        fits = autopilot.stream.pending <= MAXIMUM_BACKLOG
        if not autopilot.stream.write(data if fits else b""):  # what waits is to go on
            self._end(row)
            return False
        return fits

    def _count_sent(self, row: int, sent: bool) -> None:
        self.stats.add(Count.SENT if sent else Count.SEND_ERRORS, row)

    def _greet(self, rows: NDArray[np.intp]) -> None:
        """Send a HEARTBEAT when it is time."""
        if self._clock() - self._greeting < _HEARTBEAT:
            return
        self._greeting = self._clock()
        heartbeat = mavlink.blank("HEARTBEAT")
        heartbeat["autopilot"], heartbeat["mavlink_version"] = _NO_AUTOPILOT, 3
        self._greetings.add("HEARTBEAT", heartbeat, rows)
        for row, data in self._greetings.take():
            self._count_sent(row, self._write(row, data))

    # --- messages ---

    def _read(self, row: int, autopilot: _Autopilot) -> None:
        data = autopilot.stream.read()
        if data is None:
            self._end(row)
            return
        before = autopilot.parser.counts.bad_checksums
        frames = autopilot.parser.feed(data)
        bad = autopilot.parser.counts.bad_checksums - before
        self.stats.add([Count.RECEIVED, Count.BAD_CHECKSUM], row, bad)
        others = [frame for frame in frames if not self._take_in(row, autopilot, frame)]
        if self._models is not None:
            self._models.take(row, others)
        if self._relay is not None:
            self._relay.add(row, others)
        became = Count.UNSUPPORTED if self._relay is None else Count.ACCEPTED
        self.stats.add([Count.RECEIVED, became], row, len(others))

    def _take_in(self, row: int, autopilot: _Autopilot, frame: Frame) -> bool:
        """Do what a message requests; return whether it was for the simulator alone."""
        if frame.name == "HEARTBEAT" and frame.component_id == 1:
            autopilot.hil = bool(frame.record()["base_mode"] & _HIL)
        if frame.name != "HIL_ACTUATOR_CONTROLS":
            return False
        self.stats.add([Count.RECEIVED, self._control(row, autopilot, frame.record())], row)
        return True

    def _control(self, row: int, autopilot: _Autopilot, message: np.void) -> Count:
        boot = int(message["time_usec"])
        if boot < self._boots[row] - _RESTART:
            self._starts.restart(np.array([row + 1]))
            self._actuators.take_over(row)
        self._boots[row] = boot
        controls = Controls.of(message)
        self._actuators.set(row, controls.values, controls.armed)
        autopilot.heard = self._clock()
        return Count.ACCEPTED if controls.finite else Count.NOT_FINITE
