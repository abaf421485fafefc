"""Commands for a model: RflySim's ``Send...`` methods of `ModelLoad`, and packets that arrive."""

from __future__ import annotations

from collections.abc import Sequence

from pyrfly.protocol import synthesis
from pyrfly.rflysim.dll_model import DllModel
from pyrfly.rflysim.packets import parse
from pyrfly.rflysim.rfly_sim_cp import RflySimCP
from pyrfly.transport import Address

__all__ = ["ModelCommands"]

_COLLISION = 12345  # says that a collision input is one
_ARM, _TAKE_OFF = 9, 11  # ctrlMode


class ModelCommands(DllModel):
    """A model with a start, commanded relative to it.

    Attributes
    ----------
    InitPos : list of 3 floats
        Start [m, NED of the map].
    """

    InitPos: list[float]

    def SendPosNED(self, x: float = 0, y: float = 0, z: float = 0, yaw: float = 0) -> None:
        """Arm and fly to a position [m, NED from the start] with a heading [rad]."""
        start_x, start_y, start_z = self.InitPos
        place = start_x + x, start_y + y, start_z + z
        self.DllInputDoubCtrls(RflySimCP.getPosNED(*place, yaw))

    def SendPosLocal(self, x: float = 0, y: float = 0, z: float = 0, yaw: float = 0) -> None:
        """Do the same as `SendPosNED`, with the position relative to home in the command."""
        self.DllInputDoubCtrls(RflySimCP.getPosLocal(x, y, z, yaw))

    def SendVelNED(self, vx: float = 0, vy: float = 0, vz: float = 0, yawRate: float = 0) -> None:
        """Arm and fly with a velocity [m/s, NED] and a heading rate [rad/s]."""
        self.DllInputDoubCtrls(RflySimCP.getVelNED(vx, vy, vz, yawRate))

    def SendVelFRD(self, vx: float = 0, vy: float = 0, vz: float = 0, yawRate: float = 0) -> None:
        """Arm and fly with a velocity forward, right, down [m/s] and a heading rate [rad/s]."""
        self.DllInputDoubCtrls(RflySimCP.getVelFRD(vx, vy, vz, yawRate))

    def SendVelNEDNoYaw(self, northvel: float = 0, eastvel: float = 0, downvel: float = 0) -> None:
        """Arm and fly with a velocity [m/s, NED]."""
        self.DllInputDoubCtrls(RflySimCP.getVelNedNoYaw(northvel, eastvel, downvel))

    # --- packets ---

    def _take_command(self, data: bytes, origin: Address) -> None:
        """Obey a packet of the 20100 series; ValueError when it is none that is understood."""
        name, numbers = parse("command", data)
        if name == "inOffboardShortData":
            self._obey(numbers[1], numbers[2:6])
        elif name == "inHILCMDData":
            mask, frame, controls = numbers[4], numbers[5], numbers[6:17]
            rows = controls[0:3], controls[3:6], controls[6:9], controls[9], controls[10]
            self._stream(synthesis.position_target(mask, frame, *rows))

    def _obey(self, mode: int, controls: Sequence[float]) -> None:
        if mode in (0, 1, 2):  # in RflySim these arm
            (self.SendVelNED, self.SendVelFRD, self.SendPosNED)[mode](*controls)
        elif mode == _ARM:
            bits = synthesis.BASE | (synthesis.Command.ARMED if controls[0] > 0.5 else 0)
            with self._lock:
                self.sim.command_sil(command=int(bits))
        elif mode == _TAKE_OFF:
            armed = bool(self.sim.armed[0])
            self._stream(synthesis.take_off(*controls[:3], armed=armed))
        else:
            self._stream(synthesis.simple(mode, controls))

    def _stream(self, words: synthesis.Words | None) -> None:
        if words is not None:
            with self._lock:
                self.sim.command_sil(words.ints, words.floats)

    def _take_input(self, data: bytes, origin: Address) -> None:
        """Take a packet of the 30100 series in; ValueError when it is none that is understood."""
        name, numbers = parse("sil", data)
        if name == "PX4SILIntFloat":
            self.DllInputSILs(numbers[2:10], numbers[10:30])
        elif name == "DllInDoubCtrls":
            self.DllInputDoubCtrls(numbers[2:30])
        elif name == "Ue4RayTraceDrone":
            copter_id, size, vel, ray, pos = (
                numbers[1], numbers[2], numbers[3:6], numbers[6:12], numbers[12:15]
            )  # fmt: skip
            self.DllInputColls([_COLLISION, copter_id, size, *pos, *vel, *ray])
