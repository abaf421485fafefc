"""Positions and missions that vehicles of any family go to backward, or refuse to."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from pymavlink.dialects.v20 import common as mavlink

from pyrfly import Sim
from pyrfly.errors import MissionError
from pyrfly.log import Recorder
from pyrfly.mission import Mission, ReturnToLaunch, Reverse, Waypoint, fly_mission
from pyrfly.protocol.bits import Setpoint
from pyrfly.vehicles.parameters import VehicleParameters

from ..autopilot.uploads import REVERSE, at, do, start, upload
from .conftest import Array, able, slow_but_one_of_each_type

STOP = 3.0
"""Time in which vehicles stop that were within the radius of a waypoint [s]."""


def first_of(vehicle: VehicleParameters) -> str:
    """Return the column of the position of what goes first."""
    trailer = able(vehicle).trailer
    return "pos" if trailer is None else trailer.pos


class Way:
    """A way out, and back in reverse with a bend: its lengths, its speed and what was recorded."""

    def __init__(self, vehicle: VehicleParameters) -> None:
        self.sim, limits = Sim(vehicle), able(vehicle).limits
        column = limits.backward or limits.speed
        self.speed = min(0.5 * self._number(column), 3.0)
        radius = 0.0 if limits.turning is None else self._number(limits.turning)
        side = 10.0 * self.speed + 2.0 * radius
        self.corners = [np.array(c) * side for c in ((1, 0, 0), (0, 0, 0), (-1, 0.3, 0))]
        out, back, bent = (Waypoint(tuple(corner)) for corner in self.corners)
        items = out, Reverse(backward=True), back, bent
        self.column = first_of(vehicle)
        recorder = Recorder(self.sim, ("att", "vel", self.column))
        self.result = fly_mission(
            self.sim, Mission(items, cruise_speed=self.speed), recorder=recorder
        )
        assert self.result.completed, self.result.reason
        self.log = recorder.log()

    def _number(self, name: str) -> float:
        return float(self.sim.select(1).read(name)[0])

    def at(self, item: int) -> float:
        """Return when an item was reached [s]."""
        time = self.result.items[item].time
        assert time is not None
        return time

    def between(self, name: str, begin: float, end: float) -> Array:
        """Return a column between two times [s]."""
        time = self.log.time - self.log.time[0]
        chosen: Array = np.asarray(self.log[name])[(time >= begin) & (time <= end), 0]
        return chosen


@slow_but_one_of_each_type(lambda able: able.backs, soon=lambda able: able.trailer is None)
def test_legs_are_followed_backward(vehicle: VehicleParameters) -> None:
    way = Way(vehicle)
    begin, passed, end = way.at(1) + STOP, way.at(2), way.at(3)
    w, x, y, z = way.between("att", begin, end).T
    nose = np.stack([1 - 2 * (y**2 + z**2), 2 * (x * y + w * z)], axis=-1)
    vel = way.between("vel", begin, end)[:, :2]
    ahead = np.sum(nose * vel, axis=-1)
    assert ahead.max() < 0.15 * way.speed
    assert ahead.min() > -1.3 * way.speed
    for time, corner in ((passed, way.corners[1]), (end, way.corners[2])):
        there = way.between(way.column, time - 0.03, time + 0.03)[0]
        assert np.linalg.norm((there - corner)[:2]) < 1.5
    half = 0.5 * (begin + passed)
    speeds = np.linalg.norm(way.between("vel", half, half + 2.0)[:, :2], axis=-1)
    assert speeds.mean() == pytest.approx(way.speed, rel=0.1)
    off = way.between(way.column, begin, passed)[:, 1]
    assert np.abs(off).max() < 0.5


@slow_but_one_of_each_type(lambda able: able.backs and able.limits.circle is None)
def test_a_return_is_forward(vehicle: VehicleParameters) -> None:
    sim = Sim(vehicle)
    speed = 0.5 * float(sim.speed_limit[0])
    out = Waypoint((3.0 * min(speed, 1.0), 0.0, 0.0))
    items = out, Reverse(backward=True), ReturnToLaunch()
    result = fly_mission(
        sim, Mission(items, cruise_speed=speed), stop=lambda: "seen" if sim.time > 12.0 else ""
    )
    assert result.items[1].time is not None
    assert not int(sim.setpoint_mask[0]) & int(Setpoint.BACKWARD)


@slow_but_one_of_each_type(lambda able: "command_position" in able.commands and not able.backs)
def test_what_does_not_go_backward_says_so(vehicle: VehicleParameters) -> None:
    sim = Sim(vehicle)
    sim.arm()
    sim.command_position([1.0, 2.0, 0.0])
    before = sim.setpoint_mask.copy()
    with pytest.raises(ValueError, match=f"backward: expected False for {vehicle.name!r}"):
        sim.command_position([5.0, 0.0, 0.0], backward=True)
    assert (sim.setpoint_mask == before).all()
    mission = Mission((Waypoint((5.0, 0.0, -5.0)), Reverse(backward=True)))
    with pytest.raises(MissionError, match="item 2: backward: CopterID 1 "):
        fly_mission(sim, mission)
    assert sim.time == 0


@slow_but_one_of_each_type(lambda able: able.backs)
def test_a_position_backward_is_reached_without_a_turn(vehicle: VehicleParameters) -> None:
    sim = Sim(vehicle)
    limits = able(vehicle).limits
    turning = 0.0 if limits.turning is None else float(sim.select(1).read(limits.turning)[0])
    place = np.array([-(5.0 + 2.0 * turning), 0.0, 0.0])
    sim.arm()
    sim.command_position(place, yaw=0.0, backward=True)
    facing = []
    for _ in range(600):
        sim.sleep(0.5)
        facing.append(1 - 2 * (sim.att[0, 2] ** 2 + sim.att[0, 3] ** 2))
        if sim.select(1).read("arrived")[0]:
            break
    assert sim.select(1).read("arrived")[0]
    assert min(facing) > 0.8
    there = sim.select(1).read(first_of(vehicle))[0]
    assert np.linalg.norm((there - place)[:2]) < 0.8


@slow_but_one_of_each_type(lambda able: able.backs)
def test_backward_is_one_for_all(vehicle: VehicleParameters) -> None:
    sim = Sim(vehicle, 2)
    with pytest.raises(ValueError, match="backward: expected true or false"):
        sim.command_position([1.0, 2.0, 0.0], backward=[True, False])  # type: ignore[arg-type]
    assert not sim.setpoint_mask.any()


# --- over MAVLink --------------------------------------------------------------------------------


@slow_but_one_of_each_type(lambda able: able.backs)
def test_a_station_lets_vehicles_go_on_backward(vehicle: VehicleParameters, station: Any) -> None:
    """The command in Hold, and what follows: DO_REPOSITION, a mission, which begins forward."""
    s = station(vehicle)
    assert s.command(400, 1) == 0
    s.run(0.1)
    assert s.command(REVERSE, 1) == 0
    place = s.place_int(-20.0, 0.0, 0.0)
    assert s.command_int(192, 0.5, 1, 0, math.nan, place=place) == 0
    mask = int(Setpoint.BACKWARD)
    s.run(0.5)
    assert int(s.sim.setpoint_mask[0]) & mask
    assert abs(float(s.sim.select(1).read("yaw_sp")[0])) < 0.1  # the nose stays where it is
    assert s.command(REVERSE, 0) == 0
    s.run(0.5)
    assert not int(s.sim.setpoint_mask[0]) & mask
    assert s.command(REVERSE, 2) == mavlink.MAV_RESULT_DENIED
    upload(s, [at(20, 0, 0), do(REVERSE, 1), at(0, 0, 0)])
    start(s)
    s.run(0.5)
    assert not int(s.sim.setpoint_mask[0]) & mask
    assert s.command(REVERSE, 1) == 0
    s.run(0.5)
    assert int(s.sim.setpoint_mask[0]) & mask


@slow_but_one_of_each_type(lambda able: "command_position" in able.commands and not able.backs)
def test_a_station_is_told_what_does_not_go_backward(
    vehicle: VehicleParameters, station: Any
) -> None:
    s = station(vehicle)
    assert s.command(REVERSE, 1) == mavlink.MAV_RESULT_UNSUPPORTED
    s.send("MISSION_COUNT", s.system(0), 1, 1, 0)
    fields = (s.system(0), 1, 0, 2, REVERSE, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0)
    s.send("MISSION_ITEM_INT", *fields)
    s.collect()
    assert s.all("MISSION_ACK")[-1].type == mavlink.MAV_MISSION_UNSUPPORTED
