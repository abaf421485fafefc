"""Ways to connect to a server, one per file."""

from pyrfly.server.links.mavlink import MavlinkLink
from pyrfly.server.links.px4 import Px4Link
from pyrfly.server.links.rflysim import RflySimLink

__all__ = ["MavlinkLink", "Px4Link", "RflySimLink"]
