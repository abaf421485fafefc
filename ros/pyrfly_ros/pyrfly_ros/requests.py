"""What a node takes: set-points and services, `Requests`."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly.server import Budget, Count, LinkStats
from pyrfly.server.orders import Action, SetPoints
from pyrfly.sim import Sim
from pyrfly_ros.fields import seconds
from pyrfly_ros.naming import Naming, message_type
from pyrfly_ros.pauses import Pauses
from pyrfly_ros.services import SERVICES, Done, Service, executed
from pyrfly_ros.set_points import SET_POINTS, Refused, SetPoint, Vehicle, fleet, in_sil

__all__ = ["MOST_WAITING", "Requests"]

MOST_WAITING = 10_000
"""Number of messages that wait to be executed; further ones are dropped."""

DEPTH = 10
"""Of queues of messages that come."""

_PATIENCE = 10.0
"""How long a service waits for the server [s]."""

_LOOK = 0.1
"""How often it looks whether the server has ended [s]."""

_NOT_DONE = "not done: the server has ended, or waits for another link"

_QUIET = 5.0
"""Real time between two warnings [s]."""


class Requests:
    """Takes set-points and services in the thread of ROS, and executes them in that of the server.

    Parameters
    ----------
    sim : Sim
        The vehicles.
    node : rclpy.node.Node
        The node.
    naming : Naming
        What is called how.
    ids : ndarray of int
        Vehicles with topics and services of their own.
    stats : LinkStats
        Where messages are counted.
    act : callable
        Executes an action.
    pauses : Pauses
        Whether simulated time stands.
    """

    def __init__(
        self,
        sim: Sim,
        node: Any,
        naming: Naming,
        ids: NDArray[np.intp],
        stats: LinkStats,
        act: Callable[[Action], None],
        pauses: Pauses,
    ) -> None:
        self._sim, self._node, self._naming, self._stats = sim, node, naming, stats
        self._act, self._pauses = act, pauses
        self._waiting: deque[Callable[[], None]] = deque()
        self._lost = 0  # messages since the last tick
        self._thrusts: dict[int, float] = {}
        self._over = threading.Event()
        for vehicle in ids.tolist():
            self._open_vehicle(vehicle)
        self._open_services("~/", np.arange(1, sim.n + 1))
        self._subscribe("fleet/set_points", "std_msgs/Float64MultiArray", 1, self._fly_fleet)
        for name, serve in (("pause", self._pause), ("step", self._step)):
            self._node.create_service(
                message_type(_SERVICES[name]), f"~/{name}", self._answering(serve)
            )

    def _open_vehicle(self, vehicle: int) -> None:
        space = self._naming.space(vehicle)
        for name, kind in SET_POINTS.items():
            fly = partial(self._fly, kind, vehicle)
            self._subscribe(f"{space}/{name}", kind.message, vehicle, fly)
        give = partial(self._give_inputs, vehicle)
        self._subscribe(f"{space}/in_sil", "std_msgs/Float64MultiArray", vehicle, give)
        keep = partial(self._keep_thrust, vehicle)
        self._subscribe(f"{space}/set_point/thrust", "std_msgs/Float64", vehicle, keep)
        self._open_services(f"{space}/", np.array([vehicle], np.intp))

    def _open_services(self, space: str, ids: NDArray[np.intp]) -> None:
        for name, service in SERVICES.items():
            answer = self._answering(partial(self._command, service, ids))
            self._node.create_service(message_type(service.kind), f"{space}{name}", answer)

    def _subscribe(
        self, topic: str, message: str, vehicle: int, execute: Callable[[Any], None]
    ) -> None:
        take = partial(self._put, execute, vehicle)
        self._node.create_subscription(message_type(message), topic, take, DEPTH)

    def execute(self, budget: Budget) -> None:
        """Execute what waits, as long as there is time for it."""
        lost, self._lost = self._lost, 0
        self._stats.add(Count.OVERFLOWED, 0, lost)
        while self._waiting and not budget.is_over():
            self._waiting.popleft()()

    def close(self) -> None:
        """Let services that wait answer that nothing is done."""
        self._over.set()

    # --- set-points

    def _put(self, execute: Callable[[Any], None], vehicle: int, message: Any) -> None:
        """Keep a message until the next tick."""
        if len(self._waiting) < MOST_WAITING:
            self._waiting.append(partial(self._take, execute, vehicle, message))
        else:
            self._lost += 1

    def _take(self, execute: Callable[[Any], None], vehicle: int, message: Any) -> None:
        count = Count.ACCEPTED
        try:
            self._require_past(message)
            execute(message)
        except Refused as error:
            count = error.count
            self._node.get_logger().warning(
                f"vehicle {self._naming.copter_id(vehicle)}: dropped: {error}",
                throttle_duration_sec=_QUIET,
            )
        self._stats.add([Count.RECEIVED, count], vehicle - 1)

    def _require_past(self, message: Any) -> None:
        """Raise where a message is of the future, as one with the time of day is."""
        header = getattr(message, "header", None)
        if header is None:
            return
        ahead = seconds(header.stamp) - self._sim.time
        if ahead > self._naming.settings["future"]:
            raise Refused(
                Count.NOT_FINITE,
                "header.stamp: expected simulated time (use_sim_time) or 0, "
                f"got one {ahead:.3g} s ahead of it",
            )

    def _fly(self, kind: SetPoint, vehicle: int, message: Any) -> None:
        world, body = (self._naming.frame(vehicle, frame) for frame in ("world", "body"))
        inputs = kind.inputs(message, Vehicle(world, body, self._thrusts.get(vehicle)))
        self._act(SetPoints(np.array([vehicle]), *inputs))

    def _give_inputs(self, vehicle: int, message: Any) -> None:
        for action in in_sil(message, vehicle):
            self._act(action)

    def _keep_thrust(self, vehicle: int, message: Any) -> None:
        if not 0 <= message.data <= 1:
            raise Refused(Count.NOT_FINITE, f"data: expected 0 to 1, got {message.data}")
        self._thrusts[vehicle] = message.data

    def _fly_fleet(self, message: Any) -> None:
        chosen, inputs = fleet(message, self._sim.n)
        if len(chosen):
            self._act(SetPoints(chosen + 1, *inputs))

    # --- services

    def _answering(self, serve: Callable[[Any, Done], str]) -> Callable[[Any, Any], Any]:
        """Return what answers a service, when the server has done what ``serve`` says.

        ``serve`` gets the request and what to call in the end, and returns what is refused, nothing
        if nothing is.
        """

        def answer(request: Any, response: Any) -> Any:
            done, refused = threading.Event(), [""]

            def execute() -> None:
                refused[0] = serve(request, done.set)
                if refused[0]:
                    done.set()

            self._waiting.append(execute)
            response.message = refused[0] if self._waited(done) else _NOT_DONE
            response.success = not response.message
            return response

        return answer

    def _waited(self, done: threading.Event) -> bool:
        end = time.monotonic() + _PATIENCE
        while not done.wait(_LOOK):
            if self._over.is_set() or time.monotonic() > end:
                return False
        return True

    def _command(self, service: Service, ids: NDArray[np.intp], request: Any, done: Done) -> str:
        refused = executed(self._sim, self._act, service, ids, request, self._naming.copter_id)
        done()
        return refused

    def _pause(self, request: Any, done: Done) -> str:
        self._pauses.set(request.data)
        done()
        return ""

    def _step(self, request: Any, done: Done) -> str:
        return self._pauses.step(self._naming.settings["step"], done)


_SERVICES = {"pause": "std_srvs/SetBool", "step": "std_srvs/Trigger"}
"""Types of the services of simulated time."""
