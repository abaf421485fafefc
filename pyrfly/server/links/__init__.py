"""Ways to connect to a server, one per file."""

from pyrfly.server.links.rflysim import RflySimLink

__all__ = ["RflySimLink"]
