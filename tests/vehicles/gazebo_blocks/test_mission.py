"""Missions of VTOLs, in process and after an upload: legs by wings, circles, landings, failures."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import pyrfly
from pyrfly.cli import main
from pyrfly.log import Log, Recorder
from pyrfly.mission import (
    ChangeSpeed,
    Circle,
    Fence,
    FlightResult,
    Land,
    Loiter,
    Mission,
    MissionItem,
    ReturnToLaunch,
    TakeOff,
    Transition,
    Waypoint,
    fly_mission,
    fly_missions,
    read_mission,
)
from pyrfly.mission.kinds import pilot_of, vehicle_of

from ...autopilot.conftest import Station
from ...autopilot.uploads import LAND_START, RETURN, at, do, sent_items, start, upload

Array = NDArray[Any]
Wind = tuple[float, float, float]

VTOL = "gz_standard_vtol"
PLAN = Path(__file__).parents[3] / "examples" / "missions" / "vtol.plan"
TO_WINGS, TO_HOVER, HOVER, WINGS = 1, 2, 3, 4
UP = (TakeOff((0.0, 0.0, -40.0)), Transition(True))


def flown(mission: Mission, **options: Any) -> tuple[FlightResult, Log, pyrfly.Sim]:
    """Fly a mission with steps of 4 ms."""
    sim = pyrfly.Sim(options.pop("name", VTOL), dt=0.004)
    recorder = Recorder(sim, ["pos", "vel", "vtol_state"], every=25)
    result = fly_mission(sim, mission, recorder=recorder, **options)
    return result, recorder.log(), sim


def flown_in_winds(name: str, winds: Sequence[Wind]) -> tuple[list[FlightResult], Log, pyrfly.Sim]:
    """Fly the example plan with a vehicle in each wind."""
    sim = pyrfly.Sim(name, len(winds), dt=0.004)
    sim.wind[:] = winds
    recorder = Recorder(sim, ["pos", "vel", "vtol_state"], every=25)
    missions = dict.fromkeys(range(1, sim.n + 1), read_mission(PLAN))
    results = fly_missions(sim, missions, recorder=recorder)
    return list(results.values()), recorder.log(), sim


def of_states(log: Log, *states: int, row: int = 0) -> Array:
    """Return the positions in some states."""
    chosen: Array = log["pos"][np.isin(log["vtol_state"][:, row], states), row]
    return chosen


def on_leg(
    log: Log, begin: Any, end: Any, after: float, row: int = 0
) -> tuple[Array, Array, Array]:
    """Return distances across a leg, heights over it, velocities: by wings, away from turns."""
    pos, vel = log["pos"][:, row], log["vel"][:, row]
    way = np.subtract(end, begin)[:2]
    length = np.linalg.norm(way)
    north, east = way / length
    along = (pos[:, 0] - begin[0]) * north + (pos[:, 1] - begin[1]) * east
    across = (pos[:, 1] - begin[1]) * north - (pos[:, 0] - begin[0]) * east
    here = (log["vtol_state"][:, row] == WINGS) & (np.abs(across) < 30.0)
    here &= (along > after) & (along < length - 80.0)
    height = pos[:, 2] - begin[2] - (end[2] - begin[2]) * along / length
    return across[here], height[here], vel[here]


@pytest.mark.slow
def test_the_example_plan_in_wind() -> None:
    """Straight legs within 3 m, 2 m of height, 1 m/s of a commanded airspeed; a circle of 80 m."""
    winds = [(0, 5, 0), (5, 0, 0), (-5, 0, 0), (0, -5, 0)]
    results, log, sim = flown_in_winds(VTOL, winds)
    corners = [(0, 0, -40), (400, 0, -40), (400, 400, -60)]
    for row, (result, wind) in enumerate(zip(results, winds, strict=True)):
        assert result.completed, result.reason
        assert result.landing_error is not None
        assert result.landing_error < 0.5
        assert sim.armed[row] == 0
        for number, (begin, end) in enumerate(pairwise(corners)):
            after = 80.0 if number == 0 else 120.0
            across, height, vel = on_leg(log, begin, end, after, row)
            assert len(across) > 100
            assert np.abs(across).max() < 3.0
            assert np.abs(height).max() < 2.0
            if number:  # DO_CHANGE_SPEED
                airspeed = np.linalg.norm(vel - np.array(wind), axis=1)
                np.testing.assert_allclose(airspeed, 17.0, atol=1.0)
        np.testing.assert_allclose(radii_of_circle(result, log, row), 80.0, atol=2.0)
        changing = of_states(log, TO_WINGS, TO_HOVER, row=row)
        assert np.abs(changing[:, 2] + 40.0).max() < 5.0
        braking = of_states(log, TO_HOVER, row=row)
        assert np.linalg.norm(braking[-1, :2]) < 25.0  # the landing place is where it hovers


def radii_of_circle(result: FlightResult, log: Log, row: int) -> Array:
    """Return the distances from the centre of the plan's circle, on it."""
    turn = result.items[5].time
    assert turn is not None
    circling = log["pos"][(log.time > turn) & (log.time < turn + 25.0), row]
    return np.linalg.norm(circling[:, :2] - [0, 400], axis=1)


