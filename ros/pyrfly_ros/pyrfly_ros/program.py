"""``ros2 run pyrfly_ros sim``: ``pyrfly sim`` with its options, and a node of ROS 2."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import rclpy
from rclpy.signals import SignalHandlerOptions
from rclpy.utilities import remove_ros_args

from pyrfly import cli
from pyrfly.errors import Error
from pyrfly.server.starts import Starts
from pyrfly.sim import Sim
from pyrfly_ros.link import RosLink

__all__ = ["main"]


class _BadParameter(Error, ValueError):
    """A parameter of the node is not valid."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the server; return its exit status, as `pyrfly.cli.main`.

    Parameters
    ----------
    argv : sequence of str, optional
        Options of ``pyrfly sim``, and arguments of ROS after ``--ros-args``; by default those of
        the process.
    """
    given = [*(sys.argv if argv is None else ["sim", *argv])]
    # The server ends at signals by itself, after its tick.
    rclpy.init(args=given, signal_handler_options=SignalHandlerOptions.NO)
    try:
        node = rclpy.create_node(
            "pyrfly",
            allow_undeclared_parameters=True,
            automatically_declare_parameters_from_overrides=True,
        )

        def links(sim: Sim, first_id: int, starts: Starts) -> list[RosLink]:
            try:
                return [RosLink(sim, node, first_id, starts)]
            except ValueError as error:
                raise _BadParameter(str(error)) from None

        return cli.main(["sim", *remove_ros_args(given)[1:]], links)
    finally:
        rclpy.try_shutdown()


if __name__ == "__main__":
    sys.exit(main())
