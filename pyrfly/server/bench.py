"""Speed and load of a server: ``pyrfly bench server``."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from pyrfly import _core
from pyrfly.protocol.timeouts import TIMEOUTS
from pyrfly.server.bench_clients import Client, client
from pyrfly.server.budget import Budget
from pyrfly.server.hil import enable_sensors
from pyrfly.server.link import Link
from pyrfly.server.link_stats import LinkStats
from pyrfly.server.links.mavlink import MavlinkLink
from pyrfly.server.links.px4 import Px4Link
from pyrfly.server.links.rflysim import RflySimLink
from pyrfly.server.pacing import MAX_LATE
from pyrfly.server.server import TICK, Server
from pyrfly.sim import Sim
from pyrfly.transport import PortError, PortUse

__all__ = ["DelayRow", "LoadRow", "LockstepRow", "Row", "measure", "show"]

VEHICLE = "x450"
SPACING = 4.0
"""Between vehicles [m]."""

SIZES = (1000,)
MAVLINK_SIZE = 100
"""Maximum number of vehicles that speak MAVLink."""

LOCKSTEP_SIZES = (1, 10)
FAST_TICK = 1e-3

WARM_UP = 0.2
"""Simulated time before a measurement [s]: memory is allocated, packets begin to flow."""

FIRST_PORTS = range(19000, 7000, -1310)
"""First ports that are tried; RflySim's are left to others."""


class LoadRow(NamedTuple):
    """What a fleet takes in real time; docs/benchmarks.md explains the fields."""

    benchmark: str
    vehicle: str
    measured: str
    simd: str
    threads: int
    n: int
    listened: bool
    tick_s: float
    seconds: float
    packets_per_s: float
    cpu: float
    """Processor time of the whole server, over real time."""
    cpu_links: float
    """That of its link alone."""
    late: int
    """Number of ticks that ended more than a period after they were due."""
    worst_s: float
    """How long after it was due the latest tick ended; negative: before."""


class DelayRow(NamedTuple):
    """Delays between a command and a state, or of the ticks of a server [s]."""

    benchmark: str
    vehicle: str
    measured: str
    tick_s: float
    samples: int
    median_s: float
    p999_s: float
    max_s: float


class LockstepRow(NamedTuple):
    """Steps in lockstep with autopilots that answer at once."""

    benchmark: str
    vehicle: str
    measured: str
    simd: str
    n: int
    step_s: float
    """Simulated time of a step [s]."""
    steps_per_s: float
    cpu_per_step_s: float
    """Processor time of the server for a step of all vehicles [s]."""


Row = LoadRow | DelayRow | LockstepRow


def measure(
    *, sizes: Sequence[int] = SIZES, threads: Sequence[int] = (1,), seconds: float = 10.0
) -> Iterator[Row]:
    """Measure servers and their links; arguments of `pyrfly.bench.physics`.

    Parameters
    ----------
    sizes : sequence of int
        Numbers of vehicles in UDP_Full; of those that speak MAVLink there are at most 100.
    threads : sequence of int
        The largest is the maximum number of threads of a step.
    seconds : float
        Real time of a row [s].

    Yields
    ------
    LoadRow, DelayRow or LockstepRow
        Of each size the load of UDP_Full and MAVLink, without and with a program that listens; then
        delays of commands and of ticks, and lockstep.
    """
    maximum = max(threads)
    for n in sizes:
        for listened in (False, True):
            yield _load("udp_full", _rflysim_link, n, maximum, listened, seconds)
        for listened in (False, True):
            yield _load("mavlink", _mavlink_link, min(n, MAVLINK_SIZE), maximum, listened, seconds)
    for tick in (TICK, FAST_TICK):
        yield _round_trip(tick, seconds)
    yield _jitter(seconds)
    for n in LOCKSTEP_SIZES:
        yield _lockstep(n, seconds)


def _fleet(n: int, threads: int | None = None) -> Sim:
    """Return vehicles on the ground, with all sensors."""
    sim = Sim(VEHICLE, n, threads=threads)
    sim.enable_synthesis()
    enable_sensors(sim)
    side = int(np.ceil(np.sqrt(n)))
    places = np.zeros((n, 3))
    places[:, :2] = SPACING * np.stack(np.unravel_index(np.arange(n), (side, side)), axis=1)
    sim.reset(pos=places)
    return sim


# --- what is measured

MadeLink = Callable[[Sim, int], Link]
"""Makes a link to vehicles, at a first port."""


def _rflysim_link(sim: Sim, first_port: int, tick: float = TICK) -> Link:
    timeout = TIMEOUTS["setpoints"].seconds
    return RflySimLink(sim, "udp_full", round(tick / sim.dt), timeout, True, first_port=first_port)


