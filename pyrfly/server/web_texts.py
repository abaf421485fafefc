"""Messages of WebSocket, by the package websockets, and a page for browsers: `WebTexts`."""

from __future__ import annotations

from functools import cache
from http import HTTPStatus
from ipaddress import AddressValueError, IPv4Address
from pathlib import Path

from websockets.datastructures import Headers
from websockets.frames import Frame, Opcode
from websockets.http11 import Request, Response
from websockets.protocol import State
from websockets.server import ServerProtocol

from pyrfly.server.text_messages import LONGEST

__all__ = ["WebTexts"]

_PAGE = Path(__file__).with_name("text_page.html")


class WebTexts:
    """A message is a text message of WebSocket; a request without one gets the page.

    A browser names the page that connects (Origin): one of another server is refused, and so is one
    whose host has a name, which somebody else may let mean this machine.
    """

    def __init__(self) -> None:
        self._protocol = ServerProtocol(max_size=LONGEST)
        self._parts: list[bytes] = []

    @property
    def over(self) -> bool:
        """See `Texts.over`."""
        return self._protocol.close_expected()

    def feed(self, data: bytes) -> list[bytes]:
        """See `Texts.feed`."""
        self._protocol.receive_data(data)
        messages = []
        for event in self._protocol.events_received():
            if isinstance(event, Request):
                self._protocol.send_response(self._response(event))
            elif isinstance(event, Frame) and (text := self._completed(event)) is not None:
                messages.append(text)
        return messages

    def framed(self, text: str) -> bytes:
        """See `Texts.framed`."""
        if self._protocol.state is State.OPEN:
            self._protocol.send_text(text.encode())
        return self.due()

    def due(self) -> bytes:
        """See `Texts.due`: answers to what the protocol itself sends."""
        return b"".join(self._protocol.data_to_send())

    def _response(self, request: Request) -> Response:
        """Return the answer to a request of HTTP."""
        if "Upgrade" not in request.headers:
            return _page() if request.path == "/" else self._rejected(HTTPStatus.NOT_FOUND)
        if not _may_connect(request.headers):
            return self._rejected(HTTPStatus.FORBIDDEN)
        return self._protocol.accept(request)

    def _rejected(self, status: HTTPStatus) -> Response:
        return self._protocol.reject(status, status.phrase)

    def _completed(self, frame: Frame) -> bytes | None:
        """Return the message that a frame completes."""
        if frame.opcode not in (Opcode.TEXT, Opcode.BINARY, Opcode.CONT):
            return None
        self._parts.append(bytes(frame.data))
        if not frame.fin:
            return None
        text, self._parts = b"".join(self._parts), []
        return text


def _may_connect(headers: Headers) -> bool:
    """Return whether a request is of no browser, or of a page that came from here."""
    origins, hosts = headers.get_all("Origin"), headers.get_all("Host")
    if not origins:
        return True
    if len(origins) > 1 or len(hosts) != 1:
        return False
    host = hosts[0]
    return origins[0] == f"http://{host}" and _is_address(host.rpartition(":")[0] or host)


def _is_address(host: str) -> bool:
    """Return whether a host is no name that somebody else can let mean this machine."""
    if host == "localhost":
        return True
    try:
        IPv4Address(host)
    except AddressValueError:
        return False
    return True


@cache
def _body() -> bytes:
    return _PAGE.read_bytes()


def _page() -> Response:
    body = _body()
    headers = Headers(
        {
            "Content-Type": "text/html; charset=utf-8",
            "Content-Length": str(len(body)),
            "Content-Security-Policy": "default-src 'self' 'unsafe-inline'; connect-src 'self' ws:",
            "X-Frame-Options": "DENY",
            "Connection": "close",
        }
    )
    return Response(HTTPStatus.OK, HTTPStatus.OK.phrase, headers, body)
