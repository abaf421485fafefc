"""Attributes that RflySim keeps live, and those that its users write."""

from __future__ import annotations

import copy
import json
import pickle
import struct
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from pyrfly import Sim
from pyrfly.ctrl import PX4MavCtrler, Swarm
from pyrfly.ctrl.live import LiveList
from pyrfly.rflysim.EarthModel import EarthModel
from pyrfly.rflysim.stepped import simulated_time
from pyrfly.server import Server

LIVE = """
    uavPosNED uavVelNED uavAngEular uavAngRate uavAngQuatern uavPosGPS uavGlobalPos uavMotorRPMS
    uavAccB uavGyro truePosNED trueVelNED trueAngEular trueAngRate trueAngQuatern truePosGPS
    trueMotorRPMS trueAccB
""".split()


@pytest.mark.parametrize("name", LIVE)
def test_a_list_that_is_held_follows_the_vehicle(offboard: Any, name: str) -> None:
    sim, mav = offboard()
    held = getattr(mav, name)
    before = list(held)
    mav.SendVelNED(2, 1, -1, 0.5)
    sim.sleep(1)
    assert held != before
    assert held is getattr(mav, name)
    assert held == getattr(mav, name)


def test_a_list_follows_vehicles_received_by_udp(first_port: Callable[[], int]) -> None:
    sim, port = Sim("sdk"), first_port()
    with Server(sim, first_port=port) as server:
        mav = PX4MavCtrler(1, first_port=port)
        mav.InitMavLoop(False)
        mav.InitTrueDataLoop()
        position, truth, data = mav.uavPosNED, mav.truePosNED, mav.out3Ddata
        mav.initOffboard()
        mav.SendVelNED(0, 0, -1, 0)
        end = time.monotonic() + 30
        while min(-position[2], -truth[2], -data.PosE[2]) < 0.5:
            assert time.monotonic() < end
            time.sleep(0.02)
        mav.endMavLoop()
        assert not server.closed


def test_a_stepped_script_may_only_read_what_it_holds() -> None:
    with simulated_time():
        mav = PX4MavCtrler(1)
        mav.InitMavLoop(True)
        assert mav.UDPMode == 1
        mav.initOffboard()
        mav.SendPosNED(0, 0, -3, 0)
        position, data = mav.truePosNED, mav.out3Ddata
        while position[2] > -1:
            pass
        x, y, z = position
        assert (x, y) == pytest.approx((0, 0), abs=0.01)
        assert z < -1
        assert data.PosE == pytest.approx(position, abs=0.1)


def test_copies_stay_as_they_are(offboard: Any) -> None:
    sim, mav = offboard()
    held = mav.uavPosNED
    copies = [list(held), held[:], held.copy(), copy.copy(held), copy.deepcopy(held)]
    copies += [pickle.loads(pickle.dumps(held)), json.loads(json.dumps(held)), [*held]]
    then = held[0]
    mav.SendVelNED(2, 0, 0, 0)
    sim.sleep(1)
    assert held[0] > then + 0.5
    for taken in copies:
        assert type(taken) is list
        assert taken[0] == then
    assert struct.pack("3d", *held) == np.array(held).tobytes()


def test_only_lists_that_somebody_holds_are_kept(offboard: Any) -> None:
    _, mav = offboard()
    assert mav.uavPosNED[2] < 0
    assert len(mav._held) == 0
    held = mav.uavPosNED
    assert isinstance(held, LiveList)
    assert list(mav._held) == ["uavPosNED"]


WRITTEN: dict[str, Any] = {name: [1.0, 2.0, 3.0] for name in LIVE} | {
    "isArmed": True,
    "isPX4Ekf3DFixed": False,
    "system_status": 5,
    "uavTimeStmp": -1.0,
    "trueTimeStmp": -1.0,
    "uavThrust": 0.5,
    "trueSimulinkData": [1.0] * 32,
    "GpsOriOffset": [1.0, 2.0, 3.0],
    "uavPosGPSHome": [40.0, 116.0, 0.0],
}


@pytest.mark.parametrize("name", WRITTEN)
def test_attributes_can_be_written_until_the_next_state(controlled: Any, name: str) -> None:
    sim, mav = controlled()
    before = getattr(mav, name)
    setattr(mav, name, WRITTEN[name])
    assert getattr(mav, name) == WRITTEN[name]
    sim.sleep(0.05)
    assert getattr(mav, name) != WRITTEN[name]
    assert type(getattr(mav, name)) is type(before)