@pytest.mark.slow
def test_the_example_plan_by_a_tailsitter_without_joints() -> None:
    """Its 17 m/s are limited; circles are as wide as its bank angle allows in the wind."""
    winds = [(0, 0, 0), (0, 5, 0), (5, 0, 0), (-5, 0, 0)]
    results, log, sim = flown_in_winds("gz_quadtailsitter", winds)
    for row, (result, wind) in enumerate(zip(results, winds, strict=True)):
        assert result.completed, result.reason
        assert result.landing_error is not None
        assert result.landing_error < 0.5
        across, height, _ = on_leg(log, (400, 0, -40), (400, 400, -60), 120.0, row)
        assert len(across) > 100
        assert np.abs(across).max() < 3.0
        assert np.abs(height).max() < 2.0
        radii = radii_of_circle(result, log, row)
        fastest = float(sim.wing_speed_limit[row]) + np.linalg.norm(wind)
        assert radii.max() - radii.min() < 5.0
        assert 79.0 < radii.min() < radii.max() < max(82.0, fastest**2 / 4.0)
        assert np.abs(of_states(log, TO_WINGS, TO_HOVER, row=row)[:, 2] + 40.0).max() < 5.0
        assert sim.quadchute[row] == 0


@pytest.mark.slow
@pytest.mark.parametrize("end", [Land((0.0, 0.0, 0.0)), ReturnToLaunch()])
@pytest.mark.parametrize("name", [VTOL, "gz_tailsitter"])
def test_landings_and_returns_approach_by_wings(name: str, end: MissionItem) -> None:
    legs = [Waypoint((x, y, -40.0)) for x, y in ((300.0, 0.0), (300.0, 200.0), (0.0, 200.0))]
    result, log, sim = flown(Mission((*UP, *legs, end)), name=name)
    assert result.completed, result.reason
    np.testing.assert_allclose(sim.pos[0], 0.0, atol=0.5)
    braking = of_states(log, TO_HOVER)
    assert np.linalg.norm(braking[-1, :2]) < 30.0
    assert np.abs(of_states(log, WINGS)[:, 2] + 40.0).max() < 3.0


@pytest.mark.slow
@pytest.mark.parametrize("name", ["gz_tailsitter", "gz_quadtailsitter", "sih_tailsitter"])
def test_tailsitters_descend_by_wings_before_they_land(name: str) -> None:
    """From 40 m to a circle in 20 m, and from there to the landing place."""
    circle = Loiter((150.0, 100.0, -20.0), seconds=0.0, climbs=True)
    items = (*UP, Waypoint((300.0, 0.0, -40.0)), circle, Land((0.0, 0.0, 0.0)))
    result, log, sim = flown(Mission(items), name=name)
    assert result.completed, result.reason
    np.testing.assert_allclose(sim.pos[0], 0.0, atol=0.5)
    assert -23.0 < of_states(log, WINGS)[-1, 2] < -17.0


