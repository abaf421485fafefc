"""examples/ros/truth.py, without ROS: its numbers, and its program with stand-ins for ROS."""

from __future__ import annotations

import importlib.util
import math
import socket
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

import pyrfly
from pyrfly import wire

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "ros" / "truth.py"

# Axes of ROS in ours [@ros REP 103].
ENU_OF_NED = np.array([[0, 1, 0], [1, 0, 0], [0, 0, -1]])
FLU_OF_FRD = np.diag([1, -1, -1])


@pytest.fixture(scope="module")
def truth() -> ModuleType:
    spec = importlib.util.spec_from_file_location("truth_example", EXAMPLE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_needs_no_ros_to_be_imported(truth: ModuleType) -> None:
    assert "rclpy" not in sys.modules
    assert truth.FIRST_PORT == 30101


def test_state_is_that_of_the_vehicle_in_the_frames_of_ros(truth: ModuleType) -> None:
    sim, rng = pyrfly.Sim("x450", 20), np.random.default_rng(4)
    att = Rotation.random(20, random_state=5)
    sim.att[:] = att.as_quat()[:, [3, 0, 1, 2]]
    for column in (sim.pos, sim.vel, sim.rate):
        column[:] = rng.normal(0, 5, (20, 3))
    for i, packet in enumerate(wire.pack(sim, "SOut2Simulator")):
        state = truth.odometry(packet.tobytes())
        body = FLU_OF_FRD @ att[i].inv().as_matrix()
        assert state.time == 0
        np.testing.assert_allclose(state.position, ENU_OF_NED @ sim.pos[i])
        np.testing.assert_allclose(state.angular, FLU_OF_FRD @ sim.rate[i], rtol=1e-6)
        np.testing.assert_allclose(state.linear, body @ sim.vel[i], atol=1e-5)
        np.testing.assert_allclose(
            Rotation.from_quat(state.orientation).as_matrix(),
            ENU_OF_NED @ att[i].as_matrix() @ FLU_OF_FRD,
            atol=1e-6,
        )


def test_a_vehicle_that_heads_east_has_no_yaw(truth: ModuleType) -> None:
    sim = pyrfly.Sim("x450")
    half = math.sqrt(0.5)
    sim.att[:] = [half, 0, 0, half]
    sim.vel[:] = [0, 3, 0]
    state = truth.odometry(wire.pack(sim, "SOut2Simulator")[0].tobytes())
    assert np.abs(state.orientation) == pytest.approx([0, 0, 0, 1], abs=1e-6)
    assert state.linear == pytest.approx([3, 0, 0], abs=1e-6)


@pytest.mark.parametrize("name", ["outCopterStruct", "Ue4CMDGPS", "CopterSimCrash"])
def test_other_packets_of_the_port_are_not_about_the_state(truth: ModuleType, name: str) -> None:
    assert truth.odometry(wire.blank(name)[0].tobytes()) is None


@pytest.mark.parametrize("bad", [math.nan, math.inf])
@pytest.mark.parametrize("field", ["runnedTime", "PosE", "VelE", "RateB", "AngQuatern"])
def test_a_state_that_is_not_finite_is_none(truth: ModuleType, field: str, bad: float) -> None:
    packet = wire.pack(pyrfly.Sim("x450"), "SOut2Simulator")
    packet[field] = bad
    assert truth.odometry(packet[0].tobytes()) is None


@given(data=st.binary(max_size=300) | st.binary(min_size=168, max_size=168))
def test_any_bytes_are_a_state_or_none(truth: ModuleType, data: bytes) -> None:
    assert truth.odometry(data) is None or len(data) == 168


def message() -> SimpleNamespace:
    """Return an empty Odometry."""

    def part(*names: str) -> SimpleNamespace:
        return SimpleNamespace(**{name: SimpleNamespace() for name in names})

    return SimpleNamespace(
        header=part("stamp"),
        pose=SimpleNamespace(pose=part("position", "orientation")),
        twist=SimpleNamespace(twist=part("linear", "angular")),
    )


class Ros:
    """As much of rclpy as the program uses; ends when there are messages."""

    def __init__(self, port: int, packets: list[bytes]) -> None:
        self.published: list[SimpleNamespace] = []
        self.topics: list[str] = []
        self.port, self.packets = port, packets
        self.link = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)

    def init(self) -> None:
        pass

    def create_node(self, name: str) -> Ros:
        return self

    def create_publisher(self, kind: object, topic: str, depth: int) -> Ros:
        self.topics.append(topic)
        return self

    def publish(self, message: SimpleNamespace) -> None:
        self.published.append(message)

    def ok(self) -> bool:
        for packet in self.packets:
            self.link.sendto(packet, ("127.0.0.1", self.port))
        return not self.published


def test_program_publishes_what_comes(truth: ModuleType, monkeypatch, first_port) -> None:
    sim = pyrfly.Sim("x450", 3)
    sim.pos[2] = [1, 2, -3]
    sim.step(2500)
    sim.pos[2] = [1, 2, -3]
    first = first_port(3) + 10001
    packet = wire.pack(sim, "SOut2Simulator", 3)[0].tobytes()
    ros = Ros(first + 4, [b"garbage", packet])
    monkeypatch.setitem(sys.modules, "rclpy", ros)
    monkeypatch.setitem(
        sys.modules, "nav_msgs", SimpleNamespace(msg=SimpleNamespace(Odometry=message))
    )
    monkeypatch.setattr(truth, "FIRST_PORT", first)
    truth.main(3)
    ros.link.close()
    assert ros.topics == ["vehicle_3/odometry"]
    sent = ros.published[0]
    assert vars(sent.pose.pose.position) == {"x": 2, "y": 1, "z": 3}
    assert (sent.header.stamp.sec, sent.header.stamp.nanosec) == (2, 500_000_000)
    assert (sent.header.frame_id, sent.child_frame_id) == ("map", "base_link")
