"""The page and what it shows, over HTTP and WebSocket on one port: `Service`."""

from __future__ import annotations

import asyncio
import hmac
import json
import logging
import secrets
from collections.abc import Sequence
from contextlib import suppress
from http import HTTPStatus
from typing import Any, Protocol
from urllib.parse import SplitResult, parse_qs, urlsplit

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from pyrfly.transport import THIS_MACHINE, PortError
from pyrfly.view.screen import MOST_COLUMNS, access_of

__all__ = ["Service", "Shown", "Still", "command_of"]

_LOG = logging.getLogger("pyrfly.view")
_LOG.addHandler(logging.NullHandler())  # what fails of a connection is not for a terminal

POLL = 1 / 120
"""Time between two looks for a new frame [s]."""

LONGEST = 4096
"""Maximum length of what a page says [bytes]."""

FASTEST = 1000.0
"""Maximum speed that a page may ask for [times real time]."""

GRACE = 2.0
"""Time that a page has to come back before what it paused goes on [s]: a reload ends no pause."""

MOST_STEPS = 1000
LONGEST_NAME = 64


class Shown(Protocol):
    """What is shown.

    Attributes
    ----------
    page : str
        The page.
    world : tuple of int and bytes, or None
        The message of the world, and a number that is another one with each world.
    state : dict
        What pages are told besides: ``paused``, ``speed``, ``notes`` in words, and ``commands``,
        what they may ask for.
    """

    page: str
    world: tuple[int, bytes] | None
    state: dict[str, Any]

    def newest(self, after: int) -> tuple[int, bytes] | None:
        """Return the newest frame and its number, or None if there is none after a number."""

    def command(self, command: dict[str, Any]) -> None:
        """Take what a page asks for: ``pause``, ``step``, ``speed``, ``columns``."""


class Still:
    """A page that has all that it shows.

    Attributes
    ----------
    page, world, state
        See `Shown`.
    """

    def __init__(self, page: str) -> None:
        self.page = page
        self.world: tuple[int, bytes] | None = None
        self.state: dict[str, Any] = {"commands": []}

    def newest(self, after: int) -> None:
        """See `Shown.newest`."""

    def command(self, command: dict[str, Any]) -> None:
        """See `Shown.command`."""


def command_of(text: str | bytes) -> dict[str, Any]:
    """Return what a page asks for, without what makes no sense; a speed of None has no limit.

    Examples
    --------
    >>> command_of('{"pause": true, "speed": -3, "step": "x"}')
    {'pause': True}
    """
    try:
        told = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    if not isinstance(told, dict):
        return {}
    found: dict[str, Any] = {}
    if isinstance(told.get("pause"), bool):
        found["pause"] = told["pause"]
    step, speed = told.get("step"), told.get("speed", False)
    if type(step) is int and 1 <= step <= MOST_STEPS:
        found["step"] = step
    if speed is None:
        found["speed"] = None
    elif not isinstance(speed, bool) and isinstance(speed, (int, float)) and 0 < speed <= FASTEST:
        found["speed"] = float(speed)
    columns = told.get("columns")
    if isinstance(columns, list) and len(columns) <= MOST_COLUMNS:
        found["columns"] = [str(name)[:LONGEST_NAME] for name in columns]
    if told.get("seen") is True:
        found["seen"] = True
    return found