@pytest.mark.slow
def test_a_transition_to_hover_between_legs() -> None:
    """The second leg is flown in hover, at the speed of the mission."""
    items = (
        *UP,
        Waypoint((300.0, 0.0, -40.0)),
        Transition(False),
        ChangeSpeed(6.0),
        Waypoint((300.0, 100.0, -40.0)),
        Land((300.0, 100.0, 0.0)),
    )
    result, log, sim = flown(Mission(items))
    assert result.completed, result.reason
    np.testing.assert_allclose(sim.pos[0], [300, 100, 0], atol=0.5)
    hovering = log["vel"][(log["vtol_state"][:, 0] == HOVER) & (log.time > 70.0), 0]
    assert np.linalg.norm(hovering, axis=1).max() == pytest.approx(6.0, abs=1.0)


@pytest.mark.slow
def test_a_mission_goes_on_in_hover_after_a_quadchute_and_a_time_out() -> None:
    items = (*UP, Waypoint((150.0, 0.0, -40.0)), Land((150.0, 30.0, 0.0)))
    for fails in ("pusher at once", "later"):
        sim = pyrfly.Sim(VTOL, dt=0.002)
        if fails == "later":
            sim.quadchute_tilt[0] = 0.02, 0.0
        else:
            sim.motor_thrust[0, 4] = 0.0
        result = fly_mission(sim, Mission(items))
        assert result.completed, result.reason
        assert sim.quadchute[0] == (6 if fails == "later" else 1)
        np.testing.assert_allclose(sim.pos[0], [150, 30, 0], atol=0.5)


@pytest.mark.slow
@pytest.mark.parametrize("action", ["hold", "return", "land"])
def test_a_breach_of_the_fence_by_wings(action: Any) -> None:
    """To hold is to circle; the others end on the ground."""
    fence = Fence((Circle((0.0, 0.0), 250.0),))
    items = (*UP, Waypoint((600.0, 0.0, -40.0)), Land((600.0, 0.0, 0.0)))
    result, _, sim = flown(Mission(items, fence=fence), fence_action=action)
    assert not result.completed
    if action == "hold":
        sim.sleep(40.0)
        assert sim.vtol_state[0] == WINGS
        assert 200.0 < np.linalg.norm(sim.pos[0, :2]) < 450.0
    else:
        assert sim.armed[0] == 0
        far = np.linalg.norm(sim.pos[0, :2])
        assert far < 1.0 if action == "return" else 250.0 < far < 400.0


@pytest.mark.slow
def test_a_mission_that_ends_by_wings_circles() -> None:
    result, _, sim = flown(Mission((*UP, Loiter((200.0, 0.0, -50.0), seconds=5.0, radius=-70.0))))
    assert result.completed, result.reason
    sim.sleep(30.0)
    assert np.linalg.norm(sim.pos[0, :2] - [200, 0]) == pytest.approx(70.0, abs=2.0)
    assert sim.pos[0, 2] == pytest.approx(-50.0, abs=1.0)


def test_a_transition_to_hover_in_hover_keeps_the_height() -> None:
    items = (TakeOff((0.0, 0.0, -20.0)), Transition(False), Waypoint((20.0, 0.0, -20.0)))
    result, log, _ = flown(Mission((*items, Loiter((20.0, 0.0, -20.0), seconds=1.0))))
    assert result.completed, result.reason
    away = log["pos"][:, 0, 0] > 0.5
    assert away.any()
    assert log["pos"][away, 0, 2].max() < -19.5


def test_the_take_off_of_vtols_is_a_take_off_and_a_transition() -> None:
    items = read_mission(PLAN).items
    assert [type(item).__name__ for item in items[:2]] == ["TakeOff", "Transition"]
    assert items[0].number == items[1].number == 1


