"""What is received from one vehicle by MAVLink: frames, whose they are, its state."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from pyrfly.ctrl.link.mavlink_sender import FIRST_COMPONENT, dialect
from pyrfly.ctrl.link.mavlink_state import (
    TRUTH_FLAGS,
    MavlinkState,
    update,
    update_carried_truth,
)
from pyrfly.ctrl.link.state import ReceivedState
from pyrfly.frames import LocalFrame

__all__ = ["COUNTS", "SILENCE", "TRUTH", "MavlinkReceiver"]

COUNTS = ("received", "malformed", "foreign", "rejected", "refused")
"""Frames that were taken, that are none, of other systems, with impossible numbers; commands that
the vehicle refused (COMMAND_ACK)."""

SILENCE = 3.0
"""Time without a HEARTBEAT until a vehicle is taken for gone, as by [@mavsdk] [s]."""

TRUTH = "TrueDataRec"
"""RflySim's name of CopterSim's message with the true state."""

_ACCEPTED, _IN_PROGRESS = 0, 5  # MAV_RESULT


class MavlinkReceiver:
    """Parses what arrives and keeps the state of one vehicle.

    Frames count whose system is that of the vehicle: the CopterID, until a HEARTBEAT says another.
    A HEARTBEAT with ``custom_mode`` 0 is of no PX4, and so dropped.

    Parameters
    ----------
    copter_id : int
        CopterID of the vehicle.
    in_datagrams : bool
        Whether what arrives are whole frames.
    truth : ReceivedState
        Where the true state goes that CopterSim sends among the messages.

    Attributes
    ----------
    system, component : int
        MAVLink's numbers of the vehicle.
    state : MavlinkState
        As received last.
    truth : ReceivedState
        As given; can be set.
    crash_id : int
        CopterID of the vehicle that was collided with; -10 for none; can be set.
    takes_truth : bool
        Whether ``truth`` is updated; can be set.
    counts : Counter
        How many, by the names of `COUNTS`.
    on_message : callable or None
        Called with the name and the message of pymavlink whenever one was taken; can be set.
    on_vehicle : callable or None
        Called with system and component when the vehicle is known by others; can be set.
    """

    def __init__(self, copter_id: int, in_datagrams: bool, truth: ReceivedState) -> None:
        self.system, self.component = copter_id, FIRST_COMPONENT
        self.state = MavlinkState()
        self.crash_id = -10
        self.takes_truth = True
        self.counts: Counter[str] = Counter(dict.fromkeys(COUNTS, 0))
        self.on_message: Callable[[str, Any], object] | None = None
        self.on_vehicle: Callable[[int, int], object] | None = None
        self._copter_id = copter_id
        self._in_datagrams = in_datagrams
        self.truth = truth
        self._dialect = dialect()
        self._parser = self._new_parser()
        self._beat: float | None = None  # when the vehicle's last HEARTBEAT came
        self._quiet_since = time.monotonic()
        self._is_reported = False

    def take(self, data: bytes) -> None:
        """Take what has arrived."""
        for message in self._messages(data):
            name = message.get_type()
            if name == "BAD_DATA":
                self.counts["malformed"] += 1
            elif not name.startswith("UNKNOWN_"):  # of another message set
                self._sort(name, message)

    @property
    def estimate(self) -> MavlinkState:
        """The state that the vehicle says it has."""
        return self.state

    @property
    def origin(self) -> LocalFrame:
        """The local frame at the map centre; can be set."""
        return self.state.origin

    @origin.setter
    def origin(self, frame: LocalFrame) -> None:
        self.state.origin = frame

    @property
    def fixed(self) -> bool:
        """Whether the vehicle knows where it is."""
        return self.state.fixed

    @property
    def is_there(self) -> bool:
        """Whether the vehicle has sent a HEARTBEAT lately."""
        return self._beat is not None and time.monotonic() - self._beat < SILENCE

    def check_silence(self, where: str) -> None:
        """Report once that nothing comes from the vehicle, and that it is back."""
        now = time.monotonic()
        if self.is_there:
            if self._is_reported:
                self._report(f"CopterID {self._copter_id} sends again")
            self._quiet_since, self._is_reported = now, False
        elif now - self._quiet_since >= SILENCE and not self._is_reported:
            self._is_reported = True
            self._report(self._reason(where))

    # --- frames

    def _new_parser(self) -> Any:
        parser = self._dialect.MAVLink(None)
        parser.robust_parsing = True
        return parser

    def _messages(self, data: bytes) -> Iterator[Any]:
        """Yield the messages in what has arrived; BAD_DATA for what is none."""
        yield from self._parser.parse_buffer(data) or ()
        if self._in_datagrams and self._parser.buf_len():  # a frame that was cut off
            self.counts["malformed"] += 1
            self._parser = self._new_parser()

    # --- messages

    def _sort(self, name: str, message: Any) -> None:
        """Take a message if it is of the vehicle."""
        carries_truth = name == "HIL_ACTUATOR_CONTROLS" and message.flags == TRUTH_FLAGS
        if name == "HEARTBEAT":
            is_ours = self._learn(message)
        else:  # the true state is CopterSim's, whatever its number
            is_ours = message.get_srcSystem() == self.system or carries_truth
        if is_ours:
            self._accept(name, message, carries_truth)
        else:
            self.counts["foreign"] += 1

    def _learn(self, message: Any) -> bool:
        """Return whether a HEARTBEAT is of the vehicle; learn by which numbers it is known."""
        if message.custom_mode == 0:
            return False
        system, component = message.get_srcSystem(), message.get_srcComponent()
        # Whose number is the CopterID is preferred; another one counts while none is there.
        if system != self.system and system != self._copter_id and self.is_there:
            return False
        if (system, component) != (self.system, self.component):
            self.system, self.component = system, component
            if self.on_vehicle is not None:
                self.on_vehicle(system, component)
        self._beat = time.monotonic()
        return True

    def _accept(self, name: str, message: Any, carries_truth: bool) -> None:
        """Update the state from a message of the vehicle."""
        try:
            update(self.state, name, message)
            if carries_truth and self.takes_truth:
                crash = update_carried_truth(self.truth, message)
                self.crash_id = self.crash_id if crash is None else crash
        except (ValueError, OverflowError):
            self.counts["rejected"] += 1
            return
        self.counts["received"] += 1
        if name == "COMMAND_ACK" and message.result not in (_ACCEPTED, _IN_PROGRESS):
            self.counts["refused"] += 1
        if self.on_message is not None:
            self.on_message(TRUTH if carries_truth else name, message)

    # --- reports

    def _reason(self, where: str) -> str:
        if self._beat is not None:
            return f"CopterID {self._copter_id} at {where} has fallen silent"
        if self.counts["malformed"] and not self.counts["received"]:
            return (
                f"what CopterID {self._copter_id} at {where} sends is no MAVLink; is its simulator "
                "in a UDP mode? InitMavLoop(0) and InitMavLoop(1) are for these"
            )
        return (
            f"no HEARTBEAT from CopterID {self._copter_id} at {where} for {SILENCE:g} s; is its "
            "simulator running?"
        )

    @staticmethod
    def _report(text: str) -> None:
        print(f"pyrfly: {text}", file=sys.stderr, flush=True)