def _mavlink_link(sim: Sim, first_port: int) -> Link:
    return MavlinkLink(sim, first_port=first_port)


class _Metered(Link):
    """A link whose processor time is measured."""

    def __init__(self, link: Link) -> None:
        self.name, self.stats = link.name, link.stats
        self.cpu = 0.0
        self._link = link

    def _metered(self, work: Callable[..., Any], *arguments: Any) -> Any:
        begin = time.thread_time()
        done = work(*arguments)
        self.cpu += time.thread_time() - begin
        return done

    def port_uses(self) -> list[PortUse]:
        return self._link.port_uses()

    def take(self, budget: Budget) -> None:
        self._metered(self._link.take, budget)

    def prepare(self) -> None:
        self._metered(self._link.prepare)

    def due(self, step: int) -> int:
        return self._link.due(step)

    def give(self, step: int) -> None:
        self._metered(self._link.give, step)

    def flush(self) -> None:
        self._metered(self._link.flush)

    def close(self) -> None:
        self._link.close()


class _Watch(Link):
    """Notes when the ticks of a server begin and end, against when that is due [s].

    It is the first link, and its `end` the report of the server. A server that is late by more than
    0.1 s does not make up for it, so that ticks are due later from there on.
    """

    name = "watch"

    def __init__(self, n: int, tick: float) -> None:
        self.stats = LinkStats(n)
        self._tick = tick
        self.restart()

    def restart(self) -> None:
        """Forget what was noted."""
        self.begins: list[float] = []
        self.ends: list[float] = []
        self._due: float | None = None  # beginning of the tick

    def take(self, budget: Budget) -> None:
        now = time.perf_counter()
        if self._due is None:
            self._due = now
        self.begins.append(now - self._due)

    def end(self, _: Server) -> None:
        """Note the end of a tick."""
        assert self._due is not None
        self._due += self._tick
        late = time.perf_counter() - self._due
        self.ends.append(late)
        if late > MAX_LATE:
            self._due += late


class _Measured(NamedTuple):
    server: Server
    link: _Metered
    watch: _Watch
    first_port: int
    program: Client | None


@contextmanager
def _served(
    sim: Sim,
    made: MadeLink,
    program: Callable[[Link, int], Sequence[object]] | None,
    tick: float = TICK,
) -> Iterator[_Measured]:
    """Open a server on ports that are free, and a program at the other end of them."""
    with ExitStack() as opened:
        for first_port in FIRST_PORTS:
            try:
                with ExitStack() as tried:
                    link = made(sim, first_port)
                    tried.callback(link.close)
                    arguments = None if program is None else program(link, first_port)
                    run = (
                        None
                        if arguments is None
                        else tried.enter_context(client(*map(str, arguments)))
                    )
                    opened.enter_context(tried.pop_all())
                break
            except PortError:
                continue
        else:
            tried_ports = ", ".join(map(str, FIRST_PORTS))
            raise PortError(f"the ports of {sim.n} vehicles are in use from {tried_ports} on")
        metered, watch = _Metered(link), _Watch(sim.n, tick)
        server = Server(sim, mode=None, links=(watch, metered), tick=tick)
        opened.callback(server.close)
        server.report = watch.end
        server.run(WARM_UP)
        watch.restart()
        yield _Measured(server, metered, watch, first_port, run)


def _listening(link: Link, _: int) -> Sequence[object]:
    """Return the program that reads all ports that a link sends to."""
    uses = [use for use in link.port_uses() if not use.listens and use.name != "IMU"]
    spans = [n for use in uses for n in (use.port, use.step or 1, len(use.ports))]
    return ["listen", *spans]


def _load(
    name: str, made: MadeLink, n: int, threads: int, listened: bool, seconds: float
) -> LoadRow:
    sim = _fleet(n, threads)
    with _served(sim, made, _listening if listened else None) as (server, link, watch, *_):
        sent, linked = server.stats["sent"], link.cpu
        begin, cpu = time.perf_counter(), time.process_time()
        server.run(seconds)
        passed = time.perf_counter() - begin
        ends = np.array(watch.ends)
        return LoadRow(
            "server", VEHICLE, name, _core.simd_info()["simd"], threads, n, listened, TICK, passed,
            packets_per_s=(server.stats["sent"] - sent) / passed,
            cpu=(time.process_time() - cpu) / passed,
            cpu_links=(link.cpu - linked) / passed,
            late=int((ends > TICK).sum()),
            worst_s=float(ends.max()),
        )  # fmt: skip


