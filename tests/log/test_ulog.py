"""ULog files, read by pyulog."""

import numpy as np
import pytest

import pyrfly
from pyrfly import Sim
from pyrfly.autopilot.parameter_table import PARAMETERS
from pyrfly.log import Log, Recorder, export_log
from pyrfly.log.flight_notes import initial_parameters, notes_of_flights
from pyrfly.mavlink.modes import NavState
from pyrfly.mission import (
    Fence,
    Mission,
    ReturnToLaunch,
    TakeOff,
    Waypoint,
    fly_mission,
    fly_missions,
)
from pyrfly.protocol.bits import VtolState
from pyrfly.vehicles import FAMILIES, names
from pyrfly.vehicles.kinds import Kind

from ..able import abilities

HOME = (47.397742, 8.545594, 488.0)
COLUMNS = ("pos", "vel", "att", "rate", "pos_sp", "vel_sp", "setpoint_mask", "throttle", "armed")


@pytest.fixture(scope="module")
def flight(tmp_path_factory):
    """Return a log of two vehicles, the second of which flies, and the ULog file of the second."""
    sim = Sim("x450", 2)
    sim.origin = HOME
    sim.reset(pos=[[0, 0, 0], [5, 5, 0]])
    mission = Mission((TakeOff((5.0, 5.0, -4.0)), Waypoint((8.0, 5.0, -4.0))), home=HOME)
    recorder = Recorder(sim, (*COLUMNS, "rotor_speed"))
    assert fly_mission(sim, mission, copter_id=2, recorder=recorder).completed
    from pyulog import ULog

    log = recorder.log()
    path = tmp_path_factory.mktemp("ulog") / "flight.ulg"
    export_log(log, path, copter_id=2)
    return log, ULog(str(path))


def data(ulog, name):
    return ulog.get_dataset(name).data


def test_topics_are_those_of_px4(flight):
    _, ulog = flight
    names = [topic.name for topic in ulog.data_list]
    assert names == sorted(
        [
            "vehicle_local_position",
            "vehicle_global_position",
            "vehicle_attitude",
            "vehicle_angular_velocity",
            "vehicle_local_position_setpoint",
            "actuator_motors",
            "actuator_armed",
            "pyrfly_setpoint_mask",
            "pyrfly_rotor_speed",
            "vehicle_status",
        ],
        key=names.index,
    )
    assert not ulog.file_corruption
    assert ulog.msg_info_dict["sys_name"] == ulog.msg_info_dict["ver_hw"] == "pyrfly"
    assert ulog.msg_info_dict["ver_sw"] == pyrfly.__version__
    assert ".".join(map(str, ulog.get_version_info()[:3])) == pyrfly.__version__


def test_values_are_those_of_the_log(flight):
    log, ulog = flight
    local = data(ulog, "vehicle_local_position")
    np.testing.assert_array_equal(local["timestamp"], np.round(log.time * 1e6).astype(int))
    for axis, name in enumerate("xyz"):
        np.testing.assert_allclose(local[name], log["pos"][:, 1, axis], rtol=1e-6, atol=1e-9)
        np.testing.assert_allclose(local[f"v{name}"], log["vel"][:, 1, axis], rtol=1e-6, atol=1e-9)
    assert local["ref_lat"][0] == HOME[0]
    assert set(local["xy_valid"]) == {1}
    attitude = data(ulog, "vehicle_attitude")
    for part in range(4):
        np.testing.assert_allclose(attitude[f"q[{part}]"], log["att"][:, 1, part], atol=1e-7)
    speed = data(ulog, "pyrfly_rotor_speed")
    np.testing.assert_array_equal(speed["rotor_speed[3]"], log["rotor_speed"][:, 1, 3])
    np.testing.assert_array_equal(data(ulog, "actuator_armed")["armed"], log["armed"][:, 1])


def test_heading_is_that_of_the_attitude(flight):
    log, ulog = flight
    w, x, y, z = log["att"][:, 1].T
    yaw = np.arctan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))
    np.testing.assert_allclose(data(ulog, "vehicle_local_position")["heading"], yaw, atol=1e-6)


def test_global_positions_have_the_height_above_sea(flight):
    log, ulog = flight
    position = data(ulog, "vehicle_global_position")
    np.testing.assert_allclose(position["alt"], 488.0 - log["pos"][:, 1, 2], atol=1e-4)
    assert position["lat"][0] == pytest.approx(HOME[0] + np.degrees(5 / 6_378_137), rel=1e-8)


