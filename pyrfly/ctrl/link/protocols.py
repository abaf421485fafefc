"""What methods need of the vehicles, as small protocols that a link has or lacks.

=================  ==========================================================  ===================
protocol           what it is for                                              links that have it
=================  ==========================================================  ===================
`Commands`         commands and set-points                                     all
`SpeedLimit`       the maximum horizontal speed, and that of cruise            all
`Telemetry`        state of the vehicles                                       all
`ParameterAccess`  columns of the vehicles                                     in process
`Placement`        putting vehicles at a position                              in process
`Datagrams`        messages that have no method                                UDP
`RemoteTelemetry`  what a simulator sends besides the state                    UDP
`MavlinkMessages`  messages of MAVLink, sent and received                      MAVLink
`Measurements`     magnetometer, vibration, battery                            in process, MAVLink
=================  ==========================================================  ===================

The navigator of the vehicles executes what arrives at RflySim's inputs inSILInts and inSILFloats.
A link passes on two kinds of things: a command, which acts once and at once; and a standing
`Target`, which RflySim's client repeats at 100 Hz. In process nothing gets lost, so a target is
written when it is new, and again after a command, which consumes what the inputs hold: a target
from before a take-off is tracked after it. What a link remembers is no part of a snapshot.

By MAVLink most commands are messages of their own (`MavlinkMessages`), and the navigator is PX4's.
A simulator's MAVLink link is one by UDP too.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly.ctrl.link.mavlink_messages import Message
from pyrfly.ctrl.link.mavlink_state import MavlinkState
from pyrfly.ctrl.link.state import State
from pyrfly.ctrl.link.targets import TakeOff, Target
from pyrfly.ctrl.parameters import Vehicles
from pyrfly.errors import UnsupportedError
from pyrfly.frames import LocalFrame
from pyrfly.protocol import short_message
from pyrfly.protocol.synthesis import Inputs
from pyrfly.vehicles import Abilities
from pyrfly.wire import Parsed

__all__ = [
    "FAST_RATE",
    "FIRST_SPEED_LIMIT",
    "SLOW_MODES",
    "SLOW_RATE",
    "Commands",
    "Datagrams",
    "Instruments",
    "Link",
    "MavlinkMessages",
    "Measurements",
    "ParameterAccess",
    "Placement",
    "RemoteTelemetry",
    "SpeedLimit",
    "Telemetry",
    "lacks",
]


FAST_RATE = 100.0
"""Set-points per second [@rfly-sdk]."""

SLOW_RATE = 30.0
"""Set-points per second in `SLOW_MODES`."""

SLOW_MODES = (1, 3, 4)
"""UDPModes that spare the network: UDP_Simple, MAVLink_Simple and MAVLink_NoSend."""

FIRST_SPEED_LIMIT = 5.0
"""RflySim's first maximum horizontal speed, of links that cannot ask for it [m/s]."""


class Commands(Protocol):
    """Commands and set-points of k vehicles."""

    @property
    def k(self) -> int:
        """Number of vehicles."""

    def open(self, mode: int, arrived: Callable[[], object] | None) -> None:
        """Take control and disarm; call ``arrived`` whenever a new state is there."""

    def close(self) -> None:
        """Release control."""

    def require_supported(self, target: Target) -> None:
        """Raise an UnsupportedError if a vehicle is known not to support a set-point."""

    def set_target(self, target: Target | None) -> None:
        """Replace the standing set-point, which is supported; None: hold the position."""

    def track(self, on: bool) -> None:
        """Pass standing set-points on from now on, or stop doing so."""

    def send(self, target: Target) -> None:
        """Pass a set-point on at once, whether or not standing ones are tracked."""

    def arm(self, on: NDArray[np.bool_]) -> None:
        """Arm or disarm vehicles (k,); the task of one that is armed already continues."""

    def command(self, command: Inputs | TakeOff) -> None:
        """Command the navigators at once; set-points in the inputs are consumed.

        A take-off drops the target, so that its height is kept until another one.
        """

    def command_word(self, words: ArrayLike) -> None:
        """Send command words, () or (k,), that leave the set-points in the inputs alone."""

    def write_inputs(self, inputs: Inputs, copter_id: int | None) -> None:
        """Write the inputs of one vehicle, by default of this link's, command included."""

    def reboot(self, copter_id: int, delay: int) -> None:
        """Put a vehicle back to its take-off point, at rest and disarmed."""


class SpeedLimit(Protocol):
    """The maximum horizontal speed of k vehicles, and that of cruise."""

    @property
    def speed_limit(self) -> NDArray[np.float64]:
        """Maximum horizontal speed [m/s], shape (k,)."""

    def limit_speed(self, speed: NDArray[np.float64]) -> None:
        """Set the maximum horizontal speed [m/s], shape (k,)."""

    def set_cruise_speed(self, speed: NDArray[np.float64]) -> None:
        """Set the speed of cruise [m/s], shape (k,): of wings an airspeed, else the maximum."""


class Telemetry(Protocol):
    """State of k vehicles."""

    @property
    def estimate(self) -> State:
        """State as the autopilot estimates it."""

    @property
    def truth(self) -> State:
        """State as the simulator computes it."""

    @property
    def origin(self) -> LocalFrame:
        """The local frame at the map centre."""

    def set_origin(self, lla: Sequence[float]) -> None:
        """Move the map centre to a latitude [deg], longitude [deg] and height [m]."""

    @property
    def fixed(self) -> bool:
        """Whether the autopilot knows its position."""

    @property
    def crash_id(self) -> int:
        """CopterID of the vehicle that was collided with; -10 for none; can be set."""

    @crash_id.setter
    def crash_id(self, copter_id: int) -> None: ...


