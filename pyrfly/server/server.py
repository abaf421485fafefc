"""A headless RflySim server for the vehicles of a `Sim`: `Server`."""

from __future__ import annotations

import atexit
import math
import sys
import threading
from collections.abc import Iterable, Sequence
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly import wire
from pyrfly.errors import shown
from pyrfly.protocol import synthesis
from pyrfly.protocol.synthesis import COMMAND, VEL, Command, Inputs, Mode
from pyrfly.protocol.terrain import ObjectYaws
from pyrfly.server.budget import Budget
from pyrfly.server.inbox import Inbox
from pyrfly.server.link_stats import Count, LinkStats
from pyrfly.server.measurements import Measurements
from pyrfly.server.orders import (
    Action,
    Extension,
    MeasurementRequest,
    Reset,
    SetInputs,
    SetPoints,
    SpeedLimit,
    TakeOff,
    Terrain,
    TerrainInput,
    apply,
    moving_ground,
    picked,
)
from pyrfly.server.outputs import OUTPUTS, Outputs
from pyrfly.server.pacing import Pacer, rate_of
from pyrfly.server.ranges import beyond
from pyrfly.server.streams import TIMEOUT, Streams, has_set_points, lapsed
from pyrfly.sim import Sim
from pyrfly.sim.arguments import steps_in
from pyrfly.transport import (
    FIRST_PORT,
    FleetSockets,
    OptionError,
    Ports,
    PortUse,
    Sent,
    check_ports,
    rflysim_series,
)

__all__ = ["Server"]

TICK = 0.01
"""Simulated time between two receptions of packets [s]."""

SERIES = {"state": "command", "truth": "sil"}
"""Kinds of messages, and the series of ports that they are sent from."""

Ids = NDArray[np.intp]
Bools = NDArray[np.bool_]


