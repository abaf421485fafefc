"""Topics of all vehicles together: `FLEET`, a row for each."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly.sim import Sim
from pyrfly_ros.frames import flipped
from pyrfly_ros.topics import pose

__all__ = ["FLEET", "STATE", "FleetTopic", "states"]

STATE = "x y z qx qy qz qw vx vy vz wx wy wz"
"""Numbers of a vehicle in ``fleet/states``: place and orientation in the world, linear and angular
velocity in axes of the body, all as in its odometry."""


class FleetTopic(NamedTuple):
    """What is published of all vehicles.

    Attributes
    ----------
    message : str
        Its type.
    rate : float
        How often by default [Hz of simulated time].
    fill : callable
        Writes a message; parts that it lacks it makes by a function of their type.
    """

    message: str
    rate: float
    fill: Callable[[Any, Sim, Callable[[str], Any]], None]


def states(sim: Sim) -> NDArray[np.float64]:
    """Return the states of all vehicles, (n, 13), as `STATE` says."""
    everyone = np.arange(1, sim.n + 1)
    chosen = sim.select(everyone)
    where = pose(sim, everyone)
    return np.column_stack(
        [
            where["position"],
            where["orientation"],
            flipped(chosen.read("vel_body").astype(np.float64)),
            flipped(chosen.read("rate").astype(np.float64)),
        ]
    )


def _fill_states(message: Any, sim: Sim, new: Callable[[str], Any]) -> None:
    table = states(sim)
    if not message.layout.dim:
        for label, size, stride in (
            ("vehicle", len(table), table.size),
            (STATE, table.shape[1], table.shape[1]),
        ):
            dim = new("std_msgs/MultiArrayDimension")
            dim.label, dim.size, dim.stride = label, size, stride
            message.layout.dim.append(dim)
    message.data = array("d", table.tobytes())


def _fill_poses(message: Any, sim: Sim, new: Callable[[str], Any]) -> None:
    if not message.poses:
        message.poses = [new("geometry_msgs/Pose") for _ in range(sim.n)]
    where = pose(sim, np.arange(1, sim.n + 1))
    rows = zip(where["position"].tolist(), where["orientation"].tolist(), strict=True)
    for one, (place, turn) in zip(message.poses, rows, strict=True):
        one.position.x, one.position.y, one.position.z = place
        one.orientation.x, one.orientation.y, one.orientation.z, one.orientation.w = turn


FLEET: Mapping[str, FleetTopic] = MappingProxyType(
    {
        "fleet/states": FleetTopic("std_msgs/Float64MultiArray", 50.0, _fill_states),
        "fleet/poses": FleetTopic("geometry_msgs/PoseArray", 10.0, _fill_poses),
    }
)
"""Topics by their names; rows of vehicles are in the order of CopterIDs."""
