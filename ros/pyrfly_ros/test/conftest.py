"""Vehicles in a real ROS 2, and a node that hears and commands them."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
import rclpy
from pyrfly_ros.link import RosLink
from pyrfly_ros.naming import message_type
from rclpy.executors import SingleThreadedExecutor
from rclpy.parameter import Parameter
from rclpy.qos import qos_profile_sensor_data

from pyrfly import Sim
from pyrfly.server import Server

PATIENCE = 20.0  # s, of a machine that is busy


@pytest.fixture(scope="session", autouse=True)
def _of_this_machine_alone() -> None:
    """Workers do not hear each other."""
    os.environ["ROS_AUTOMATIC_DISCOVERY_RANGE"] = "LOCALHOST"
    os.environ["ROS_DOMAIN_ID"] = str(1 + os.getpid() % 100)


class World:
    """A server with vehicles in ROS, and the node of a user."""

    def __init__(self, sim: Sim, parameters: Mapping[str, Any], first_id: int, node: Any) -> None:
        self.sim = sim
        given = [Parameter(name, value=value) for name, value in parameters.items()]
        self.node = node or rclpy.create_node(
            "pyrfly",
            parameter_overrides=given,
            allow_undeclared_parameters=True,
            automatically_declare_parameters_from_overrides=True,
        )
        self.link = RosLink(sim, self.node, first_id)
        self.server = Server(sim, mode=None, rate="max", links=[self.link])
        self.user = rclpy.create_node("user")
        self.heard: dict[str, list[Any]] = {}
        self._executor = SingleThreadedExecutor()
        self._executor.add_node(self.user)

    def until(self, done: Callable[[], Any], tick: float = 0.01) -> None:
        """Serve until something is so."""
        end = time.monotonic() + PATIENCE
        while not done():
            assert time.monotonic() < end, f"waited in vain, heard {sorted(self.heard)}"
            if tick:
                self.server.run(tick)
            self._executor.spin_once(timeout_sec=0.002)

    def hear(self, topic: str, kind: str) -> list[Any]:
        """Return the list to which messages of a topic come."""
        found = self.heard.setdefault(topic, [])
        self.user.create_subscription(
            message_type(kind), topic, found.append, qos_profile_sensor_data
        )
        return found

    def say(self, topic: str, message: Any) -> None:
        """Publish a message once its receiver is known, and serve until it is executed."""
        publisher = self.user.create_publisher(type(message), topic, 10)
        self.until(publisher.get_subscription_count)
        before = self.link.stats["received"]
        publisher.publish(message)
        self.until(lambda: self.link.stats["received"] > before)

    def call(self, service: str, kind: str, **request: Any) -> Any:
        """Return the answer of a service; serve for it unless the server runs."""
        kind_of_service = message_type(kind)
        tick = 0 if self.server.running else 0.01
        client = self.user.create_client(kind_of_service, service)
        self.until(client.service_is_ready, tick)
        future = client.call_async(kind_of_service.Request(**request))
        self.until(future.done, tick)
        return future.result()

    def close(self) -> None:
        self.server.close()
        self._executor.shutdown()
        self.node.destroy_node()
        self.user.destroy_node()


@pytest.fixture
def world() -> Iterator[Callable[..., World]]:
    """Return a function that makes a `World`."""
    made: list[World] = []
    rclpy.init()

    def make(
        sim: Sim | None = None,
        parameters: Mapping[str, Any] | None = None,
        first_id: int = 1,
        node: Any = None,
    ) -> World:
        made.append(World(sim or Sim("x450", 2), parameters or {}, first_id, node))
        return made[-1]

    yield make
    for one in made:
        one.close()
    rclpy.shutdown()
