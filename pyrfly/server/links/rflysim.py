"""RflySim's UDP ports with structures of its own, UDP_Full and UDP_Simple: `RflySimLink`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly import wire
from pyrfly.errors import brief
from pyrfly.mavlink import Datagrams
from pyrfly.protocol.bits import FaultyLink
from pyrfly.protocol.link_modes import link_mode
from pyrfly.server.budget import Budget
from pyrfly.server.execution import Executor
from pyrfly.server.heartbeat import Heartbeats
from pyrfly.server.inbox import Inbox
from pyrfly.server.link import Link
from pyrfly.server.link_stats import Count, LinkStats
from pyrfly.server.models import Models
from pyrfly.server.orders import (
    Action,
    Crash,
    HeartbeatRequest,
    MeasurementRequest,
    ModeRequest,
    OriginRequest,
)
from pyrfly.server.outputs import OUTPUTS, Measurements, Outputs, crashes_of, origin_of
from pyrfly.server.starts import Starts
from pyrfly.sim import Sim
from pyrfly.sim.crashes import NewCrashes
from pyrfly.sim.link_faults import Fate, LinkFaults
from pyrfly.transport import (
    FIRST_PORT,
    FleetSockets,
    OptionError,
    Packet,
    Ports,
    PortUse,
    Sent,
    rflysim_series,
)

__all__ = ["RflySimLink"]

Rows = NDArray[np.intp]

SERIES = {"state": "command", "truth": "sil"}
"""Kinds of messages, and the series of ports that they are sent from."""


class RflySimLink(Link):
    """The simulator's end of RflySim's UDP modes, for all vehicles of a `Sim`.

    Vehicle n executes what arrives on port 20100 + 2 (n - 1) (24-byte ``inOffboardShortData``,
    120-byte set-points, restart) and 30100 + 2 (n - 1) (``inSILInts``, ``inSILFloats``), and sends
    its state to ports 20101 and its true state to 30101 + 2 (n - 1) of the peers.

    Packets of one port are executed in their order; between the two ports of a vehicle there is
    none. One packet of each port is received in turn, and what they request is executed, one
    command of each vehicle in turn. What there is no time for waits for the next tick: packets in
    the buffers of the system, commands in their order, and the newest packet of each stream; what
    was not served longest comes first. So a flood delays neither simulated time nor other vehicles;
    ``stats`` counts what was replaced by newer packets, and what was lost.

    A stream of set-points, without a command, that ends for ``timeout`` lapses: a position and a
    heading stay, velocity, acceleration, heading rate, attitude and angular velocity end in
    position hold. The first set-point of a stream arms a vehicle, and on the 20100 series ends a
    take-off.

    A request for the origin of the map is answered on the port of the true state; one for the
    heartbeat where ``heartbeats`` is set. A vehicle's settings are executed here, too, as those of
    port 20002. What a vehicle has hit, by RflySim3D or in the simulation (`crash_ids`), is told
    once: by ``CopterSimCrash`` on the port of the true state, and in the next state.

    Measurements of the IMU go to port 31000 + n - 1 of the peers, as often as a client requests on
    port 30100 + 2 (n - 1), at most at the ``sensor_rate`` of the `Sim`: what the sensor measures
    where it is on, or else the true specific force and angular velocity at the centre of mass.

    RflySim does not publish how often its CopterSim sends; here ``outHILStateData`` and
    ``SOut2Simulator`` are sent at 100 Hz in mode ``udp_full``; ``outHILStateShort`` and
    ``SOut2Simulator`` at 30 Hz in ``udp_simple``, with the notice that the position is known once a
    second; ``outCopterStruct`` at 10 Hz in both. These are simulated seconds.

    Packets are untrusted: what has a wrong length, checksum or CopterID, or a non-finite number, or
    injects a fault, is dropped and counted. Nothing is sent but to the peers. Where nobody listens,
    five packets a second and port find out whether somebody does now; the others are left out.

    Parameters
    ----------
    sim : Sim
        The vehicles, which have the synthesis columns.
    mode : str
        A key of `pyrfly.server.outputs.OUTPUTS`: which state is sent, such as ``'udp_full'``;
        ``_old`` with the true state of 200 bytes for older clients. Commands of both UDP modes are
        accepted in either. In the MAVLink modes the 20100 series is left to another link.
    tick : int
        Steps between two receptions of packets.
    timeout : float
        Simulated time after which the set-points of a stream lapse [s]; infinity: never.
    setpoints_arm : bool
        Whether the first set-point of a stream arms a vehicle.
    host : str
        Address to listen on.
    peers : sequence of str
        Addresses to send to.
    first_port : int
        Instead of 20100; the 30100 series begins 10000 above.
    first_id : int
        CopterID of the first vehicle, on its ports and in packets.
    starts : Starts, optional
        Where vehicles are put back to; by default where they are now.
    allow : sequence of str
        Who may command instead of the peers, see `pyrfly.transport.Senders`.

    Attributes
    ----------
    mode : str
        As given.
    heartbeats : Heartbeats or None
        Where requested heartbeats are sent from; None: they are refused.
    inbox : Inbox
        What was received and is not executed yet; reports dropped packets.
    sockets : FleetSockets
        The sockets.

    Raises
    ------
    PortError
        When a port is in use or cannot be opened; an OSError.
    OptionError
        When an argument is not valid; a ValueError.
    """

    name = "rflysim"

    def __init__(
        self,
        sim: Sim,
        mode: str,
        tick: int,
        timeout: float,
        setpoints_arm: bool,
        host: str = "127.0.0.1",
        peers: Sequence[str] = ("127.0.0.1",),
        first_port: int = FIRST_PORT,
        first_id: int = 1,
        starts: Starts | None = None,
        allow: Sequence[str] = (),
    ) -> None:
        if mode not in OUTPUTS:
            raise OptionError(f"mode: expected {' or '.join(map(repr, OUTPUTS))}, got {mode!r}")
        if setpoints_arm not in (True, False):
            raise OptionError(f"setpoints_arm: expected true or false, got {brief(setpoints_arm)}")
        self.mode = mode
        self.stats = LinkStats(sim.n, first_id)
        self.inbox = Inbox(self.stats, sim.n, first_id)
        self._sim = sim
        self.heartbeats: Heartbeats | None = None
        self._executor = Executor(sim, self.stats, timeout, setpoints_arm, starts)
        self._tick = tick
        self._outputs = Outputs(mode, tick * sim.dt, first_id)
        self._measurements = Measurements(sim.n, sim.dt, sim.sensors.rate)
        self._packed: list[tuple[str, NDArray[Any]]] = []
        self._measured: list[tuple[Rows, NDArray[Any]]] = []
        self._replies: list[tuple[str, Rows, NDArray[Any]]] = []
        self._received: LinkFaults[Packet] = LinkFaults(sim)
        self._sent: LinkFaults[bytes] = LinkFaults(sim)
        self._new_crashes = NewCrashes(sim, first_id)
        self._crashes: dict[int, int] = {}  # rows, and what they hit, for the next state
        fields = [wire.dtype(output.name).names or () for output in OUTPUTS[mode]]
        self._names_crashes = any("tg" in names for names in fields)
        command, sil = rflysim_series(sim.n, first_port, first_id, skip_refused=True)
        series = [sil] if mode.startswith("mavlink_") else [command, sil]
        self._imu_port = Ports.beginning_at(first_port).imu + first_id - 1
        self.sockets = FleetSockets(sim.n, series, host, peers, first_id, allow)

    @property
    def extension(self) -> NDArray[np.float64]:
        """The last inCtrlExt1 to 5 of each vehicle, shape (n, 5, 28); faults in them act."""
        return self._executor.extension

    @property
    def topics(self) -> NDArray[np.float64]:
        """The last rfly_ctrl, rfly_ctrl1 and rfly_ctrl2 of each vehicle, shape (n, 3, 16)."""
        return self._executor.topics

    @property
    def timeout(self) -> float:
        """Simulated time after which the set-points of a stream lapse [s]; infinity: never."""
        return self._executor.timeout

    def join_models(self, models: Models) -> None:
        """See `Link.join_models`: what is for PX4s is sent to them."""
        self._executor.send_topics = models.send_topics

    def port_uses(self) -> list[PortUse]:
        """Return what the ports are for, as `pyrfly.transport.check_ports` takes it."""
        n, first_id = self._sim.n, self.sockets.first_id
        return [*self.sockets.uses(), PortUse("IMU", self._imu_port, 1, n, first_id=first_id)]

    def take(self, budget: Budget) -> None:
        """See `Link.take`."""
        late = [packet for _, packet in self._received.arrived()]
        if late:
            self.inbox.put(late)
        for packets in self.sockets.receive(budget.reading_is_over, self.inbox.is_full):
            self.inbox.put(self._that_arrive(packets) if self._received.act else packets)
        for _, row, count in self.sockets.foreign():
            self.stats.add_foreign(row, count)
        self._count_overflows(self.sockets.overflows())
        self.inbox.execute(self.act, budget.is_over)
        self._executor.lapse()

    def _that_arrive(self, packets: Sequence[Packet]) -> list[Packet]:
        """Return the packets that faults of the link of set-points let through at once."""
        fates = [
            self._received.send(packet.row, FaultyLink.SETPOINTS, packet)
            if packet.port == SERIES["state"]
            else Fate.PASSES
            for packet in packets
        ]
        lost = [p.row for p, fate in zip(packets, fates, strict=True) if fate is Fate.LOST]
        self.stats.add(Count.RECEIVED, lost)
        self.stats.add(Count.LOST, lost)
        return [p for p, fate in zip(packets, fates, strict=True) if fate is Fate.PASSES]

    def act(self, action: Action) -> None:
        """Execute an action, in which a vehicle occurs at most once."""
        match action:
            case MeasurementRequest(ids, rates):
                self._measurements.request(ids, rates)
            case OriginRequest(ids):
                self._reply("truth", ids - 1, origin_of(self._sim, ids, self.sockets.first_id))
            case HeartbeatRequest(ids) if self.heartbeats is not None:
                self.stats.add(Count.SENT, ids - 1, self.heartbeats.send(ids - 1))
            case ModeRequest(ids, modes):
                others = modes != link_mode(self.mode.removesuffix("_old"))
                if others.any():
                    self._executor.act(ModeRequest(ids[others], modes[others]))
            case Crash(ids, hit):
                crashed = hit >= 0
                rows, hit = ids[crashed] - 1, hit[crashed]
                if self._names_crashes:
                    self._crashes.update(zip(rows.tolist(), hit.tolist(), strict=True))
                for kind, messages in crashes_of(self.mode, rows, hit, self.sockets.first_id):
                    self._reply(kind, rows, messages)
            case _:
                self._executor.act(action)

    def _reply(self, kind: str, rows: Rows, messages: NDArray[Any]) -> None:
        """Send messages of some vehicles at the end of the tick."""
        if len(rows):
            self._replies.append((kind, rows, messages))

    def due(self, step: int) -> int:
        """See `Link.due`: the end of the tick, or measurements before it."""
        return self._measurements.due(step, step - step % self._tick + self._tick)

    def give(self, step: int) -> None:
        """See `Link.give`."""
        rows = self._measurements.rows(step)
        if len(rows):
            packed = wire.pack(self._sim, "imuDataCopter", rows + 1, self.sockets.first_id)
            self._measured.append((rows, packed))
        if step % self._tick == 0:
            self._note_crashes()
            self._packed = self._outputs.packed(self._sim, step // self._tick)
            self._tell_crashes()

    def _note_crashes(self) -> None:
        """Tell clients what vehicles have hit since the last time."""
        rows, hit = self._new_crashes.take()
        if len(rows):
            self.act(Crash(rows + 1, hit))

    def _tell_crashes(self) -> None:
        """Name in messages of the whole state, if they are sent now, what vehicles have hit."""
        told = False
        for _, messages in self._packed:
            if self._crashes and "tg" in (messages.dtype.names or ()):
                messages["tg"][list(self._crashes)] = list(self._crashes.values())
                told = True
        if told:
            self._crashes = {}

    def flush(self) -> None:
        """See `Link.flush`."""
        everybody = np.arange(self._sim.n)
        for kind, messages in self._packed:
            if kind == "state" and self._sent.act:
                self._send_state(messages)
            else:
                self._count_sent(everybody, self.sockets.send(SERIES[kind], messages))
        for rows, messages in self._measured:
            sent = self.sockets.send("sil", messages, rows, self._imu_port + rows)
            self._count_sent(rows, sent)
        for kind, rows, messages in self._replies:
            self._count_sent(rows, self.sockets.send(SERIES[kind], messages, rows))
        self._packed, self._measured, self._replies = [], [], []

    def _send_state(self, messages: NDArray[Any]) -> None:
        """Send the state of all vehicles as far as faults of the telemetry let it through."""
        packets = ((row, message.tobytes()) for row, message in enumerate(messages))
        found = Datagrams.of(self._sent.over(FaultyLink.TELEMETRY, packets))
        sent = self.sockets.send_datagrams(
            *(SERIES["state"], found.data.data, found.starts, found.lengths, found.rows)
        )
        self._count_sent(found.rows.astype(np.intp), sent)

    def close(self) -> None:
        """See `Link.close`; packets that were lost until now are counted."""
        self._count_overflows(self.sockets.overflows(None))
        self.sockets.close()

    def _count_sent(self, rows: Rows, sent: Sent) -> None:
        self.stats.add(Count.SENT, rows, sent.packets)
        self.stats.add(Count.SEND_ERRORS, rows, sent.failures)

    def _count_overflows(self, found: Iterable[tuple[int, int]]) -> None:
        for row, count in found:
            self.stats.add(Count.OVERFLOWED, row, count)
