"""Set-points and services over real topics."""

from __future__ import annotations

import math

import pyrfly_ros.requests
import pytest
from geometry_msgs.msg import PoseStamped, QuaternionStamped, Twist, TwistStamped
from std_msgs.msg import Float64, Float64MultiArray

from pyrfly import Sim
from pyrfly.protocol.synthesis import THRUST, Offboard

TRIGGER, SWITCH = "std_srvs/Trigger", "std_srvs/SetBool"


def pose(x: float, y: float, z: float) -> PoseStamped:
    message = PoseStamped()
    message.pose.position.x, message.pose.position.y, message.pose.position.z = x, y, z
    return message


def test_a_vehicle_arms_takes_off_flies_and_lands(world) -> None:
    here = world()
    refused = here.call("/vehicle_2/take_off", TRIGGER)
    assert (refused.success, refused.message) == (False, "not armed: vehicles 2")
    assert here.call("/vehicle_2/arm", SWITCH, data=True).success
    assert here.sim.armed.tolist() == [0, 1]
    assert here.call("/vehicle_2/take_off", TRIGGER).success
    here.server.run(6)
    here.say("/vehicle_2/set_point/pose", pose(3.0, 4.0, 5.0))
    here.server.run(10)
    assert here.sim.pos[1] == pytest.approx([4, 3, -5], abs=0.1)
    assert here.call("/vehicle_2/land", TRIGGER).success
    here.server.run(15)
    assert not here.sim.armed.any()
    assert here.call("/vehicle_2/reset", TRIGGER).success
    assert here.sim.pos[1] == pytest.approx(here.sim.home[1])


def test_all_vehicles_obey_the_services_of_the_node(world) -> None:
    here = world(first_id=7)
    assert here.call("/pyrfly/arm", SWITCH, data=True).success
    assert here.sim.armed.all()
    assert here.call("/pyrfly/arm", SWITCH, data=False).success
    assert here.call("/pyrfly/land", TRIGGER).message == "not armed: vehicles 7, 8"


def test_a_twist_flies_along_the_nose(world) -> None:
    sim = Sim("x450")
    sim.reset(pos=[0, 0, -10], yaw=math.pi / 2)
    here = world(sim)
    here.call("/vehicle_1/arm", SWITCH, data=True)
    message = Twist()
    message.linear.x = 2.0
    here.say("/vehicle_1/cmd_vel", message)
    here.server.run(4)
    assert sim.vel[0] == pytest.approx([0, 2, 0], abs=0.05)


def test_the_last_thrust_counts_for_attitudes(world) -> None:
    here = world()
    here.say("/vehicle_1/set_point/attitude", QuaternionStamped())
    assert not here.sim.sil_ints[0, 1] & Offboard.THRUST
    here.say("/vehicle_1/set_point/thrust", Float64(data=0.25))
    here.say("/vehicle_1/set_point/attitude", QuaternionStamped())
    assert here.sim.sil_ints[0, 1] & Offboard.THRUST
    assert here.sim.sil_floats[0, THRUST] == 0.25


def test_inputs_of_the_model_are_written(world) -> None:
    here = world()
    numbers = [0.0, 0.0, 0.0, 5.0, 0.0, 0.0, 0.0, 0.0, *[0.0] * 16, 1.0, 2.0, 3.0, 4.0]
    here.say("/vehicle_1/in_sil", Float64MultiArray(data=numbers))
    assert here.sim.sil_ints[0].tolist() == numbers[:8]
    assert here.sim.sil_floats[0].tolist() == numbers[8:]


def test_a_fleet_flies_by_one_message(world) -> None:
    here = world(Sim("x450", 30), {"vehicles": ""})
    assert here.call("/pyrfly/arm", SWITCH, data=True).success
    table = [number for i in range(30) for number in (float(i), 2.0, 5.0, 0.0)]
    here.say("/fleet/set_points", Float64MultiArray(data=table))
    here.server.run(15)
    assert here.sim.pos[29] == pytest.approx([2, 29, -5], abs=0.1)


@pytest.mark.parametrize(
    ("topic", "message", "count"),
    [
        ("/vehicle_1/set_point/pose", pose(math.nan, 0.0, 0.0), "not_finite"),
        ("/vehicle_1/in_sil", Float64MultiArray(data=[0.0] * 27), "bad_length"),
        ("/vehicle_1/set_point/thrust", Float64(data=1.5), "not_finite"),
        ("/vehicle_1/set_point/thrust", Float64(data=math.nan), "not_finite"),
        ("/fleet/set_points", Float64MultiArray(data=[0.0] * 7), "bad_length"),
    ],
)
def test_bad_messages_are_dropped_and_counted(world, topic, message, count) -> None:
    here = world()
    before = here.sim.sil_ints.copy()
    here.say(topic, message)
    assert here.link.stats[count] == 1
    assert (here.sim.sil_ints == before).all()


def test_messages_beyond_those_that_may_wait_are_dropped_and_counted(world, monkeypatch) -> None:
    monkeypatch.setattr(pyrfly_ros.requests, "MOST_WAITING", 0)
    here = world()
    publisher = here.user.create_publisher(Twist, "/vehicle_1/cmd_vel", 10)
    here.until(publisher.get_subscription_count)
    publisher.publish(Twist())
    here.until(lambda: here.link.stats["overflowed"])
    assert here.link.stats["received"] == 0


@pytest.mark.parametrize(("ahead", "count"), [(0.05, "accepted"), (1.7e9, "not_finite")])
def test_messages_of_the_future_are_dropped(world, ahead, count) -> None:
    """As those that have the time of day are."""
    here = world()
    message = TwistStamped()
    seconds = here.sim.time + ahead
    message.header.stamp.sec = int(seconds)
    message.header.stamp.nanosec = int(seconds % 1 * 1e9)
    here.say("/vehicle_1/set_point/velocity", message)
    assert here.link.stats[count] == 1


def test_time_stands_and_goes_on_by_steps(world) -> None:
    here = world(parameters={"step": 0.055})
    assert here.call("/pyrfly/step", TRIGGER).message == "not paused"
    here.server.start()
    answer = here.call("/pyrfly/pause", SWITCH, data=True)
    assert answer.success
    before = here.sim.time
    assert here.call("/pyrfly/step", TRIGGER).success
    assert here.sim.time - before == pytest.approx(0.06)
    assert here.call("/pyrfly/pause", SWITCH, data=False).success
    here.until(lambda: here.sim.time > before + 1, tick=0)
    here.server.stop()
