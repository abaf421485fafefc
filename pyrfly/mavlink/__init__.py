"""MAVLink: messages as arrays, frames of many vehicles, received frames.

`blank` makes records of a message, arrays with the fields by name; a `FrameWriter` packs them for
many senders at once; `FrameParser` finds frames in received bytes. `MESSAGES` are the definitions
[@mavlink]. `constants` and `modes` have MAVLink's and PX4's numbers. Knows no simulation and no
sockets. Receiving needs pymavlink: ``pip install 'pyrfly[mavlink]'``.
"""

from pyrfly.mavlink.dialect import dialect
from pyrfly.mavlink.frames import DATAGRAM_LIMIT, Datagrams, FrameWriter
from pyrfly.mavlink.messages import MESSAGES, Message, blank, message_of, unpack
from pyrfly.mavlink.parser import Counts, Frame, FrameParser

__all__ = [
    "DATAGRAM_LIMIT",
    "MESSAGES",
    "Counts",
    "Datagrams",
    "Frame",
    "FrameParser",
    "FrameWriter",
    "Message",
    "blank",
    "dialect",
    "message_of",
    "unpack",
]
