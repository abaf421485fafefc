"""A vehicle behind RflySim's UDP ports, of a server or of CopterSim: the other `Link`.

Commands go to port 20100 + 2 (CopterID - 1) and, where RflySim's UDP modes have no message for
them, as words of the inSIL ports to 30100 + 2 (CopterID - 1). The vehicle's state comes back to the
ports one above. One thread repeats the standing set-point in real time, one listens.
"""

from __future__ import annotations

import atexit
import contextlib
import dataclasses
import math
import socket
import sys
import threading
import time
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly import wire
from pyrfly.ctrl.link.heard import crash_of, hear_estimate, hear_truth, is_fixed
from pyrfly.ctrl.link.link import FAST_RATE, SLOW_MODES, SLOW_RATE
from pyrfly.ctrl.link.state import HeardState
from pyrfly.ctrl.parameters import CRUISE
from pyrfly.ctrl.targets import BODY, GLOBAL, RELATIVE, PositionTarget, Target
from pyrfly.ctrl.unsupported import UnsupportedError
from pyrfly.frames import DEFAULT_ORIGIN, LocalFrame
from pyrfly.protocol.synthesis import COMMAND, OFFBOARD, POS, Command, Offboard, Words, words
from pyrfly.transport import is_loopback
from pyrfly.vehicles import Family

__all__ = ["UDP_FULL", "UDP_SIMPLE", "UdpLink"]

UDP_FULL, UDP_SIMPLE = 0, 1
MAVLINK_MODES = (2, 3, 4, 5, 6)
SIL_SERIES = 10000  # ports of the inSIL series are so much above those of the commands
_ARM, _CRUISE, _TAKE_OFF = 9, 10, 11  # ctrlMode of the 24-byte message
_IGNORE_YAW = 1 << 10  # of MAVLink's POSITION_TARGET_TYPEMASK
_STILL_SPEED, _STILL_TIME = 0.1, 2.0  # m/s and s: a landing vehicle this slow so long is down
_SILENCE = 3.0  # s without a packet at the beginning, after which the user is told
_NAP = 0.2  # s that a thread waits at most before it looks whether it is to end


