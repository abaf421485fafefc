"""A headless RflySim server for the vehicles of a `Sim`: `Server`."""

from __future__ import annotations

import atexit
import threading
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType

from pyrfly.arrays import true_or_false
from pyrfly.errors import require_kind
from pyrfly.protocol.timeouts import NO_TIMEOUTS
from pyrfly.server.budget import Budget
from pyrfly.server.input_link import InputLink
from pyrfly.server.link import Link
from pyrfly.server.link_poller import LinkPoller
from pyrfly.server.link_stats import LinkStats
from pyrfly.server.links.mavlink import MavlinkLink
from pyrfly.server.links.rflysim import RflySimLink
from pyrfly.server.model_ports import ModelPorts
from pyrfly.server.modes import links_of
from pyrfly.server.pacing import LONGEST_SLEEP, Pacer, rate_of
from pyrfly.server.starts import Starts
from pyrfly.server.timeouts import checked_timeouts
from pyrfly.sim import Sim
from pyrfly.sim.arguments import steps_in
from pyrfly.transport import FIRST_PORT, OptionError

__all__ = ["Server"]

TICK = 0.01
"""Simulated time between two receptions of packets [s]."""

ANSWER = 0.005
"""Real time after which a server that waits for an answer looks whether it is to stop [s]."""


