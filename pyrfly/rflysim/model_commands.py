"""Commands for a model: RflySim's ``Send...`` methods of `ModelLoad`, and received packets."""

from __future__ import annotations

from typing import Any

import numpy as np

from pyrfly import wire
from pyrfly.errors import CommandWarning, warn
from pyrfly.protocol.short_message import ShortMode
from pyrfly.rflysim.older_ports import OlderPorts
from pyrfly.rflysim.packets import parse
from pyrfly.rflysim.rfly_sim_cp import RflySimCP
from pyrfly.server.decode import decode
from pyrfly.server.link_stats import Count
from pyrfly.server.orders import Action, CollisionInputs, Injection, apply, done_in_part
from pyrfly.transport import Address

__all__ = ["ModelCommands"]


class ModelCommands(OlderPorts):
    """A model with a start, commanded relative to it.

    Attributes
    ----------
    CopterID : int
        Which vehicle, in packets.
    InitPos : list of 3 floats
        Start [m, NED of the map].
    """

    CopterID: int
    InitPos: list[float]

    def SendPosNED(self, x: float = 0, y: float = 0, z: float = 0, yaw: float = 0) -> None:
        """Arm and fly to a position [m, NED from the start] with a heading [rad]."""
        start_x, start_y, start_z = self.InitPos
        position = start_x + x, start_y + y, start_z + z
        self.DllInputDoubCtrls(RflySimCP.getPosNED(*position, yaw))

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
        """Execute a packet of the 20100 series; ValueError when it is dropped."""
        name, numbers = parse("command", data)
        if name not in ("inOffboardShortData", "inHILCMDData"):
            return
        actions = self._accepted(name, data)
        if name == "inOffboardShortData" and numbers[1] in _ARMING:
            getattr(self, _ARMING[numbers[1]])(*numbers[2:6])
        else:
            self._apply(actions)

    def _take_input(self, data: bytes, origin: Address) -> None:
        """Execute a packet of the 30100 series; ValueError when it is dropped."""
        name, _ = parse("sil", data)
        if name in ("PX4SILIntFloat", "DllInDoubCtrls", "UEToCopterDataD"):
            self._apply(self._accepted(name, data))
        elif name in ("Ue4RayTraceDrone", "Ue4Coll20d"):
            for action in self._accepted(name, data):
                if isinstance(action, CollisionInputs):
                    self.DllInputColls(action.values[0].tolist())

    def _accepted(self, name: str, data: bytes) -> list[Action]:
        """Return the actions of a packet; a ValueError names the reason to drop it."""
        records: Any = np.frombuffer(data, wire.dtype(name))
        orders = decode(name, records, np.array([self.CopterID]))
        if orders.verdicts[0] != Count.ACCEPTED:
            raise ValueError(f"{name}: {Count(orders.verdicts[0]).name.lower()}")
        return orders.actions

    def _apply(self, actions: list[Action]) -> None:
        with self._lock:
            for action in actions:
                own = action._replace(ids=np.array([1]))
                if isinstance(own, Injection):
                    for _, text in done_in_part(self.sim, own):
                        warn(text, CommandWarning)
                else:
                    apply(self.sim, own)


_ARMING = {
    ShortMode.VELOCITY_NED: "SendVelNED",
    ShortMode.VELOCITY_FRD: "SendVelFRD",
    ShortMode.POSITION_NED: "SendPosNED",
}
"""Methods for set-points of the 24-byte message that arm, and count from the start, in RflySim."""
