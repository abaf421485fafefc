"""RflySim's `DllSimCtrlAPI`: sends model inputs to a simulator, and receives its true state."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from pyrfly import wire
from pyrfly.ctrl.arguments import fill_list
from pyrfly.ctrl.data3d import Data3D
from pyrfly.ctrl.link.connection import world_of
from pyrfly.rflysim.packets import Numbers, pack, parse
from pyrfly.rflysim.process_vehicle import ProcessVehicle
from pyrfly.transport import RFLYSIM_PORTS, Address, Listener, Ports, local_address, sender

__all__ = ["DllSimCtrlAPI"]

_STORE_ONLY = 100  # added to a checksum: the input is applied with a later one

_CHUNK = 28  # width of one of the inCtrlExt inputs
_CHUNKS = 5


class DllSimCtrlAPI:
    """Sends model inputs of vehicles by UDP, or to a vehicle that is simulated in this process.

    The latter, where a `PX4MavCtrler` would find it: in simulated time, and where no program
    listens on the vehicle's port of this machine.

    Vectors may be lists, tuples or arrays: missing numbers are 0, excess ones are cut off.
    Every method that has ``copterID`` sends to that vehicle, or to ``CopterID`` when it is not
    above 0.

    Parameters
    ----------
    CopterID : int
        Vehicle that methods act on when they name none.
    ip : str
        Address of the simulator.
    ports : Ports
        First ports of the series.

    Attributes
    ----------
    CopterID, ip, ports
        As given.
    out3Ddata : Data3D
        True state received last, after `InitTrueDataLoop`.
    outCopterVect : list of 32 floats
        The model's own outputs received last, likewise.

    Raises
    ------
    ValueError
        From every sender: a number does not fit the structure.
    OSError
        From every sender: the system does not send to that address.

    Warns
    -----
    CommandWarning
        From every sender: the vehicle is in this process, and the input has no effect on it.

    Examples
    --------
    >>> dll = DllSimCtrlAPI(1)
    >>> dll.sendSILIntFloat([7, 2], [0, 0, 0, 1.0, 0, 0])
    >>> dll.udp_socket.close()
    """

    def __init__(
        self, CopterID: int = 1, ip: str = "127.0.0.1", *, ports: Ports = RFLYSIM_PORTS
    ) -> None:
        ports.of_model(CopterID)
        self.CopterID = CopterID
        self.ip = ip
        self.ports = ports
        self.udp_socket = sender()
        self._truth = Data3D()
        self._outputs: list[float] = [0.0] * 32
        self._listener: Listener | None = None
        self._vehicles: dict[tuple[str, int], ProcessVehicle | None] = {}
        self._heard: ProcessVehicle | None = None  # whose true state is received

    def fillList(self, data: Numbers, inLen: int) -> list[Any]:
        """Return ``data`` as a list of ``inLen`` numbers, cut off or filled up with 0."""
        return fill_list(data, inLen)

    def _id(self, copterID: int) -> int:
        return copterID if copterID > 0 else self.CopterID

    def _vehicle(self, copter_id: int) -> ProcessVehicle | None:
        """Return a vehicle of this process; None where it is behind a UDP port."""
        key = (self.ip, copter_id)
        if key not in self._vehicles:
            world = world_of(self.ip, self.ports.of_model(copter_id))
            self._vehicles[key] = None if world is None else ProcessVehicle(world, copter_id)
        return self._vehicles[key]

    def _send(self, data: bytes, copterID: int) -> None:
        target = self._id(copterID)
        address = (self.ip, self.ports.of_model(target))
        vehicle = self._vehicle(target)
        if vehicle is None:
            self.udp_socket.sendto(data, address)
        else:
            vehicle.take(data)

    # --- commands ---

    def sendSILIntFloat(
        self,
        inSILInts: Numbers = (0,) * 8,
        inSILFLoats: Numbers = (0,) * 20,
        copterID: int = -1,
    ) -> None:
        """Send the inputs ``inSILInts`` (8 int32) and ``inSILFloats`` (20 float32)."""
        self._send_ints_floats("PX4SILIntFloat", inSILInts, inSILFLoats, copterID)

    def sendSILIntDouble(
        self, inSILInts: Numbers = (0,) * 8, inSILDoubs: Numbers = (0,) * 20, copterID: int = -1
    ) -> None:
        """Send 8 and 20 numbers together as the 28 of `sendInDoubCtrls`."""
        self.sendInDoubCtrls(fill_list(inSILInts, 8) + fill_list(inSILDoubs, 20), copterID)

    def sendInDoubCtrls(self, inDoubsCtrls: Numbers = (0,) * 28, copterID: int = -1) -> None:
        """Send the input ``inDoubCtrls`` (28 float64)."""
        target = self._id(copterID)
        self._send(pack("DllInDoubCtrls", target, fill_list(inDoubsCtrls, 28)), target)

    def sendInCtrlExt(
        self,
        inSILInts: Numbers = (0,) * 8,
        inSILFLoats: Numbers = (0,) * 20,
        iDxNum: int = 1,
        copterID: int = -1,
    ) -> None:
        """Send the input ``inCtrlExt1`` .. ``inCtrlExt5``, by ``iDxNum``, as `sendSILIntFloat`."""
        name = f"inCtrlExt{_checked_index(iDxNum)}"
        self._send_ints_floats(name, inSILInts, inSILFLoats, copterID)

    def sendInCtrlExtDoub(
        self,
        inDoubsCtrls: Numbers = (0,) * 28,
        iDxNum: int = 1,
        copterID: int = -1,
        update: bool = True,
    ) -> None:
        """Send the input ``inCtrlExt1`` .. ``inCtrlExt5``, by ``iDxNum``, as 28 float64.

        With ``update`` false the model keeps them until an update of another of the five.
        """
        target, name = self._id(copterID), f"inCtrlExtDoub{_checked_index(iDxNum)}"
        checksum = (wire.LAYOUTS[name].checksum or 0) + (0 if update else _STORE_ONLY)
        numbers = fill_list(inDoubsCtrls, _CHUNK)
        self._send(pack(name, target, numbers, checksum=checksum), target)

    def sendInCtrlExtAll(self, inDoubsCtrls: Numbers = (0,) * 140, copterID: int = -1) -> None:
        """Send ``inCtrlExt1`` and further ones, 28 numbers each, to be applied with the last."""
        length = len(inDoubsCtrls) if not isinstance(inDoubsCtrls, (int, float)) else 1
        count = min(math.ceil(length / _CHUNK), _CHUNKS)
        numbers = fill_list(inDoubsCtrls, _CHUNK * _CHUNKS)
        for i in range(count):
            chunk = numbers[_CHUNK * i : _CHUNK * (i + 1)]
            self.sendInCtrlExtDoub(chunk, i + 1, copterID, update=i == count - 1)

    def _send_ints_floats(self, name: str, ints: Numbers, floats: Numbers, copterID: int) -> None:
        target = self._id(copterID)
        self._send(pack(name, target, fill_list(ints, 8), fill_list(floats, 20)), target)

    # --- parameters ---

    def sendModelInParams(self, Bitmask: int, InParams: Numbers, copterID: int = -1) -> None:
        """Send ``FaultInParams``: 32 numbers, those whose bit is set in ``Bitmask`` take effect."""
        self._send_parameters("PX4ModelInParams", Bitmask, InParams, copterID)

    def sendInitInParams(
        self, Bitmask: int = 0, InParams: Numbers = (0,) * 32, copterID: int = -1
    ) -> None:
        """Send ``InitInParams``, as `sendModelInParams`; they take effect at the next start."""
        self._send_parameters("InitInParams", Bitmask, InParams, copterID)

    def _send_parameters(self, name: str, mask: int, parameters: Numbers, copterID: int) -> None:
        bits = _bits("Bitmask", mask, 32)
        self._send(pack(name, bits, fill_list(parameters, 32)), copterID)

    def sendDynModiParams(
        self, Bitmask: int = 0, InParams: Numbers = (0,) * 64, copterID: int = -1
    ) -> None:
        """Send ``DynModiParams``: 64 numbers, those whose bit is set in ``Bitmask`` take effect."""
        target, bits = self._id(copterID), _bits("Bitmask", Bitmask, 64)
        numbers = fill_list(InParams, 64)
        self._send(pack("PX4DynModiParams", target, bits, numbers), target)

    # --- surroundings ---

    def sendUE2Coptersim(self, inFromUE: Numbers | None = None, copterID: int = -1) -> None:
        """Send the input ``inFromUE`` (32 float64), zeros by default."""
        target = self._id(copterID)
        numbers = fill_list(0 if inFromUE is None else inFromUE, 32)
        self._send(pack("UEToCopterDataD", target, numbers), target)

    def sendFloatsColl(
        self,
        size: float = 0,
        velE: Sequence[float] = (0, 0, 0),
        ray: Sequence[float] = (0, 0, 0, 0, 0, 0),
        posE: Sequence[float] = (0, 0, 0),
        copterID: int = -1,
    ) -> None:
        """Send the object near a vehicle.

        Parameters
        ----------
        size : float
            Of the other vehicle [m].
        velE, posE : sequence of 3 floats
            Its velocity [m/s, NED] and position [m, NED].
        ray : sequence of 6 floats
            Free distance to the front, back, left, right, up, down [m].
        copterID : int
            See the class.
        """
        target = self._id(copterID)
        rows = fill_list(velE, 3), fill_list(ray, 6), fill_list(posE, 3)
        self._send(pack("Ue4RayTraceDrone", target, size, *rows), target)

    def sendColl20d(self, Coll20d: Numbers = (0,) * 20, copterID: int = -1) -> None:
        """Send the input ``inCollision20d`` (20 numbers, as float32)."""
        target = self._id(copterID)
        self._send(pack("Ue4Coll20d", target, fill_list(Coll20d, 20)), target)

    def sendTerrIn15d(self, TerrIn15d: Numbers = (0,) * 15, copterID: int = -1) -> None:
        """Send the input ``TerrainIn15d`` (15 numbers, as float32): first the ground, NED z [m]."""
        target = self._id(copterID)
        numbers = fill_list(fill_list(TerrIn15d, 15), 20)
        self._send(pack("TerrainIn15d", target, numbers), target)

    def sendCustomData(
        self,
        CopterID: int = 0,
        data: Numbers = (0,) * 16,
        checksum: int = 123456,
        port: int = 50000,
        IP: str = "127.0.0.1",
    ) -> None:
        """Send 16 numbers of the user's own to a port of the user's own."""
        packet = pack("CustomData", CopterID, fill_list(data, 16), checksum=checksum)
        self.udp_socket.sendto(packet, (IP, port))

    # --- true state ---

    @property
    def out3Ddata(self) -> Data3D:
        """True state received last."""
        self._look()
        return self._truth

    @property
    def outCopterVect(self) -> list[float]:
        """The model's own outputs received last."""
        self._look()
        return self._outputs

    def _look(self) -> None:
        if self._heard is not None:
            self._heard.look()

    def InitTrueDataLoop(self, TargetCopter: int = -1) -> None:
        """Listen to the true state of a vehicle, in a thread of its own if it comes by UDP.

        Parameters
        ----------
        TargetCopter : int
            Which vehicle; ``CopterID`` when it is not above 0.

        Raises
        ------
        OSError
            When the port is taken.
        """
        self.EndTrueDataLoop()
        target = self._id(TargetCopter)
        port = self.ports.of_model(target) + 1
        self._heard = self._vehicle(target)
        if self._heard is None:
            self._listener = Listener(local_address(self.ip), port, self._take, together=True)
        else:
            self._heard.send_truth(self.getTrueDataMsg)

    def EndTrueDataLoop(self) -> None:
        """Stop listening; a second call does nothing."""
        if self._listener is not None:
            self._listener.close()
            self._listener = None
        if self._heard is not None:
            self._heard.stop_truth()
            self._heard = None

    def getTrueDataMsg(self, buf: bytes) -> None:
        """Accept one datagram of the simulator.

        Parameters
        ----------
        buf : bytes
            ``SOut2Simulator`` or ``outCopterStruct``; others that such a port takes have no effect.

        Raises
        ------
        ValueError
            When it is no datagram of that port.
        """
        name, numbers = parse("truth", buf)
        if name == "outCopterStruct":
            self._outputs[:] = numbers[2:]
        elif name == "SOut2Simulator":
            self._truth.updateUdp(numbers)

    def _take(self, data: bytes, origin: Address) -> None:
        self.getTrueDataMsg(data)


def _checked_index(iDxNum: int) -> int:
    if iDxNum not in range(1, _CHUNKS + 1):
        raise ValueError(f"iDxNum: expected 1 to {_CHUNKS}, got {iDxNum!r}")
    return iDxNum


def _bits(name: str, mask: int, width: int) -> int:
    """Return a mask without sign, -1 being all bits."""
    if not -(1 << (width - 1)) <= mask < 1 << width:
        raise ValueError(f"{name}: expected {width} bits, got {mask}")
    return mask & ((1 << width) - 1)
