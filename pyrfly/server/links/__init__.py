"""Ways to connect to a server, one per file: ``from pyrfly.server.links.px4 import Px4Link``."""