@pytest.mark.parametrize("name", ["isFailsafeEn", "FailsafeInfo", "nId", "hasMsgDict"])
def test_attributes_without_a_model_keep_what_is_written(controlled: Any, name: str) -> None:
    sim, mav = controlled()
    setattr(mav, name, {"own": True})
    sim.sleep(0.05)
    assert getattr(mav, name)["own"]


def test_a_crash_can_be_forgotten_and_pretended(controlled: Any) -> None:
    _, mav = controlled()
    mav.isVehicleCrash = True
    assert (mav.isVehicleCrash, mav.isVehicleCrashID) == (True, 0)
    mav.isVehicleCrashID = 3
    assert (mav.isVehicleCrash, mav.isVehicleCrashID) == (True, 3)
    mav.isVehicleCrash = False
    assert (mav.isVehicleCrash, mav.isVehicleCrashID) == (False, -10)


def test_offboard_ends_when_its_attribute_says_so(offboard: Any) -> None:
    sim, mav = offboard()
    mav.SendVelNED(3, 0, 0, 0)
    sim.sleep(2)
    mav.isInOffboard = False
    sim.sleep(4)
    assert np.linalg.norm(mav.uavVelNED) < 0.1


def test_a_swarms_attributes_are_not_written() -> None:
    swarm = Swarm(Sim("x450", 2))
    with pytest.raises(AttributeError, match="uavPosNED"):
        swarm.uavPosNED = np.zeros((2, 3))


@pytest.mark.parametrize(("given", "mode"), [(False, 0), (True, 1), (2, 2)])
def test_a_link_may_be_chosen_by_a_truth_value(given: int, mode: int) -> None:
    mav = PX4MavCtrler(1, sim=Sim("x450"))
    mav.InitMavLoop(given)
    assert mav.UDPMode == mode
    assert type(mav.UDPMode) is int


def test_geo_converts_what_the_attributes_hold(offboard: Any) -> None:
    _, mav = offboard(height=5)
    assert isinstance(mav.geo, EarthModel)
    position = mav.geo.lla2ned(mav.uavPosGPS, mav.trueGpsUeCenter)
    assert position == pytest.approx(mav.truePosNED, abs=1e-4)
    lla = mav.geo.ned2lla([*position, 7.0, 8.0], np.array([*mav.trueGpsUeCenter, 9.0]))
    assert lla == pytest.approx(mav.uavPosGPS[:3], abs=1e-4)


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda geo: geo.lla2ned([1, 2], [0, 0, 0]), "lla"),
        (lambda geo: geo.lla2ned([1, 2, 3], 4), "lla0"),
        (lambda geo: geo.ned2lla([[1, 2, 3]], [0, 0, 0]), "ned"),
    ],
)
def test_less_than_three_numbers_are_refused(call: Callable[[Any], Any], name: str) -> None:
    with pytest.raises(ValueError, match=f"{name}: expected a sequence of at least 3 numbers"):
        call(EarthModel())


def test_a_vehicle_knows_what_it_has_hit() -> None:
    sim = Sim("x450", 2)
    mav = PX4MavCtrler(2, sim=sim)
    mav.InitMavLoop()
    sim.rebound.put([12345, 8, *[0] * 18])
    sim.sleep(0.1)
    assert (mav.isVehicleCrash, mav.isVehicleCrashID) == (True, 8)
    mav.isVehicleCrash = False
    sim.sleep(0.1)
    assert not mav.isVehicleCrash


def test_a_vehicle_that_comes_too_near_has_crashed_into_it() -> None:
    """With a boundary of the separation [m]; RflySim's collisions are those of its display."""
    sim = Sim("x450", 3)
    sim.reset(pos=[[0, 0, -20], [0, 6, -20], [0, 20, -20]], hover=True)
    sim.safety.add("separation", minimum=2.0)
    mav = PX4MavCtrler(1, sim=sim)
    mav.InitMavLoop()
    sim.arm()
    sim.sleep(0.5)
    assert (mav.isVehicleCrash, mav.isVehicleCrashID) == (False, -10)
    sim.pos[0] = sim.pos[1] + [0, -1.5, 0]
    sim.sleep(0.1)
    assert (mav.isVehicleCrash, mav.isVehicleCrashID) == (True, 2)
    mav.isVehicleCrash = False
    sim.sleep(0.1)
    assert not mav.isVehicleCrash
