"""Between the methods of a controller and the vehicles: in process, over UDP, or by MAVLink.

In the order of what they use: `targets` are what a link is given, `state` what it knows,
`protocols` what methods may need of it; `in_process`, `udp` (with `packets`, `receiver` and
`received`) and `mavlink` (with `mavlink_messages`, `mavlink_sender`, `mavlink_receiver`,
`mavlink_state` and the transports; `simulator_mavlink` has RflySim's ports besides) are the links,
and `connection` chooses one by what `com` says.
"""

from pyrfly.ctrl.link.com import parsed_com
from pyrfly.ctrl.link.connection import Place, connect, remote_link
from pyrfly.ctrl.link.in_process import InProcessLink
from pyrfly.ctrl.link.mavlink import MavlinkLink
from pyrfly.ctrl.link.protocols import Link
from pyrfly.ctrl.link.udp import UdpLink

__all__ = [
    "InProcessLink",
    "Link",
    "MavlinkLink",
    "Place",
    "UdpLink",
    "connect",
    "parsed_com",
    "remote_link",
]
