"""Missions, fences and rally points of a server's vehicles, as lines: `UploadedLines`."""

from __future__ import annotations

from collections.abc import Sequence

from pyrfly.autopilot.autopilots import Uploads
from pyrfly.server.link import Link
from pyrfly.server.links.mavlink import MavlinkLink
from pyrfly.view.missions import fence_lines, mission_lines, rally_lines
from pyrfly.view.world import Line

__all__ = ["UploadedLines"]

MOST_POINTS = 50_000
"""Maximum number of points of all lines: who may upload missions must not stop the pages."""


class UploadedLines:
    """Tells of lines of what stations have uploaded where this has changed."""

    def __init__(self) -> None:
        self._seen: list[Uploads] = []

    def news(self, links: Sequence[Link]) -> list[Line] | None:
        """Return the lines of the vehicles of some links; None: they are as before."""
        pilots = [link.autopilots for link in links if isinstance(link, MavlinkLink)]
        uploads = [one for autopilots in pilots for one in autopilots.uploads()]
        if len(uploads) == len(self._seen) and all(map(_are_same, uploads, self._seen)):
            return None
        self._seen = uploads
        return _lines_of(uploads)


def _are_same(a: Uploads, b: Uploads) -> bool:
    """Return whether two uploads are the same objects, from the same home."""
    of_one = a.mission is b.mission and a.fence is b.fence and a.rally is b.rally
    return a.row == b.row and of_one and bool((a.home == b.home).all())


def _lines_of(uploads: Sequence[Uploads]) -> list[Line]:
    """Return the lines of uploads, as far as there is room for their points."""
    lines: list[Line] = []
    left = MOST_POINTS
    for one in uploads:
        found = [*rally_lines(one.rally)]
        if one.mission is not None:
            found += mission_lines(one.mission, one.home)
        if one.fence is not None:
            found += fence_lines(one.fence, float(one.home[2]))
        left -= sum(len(line.points) for line in found)
        if left < 0:
            break
        lines += found
    return lines
