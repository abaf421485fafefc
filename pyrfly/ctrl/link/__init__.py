"""Between the verbs of a controller and the vehicles: in process, or over UDP.

In the order of what they use: `targets` are what a link is given, `state` what it knows,
`protocols` what verbs may need of it; `in_process` and `udp` (with `packets`, `receiver` and
`received`) are the two links, and `connection` chooses one.
"""

from pyrfly.ctrl.link.connection import connect
from pyrfly.ctrl.link.in_process import InProcessLink
from pyrfly.ctrl.link.protocols import Link
from pyrfly.ctrl.link.udp import UdpLink

__all__ = ["InProcessLink", "Link", "UdpLink", "connect"]
