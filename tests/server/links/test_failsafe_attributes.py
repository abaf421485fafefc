"""RflySim's attributes of failsafes, of a vehicle that is served and acts."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest

from pyrfly import Sim
from pyrfly.ctrl import PX4MavCtrler
from pyrfly.server import Server

RATE = 8.0
TIMEOUT = 30.0


def until(condition: Callable[[], object]) -> None:
    end = time.monotonic() + TIMEOUT
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.mark.realtime
def test_a_failsafe_is_told_to_scripts_in_mavlink_modes(first_port: Any) -> None:
    sim = Sim("x450", dt=0.002)
    sim.power.enable()
    sim.faults.add("low_capacity", ratio=0.06, at=20.0)
    first = first_port(1, mavlink=True)
    with Server(sim, "mavlink_full", rate=RATE, first_port=first):
        mav = PX4MavCtrler(1, first_port=first)
        mav.InitMavLoop(2)
        until(lambda: mav.system_status == 3)
        mav.initOffboard()
        assert (mav.isFailsafeEn, mav.FailsafeInfo) == (False, None)
        mav.SendPosNED(0, 0, -4)
        until(lambda: mav.isFailsafeEn)
        assert mav.FailsafeInfo == "Failsafe activated, entering Hold for 5 seconds"
        until(lambda: mav.system_status == 5)
        until(lambda: mav.FailsafeInfo == "Failsafe activated")  # it returns, and lands
        until(lambda: not mav.isArmed)
        mav.InitMavLoop(2)
        assert not mav.isFailsafeEn
        mav.endMavLoop()
    assert abs(float(sim.pos[0, 2])) < 0.2
