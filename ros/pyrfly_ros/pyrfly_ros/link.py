"""A server's vehicles in ROS 2: `RosLink`."""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import Any

import numpy as np
from rcl_interfaces.msg import SetParametersResult
from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor

from pyrfly.server import Budget
from pyrfly.server.input_link import InputLink
from pyrfly.server.link import NEVER
from pyrfly.server.starts import Starts
from pyrfly.sim import Sim
from pyrfly_ros.naming import Naming
from pyrfly_ros.outputs import Outputs
from pyrfly_ros.parameters import checked, ids_of
from pyrfly_ros.pauses import Pauses
from pyrfly_ros.requests import Requests

__all__ = ["RosLink"]

_PATIENCE = 10.0
"""How long the end waits for the thread of ROS [s]."""


class RosLink(InputLink):
    """Publishes vehicles of a server as topics of ROS 2, and takes set-points and services.

    A thread of its own takes what comes; the server executes it at the next tick, as it does with
    what comes by RflySim's ports. Topics that nobody hears cost nothing.

    Parameters
    ----------
    sim : Sim
        The vehicles; gets the synthesis columns if it has none yet.
    node : rclpy.node.Node
        The node; its parameters are read here.
    first_id : int
        CopterID of the first vehicle.
    starts : Starts, optional
        Where vehicles are put back to; by default where they are now.

    Raises
    ------
    ValueError
        A parameter is not valid.
    """

    name = "ros"

    def __init__(
        self, sim: Sim, node: Any, first_id: int = 1, starts: Starts | None = None
    ) -> None:
        super().__init__(sim, first_id, starts)
        settings = checked(_given(node))
        node.add_on_set_parameters_callback(_refusing)
        known = range(first_id, first_id + sim.n)
        ids = np.array(ids_of(settings["vehicles"], known), np.intp) - first_id + 1
        self._sim, self._node = sim, node
        self._naming = naming = Naming(settings, first_id)
        self._count = len(ids)
        self._paused = Pauses(sim, settings["paused"])
        self._outputs = Outputs(sim, node, naming, ids, self.stats)
        self._requests = Requests(
            *(sim, node, naming, ids, self.stats),
            lambda action: self.act(action),  # which `join` changes
            self._paused,
        )
        self._executor = SingleThreadedExecutor(context=node.context)
        self._executor.add_node(node)
        self._thread = threading.Thread(target=self._spin, name="pyrfly ros", daemon=True)
        self._thread.start()

    def _spin(self) -> None:
        with suppress(ExternalShutdownException):
            self._executor.spin()

    @property
    def pauses(self) -> bool:  # type: ignore[override]
        """See `Link.pauses`."""
        return self._paused.on

    def where(self) -> list[str]:
        """See `Link.where`."""
        space = self._node.get_namespace().rstrip("/")
        return [
            f"ros: node {self._node.get_fully_qualified_name()}, topics of {self._count} of "
            f"{self._sim.n} vehicles in {space}/{self._naming.settings['prefix']}<CopterID>"
        ]

    def take(self, budget: Budget) -> None:
        """See `Link.take`."""
        self._paused.look()
        self._requests.execute(budget)

    def _tick(self) -> int:
        return round(self._sim.time / self._sim.dt)

    def due(self, step: int) -> int:
        """See `Link.due`: by simulated time."""
        steps = self._outputs.due(self._tick())
        return NEVER if steps is None else step + steps

    def give(self, step: int) -> None:
        """See `Link.give`."""
        self._outputs.give(self._tick())

    def close(self) -> None:
        """See `Link.close`."""
        self._requests.close()
        self._executor.shutdown()
        self._thread.join(_PATIENCE)


def _given(node: Any) -> dict[str, Any]:
    """Return the parameters that are given to a node, without those of every node."""
    own = sorted(filter(_is_own, node.list_parameters([], 0).names))
    return {name: node.get_parameter(name).value for name in own}


def _is_own(parameter: str) -> bool:
    """Return whether a parameter is not one that every node has."""
    return parameter not in _OF_NODES and not parameter.startswith("qos_overrides.")


_OF_NODES = ("use_sim_time", "start_type_description_service")


def _refusing(parameters: list[Any]) -> SetParametersResult:
    """Refuse changes of parameters, which are read once."""
    own = [one.name for one in parameters if _is_own(one.name)]
    reason = f"{', '.join(own)}: parameters are read when the program starts"
    return SetParametersResult(successful=not own, reason=reason if own else "")
