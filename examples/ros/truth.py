"""Publish the true state of a vehicle of `pyrfly sim` as nav_msgs/Odometry of ROS 2.

    pyrfly sim --vehicles x450 &
    python truth.py 1

The topic is vehicle_1/odometry, in the frames of ROS: east, north, up from the map centre, and a
body frame forward, left, up. Needs ROS 2 for Python (rclpy, nav_msgs); `odometry` does not.
"""

from __future__ import annotations

import math
import socket
import sys
from typing import Any, NamedTuple

from pyrfly import wire

FIRST_PORT = 30101  # of vehicle 1; the next ones have every second


class Odometry(NamedTuple):
    """Fields of nav_msgs/Odometry."""

    time: float  # s
    position: tuple[float, ...]  # m, east, north, up
    orientation: tuple[float, ...]  # quaternion x, y, z, w, from the body to east, north, up
    linear: tuple[float, ...]  # m/s, in the body frame forward, left, up
    angular: tuple[float, ...]  # rad/s, likewise


def odometry(packet: bytes) -> Odometry | None:
    """Return what a packet of the truth port says; None if it is not about a finite state."""
    try:
        name, record = wire.parse("truth", packet)
    except wire.Rejected:
        return None
    if name != "SOut2Simulator":
        return None
    time, position, velocity, rate, attitude = (
        record[key].tolist() for key in ("runnedTime", "PosE", "VelE", "RateB", "AngQuatern")
    )
    if not all(map(math.isfinite, (time, *position, *velocity, *rate, *attitude))):
        return None
    north, east, down = position
    p, q, r = rate
    w, x, y, z = attitude
    half = math.sqrt(0.5)
    forward, right, below = in_body(attitude, velocity)
    return Odometry(
        time,
        (east, north, -down),
        (half * (x + y), half * (x - y), half * (w - z), half * (w + z)),
        (forward, -right, -below),
        (p, -q, -r),
    )


def in_body(att: list[float], vector: list[float]) -> tuple[float, float, float]:
    """Return a vector in the frame of a body of this attitude, scalar first."""
    w, x, y, z = att
    a, b, c = vector
    return (
        (1 - 2 * (y * y + z * z)) * a + 2 * (x * y + w * z) * b + 2 * (x * z - w * y) * c,
        2 * (x * y - w * z) * a + (1 - 2 * (x * x + z * z)) * b + 2 * (y * z + w * x) * c,
        2 * (x * z + w * y) * a + 2 * (y * z - w * x) * b + (1 - 2 * (x * x + y * y)) * c,
    )


def fill(message: Any, state: Odometry) -> Any:
    """Write the fields of a message."""
    seconds = math.floor(state.time)
    message.header.stamp.sec = seconds
    message.header.stamp.nanosec = int((state.time - seconds) * 1e9)
    message.header.frame_id, message.child_frame_id = "map", "base_link"
    pose, twist = message.pose.pose, message.twist.twist
    pose.position.x, pose.position.y, pose.position.z = state.position
    turn = pose.orientation
    turn.x, turn.y, turn.z, turn.w = state.orientation
    twist.linear.x, twist.linear.y, twist.linear.z = state.linear
    twist.angular.x, twist.angular.y, twist.angular.z = state.angular
    return message


def main(vehicle: int) -> None:
    """Publish until ROS is shut down."""
    import rclpy
    from nav_msgs import msg

    rclpy.init()
    node = rclpy.create_node(f"pyrfly_truth_{vehicle}")
    publisher = node.create_publisher(msg.Odometry, f"vehicle_{vehicle}/odometry", 10)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as link:
        link.bind(("127.0.0.1", FIRST_PORT + 2 * (vehicle - 1)))
        link.settimeout(0.2)  # so that the end of ROS is noticed
        while rclpy.ok():
            try:
                state = odometry(link.recv(1024))
            except TimeoutError:
                continue
            if state is not None:
                publisher.publish(fill(msg.Odometry(), state))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
