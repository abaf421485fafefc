"""ULog files, read by pyulog."""

import numpy as np
import pytest

from pyrfly import Sim
from pyrfly.log import Recorder, export_log
from pyrfly.mission import Mission, TakeOff, Waypoint, fly_mission

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
        ],
        key=names.index,
    )
    assert not ulog.file_corruption
    assert ulog.msg_info_dict["sys_name"] == "pyrfly"


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
