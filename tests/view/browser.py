"""Chromium without a window, steered by its debugging protocol."""

import asyncio
import base64
import contextlib
import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
MESA = ("--use-gl=angle", "--use-angle=gl-egl", "--ignore-gpu-blocklist")
SWIFTSHADER = ("--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist")
SETTINGS = (
    *("--headless=new", "--no-sandbox", "--remote-debugging-port=0", "--hide-scrollbars"),
    *("--no-first-run", "--disable-background-networking", "--disable-dev-shm-usage"),
)
SIZE = (1280, 720)


class Page:
    """A page; `events` has what the browser told of it meanwhile."""

    def __init__(self, socket: ClientConnection, process: int) -> None:
        self._socket, self._process = socket, process
        self._calls = 0
        self.events: list[dict[str, Any]] = []

    async def call(self, method: str, **parameters: Any) -> Any:
        self._calls += 1
        number = self._calls
        await self._socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            told = json.loads(await asyncio.wait_for(self._socket.recv(), 60))
            if told.get("id") == number:
                assert "error" not in told, told
                return told["result"]
            self.events.append(told)

    async def value(self, expression: str) -> Any:
        told = await self.call(
            "Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True
        )
        assert "exceptionDetails" not in told, told["exceptionDetails"]
        return told["result"].get("value")

    async def until(self, expression: str, seconds: float = 30) -> None:
        end = time.monotonic() + seconds
        while not await self.value(expression):
            assert time.monotonic() < end, expression
            await asyncio.sleep(0.05)

    async def screenshot(self, path: Path) -> None:
        path.write_bytes(base64.b64decode((await self.call("Page.captureScreenshot"))["data"]))

    async def press(self, x: float, y: float) -> None:
        for kind in ("mousePressed", "mouseReleased"):
            where = {"x": x, "y": y, "button": "left", "clickCount": 1}
            await self.call("Input.dispatchMouseEvent", type=kind, **where)

    def processor_time(self) -> float:
        """Return what the processes of the browser have taken of processors [s]."""
        parents, times = {}, {}
        for file in Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError):
                words = file.read_text().rpartition(")")[2].split()
                number = int(file.parent.name)
                parents[number], times[number] = int(words[1]), int(words[11]) + int(words[12])
        of = {self._process}
        for _ in range(5):  # generations
            of |= {number for number, parent in parents.items() if parent in of}
        return sum(times[number] for number in of) / os.sysconf("SC_CLK_TCK")

    def told(self, method: str) -> list[dict[str, Any]]:
        return [event["params"] for event in self.events if event.get("method") == method]

    def requests(self) -> list[str]:
        urls = [event["request"]["url"] for event in self.told("Network.requestWillBeSent")]
        return [url for url in urls if not url.startswith(("data:", "blob:"))]


@contextlib.asynccontextmanager
async def opened(url: str, *flags: str) -> AsyncIterator[Page]:
    """Open a page of 1280 x 720 pixels in a browser of its own."""
    assert CHROMIUM is not None
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        command = [CHROMIUM, *SETTINGS, *flags, f"--user-data-dir={folder}", "about:blank"]
        browser = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            address = await asyncio.to_thread(_target, await _port(Path(folder)))
            async with connect(address, max_size=None, proxy=None) as socket:
                page = Page(socket, browser.pid)
                for domain in ("Page", "Runtime", "Network"):
                    await page.call(f"{domain}.enable")
                shape = {"width": SIZE[0], "height": SIZE[1], "deviceScaleFactor": 1}
                await page.call("Emulation.setDeviceMetricsOverride", **shape, mobile=False)
                await page.call("Page.navigate", url=url)
                yield page
        finally:
            browser.terminate()
            browser.wait(20)


async def _port(folder: Path) -> int:
    """Return the port that the browser writes when it listens."""
    written = folder / "DevToolsActivePort"
    end = time.monotonic() + 60
    while not written.exists() or len(written.read_text().split()) < 2:
        assert time.monotonic() < end
        await asyncio.sleep(0.05)
    return int(written.read_text().split()[0])


def _target(port: int) -> str:
    """Return the address of the only page."""
    asked = HTTPConnection("127.0.0.1", port, timeout=30)
    asked.request("GET", "/json")
    pages = json.load(asked.getresponse())
    asked.close()
    return next(page["webSocketDebuggerUrl"] for page in pages if page["type"] == "page")
