"""Payloads that a mission drops."""

from __future__ import annotations

import pytest

from pyrfly import Sim
from pyrfly.mission import Grip, Land, Mission, TakeOff, Waypoint, fly_mission

ITEMS = (
    TakeOff((0.0, 0.0, -8.0)),
    Waypoint((15.0, 0.0, -8.0), hold=1.0),
    Grip(False),
    Land((0.0, 0.0, 0.0)),
)


@pytest.mark.parametrize("cable", [0.0, 3.0])
def test_a_mission_delivers_a_payload(cable: float) -> None:
    sim = Sim("x450")
    sim.payload.attach(0.1, cable=cable)
    assert fly_mission(sim, Mission(ITEMS)).completed
    assert not sim.payload.carried()[0]
    assert sim.payload_pos[0] == pytest.approx([15, 0, 0], abs=1.0)
    assert sim.pos[0] == pytest.approx([0, 0, 0], abs=0.3)


def test_vehicles_without_a_payload_go_on() -> None:
    sim = Sim("x450")
    result = fly_mission(sim, Mission((*ITEMS[:3], Grip(True), ITEMS[3])))
    assert result.completed
    assert [item.name for item in result.items[2:4]] == ["drop the payload", "take the payload"]
    assert not sim.payload.enabled
