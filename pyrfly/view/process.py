"""The page of a simulation in a process of its own, so that it costs the simulation nothing.

``python -m pyrfly.view.process`` reads lines of JSON: first what is to be served and where, then
what changes of it. A line ``{"world": N}`` is followed by the N bytes of a world. It writes lines
of JSON: first the address or an error, then what pages ask for. It ends with its input.
"""

from __future__ import annotations

import asyncio
import json
import sys
import threading
from typing import Any, BinaryIO

from pyrfly.errors import Error
from pyrfly.view.html import page
from pyrfly.view.mailbox import Mailbox
from pyrfly.view.running import announced

__all__ = ["main"]


class Mirror:
    """What the simulation's process has told: a `pyrfly.view.service.Shown`."""

    def __init__(self, told: dict[str, Any]) -> None:
        self.page = page(told["config"])
        self.world: tuple[int, bytes] | None = None
        self.state: dict[str, Any] = told["state"]
        self._mailbox = Mailbox(told["capacity"], told["mailbox"])
        self._mailbox.path.unlink(missing_ok=True)  # both have it; so nothing is left of a crash

    def newest(self, after: int) -> tuple[int, bytes] | None:
        """See `Shown.newest`."""
        return self._mailbox.newest() if self._mailbox.number != after else None

    def command(self, command: dict[str, Any]) -> None:
        """See `Shown.command`."""
        _tell(command)

    def follow(self, stream: BinaryIO) -> None:
        """Take what is told, until the end."""
        while line := stream.readline():
            told = json.loads(line)
            if "world" in told:
                number = self.world[0] + 1 if self.world else 0
                self.world = number, stream.read(told["world"])
            else:
                self.state = told["state"]


def _tell(told: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(told) + "\n")
    sys.stdout.flush()


async def _serve(mirror: Mirror, told: dict[str, Any]) -> None:
    from pyrfly.view.service import Service  # which imports the extra

    service = Service(mirror, told["ports"], told["host"], told["allow"])
    try:
        await service.start()
    except Error as error:
        _tell({"error": str(error)})
        return
    _tell({"url": service.url})
    with announced(service.url):
        await _until_end(mirror)


async def _until_end(mirror: Mirror) -> None:
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()

    def follow() -> None:
        try:
            mirror.follow(sys.stdin.buffer)
        finally:
            loop.call_soon_threadsafe(ended.set)

    threading.Thread(target=follow, daemon=True).start()
    await ended.wait()


def main() -> int:
    """Serve until the input ends."""
    told = json.loads(sys.stdin.buffer.readline())
    asyncio.run(_serve(Mirror(told), told))
    return 0


if __name__ == "__main__":
    sys.exit(main())
