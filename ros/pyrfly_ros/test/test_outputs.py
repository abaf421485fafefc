"""What comes over real topics."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pyrfly_ros.naming
import pyrfly_ros.outputs
import pytest
from pyrfly_ros.fields import seconds
from pyrfly_ros.fleet import FLEET, states
from pyrfly_ros.topics import TOPICS

from pyrfly import Sim


@pytest.fixture
def sensing() -> Sim:
    sim = Sim("x450", 2)
    sim.sensors.enable_all("px4")
    sim.reset(pos=[[1, 2, -3], [1, 5, -3]])
    return sim


def test_every_topic_of_a_vehicle_comes_with_its_frame_and_time(world, sensing) -> None:
    here = world(sensing, {"rates.points": 2.0, "lidar.columns": 8, "prefix": "uav"}, first_id=5)
    kinds = {name: topic.message for name, topic in TOPICS.items()}
    kinds["points"] = "sensor_msgs/PointCloud2"
    heard = {name: here.hear(f"/uav6/{name}", kind) for name, kind in kinds.items()}
    here.until(lambda: all(heard.values()))
    for name, (first, *_) in heard.items():
        if not hasattr(first, "header"):
            continue
        frame = TOPICS[name].frame if name in TOPICS else "body"
        expected = {"world": "map", "body": "uav6/base_link"}.get(frame, f"uav6/{frame}")
        assert first.header.frame_id == expected, name
        assert 0 <= seconds(first.header.stamp) <= sensing.time
    assert heard["odometry"][0].child_frame_id == "uav6/base_link"
    cloud = heard["points"][0]
    assert (cloud.height, cloud.width, len(cloud.data)) == (16, 8, 16 * 8 * cloud.point_step)


def test_odometry_is_that_of_its_vehicle(world, sensing) -> None:
    here = world(sensing)
    sensing.sensors.disable("imu")
    found = here.hear("/vehicle_2/odometry", "nav_msgs/Odometry")
    here.until(lambda: found)
    place = found[0].pose.pose.position
    assert (place.x, place.y) == pytest.approx((5, 1), abs=1e-3)
    assert place.z == pytest.approx(3, abs=0.5)


def test_topics_come_at_their_rates_and_those_of_rate_0_do_not_exist(world, sensing) -> None:
    rates = {"rates.odometry": 20.0, "rates.pose": 0.0, "rates.imu.data_raw": 50.0}
    here = world(sensing, rates)
    odometry = here.hear("/vehicle_1/odometry", "nav_msgs/Odometry")
    imu = here.hear("/vehicle_1/imu/data_raw", "sensor_msgs/Imu")
    here.until(lambda: len(odometry) > 20 and len(imu) > 20)
    for found, rate in ((odometry, 20), (imu, 50)):
        times = np.array([seconds(message.header.stamp) for message in found[:20]])
        assert np.median(np.diff(times)) == pytest.approx(1 / rate, abs=1e-6)
    names = [name for name, _ in here.node.get_topic_names_and_types()]
    assert "/vehicle_1/pose" not in names


def test_a_sample_has_the_time_of_its_update(world, sensing) -> None:
    here = world(sensing)
    fixes = here.hear("/vehicle_1/gps/fix", "sensor_msgs/NavSatFix")
    here.until(lambda: len(fixes) > 3)
    stamps = [seconds(fix.header.stamp) for fix in fixes]
    assert np.diff(stamps)[:3] == pytest.approx(0.2, abs=1e-6)  # 5 Hz
    assert all(round(stamp * 250, 6).is_integer() for stamp in stamps)


def test_the_clock_is_simulated_time(world) -> None:
    here = world()
    clock = here.hear("/clock", "rosgraph_msgs/Clock")
    here.until(lambda: len(clock) > 5)
    times = [seconds(message.clock) for message in clock]
    assert times == sorted(times)
    assert times[-1] <= here.sim.time + 1e-9


def test_vehicles_without_topics_of_their_own_are_in_those_of_the_fleet(world) -> None:
    here = world(Sim("x450", 300), {"vehicles": ""})
    here.sim.reset(pos=np.random.default_rng(1).uniform(-50, 0, (300, 3)))
    here.sim.controllers = False
    table, poses = (here.hear(f"/{name}", topic.message) for name, topic in FLEET.items())
    here.server.paused = True
    here.server.paused = False
    here.until(lambda: table and poses)
    assert len(table[0].data) == 300 * 13
    assert [dim.size for dim in table[0].layout.dim] == [300, 13]
    assert len(poses[0].poses) == 300
    assert poses[0].header.frame_id == "map"
    assert np.reshape(table[0].data, (300, 13))[:, 0] == pytest.approx(states(here.sim)[:, 0])
    names = [name for name, _ in here.node.get_topic_names_and_types()]
    assert not [name for name in names if name.startswith("/vehicle_")]


def test_transforms_go_from_the_map_to_each_vehicle(world, sensing, monkeypatch) -> None:
    """With a stand-in for tf2_msgs/TFMessage: `transforms`, and no delivery."""
    sent: dict[str, list[Any]] = {"/tf": [], "/tf_static": []}
    known = pyrfly_ros.naming.message_type

    class TFMessage:
        def __init__(self) -> None:
            self.transforms: list[Any] = []

    def kind(name: str) -> Any:
        return TFMessage if name == "tf2_msgs/TFMessage" else known(name)

    def open_output(node: Any, name: str, message: str, qos: Any, period: int) -> Any:
        if name not in sent:
            return output(node, name, message, qos, period)
        one = SimpleNamespace(message=TFMessage(), period=period)
        one.is_due = lambda tick: tick % period == 0
        one.publish = lambda: sent[name].append(
            [
                (
                    t.header.frame_id,
                    t.child_frame_id,
                    t.transform.translation.x,
                    t.transform.rotation.w,
                )
                for t in one.message.transforms
            ]
        )
        return one

    output = pyrfly_ros.outputs.Output
    monkeypatch.setattr(pyrfly_ros.outputs, "Output", open_output)
    here = world(sensing)
    here.server.run(0.02)
    ((one, two),) = sent["/tf"]
    assert one[:3] == ("map", "vehicle_1/base_link", pytest.approx(2))
    assert two[:3] == ("map", "vehicle_2/base_link", pytest.approx(5))
    ((beam, _),) = sent["/tf_static"]
    assert beam == ("vehicle_1/base_link", "vehicle_1/range", 0, pytest.approx(np.sqrt(0.5)))
