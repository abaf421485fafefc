"""Uploads and downloads of missions, fences and rally points: `MissionTransfer`.

The mission protocol of MAVLink [@mavlink] with PX4's times, limits and results [@px4 v1.16.1
mavlink_mission.cpp]. Two differences: a link serves up to `MOST_DOWNLOADS` downloads of stations at
the same time, also during an upload; and all invalid numbers are refused at the upload.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from pyrfly.autopilot.mission_items import item_result
from pyrfly.autopilot.mission_store import LIMITS, TIMEOUT, MissionStore
from pyrfly.autopilot.raw_items import RawItem, raw_item
from pyrfly.autopilot.reply import Message, Reply, status_text
from pyrfly.mavlink.constants import MissionResult, MissionType

__all__ = ["MOST_DOWNLOADS", "RETRY", "MissionTransfer"]

RETRY = 0.25
"""Time after which a missing item is requested again [s] [@px4 v1.16.1 mavlink_mission.h]."""

MOST_DOWNLOADS = 8
"""Downloads from a vehicle over a link; one more ends that which has been silent longest."""

_ALL = 255  # MAV_MISSION_TYPE
_ANY_COMPONENT, _MISSION_PLANNER = 0, 190  # MAV_COMPONENT

_Partner: TypeAlias = tuple[int, int]  # system and component ID of a station


@dataclass
class _Upload:
    """An upload that waits for its next item."""

    partner: _Partner
    kind: int
    count: int
    heard: float  # time of the last message [s]
    requested: float = 0.0  # time of the last request [s]
    items: list[RawItem] = field(default_factory=list)
    current: int = 0


@dataclass
class _Download:
    """A download, of the items as they were at its beginning."""

    kind: int
    items: tuple[RawItem, ...]
    heard: float  # time of the last message [s]
    next: int = 0


class MissionTransfer:
    """Transfers between one vehicle and the stations of one link.

    Parameters
    ----------
    store : MissionStore
        The lists of the vehicle, shared by its links: one of them at a time can upload.
    system, component : int
        MAVLink IDs of the vehicle.
    """

    def __init__(self, store: MissionStore, system: int, component: int = 1) -> None:
        self._store = store
        self._system = system
        self._components = (component, _MISSION_PLANNER, _ANY_COMPONENT)
        self._upload: _Upload | None = None
        self._downloads: dict[_Partner, _Download] = {}
        # the last item of the last upload, and the answer to it, which can get lost
        self._last: tuple[_Partner, int, int] | None = None
        self._result: int = MissionResult.ACCEPTED
        self._integer = False  # whether items with integer coordinates are requested
        self._handlers: dict[str, Callable[[_Partner, Message, float], list[Reply]]] = {
            "MISSION_ACK": self._acknowledged,
            "MISSION_CLEAR_ALL": self._clear,
            "MISSION_COUNT": self._count,
            "MISSION_ITEM": self._item,
            "MISSION_ITEM_INT": self._item,
            "MISSION_REQUEST": self._request,
            "MISSION_REQUEST_INT": self._request,
            "MISSION_REQUEST_LIST": self._list,
            "MISSION_SET_CURRENT": self._select,
        }

    def handle(self, message: Message, time: float) -> list[Reply]:
        """Return the answers to a message; none to one that is not for this service or vehicle.

        Parameters
        ----------
        message : Message
            Any message.
        time : float
            Time that never decreases [s].
        """
        handler = self._handlers.get(message.get_type())
        if handler is None or message.target_system != self._system:
            return []
        if message.target_component not in self._components:
            return []
        partner = (message.get_srcSystem(), message.get_srcComponent())
        return [*self._expired(time), *handler(partner, message, time)]

    def due(self, time: float) -> list[Reply]:
        """Return what is due at a time [s]: a request that is repeated, the end of a transfer."""
        replies = self._expired(time)
        upload = self._upload
        if upload is not None and time - upload.requested > RETRY:
            replies.append(self._next_request(upload, time))
        return replies

    def _expired(self, time: float) -> list[Reply]:
        """End the transfers of stations that have fallen silent."""
        replies = []
        if self._upload is not None and time - self._upload.heard > TIMEOUT:
            self._end_upload()
            replies.append(status_text("Mission upload timed out"))
        for partner, download in list(self._downloads.items()):
            if time - download.heard > TIMEOUT:
                del self._downloads[partner]
                if download.next < len(download.items):
                    replies.append(status_text("Mission download timed out"))
        return replies

    # --- uploads

    def _count(self, partner: _Partner, message: Message, time: float) -> list[Reply]:
        kind, count = message.mission_type, message.count
        upload = self._upload
        if upload is not None and (upload.items or upload.partner != partner):
            return [_ack(partner, kind, MissionResult.ERROR)]  # busy
        if not self._store.claim(self, time):
            return [_ack(partner, kind, MissionResult.ERROR)]
        self._downloads.pop(partner, None)
        self._last = None
        if kind in LIMITS and 0 < count <= LIMITS[kind]:
            self._upload = _Upload(partner, kind, count, heard=time)
            return [self._next_request(self._upload, time)]
        self._end_upload()
        if kind not in LIMITS:
            return [_ack(partner, kind, MissionResult.UNSUPPORTED)]
        if count > 0:
            return [_ack(partner, kind, MissionResult.NO_SPACE)]
        self._store.replace(kind, ())
        return [_ack(partner, kind, MissionResult.ACCEPTED)]

    def _item(self, partner: _Partner, message: Message, time: float) -> list[Reply]:
        self._integer = message.get_type() == "MISSION_ITEM_INT"
        kind, upload = message.mission_type, self._upload
        if upload is None or upload.partner != partner:
            again = self._last == (partner, kind, message.seq)
            return [_ack(partner, kind, self._result if again else MissionResult.ERROR)]
        if upload.kind != kind:
            return [_ack(partner, kind, MissionResult.ERROR)]
        upload.heard = time
        self._store.claim(self, time)
        if message.seq != len(upload.items):
            return []  # one that was requested twice
        item = raw_item(message)
        result = item_result(kind, item, self._store.backs)
        if result == MissionResult.ACCEPTED:
            upload.items.append(item)
            if message.current:
                upload.current = message.seq
            if len(upload.items) < upload.count:
                return [self._next_request(upload, time)]
            self._store.replace(kind, upload.items, upload.current)
        self._last, self._result = (partner, kind, message.seq), result
        self._end_upload()
        return [_ack(partner, kind, result)]

    def _next_request(self, upload: _Upload, time: float) -> Reply:
        upload.requested = time
        name = "MISSION_REQUEST_INT" if self._integer else "MISSION_REQUEST"
        return _reply(name, upload.partner, upload.kind, seq=len(upload.items))

    def _end_upload(self) -> None:
        self._upload = None
        self._store.release(self)

    # --- downloads

    def _list(self, partner: _Partner, message: Message, time: float) -> list[Reply]:
        kind = message.mission_type
        items = self._store.items(kind)
        self._downloads.pop(partner, None)
        if items:
            if len(self._downloads) >= MOST_DOWNLOADS:
                del self._downloads[min(self._downloads, key=lambda p: self._downloads[p].heard)]
            self._downloads[partner] = _Download(kind, items, heard=time)
        return [_reply("MISSION_COUNT", partner, kind, count=len(items))]

    def _request(self, partner: _Partner, message: Message, time: float) -> list[Reply]:
        self._integer = message.get_type() == "MISSION_REQUEST_INT"
        download = self._downloads.get(partner)
        if download is None or download.kind != message.mission_type:
            return []
        download.heard = time
        seq = message.seq
        if seq not in (download.next - 1, download.next) or seq >= len(download.items):
            del self._downloads[partner]
            return [_ack(partner, download.kind, MissionResult.ERROR)]
        download.next = seq + 1
        fields = download.items[seq].fields(integer=self._integer)
        current = int(download.kind == MissionType.MISSION and seq == self._store.current)
        name = "MISSION_ITEM_INT" if self._integer else "MISSION_ITEM"
        return [_reply(name, partner, download.kind, seq=seq, current=current, **fields)]

    # --- both

    def _acknowledged(self, partner: _Partner, message: Message, time: float) -> list[Reply]:
        upload = self._upload
        if upload is not None and upload.partner == partner:
            if message.type == MissionResult.OPERATION_CANCELLED:
                self._end_upload()
            elif message.type == MissionResult.UNSUPPORTED:
                # the station knows the other type of items
                self._integer = not self._integer
                return [self._next_request(upload, time)]
            return []
        download = self._downloads.get(partner)
        if download is not None and download.kind == message.mission_type:
            del self._downloads[partner]
        return []

    def _clear(self, partner: _Partner, message: Message, time: float) -> list[Reply]:
        kind = message.mission_type
        if kind not in LIMITS and kind != _ALL:
            return [_ack(partner, kind, MissionResult.UNSUPPORTED)]
        if not self._store.claim(self, time) or self._upload is not None:
            return [status_text("Mission not cleared: upload in progress")]
        for some in LIMITS if kind == _ALL else (kind,):
            self._store.replace(some, ())
        self._end_upload()
        return [_ack(partner, kind, MissionResult.ACCEPTED)]

    def _select(self, partner: _Partner, message: Message, time: float) -> list[Reply]:
        if self._upload is not None:
            return [status_text("Mission item not set: upload in progress")]
        if not self._store.select(message.seq):
            return [status_text(f"Mission item not set: there is no {message.seq}")]
        return [self._store.mission_current()]


def _ack(partner: _Partner, kind: int, result: int) -> Reply:
    return _reply("MISSION_ACK", partner, kind, type=result)


def _reply(name: str, partner: _Partner, kind: int, **fields: object) -> Reply:
    system, component = partner
    addressed: dict[str, object] = {
        "target_system": system,
        "target_component": component,
        **fields,
        "mission_type": kind,
    }
    return Reply(name, addressed)
