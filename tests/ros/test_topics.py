"""What is published, against the columns and closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from pyrfly_ros.fields import rows
from pyrfly_ros.fleet import FLEET, STATE, states
from pyrfly_ros.topics import RANGE_AXES, TOPICS, point_cloud
from scipy.spatial.transform import Rotation

from pyrfly import Sim
from pyrfly.sim.lidar import Lidar

from .conftest import message
from .test_frames import ENU_OF_NED, FLU_OF_FRD

EVERYONE = np.array([1, 2])


def values(sim: Sim, name: str, ids=EVERYONE):
    return TOPICS[name].values(sim, ids)


@pytest.fixture(scope="module")
def moving() -> Sim:
    sim, rng = Sim({"x450": 1, "rover": 1}), np.random.default_rng(3)
    for group in sim.groups:
        group.view("att")[:] = Rotation.random(1, random_state=5).as_quat()[:, [3, 0, 1, 2]]
        for column in ("pos", "vel", "rate"):
            group.view(column)[:] = rng.normal(0, 5, (1, 3))
    return sim


def test_odometry_is_the_state_in_the_axes_of_ros(moving: Sim) -> None:
    found = values(moving, "odometry")
    for i in range(2):
        att = Rotation.from_quat(moving.att[i][[1, 2, 3, 0]])
        np.testing.assert_allclose(found["pose.pose.position"][i], ENU_OF_NED @ moving.pos[i])
        np.testing.assert_allclose(
            Rotation.from_quat(found["pose.pose.orientation"][i]).as_matrix(),
            ENU_OF_NED @ att.as_matrix() @ FLU_OF_FRD,
            atol=1e-9,
        )
        np.testing.assert_allclose(
            found["twist.twist.linear"][i],
            FLU_OF_FRD @ att.inv().as_matrix() @ moving.vel[i],
            atol=1e-9,
        )
        np.testing.assert_allclose(found["twist.twist.angular"][i], FLU_OF_FRD @ moving.rate[i])


def test_a_vehicle_that_drives_east_moves_along_x() -> None:
    sim = Sim("x450")
    sim.att[:] = [np.sqrt(0.5), 0, 0, np.sqrt(0.5)]
    sim.vel[:] = [0, 3, 0]
    found = values(sim, "odometry", np.array([1]))
    np.testing.assert_allclose(np.abs(found["pose.pose.orientation"][0]), [0, 0, 0, 1], atol=1e-9)
    np.testing.assert_allclose(found["twist.twist.linear"][0], [3, 0, 0], atol=1e-9)


def test_states_of_a_fleet_are_the_odometry_of_each(moving: Sim) -> None:
    found, table = values(moving, "odometry"), states(moving)
    assert table.shape == (2, len(STATE.split()))
    np.testing.assert_array_equal(table, np.hstack(list(found.values())))


def test_a_fleet_has_a_layout_and_keeps_its_messages(moving: Sim) -> None:
    made: list[str] = []

    def new(kind: str):
        made.append(kind)
        if kind.endswith("Dimension"):
            return message(label="", size=0, stride=0)
        return message(position=(0, 0, 0), orientation=(0, 0, 0, 1))

    table, poses = message(layout={"dim": []}, data=[]), message(poses=[])
    for _ in range(2):
        FLEET["fleet/states"].fill(table, moving, new)
        FLEET["fleet/poses"].fill(poses, moving, new)
    assert [(dim.size, dim.stride) for dim in table.layout.dim] == [(2, 26), (13, 13)]
    assert len(made) == 4
    places = [[p.position.x, p.position.y, p.position.z] for p in poses.poses]
    np.testing.assert_array_equal(np.reshape(table.data, (2, 13))[:, :3], places)


@pytest.fixture(scope="module")
def resting() -> Sim:
    """A vehicle at rest that heads east, with sensors without errors."""
    sim = Sim("x450")
    sim.sensors.enable_all("ideal")
    sim.reset(pos=[0, 0, 0], yaw=np.pi / 2)
    sim.step(1000)
    return sim


def test_an_imu_at_rest_feels_the_ground_pushing_up(resting: Sim) -> None:
    found = values(resting, "imu/data_raw", np.array([1]))
    np.testing.assert_allclose(found["linear_acceleration"], [[0, 0, 9.8]], atol=0.02)
    np.testing.assert_allclose(found["angular_velocity"], 0, atol=1e-6)
    assert found["orientation_covariance"][0] == -1


def test_a_compass_that_heads_east_has_north_on_its_left(resting: Sim) -> None:
    (field,) = values(resting, "imu/mag", np.array([1]))["magnetic_field"]
    assert field[1] > 1e-5 > abs(field[0])
    assert field[2] < -1e-5  # down, north of the equator


def test_a_fix_is_where_the_vehicle_is(resting: Sim) -> None:
    found = values(resting, "gps/fix", np.array([1]))
    latitude, longitude, height = resting.origin
    assert found["latitude"][0] == pytest.approx(latitude, abs=1e-6)
    assert found["longitude"][0] == pytest.approx(longitude, abs=1e-6)
    assert found["altitude"][0] == pytest.approx(height, abs=0.5)
    assert found["status.status"].tolist() == [0]


def test_pressure_and_temperature_are_those_of_the_standard_atmosphere(resting: Sim) -> None:
    pressure = values(resting, "pressure", np.array([1]))["fluid_pressure"][0]
    height = resting.origin[2]
    assert pressure == pytest.approx(101325 * (1 - 2.25577e-5 * height) ** 5.25588, rel=1e-4)
    temperature = values(resting, "temperature", np.array([1]))["temperature"][0]
    assert temperature == pytest.approx(15 - 0.0065 * height, abs=0.1)


def test_variances_are_those_of_the_samples() -> None:
    sim = Sim("x450", 400)
    sim.sensors.enable_all("px4")
    sim.reset(seed=2)
    sim.step(100)
    ids = np.arange(1, 401)
    for name, value, variance in (
        ("imu/data_raw", "angular_velocity", "angular_velocity_covariance"),
        ("imu/mag", "magnetic_field", "magnetic_field_covariance"),
        ("pressure", "fluid_pressure", "variance"),
    ):
        found = values(sim, name, ids)
        said = np.reshape(found[variance], (400, -1))[0, 0]
        samples = np.reshape(found[value], (400, -1))[:, 0]
        assert samples.std() == pytest.approx(np.sqrt(said), rel=0.25), name


@pytest.mark.parametrize(("height", "range_"), [(5.0, 5.0), (0.01, -np.inf), (900.0, np.inf)])
def test_ranges_out_of_reach_are_infinite(height: float, range_: float) -> None:
    sim = Sim("x450")
    sim.sensors.enable("range", profile="ideal")
    sim.range_limits[:] = [0.1, 40]
    sim.reset(pos=[0, 0, -height])
    sim.step(1)
    found = values(sim, "range", np.array([1]))["range"][0]
    assert found == (range_ if np.isinf(range_) else pytest.approx(range_, abs=0.01))


def test_the_beam_of_a_range_finder_points_down() -> None:
    np.testing.assert_allclose(
        Rotation.from_quat(RANGE_AXES).apply([1, 0, 0]), [0, 0, -1], atol=1e-12
    )


def test_a_battery_that_is_discharged_has_a_negative_current() -> None:
    sim = Sim("x450")
    sim.power.enable()
    sim.reset()
    sim.arm()
    sim.command_position([0, 0, -3])
    sim.step(3000)
    found = values(sim, "battery", np.array([1]))
    assert found["current"][0] == pytest.approx(-sim.battery_current[0])
    assert found["current"][0] < -1
    assert 0 < found["percentage"][0] < 1


def test_free_outputs_are_passed_on() -> None:
    sim = Sim("x450", 2)
    sim.enable_part("free_outputs")
    sim.free_outputs[1, :3] = [1, 2, 3]
    found = values(sim, "out_copter_data")["data"]
    assert found.shape == (2, 32)
    assert found[1, :4].tolist() == [1, 2, 3, 0]


def test_a_lidar_sees_the_ground_below() -> None:
    sim = Sim("x450")
    sim.reset(pos=[0, 0, -10])
    lidar = Lidar([[[0, 0, 1], [1, 0, 1]], [[0, 1, 1], [0, 0, -1]]], maximum=50)
    topic = point_cloud(lidar, 5.0, lambda name, offset: (name, offset))
    (row,) = rows(topic.values(sim, np.array([1])), 1)
    assert (row["height"], row["width"], row["row_step"]) == (2, 2, 24)
    assert row["fields"] == [("x", 0), ("y", 4), ("z", 8)]
    points = np.frombuffer(row["data"], np.float32).reshape(4, 3)
    np.testing.assert_allclose(
        points, [[0, 0, -10], [10, 0, -10], [0, -10, -10], [np.nan] * 3], atol=1e-4
    )
