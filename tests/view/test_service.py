"""The page over HTTP and WebSocket: who gets it, and how fast."""

import asyncio
import json
import socket
from contextlib import suppress
from http import HTTPStatus
from http.client import HTTPConnection
from urllib.parse import urlsplit

import pytest

pytest.importorskip("websockets")

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.frames import CloseCode

from pyrfly.transport import OptionError, PortError
from pyrfly.view.service import Service, command_of


class Counter:
    """Shows frames that are numbers, of which there is always a new one."""

    def __init__(self) -> None:
        self.page = "<p>hello</p>"
        self.world = (0, b"world")
        self.state = {"paused": False, "commands": ["pause", "step"]}
        self.number = 0
        self.asked: list[dict] = []

    def newest(self, after):
        self.number += 1
        return self.number, str(self.number).encode()

    def command(self, command):
        self.asked.append(command)


def served(look, **options):
    """Return what a coroutine function makes of a service and what it shows."""

    async def run():
        shown = Counter()
        service = Service(shown, [0], **options)
        await service.start()
        try:
            return await asyncio.wait_for(look(service, shown), 20)
        finally:
            await service.stop()

    return asyncio.run(run())


def socket_of(service, **options):
    url = service.url.replace("http", "ws").replace("/?", "/ws?")
    return connect(url, proxy=None, **options)


def get(url: str, path: str) -> tuple[int, str, dict[str, str]]:
    asked = HTTPConnection(urlsplit(url).netloc, timeout=10)
    asked.request("GET", path)
    answer = asked.getresponse()
    text = answer.read().decode()
    asked.close()
    return answer.status, text, dict(answer.headers)


def test_page_is_for_who_knows_the_token():
    async def look(service, shown):
        query = urlsplit(service.url).query
        paths = [f"/?{query}", "/", "/?key=x", f"/other?{query}", "//["]
        return [await asyncio.to_thread(get, service.url, path) for path in paths]

    good, *bad = served(look)
    assert good[:2] == (HTTPStatus.OK, "<p>hello</p>")
    assert good[2]["Referrer-Policy"] == "no-referrer"
    assert [status for status, _, _ in bad] == [
        *(HTTPStatus.FORBIDDEN, HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND),
        HTTPStatus.FORBIDDEN,
    ]


@pytest.mark.parametrize("origin", ["http://example.com", "null", "http://[", "http://127.0.0.1:1"])
def test_pages_from_elsewhere_may_not_connect(origin):
    async def look(service, shown):
        with pytest.raises(InvalidStatus, match="403"):
            async with socket_of(service, origin=origin):
                pass

    served(look)


def test_page_from_here_may_connect_behind_a_proxy():
    async def look(service, shown):
        headers = {"X-Forwarded-Host": "hub.example.com"}
        origin = "https://hub.example.com"
        async with socket_of(service, origin=origin, additional_headers=headers) as socket:
            return await socket.recv()

    assert json.loads(served(look)) == {"paused": False, "commands": ["pause", "step"]}


def test_next_frame_comes_when_the_last_one_was_seen():
    async def look(service, shown):
        async with socket_of(service) as socket:
            assert json.loads(await socket.recv()) == shown.state
            assert await socket.recv() == b"world"
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(socket.recv(), 0.05)
            seen = []
            for _ in range(3):
                await socket.send('{"seen": true}')
                seen.append(int(await socket.recv()))
                shown.number += 100  # frames that this page was too slow for
            shown.world = (1, b"another world")
            await socket.send('{"seen": true}')
            assert await socket.recv() == b"another world"
            return seen

    first, second, third = served(look)
    assert second > first + 100
    assert third > second + 100


def test_pages_ask_for_what_they_may():
    async def look(service, shown):
        async with socket_of(service) as socket:
            for text in ('{"pause": true}', '{"speed": 2}', '{"step": 3, "x": 1}', "[", "7"):
                await socket.send(text)
            while len(shown.asked) < 2:
                await asyncio.sleep(0.01)
            await socket.send("x" * 5000)
            with suppress(ConnectionClosed):
                while True:
                    await socket.recv()
            assert socket.close_code == CloseCode.MESSAGE_TOO_BIG
        return shown.asked

    assert served(look) == [{"pause": True}, {"step": 3}]


def test_pause_ends_when_no_page_is_left_that_could_end_it(monkeypatch):
    monkeypatch.setattr("pyrfly.view.service.GRACE", 0.05)

    async def look(service, shown):
        async with socket_of(service) as other:
            async with socket_of(service) as socket:
                await socket.send('{"pause": true}')
                while not shown.asked:
                    await asyncio.sleep(0.01)
            await asyncio.sleep(0.2)
            await other.recv()
            assert shown.asked == [{"pause": True}]
        while len(shown.asked) < 2:
            await asyncio.sleep(0.01)
        async with socket_of(service):
            pass
        await asyncio.sleep(0.1)
        return shown.asked

    assert served(look) == [{"pause": True}, {"pause": False}]


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ('{"pause": false, "speed": 0.5}', {"pause": False, "speed": 0.5}),
        ('{"speed": null}', {"speed": None}),
        ('{"speed": true, "step": true, "pause": 1, "seen": "yes"}', {}),
        ('{"speed": -1, "step": 0}', {}),
        ('{"speed": 1e999, "step": 1001}', {}),
        ("[" * 100_000, {}),
        (b"\xff", {}),
    ],
)
def test_senseless_commands_are_left_out(text, command):
    assert command_of(text) == command


def test_port_that_is_taken_is_named():
    async def look(service, shown):
        port = urlsplit(service.url).port
        with pytest.raises(PortError, match=f"port: expected a free TCP port, got {port}"):
            await Service(shown, [port]).start()
        with socket.create_server(("127.0.0.1", 0)) as other:
            taken = [port, other.getsockname()[1]]
            with pytest.raises(PortError, match=f"got {taken[0]} to {taken[1]}: "):
                await Service(shown, taken).start()

    served(look)


def test_other_machines_need_a_host_that_they_reach():
    with pytest.raises(OptionError, match=r"allow: 192\.0\.2\.1 cannot reach host 127\.0\.0\.1"):
        Service(Counter(), [0], allow=["192.0.2.1"])
