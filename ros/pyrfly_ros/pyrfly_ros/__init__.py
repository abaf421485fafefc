"""Vehicles of pyrfly as topics and services of ROS 2.

`program` is what ``ros2 run pyrfly_ros sim`` runs: ``pyrfly sim`` with a `link.RosLink`, which
publishes by `outputs` what the tables of `topics` and `fleet` have, and takes by `requests` what
those of `set_points` and `services` have. `frames` converts axes, `parameters` has those of the
node. The tables need no ROS.
"""
