"""Between the verbs of a controller and the vehicles: in process, or over UDP."""

from pyrfly.ctrl.link.in_process import InProcessLink
from pyrfly.ctrl.link.link import Link
from pyrfly.ctrl.link.udp import UdpLink

__all__ = ["InProcessLink", "Link", "UdpLink"]