class UdpLink:
    """One vehicle on the network.

    Parameters
    ----------
    ip : str
        Where it is.
    port : int
        Where it takes commands; its state is awaited one above.
    copter_id : int
        Its CopterID.

    Attributes
    ----------
    estimate, truth : HeardState
        As last heard.
    crash_id : int
        CopterID of the vehicle that was collided with; -10 for none.
    fixed : bool
        Whether the vehicle knows its place.
    free_outputs : list of float
        The 32 outputs of a user's own (outCopterData).
    px4ext : Parsed or None
        The last message of a user's own module in PX4.

    Notes
    -----
    RflySim's UDP modes do not say whether the vehicle is armed. ``estimate.armed`` is what was
    commanded, until a vehicle that was to land has not moved for 2 s.
    """

    k = 1
    has_columns = False

    def __init__(self, ip: str, port: int, copter_id: int) -> None:
        self.estimate, self.truth = HeardState(), HeardState()
        self.origin = LocalFrame(*DEFAULT_ORIGIN)
        self.crash_id = -10
        self.fixed = False
        self._ip = ip
        self._address = (ip, port)
        self._copter_id = copter_id
        self._mode = UDP_FULL
        self._target: Target | None = None
        self._obeys = False
        self._speed_limit = 5.0  # RflySim's first value
        self._arrived: Callable[[], object] | None = None
        self._out: socket.socket | None = None
        self._began = 0.0
        self._lock = threading.Lock()  # of the socket that sends
        self._stop = threading.Event()
        self._stop_truth = threading.Event()
        self._threads: list[threading.Thread] = []
        self._truth_threads: list[threading.Thread] = []
        self._landing: float | None = None  # since when a vehicle that is to land has not moved
        self.free_outputs = [0.0] * 32
        self.px4ext: wire.Parsed | None = None

    # --- begin and end

    def open(self, mode: int, arrived: Callable[[], object] | None) -> None:
        """See `Link.open`."""
        own = _udp_mode(mode)
        self._address = (_address_of(self._ip), self._address[1])
        self._end()
        self._mode, self._arrived = own, arrived
        self._target, self._obeys = None, False
        self._stop = threading.Event()
        self._began = time.monotonic()
        heard = self._listener(1)
        self._threads.append(self._start(self._listen, heard, "state", self._stop))
        self._threads.append(self._start(self._repeat, self._stop))
        atexit.register(self.close)
        self.command_bits(int(Command.ENABLE))

    def close(self) -> None:
        """See `Link.close`."""
        self._end()
        self.listen_to_truth(False)
        atexit.unregister(self.close)
        with self._lock:
            if self._out is not None:
                self._out.close()
                self._out = None

    def _end(self) -> None:
        """End listening and repeating."""
        self._stop.set()
        for thread in self._threads:
            thread.join()
        self._threads = []

    def listen_to_truth(self, on: bool) -> None:
        """See `Link.listen_to_truth`."""
        self._stop_truth.set()
        for thread in self._truth_threads:
            thread.join()
        self._truth_threads = []
        if on:
            self._stop_truth = stop = threading.Event()
            for kind, offset in (("truth", SIL_SERIES), ("px4ext", 2 * SIL_SERIES)):
                heard = self._listener(offset + 1)
                self._truth_threads.append(self._start(self._listen, heard, kind, stop))

    # --- set-points

    def aim(self, target: Target | None) -> None:
        """See `Link.aim`."""
        self._target = None if target is None else self._filled(target)
        if target is None and self._obeys:
            self._send_words(words(1))

    def give(self, target: Target) -> None:
        """See `Link.give`."""
        self._stream(self._filled(target))

    def obey(self, on: bool) -> None:
        """See `Link.obey`."""
        self._obeys = on
        if not on or self._target is None:
            self._send_words(words(1))

    # --- commands

    def command(self, words: Words) -> None:
        """See `Link.command`; take-offs go out as RflySim's client sends them."""
        bits = int(words.ints[0, COMMAND])
        if bits & Command.TAKEOFF and words.ints[0, OFFBOARD] & Offboard.LOCAL:
            place = np.where(
                np.isfinite(words.floats[0, POS]), words.floats[0, POS], self.estimate.local[0]
            )
            self._send_short(_TAKE_OFF, [*place, 0.0])
            return
        self._landing = None
        if bits & Command.LAND:
            self._landing, self._target = time.monotonic(), None  # to be given anew afterwards
        self._send_words(words)

    def command_bits(self, bits: ArrayLike) -> None:
        """See `Link.command_bits`: arming, as RflySim's client sends it."""
        on = bool(int(np.atleast_1d(np.asarray(bits))[0]) & Command.ARMED)
        self._landing = None
        if not on:
            self._target = None
        self.estimate.armed = np.array([on])
        self._send_short(_ARM, [float(on), 0.0, 0.0, 0.0])

    def send_words(self, words: Words, copter_id: int | None) -> None:
        """See `Link.send_words`."""
        self._send_words(words, copter_id)

    def send_cruise(self, speed: float, radius: float) -> None:
        """See `Link.send_cruise`."""
        self._send_short(_CRUISE, [speed, radius, 0.0, 0.0])

    def reboot(self, copter_id: int, delay: int) -> None:
        """See `Link.reboot`."""
        packet = wire.blank("reboot")
        packet["delay"] = delay
        self._send(packet[0].tobytes(), 2 * (copter_id - self._copter_id))

    def send_raw(self, packet: bytes, offset: int) -> None:
        """See `Link.send_raw`."""
        self._send(packet, offset)

    def set_origin(self, lla: Sequence[float]) -> None:
        """See `Link.set_origin`: where this side takes the map centre to be."""
        self.origin = LocalFrame(*(float(value) for value in lla))

    # --- parameters: RflySim's UDP modes have none

    families: tuple[Family[Any], ...] = ()

    def write(self, column: str, value: ArrayLike, component: int | None) -> None:
        """See `Link.write`: the horizontal speed limit goes out as a cruise speed."""
        if (column, component) != CRUISE:
            raise UnsupportedError(f"{column}: cannot be set over UDP; give sim= to be in process")
        self._speed_limit = float(np.asarray(value, np.float64).ravel()[0])
        self.send_cruise(self._speed_limit, 0.0)

    def read(self, column: str) -> NDArray[np.float64]:
        """See `Link.read`."""
        if column != "speed_limit":
            raise UnsupportedError(f"{column}: is not known over UDP; give sim= to be in process")
        return np.array([self._speed_limit])

    # --- sending

    def _filled(self, target: Target) -> Target:
        """Return a target whose components that are NaN are as RflySim's short message can say it.

        That message has a place for every component: the velocity 0, the present position or the
        present heading stands for what is not controlled.
        """
        if self._mode == UDP_FULL or not isinstance(target, PositionTarget):
            return target  # the long message can say NaN
        if target.simple_mode is None:
            return target
        state = self.estimate
        here = np.zeros((1, 3)) if target.frame == BODY else state.local
        no_yaw = bool(target.type_mask & _IGNORE_YAW)
        yaw = np.where(np.isnan(target.yaw) | no_yaw, state.euler[:, 2], target.yaw)
        return dataclasses.replace(
            target,
            pos=np.where(np.isnan(target.pos), here, target.pos),
            vel=np.nan_to_num(target.vel),
            acc=np.nan_to_num(target.acc),
            yaw=yaw,
            yaw_rate=np.nan_to_num(target.yaw_rate),
        )

    def _stream(self, target: Target) -> None:
        """Send a set-point in RflySim's message for it, or as words of the inSIL ports."""
        if isinstance(target, PositionTarget):
            if self._mode == UDP_SIMPLE and target.simple_mode is not None:
                return self._send_short(target.simple_mode, _short_controls(target))
            if target.frame not in (GLOBAL, RELATIVE):
                return self._send_full(target)
        return self._send_words(target.words())

    def _send_full(self, target: PositionTarget) -> None:
        packet = wire.blank("inHILCMDData")
        packet["time_boot_ms"] = int(1000 * (time.monotonic() - self._began))
        packet["copterID"] = self._copter_id
        packet["modes"], packet["flags"] = target.type_mask, target.frame
        vectors = (target.pos[0], target.vel[0], target.acc[0])
        packet["ctrls"][0, :11] = [*np.concatenate(vectors), target.yaw[0], target.yaw_rate[0]]
        self._send(packet[0].tobytes(), 0)

    def _send_short(self, mode: int, controls: Sequence[float]) -> None:
        packet = wire.blank("inOffboardShortData")
        packet["ctrlMode"], packet["ctrls"] = mode, controls
        self._send(packet[0].tobytes(), 0)

    def _send_words(self, words: Words, copter_id: int | None = None) -> None:
        number = self._copter_id if copter_id is None else copter_id
        packet = wire.blank("PX4SILIntFloat")
        packet["CopterID"] = number
        packet["inSILInts"], packet["inSILFLoats"] = words.ints, words.floats
        self._send(packet[0].tobytes(), SIL_SERIES + 2 * (number - self._copter_id))

    def _send(self, packet: bytes, offset: int) -> None:
        ip, port = self._address
        with self._lock:
            if self._out is None:
                self._out = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            # Nobody listens yet, or not any more: the next set-point comes anyway.
            with contextlib.suppress(ConnectionRefusedError):
                self._out.sendto(packet, (ip, port + offset))

    # --- threads

    def _start(self, function: Callable[..., None], *arguments: Any) -> threading.Thread:
        thread = threading.Thread(target=function, args=arguments, name="pyrfly link", daemon=True)
        thread.start()
        return thread

    def _repeat(self, stop: threading.Event) -> None:
        """Send the target again and again, at RflySim's rate."""
        period = 1.0 / (SLOW_RATE if self._mode in SLOW_MODES else FAST_RATE)
        due = time.monotonic()
        while not stop.wait(max(0.0, due - time.monotonic())):
            due = max(due + period, time.monotonic())
            target = self._target
            if self._obeys and target is not None:
                # What the network loses now, the next repetition brings.
                with contextlib.suppress(OSError):
                    self._stream(target)

    def _listener(self, offset: int) -> socket.socket:
        """Return a socket on the vehicle's port plus ``offset``."""
        ip, port = self._address[0], self._address[1] + offset
        heard = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        heard.settimeout(_NAP)
        try:
            heard.bind(("127.0.0.1" if is_loopback(ip) else "", port))
        except OSError as error:
            heard.close()
            message = f"UDP port {port}: {error.strerror}; is another program using it?"
            raise OSError(error.errno, message) from None
        return heard

    def _listen(self, heard: socket.socket, kind: str, stop: threading.Event) -> None:
        """Take in packets of one kind of port; what is none is dropped."""
        silent = time.monotonic() + _SILENCE if kind == "state" else math.inf
        with heard:
            while not stop.is_set():
                with contextlib.suppress(TimeoutError, wire.Rejected):
                    self._hear(wire.parse(kind, heard.recv(65535)))
                    silent = math.inf
                if time.monotonic() > silent:
                    silent = math.inf
                    print(
                        f"pyrfly: nothing heard from CopterID {self._copter_id} at {self._ip} for "
                        f"{_SILENCE:g} s; is its simulator running?",
                        file=sys.stderr,
                        flush=True,
                    )

    def _hear(self, parsed: wire.Parsed) -> None:
        crash = crash_of(parsed)
        if crash is not None:
            self.crash_id = crash
        if parsed.name in ("outHILStateData", "outHILStateShort"):
            self.fixed = self.fixed or is_fixed(parsed)
            news = hear_estimate(self.estimate, parsed, self.origin)
            self._notice_landing()
        elif parsed.name == "outCopterStruct":
            self.free_outputs = parsed.record["outCopterData"].tolist()
            news = True
        elif parsed.name == "PX4ExtMsg":
            self.px4ext = parsed
            news = True
        else:
            news = hear_truth(self.truth, parsed)
        if news and self._arrived is not None:
            self._arrived()

    def _notice_landing(self) -> None:
        """Take a vehicle for disarmed that was to land and has not moved for a while."""
        if self._landing is None:
            return
        now = time.monotonic()
        if np.abs(self.estimate.vel).max() > _STILL_SPEED:
            self._landing = now
        elif now - self._landing > _STILL_TIME:
            self._landing = None
            self.estimate.armed = np.zeros(1, dtype=np.bool_)