class Service:
    """Serves a page, and to each page the newest frame when it has drawn the last one.

    Only who knows the address with its token gets anything, from the addresses of ``allow`` alone.
    A browser says which page connects (Origin): only one that came from here may. What a page has
    paused goes on when no page is left that could end the pause.

    Parameters
    ----------
    shown : Shown
        What is shown.
    ports : sequence of int
        TCP ports, of which the first one that is free is taken; 0: any.
    host : str
        Address to listen on.
    allow : sequence of str
        Who may connect, see `pyrfly.transport.Senders`.

    Attributes
    ----------
    url : str
        Address of the page, known after `start`.
    """

    def __init__(
        self,
        shown: Shown,
        ports: Sequence[int],
        host: str = THIS_MACHINE,
        allow: Sequence[str] = (),
    ) -> None:
        self._shown, self._ports = shown, ports
        self._host, self._senders = access_of(host, allow)
        self._token = secrets.token_urlsafe(16)
        self._server: Server | None = None
        self._pages, self._paused = 0, False  # how many, and whether one of them has paused it
        self.url = ""

    async def start(self) -> None:
        """Open the port.

        Raises
        ------
        PortError
            It is not free.
        """
        for port in self._ports:
            try:
                self._server = await serve(
                    self._client,
                    self._host,
                    port,
                    process_request=self._answer,
                    compression=None,
                    logger=_LOG,
                    max_size=LONGEST,
                )
                break
            except OSError as error:
                refused = error
        else:
            first, last = self._ports[0], self._ports[-1]
            tried = f"{first}" if first == last else f"{first} to {last}"
            raise PortError(f"port: expected a free TCP port, got {tried}: {refused}")
        port = next(iter(self._server.sockets)).getsockname()[1]
        host = THIS_MACHINE if self._host == "0.0.0.0" else self._host
        self.url = f"http://{host}:{port}/?key={self._token}"

    async def stop(self) -> None:
        """Close the port and all connections."""
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()

    # --- HTTP ---

    def _answer(self, connection: ServerConnection, request: Request) -> Response | None:
        """Return the answer to a request; None: it becomes a WebSocket."""
        path = _split(request.path)
        if not self._senders.may(connection.remote_address[0]):
            return _refused(connection, HTTPStatus.FORBIDDEN)
        token = parse_qs(path.query).get("key", [""])[0]
        if not hmac.compare_digest(token.encode(), self._token.encode()):
            return _refused(connection, HTTPStatus.FORBIDDEN)
        if path.path == "/ws":
            own = _came_from_here(request.headers)
            return None if own else _refused(connection, HTTPStatus.FORBIDDEN)
        if path.path != "/":
            return _refused(connection, HTTPStatus.NOT_FOUND)
        return _page(self._shown.page)

    # --- WebSocket ---

    async def _client(self, socket: ServerConnection) -> None:
        self._pages += 1
        seen = asyncio.Event()
        listening = asyncio.ensure_future(self._listen(socket, seen))
        try:
            await self._send(socket, seen)
        except ConnectionClosed:
            pass
        finally:
            listening.cancel()
            with suppress(asyncio.CancelledError, ConnectionClosed):
                await listening
            self._pages -= 1
            asyncio.get_running_loop().call_later(GRACE, self._release)

    def _release(self) -> None:
        """End the pause of pages that are gone."""
        if self._pages == 0 and self._paused:
            self._paused = False
            self._shown.command({"pause": False})

    async def _listen(self, socket: ServerConnection, seen: asyncio.Event) -> None:
        async for text in socket:
            command = command_of(text)
            if command.pop("seen", False):
                seen.set()
            allowed = self._shown.state["commands"]
            if command := {name: value for name, value in command.items() if name in allowed}:
                self._paused = command.get("pause", self._paused or "step" in command)
                self._shown.command(command)

    async def _send(self, socket: ServerConnection, seen: asyncio.Event) -> None:
        world, frame, state = -1, 0, ""
        while True:
            now = json.dumps(self._shown.state)
            if now != state:
                state = now
                await socket.send(state)
            message = None
            if self._shown.world is not None and self._shown.world[0] != world:
                world, message = self._shown.world
                frame = 0
            elif world >= 0 and (found := self._shown.newest(frame)) is not None:
                frame, message = found
            if message is None:
                await asyncio.sleep(POLL)
                if socket.close_code is not None:
                    return
                continue
            seen.clear()
            await socket.send(message)
            await _either(seen, socket)


async def _either(seen: asyncio.Event, socket: ServerConnection) -> None:
    """Wait until a page has drawn what it got, or is gone."""
    waits = [asyncio.ensure_future(seen.wait()), asyncio.ensure_future(socket.wait_closed())]
    try:
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for wait in waits:
            wait.cancel()
    if not seen.is_set():
        raise ConnectionClosed(None, None)


def _came_from_here(headers: Headers) -> bool:
    """Return whether no page connects, or one of this port, behind whatever forwards it."""
    origins = headers.get_all("Origin")
    hosts = [*headers.get_all("Host"), *headers.get_all("X-Forwarded-Host")]
    return not origins or (len(origins) == 1 and _split(origins[0]).netloc in hosts)


def _split(url: str) -> SplitResult:
    """Return the parts of a URL, none of one that cannot be read."""
    try:
        return urlsplit(url)
    except ValueError:
        return urlsplit("")


def _refused(connection: ServerConnection, status: HTTPStatus) -> Response:
    return connection.respond(status, f"{status.phrase}\n")


def _page(text: str) -> Response:
    body = text.encode()
    headers = Headers(
        {
            "Content-Type": "text/html; charset=utf-8",
            "Content-Length": str(len(body)),
            "Referrer-Policy": "no-referrer",
            "Cache-Control": "no-store",
            "Connection": "close",
        }
    )
    return Response(HTTPStatus.OK, HTTPStatus.OK.phrase, headers, body)
