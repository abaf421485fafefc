"""Faults of the links of vehicles that answer as PX4: what gets through, and what follows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Make = Callable[..., Any]
INJECT, RC, LINK = 420, 104, 105
ACCEPTED, OK, OFF, DELAYED, INTERMITTENT = 0, 0, 1, 6, 7
RETURN = 2
OWN_POSITION = 0xDF8  # of SET_POSITION_TARGET: position alone


def test_the_loss_of_sticks_is_that_of_the_remote_control(station: Make) -> None:
    s = station(n=2)
    s.set("NAV_RCL_ACT", RETURN)
    s.set("COM_FAIL_ACT_T", 0)
    s.steer(0, 0, 500, 0)
    s.in_air(5.0)
    s.each(176, 1, 3)  # position
    s.run(0.5)
    s.sim.faults.add("link_loss", ids=2, link="rc", duration=3.0)
    s.run(0.3)
    assert s.modes() == ["POSITION"] * 2
    s.run(0.4)
    assert s.modes() == ["POSITION", "RETURN"]
    assert "Manual control lost" in s.texts(1)
    s.run(3.0)
    assert s.commander.silences.has_sticks.tolist() == [True] * 2


def test_the_loss_of_the_ground_station(station: Make) -> None:
    s = station(n=2).in_air(5.0)
    s.set("NAV_DLL_ACT", RETURN)
    s.set("COM_FAIL_ACT_T", 0)
    s.set("COM_DL_LOSS_T", 5)
    s.always("HEARTBEAT", 6, 8, 0, 0, 4, 3)
    s.run(1.0)
    s.sim.faults.add("link_loss", ids=2, link="station")
    s.run(6.0)
    assert s.modes() == ["HOLD", "RETURN"]
    assert "Failsafe activated" in s.texts(1)
    assert s.command(176, 1, 4, 3, row=1) is None  # commands come by it, too


def test_the_loss_of_set_points_ends_offboard(station: Make) -> None:
    s = station(n=2).in_air(5.0)
    s.set("COM_OBL_RC_ACT", 5)  # hold
    s.set_point(0, 0, -5, mask=OWN_POSITION)
    s.run(0.3)
    s.each(176, 1, 6)
    s.sim.faults.add("link_loss", ids=1, link="setpoints")
    s.run(0.9)
    assert s.modes() == ["OFFBOARD"] * 2
    s.run(0.4)
    assert s.modes() == ["HOLD", "OFFBOARD"]


def test_telemetry_gets_lost_and_comes_back(station: Make) -> None:
    s = station(n=2, rates={"ATTITUDE": 50.0})
    s.sim.faults.add("link_loss", ids=2, link="telemetry", at=1.0, duration=1.0)
    s.run(3.0)
    times = [[m.time_boot_ms for m in s.all("ATTITUDE", row)] for row in (0, 1)]
    assert len(times[0]) == pytest.approx(150, abs=2)
    assert not [t for t in times[1] if 1000 < t <= 2000]
    assert len(times[1]) == pytest.approx(100, abs=3)


@pytest.mark.slow
def test_a_share_of_the_telemetry_gets_lost(station: Make) -> None:
    s = station(n=2, rates={"ATTITUDE": 50.0})
    s.sim.faults.add("packet_loss", ids=2, link="telemetry", share=0.4)
    s.run(20.0)
    counts = [len(s.all("ATTITUDE", row)) for row in (0, 1)]
    assert counts[1] / counts[0] == pytest.approx(0.6, abs=0.07)


def test_telemetry_is_late(station: Make) -> None:
    s = station(rates={"ATTITUDE": 50.0})
    s.sim.faults.add("link_delay", link="telemetry", delay=0.4)
    s.run(2.0)
    ages = [1000 * time - m.time_boot_ms for time, _, m in s.received if time > 1.0]
    assert ages == pytest.approx([400] * len(ages), abs=21)


def test_commands_are_late(station: Make) -> None:
    s = station()
    s.sim.faults.add("link_delay", link="station", delay=0.5)
    s.run(0.1)
    assert s.command(400, 1) is None
    s.run(0.46)
    assert not s.sim.armed[0]
    s.run(0.1)
    assert s.sim.armed[0]
    assert [ack.result for ack in s.all("COMMAND_ACK")] == [ACCEPTED]


# --- by failure injection ------------------------------------------------------------------------


def test_the_signal_of_the_radio_fails(station: Make) -> None:
    s = station()
    s.set("SYS_FAILURE_EN", 1)
    s.steer(0, 0, 500, 0)
    s.run(0.2)
    assert s.command(INJECT, RC, OFF) == ACCEPTED
    s.run(1.0)
    assert not s.commander.silences.has_sticks[0]
    assert s.command(INJECT, RC, OK) == ACCEPTED
    s.run(0.3)
    assert s.commander.silences.has_sticks[0]


def test_an_injected_loss_of_the_station_can_be_ended_by_it(station: Make) -> None:
    s = station()
    s.set("SYS_FAILURE_EN", 1)
    assert s.command(INJECT, LINK, OFF) == ACCEPTED
    s.run(0.1)
    assert s.command(400, 1) is None
    assert s.command(INJECT, LINK, OK) == ACCEPTED
    s.run(0.1)
    assert s.command(400, 1) == ACCEPTED


@pytest.mark.parametrize(
    ("kind", "fault"), [(DELAYED, "link_delay"), (INTERMITTENT, "packet_loss")]
)
def test_links_are_late_or_lose_packets(station: Make, kind: int, fault: str) -> None:
    s = station()
    s.set("SYS_FAILURE_EN", 1)
    for unit, link in ((RC, "rc"), (LINK, "station")):
        assert s.command(INJECT, unit, kind) == ACCEPTED
        assert (s.sim.faults.list()[-1].kind, s.sim.faults.list()[-1].items) == (fault, (link,))