def _address_of(ip: str) -> str:
    try:
        return socket.gethostbyname(ip)
    except OSError as error:
        reason = error.strerror or error
        raise ValueError(
            f"ip: expected an address or the name of a machine, got {ip!r}: {reason}"
        ) from None


def _udp_mode(mode: int) -> int:
    """Return UDP_Full or UDP_Simple, whichever RflySim's number of a link comes down to."""
    if mode in (UDP_FULL, UDP_SIMPLE):
        return mode
    if mode not in MAVLINK_MODES:
        raise UnsupportedError(
            f"UDPMode: over UDP there are 0 (UDP_Full) and 1 (UDP_Simple), got {mode}; the Redis "
            "modes do not exist here"
        )
    found = UDP_SIMPLE if mode in SLOW_MODES else UDP_FULL
    warnings.warn(
        f"there is no MAVLink link yet: UDPMode {mode} flies by "
        f"{'UDP_Simple (1)' if found == UDP_SIMPLE else 'UDP_Full (0)'}",
        stacklevel=4,
    )
    return found


def _short_controls(target: PositionTarget) -> list[float]:
    """Return the four values of RflySim's short message."""
    mode = target.simple_mode
    vector = target.vel if mode in (0, 1) else target.pos if mode in (2, 3) else target.acc
    last = target.yaw if mode in (2, 3, 8) else target.yaw_rate
    return [*vector[0].tolist(), float(last[0])]
