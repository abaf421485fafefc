"""What is received from the simulator of one vehicle: `Receiver`."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import numpy as np

from pyrfly import wire
from pyrfly.ctrl.link.packets import SIL_SERIES
from pyrfly.ctrl.link.received import crash_of, is_fixed, update_estimate, update_truth
from pyrfly.ctrl.link.state import ReceivedState
from pyrfly.frames import DEFAULT_ORIGIN, LocalFrame
from pyrfly.transport import Address, Listener, local_address

__all__ = ["Receiver"]

STILL_SPEED, STILL_TIME = 0.1, 2.0  # m/s, s: a landing vehicle below this for so long has landed
SILENCE = 3.0  # s without a packet at the beginning until it is reported


class Receiver:
    """Keeps what the simulator of one vehicle sends.

    Parameters
    ----------
    ip : str
        Address of the simulator.
    port : int
        Port of the vehicle's commands; its state is received one above.
    copter_id : int
        Its CopterID.

    Attributes
    ----------
    ip : str
        As given; can be set.
    estimate, truth : ReceivedState
        As received last.
    origin : LocalFrame
        Local frame at the map centre; can be set.
    crash_id : int
        CopterID of the vehicle that was collided with; -10 for none.
    fixed : bool
        Whether the vehicle knows its position.
    free_outputs : list of float
        The model's 32 free outputs (outCopterData).
    px4ext : Parsed or None
        The last message of a user's own module in PX4.
    landing : float or None
        When a vehicle that is to land moved last, or was commanded to [s, monotonic]; can be set.
    """

    def __init__(self, ip: str, port: int, copter_id: int) -> None:
        self.ip = ip
        self.estimate, self.truth = ReceivedState(), ReceivedState()
        self.origin = LocalFrame(*DEFAULT_ORIGIN)
        self.crash_id = -10
        self.fixed = False
        self.free_outputs = [0.0] * 32
        self.px4ext: wire.Parsed | None = None
        self.landing: float | None = None
        self._port = port
        self._copter_id = copter_id
        self._arrived: Callable[[], object] | None = None
        self._state: Listener | None = None
        self._truths: list[Listener] = []
        self._silent_until: float | None = None  # when to report that nothing is received

    def open(self, arrived: Callable[[], object] | None) -> None:
        """Begin to receive the state; call ``arrived`` when there is a new one."""
        self._arrived = arrived
        self._state = self._listener("state", 1)
        self._silent_until = time.monotonic() + SILENCE

    def report_to(self, arrived: Callable[[], object] | None) -> None:
        """Call ``arrived`` for what comes without `open`: true states, free outputs, messages."""
        self._arrived = arrived

    def close(self) -> None:
        """Stop to receive the state; a second call does nothing."""
        if self._state is not None:
            self._state.close()
            self._state = None

    def listen_to_truth(self, on: bool) -> None:
        """Begin or end to receive the true state, the free outputs and messages of PX4."""
        for listener in self._truths:
            listener.close()
        self._truths = []
        if on:
            for kind, offset in (("truth", SIL_SERIES), ("px4ext", 2 * SIL_SERIES)):
                self._truths.append(self._listener(kind, offset + 1))

    def _listener(self, kind: str, offset: int) -> Listener:
        """Return a listener on the vehicle's port plus ``offset``."""

        def take(data: bytes, origin: Address) -> None:
            self._take(wire.parse(kind, data))

        return Listener(local_address(self.ip), self._port + offset, take, together=True)

    def _take(self, parsed: wire.Parsed) -> None:
        crash = crash_of(parsed)
        if crash is not None:
            self.crash_id = crash
        if parsed.name in ("outHILStateData", "outHILStateShort"):
            self._silent_until = None
            self.fixed = self.fixed or is_fixed(parsed)
            is_news = update_estimate(self.estimate, parsed, self.origin)
            self._notice_landing()
        elif parsed.name == "outCopterStruct":
            self.free_outputs = parsed.record["outCopterData"].tolist()
            is_news = True
        elif parsed.name == "PX4ExtMsg":
            self.px4ext = parsed
            is_news = True
        else:
            is_news = update_truth(self.truth, parsed)
        if is_news and self._arrived is not None:
            self._arrived()

    def _notice_landing(self) -> None:
        """Take a vehicle for disarmed that was to land and has not moved for a while."""
        if self.landing is None:
            return
        now = time.monotonic()
        if np.abs(self.estimate.vel).max() > STILL_SPEED:
            self.landing = now
        elif now - self.landing > STILL_TIME:
            self.landing = None
            self.estimate.armed = np.zeros(1, dtype=np.bool_)

    def check_silence(self) -> None:
        """Report once when nothing has been received for a while; to be called regularly."""
        if self._silent_until is None or time.monotonic() < self._silent_until:
            return
        self._silent_until = None
        print(
            f"pyrfly: nothing received from CopterID {self._copter_id} at {self.ip} for "
            f"{SILENCE:g} s; is its simulator running?",
            file=sys.stderr,
            flush=True,
        )
