"""What a node publishes: `Outputs`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy, qos_profile_sensor_data

from pyrfly.server import Count, LinkStats
from pyrfly.sim import Sim
from pyrfly.sim.lidar import Lidar
from pyrfly_ros.fields import rows, stamp, write
from pyrfly_ros.fleet import FLEET
from pyrfly_ros.naming import Naming, message_type, new_message
from pyrfly_ros.parameters import CLOCK, POINTS, TF, rate_name
from pyrfly_ros.topics import RANGE_AXES, TOPICS, Topic, point_cloud, pose

__all__ = ["Output", "Outputs"]

DEPTH = 10
"""Of queues of topics that are delivered reliably."""

_CLOCK = QoSProfile(depth=1, reliability=ReliabilityPolicy.BEST_EFFORT)
_LATCHED = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
_TRANSFORMS = "tf2_msgs/TFMessage"


class Output:
    """A topic, with the message that is filled again and again.

    Parameters
    ----------
    node : rclpy.node.Node
        The node.
    name, message : str
        Names of the topic and of its type.
    qos : QoSProfile or int
        How it is delivered.
    period : int
        Steps between two messages.
    """

    def __init__(self, node: Any, name: str, message: str, qos: Any, period: int) -> None:
        self._publisher = node.create_publisher(message_type(message), name, qos)
        self.message = new_message(message)
        self.period = period

    def is_due(self, tick: int) -> bool:
        """Return whether a message is due, and somebody hears it."""
        return tick % self.period == 0 and bool(self._publisher.get_subscription_count())

    def publish(self, now: float | None = None) -> None:
        """Publish the message; with a header it gets the time ``now`` [s]."""
        if now is not None and hasattr(self.message, "header"):
            stamp(self.message.header.stamp, now)
        self._publisher.publish(self.message)


class Outputs:
    """The topics of vehicles, of the fleet, of transforms and of the clock.

    Parameters
    ----------
    sim : Sim
        The vehicles.
    node : rclpy.node.Node
        The node.
    naming : Naming
        What is called how.
    ids : ndarray of int
        Vehicles with topics of their own.
    stats : LinkStats
        Where messages are counted.
    """

    def __init__(
        self, sim: Sim, node: Any, naming: Naming, ids: NDArray[np.intp], stats: LinkStats
    ) -> None:
        self._sim, self._node, self._naming, self._stats = sim, node, naming, stats
        self._ids = ids
        self._sensor_steps = max(1, round(1 / (sim.sensors.rate * sim.dt)))
        self._last: dict[tuple[str, int], float] = {}
        self._topics = self._published()
        self._of_vehicles = {
            (name, vehicle): self._vehicle_output(name, topic, vehicle)
            for name, topic in self._topics.items()
            for vehicle in ids.tolist()
        }
        self._fleet = {
            name: self._fleet_output(name) for name in FLEET if naming.period(name, sim.dt)
        }
        self._clock = self._clock_output()
        self._transforms, self._fixed = self._transform_outputs()
        singles = [one for one in (self._clock, self._transforms) if one is not None]
        every = [*singles, *self._fleet.values(), *self._of_vehicles.values()]
        self._periods = {output.period for output in every}

    # --- topics

    def _published(self) -> dict[str, Topic]:
        """Return the topics of vehicles that have a rate, and what they need."""
        topics = dict(TOPICS)
        if self._naming.settings[rate_name(POINTS)]:
            topics[POINTS] = self._point_cloud()
        has_sensors = all(group.has("sensors_on") for group in self._sim.groups)
        return {
            name: topic
            for name, topic in topics.items()
            if self._naming.period(name, self._sim.dt) and (topic.sensor is None or has_sensors)
        }

    def _point_cloud(self) -> Topic:
        settings = self._naming.settings
        lidar = Lidar.spinning(
            settings["lidar.channels"],
            settings["lidar.columns"],
            maximum=settings["lidar.maximum"],
        )
        return point_cloud(lidar, settings[rate_name(POINTS)], _point_field)

    def _vehicle_output(self, name: str, topic: Topic, vehicle: int) -> Output:
        measured = topic.sensor is not None
        period = self._sensor_steps if measured else self._naming.period(name, self._sim.dt)
        qos = qos_profile_sensor_data if measured or name == POINTS else DEPTH
        place = f"{self._naming.space(vehicle)}/{name}"
        output = Output(self._node, place, topic.message, qos, period)
        if topic.frame:
            output.message.header.frame_id = self._naming.frame(vehicle, topic.frame)
        if hasattr(output.message, "child_frame_id"):
            output.message.child_frame_id = self._naming.frame(vehicle, "body")
        return output

    def _fleet_output(self, name: str) -> Output:
        period = self._naming.period(name, self._sim.dt)
        output = Output(self._node, name, FLEET[name].message, DEPTH, period)
        if hasattr(output.message, "header"):
            output.message.header.frame_id = self._naming.frame(0, "world")
        return output

    def _clock_output(self) -> Output | None:
        period = self._naming.period(CLOCK, self._sim.dt)
        if not period:
            return None
        return Output(self._node, "/clock", "rosgraph_msgs/Clock", _CLOCK, period)

    def _transform_outputs(self) -> tuple[Output | None, Output | None]:
        """Return transforms that change, and those that do not, which are published at once."""
        period = self._naming.period(TF, self._sim.dt)
        if not period or not len(self._ids):
            return None, None
        try:
            changing = Output(self._node, "/tf", _TRANSFORMS, DEPTH, period)
            fixed = Output(self._node, "/tf_static", _TRANSFORMS, _LATCHED, period)
        except ImportError:
            self._node.get_logger().warning("/tf is not published: tf2_msgs is not installed")
            return None, None
        for vehicle in self._ids.tolist():
            changing.message.transforms.append(self._transform(vehicle, "world", "body"))
            beam = self._transform(vehicle, "body", "range")
            write(beam, {"transform.rotation": RANGE_AXES})
            fixed.message.transforms.append(beam)
        fixed.publish()
        return changing, fixed

    def _transform(self, vehicle: int, parent: str, child: str) -> Any:
        transform = new_message("geometry_msgs/TransformStamped")
        transform.header.frame_id = self._naming.frame(vehicle, parent)
        transform.child_frame_id = self._naming.frame(vehicle, child)
        return transform

    # --- messages

    def due(self, tick: int) -> int | None:
        """Return how many steps after a tick something is to be published; None: nothing."""
        return min((period - tick % period for period in self._periods), default=None)

    def give(self, tick: int) -> None:
        """Publish what is due at a tick."""
        now = self._sim.time
        if self._clock is not None and tick % self._clock.period == 0:
            stamp(self._clock.message.clock, now)
            self._clock.publish()
        for name, output in self._fleet.items():
            if output.is_due(tick):
                FLEET[name].fill(output.message, self._sim, new_message)
                output.publish(now)
        if self._transforms is not None and self._transforms.is_due(tick):
            self._give_transforms(self._transforms, now)
        for name, topic in self._topics.items():
            due = [i for i in self._ids.tolist() if self._of_vehicles[name, i].is_due(tick)]
            if due:
                self._give_topic(name, topic, due, now)

    def _give_transforms(self, output: Output, now: float) -> None:
        where = pose(self._sim, self._ids)
        fields = rows({_PARTS[name]: value for name, value in where.items()}, len(self._ids))
        for transform, row in zip(output.message.transforms, fields, strict=True):
            stamp(transform.header.stamp, now)
            write(transform, row)
        output.publish()

    def _give_topic(self, name: str, topic: Topic, due: list[int], now: float) -> None:
        if topic.sensor is not None:
            now -= self._sensor_steps * self._sim.dt  # of the last update of the sensors
            due = self._with_news(name, int(topic.sensor), due, now)
            if not due:
                return
        ids = np.array(due, np.intp)
        for vehicle, row in zip(due, rows(topic.values(self._sim, ids), len(ids)), strict=True):
            output = self._of_vehicles[name, vehicle]
            write(output.message, row)
            output.publish(now)
        self._stats.add(Count.SENT, ids - 1)

    def _with_news(self, name: str, sensor: int, due: list[int], now: float) -> list[int]:
        """Return which vehicles have a new value, and are not too early for the rate."""
        updated = self._sim.select(due).read("sensors_updated") & sensor != 0
        between = (self._naming.period(name, self._sim.dt) - 0.5) * self._sim.dt
        found = []
        for vehicle, is_new in zip(due, updated.tolist(), strict=True):
            last = self._last.get((name, vehicle), -np.inf)
            if is_new and (now - last >= between or now < last):
                self._last[name, vehicle] = now
                found.append(vehicle)
        return found


_PARTS = {"position": "transform.translation", "orientation": "transform.rotation"}
"""Parts of a transform by those of a pose."""


def _point_field(name: str, offset: int) -> Any:
    field = new_message("sensor_msgs/PointField")
    field.name, field.offset, field.datatype, field.count = name, offset, field.FLOAT32, 1
    return field