@pytest.mark.slow
def test_the_program_flies_the_plan(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = str(tmp_path / "out.npz")
    assert main(["fly", str(PLAN), "--vehicle", VTOL, "--no-plot", "--out", out]) == 0
    assert "all items flown" in capsys.readouterr().out


@pytest.mark.slow
def test_the_plan_after_an_upload() -> None:
    """VTOL_STATE, the current item, and where it lands."""
    s = Station(VTOL, rates={"EXTENDED_SYS_STATE": 5.0})
    s.sim.wind[:] = [0, 5, 0]
    upload(s, sent_items(PLAN))
    start(s)
    s.until(lambda: s.all("EXTENDED_SYS_STATE")[-1].vtol_state == WINGS, 60)
    s.until(lambda: not s.sim.armed[0], 400)
    np.testing.assert_allclose(s.sim.pos[0], 0.0, atol=0.5)
    s.run(0.5)
    states = [m.vtol_state for m in s.all("EXTENDED_SYS_STATE")]
    changes = [a for a, b in zip(states, [*states[1:], 0], strict=True) if a != b]
    assert changes == [HOVER, TO_WINGS, WINGS, TO_HOVER, HOVER]
    assert [m.seq for m in s.all("MISSION_ITEM_REACHED")][-1] == 7


@pytest.mark.slow
@pytest.mark.parametrize(("action", "mode"), [(-1, "MISSION"), (0, "RETURN"), (2, "HOLD")])
def test_a_quadchute_is_told_and_acted_upon(action: int, mode: str) -> None:
    s = Station(VTOL)
    upload(s, sent_items(PLAN))
    s.parameters.set(0, "COM_QC_ACT", action)
    s.parameters.set(0, "VT_FW_QC_P", 1.0)
    start(s)
    s.until(lambda: s.sim.quadchute[0] != 0, 120)
    s.run(1.0)
    assert "Quadchute: maximum pitch exceeded" in s.texts()
    assert s.mode() == ("MISSION" if action == -1 else "HOLD")  # for COM_FAIL_ACT_T
    s.run(5.0)
    assert s.mode() == mode


@pytest.mark.slow
@pytest.mark.parametrize(("airspeed", "flown_at"), [(18.0, 18.0), (60.0, None), (None, None)])
def test_the_airspeed_of_a_mission_is_that_by_wings(
    airspeed: float | None, flown_at: float | None
) -> None:
    """Within the limit of commanded airspeeds; without one that of cruise; hover has its own."""
    mission = Mission((*UP, Waypoint((700.0, 0.0, -40.0))), cruise_speed=4.0, airspeed=airspeed)
    with (
        pytest.warns(UserWarning, match=r"airspeed: .*got 60 m/s")
        if airspeed == 60.0
        else nullcontext()
    ):
        _, log, sim = flown(mission)
    limit = 0.9 * sim.wing_speed_limit[0] if airspeed else sim.wing_cruise_airspeed[0]
    _, _, vel = on_leg(log, (0, 0, -40), (700, 0, -40), after=400.0)
    speed = np.linalg.norm(vel, axis=1)
    np.testing.assert_allclose(speed, flown_at or limit, atol=1.0)


@pytest.mark.slow
def test_speeds_before_a_pause_count_for_the_kind_of_flight_they_were_for() -> None:
    """A mission that goes on in hover has its hover speed, not the airspeed of a leg by wings."""
    items = (
        *(TakeOff((0.0, 0.0, -40.0)), ChangeSpeed(3.0), Transition(True), ChangeSpeed(17.0)),
        *(Waypoint((300.0, 0.0, -40.0)), Transition(False), Waypoint((60.0, 0.0, -40.0))),
        *(Transition(True), Waypoint((900.0, 0.0, -40.0))),
    )
    sim = pyrfly.Sim(VTOL, dt=0.002)
    sim.reset(pos=[0, 0, -40], hover=True)
    sim.arm()
    vehicle = vehicle_of(sim, 1)
    pilot = pilot_of(vehicle, Mission(items), airborne=True)
    pilot.begin_at(6)
    speeds: dict[float, list[float]] = {HOVER: [], WINGS: []}
    for _ in pilot.fly():
        sim.step(10)
        vehicle.update()
        if sim.vtol_state[0] in speeds:
            speeds[sim.vtol_state[0]].append(float(np.linalg.norm(sim.vel[0])))
    assert max(speeds[HOVER][100:]) == pytest.approx(3.0, abs=0.3)
    assert speeds[WINGS][-1] == pytest.approx(17.0, abs=0.5)


def in_winged_flight(name: str = VTOL, **options: Any) -> Station:
    """Return a station whose VTOL flies by wings, 300 m from home, in mode HOLD."""
    s = Station(name, **options)
    s.sim.reset(pos=[300, 100, -40], hover=True)
    s.sim.arm()
    s.run(0.5)
    s.commander.homes.set(0, np.zeros(3))
    assert s.command(3000, WINGS) == 0
    s.until(lambda: s.sim.vtol_state[0] == WINGS, 20)
    s.run(2.0)
    return s


@pytest.mark.slow
@pytest.mark.parametrize(("name", "delay"), [(VTOL, 10.0), ("derivative_vtol", 0.0)])
def test_mode_return_comes_home_in_winged_flight(name: str, delay: float) -> None:
    """At RTL_RETURN_ALT, down in circles to RTL_DESCEND_ALT, then hover and landing, as PX4's."""
    s = in_winged_flight(name)
    s.parameters.set(0, "RTL_LAND_DELAY", delay)
    assert s.command(20) == 0
    track, states = [], []
    while s.sim.armed[0]:
        s.run(0.5)
        assert len(track) < 800, (s.sim.pos, s.sim.vtol_state, s.mode())
        track.append(s.sim.pos[0].copy())
        states.append(float(s.sim.vtol_state[0]))
    pos, state = np.array(track), np.array(states)
    home = np.linalg.norm(pos[:, :2], axis=1)
    assert (state[home > 2.0 * s.sim.wing_loiter_radius[0]] == WINGS).all()
    assert pos[state == WINGS, 2].min() == pytest.approx(-60.0, abs=2.0)
    assert pos[state == WINGS, 2][-1] == pytest.approx(-30.0, abs=3.0)
    changes = state[np.flatnonzero(np.diff(state, prepend=0.0))]
    assert changes.tolist() == [WINGS, TO_HOVER, HOVER]
    np.testing.assert_allclose(s.sim.pos[0], 0.0, atol=0.5)


@pytest.mark.slow
def test_a_return_of_an_uploaded_mission_comes_home_in_winged_flight() -> None:
    s = Station(VTOL)
    upload(s, [at(0, 0, 40, 84), at(350, 0, 40), do(RETURN)])
    start(s)
    s.until(lambda: s.mode() == "RETURN", 120)
    assert s.sim.vtol_state[0] == WINGS
    s.until(lambda: s.sim.vtol_state[0] != WINGS, 200)
    assert np.linalg.norm(s.sim.pos[0, :2]) < 60.0
    s.until(lambda: not s.sim.armed[0], 200)
    np.testing.assert_allclose(s.sim.pos[0], 0.0, atol=0.5)


@pytest.mark.slow
def test_a_return_leads_to_the_landing_of_the_mission() -> None:
    """RTL_TYPE 1, PX4's of VTOLs: by wings to where the landing begins, and in hover down."""
    s = in_winged_flight()
    upload(s, [at(500, 0, 40), do(LAND_START), at(300, -300, 50), at(0, -300, 0, 85)])
    assert s.command(20) == 0
    s.until(lambda: s.sim.vtol_state[0] != WINGS, 200)
    assert -s.sim.pos[0, 2] > 45.0
    s.until(lambda: not s.sim.armed[0], 200)
    np.testing.assert_allclose(s.sim.pos[0], (0, -300, 0), atol=0.5)


@pytest.mark.slow
def test_a_quadchute_on_the_way_home_ends_in_hover_at_home() -> None:
    s = in_winged_flight()
    assert s.command(20) == 0
    s.run(3.0)
    s.parameters.set(0, "VT_FW_QC_P", 1.0)
    s.until(lambda: s.sim.quadchute[0] != 0, 60)
    s.until(lambda: not s.sim.armed[0], 400)
    np.testing.assert_allclose(s.sim.pos[0], 0.0, atol=0.5)


@pytest.mark.slow
def test_a_return_without_landing_circles_above_home() -> None:
    s = in_winged_flight()
    s.parameters.set(0, "RTL_LAND_DELAY", -1.0)
    assert s.command(20) == 0
    s.run(150.0)
    assert s.sim.vtol_state[0] == WINGS
    radius = float(s.sim.wing_loiter_radius[0])
    assert np.linalg.norm(s.sim.pos[0, :2]) == pytest.approx(radius, abs=3.0)
    assert s.sim.pos[0, 2] == pytest.approx(-30.0, abs=1.0)
    assert s.mode() == "RETURN"


@pytest.mark.slow
def test_a_return_in_hover_stays_in_hover() -> None:
    s = Station(VTOL)
    s.sim.reset(pos=[60, 0, -20], hover=True)
    s.sim.arm()
    s.run(0.5)
    s.commander.homes.set(0, np.zeros(3))
    assert s.command(20) == 0
    s.run(20.0)
    assert s.sim.vtol_state[0] == HOVER
    assert np.linalg.norm(s.sim.pos[0, :2]) < 40.0 or s.sim.pos[0, 2] < -40.0


@pytest.mark.slow
@pytest.mark.parametrize("name", [VTOL, "gz_tailsitter"])
def test_nav_controller_output_of_a_vtol_by_wings(name: str) -> None:
    """What its controllers do on a circle; none in hover."""
    s = in_winged_flight(name, rates={"NAV_CONTROLLER_OUTPUT": 10.0, "VFR_HUD": 10.0})
    s.run(60.0)
    nav, sim = s.all("NAV_CONTROLLER_OUTPUT")[-1], s.sim
    way = (sim.pos_sp - sim.pos)[0]
    distance, radius = np.hypot(way[0], way[1]), sim.wing_loiter_radius[0]
    assert nav.wp_dist == pytest.approx(distance, abs=2.0)
    assert abs(nav.xtrack_error - (distance - radius)) < 0.5
    bearing = np.degrees(np.arctan2(way[1], way[0]))
    assert abs((nav.target_bearing - bearing + 180.0) % 360.0 - 180.0) < 5.0
    assert nav.nav_roll == pytest.approx(np.degrees(sim.bank_command[0]), abs=1.0)
    assert nav.nav_pitch == pytest.approx(np.degrees(sim.pitch_command[0]), abs=1.0)
    assert abs(nav.nav_roll) > 5.0
    error = sim.wing_cruise_airspeed[0] - s.all("VFR_HUD")[-1].airspeed
    throttle = 100 * sim.throttle_command[0]
    assert s.all("VFR_HUD")[-1].throttle == pytest.approx(throttle, abs=5)
    assert throttle > 4
    assert nav.aspd_error == pytest.approx(error, abs=0.2)
    assert s.command(3000, HOVER) == 0
    s.until(lambda: sim.vtol_state[0] == HOVER, 20)
    count = len(s.all("NAV_CONTROLLER_OUTPUT"))
    s.run(3.0)
    assert len(s.all("NAV_CONTROLLER_OUTPUT")) <= count + 2
    lift = 100 * sim.thrust[0] / sim.thrust_limit[0, 1]
    assert s.all("VFR_HUD")[-1].throttle == pytest.approx(lift, abs=5)


@pytest.mark.slow
@pytest.mark.parametrize("number", [192, 34], ids=["DO_REPOSITION", "DO_ORBIT"])
def test_a_place_to_fly_to_is_circled_by_wings(number: int) -> None:
    """At the commanded height and radius, without flying past it."""
    s = in_winged_flight()
    nan = float("nan")
    params = (-1.0, 1.0, 90.0, nan) if number == 192 else (90.0, nan, 0.0, nan)
    assert s.command_int(number, *params, place=s.place_int(600, 0, 60)) == 0
    assert s.mode() == "HOLD"
    s.run(60.0)
    assert s.sim.vtol_state[0] == WINGS
    for _ in range(20):
        s.run(1.0)
        assert np.hypot(s.sim.pos[0, 0] - 600, s.sim.pos[0, 1]) == pytest.approx(90.0, abs=3.0)
        assert s.sim.pos[0, 2] == pytest.approx(-60.0, abs=2.0)
