"""The vehicles of a `pyrfly.Sim` in this process: `InProcessLink`."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly.ctrl.link.link import FAST_RATE, SLOW_MODES, SLOW_RATE
from pyrfly.ctrl.link.state import LiveState, State
from pyrfly.ctrl.link.vehicles import Lock, Vehicles
from pyrfly.ctrl.targets import Target
from pyrfly.ctrl.unsupported import UnsupportedError
from pyrfly.frames import LocalFrame
from pyrfly.protocol import synthesis
from pyrfly.protocol.synthesis import Words
from pyrfly.sim import Sim

__all__ = ["InProcessLink"]


_NO_OFFSET = 1e30  # m: farther than any offset that the navigator takes


@contextlib.contextmanager
def _naming(column: str) -> Iterator[None]:
    """Say as an UnsupportedError that vehicles lack a column."""
    try:
        yield
    except AttributeError as error:
        raise UnsupportedError(f"{column}: {error}") from None


class InProcessLink:
    """Vehicles of a `pyrfly.Sim` in this process.

    Parameters
    ----------
    sim : Sim
        The world.
    ids : sequence of int
        CopterIDs of the vehicles.
    lock : context manager, optional
        Held while the world is touched, where another thread steps it.
    find : callable, optional
        Returns the Sim of a CopterID, and the vehicle's CopterID there; by default all are in
        ``sim``.
    """

    has_columns = True
    fixed = True
    crash_id = -10
    px4ext = None

    @property
    def free_outputs(self) -> list[float]:
        """See `Link.free_outputs`: there are none in process."""
        return [0.0] * 32

    def __init__(
        self,
        sim: Sim,
        ids: Sequence[int],
        lock: Lock | None = None,
        find: Callable[[int], tuple[Sim, int]] | None = None,
    ) -> None:
        self.sim = sim
        self._find = find if find is not None else self._here
        self._lock: Lock = contextlib.nullcontext() if lock is None else lock
        with self._lock:
            sim.enable_synthesis()
        self._vehicles = Vehicles(sim, ids, self._lock)
        self.k = self._vehicles.k
        self.families = self._vehicles.families
        self.estimate: State = LiveState(self._vehicles)
        self.truth = self.estimate
        self._ids: Any = int(ids[0]) if self.k == 1 else self._vehicles.ids
        self._target: Target | None = None
        self._due = False  # whether the target is to be handed over
        self._obeys = False
        self._listening = False
        self._arrived: Callable[[], object] | None = None

    def listen_to_truth(self, on: bool) -> None:
        """See `Link.listen_to_truth`; in process the truth is always there."""

    def reboot(self, copter_id: int, delay: int) -> None:
        """See `Link.reboot`."""
        sim, number = self._find(copter_id)
        with self._lock:
            group = next(g for g in reversed(sim.groups) if g.first_id <= number)
            home = group.home[number - group.first_id].copy()
            sim.reset(pos=home, ids=number)

    def place(self, pos: tuple[float, float, float], yaw: float) -> None:
        """Put the vehicles on the ground at a place [m, NED] with a heading [rad]."""
        with self._lock:
            self.sim.reset(pos=pos, yaw=yaw, ids=self._ids)
            self._vehicles.write("terrain", pos[2])

    def send_cruise(self, speed: float, radius: float) -> None:
        """See `Link.send_cruise`; in process there are no messages."""
        raise UnsupportedError("messages are sent over UDP only")

    def send_raw(self, packet: bytes, offset: int) -> None:
        """See `Link.send_raw`; in process there are no messages."""
        raise UnsupportedError(
            "SendBuf, SendBufTrue: messages are sent over UDP only; in process call the methods, "
            "or sendSILIntFloat"
        )

    @property
    def origin(self) -> LocalFrame:
        """See `Link.origin`."""
        return self.sim.local_frame

    def set_origin(self, lla: Sequence[float]) -> None:
        """See `Link.set_origin`."""
        with self._lock:
            self.sim.origin = (float(lla[0]), float(lla[1]), float(lla[2]))

    def open(self, mode: int, arrived: Callable[[], object] | None) -> None:
        """Take control: vehicles are disarmed, and where they are becomes their take-off point."""
        with self._lock:
            self._stop_listening()
            self._target, self._due, self._obeys = None, False, False
            self._arrived = arrived
            self._vehicles.forget()
            self.sim.command_sil(command=int(synthesis.BASE), ids=self._ids)
            rate = SLOW_RATE if mode in SLOW_MODES else FAST_RATE
            self.sim.add_listener(self._hand_over, 1.0 / rate)
            self._listening = True
        if arrived is not None:
            arrived()

    def close(self) -> None:
        """See `Link.close`."""
        with self._lock:
            self._stop_listening()
            self._obeys = False

    def aim(self, target: Target | None) -> None:
        """See `Link.aim`."""
        self._target, self._due = target, True

    def give(self, target: Target) -> None:
        """See `Link.give`."""
        with self._lock:
            self._stream(target)

    def obey(self, on: bool) -> None:
        """See `Link.obey`; when they are not obeyed any more, the place is held."""
        with self._lock:
            self._obeys = on
            self._due = on and self._target is not None
            self.sim.command_sil(*synthesis.words(self.k), ids=self._ids)

    def command(self, words: Words) -> None:
        """See `Link.command`."""
        with self._lock:
            self.sim.command_sil(words.ints, words.floats, ids=self._ids)
            self._due = self._target is not None

    def command_bits(self, bits: ArrayLike) -> None:
        """See `Link.command_bits`."""
        words = np.broadcast_to(np.asarray(bits, np.int64), (self.k,))
        with self._lock:
            for word in np.unique(words).tolist():
                self.sim.command_sil(command=word, ids=self._vehicles.ids[words == word])

    def send_words(self, words: Words, copter_id: int | None) -> None:
        """See `Link.send_words`."""
        sim, ids = (self.sim, self._ids) if copter_id is None else self._find(copter_id)
        with self._lock:
            sim.enable_synthesis()
            sim.command_sil(words.ints, words.floats, ids=ids)

    def write(self, column: str, value: ArrayLike, component: int | None) -> None:
        """See `Link.write`."""
        with _naming(column):
            self._vehicles.write(column, value, component)

    def read(self, column: str) -> NDArray[np.float64]:
        """See `Link.read`."""
        with _naming(column):
            return self._vehicles.read(column)

    def _here(self, copter_id: int) -> tuple[Sim, int]:
        if not 1 <= copter_id <= self.sim.n:
            raise ValueError(f"copterID: expected 1 to {self.sim.n}, got {copter_id}")
        return self.sim, copter_id

    def _stop_listening(self) -> None:
        if self._listening:
            self.sim.remove_listener(self._hand_over)
            self._listening = False

    def _hand_over(self) -> None:
        """Write the target into the ports if it is new; called at regular simulated times."""
        if self._obeys and self._due:
            self._due = False
            if self._target is None:
                self.sim.command_sil(*synthesis.words(self.k), ids=self._ids)
            else:
                self._stream(self._target)
        if self._arrived is not None:
            self._arrived()

    def _stream(self, target: Target) -> None:
        words = target.words()
        # So that an offset in the body frame counts from here, even if it is the last one again.
        self._vehicles.write("navigator_offset", _NO_OFFSET)
        self.sim.command_sil(words.ints, words.floats, ids=self._ids)