def test_motors_that_are_not_there_are_nan(flight):
    log, ulog = flight
    motors = data(ulog, "actuator_motors")
    np.testing.assert_allclose(motors["control[3]"], log["throttle"][:, 1, 3], rtol=1e-6)
    assert np.isnan(motors["control[4]"]).all()
    assert "control[11]" in motors


def test_set_points_that_are_not_active_are_nan(flight):
    log, ulog = flight
    setpoint = data(ulog, "vehicle_local_position_setpoint")
    assert np.isnan(setpoint["x"][0])
    assert setpoint["x"][-1] == pytest.approx(log["pos_sp"][-1, 1, 0])


def exported(recorder, path, flights=None):
    """Return log and ULog file of what a recorder has, and of what happened on flights."""
    from pyulog import ULog

    log = recorder.log()
    log.metadata.update(notes_of_flights(flights or {}, 0.0) if flights else {})
    export_log(log, path)
    return log, ULog(str(path))


def changes(ulog, field):
    """Return when a field of the status has changed [s], and to what."""
    found = data(ulog, "vehicle_status")
    at = np.flatnonzero(np.diff(found[field].astype(int), prepend=-1))
    return [(found["timestamp"][i] / 1e6, int(found[field][i])) for i in at]


@pytest.fixture(scope="module")
def mission_flight(tmp_path_factory):
    """Return results, log and ULog file of a mission that ends with a return."""
    sim = Sim("x450")
    items = (TakeOff((0.0, 0.0, -2.0)), Waypoint((1.0, 0.0, -2.0)), ReturnToLaunch())
    recorder = Recorder(sim, COLUMNS)
    flights = fly_missions(sim, {1: Mission(items)}, recorder=recorder)
    sim.armed[:] = 0
    sim.run(0.1, record=recorder)
    return flights[1], *exported(recorder, tmp_path_factory.mktemp("ulog") / "a.ulg", flights)


def test_modes_of_a_mission_are_those_of_px4(mission_flight):
    flight, _, ulog = mission_flight
    *_, waypoint, _ = (item.time for item in flight.items)
    modes = changes(ulog, "nav_state")
    assert [mode for _, mode in modes] == [3, 5, 4]  # AUTO_MISSION, AUTO_RTL, AUTO_LOITER
    np.testing.assert_allclose([at for at, _ in modes], [0.0, waypoint, flight.time], atol=0.02)
    armed = changes(ulog, "arming_state")
    assert [state for _, state in armed][-2:] == [2, 1]


def test_what_is_said_of_a_mission_is_logged(mission_flight):
    flight, _, ulog = mission_flight
    (text,) = ulog.logged_messages
    assert (text.log_level_str(), text.message) == ("INFO", "Mission finished: all items flown")
    assert text.timestamp / 1e6 == pytest.approx(flight.time)


def test_parameters_are_those_of_the_vehicle(mission_flight):
    from pyulog.px4 import PX4ULog

    _, log, ulog = mission_flight
    assert PX4ULog(ulog).get_mav_type() == "Quadrotor"
    initial = ulog.initial_parameters
    assert initial["MPC_XY_VEL_MAX"] == pytest.approx(float(Sim("x450").groups[0].speed_limit[0]))
    assert (initial["SYS_AUTOSTART"], initial["MAV_TYPE"]) == (10016, 2)
    assert type(initial["SYS_AUTOSTART"]) is int
    assert type(initial["RTL_RETURN_ALT"]) is float
    named = log.metadata["parameters"]["1"]
    assert {name: initial[name] for name in named} == pytest.approx(named)


def test_notes_of_a_ulog_are_read_again(mission_flight, tmp_path):
    _, log, _ = mission_flight
    export_log(log, tmp_path / "a.ulg")
    again = Log.load(tmp_path / "a.ulg").metadata
    assert again["modes"] == log.metadata["modes"]
    assert again["texts"] == log.metadata["texts"]
    assert again["parameters"]["1"]["MPC_TILTMAX_AIR"] == pytest.approx(
        log.metadata["parameters"]["1"]["MPC_TILTMAX_AIR"]
    )


