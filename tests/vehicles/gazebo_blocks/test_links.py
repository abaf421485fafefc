"""VTOLs over MAVLink and in missions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pymavlink.dialects.v20 import common

import pyrfly
from pyrfly.log import Recorder
from pyrfly.mission import (
    Land,
    Mission,
    ReturnToLaunch,
    TakeOff,
    Transition,
    Waypoint,
    fly_mission,
)
from pyrfly.vehicles import from_sdf

VTOL = "gz_standard_vtol"
TRANSITION = common.MAV_CMD_DO_VTOL_TRANSITION
ACCEPTED, REJECTED, DENIED, UNSUPPORTED = range(4)
TO_HOVER, HOVER, WINGS = 2, 3, 4


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        (VTOL, 22),
        ("gz_tailsitter", 20),
        ("gz_quadtailsitter", 20),
        ("sih_tailsitter", 19),
        ("derivative_vtol", 22),
        ("gz_plane", common.MAV_TYPE_FIXED_WING),
    ],
)
def test_the_type_says_what_it_can(station: Callable[..., Any], name: str, kind: int) -> None:
    s = station(name, rates={"HEARTBEAT": 1.0})
    s.run(0.02)
    assert s.all("HEARTBEAT")[0].type == kind


@pytest.mark.parametrize(
    ("name", "hovers", "flies"),
    [(VTOL, True, True), ("tri_y_servo_plus", True, False), ("gz_plane", False, True)],
)
def test_stations_list_the_parameters_of_what_it_can(
    station: Callable[..., Any], name: str, hovers: bool, flies: bool
) -> None:
    s = station(name)
    listed = {row.name for row in s.parameters.rows(0)}
    assert listed >= {"MPC_ACC_HOR_MAX", "MC_YAWRATE_MAX"} if hovers else "MPC_XY_P" not in listed
    assert ("FW_R_LIM" in listed, "VT_ARSP_TRANS" in listed) == (flies, hovers and flies)
    assert np.isfinite(s.parameters.own(0)).all()


@pytest.mark.parametrize("name", [VTOL, "tri_y_servo_plus"])
def test_it_accelerates_by_its_parameter(station: Callable[..., Any], name: str) -> None:
    """In hover, with 2 m/s^2 at most: 4 m/s take two seconds and more."""
    s = station(name).in_air(20.0)
    s.send("PARAM_SET", 1, 1, b"MPC_ACC_HOR_MAX", 2.0, common.MAV_PARAM_TYPE_REAL32)
    s.set_point(0, 0, 0, 4, 0, 0, mask=0b110111000111)
    s.run(0.1)
    s.command(176, 1, 6)
    s.run(1.0)
    assert 0.5 < s.sim.vel[0, 0] < 2.2
    s.run(4.0)
    assert s.sim.vel[0, 0] == pytest.approx(4.0, abs=0.4)


@pytest.mark.slow
def test_transitions_by_command(station: Callable[..., Any]) -> None:
    s = station(VTOL, rates={"EXTENDED_SYS_STATE": 5.0})
    assert s.command(TRANSITION, WINGS) == REJECTED  # on the ground
    assert s.command(TRANSITION, 1) == DENIED
    assert s.command(400, 1) == ACCEPTED
    assert s.command(22, 0, 0, 0, np.nan, np.nan, np.nan, np.nan) == ACCEPTED
    s.until(lambda: s.mode() == "HOLD", 40)
    assert s.all("EXTENDED_SYS_STATE")[-1].vtol_state == HOVER
    height = s.height()
    assert s.command(TRANSITION, WINGS) == ACCEPTED
    s.until(lambda: s.all("EXTENDED_SYS_STATE")[-1].vtol_state == WINGS, 15)
    s.run(30)  # it circles
    assert s.height() == pytest.approx(height, abs=2.0)
    assert np.linalg.norm(s.sim.vel[0]) > 10.0
    assert s.command(TRANSITION, HOVER) == ACCEPTED
    s.until(lambda: s.all("EXTENDED_SYS_STATE")[-1].vtol_state == TO_HOVER, 1)
    s.until(lambda: s.all("EXTENDED_SYS_STATE")[-1].vtol_state == HOVER, 15)


def test_without_wings_a_transition_is_not_supported(
    station: Callable[..., Any], write: Callable[..., Path]
) -> None:
    for vehicle in (from_sdf(write()), "gz_plane"):
        s = station(vehicle)
        assert s.command(TRANSITION, WINGS) == UNSUPPORTED
        assert s.command(TRANSITION, HOVER) == UNSUPPORTED


@pytest.mark.slow
@pytest.mark.parametrize("mode", [20, 21])  # return, land
def test_landings_hover_first(station: Callable[..., Any], mode: int) -> None:
    s = station(VTOL)
    assert s.command(400, 1) == ACCEPTED
    assert s.command(22, 0, 0, 0, np.nan, np.nan, np.nan, np.nan) == ACCEPTED
    s.until(lambda: s.mode() == "HOLD", 40)
    assert s.command(TRANSITION, WINGS) == ACCEPTED
    s.run(15)
    assert s.sim.vtol_state[0] == WINGS
    assert s.command(mode) == ACCEPTED
    s.until(lambda: not s.sim.armed[0], 240)
    assert s.sim.vtol_state[0] == HOVER
    if mode == 20:
        np.testing.assert_allclose(s.sim.pos[0], 0.0, atol=0.5)


CORNERS = ((300.0, 0.0), (300.0, 200.0), (0.0, 200.0))


@pytest.mark.slow
@pytest.mark.parametrize("end", [Land((0.0, 0.0, 0.0)), ReturnToLaunch()])
@pytest.mark.parametrize("wind", [0.0, 5.0])
def test_a_mission_with_transitions(end: Any, wind: float) -> None:
    """A landing without a transition before it hovers first."""
    sim = pyrfly.Sim(VTOL)
    sim.wind[0] = [0.0, wind, 0.0]
    legs = [Waypoint((*corner, -40.0)) for corner in CORNERS]
    items = (TakeOff((0.0, 0.0, -40.0)), Transition(True), *legs, end)
    recorder = Recorder(sim, ["pos", "vtol_state"], every=100)
    result = fly_mission(sim, Mission(items), recorder=recorder)
    assert result.completed, result.reason
    np.testing.assert_allclose(sim.pos[0], 0.0, atol=0.5)
    log = recorder.log()
    state, pos = log["vtol_state"][:, 0], log["pos"][:, 0]
    assert np.abs(pos[state == WINGS, 2] + 40.0).max() < 2.0
    for corner in CORNERS:  # each is passed by wings
        away = np.linalg.norm(pos[state == WINGS, :2] - corner, axis=1)
        assert away.min() < 25.0


def test_transitions_mean_nothing_to_others(write: Callable[..., Path]) -> None:
    sim = pyrfly.Sim(from_sdf(write()))
    items = (TakeOff((0.0, 0.0, -5.0)), Transition(True), Land((0.0, 0.0, 0.0)))
    result = fly_mission(sim, Mission(items))
    assert result.completed, result.reason
