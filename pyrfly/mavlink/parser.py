"""Received frames: `FrameParser`, `Frame`."""

from __future__ import annotations

import functools
from collections import Counter
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly import _core
from pyrfly.mavlink.dialect import decoder, dialect
from pyrfly.mavlink.messages import MESSAGES, MESSAGES_BY_ID, message_of
from pyrfly.mavlink.signing import SignatureCheck, checked_key, is_signed

__all__ = ["Counts", "Frame", "FrameParser"]

_KNOWN = np.dtype([("id", "u4"), ("crc_extra", "u1"), ("size", "u1"), ("reserved", "u1", (2,))])
"""A row of the table of messages of the core."""


class Frame(NamedTuple):
    """A received frame of MAVLink 1 or 2.

    Attributes
    ----------
    message_id : int
        Identifier of the message.
    system_id, component_id : int
        The sender.
    sequence : int
        Number of the frame among those of its sender, modulo 256.
    known : bool
        The checksum is right. That of a message which neither `MESSAGES` nor pymavlink has cannot
        be checked.
    raw : bytes
        The whole frame, as a relay sends it on.
    """

    message_id: int
    system_id: int
    component_id: int
    sequence: int
    known: bool
    raw: bytes

    @property
    def name(self) -> str:
        """Name of the message; ``UNKNOWN_`` and the identifier where it is not known."""
        message = MESSAGES_BY_ID.get(self.message_id)
        if message is not None:
            return message.name
        other = dialect().mavlink_map.get(self.message_id)
        return other.msgname if other is not None else f"UNKNOWN_{self.message_id}"

    @property
    def payload(self) -> bytes:
        """The fields, without zeros at the end."""
        begin = 10 if self.raw[0] == 0xFD else 6
        return self.raw[begin : begin + self.raw[1]]

    def record(self) -> np.void:
        """Return the fields of a message of `MESSAGES`.

        It is quick, and knows messages that pymavlink has not.

        Raises
        ------
        ValueError
            `MESSAGES` has no such message.
        """
        message = MESSAGES_BY_ID.get(self.message_id) or message_of(self.name)
        return message.record(self.payload)

    def message(self) -> Any:
        """Return the message of pymavlink.

        Returns
        -------
        pymavlink.dialects.v20.common.MAVLink_message
            A ``MAVLink_unknown`` where pymavlink does not know it.
        """
        return decoder().decode(bytearray(self.raw))


@dataclass
class Counts:
    """What a `FrameParser` has received.

    Attributes
    ----------
    frames : int
        Frames returned.
    unknown : int
        Those of them whose message is not known.
    lost : int
        Frames missing in the sequences of the senders.
    skipped_bytes : int
        Bytes outside of frames.
    bad_checksums : int
        Frames of known messages with a wrong checksum; their bytes are skipped, too.
    unsigned : int
        Frames without a signature, where a key is set; dropped.
    bad_signatures : int
        Frames with a wrong or an old signature, where a key is set; dropped.
    """

    frames: int = 0
    unknown: int = 0
    lost: int = 0
    skipped_bytes: int = 0
    bad_checksums: int = 0
    unsigned: int = 0
    bad_signatures: int = 0


class FrameParser:
    """Parser of the bytes that arrive over a link.

    The core finds the frames and checks their checksums; pymavlink decodes them, when
    `Frame.message` asks for it. Its own parser is not used: it decodes every frame, which takes 7
    to 10 us (here 1 to 2 us), where a server of many vehicles needs the fields of few; after a byte
    that looks like the beginning of a frame it drops as many bytes as that seems to have, with the
    frames among them; and its table lacks PX4's events, states of motor controllers and standard
    modes, which a relay has to send on.

    Any bytes are accepted. A frame of a message that nobody knows is returned, too, if another
    frame seems to follow it, or if a datagram ends there. At most one frame is kept for the next
    call, 280 bytes.

    Parameters
    ----------
    key : bytes, optional
        32 bytes; frames that are not signed with it are dropped. By default all are accepted.
    datagrams : bool, optional
        Each call of `feed` gets a whole datagram: no frame continues in the next one. By default
        the bytes are a stream, such as of TCP or a serial port.

    Attributes
    ----------
    counts : Counts
        What has been received.
    lost : collections.Counter
        Missing frames by ``(system_id, component_id)``.

    Raises
    ------
    MissingExtraError
        pymavlink is not installed: ``pip install 'pyrfly[mavlink]'``.
    ValueError
        The key has not 32 bytes.

    Examples
    --------
    >>> parser = FrameParser()
    >>> parser.feed(bytes.fromhex("fd 09 00 00 00 01 01 00 00 00 00 00"))
    []
    >>> frame, = parser.feed(bytes.fromhex("00 00 02 0c 00 00 03 d7 de"))
    >>> frame.name, frame.system_id, frame.component_id
    ('HEARTBEAT', 1, 1)
    >>> int(frame.record()["type"]), frame.message().type
    (2, 2)
    >>> parser.counts.frames
    1
    """

    def __init__(self, key: bytes | None = None, *, datagrams: bool = False) -> None:
        key = checked_key(key)
        self.counts = Counts()
        self.lost: Counter[tuple[int, int]] = Counter()
        self._known = _known_messages()
        self._check = None if key is None else SignatureCheck(key)
        self._datagrams = datagrams
        self._rest = b""
        self._last: dict[tuple[int, int], int] = {}

    def feed(self, data: bytes | bytearray | memoryview) -> list[Frame]:
        """Return the frames that are complete with further bytes.

        Parameters
        ----------
        data : bytes-like
            What arrived.

        Returns
        -------
        list of Frame
            In the order of arrival.
        """
        if self._rest:
            data = self._rest + bytes(data)
        rows, end, skipped, bad_checksums = _core.mavlink_split(data, self._known, self._datagrams)
        self._rest = bytes(data[end:])
        self.counts.skipped_bytes += skipped
        self.counts.bad_checksums += bad_checksums
        frames = [Frame(*row) for row in rows]
        if self._check is not None:
            frames = [frame for frame in frames if self._is_trusted(self._check, frame.raw)]
        for frame in frames:
            self._count(frame)
        return frames

    def _is_trusted(self, check: SignatureCheck, raw: bytes) -> bool:
        if not is_signed(raw):
            self.counts.unsigned += 1
            return False
        right = check.is_right(raw)
        self.counts.bad_signatures += not right
        return right

    def _count(self, frame: Frame) -> None:
        sender = (frame.system_id, frame.component_id)
        # A step back is a frame that came late, or twice, or a sender that started anew.
        missing = (frame.sequence - self._last.get(sender, frame.sequence - 1) - 1) % 256
        if 0 < missing < 128:
            self.lost[sender] += missing
            self.counts.lost += missing
        self._last[sender] = frame.sequence
        self.counts.frames += 1
        self.counts.unknown += not frame.known


@functools.cache
def _known_messages() -> NDArray[np.void]:
    """Return the messages of `MESSAGES` and of pymavlink, sorted by identifier."""
    found = {m.id: (m.crc_extra, m.unpacker.size) for m in dialect().mavlink_map.values()}
    found |= {m.id: (m.crc_extra, m.dtype.itemsize) for m in MESSAGES.values()}
    return np.array([(id, *found[id], (0, 0)) for id in sorted(found)], _KNOWN)