@pytest.mark.parametrize(
    ("action", "mode"),
    [
        ("hold", 4),
        ("warn", None),
        pytest.param("return", 5, marks=pytest.mark.slow),
        pytest.param("land", 18, marks=pytest.mark.slow),
    ],
)
def test_an_action_at_a_breach_is_a_mode(action, mode, tmp_path):
    sim = Sim("x450")
    fence = Fence(max_distance=2.0)
    items = (TakeOff((0.0, 0.0, -2.0)), Waypoint((3.0, 0.0, -2.0)))
    recorder = Recorder(sim, ("pos", "armed"))
    flights = fly_missions(
        sim, {1: Mission(items, fence=fence)}, recorder=recorder, fence_action=action
    )
    _, ulog = exported(recorder, tmp_path / "a.ulg", flights)
    (breach,) = flights[1].breaches
    modes = changes(ulog, "nav_state")
    found = [number for at, number in modes if at == pytest.approx(breach.time, abs=0.021)]
    assert found == ([] if mode is None else [mode])
    assert "Geofence breach: more than 2 m from home" in [m.message for m in ulog.logged_messages]


def test_a_vehicle_that_a_program_flies_is_offboard(tmp_path):
    sim = Sim("x450")
    recorder = Recorder(sim, ("pos", "armed"))
    sim.run(0.04, record=recorder)
    sim.armed[:] = 1
    sim.run(0.04, record=recorder)
    _, ulog = exported(recorder, tmp_path / "a.ulg")
    assert [mode for _, mode in changes(ulog, "nav_state")] == [4, 14]


SETS = [name for family in FAMILIES for name in names(family)[:1]]
VTOLS = [n for n in names() if abilities(n).transition]


@pytest.mark.parametrize("name", dict.fromkeys([*SETS, *VTOLS[:1]]))
def test_the_kind_of_vehicle_is_that_of_px4(name, tmp_path):
    able = abilities(name)
    recorder = Recorder(Sim(name), ("pos",))
    recorder.sample()
    _, ulog = exported(recorder, tmp_path / "a.ulg")
    hovers = bool(able.kind & Kind.HOVERS)
    dives = bool(able.kind & Kind.DIVES)
    kinds = ((dives, 0), (able.kind.on_surface, 3), (able.kind.circles, 2), (hovers, 1), (True, 0))
    assert changes(ulog, "vehicle_type") == [(0.0, next(k for found, k in kinds if found))]
    assert changes(ulog, "is_vtol") == [(0.0, int(able.transition is not None))]


@pytest.mark.skipif(not VTOLS, reason="there are no VTOLs")
def test_a_vtol_is_a_fixed_wing_while_its_wings_carry_it(tmp_path):
    sim = Sim(VTOLS[0])
    (group,) = sim.groups
    name = group.abilities.transition.state
    recorder = Recorder(sim, ("pos", name))
    for state in (VtolState.MC, VtolState.TRANSITION_TO_FW, VtolState.FW):
        sim.step(1)
        group.view(name)[:] = state
        recorder.sample()
    _, ulog = exported(recorder, tmp_path / "a.ulg")
    assert data(ulog, "vehicle_status")["vehicle_type"].tolist() == [1, 1, 2]
    assert data(ulog, "vehicle_status")["in_transition_mode"].tolist() == [0, 1, 0]


@pytest.mark.parametrize("name", SETS)
def test_parameters_have_the_types_of_px4(name):
    for parameter, value in initial_parameters(Sim(name))["1"].items():
        assert type(value) is (int if PARAMETERS[parameter].kind == "INT32" else float), parameter


@pytest.mark.parametrize(
    "metadata",
    [
        {"modes": 3},
        {"modes": [[0.0, 1]]},
        {"modes": [[0.0, 1, "MISSION"]]},
        {"modes": [["now", 1, 3]]},
        {"texts": [[0.0, 1, 9, "a"]]},
        {"texts": [[0.0, 1, 6, 5]]},
        {"texts": [[-1.0, 1, 6, "a"]]},
        {"parameters": []},
        {"parameters": {"1": {"A B": 1.0}}},
        {"parameters": {"1": {"MAV_TYPE": 2**31}}},
        {"parameters": {"1": {"MAV_TYPE": "2"}}},
        {"parameters": {"x": {}}},
    ],
)
def test_notes_that_are_damaged_are_refused(metadata, flight, tmp_path):
    log, _ = flight
    damaged = Log(log.time, log.copter_ids, log.columns, log.fields, log.metadata | metadata)
    with pytest.raises(ValueError, match=f"^{next(iter(metadata))}: expected"):
        export_log(damaged, tmp_path / "a.ulg")


def test_states_of_all_modes_have_a_number():
    from pyrfly.autopilot import FlightMode
    from pyrfly.mavlink.modes import nav_state

    assert len({nav_state(mode) for mode in FlightMode}) == len(FlightMode)
    assert nav_state(FlightMode.HOLD) == NavState.AUTO_LOITER == 4
    assert nav_state(FlightMode.STABILIZED) == 15