class Server:
    """The simulator's end of RflySim's UDP links, for all vehicles of a `Sim`.

    Vehicle n executes what arrives on port 20100 + 2 (n - 1) (24-byte ``inOffboardShortData``,
    120-byte set-points, restart) and 30100 + 2 (n - 1) (``inSILInts``, ``inSILFloats``), and sends
    its state to ports 20101 and its true state to 30101 + 2 (n - 1) of the peers.

    Packets of one port are executed in their order; between the two ports of a vehicle there is
    none. Packets are received every 10 ms of simulated time, one of each port in turn, and what
    they request is executed, one command of each vehicle in turn, both together for at most 60 % of
    the tick's real time, and of what the simulation itself leaves of it. The rest waits for the
    next tick: packets in the buffers of the system, commands in their order, and the newest packet
    of each stream; what was not served longest comes first. So a flood delays neither simulated
    time nor other vehicles; `stats` counts what was replaced by newer packets, and what was lost.

    A stream of set-points, without a command, that ends for ``setpoint_timeout`` lapses: a position
    and a heading stay, velocity, acceleration, heading rate, attitude and angular velocity end in
    position hold. The first set-point of a stream arms a vehicle, and on the 20100 series ends a
    take-off.

    Measurements of the IMU go to port 31000 + n - 1 of the peers, as often as a client requests on
    port 30100 + 2 (n - 1), at most at the ``sensor_rate`` of the `Sim`: what the sensor measures
    where it is on, or else the true specific force and angular velocity at the centre of mass.

    RflySim does not publish how often its CopterSim sends; here ``outHILStateData`` and
    ``SOut2Simulator`` are sent at 100 Hz in mode
    ``udp_full``; ``outHILStateShort`` and ``SOut2Simulator`` at 30 Hz in ``udp_simple``, with the
    notice that the position is known once a second; ``outCopterStruct`` at 10 Hz in both. These are
    simulated seconds, so with another rate than real time it is more or less often.

    Packets are untrusted: what has a wrong length, checksum or CopterID, or a non-finite number, or
    injects a fault, is dropped and counted in `stats`. Nothing is sent but to the peers.

    Parameters
    ----------
    sim : Sim
        The vehicles; gets the synthesis columns if it has none yet.
    mode : {'udp_full', 'udp_simple', 'udp_full_old', 'udp_simple_old'}
        Which state is sent; ``_old`` with the true state of 200 bytes for older clients. Commands
        of both modes are accepted in either.
    rate : {'real', 'max'} or float
        Real time, as fast as possible, or simulated seconds per real second.
    host : str
        Address to listen on: by default only programs on this machine can send.
    peers : sequence of str
        Addresses to send to.
    first_port : int
        Instead of 20100; the 30100 series begins 10000 above.
    setpoint_timeout : float, optional
        Simulated time after which the set-points of a stream lapse [s]; 0: they do not. By default
        0.5 s, with a rate above real time 0.5 s of real time, and with ``'max'`` they do not.
    setpoints_arm : bool
        Whether the first set-point of a stream arms a vehicle.

    Attributes
    ----------
    sim, mode
        As given.
    stats : LinkStats
        Packets received and sent.
    inbox : Inbox
        What was received and is not executed yet; reports dropped packets.
    link : FleetSockets
        The sockets.
    extension : numpy.ndarray, shape (n, 5, 28)
        The last inCtrlExt1 to 5 of each vehicle; no effect on a multirotor.
    lock : threading.RLock
        Held while vehicles are commanded and stepped. Hold it to read or command the vehicles
        while the server runs in the background; release it before `stop`.

    Raises
    ------
    PortError
        When a port is in use or cannot be opened; an OSError.
    OptionError
        When an argument is not valid; a ValueError.

    Examples
    --------
    >>> from pyrfly.server import Server
    >>> with Server(sim, rate="real") as server:  # doctest: +SKIP
    ...     time.sleep(60)
    """

    def __init__(
        self,
        sim: Sim,
        mode: str = "udp_full",
        rate: float | str = "real",
        host: str = "127.0.0.1",
        peers: Sequence[str] = ("127.0.0.1",),
        first_port: int = FIRST_PORT,
        setpoint_timeout: float | None = None,
        setpoints_arm: bool = True,
    ) -> None:
        if mode not in OUTPUTS:
            raise OptionError(f"mode: expected {' or '.join(map(repr, OUTPUTS))}, got {mode!r}")
        if setpoints_arm not in (True, False):
            raise OptionError(f"setpoints_arm: expected true or false, got {shown(setpoints_arm)}")
        self._pacer = Pacer(rate_of(rate))
        timeout = _timeout(setpoint_timeout, self._pacer.rate)
        self.sim = sim
        self.mode = mode
        sim.enable_synthesis()
        self.link = FleetSockets(sim.n, rflysim_series(sim.n, first_port), host, peers)
        self._imu_port = Ports.beginning_at(first_port).imu
        self.stats = LinkStats(sim.n)
        self.inbox = Inbox(self.stats, sim.n)
        self.extension = np.zeros((sim.n, 5, 28))
        self.lock = threading.RLock()
        self._steps = max(1, round(TICK / sim.dt))
        self._ticks = 0
        self._budget = Budget(self._period / self._pacer.rate)
        self._streams = Streams(sim.n, timeout)
        self._setpoints_arm = setpoints_arm
        self._outputs = Outputs(mode, self._period)
        self._measurements = Measurements(sim.n, sim.dt, sim.sensors.rate)
        self._yaw = np.array(sim.euler[:, 2])
        self._ground = Terrain.now(sim)
        self._object_yaws = ObjectYaws(sim.n)
        self._speed_limit = SpeedLimit(np.arange(1, sim.n + 1), np.array(sim.speed_limit))
        self._stopping = self._running = False
        self._closed = False
        self._stepper: int | None = None  # identity of the thread that steps
        self._thread: threading.Thread | None = None
        self._error: BaseException | None = None
        try:
            sim.hand_over(self)
        except RuntimeError as error:
            self.link.close()
            raise OptionError(f"sim: expected one that nothing else steps: {error}") from None

    def port_notices(self) -> list[str]:
        """Return which ports are the same, or may be taken by other programs, a line each."""
        imu = PortUse("IMU", self._imu_port, 1, self.sim.n)
        return check_ports([*self.link.uses(), imu], self.link.peers_here)

    # --- running ---

    @property
    def rate(self) -> float:
        """Simulated seconds per real second; infinity for as fast as possible."""
        return self._pacer.rate

    @property
    def late(self) -> int:
        """Number of times that the simulation fell behind its rate by more than 0.1 s."""
        return self._pacer.late

    @property
    def setpoint_timeout(self) -> float:
        """Simulated time after which the set-points of a stream lapse [s]; infinity: never."""
        return self._streams.timeout

    @property
    def closed(self) -> bool:
        """Whether the ports are closed."""
        return self._closed

    @property
    def running(self) -> bool:
        """Whether a thread is serving."""
        return self._running

    @property
    def time(self) -> float:
        """Simulated time that the server has stepped [s]."""
        return self._ticks * self._period

    @property
    def _period(self) -> float:
        return self._steps * self.sim.dt

    def run(self, seconds: float | None = None) -> None:
        """Serve in this thread until `stop` is called, or simulated time is up.

        Parameters
        ----------
        seconds : float, optional
            How long [s], rounded to whole ticks of 10 ms.

        Raises
        ------
        RuntimeError
            When the server is running or closed.
        """
        ticks = None if seconds is None else self._ticks_in(seconds)
        self._begin()
        self._serve(ticks)

    def _ticks_in(self, seconds: float) -> int:
        return steps_in("seconds", seconds, self._period)

    def _begin(self) -> None:
        if self._closed:
            raise RuntimeError("the server is closed")
        if self._running:
            raise RuntimeError("the server is running already")
        self._stopping, self._running = False, True

    def _serve(self, ticks: int | None) -> None:
        self._stepper = threading.get_ident()
        try:
            self._loop(ticks)
        finally:
            self._count_overflows(self.link.overflows(None))
            self._stepper = None
            self._running = False

    def _loop(self, ticks: int | None) -> None:
        self._pacer.begin(self.time)
        while ticks != 0:
            with self.lock:
                if self._stopping:
                    break
                self._receive()
                self._budget.simulate()
                self._lapse()
                measured = self._step()
                outgoing = self._outputs.packed(self.sim, self._ticks)
            self._send(outgoing)
            self._send_measured(measured)
            self._budget.end()
            self._pacer.wait(self.time, lambda: self._stopping)
            if ticks is not None:
                ticks -= 1

    def _step(self) -> list[tuple[NDArray[np.intp], NDArray[Any]]]:
        """Step a tick; return rows of vehicles and what they measure, at each time that is due."""
        measured = []
        for steps, rows in self._measurements.parts(self._ticks * self._steps, self._steps):
            self.sim.step(steps)
            if len(rows):
                measured.append((rows, wire.pack(self.sim, "imuDataCopter", rows + 1)))
        self._ticks += 1
        return measured

    def start(self) -> Server:
        """Serve in a background thread until `stop`; return the server.

        While it runs, do not step the `Sim`; hold `lock` to read or command it.
        """
        self._begin()
        self._thread = threading.Thread(
            target=self._serve_in_thread, name="pyrfly server", daemon=True
        )
        atexit.register(self.close)  # a daemon must not be stepping when the interpreter ends
        self._thread.start()
        return self

    def _serve_in_thread(self) -> None:
        try:
            self._serve(None)
        except BaseException as error:
            self._error = error

    def stop(self) -> None:
        """Stop serving, from any thread; the ports stay open until `close`.

        Raises
        ------
        BaseException
            What ended the background thread, if it did not end by itself.
        """
        self._stopping = True
        thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join()
            self._thread = None
            atexit.unregister(self.close)
            error, self._error = self._error, None
            if error is not None:
                raise error

    def close(self) -> None:
        """Stop and close the ports; more than once does no harm."""
        self._closed = True
        try:
            self.stop()
        finally:
            with self.lock:
                self.link.close()

    def __enter__(self) -> Server:
        return self.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def require_may_step(self) -> None:
        """Raise a RuntimeError when another thread than this one is serving, and so stepping."""
        if self._stepper not in (None, threading.get_ident()):
            raise RuntimeError("a server steps this Sim in the background; stop it first")

    # --- receiving ---

    def _receive(self) -> None:
        """Read, decode and execute packets as long as there is time for them."""
        self._budget.begin(self._pacer.behind(self.time))
        for packets in self.link.receive(self._budget.reading_is_over, self.inbox.is_full):
            self.inbox.put(packets)
        self._count_overflows(self.link.overflows())
        self.inbox.execute(self._act, self._budget.is_over)

    def _count_overflows(self, found: Iterable[tuple[int, int]]) -> None:
        for row, count in found:
            self.stats.add(Count.OVERFLOWED, row, count)

    def _act(self, action: Action) -> None:
        match action:
            case Extension(ids, numbers, values):
                self.extension[ids - 1, numbers - 1] = values
            case MeasurementRequest(ids, rates):
                self._measurements.request(ids, rates)
            case TerrainInput():
                rows, time = action.ids - 1, self.sim.time
                apply(self.sim, moving_ground(action, self._object_yaws, rows, time))
            case Reset(ids):
                self._reset(ids)
                self._streams.reset(ids)
            case SetInputs(ids, ints, floats):
                apply(self.sim, SetInputs(ids, self._noted(ids, ints, floats), floats))
            case SetPoints(ids, ints, floats):
                words = self._noted(ids, ints, floats, offboard=True)
                apply(self.sim, SetPoints(ids, words, floats))
            case TakeOff(ids, ints, floats):
                self._count_limited(ids, ints, floats)
                apply(self.sim, action)
                self._streams.replaced(ids)
            case command:
                apply(self.sim, command)

    def _count_limited(
        self, ids: Ids, ints: NDArray[np.int32], floats: NDArray[np.float32]
    ) -> None:
        limited = beyond(ints, floats, self.sim.local_frame)
        self.stats.add(Count.LIMITED, ids[limited] - 1)

    def _reset(self, ids: Ids) -> None:
        """Put vehicles back to where they took off, with ground and speed limit of the start."""
        rows = ids - 1
        self._object_yaws.forget(rows)
        apply(self.sim, picked(self._speed_limit, rows))
        apply(self.sim, picked(self._ground, rows))
        self.sim.reset(pos=self.sim.home[rows, :2], yaw=self._yaw[rows], ids=ids)

    def _noted(
        self,
        ids: Ids,
        ints: NDArray[np.int32],
        floats: NDArray[np.float32],
        offboard: bool = False,
    ) -> NDArray[np.int32]:
        """Note which set-points begin or continue a stream; return the words for the vehicles.

        In ``offboard`` a message without a set-point belongs to the stream, too.
        """
        self._count_limited(ids, ints, floats)
        time, is_stream = self.sim.time, ints[:, COMMAND] & Command.ENABLE == 0
        flies = is_stream & has_set_points(ints)
        begins = is_stream & self._streams.begins(ids, time)
        stands = flies | (is_stream & (floats[:, VEL] != 0).any(axis=1))  # or sticks
        self._streams.set_points(ids if offboard else ids[stands], time)
        self._streams.replaced(ids[~stands])
        return self._switched(ids, ints, begins, flies, offboard) if begins.any() else ints

    def _switched(
        self, ids: Ids, ints: NDArray[np.int32], begins: Bools, flies: Bools, offboard: bool
    ) -> NDArray[np.int32]:
        """Return the words with what the beginning of a stream commands.

        It arms, if so set, and in ``offboard`` ends a take-off, as PX4's change of mode does.
        """
        armed = self.sim.armed[ids - 1] != 0
        arms = begins & flies & ~armed & self._setpoints_arm
        ends = begins & offboard & (self.sim.navigator_mode[ids - 1] == Mode.TAKEOFF)
        task = np.where(ends, int(Command.OFFBOARD_POSITION), 0)
        words = ints.copy()
        commands = synthesis.command_word(armed | arms) | task
        words[:, COMMAND] = np.where(arms | ends, commands, ints[:, COMMAND])
        return words

    def _lapse(self) -> None:
        """End the set-points of streams that have ended."""
        ids = self._streams.ended(self.sim.time)
        if len(ids):
            words, floats = self.sim.sil_ints[ids - 1], self.sim.sil_floats[ids - 1]
            self.sim.command_sil(*lapsed(Inputs(words.view(np.int32), floats)), ids=ids)
            self.stats.add(Count.LAPSED, ids - 1)

    # --- sending ---

    def _send(self, outgoing: Iterable[tuple[str, NDArray[Any]]]) -> None:
        everybody = np.arange(self.sim.n)
        for kind, messages in outgoing:
            self._count_sent(everybody, self.link.send(SERIES[kind], messages))

    def _send_measured(self, measured: Iterable[tuple[NDArray[np.intp], NDArray[Any]]]) -> None:
        for rows, messages in measured:
            sent = self.link.send("sil", messages, rows, self._imu_port + rows)
            self._count_sent(rows, sent)

    def _count_sent(self, rows: NDArray[np.intp], sent: Sent) -> None:
        self.stats.add(Count.SENT, rows, sent.packets)
        self.stats.add(Count.SEND_ERRORS, rows, sent.failures)


def _timeout(given: float | None, rate: float) -> float:
    """Return the simulated time after which a stream of set-points ends [s]."""
    if given is None:
        return TIMEOUT * max(1.0, rate)  # clients send in real time
    number = isinstance(given, (int, float, np.integer, np.floating))
    if isinstance(given, bool) or not number or not 0 <= given <= sys.float_info.max:
        raise OptionError(f"setpoint_timeout: expected seconds, 0 for never, got {shown(given)}")
    seconds = float(given)
    return seconds if seconds > 0 else math.inf