class Server:
    """Serves the vehicles of a `Sim` to other programs, in real time or at another rate.

    Every ``tick`` of simulated time all links take in what has arrived, for at most 60 % of the
    tick's real time, and of what the simulation itself leaves of it; then the vehicles are stepped,
    and the links send. `pyrfly.server.links` has the links; that of ``mode`` is made here, more are
    given.

    Parameters
    ----------
    sim : Sim
        The vehicles; gets the synthesis columns if it has none yet.
    mode : str or None
        Of RflySim's UDP ports: ``'udp_full'``, ``'udp_simple'``, either with ``_old``
        (`RflySimLink`), or ``'mavlink_full'``, ``_simple``, ``_nosend``, ``_nogps``, ``_vision``
        (`MavlinkLink`, also for ground stations and SDKs); None: they are not opened.
    rate : {'real', 'max'} or float
        Real time, as fast as possible, or simulated seconds per real second.
    host : str
        Address to listen on: by default only programs on this machine can send.
    peers : sequence of str
        Addresses to send to, which may command, too.
    first_port : int
        Instead of 20100; the 30100 series begins 10000 above.
    first_id : int
        CopterID of the first vehicle, on its ports and in packets: vehicle i of the `Sim` has
        CopterID ``first_id + i - 1`` for clients.
    timeouts : mapping, optional
        After how long a silence the inputs of ``mode`` end, by names of
        `pyrfly.protocol.timeouts.TIMEOUTS` [s], 0: never, but not of PX4's.
        Set-points of a stream lapse by default after 0.5 s, with a rate above real time of real
        time, and with ``'max'`` never.
    setpoints_arm : bool
        Whether the first set-point of a stream arms a vehicle.
    links : sequence of Link
        Further links to the vehicles of ``sim``, which `close` closes.
    tick : float
        Simulated time between two receptions [s], rounded to whole steps.
    key : bytes, optional
        Of MAVLink modes: 32 bytes to sign frames with; others are dropped. The ports of the mode
        where nothing is signed then take what this machine sends alone.
    relayed : bool
        Of MAVLink modes: whether one of ``links``, a `Relay`, has the 20100 series, so that the
        vehicles do not answer themselves.
    starts : Starts, optional
        Where the links of ``mode`` put vehicles back to, by default where they are now. Links that
        take one, too, put them to the same place if it is the same.
    allow : sequence of str
        Who may command over the links of ``mode`` instead of the peers, see
        `pyrfly.transport.Senders`; this machine always may. ``links`` have an argument of that name
        of their own.

    Attributes
    ----------
    sim, first_id
        As given.
    report : callable or None
        Called with the server at the end of every tick, and again and again while it waits for a
        link; can be set.
    links : tuple of Link
        All links, those of ``mode`` first.
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
        mode: str | None = "udp_full",
        rate: float | str = "real",
        host: str = "127.0.0.1",
        peers: Sequence[str] = ("127.0.0.1",),
        first_port: int = FIRST_PORT,
        timeouts: Mapping[str, float] = NO_TIMEOUTS,
        setpoints_arm: bool = True,
        first_id: int = 1,
        links: Sequence[Link] = (),
        tick: float = TICK,
        key: bytes | None = None,
        relayed: bool = False,
        starts: Starts | None = None,
        allow: Sequence[str] = (),
    ) -> None:
        require_kind("sim", sim, Sim)
        self._pacer = Pacer(rate_of(rate))
        checked_timeouts(timeouts)
        arms, relays = _flag("setpoints_arm", setpoints_arm), _flag("relayed", relayed)
        self._tick_steps = max(1, steps_in("tick", tick, sim.dt))
        self.sim = sim
        self.first_id = first_id
        self.report: Callable[[Server], object] | None = None
        self.lock = threading.RLock()
        self._steps = 0
        self._budget = Budget(self._tick_steps * sim.dt / self._pacer.rate)
        self._stopping = self._running = self._paused = False
        self._closed = False
        self._stepper: int | None = None  # identity of the thread that steps
        self._thread: threading.Thread | None = None
        self._error: BaseException | None = None
        sim.enable_synthesis()
        own: tuple[Link, ...] = ()
        if mode is not None:
            own = links_of(
                *(sim, mode, self._pacer.rate, self._tick_steps, timeouts, arms),
                *(host, peers, first_port, first_id, key, relays),
                starts or Starts(sim),
                allow,
            )
        self.links = (*own, *links)
        try:
            sim.hand_over(self)
        except RuntimeError as error:
            self._close_links()
            raise OptionError(f"sim: expected one that nothing else steps: {error}") from None
        self._join()
        self._model_ports = ModelPorts(sim, self.links, first_id)
        self._poller = LinkPoller(self.links, self.lock)
        self._pacer.sleep = self._poller.wait

    def _join(self) -> None:
        """Let links for RflySim's structures work together."""
        rflysim = self.rflysim
        if rflysim is not None:
            for link in self.links:
                if isinstance(link, InputLink):
                    link.join(rflysim)

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
    def rflysim(self) -> RflySimLink | None:
        """The link of RflySim's structures, if there is one."""
        return next((link for link in self.links if isinstance(link, RflySimLink)), None)

    @property
    def mavlink(self) -> MavlinkLink | None:
        """The link of vehicles that answer as PX4, if there is one."""
        return next((link for link in self.links if isinstance(link, MavlinkLink)), None)

    @property
    def stats(self) -> LinkStats:
        """Packets of all links."""
        parts = [link.stats for link in self.links]
        return LinkStats.total(self.sim.n, parts, self.first_id)

    @property
    def closed(self) -> bool:
        """Whether the ports are closed."""
        return self._closed

    @property
    def running(self) -> bool:
        """Whether a thread is serving."""
        return self._running

    @property
    def paused(self) -> bool:
        """Whether simulated time stands, while packets are still taken; can be set."""
        return self._paused or any(link.pauses for link in self.links)

    @paused.setter
    def paused(self, on: bool) -> None:
        self._paused = on

    @property
    def time(self) -> float:
        """Simulated time that the server has stepped [s]."""
        return self._steps * self.sim.dt

    def run(self, seconds: float | None = None) -> None:
        """Serve in this thread until `stop` is called, or simulated time is up.

        Parameters
        ----------
        seconds : float, optional
            How long [s], rounded to whole ticks.

        Raises
        ------
        RuntimeError
            When the server is running or closed.
        """
        period = self._tick_steps * self.sim.dt
        ticks = None if seconds is None else steps_in("seconds", seconds, period)
        self._begin()
        self._serve(ticks)

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
            self._stepper = None
            self._running = False

    def _loop(self, ticks: int | None) -> None:
        self._pacer.begin(self.time)
        while ticks != 0 and not self._stopping:
            self._take()
            if self.paused:
                self._rest()
                continue
            self._budget.simulate()
            self._advance()
            for link in self.links:
                link.flush()
            self._budget.end()
            self._report()
            self._pacer.wait(self.time, lambda: self._stopping)
            if ticks is not None:
                ticks -= 1

    def _rest(self) -> None:
        """Let real time pass, and no simulated time."""
        for link in self.links:
            link.flush()
        self._budget.end()
        self._report()
        self._poller.serve(LONGEST_SLEEP)
        self._pacer.begin(self.time)

    def _report(self) -> None:
        if self.report is not None:
            self.report(self)

    def _take(self) -> None:
        """Let all links take in what has arrived, as long as there is time for it."""
        self._budget.begin(self._pacer.behind(self.time))
        with self.lock:
            for number, link in enumerate(self.links, start=1):
                self._budget.turn(len(self.links) - number, len(self.links))
                link.take(self._budget)

    def _advance(self) -> None:
        """Step to the end of the tick, in parts between which links give what is due."""
        end = self._steps + self._tick_steps
        while self._steps < end:
            if not self._are_ready() and not self._wait_for_links():
                return
            with self.lock:
                for link in self.links:
                    link.prepare()
                self._model_ports.prepare()
                due = (link.due(self._steps) for link in self.links)
                step = min([end, self._model_ports.due(self._steps), *due])
                self.sim.step(step - self._steps)
                self._steps = step
                for link in self.links:
                    link.give(step)
                self._model_ports.give(step)

    def _are_ready(self) -> bool:
        return all(link.is_ready() for link in self.links)

    def _wait_for_links(self) -> bool:
        """Wait until all links are ready; return False where the server is to stop."""
        self._budget.wait()
        while not self._stopping and not self._are_ready():
            self._poller.serve(ANSWER)
            self._report()
        self._budget.go_on()
        return not self._stopping

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
                self._poller.close()
                self._close_links()

    def _close_links(self) -> None:
        for link in self.links:
            link.close()

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


def _flag(name: str, value: object) -> bool:
    """Return an option that is true or false."""
    try:
        return true_or_false(name, value)
    except ValueError as error:
        raise OptionError(str(error)) from None
