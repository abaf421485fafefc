"""Classes are made with RflySim's arguments, in its order."""

from __future__ import annotations

import inspect

import pytest

from pyrfly.rflysim.api import PID, Ctrl
from pyrfly.rflysim.DllSimCtrlAPI import ModelLoad, MultiCopterDll
from pyrfly.rflysim.VehicleApi import Vehicle

TAIL = "ClassID MapName ip LocX LocY Yaw UdpMode useGPS GpsOrin"


@pytest.mark.parametrize(
    ("owner", "names"),
    [
        (Ctrl, "copter_id ip com port simulink_dll sim first_port"),
        (ModelLoad, f"dll_name CopterID {TAIL} ports"),
        (MultiCopterDll, f"CopterID {TAIL} ports"),
        (PID, "p i d"),
        (Vehicle, "CopterID Vehicletype mapName updatefreq isBroadCast ports"),
    ],
)
def test_names_and_order(owner: type, names: str) -> None:
    assert list(inspect.signature(owner).parameters) == names.split()