def _delays(measured: str, tick: float, delays: ArrayLike) -> DelayRow:
    found = np.asarray(delays)
    if not found.size:
        raise RuntimeError(f"{measured}: expected answers, got none in this time")
    median, high, most = np.quantile(found, (0.5, 0.999, 1.0)).tolist()
    return DelayRow("server", VEHICLE, measured, tick, found.size, median, high, most)


def _round_trip(tick: float, seconds: float) -> DelayRow:
    """Measure the time from a command until the true state shows it."""

    def made(sim: Sim, first_port: int) -> Link:
        return _rflysim_link(sim, first_port, tick)

    def commanding(_: Link, first_port: int) -> Sequence[object]:
        return ["command", first_port, round(1e6 * TICK)]

    with _served(_fleet(1), made, commanding, tick) as measured:
        measured.server.run(seconds)
        assert measured.program is not None
        return _delays("round trip", tick, measured.program.end()["delays_s"])


def _jitter(seconds: float) -> DelayRow:
    """Measure how long after they are due the ticks of a fast server begin."""

    def made(sim: Sim, first_port: int) -> Link:
        return _rflysim_link(sim, first_port, FAST_TICK)

    with _served(_fleet(1), made, None, FAST_TICK) as (server, _, watch, *_):
        server.run(seconds)
        return _delays("jitter", FAST_TICK, watch.begins)


def _lockstep(n: int, seconds: float) -> LockstepRow:
    """Measure steps of the sensors with autopilots that answer at once."""
    sim = _fleet(n, 1)
    link = Px4Link(sim, first_port=0, waits=True)
    step = 1.0 / sim.sensors.rate
    with Server(sim, mode=None, rate="max", links=(link,)) as server, client("px4", *link.ports):
        _wait_for_lockstep(server)
        begin, cpu, stepped = time.perf_counter(), time.process_time(), server.time
        time.sleep(seconds)
        with server.lock:
            steps = (server.time - stepped) / step
            passed = time.perf_counter() - begin
            taken = time.process_time() - cpu
    simd = _core.simd_info()["simd"]
    return LockstepRow(
        "server", VEHICLE, "lockstep", simd, n, step, steps / passed, taken / max(1.0, steps)
    )


def _wait_for_lockstep(server: Server) -> None:
    end = time.perf_counter() + 10
    while server.time < WARM_UP:
        if time.perf_counter() > end:
            raise RuntimeError("the autopilots do not answer")
        time.sleep(0.01)


# --- output

_HEADS = {
    LoadRow: (
        f"{'measured':12}{'simd':8}{'threads':>7}{'n':>6}{'listened':>9}{'packets/s':>11}"
        f"{'cpu':>7}{'links':>7}{'us/vehicle/s':>14}{'us/packet':>11}{'late':>6}{'worst ms':>10}"
    ),
    DelayRow: f"{'measured':12}{'tick ms':>8}{'samples':>8}{'median ms':>11}{'99.9 % ms':>11}"
    f"{'max ms':>9}",
    LockstepRow: f"{'measured':12}{'simd':8}{'n':>4}{'steps/s':>9}{'x real time':>13}"
    f"{'us cpu/step':>13}",
}


def _line(row: Row) -> str:
    match row:
        case LoadRow():
            packet = 1e6 * row.cpu_links / max(1.0, row.packets_per_s)
            return (
                f"{row.measured:12}{row.simd:8}{row.threads:>7}{row.n:>6}{row.listened!s:>9}"
                f"{row.packets_per_s:>11.0f}{row.cpu:>7.3f}{row.cpu_links:>7.3f}"
                f"{1e6 * row.cpu / row.n:>14.0f}{packet:>11.2f}{row.late:>6}"
                f"{1e3 * row.worst_s:>10.2f}"
            )
        case DelayRow():
            return (
                f"{row.measured:12}{1e3 * row.tick_s:>8g}{row.samples:>8}"
                f"{1e3 * row.median_s:>11.3f}{1e3 * row.p999_s:>11.3f}{1e3 * row.max_s:>9.3f}"
            )
        case LockstepRow():
            return (
                f"{row.measured:12}{row.simd:8}{row.n:>4}{row.steps_per_s:>9.0f}"
                f"{row.steps_per_s * row.step_s:>13.2f}{1e6 * row.cpu_per_step_s:>13.1f}"
            )


def show(rows: Iterator[Row]) -> None:
    """Print rows as tables, one of each kind."""
    kind: type[Row] | None = None
    for row in rows:
        if type(row) is not kind:
            kind = type(row)
            print(_HEADS[kind])
        print(_line(row), flush=True)
