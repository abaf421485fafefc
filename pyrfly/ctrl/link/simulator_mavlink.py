"""A vehicle of CopterSim or a server in a MAVLink mode: `SimulatorMavlinkLink`.

MAVLink goes by the ports 20100 + 2 (CopterID - 1) and the ones above. As in UDP modes those from
30100 on take inputs of the synthesis model, and the true state comes from the ones above these.
"""

from __future__ import annotations

from collections.abc import Callable

from numpy.typing import ArrayLike

from pyrfly.ctrl.link.mavlink import MavlinkLink
from pyrfly.ctrl.link.mavlink_messages import Message
from pyrfly.ctrl.link.mavlink_transports import SimulatorTransport
from pyrfly.ctrl.link.packets import PacketSender
from pyrfly.ctrl.link.receiver import Receiver
from pyrfly.ctrl.link.targets import InputsTarget, TakeOff, Target
from pyrfly.protocol import short_message, synthesis
from pyrfly.protocol.synthesis import COMMAND, Inputs
from pyrfly.transport import RFLYSIM_PORTS
from pyrfly.wire import Parsed

__all__ = ["GROUND_STATION_PORT", "SimulatorMavlinkLink"]

GROUND_STATION_PORT = 18570
"""Port of PX4 for ground stations, in RflySim that of all vehicles [@rfly-sdk]."""


class SimulatorMavlinkLink(MavlinkLink):
    """One vehicle of a simulator by MAVLink, with what goes beside it.

    Parameters
    ----------
    ip : str
        Address of the simulator.
    port : int
        The vehicle's port; what it sends is received one above.
    copter_id : int
        Its CopterID.
    """

    def __init__(self, ip: str, port: int, copter_id: int) -> None:
        self._packets = PacketSender(ip, port, copter_id)
        super().__init__(SimulatorTransport(self._packets, ip, port), copter_id, f"{ip}:{port}")
        self._truths = Receiver(ip, port, copter_id)
        self._in.truth = self._truths.truth
        beside = GROUND_STATION_PORT - RFLYSIM_PORTS.control
        self._ground_station = beside - 2 * (copter_id - 1)

    def open(self, mode: int, arrived: Callable[[], object] | None) -> None:
        """See `MavlinkLink.open`."""
        self._truths.report_to(arrived)
        super().open(mode, arrived)

    def close(self) -> None:
        """See `Commands.close`."""
        super().close()
        self.listen_to_truth(False)
        self._packets.close()

    def require_supported(self, target: Target) -> None:
        """See `Commands.require_supported`: the synthesis model takes inputs too."""
        if not isinstance(target, InputsTarget):
            super().require_supported(target)

    def _send_target(self, target: Target | Message) -> None:
        if isinstance(target, InputsTarget):
            self._packets.inputs(target.raw)
        else:
            super()._send_target(target)

    def command(self, command: Inputs | TakeOff) -> None:
        """See `Commands.command`; for a synthesis model."""
        if isinstance(command, TakeOff):
            command = command.inputs(self.estimate.armed)
        self._packets.inputs(command)

    def command_word(self, words: ArrayLike) -> None:
        """See `Commands.command_word`; for a synthesis model."""
        inputs = synthesis.inputs(1)
        inputs.ints[:, COMMAND] = words
        self._packets.inputs(inputs)

    def write_inputs(self, inputs: Inputs, copter_id: int | None) -> None:
        """See `Commands.write_inputs`."""
        self._packets.inputs(inputs, copter_id)

    def reboot(self, copter_id: int, delay: int) -> None:
        """See `Commands.reboot`."""
        self._packets.reboot(copter_id, delay)

    def send_to_ground_station_port(self, message: Message) -> None:
        """See `MavlinkMessages.send_to_ground_station_port`."""
        self._out.send(message, lambda frame: self._packets.raw(frame, self._ground_station))

    def send_short(self, message: short_message.Message) -> None:
        """See `Datagrams.send_short`."""
        self._packets.short(message)

    def send_raw(self, packet: bytes, offset: int) -> None:
        """See `Datagrams.send_raw`."""
        self._packets.raw(packet, offset)

    @property
    def crash_id(self) -> int:
        """See `Telemetry.crash_id`; of the messages, or of the true state's packets."""
        reported = self._truths.crash_id
        return reported if reported >= 0 else self._in.crash_id

    @crash_id.setter
    def crash_id(self, copter_id: int) -> None:
        self._truths.crash_id = self._in.crash_id = copter_id

    def listen_to_truth(self, on: bool) -> None:
        """See `RemoteTelemetry.listen_to_truth`; meanwhile that of the messages does not count."""
        self._truths.listen_to_truth(on)
        self._in.takes_truth = not on

    @property
    def free_outputs(self) -> list[float]:
        """See `RemoteTelemetry.free_outputs`."""
        return self._truths.free_outputs

    @property
    def px4ext(self) -> Parsed | None:
        """See `RemoteTelemetry.px4ext`."""
        return self._truths.px4ext