class Link(Commands, SpeedLimit, Telemetry, Protocol):
    """What every link has."""


@runtime_checkable
class AirspeedRange(Protocol):
    """What is known of the airspeeds of k vehicles."""

    def airspeed_range(self, now: bool) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the lowest and the highest commanded airspeeds [m/s], any without wings.

        With ``now`` they are those of what flies by wings at present.
        """


@runtime_checkable
class ParameterAccess(Protocol):
    """Columns of k vehicles."""

    @property
    def vehicles(self) -> Collection[Vehicles]:
        """The vehicles by parameter set."""

    def require(self, caller: str, column: str) -> None:
        """Raise an UnsupportedError that names ``caller`` if a vehicle lacks a column."""

    def read(self, column: str) -> NDArray[np.float64]:
        """Return a column of the vehicles, shape (k,) or (k, width)."""

    def write(self, column: str, value: ArrayLike, component: int | None = None) -> None:
        """Write a column of the vehicles, or one component of it."""

    def read_where(
        self, column_of: Callable[[Abilities], tuple[str, int | None] | None]
    ) -> NDArray[np.float64]:
        """Return the column and component that vehicles have for something, (k,); NaN for none."""

    def write_where(
        self,
        column_of: Callable[[Abilities], str | None],
        values: NDArray[np.float64],
        component: int | None = None,
    ) -> None:
        """Write values (k,) into the column that vehicles have for them; None for none.

        ``component`` is that of a column with several.
        """


@runtime_checkable
class Placement(Protocol):
    """Putting vehicles at a position."""

    def place(self, pos: tuple[float, float, float], yaw: float) -> None:
        """Put the vehicles on the ground at a position [m, NED] with a heading [rad]."""


@runtime_checkable
class Datagrams(Protocol):
    """Messages to the simulator of one vehicle."""

    def send_short(self, message: short_message.Message) -> None:
        """Send RflySim's message of 24 bytes."""

    def send_raw(self, packet: bytes, offset: int) -> None:
        """Send bytes to the vehicle's port plus ``offset``."""


@runtime_checkable
class RemoteTelemetry(Protocol):
    """What the simulator of one vehicle sends besides the state."""

    def listen_to_truth(self, on: bool) -> None:
        """Begin or end to receive `Telemetry.truth`, `free_outputs` and `px4ext`."""

    @property
    def free_outputs(self) -> list[float]:
        """The model's 32 free outputs (outCopterData)."""

    @property
    def px4ext(self) -> Parsed | None:
        """The last message of a user's own module in PX4, if any."""


@runtime_checkable
class MavlinkMessages(Protocol):
    """Messages of MAVLink, to and from one vehicle."""

    def send_message(self, message: Message) -> None:
        """Send a message to the vehicle, once."""

    def land_at(self, lat: float, lon: float, alt: float) -> None:
        """Land at a latitude, longitude [deg] and height [m].

        PX4's own command lands where the vehicle is, so one that hovers is sent there first; any
        other command ends that.
        """

    def send_to_ground_station_port(self, message: Message) -> None:
        """Send a message to the port of PX4 that is for ground stations."""

    def repeat_message(self, message: Message) -> None:
        """Let a message be the standing set-point."""

    def start_radio(self, rate: float, messages: Callable[[], Sequence[Message]]) -> None:
        """Send what ``messages`` returns at a rate [1/s], in place of what was sent so before."""

    def stop_radio(self) -> None:
        """End `start_radio`."""

    def on_message(self, take: Callable[[str, Any], object]) -> None:
        """Call ``take`` with name and message of pymavlink whenever the vehicle has sent one."""

    @property
    def connection(self) -> Any:
        """An object as pymavlink's connections have it: ``mav``, ``target_system``, ..."""

    @property
    def counts(self) -> Mapping[str, int]:
        """How many frames were taken or dropped; see `mavlink_receiver.COUNTS`."""

    @property
    def instruments(self) -> MavlinkState:
        """The state with the `Instruments`."""


class Instruments(Protocol):
    """What an autopilot measures besides the state of k vehicles."""

    @property
    def magnetic(self) -> NDArray[np.float64]:
        """Magnetic field [gauss, FRD], shape (k, 3)."""

    @property
    def vibration(self) -> NDArray[np.float64]:
        """PX4's three levels of vibration, shape (k, 3)."""

    @property
    def battery(self) -> NDArray[np.float64]:
        """Remaining charge [%] and voltage [mV], shape (k, 2)."""


@runtime_checkable
class Measurements(Protocol):
    """What an autopilot measures besides the state of k vehicles."""

    @property
    def instruments(self) -> Instruments:
        """The measurements."""


_REASONS: dict[type, str] = {
    ParameterAccess: "RflySim's UDP modes carry no parameters; control the vehicle in process, "
    "with sim=",
    Placement: "needs the vehicle in this process; give sim=",
    Datagrams: "messages are sent over UDP only; in process call the other methods, or "
    "sendSILIntFloat",
}


def lacks(method: str, protocol: type) -> UnsupportedError:
    """Return the error of a method whose link lacks a protocol."""
    return UnsupportedError(f"{method}: {_REASONS[protocol]}")
