"""Verbs that need PX4 itself, and raise."""

from __future__ import annotations

from collections.abc import Sequence

from pyrfly import wire
from pyrfly.ctrl.link.packets import SIL_SERIES
from pyrfly.ctrl.link.protocols import Datagrams
from pyrfly.ctrl.verbs.controller import Controller
from pyrfly.ctrl.verbs.helpers import Helpers

__all__ = ["Px4OnlyVerbs"]

_NO_MODULES = "there is no PX4 with modules of the user; sendSILIntFloat reaches the vehicle"
_NO_ESTIMATOR = "there is no estimator that could use it"


class Px4OnlyVerbs(Controller):
    """RflySim's methods for PX4's estimator and for modules of the user in PX4."""

    CopterID: int

    def SendHILCtrlMsg(
        self, ctrls: Sequence[float] = (0.0,) * 16, idx: int = 0, flags: int = 1
    ) -> None:
        """Raise UnsupportedError: uORB's rfly_ctrl is for modules in PX4."""
        raise self._unsupported("SendHILCtrlMsg", _NO_MODULES)

    def SendHILCtrlMsg1(self) -> None:
        """Raise UnsupportedError, see `SendHILCtrlMsg`."""
        raise self._unsupported("SendHILCtrlMsg1", _NO_MODULES)

    def sendPX4UorbRflyCtrl(
        self, data: Sequence[float] = (0.0,) * 16, modes: int = 1, flags: int = 1
    ) -> None:
        """Send values for uORB's rfly_ctrl to port 30100 + 2 (CopterID - 1); over UDP only.

        Parameters
        ----------
        data : sequence of float
            Sixteen values.
        modes, flags : int
            Which topic, and a number for the module that reads it.

        Raises
        ------
        UnsupportedError
            In process, see `SendHILCtrlMsg`.
        """
        if not isinstance(self._link, Datagrams):
            raise self._unsupported("sendPX4UorbRflyCtrl", _NO_MODULES)
        packet = wire.blank("PX4UorbRflyCtrl")
        packet["CopterID"], packet["modes"], packet["flags"] = self.CopterID, modes, flags
        packet["data"] = Helpers.fillList(data, 16)
        self._link.send_raw(packet[0].tobytes(), SIL_SERIES)

    def SendVisionPosition(self, x: float, y: float, z: float, yaw: float) -> None:
        """Raise UnsupportedError: there is no estimator that could use it."""
        raise self._unsupported("SendVisionPosition", _NO_ESTIMATOR)

    def SendHILGps(
        self,
        lat: float = 40.1540302,
        lon: float = 116.2593683,
        alt: float = 50,
        vel: float = 0,
        vn: float = 0,
        ve: float = 0,
        vd: float = 0,
        cog: float = 0,
        time_usec: int = -1,
        eph: float = 0.3,
        epv: float = 0.4,
        fix_type: int = 3,
        satellites_visible: int = 15,
    ) -> None:
        """Raise UnsupportedError: there is no estimator that could use it."""
        raise self._unsupported("SendHILGps", _NO_ESTIMATOR)
